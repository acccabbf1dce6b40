// Energy that nothing gives: the recorder says since when, and of which body; and is silent where all is well.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../network/built.h"

typedef struct Run {
    Built built;
    StiRecorder *recorder;
} Run;

static Run begin(StiPlan *plan)
{
    Run run = {.built = build_and_destroy(plan)};
    run.recorder = sti_recorder_create(run.built.network);
    assert_non_null(run.recorder);
    assert_int_equal(sti_recorder_begin(run.recorder, run.built.state, NULL, run.built.scratch),
                     STI_OK);
    return run;
}

static void end(Run *run)
{
    sti_recorder_destroy(run->recorder);
    release(&run->built);
}

// Steps until it runs away, at most so many.
static const StiFault *follow(Run *run, int steps)
{
    const StiFault *fault = NULL;
    for (int k = 0; k < steps && fault == NULL; ++k) {
        assert_steps(&run->built, NULL);
        assert_int_equal(sti_recorder_follow(run->recorder, run->built.state, run->built.scratch),
                         STI_OK);
        fault = sti_recorder_runaway(run->recorder);
    }
    return fault;
}

static StiPlan *on_a_spring(double K, const StiMethod *method)
{
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId mass = add_moving_mass(plan, "mass", 1.0, 0.1);
    add_mass(plan, "bystander", 5.0);
    add_spring(plan, "spring", sti_wire_coordinate(mass, 0, 1), K, 0.0);
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_method(plan, method);
    return plan;
}

static void a_method_that_is_not_stable_is_found(void **state)
{
    (void)state;
    Run run = begin(on_a_spring(1e7, &sti_method_rk4));
    const StiFault *fault = follow(&run, 1000);
    assert_non_null(fault);
    assert_int_equal(fault->status, STI_RUNS_AWAY);
    assert_string_equal(fault->component, "mass");
    assert_true(fault->k >= 10 && fault->k < 100 &&
                fabs(fault->t - 1e-3 * (double)fault->k) < 1e-12);
    end(&run);
}

static void what_is_stable_is_not(void **state)
{
    (void)state;
    Run run = begin(on_a_spring(1e5, &sti_method_rk4));
    assert_null(follow(&run, 2000));
    assert_null(sti_recorder_suspect(run.recorder));
    end(&run);
    run = begin(on_a_spring(1e9, &sti_method_cut));
    assert_null(follow(&run, 2000));
    end(&run);
}

static void push(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 10.0 * exp(5.0 * t); // grows, and is given
}

static void what_inputs_give_is_given(void **state)
{
    (void)state;
    const StiMethod *const methods[] = {&sti_method_euler, &sti_method_rk4, &sti_method_cut};
    for (int i = 0; i < 3; ++i) {
        StiPlan *plan = sti_plan_create();
        const StiWire wire = sti_wire_coordinate(add_mass(plan, "mass", 1.0), 0, 1);
        sti_plan_add_force(plan, "push", &wire, 1, (StiTimeFunction){.count = 1, .eval = push});
        sti_plan_set_step(plan, 1e-3);
        sti_plan_set_method(plan, methods[i]);
        Run run = begin(plan);
        assert_null(follow(&run, 3000));
        end(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_that_is_not_stable_is_found),
        cmocka_unit_test(what_is_stable_is_not),
        cmocka_unit_test(what_inputs_give_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
