#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stiction/study.h"
#include "support/near.h"
#include "support/random.h"

static void summaries_leave_out_what_is_no_number(void **state)
{
    (void)state;
    const double values[] = {3.0, NAN, 1.0, 2.0, NAN, 5.0, 4.0};
    StiSummary s;
    assert_true(sti_summarise(values, 7, &s));
    assert_int_equal(s.count, 5);
    assert_near(s.mean, 3.0, 1e-15);
    assert_near(s.deviation, sqrt(2.5), 1e-15);
    assert_near(s.half, 2.776445105 * sqrt(2.5 / 5.0), 1e-8); // Student's t of 4
    assert_true(s.least == 1.0 && s.median == 3.0 && s.most == 5.0 && s.q25 == 2.0);
    assert_true(sti_summarise(values, 0, &s) && s.count == 0 && isnan(s.mean));
}

// The mean lies within its interval in 95 of 100 samples.
static void intervals_hold_what_they_promise(void **state)
{
    (void)state;
    enum { TRIALS = 4000, COUNT = 12 };
    Random random = {9};
    int within = 0, proportions = 0;
    for (int i = 0; i < TRIALS; ++i) {
        double values[COUNT];
        StiSummary s;
        int64_t hits = 0;
        for (int k = 0; k < COUNT; ++k) {
            values[k] = 0.0;
            for (int m = 0; m < 12; ++m) values[k] += random_between(&random, -0.5, 0.5);
            hits += random_between(&random, 0.0, 1.0) < 0.3;
        }
        sti_summarise(values, COUNT, &s);
        within += fabs(s.mean) <= s.half;
        const StiInterval share = sti_proportion(hits, COUNT);
        proportions += share.low <= 0.3 && 0.3 <= share.high;
    }
    assert_near(within / (double)TRIALS, 0.95, 0.012);
    assert_near(proportions / (double)TRIALS, 0.955, 0.03);
}

static void ranks_see_any_growing_relation(void **state)
{
    (void)state;
    double x[50], y[50];
    for (int i = 0; i < 50; ++i) {
        x[i] = (i * 37) % 50;
        y[i] = exp(0.3 * x[i]);
    }
    assert_near(sti_rank_correlation(x, y, 50), 1.0, 1e-12);
    for (int i = 0; i < 50; ++i) y[i] = -y[i];
    assert_near(sti_rank_correlation(x, y, 50), -1.0, 1e-12);
    y[3] = NAN;
    assert_near(sti_rank_correlation(x, y, 50), -1.0, 1e-12);
    for (int i = 0; i < 50; ++i) y[i] = 1.0;
    assert_true(isnan(sti_rank_correlation(x, y, 50)));
}

// Against the definition, row by row against all others.
static void fronts_are_those_that_nobody_beats(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    Random random = {11};
    const int goals[3] = {-1, 0, 1};
    double m[ROWS][3];
    bool front[ROWS];
    for (int trial = 0; trial < 20; ++trial) {
        for (int i = 0; i < ROWS; ++i)
            for (int k = 0; k < 3; ++k) m[i][k] = floor(random_between(&random, 0.0, 20.0));
        m[7][0] = NAN;
        assert_true(sti_pareto_front(&m[0][0], ROWS, 3, goals, front));
        for (int i = 0; i < ROWS; ++i) {
            bool beaten = isnan(m[i][0]);
            for (int k = 0; k < ROWS; ++k)
                beaten = beaten || (m[k][0] <= m[i][0] && m[k][2] >= m[i][2] &&
                                    (m[k][0] < m[i][0] || m[k][2] > m[i][2]));
            assert_true(front[i] == !beaten);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries_leave_out_what_is_no_number),
        cmocka_unit_test(intervals_hold_what_they_promise),
        cmocka_unit_test(ranks_see_any_growing_relation),
        cmocka_unit_test(fronts_are_those_that_nobody_beats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
