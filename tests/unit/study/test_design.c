#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "design.h"
#include "stiction/study.h"
#include "support/near.h"
#include "support/random.h"

static const StiVaried unit3[3] = {
    {.path = "a", .spread = STI_SPREAD_UNIFORM, .a = 0.0, .b = 1.0},
    {.path = "b", .spread = STI_SPREAD_UNIFORM, .a = 0.0, .b = 1.0},
    {.path = "c", .spread = STI_SPREAD_UNIFORM, .a = 0.0, .b = 1.0},
};

static void grids_have_all_combinations(void **state)
{
    (void)state;
    const double first[] = {1.0, 2.0}, second[] = {10.0, 20.0, 30.0};
    const StiVaried varied[2] = {{.values = first, .count = 2}, {.values = second, .count = 3}};
    const StiDesign design = {.sample = STI_SAMPLE_GRID, .varied = varied, .varied_count = 2};
    assert_int_equal(study_design_runs(&design), 6);
    for (int run = 0; run < 6; ++run) {
        double values[2];
        study_design_values(&design, NULL, run, values);
        assert_true(values[0] == first[run / 3] && values[1] == second[run % 3]);
    }
}

static void latin_strips_have_one_run_each(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 2, 7, 64, 1000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        const StiDesign design = {.sample = STI_SAMPLE_LATIN, .runs = counts[c], .seed = c,
                                  .varied = unit3, .varied_count = 3};
        int hits[3][1000] = {{0}};
        for (int64_t run = 0; run < counts[c]; ++run) {
            double values[3];
            study_design_values(&design, NULL, run, values);
            for (int i = 0; i < 3; ++i) ++hits[i][(int)(values[i] * (double)counts[c])];
        }
        for (int i = 0; i < 3; ++i)
            for (int64_t k = 0; k < counts[c]; ++k) assert_int_equal(hits[i][k], 1);
    }
}

// Ranks keep the correlation that was asked for (of normal scores r: of ranks 6/pi asin(r/2)).
static void correlations_come_out(void **state)
{
    (void)state;
    enum { RUNS = 4096 };
    static const StiSample samples[] = {STI_SAMPLE_RANDOM, STI_SAMPLE_LATIN, STI_SAMPLE_SOBOL};
    const StiVaried varied[3] = {
        {.spread = STI_SPREAD_UNIFORM, .a = 5.0, .b = 15.0},
        {.spread = STI_SPREAD_LOG, .a = 1.0, .b = 100.0},
        {.spread = STI_SPREAD_NORMAL, .a = 1.0, .b = 0.1, .least = -INFINITY, .most = INFINITY}};
    const StiCorrelation wanted[2] = {{0, 1, 0.7}, {2, 1, -0.4}};
    for (int s = 0; s < 3; ++s) {
        const StiDesign design = {.sample = samples[s], .runs = RUNS, .seed = 3, .varied = varied,
                                  .varied_count = 3, .correlations = wanted, .correlation_count = 2};
        double factor[9], values[3], *columns = malloc(3 * RUNS * sizeof *columns);
        assert_true(study_design_factor(&design, factor));
        for (int run = 0; run < RUNS; ++run) {
            study_design_values(&design, factor, run, values);
            for (int i = 0; i < 3; ++i) columns[i * RUNS + run] = values[i];
        }
        const double pi = 3.14159265358979324;
        assert_near(sti_rank_correlation(columns, columns + RUNS, RUNS), 6.0 / pi * asin(0.35), 0.03);
        assert_near(sti_rank_correlation(columns + RUNS, columns + 2 * RUNS, RUNS),
                    6.0 / pi * asin(-0.2), 0.04);
        assert_near(sti_rank_correlation(columns, columns + 2 * RUNS, RUNS), 0.0, 0.06);
        free(columns);
    }
}

static void contradictions_are_found(void **state)
{
    (void)state;
    const StiCorrelation wrong[3] = {{0, 1, 0.6}, {1, 2, 0.6}, {0, 2, -0.6}};
    StiDesign design = {.varied = unit3, .varied_count = 3, .correlations = wrong,
                        .correlation_count = 3};
    double factor[9];
    assert_false(study_design_factor(&design, factor));
    design.correlation_count = 2;
    assert_true(study_design_factor(&design, factor));
}

// Ishigami's function: sin x + 7 sin^2 y + 0.1 z^4 sin x on [-pi, pi]^3 has known indices.
static void indices_of_ishigami(void **state)
{
    (void)state;
    enum { POINTS = 2048 };
    const double pi = 3.14159265358979324, a = 7.0, b = 0.1;
    StiVaried varied[3];
    for (int i = 0; i < 3; ++i)
        varied[i] = (StiVaried){.spread = STI_SPREAD_UNIFORM, .a = -pi, .b = pi};
    const StiDesign design = {.sample = STI_SAMPLE_SALTELLI, .runs = POINTS, .seed = 1,
                              .varied = varied, .varied_count = 3};
    const int64_t runs = study_design_runs(&design);
    assert_int_equal(runs, 5 * POINTS);
    double *f = malloc((size_t)runs * sizeof *f);
    for (int64_t run = 0; run < runs; ++run) {
        double x[3];
        study_design_values(&design, NULL, run, x);
        f[run] = sin(x[0]) + a * sin(x[1]) * sin(x[1]) + b * pow(x[2], 4.0) * sin(x[0]);
    }
    const double p4 = pow(pi, 4.0), p8 = p4 * p4;
    const double v1 = 0.5 * (1.0 + b * p4 / 5.0) * (1.0 + b * p4 / 5.0), v2 = a * a / 8.0;
    const double v13 = b * b * p8 * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
    const double first[3] = {v1 / v, v2 / v, 0.0}, total[3] = {(v1 + v13) / v, v2 / v, v13 / v};
    StiInterval s[3], t[3];
    assert_true(sti_sobol_indices(f, runs, 3, s, t));
    for (int i = 0; i < 3; ++i) {
        assert_near(s[i].value, first[i], 0.01);
        assert_near(t[i].value, total[i], 0.01);
        assert_true(s[i].low <= s[i].value && s[i].value <= s[i].high);
        assert_true(t[i].low <= total[i] && total[i] <= t[i].high);
    }
    // Runs that failed: their points are left out, the rest still says the same.
    for (int64_t run = 0; run < runs; run += 97) f[run] = NAN;
    assert_true(sti_sobol_indices(f, runs, 3, s, t));
    for (int i = 0; i < 3; ++i) assert_near(t[i].value, total[i], 0.04);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_have_all_combinations), cmocka_unit_test(latin_strips_have_one_run_each),
        cmocka_unit_test(correlations_come_out),       cmocka_unit_test(contradictions_are_found),
        cmocka_unit_test(indices_of_ishigami),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
