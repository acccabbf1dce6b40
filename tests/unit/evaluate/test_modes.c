#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "../network/built.h"
#include "evaluate/modes.h"
#include "support/near.h"
#include "support/plan.h"

// The state's numbers as the point to evaluate at, t = 0.
static StageData *point_of(const Built *built)
{
    StageData *now = &built->scratch->stages[0];
    now->stage = (StiStage){.step = built->network->step,
                            .gravity = built->network->gravity,
                            .workspace = built->scratch->workspace};
    memcpy(now->x, built->state->values, (size_t)built->network->x_count * sizeof(double));
    memcpy(now->y, built->state->values + built->state->y,
           (size_t)built->network->y_count * sizeof(double));
    return now;
}

static double *modes_of(const Built *built) { return built->state->values + built->state->s; }

static const double *evaluated(const Built *built, const double *inputs)
{
    StageData *now = point_of(built);
    assert_int_equal(sti_modes_evaluate(built->network, inputs, modes_of(built), built->scratch,
                                        now),
                     STI_OK);
    return now->xdot;
}

static Built pushed_mass(double v, double level, double level_static, StiElementId *rule)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_moving_mass(plan, "mass", 2.0, v);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    *rule = add_rule(plan, "rule", wire, sti_law_coulomb(level), level_static);
    add_input_force(plan, "push", "h", wire);
    return build_and_destroy(plan);
}

static void stuck_gives_what_holds_and_slip_its_level(void **state)
{
    (void)state;
    StiElementId rule;
    StiMargin margin;
    Built built = pushed_mass(0.0, 3.0, 4.0, &rule);
    assert_true(evaluated(&built, &(double){3.5})[1] == 0.0);
    sti_modes_margins(built.network, modes_of(&built), built.scratch, &built.scratch->stages[0],
                      &margin);
    assert_near(margin.g, 0.5, 1e-15);
    assert_true(isnan(margin.rate));
    double *s = discrete(&built, rule);
    s[0] = STI_SLIP;
    s[1] = -1.0;
    assert_near(evaluated(&built, &(double){3.5})[1], (3.5 + 3.0) / 2.0, 1e-15);
    sti_modes_margins(built.network, modes_of(&built), built.scratch, &built.scratch->stages[0],
                      &margin);
    assert_near(margin.rate, -3.25, 1e-15);
    release(&built);
}

static void at_rest_it_sticks_or_goes_where_it_is_pushed(void **state)
{
    (void)state;
    const double pushes[][3] = {{3.9, STI_STICK, 0.0},
                                {-3.9, STI_STICK, 0.0},
                                {4.1, STI_SLIP, 0.55},
                                {-4.1, STI_SLIP, -0.55}};
    for (int i = 0; i < 4; ++i) {
        StiElementId rule;
        Built built = pushed_mass(0.0, 3.0, 4.0, &rule);
        StageData *now = point_of(&built);
        assert_int_equal(sti_modes_at_rest(built.network, &pushes[i][0], NULL, false,
                                           modes_of(&built), built.scratch, now),
                         STI_OK);
        assert_true(discrete(&built, rule)[0] == pushes[i][1]);
        assert_near(now->xdot[1], pushes[i][2], 1e-15);
        release(&built);
    }
}

static void what_moves_is_taken_as_slipping(void **state)
{
    (void)state;
    StiElementId rule;
    Built built = pushed_mass(-0.2, 3.0, 4.0, &rule);
    StageData *now = point_of(&built);
    sti_psi(built.network, now);
    sti_modes_adopt(built.network, built.scratch, now, modes_of(&built));
    assert_true(discrete(&built, rule)[0] == STI_SLIP && discrete(&built, rule)[1] == -1.0);
    release(&built);
}

// Three equal frictions on one mass: any sum does; the smallest forces are equal.
static void redundant_rows_share_alike(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_mass(plan, "mass", 2.0);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    add_rule(plan, "a", wire, sti_law_coulomb(3.0), 0.0);
    add_rule(plan, "b", wire, sti_law_coulomb(3.0), 0.0);
    add_rule(plan, "c", wire, sti_law_coulomb(3.0), 0.0);
    add_input_force(plan, "push", "h", wire);
    Built built = build_and_destroy(plan);
    assert_near(evaluated(&built, &(double){6.0})[1], 0.0, 1e-12);
    for (int i = 0; i < 3; ++i)
        assert_near(built.scratch->stages[0].u[built.network->reactions[i].wire.v], 2.0, 1e-6);
    release(&built);
}

// x = t^2 for ever, v = 2 t
static void accelerating(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = t * t;
    values[1] = 2.0 * t;
}

// What sticks to a belt shares its acceleration.
static void sticking_to_a_motion_follows_its_acceleration(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_mass(plan, "mass", 2.0);
    const StiAdmittanceId belt =
        sti_plan_add_motion(plan, "belt", 1, (StiTimeFunction){.count = 2, .eval = accelerating});
    add_rule(plan, "rule", sti_wire_coordinate_pair(mass, 0, belt, 0, 1), sti_law_coulomb(9.0),
             0.0);
    Built built = build_and_destroy(plan);
    assert_near(evaluated(&built, NULL)[1], 2.0, 1e-11);
    release(&built);
}

// A point of a spinning body that is held: the middle of the body turns about it.
static void axes_that_turn_are_felt(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const double w = 3.0, r = 0.5;
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 2.0,
                                                .inertia = {1.0, 1.0, 1.0},
                                                .velocity = {0.0, w * r, 0.0},
                                                .angular_velocity = {0.0, 0.0, w}});
    const StiWire wire =
        sti_wire_point(body, 0, sti_vec3(-r, 0, 0), sti_vec3(-r, 0, 0), 2); // held at the left
    add_rule(plan, "rule", wire, sti_law_coulomb(100.0), 0.0);
    Built built = build_and_destroy(plan);
    const double *vdot = evaluated(&built, NULL) + built.network->admittances[0].v;
    assert_near(vdot[0], -w * w * r, 1e-9);
    assert_near(vdot[1], 0.0, 1e-9);
    release(&built);
}

static void holding_takes_the_least_kinetic_energy(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 3.0), b = add_mass(plan, "b", 2.0);
    add_rule(plan, "rule", sti_wire_coordinate_pair(a, 0, b, 0, 1), sti_law_coulomb(9.0), 0.0);
    Built built = build_and_destroy(plan);
    StageData *now = point_of(&built);
    assert_int_equal(sti_modes_hold(built.network, modes_of(&built), built.scratch, now,
                                    built.state->values),
                     STI_OK);
    assert_near(velocity(&built, a)[0], 1.0, 1e-15);
    assert_true(velocity(&built, a)[0] == velocity(&built, b)[0]);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stuck_gives_what_holds_and_slip_its_level),
        cmocka_unit_test(at_rest_it_sticks_or_goes_where_it_is_pushed),
        cmocka_unit_test(what_moves_is_taken_as_slipping),
        cmocka_unit_test(redundant_rows_share_alike),
        cmocka_unit_test(sticking_to_a_motion_follows_its_acceleration),
        cmocka_unit_test(axes_that_turn_are_felt),
        cmocka_unit_test(holding_takes_the_least_kinetic_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
