// The paper's integrator: Table 1 of [dahl] counts its steps, and counts are exact.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "adaptive/ode.h"
#include "support/near.h"

static StiStatus coulomb(void *context, double t, const double *y, double *rate)
{
    (void)context, (void)t;
    const double sign = (double)((y[1] > 0.0) - (y[1] < 0.0));
    rate[0] = y[1];
    rate[1] = -100.0 * y[0] - 0.5 * 10.0 * sign;
    return STI_OK;
}

static void table_1_is_reproduced_to_the_last_count(void **unused)
{
    (void)unused;
    const Ode ode = {.count = 2, .controlled = 2, .rate = coulomb};
    OdeSolver *solver = ode_create(&ode_method_ode23, &ode,
                                   &(OdeOptions){.relative = 1e-4, .absolute = 1e-4, .span = 3.5});
    double y[2] = {1.0, 0.0}, t = 0.0;
    solver->method->begin(solver, 0.0, y);
    for (int i = 1; i <= 35; ++i) // rows in between change nothing
        assert_int_equal(solver->method->advance(solver, i == 35 ? 3.5 : 0.1 * i, 3.5, &t, y),
                         ODE_REACHED);
    assert_int_equal(solver->counts.steps, 3581);
    assert_int_equal(solver->counts.failures, 501);
    assert_int_equal(solver->counts.evaluations, 12247);
    ode_destroy(solver);
}

static StiStatus oscillator(void *context, double t, const double *y, double *rate)
{
    (void)context, (void)t;
    rate[0] = y[1];
    rate[1] = -y[0];
    return STI_OK;
}

static void displacement(void *context, double t, const double *y, double *g)
{
    (void)context, (void)t;
    g[0] = y[0], g[1] = -y[0], g[2] = y[0];
    g[3] = y[1] + 2.0; // never zero
}

static void every_method_finds_the_zeros_of_a_cosine(void **unused)
{
    (void)unused;
    int directions[4] = {-1, -1, 1, -1};
    const Ode ode = {.count = 2,
                     .controlled = 2,
                     .rate = oscillator,
                     .root_count = 4,
                     .root_directions = directions,
                     .roots = displacement};
    const OdeMethod *method = NULL;
    for (int m = 0; (method = ode_method_at(m)) != NULL; ++m) {
        OdeSolver *solver =
            ode_create(method, &ode,
                       &(OdeOptions){.relative = 1e-9, .absolute = 1e-11, .span = 10.0});
        double y[2] = {1.0, 0.0}, t = 0.0;
        int zeros = 0, which[4];
        method->begin(solver, 0.0, y);
        for (double wanted = 0.5; wanted <= 10.0;) {
            const OdeOutcome outcome = method->advance(solver, wanted, 10.0, &t, y);
            assert_int_not_equal(outcome, ODE_FAILED);
            if (outcome == ODE_REACHED) {
                assert_near(y[0], cos(wanted), 1e-6);
                wanted += 0.5;
                continue;
            }
            method->found(solver, which);
            const bool down = zeros % 2 == 0;
            assert_int_equal(which[0], down ? -1 : 0);
            assert_int_equal(which[1], down ? 0 : -1);
            assert_int_equal(which[2], down ? 0 : 1);
            assert_int_equal(which[3], 0);
            assert_near(t, (zeros + 0.5) * 3.14159265358979323846, 1e-6);
            ++zeros;
        }
        assert_int_equal(zeros, 3);
        ode_destroy(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_is_reproduced_to_the_last_count),
        cmocka_unit_test(every_method_finds_the_zeros_of_a_cosine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
