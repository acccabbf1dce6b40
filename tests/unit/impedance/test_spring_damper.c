#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/spring.h"
#include "support/near.h"
#include "support/random.h"

static const StiImpedanceKind *const kind = &sti_kind_spring_damper;

static StiSpringDamper random_spring(Random *random)
{
    StiSpringDamper p = {.dim = 1 + random_below(random, 3)};
    p.K = random_decades(random, 1.0, 100.0);
    p.B = random_decades(random, 0.1, 10.0);
    for (int i = 0; i < 3; ++i) p.rest[i] = random_between(random, -1.0, 1.0);
    return p;
}

static void resists_stretch_and_speed(void **state)
{
    (void)state;
    const StiSpringDamper p = {.dim = 2, .K = 10.0, .B = 3.0, .rest = {1.0, 0.0}};
    const double x[2] = {3.0, -1.0}, v[2] = {2.0, 0.5};
    const StiMotion xhat = {x, v, NULL};
    const StiStage stage = {.tau = 0.0};
    double u[2];
    assert_int_equal(kind->eval(&p, &stage, &xhat, NULL, NULL, u, NULL), STI_OK);
    assert_true(u[0] == 26.0 && u[1] == -8.5);
    assert_true(kind->stored(&p, &xhat, NULL) == 25.0);
}

// Stored energy is of second degree: a central difference is exact for any h.
static void what_is_not_stored_is_damped(void **state)
{
    (void)state;
    Random random = {81};
    const StiStage stage = {.tau = 0.0};
    for (int trial = 0; trial < 500; ++trial) {
        const StiSpringDamper p = random_spring(&random);
        double x[3], v[3], before[3], after[3], u[3], power = 0.0, damped = 0.0;
        for (int i = 0; i < 3; ++i) {
            x[i] = random_between(&random, -1.0, 1.0);
            v[i] = random_between(&random, -1.0, 1.0);
            before[i] = x[i] - 0.5 * v[i];
            after[i] = x[i] + 0.5 * v[i];
        }
        const StiMotion xhat = {x, v, NULL}, past = {before, v, NULL}, future = {after, v, NULL};
        assert_int_equal(kind->eval(&p, &stage, &xhat, NULL, NULL, u, NULL), STI_OK);
        for (int i = 0; i < p.dim; ++i) {
            power += u[i] * v[i];
            damped += p.B * v[i] * v[i];
        }
        const double stored = kind->stored(&p, &future, NULL) - kind->stored(&p, &past, NULL);
        assert_near(power, stored + damped, 5e-13);
    }
}

static void tangent_is_the_change_of_force_with_velocity(void **state)
{
    (void)state;
    Random random = {82};
    for (int trial = 0; trial < 200; ++trial) {
        const StiSpringDamper p = random_spring(&random);
        const StiStage stage = {.tau = random_decades(&random, 1e-4, 1.0)};
        double x[3] = {0.1, 0.2, 0.3}, v[3] = {0.0, 0.0, 0.0}, Z[9], u[3], moved[3];
        const StiMotion xhat = {x, v, NULL};
        kind->tangent(&p, &stage, &xhat, NULL, NULL, Z);
        kind->eval(&p, &stage, &xhat, NULL, NULL, u, NULL);
        for (int j = 0; j < p.dim; ++j) {
            v[j] = 1.0;
            x[j] += stage.tau;
            kind->eval(&p, &stage, &xhat, NULL, NULL, moved, NULL);
            for (int i = 0; i < p.dim; ++i) assert_near(moved[i] - u[i], Z[i * p.dim + j], 2e-13);
            v[j] = 0.0;
            x[j] -= stage.tau;
        }
    }
}

static void other_dimensions_are_refused(void **state)
{
    (void)state;
    for (int dim = -1; dim <= 5; ++dim) {
        const StiSpringDamper p = {.dim = dim, .K = 1.0};
        StiReport *report = sti_report_create();
        const StiCheck check = {.report = report, .component = "spring"};
        kind->info.check(&p, &check);
        assert_int_equal(sti_report_error_count(report), dim < 1 || dim > 3);
        sti_report_destroy(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resists_stretch_and_speed),
        cmocka_unit_test(what_is_not_stored_is_damped),
        cmocka_unit_test(tangent_is_the_change_of_force_with_velocity),
        cmocka_unit_test(other_dimensions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
