#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "findings.h"
#include "laws.h"
#include "law/shape.h"

static void curve_runs_from_static_to_kinetic(void **state)
{
    (void)state;
    const StiLaw law = sti_law_stribeck(10.0, 13.0, 0.01, 2.0, 5.0);
    assert_true(sti_law_level(&law, 0.0, 0.0, NULL) == 13.0);
    assert_near(sti_law_level(&law, 0.01, 0.0, NULL), 10.0 + 3.0 / exp(1.0) + 0.05, 1e-14);
    assert_near(sti_law_level(&law, 1.0, 0.0, NULL), 15.0, 1e-14);
    assert_true(sti_law_slope(&law, 1e8, 0.0, NULL) == 5.0);
}

static void slope_agrees_with_differences(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 10000; ++i) {
        const double VS = random_decades(&random, 1e-3, 1.0);
        const double delta = random_between(&random, 0.5, 3.0);
        const double B = random_between(&random, 0.0, 9.0);
        const StiLaw law = sti_law_stribeck(10.0, 15.0, VS, delta, B);
        const double u = VS * random_between(&random, 0.1, 3.0), d = 1e-5 * u;
        const double next = sti_law_level(&law, u + d, 0.0, NULL);
        const double difference = (next - sti_law_level(&law, u - d, 0.0, NULL)) / (2.0 * d);
        assert_near(sti_law_slope(&law, u, 0.0, NULL), difference, 1e-8 * (10.0 + 5.0 / VS));
    }
}

static void slope_at_rest_follows_the_exponent(void **state)
{
    (void)state;
    const StiLaw flat = sti_law_stribeck(10.0, 15.0, 0.5, 2.0, 1.0);
    const StiLaw edge = sti_law_stribeck(10.0, 15.0, 0.5, 1.0, 1.0);
    const StiLaw cusp = sti_law_stribeck(10.0, 15.0, 0.5, 0.5, 1.0);
    const StiLaw none = sti_law_stribeck(10.0, 10.0, 0.5, 0.5, 1.0);
    assert_near(sti_law_slope(&flat, 0.0, 0.0, NULL), 1.0, 0.0);
    assert_near(sti_law_slope(&edge, 0.0, 0.0, NULL), 1.0 - 5.0 / 0.5, 1e-14);
    assert_true(sti_law_slope(&cusp, 0.0, 0.0, NULL) == -INFINITY);
    assert_near(sti_law_slope(&none, 0.0, 0.0, NULL), 1.0, 0.0);
}

static void slope_is_least_at_the_steepest_speed(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 1000; ++i) {
        const double delta = random_between(&random, 1.1, 4.0);
        const StiLaw law = sti_law_stribeck(1.0, 2.0, 0.1, delta, 0.2);
        const double least = sti_law_slope(&law, law.kind->steepest(&law), 0.0, NULL);
        for (int k = 1; k < 100; ++k)
            assert_true(sti_law_slope(&law, 0.004 * k, 0.0, NULL) >= least * (1.0 + 1e-14));
    }
}

static void load_multiplies_static_and_kinetic_part(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_stribeck(0.2, 0.3, 0.01, 2.0, 4.0));
    const double load = -50.0;
    assert_near(sti_law_level(&law, 0.0, 0.0, &load), 15.0, 1e-14);
    assert_near(sti_law_level(&law, 1.0, 0.0, &load), 10.0 + 4.0, 1e-14);
    assert_near(sti_law_slope(&law, 0.01, 0.0, &load), 4.0 - 5.0 * 2.0 / 0.01 / exp(1.0), 1e-12);
}

static void static_below_kinetic_is_refused(void **state)
{
    (void)state;
    const StiLaw good = sti_law_stribeck(10.0, 10.0, 0.01, 2.0, 0.0);
    const StiLaw wrong = sti_law_stribeck(10.0, 8.0, 0.01, 2.0, 0.0);
    assert_no_findings(findings_of_law(&good, false));
    assert_finding(findings_of_law(&wrong, false), STI_ERROR, "static",
                   "static 8 is below level 10: static friction is at least the kinetic level");
    assert_finding(findings_of_law(&wrong, true), STI_WARNING, "static", "static 8 is below");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curve_runs_from_static_to_kinetic),
        cmocka_unit_test(slope_agrees_with_differences),
        cmocka_unit_test(slope_at_rest_follows_the_exponent),
        cmocka_unit_test(slope_is_least_at_the_steepest_speed),
        cmocka_unit_test(load_multiplies_static_and_kinetic_part),
        cmocka_unit_test(static_below_kinetic_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
