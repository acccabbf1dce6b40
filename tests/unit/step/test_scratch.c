#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "support/plan.h"
#include "unit/network/built.h"

typedef struct Counter {
    int opened, closed, evaluated_without;
    bool refuse;
} Counter;

static void *open_workspace(const void *data)
{
    Counter *counter = (Counter *)(uintptr_t)data;
    if (counter->refuse) return NULL;
    ++counter->opened;
    return counter;
}
static void close_workspace(void *workspace)
{
    Counter *counter = workspace;
    ++counter->closed;
}
static void eval(const void *data, void *workspace, double t, double *values)
{
    Counter *counter = (Counter *)(uintptr_t)data;
    if (workspace != data) ++counter->evaluated_without;
    values[0] = t;
}

static StiPlan *scene(const Counter *first, const Counter *second)
{
    StiPlan *plan = plan_in_stages();
    const StiWire wire = sti_wire_coordinate(add_mass(plan, "mass", 1.0), 0, 1);
    StiTimeFunction function = {
        .count = 1, .eval = eval, .data = first, .open = open_workspace, .close = close_workspace};
    sti_plan_add_force(plan, "first", &wire, 1, function);
    function.data = second;
    sti_plan_add_force(plan, "second", &wire, 1, function);
    return plan;
}

static void each_scratch_has_workspaces_of_its_own(void **state)
{
    (void)state;
    Counter first = {0}, second = {0};
    Built built = build_and_destroy(scene(&first, &second));
    assert_int_equal(first.opened, 1);
    StiScratch *another = sti_scratch_create(built.network);
    assert_int_equal(first.opened, 2);
    assert_int_equal(second.opened, 2);
    for (int k = 0; k < 5; ++k) assert_steps(&built, NULL);
    assert_int_equal(first.evaluated_without + second.evaluated_without, 0);
    sti_scratch_destroy(another);
    assert_int_equal(first.closed, 1);
    release(&built);
    assert_int_equal(first.closed, 2);
    assert_int_equal(second.closed, 2);
}

// A workspace that cannot be had: no scratch, and what was opened before is closed again.
static void a_workspace_that_fails_leaves_nothing_open(void **state)
{
    (void)state;
    Counter first = {0}, second = {.refuse = true};
    StiPlan *plan = scene(&first, &second);
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    assert_null(sti_scratch_create(network));
    assert_int_equal(first.opened, first.closed);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
}

// Nothing of a run lives in the scratch.
static void a_new_scratch_for_every_step_changes_nothing(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 0.3),
                              b = add_mass(plan, "b", 2.0);
        const StiWire pair = sti_wire_coordinate_pair(a, 0, b, 0, 1),
                      on_b = sti_wire_coordinate(b, 0, 1);
        add_spring(plan, "spring", sti_wire_coordinate(a, 0, 1), 50.0, 0.1);
        if (reactions) {
            add_rule(plan, "f1", pair, sti_law_coulomb(0.4), 0.5);
            add_rule(plan, "f2", on_b, sti_law_coulomb(0.2), 0.25);
        } else {
            const StiElasticCoulomb friction = {.dim = 1,
                                                .law = sti_law_coulomb(0.4),
                                                .K = 1e4,
                                                .B = 1.0};
            sti_plan_add_impedance(plan, "f1", &sti_kind_elastic_coulomb, &friction, &pair);
            sti_plan_add_impedance(plan, "f2", &sti_kind_elastic_coulomb, &friction, &on_b);
        }
        Built kept = build(plan), renewed = build_and_destroy(plan);
        for (int k = 0; k < 500; ++k) {
            sti_scratch_destroy(renewed.scratch);
            renewed.scratch = sti_scratch_create(renewed.network);
            assert_steps(&kept, NULL);
            assert_steps(&renewed, NULL);
            assert_true(sti_state_hash(kept.state) == sti_state_hash(renewed.state));
        }
        release(&kept);
        release(&renewed);
    }
}

static void a_new_scratch_has_no_fault(void **state)
{
    (void)state;
    Counter counter = {0};
    Built built = build_and_destroy(scene(&counter, &counter));
    assert_int_equal(sti_scratch_fault(built.scratch)->status, STI_OK);
    assert_int_equal(sti_scratch_figures(built.scratch).sweeps, 0);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scratch_has_workspaces_of_its_own),
        cmocka_unit_test(a_workspace_that_fails_leaves_nothing_open),
        cmocka_unit_test(a_new_scratch_for_every_step_changes_nothing),
        cmocka_unit_test(a_new_scratch_has_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
