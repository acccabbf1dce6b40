// Networks under error control: against closed forms, against each other, and refusals.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "stiction/adaptive.h"
#include "stiction/stiction.h"
#include "support/near.h"
#include "support/plan.h"

typedef struct Run {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiAdmittanceId body;
} Run;

static Run build(StiPlan *plan, StiAdmittanceId body)
{
    Run run = {.body = body};
    assert_int_equal(sti_plan_compile(plan, NULL, &run.network), STI_OK);
    run.state = sti_state_create(run.network);
    run.scratch = sti_scratch_create(run.network);
    sti_plan_destroy(plan);
    return run;
}

static void release(Run *run)
{
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_network_destroy(run->network);
}

static double position(const Run *run)
{
    return *sti_state_positions(run->state, run->network, run->body);
}

static Run oscillator(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 1.0, .position = {1.0}});
    const StiWire wire = sti_wire_coordinate(body, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 100.0}, &wire);
    sti_plan_set_step(plan, 0.01);
    return build(plan, body);
}

static void every_method_meets_its_tolerance(void **unused)
{
    (void)unused;
    StiAdaptiveMethod method;
    for (int m = 0; sti_adaptive_method(m, &method); ++m) {
        Run run = oscillator();
        StiAdaptive *adaptive = sti_adaptive_create(
            run.network,
            &(StiAdaptiveOptions){.method = method.name, .rtol = 1e-9, .atol = 1e-11, .stop = 2.0},
            NULL);
        double worst = 0.0;
        for (int k = 1; k <= 200; ++k) {
            assert_int_equal(sti_adaptive_step(adaptive, NULL, run.state, run.scratch), STI_OK);
            worst = fmax(worst, fabs(position(&run) - cos(10.0 * (0.01 * k))));
        }
        if (!(worst < 2e-6)) print_error("%s: %g\n", method.name, worst);
        assert_true(worst < 2e-6);
        assert_int_equal(sti_adaptive_figures(adaptive).restarts, 0);
        sti_adaptive_destroy(adaptive);
        release(&run);
    }
}

static void jump(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = t < 0.0333 ? 2.0 : -1.0;
}

// Off the grid: v rises with 2 m/s^2 up to the jump and falls with 1 m/s^2 after it.
static void a_declared_jump_is_met_exactly(void **unused)
{
    (void)unused;
    static const double breaks[] = {0.0333};
    StiAdaptiveMethod method;
    for (int m = 0; sti_adaptive_method(m, &method); ++m) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId body =
            sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                    &(StiPointMass){.dim = 1, .mass = 1.0});
        const StiWire wire = sti_wire_coordinate(body, 0, 1);
        sti_plan_add_force(
            plan, "push", &wire, 1,
            (StiTimeFunction){.count = 1, .eval = jump, .breaks = breaks, .break_count = 1});
        sti_plan_set_step(plan, 0.01);
        Run run = build(plan, body);
        StiAdaptive *adaptive =
            sti_adaptive_create(run.network,
                                &(StiAdaptiveOptions){.method = method.name, .stop = 0.1}, NULL);
        for (int k = 0; k < 10; ++k)
            assert_int_equal(sti_adaptive_step(adaptive, NULL, run.state, run.scratch), STI_OK);
        const double v = 2.0 * 0.0333, rest = 0.1 - 0.0333;
        assert_near(*sti_state_velocities(run.state, run.network, run.body), v - rest, 1e-9);
        assert_near(position(&run), 0.0333 * 0.0333 + v * rest - 0.5 * rest * rest, 1e-9);
        assert_int_equal(sti_adaptive_figures(adaptive).restarts, 1);
        assert_true(sti_adaptive_figures(adaptive).steps < 200);
        sti_adaptive_destroy(adaptive);
        release(&run);
    }
}

static Run stiff_friction(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 1.0, .velocity = {0.5}});
    const StiWire wire = sti_wire_coordinate(body, 0, 1);
    sti_plan_add_impedance(
        plan, "friction", &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(1.0), .K = 1e7, .B = 1e4}, &wire);
    sti_plan_set_step(plan, 0.01);
    return build(plan, body);
}

static long evaluations_of(const char *method)
{
    Run run = stiff_friction();
    StiAdaptive *adaptive = sti_adaptive_create(
        run.network,
        &(StiAdaptiveOptions){.method = method, .rtol = 1e-6, .atol = 1e-9, .stop = 1.0}, NULL);
    for (int k = 0; k < 100; ++k)
        assert_int_equal(sti_adaptive_step(adaptive, NULL, run.state, run.scratch), STI_OK);
    assert_near(position(&run), 0.125, 1e-5); // v^2/(2 F/M)
    const long evaluations = sti_adaptive_figures(adaptive).evaluations;
    sti_adaptive_destroy(adaptive);
    release(&run);
    return evaluations;
}

static void stiff_bristles_cost_bdf_least(void **unused)
{
    (void)unused;
    const long explicit = evaluations_of("dormand-prince"), bdf = evaluations_of("bdf");
    // 15137 and 600, of which the events take a part: bdf begins anew after them, at order 1, and margins are
    // looked at on the way.
    assert_true(20 * bdf < explicit);
}

static void what_needs_a_step_is_refused(void **unused)
{
    (void)unused;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                         &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire wire = sti_wire_coordinate(body, 0, 1);
    sti_plan_add_reaction(plan, "friction", &sti_kind_karnopp,
                          &(StiKarnopp){.dim = 1, .law = sti_law_coulomb(1.0), .eps = 1e-3}, &wire);
    Run run = build(plan, body);
    StiReport *report = sti_report_create();
    assert_null(sti_adaptive_create(run.network, &(StiAdaptiveOptions){.stop = 1.0}, report));
    assert_int_equal(sti_report_error_count(report), 1);
    assert_string_equal(sti_report_finding(report, 0)->component, "friction");
    sti_report_clear(report);
    assert_null(sti_adaptive_create(
        run.network, &(StiAdaptiveOptions){.method = "ode45", .rtol = -1.0, .stop = 1.0}, report));
    assert_true(sti_report_error_count(report) >= 2);
    sti_report_destroy(report);
    release(&run);
}

static void another_state_is_followed_from_where_it_is(void **unused)
{
    (void)unused;
    Run run = oscillator();
    StiAdaptive *adaptive =
        sti_adaptive_create(run.network, &(StiAdaptiveOptions){.stop = 1.0}, NULL);
    StiState *kept = sti_state_create(run.network);
    for (int k = 0; k < 20; ++k) {
        if (k == 10) sti_state_copy(kept, run.state);
        assert_int_equal(sti_adaptive_step(adaptive, NULL, run.state, run.scratch), STI_OK);
    }
    const double there = position(&run);
    sti_state_copy(run.state, kept);
    for (int k = 0; k < 10; ++k)
        assert_int_equal(sti_adaptive_step(adaptive, NULL, run.state, run.scratch), STI_OK);
    assert_near(position(&run), there, 1e-7);
    assert_int_equal(sti_adaptive_figures(adaptive).restarts, 1);
    sti_state_destroy(kept);
    sti_adaptive_destroy(adaptive);
    release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_meets_its_tolerance),
        cmocka_unit_test(a_declared_jump_is_met_exactly),
        cmocka_unit_test(stiff_bristles_cost_bdf_least),
        cmocka_unit_test(what_needs_a_step_is_refused),
        cmocka_unit_test(another_state_is_followed_from_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
