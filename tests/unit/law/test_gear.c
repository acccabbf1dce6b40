#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "findings.h"
#include "laws.h"

// Joint side values of EQUATIONS 5.
static StiLaw paper_law(void) { return sti_law_gear(4.32, 4.92, 100.0, 2.2032); }

static void level_of_the_papers_gear(void **state)
{
    (void)state;
    const StiLaw law = paper_law();
    assert_near(sti_law_level(&law, 0.0, 1.0, NULL), 4.92, 1e-15);
    assert_near(sti_law_level(&law, 0.01, 1.0, NULL), 4.32 + 0.6 / exp(1.0) + 0.022032, 1e-14);
    assert_near(sti_law_level(&law, 1.0, 1.0, NULL), 4.32 + 2.2032, 1e-14);
    assert_near(sti_law_slope(&law, 0.0, 1.0, NULL), 2.2032 - 60.0, 1e-13);
}

static void slope_agrees_with_differences(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < 10000; ++i) {
        const double eta = random_decades(&random, 1.0, 1e3);
        const StiLaw law = sti_law_gear(10.0, 15.0, eta, random_between(&random, 0.0, 9.0));
        const double u = random_between(&random, 0.1, 5.0) / eta, d = 1e-5 * u;
        const double next = sti_law_level(&law, u + d, 0.0, NULL);
        const double difference = (next - sti_law_level(&law, u - d, 0.0, NULL)) / (2.0 * d);
        assert_near(sti_law_slope(&law, u, 0.0, NULL), difference, 1e-8 * (10.0 + 5.0 * eta));
    }
}

static void load_multiplies_the_dry_parts_only(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_gear(0.2, 0.3, 100.0, 4.0));
    const double load = 50.0;
    assert_near(sti_law_level(&law, 0.01, 0.0, &load), 10.0 + 5.0 / exp(1.0) + 0.04, 1e-14);
}

static void static_below_kinetic_is_refused(void **state)
{
    (void)state;
    const StiLaw good = paper_law();
    const StiLaw wrong = sti_law_gear(4.92, 4.32, 100.0, 0.0);
    assert_no_findings(findings_of_law(&good, false));
    assert_finding(findings_of_law(&wrong, false), STI_ERROR, "static",
                   "at least the kinetic level");
    assert_finding(findings_of_law(&wrong, true), STI_WARNING, "static", "static 4.32 is below");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_of_the_papers_gear),
        cmocka_unit_test(slope_agrees_with_differences),
        cmocka_unit_test(load_multiplies_the_dry_parts_only),
        cmocka_unit_test(static_below_kinetic_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
