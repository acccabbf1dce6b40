#include <float.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "findings.h"
#include "laws.h"
#include "law/norm.h"
#include "law/slip.h"

static void random_vector(Random *random, int dim, double size, double *x)
{
    for (int k = 0; k < dim; ++k) x[k] = random_between(random, -size, size);
}

static void constant_law_is_gsat(void **state)
{
    (void)state;
    Random random = {13};
    for (int i = 0; i < 10000; ++i) {
        const int dim = 1 + random_below(&random, 3);
        const double F = random_between(&random, 0.0, 5.0);
        const StiLaw law = sti_law_coulomb(F);
        double in[3], out[3], expected[3];
        random_vector(&random, dim, 5.0, in);
        const bool stuck = sti_gsat(dim, F, in, expected);
        assert_int_equal(sti_law_saturate(&law, dim, 10.0, NULL, in, out), stuck);
        assert_memory_equal(out, expected, (size_t)dim * sizeof(double));
    }
}

// Slipping, out is along in and has the level of the speed w that is left: w = g (|in| - |out|).
static void any_law_is_met_at_its_own_slip_speed(void **state)
{
    (void)state;
    Random random = {14};
    int slipped = 0;
    for (int i = 0; i < 100000; ++i) {
        double table[2 * LAW_TABLE_POINTS], in[3], out[3];
        const StiLaw law = random_law(&random, table);
        const int dim = law.kind->directional ? 1 : 1 + random_below(&random, 3);
        const double g = random_decades(&random, 1e-5, 1.0);
        random_vector(&random, dim, random_decades(&random, 0.1, 1e3), in);
        const double size = sti_norm(dim, in), direction = sti_direction(dim, in);
        if (sti_law_saturate(&law, dim, 1.0 / g, NULL, in, out)) {
            assert_memory_equal(out, in, (size_t)dim * sizeof(double));
            assert_true(size <= sti_law_level(&law, 0.0, direction, NULL));
            continue;
        }
        const double level = sti_norm(dim, out), w = g * (size - level);
        const double rounding = 8.0 * DBL_EPSILON * size, below = fmax(w - g * rounding, 0.0);
        const double steepness = 1.0 + g * fabs(sti_law_slope(&law, below, direction, NULL));
        assert_true(w >= -g * rounding);
        // a rounding of the speed counts twice: through the level in w, through w in the level
        assert_near(sti_law_level(&law, fmax(w, 0.0), direction, NULL), level,
                    rounding * steepness * steepness);
        for (int k = 0; k < dim; ++k) assert_near(out[k] * size, in[k] * level, rounding * level);
        ++slipped;
    }
    assert_true(slipped > 30000);
}

static void load_is_used(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_coulomb(0.5));
    const double in[2] = {3.0, 4.0}, load[] = {-2.0};
    double out[2];
    assert_false(sti_law_saturate(&law, 2, 10.0, load, in, out));
    assert_near(out[0], 0.6, 1e-15);
    assert_near(out[1], 0.8, 1e-15);
}

static StiReport *friction_findings(int dim, const StiLaw *law)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = "element"};
    sti_check_friction(&check, dim, law);
    return report;
}

static void wrong_dimensions_and_laws_are_refused(void **state)
{
    (void)state;
    const StiLaw plain = sti_law_coulomb(1.0), none = {0};
    const StiLaw directional = sti_law_directional(1.0, 2.0, 0.0, 0.0);
    for (int dim = 1; dim <= 3; ++dim) assert_no_findings(friction_findings(dim, &plain));
    assert_no_findings(friction_findings(1, &directional));
    assert_finding(friction_findings(0, &plain), STI_ERROR, "dim", "1, 2 or 3");
    assert_finding(friction_findings(4, &plain), STI_ERROR, "dim", "4 dimensions");
    assert_finding(friction_findings(2, &directional), STI_ERROR, "law",
                   "needs 1 dimension, not 2");
    assert_finding(friction_findings(1, &none), STI_ERROR, "law", "no law is given");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_law_is_gsat),
        cmocka_unit_test(any_law_is_met_at_its_own_slip_speed),
        cmocka_unit_test(load_is_used),
        cmocka_unit_test(wrong_dimensions_and_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
