#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "built.h"
#include "network/order.h"
#include "support/plan.h"
#include "support/random.h"

static const char *name_of_element(const StiPlan *plan, int index)
{
    return sti_plan_element(plan, index)->name;
}

// A force that listens to others, so that an order exists among them.
static StiElementId add_relay(StiPlan *plan, const char *name, int inputs)
{
    return sti_plan_add_impedance(plan, name, &sti_kind_force_source, &(StiForceSource){inputs},
                                  NULL);
}

static void assert_order(const StiPlan *plan, const char *expected)
{
    StiArena arena = {0};
    StiReport *report = sti_report_create();
    Order order;
    char names[500] = "";
    assert_true(sti_plan_order(plan, report, &arena, &order));
    for (int i = 0; i < order.impedance_count; ++i) {
        strcat(names, name_of_element(plan, order.impedances[i]));
        strcat(names, " ");
    }
    assert_string_equal(names, expected);
    sti_report_destroy(report);
    sti_arena_release(&arena);
}

static void bodies_are_ordered_by_name(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    StiArena arena = {0};
    Order order;
    static const char *const names[] = {"m", "b", "z", "a10", "a9", "A"};
    for (int i = 0; i < 6; ++i) add_mass(plan, names[i], 1.0);
    assert_true(sti_plan_order(plan, NULL, &arena, &order));
    static const int expected[] = {5, 3, 4, 1, 0, 2}; // A a10 a9 b m z
    for (int i = 0; i < 6; ++i) assert_int_equal(order.admittances[i], expected[i]);
    sti_arena_release(&arena);
    sti_plan_destroy(plan);
}

static void listeners_come_after_those_they_hear(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiElementId a = add_relay(plan, "a", 1), b = add_relay(plan, "b", 1);
    const StiElementId c = add_relay(plan, "c", 1), d = add_relay(plan, "d", 1);
    add_relay(plan, "e", 1);
    assert_order(plan, "a b c d e ");
    sti_plan_connect(plan, sti_signal_force(d, 0), a, 0);
    assert_order(plan, "b c d a e ");
    sti_plan_connect(plan, sti_signal_force(b, 0), d, 0);
    sti_plan_connect(plan, sti_signal_force(c, 0), b, 0);
    assert_order(plan, "c b d a e ");
    sti_plan_destroy(plan);
}

// Random graphs without loops: each element may hear those that are later in a hidden order.
static void random_graphs_are_sorted(void **state)
{
    (void)state;
    enum { COUNT = 12, HEARD = 3 };
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        Random random = {seed};
        StiPlan *plan = plan_in_stages();
        StiElementId ids[COUNT];
        int heard[COUNT][HEARD];
        for (int i = 0; i < COUNT; ++i) {
            char name[32];
            snprintf(name, sizeof name, "n%d-%d", random_below(&random, 100), i);
            ids[i] = add_relay(plan, name, HEARD);
        }
        for (int i = 0; i < COUNT - 1; ++i)
            for (int j = 0; j < HEARD; ++j) {
                heard[i][j] = i + 1 + random_below(&random, COUNT - 1 - i);
                sti_plan_connect(plan, sti_signal_force(ids[heard[i][j]], 0), ids[i], j);
            }
        StiArena arena = {0};
        Order order;
        int place[COUNT];
        assert_true(sti_plan_order(plan, NULL, &arena, &order));
        for (int i = 0; i < COUNT; ++i) place[order.impedances[i]] = i;
        for (int i = 0; i < COUNT - 1; ++i)
            for (int j = 0; j < HEARD; ++j) assert_true(place[heard[i][j]] < place[i]);
        sti_arena_release(&arena);
        sti_plan_destroy(plan);
    }
}

static void assert_loop_at(const StiPlan *plan, const char *members)
{
    StiArena arena = {0};
    StiReport *report = sti_report_create();
    Order order;
    assert_false(sti_plan_order(plan, report, &arena, &order));
    assert_int_equal(sti_report_error_count(report), 1);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_true(finding->component[0] != '\0' && strstr(members, finding->component) != NULL);
    assert_string_equal(finding->parameter, "signal");
    assert_non_null(strstr(finding->text, "only loads may close a loop"));
    sti_report_destroy(report);
    sti_arena_release(&arena);
}

static void loops_are_refused_and_a_member_is_named(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiElementId a = add_relay(plan, "a", 1), b = add_relay(plan, "b", 1);
    const StiElementId c = add_relay(plan, "c", 1), d = add_relay(plan, "d", 1);
    sti_plan_connect(plan, sti_signal_force(b, 0), a, 0); // a only waits for the loop
    sti_plan_connect(plan, sti_signal_force(c, 0), b, 0);
    sti_plan_connect(plan, sti_signal_force(d, 0), c, 0);
    sti_plan_connect(plan, sti_signal_force(b, 0), d, 0);
    assert_loop_at(plan, "b c d");
    sti_plan_destroy(plan);
}

static void an_element_cannot_hear_itself(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiElementId a = add_relay(plan, "self", 1);
    sti_plan_connect(plan, sti_signal_force(a, 0), a, 0);
    assert_loop_at(plan, "self");
    sti_plan_destroy(plan);
}

static void compile_refuses_a_loop(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    StiNetwork *network;
    const StiWire wire = sti_wire_coordinate(add_mass(plan, "block", 1.0), 0, 1);
    const StiElementId a =
        sti_plan_add_impedance(plan, "a", &sti_kind_force_source, &(StiForceSource){1}, &wire);
    sti_plan_connect(plan, sti_signal_force(a, 0), a, 0);
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_BAD_PLAN);
    assert_null(network);
    sti_plan_destroy(plan);
}

// Widest distance in the network's order between reactions that push on the same body.
static int bandwidth(const StiPlan *plan)
{
    StiArena arena = {0};
    Order order;
    int widest = 0;
    assert_true(sti_plan_order(plan, NULL, &arena, &order));
    for (int i = 0; i < order.reaction_count; ++i)
        for (int j = 0; j < i; ++j)
            if (i - j > widest &&
                sti_reactions_touch(plan, sti_plan_element(plan, order.reactions[i]),
                                    sti_plan_element(plan, order.reactions[j])))
                widest = i - j;
    sti_arena_release(&arena);
    return widest;
}

// count masses on top of each other, declared and named in a random order.
static StiPlan *random_pile(Random *random, int count, bool on_ground)
{
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId mass[64];
    int shuffled[64];
    for (int i = 0; i < count; ++i) shuffled[i] = i;
    for (int i = count - 1; i > 0; --i) {
        const int j = random_below(random, i + 1), swap = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = swap;
    }
    for (int i = 0; i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "m%d", random_below(random, 1 << 30));
        mass[i] = add_mass(plan, name, 1.0);
    }
    for (int i = 0; i < count; ++i) {
        const int above = shuffled[i];
        char name[32];
        snprintf(name, sizeof name, "f%d", random_below(random, 1 << 30));
        if (above > 0)
            add_rule(plan, name, sti_wire_coordinate_pair(mass[above], 0, mass[above - 1], 0, 1),
                     sti_law_coulomb(1.0), 0.0);
        else if (on_ground)
            add_rule(plan, name, sti_wire_coordinate(mass[0], 0, 1), sti_law_coulomb(1.0), 0.0);
    }
    return plan;
}

static void chains_become_banded(void **state)
{
    (void)state;
    Random random = {7};
    for (int trial = 0; trial < 100; ++trial) {
        StiPlan *plan = random_pile(&random, 3 + random_below(&random, 60), trial % 2 == 0);
        assert_int_equal(bandwidth(plan), 1);
        sti_plan_destroy(plan);
    }
}

// A ladder: two piles side by side whose masses also rub on each other.
static void ladders_keep_a_band_as_wide_as_a_rung(void **state)
{
    (void)state;
    enum { RUNGS = 30 };
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId left[RUNGS], right[RUNGS];
    char name[32];
    for (int i = 0; i < RUNGS; ++i) {
        snprintf(name, sizeof name, "left%d", i);
        left[i] = add_mass(plan, name, 1.0);
        snprintf(name, sizeof name, "right%d", i);
        right[i] = add_mass(plan, name, 1.0);
    }
    for (int i = 0; i < RUNGS; ++i) {
        snprintf(name, sizeof name, "rung%d", (17 * i) % RUNGS);
        add_rule(plan, name, sti_wire_coordinate_pair(left[i], 0, right[i], 0, 1),
                 sti_law_coulomb(1.0), 0.0);
        if (i == 0) continue;
        snprintf(name, sizeof name, "l%d", (11 * i) % RUNGS);
        add_rule(plan, name, sti_wire_coordinate_pair(left[i], 0, left[i - 1], 0, 1),
                 sti_law_coulomb(1.0), 0.0);
        snprintf(name, sizeof name, "r%d", (7 * i) % RUNGS);
        add_rule(plan, name, sti_wire_coordinate_pair(right[i], 0, right[i - 1], 0, 1),
                 sti_law_coulomb(1.0), 0.0);
    }
    assert_in_range(bandwidth(plan), 3, 6);
    sti_plan_destroy(plan);
}

static void motion_does_not_make_neighbours(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId belt =
        sti_plan_add_admittance(plan, "belt", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    add_rule(plan, "fa", sti_wire_coordinate_pair(a, 0, belt, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(plan, "fb", sti_wire_coordinate_pair(b, 0, belt, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(plan, "fc", sti_wire_coordinate_pair(a, 0, b, 0, 1), sti_law_coulomb(1.0), 0.0);
    const PlanElement *fa = sti_plan_element(plan, 0), *fb = sti_plan_element(plan, 1),
                      *fc = sti_plan_element(plan, 2);
    assert_false(sti_reactions_touch(plan, fa, fb));
    assert_true(sti_reactions_touch(plan, fa, fc) && sti_reactions_touch(plan, fb, fc));
    sti_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_ordered_by_name),
        cmocka_unit_test(listeners_come_after_those_they_hear),
        cmocka_unit_test(random_graphs_are_sorted),
        cmocka_unit_test(loops_are_refused_and_a_member_is_named),
        cmocka_unit_test(an_element_cannot_hear_itself),
        cmocka_unit_test(compile_refuses_a_loop),
        cmocka_unit_test(chains_become_banded),
        cmocka_unit_test(ladders_keep_a_band_as_wide_as_a_rung),
        cmocka_unit_test(motion_does_not_make_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
