// Rate and state against closed forms and against an independent integration of a spring-driven slider.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/by_name.h"
#include "support/near.h"
#include "support/random.h"

static const double a = 0.02, b = 0.03, v0 = 1e-3, vc = 1e-8, Dc = 1e-4, F0 = 5.0;

static ByName element(bool slip_form, double direct, double evolution)
{
    const ByName e = friction_by_name("rate-and-state", sti_law_coulomb(F0));
    set_by_name(&e, "direct", direct);
    set_by_name(&e, "evolution", evolution);
    set_by_name(&e, "reference_speed", v0);
    set_by_name(&e, "creep_speed", vc);
    set_by_name(&e, "slip_distance", Dc);
    const StiField *field = sti_kind_field(e.entry.info, "slip_form");
    memcpy((unsigned char *)e.parameters + field->offset, &slip_form, sizeof slip_form);
    return e;
}

typedef struct Run {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiAdmittanceId block;
} Run;

static double drive_speed;
static void drive(const void *context, void *workspace, double t, double *values)
{
    (void)context, (void)workspace;
    values[0] = drive_speed * t;
    values[1] = drive_speed;
}

// A block behind a spring whose other end moves at a constant speed.
static Run run_of(const ByName *e, double mass, double K, double x, double v, double T)
{
    Run r = {0};
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = drive});
    r.block = sti_plan_add_admittance(
        plan, "block", &sti_kind_point_mass,
        &(StiPointMass){.dim = 1, .mass = mass, .position = {x}, .velocity = {v}});
    const StiWire between = sti_wire_coordinate_pair(r.block, 0, hand, 0, 1),
                  table = sti_wire_coordinate(r.block, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = K}, &between);
    sti_plan_add_reaction(plan, "rub", e->entry.reaction, e->parameters, &table);
    sti_plan_set_step(plan, T);
    sti_plan_set_method(plan, &sti_method_rule);
    assert_int_equal(sti_plan_compile(plan, NULL, &r.network), STI_OK);
    r.state = sti_state_create(r.network);
    r.scratch = sti_scratch_create(r.network);
    sti_plan_destroy(plan);
    return r;
}

static void end(Run *r)
{
    sti_scratch_destroy(r->scratch);
    sti_state_destroy(r->state);
    sti_network_destroy(r->network);
}

// The same slider by the classical Runge-Kutta method in (x, v, ln theta), while it slides forward.
typedef struct Slider {
    double mass, K;
    bool slip_form;
} Slider;

static void slider_rates(const Slider *p, double t, const double y[3], double rates[3])
{
    const double theta = exp(y[2]), u = y[1];
    const double F = F0 * (1.0 + a * log((u + vc) / v0) + b * log(v0 * theta / Dc));
    rates[0] = u;
    rates[1] = (p->K * (drive_speed * t - y[0]) - F) / p->mass;
    rates[2] = p->slip_form ? -u / Dc * log(u * theta / Dc) : 1.0 / theta - u / Dc;
}

static void slide(const Slider *p, double time, int steps, double y[3])
{
    const double h = time / steps;
    for (int i = 0; i < steps; ++i) {
        double k[4][3], at[3];
        static const double part[] = {0.0, 0.5, 0.5, 1.0};
        for (int s = 0; s < 4; ++s) {
            for (int j = 0; j < 3; ++j) at[j] = y[j] + (s > 0 ? h * part[s] * k[s - 1][j] : 0.0);
            slider_rates(p, (i + part[s]) * h, at, k[s]);
        }
        for (int j = 0; j < 3; ++j)
            y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    }
}

// Both forms, strengthening and weakening: the error falls with the step, of order 1.
static void it_converges_to_an_independent_integration(void **state)
{
    (void)state;
    drive_speed = 2e-3;
    for (int form = 0; form < 2; ++form) {
        const Slider p = {.mass = 1.0, .K = 2e4, .slip_form = form == 1};
        double y[3] = {-2.5e-4, 1e-3, log(Dc / v0)}, error[3];
        slide(&p, 0.4, 200000, y);
        const ByName e = element(p.slip_form, a, b);
        for (int i = 0; i < 3; ++i) {
            const double T = 4e-4 / (1 << (2 * i));
            Run r = run_of(&e, p.mass, p.K, -2.5e-4, 1e-3, T);
            assert_int_equal(sti_run(r.network, NULL, r.state, r.scratch, (int64_t)(0.4 / T + 0.5)),
                             STI_OK);
            error[i] = fabs(sti_state_positions(r.state, r.network, r.block)[0] - y[0]);
            end(&r);
        }
        if (!(error[2] < 1e-7 && error[2] < 0.4 * error[1] && error[1] < 0.4 * error[0]))
            fail_msg("form %d: %g %g %g", form, error[0], error[1], error[2]);
        free(e.parameters);
    }
}

// Pulled slowly after a rest of time t, aging contacts hold F0 (1 + a ln(vc/v0) + b ln(v0 (t0 + t)/Dc)).
static void rest_makes_it_stronger(void **state)
{
    (void)state;
    for (double rest = 1.0; rest < 3e3; rest *= 10.0) {
        const double limit = F0 * (1.0 + a * log(vc / v0) + b * log(v0 * (Dc / v0 + rest) / Dc));
        for (int form = 0; form < 2; ++form) {
            const ByName e = element(form == 1, a, b);
            const double T = 1e-3, W = 1.0;
            double s[2] = {0.0, 0.0};
            StiReactionProblem problem = {
                .dim = 1, .T = rest, .W = &W, .v = &(double){0.0}, .vbar = &(double){0.0}};
            StiReactionAnswer answer = {.stuck = true};
            e.entry.reaction->settle(e.parameters, &problem, &answer, s);
            const double held = form == 0 ? limit : F0 * (1.0 + a * log(vc / v0));
            for (int side = -1; side <= 1; side += 2) {
                problem.T = T;
                problem.vbar = &(double){side * T * held * (1.0 - 1e-9)};
                e.entry.reaction->resolve(e.parameters, &problem, s, &answer);
                assert_true(answer.stuck);
                problem.vbar = &(double){side * T * held * (1.0 + 1e-9)};
                e.entry.reaction->resolve(e.parameters, &problem, s, &answer);
                assert_false(answer.stuck);
            }
            free(e.parameters);
        }
    }
}

// Steady at the speed u: F0 (1 + (a - b) ln(u/v0)), with the ends of the logarithm left out.
static void steady_sliding_has_the_difference_of_both(void **state)
{
    (void)state;
    for (int form = 0; form < 2; ++form)
        for (double u = 1e-4; u < 1.0; u *= 10.0) {
            const ByName e = element(form == 1, a, b);
            double s[2] = {0.0, 0.0};
            const StiReactionProblem problem = {.dim = 1, .T = 0.2 * Dc / u, .v = &u};
            const StiReactionAnswer slips = {.stuck = false};
            for (int i = 0; i < 400; ++i)
                e.entry.reaction->settle(e.parameters, &problem, &slips, s);
            const StiReactionLevel level = e.entry.reaction->level(e.parameters, NULL, s, u, 1.0);
            assert_near(level.slipping, F0 * (1.0 + a * log((u + vc) / v0) - b * log(u / v0)),
                        1e-12 * F0);
            assert_near(level.slope, F0 * a / (u + vc), 1e-12 * F0 * a / u);
            free(e.parameters);
        }
}

// Behind a soft spring contacts that weaken stick and slip, those that strengthen come to a steady pull.
static void only_weakening_sticks_and_slips(void **state)
{
    (void)state;
    drive_speed = 1e-3;
    for (int weak = 0; weak < 2; ++weak) {
        const ByName e = weak ? element(false, 0.01, 0.04) : element(false, 0.04, 0.01);
        // critical stiffness F0 (b - a)/Dc = 1500 N/m
        Run r = run_of(&e, 1.0, 150.0, -0.036, 0.0, 1e-4);
        double fastest = 0.0;
        for (int k = 0; k < 400000; ++k) {
            assert_int_equal(sti_step(r.network, NULL, r.state, r.scratch), STI_OK);
            const double v = sti_state_velocities(r.state, r.network, r.block)[0];
            if (k > 100000) fastest = fmax(fastest, v);
        }
        if (weak)
            assert_true(fastest > 10.0 * drive_speed);
        else
            assert_near(fastest, drive_speed, 1e-3 * drive_speed);
        end(&r);
        free(e.parameters);
    }
}

static void a_level_that_vanishes_at_rest_is_refused(void **state)
{
    (void)state;
    const ByName e = element(false, 0.2, 0.01);
    assert_int_equal(errors_by_name(&e), 1);
    free(e.parameters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_converges_to_an_independent_integration),
        cmocka_unit_test(rest_makes_it_stronger),
        cmocka_unit_test(steady_sliding_has_the_difference_of_both),
        cmocka_unit_test(only_weakening_sticks_and_slips),
        cmocka_unit_test(a_level_that_vanishes_at_rest_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
