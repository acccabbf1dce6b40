// Modes in continuous time: margins between two events, and who sticks or slips after one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "../network/built.h"
#include "network/network.h"
#include "stiction/continuous.h"
#include "support/near.h"
#include "support/plan.h"

static const StiSmoothInterval all_time = {-INFINITY, INFINITY};

// Two masses of 2 and 1 kg: friction of the first on the ground (5 N, 6 N at rest), rigid; of the second on
// the first (3 N), rigid; a bristle (4 N, K = 1000, B = 10) between the second and the ground. Pushes are
// inputs.
typedef struct Stack {
    Built built;
    StiAdmittanceId low, high;
    StiElementId ground, between, bristle;
    double inputs[2];
    double values[8], rates[8];
    StiMargin margins[3];
} Stack;
enum { BRISTLE, BETWEEN, GROUND, MODES }; // elements with memory first, then by name

static Stack make_stack(double v_low, double v_high, double push_low, double push_high)
{
    StiPlan *plan = plan_in_stages();
    Stack stack = {.inputs = {push_low, push_high}};
    stack.low = add_moving_mass(plan, "low", 2.0, v_low);
    stack.high = add_moving_mass(plan, "high", 1.0, v_high);
    const StiWire low = sti_wire_coordinate(stack.low, 0, 1),
                  high = sti_wire_coordinate(stack.high, 0, 1);
    add_input_force(plan, "push_low", "low_input", low);
    add_input_force(plan, "push_high", "high_input", high);
    stack.ground = add_rule(plan, "ground", low, sti_law_coulomb(5.0), 6.0);
    stack.between =
        add_rule(plan, "between", sti_wire_coordinate_pair(stack.high, 0, stack.low, 0, 1),
                 sti_law_coulomb(3.0), 0.0);
    stack.bristle = sti_plan_add_impedance(
        plan, "bristle", &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(4.0), .K = 1000.0, .B = 10.0}, &high);
    sti_plan_set_method(plan, &sti_method_continuous);
    stack.built = build_and_destroy(plan);
    sti_continuous_values(stack.built.state, stack.values);
    return stack;
}

static StiStatus start(Stack *s)
{
    return sti_continuous_start(s->built.network, s->inputs, 0.0, all_time, s->values,
                                s->built.state, s->built.scratch);
}

static void look(Stack *s)
{
    assert_int_equal(sti_continuous_margins(s->built.network, s->inputs, s->built.state, 0.0,
                                            all_time, s->values, s->built.scratch, s->rates,
                                            s->margins),
                     STI_OK);
}

static bool turn(Stack *s, int ended)
{
    bool over[MODES] = {false}, changed = false;
    if (ended >= 0) over[ended] = true;
    assert_int_equal(sti_continuous_turn(s->built.network, s->inputs, 0.0, all_time, over,
                                         s->values, s->built.state, s->built.scratch, &changed),
                     STI_OK);
    return changed;
}

static double mode_of(const Stack *s, StiElementId element)
{
    return *discrete(&s->built, element);
}
static double direction_of(const Stack *s, StiElementId element)
{
    return discrete(&s->built, element)[1];
}

static double velocity_in(const Stack *s, StiAdmittanceId body)
{
    const StiNetwork *n = s->built.network;
    return s->values[n->admittances[n->admittance_places[body.number - 1]].v];
}
static void set_velocity(Stack *s, StiAdmittanceId body, double v)
{
    const StiNetwork *n = s->built.network;
    s->values[n->admittances[n->admittance_places[body.number - 1]].v] = v;
}
static double acceleration(const Stack *s, StiAdmittanceId body)
{
    const StiNetwork *n = s->built.network;
    return s->rates[n->admittances[n->admittance_places[body.number - 1]].v];
}

static void modes_have_an_order_and_names(void **state)
{
    (void)state;
    Stack s = make_stack(0.0, 0.0, 0.0, 0.0);
    const StiNetwork *n = s.built.network;
    assert_int_equal(sti_continuous_mode_count(n), MODES);
    assert_string_equal(sti_continuous_mode_element(n, BRISTLE), "bristle");
    assert_string_equal(sti_continuous_mode_element(n, GROUND), "ground");
    assert_string_equal(sti_continuous_mode_element(n, BETWEEN), "between");
    assert_string_equal(sti_continuous_mode_element(n, MODES), "");
    assert_int_equal(sti_continuous_row_count(n), 2);
    release(&s.built);
}

// All stick; who needs more than its limit slips; the others are looked at again.
static void at_rest_accelerations_decide(void **state)
{
    (void)state;
    Stack held = make_stack(0.0, 0.0, 3.0, 2.0);
    assert_int_equal(start(&held), STI_OK);
    assert_true(mode_of(&held, held.ground) == STI_STICK &&
                mode_of(&held, held.between) == STI_STICK);
    look(&held);
    assert_true(acceleration(&held, held.low) == 0.0 && acceleration(&held, held.high) == 0.0);
    double resistances[2];
    sti_continuous_resistances(held.built.network, held.built.scratch, resistances);
    assert_near(resistances[1], 5.0, 1e-14); // 3 N and what the upper mass hands down
    assert_near(resistances[0], 2.0, 1e-14);
    assert_near(held.margins[GROUND].g, 1.0, 1e-14); // 6 N at rest
    assert_near(held.margins[BETWEEN].g, 1.0, 1e-14);
    assert_true(isnan(held.margins[GROUND].rate));
    assert_true(held.margins[GROUND].scale == 6.0);
    release(&held.built);

    // 7 N on the ground: it gives way, with 5 N; both go together, 2/3 m/s^2, with 2 - 2/3 N between them
    Stack gives = make_stack(0.0, 0.0, 5.0, 2.0);
    assert_int_equal(start(&gives), STI_OK);
    assert_true(mode_of(&gives, gives.ground) == STI_SLIP &&
                direction_of(&gives, gives.ground) == 1.0);
    assert_true(mode_of(&gives, gives.between) == STI_STICK);
    look(&gives);
    assert_near(acceleration(&gives, gives.low), 2.0 / 3.0, 1e-14);
    assert_near(acceleration(&gives, gives.high), 2.0 / 3.0, 1e-14);
    sti_continuous_resistances(gives.built.network, gives.built.scratch, resistances);
    assert_near(resistances[1], 5.0, 1e-14);
    assert_near(resistances[0], 2.0 - 2.0 / 3.0, 1e-14);
    assert_near(gives.margins[GROUND].g, 0.0, 1e-15); // at the very start of its slip
    assert_near(gives.margins[GROUND].rate, 2.0 / 3.0, 1e-14);
    release(&gives.built);
}

static void who_moves_slips_along_its_motion(void **state)
{
    (void)state;
    Stack s = make_stack(-0.5, -2.0, 0.0, 0.0);
    assert_int_equal(start(&s), STI_OK);
    assert_true(mode_of(&s, s.ground) == STI_SLIP && direction_of(&s, s.ground) == -1.0);
    assert_true(mode_of(&s, s.between) == STI_SLIP && direction_of(&s, s.between) == -1.0);
    look(&s);
    // the upper one is braked by 3 N and the bristle's damper, 10 v, within 4 N; it drags the lower one
    assert_near(acceleration(&s, s.low), (5.0 - 3.0) / 2.0, 1e-14);
    assert_near(s.margins[GROUND].g, 0.5, 1e-15);
    assert_near(s.margins[GROUND].rate, -1.0, 1e-14); // slip ends in half a second
    assert_near(s.margins[BETWEEN].g, 1.5, 1e-15);
    release(&s.built);
}

// Margin and rate tell the same as margins a moment later.
static void rates_are_those_of_the_margins(void **state)
{
    (void)state;
    Stack s = make_stack(0.7, -0.2, 1.0, 2.0);
    const int count = sti_continuous_count(s.built.network);
    assert_int_equal(start(&s), STI_OK);
    look(&s);
    StiMargin before[MODES];
    memcpy(before, s.margins, sizeof before);
    const double dt = 1e-7;
    for (int i = 0; i < count; ++i) s.values[i] += dt * s.rates[i];
    look(&s);
    for (int m = 0; m < MODES; ++m)
        assert_near((s.margins[m].g - before[m].g) / dt, before[m].rate,
                    1e-4 * fabs(before[m].rate) + 1e-6);
    release(&s.built);
}

static void an_arrival_sticks_where_it_can(void **state)
{
    (void)state;
    Stack s = make_stack(0.3, 0.3, 2.0, 1.0);
    assert_int_equal(start(&s), STI_OK);
    assert_true(mode_of(&s, s.ground) == STI_SLIP && mode_of(&s, s.between) == STI_STICK);
    set_velocity(&s, s.low, 1e-13); // arrived, to rounding
    set_velocity(&s, s.high, 1e-13);
    assert_true(turn(&s, GROUND));
    assert_true(mode_of(&s, s.ground) == STI_STICK && mode_of(&s, s.between) == STI_STICK);
    assert_true(velocity_in(&s, s.low) == 0.0 && velocity_in(&s, s.high) == 0.0); // exactly
    release(&s.built);
}

// 9 N back are more than it can bear: the motion goes on in the other direction.
static void an_arrival_goes_through_where_it_cannot(void **state)
{
    (void)state;
    Stack s = make_stack(0.3, 0.3, -9.0, 0.0);
    assert_int_equal(start(&s), STI_OK);
    assert_true(direction_of(&s, s.ground) == 1.0);
    set_velocity(&s, s.low, 0.0);
    set_velocity(&s, s.high, 0.0);
    assert_true(turn(&s, GROUND));
    assert_true(mode_of(&s, s.ground) == STI_SLIP && direction_of(&s, s.ground) == -1.0);
    look(&s);
    assert_true(acceleration(&s, s.low) < 0.0);
    release(&s.built);
}

// At 6 N sticking ends, and slipping takes 5 N only: it goes.
static void a_limit_that_is_reached_releases(void **state)
{
    (void)state;
    Stack s = make_stack(0.0, 0.0, 6.0, 0.0);
    assert_int_equal(start(&s), STI_OK);
    assert_true(mode_of(&s, s.ground) == STI_STICK); // just bears it
    assert_true(turn(&s, GROUND));
    assert_true(mode_of(&s, s.ground) == STI_SLIP && direction_of(&s, s.ground) == 1.0);
    look(&s);
    assert_near(acceleration(&s, s.low), 1.0 / 3.0, 1e-14);
    release(&s.built);
}

// Between the masses static is kinetic: a force that only touches 3 N leads nowhere: it sticks on.
static void a_touch_of_the_limit_is_taken_back(void **state)
{
    (void)state;
    Stack s = make_stack(0.0, 0.0, 0.0, 2.9);
    assert_int_equal(start(&s), STI_OK);
    assert_true(mode_of(&s, s.between) == STI_STICK);
    turn(&s, BETWEEN);
    assert_true(mode_of(&s, s.between) == STI_STICK && mode_of(&s, s.ground) == STI_STICK);
    assert_false(turn(&s, -1)); // nothing ended, nothing changes
    release(&s.built);
}

// A bristle beyond its level slips from the start; its end turns it to stick, and back.
static void bristles_turn(void **state)
{
    (void)state;
    Stack s = make_stack(0.0, 2.0, 0.0, 0.0); // B v = 20 N, above 4 N
    assert_int_equal(start(&s), STI_OK);
    assert_true(mode_of(&s, s.bristle) == STI_SLIP && direction_of(&s, s.bristle) == 1.0);
    assert_true(turn(&s, BRISTLE));
    assert_true(mode_of(&s, s.bristle) == STI_STICK);
    assert_true(turn(&s, BRISTLE));
    assert_true(mode_of(&s, s.bristle) == STI_SLIP);
    release(&s.built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_have_an_order_and_names),
        cmocka_unit_test(at_rest_accelerations_decide),
        cmocka_unit_test(who_moves_slips_along_its_motion),
        cmocka_unit_test(rates_are_those_of_the_margins),
        cmocka_unit_test(an_arrival_sticks_where_it_can),
        cmocka_unit_test(an_arrival_goes_through_where_it_cannot),
        cmocka_unit_test(a_limit_that_is_reached_releases),
        cmocka_unit_test(a_touch_of_the_limit_is_taken_back),
        cmocka_unit_test(bristles_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
