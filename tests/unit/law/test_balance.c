// Balances along several axes; along one axis they are tested as (16b) in test_solve.c.
#include <float.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "laws.h"
#include "law/balance.h"

static StiBalance random_balance(Random *random, const StiLaw *law)
{
    StiBalance b = {.law = law, .axes = 2 + random_below(random, 2)};
    double squares = 0.0;
    for (int k = 0; k < b.axes; ++k) {
        b.g[k] = random_below(random, 10) ? random_decades(random, 1e-6, 1e-1) : 0.0;
        b.c[k] = random_below(random, 10) ? random_between(random, -1.0, 1.0) : 0.0;
        squares += b.c[k] * b.c[k];
    }
    b.a = sqrt(squares);
    return b;
}

// |r| - level with r_k = c_k level/(u + g_k level), relative to the level: 0 at a solution.
static double mismatch(const StiBalance *b, double u)
{
    const double F = sti_law_level(b->law, u, 0.0, NULL);
    double squares = 0.0;
    for (int k = 0; k < b->axes; ++k)
        if (b->c[k] != 0.0) squares += pow(b->c[k] / (u + b->g[k] * F), 2.0);
    return sqrt(squares) - 1.0;
}

// May the law stick? Then the force that stops every axis is at most the level at rest.
static bool sticks(const StiBalance *b)
{
    double squares = 0.0;
    for (int k = 0; k < b->axes; ++k)
        if (b->c[k] != 0.0) squares += pow(b->c[k] / b->g[k], 2.0);
    return sqrt(squares) <= sti_law_level(b->law, 0.0, 0.0, NULL);
}

static void resistance_has_the_level_of_the_speed(void **state)
{
    (void)state;
    Random random = {30};
    int slips = 0;
    for (int n = 0; n < 100000; ++n) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = random_law(&random, table);
        const StiBalance b = random_balance(&random, &law);
        if (b.a == 0.0 || sticks(&b)) continue;
        const double u = sti_balance_slip(&b, false).speed;
        assert_true(u > 0.0 && u <= b.a * (1.0 + 2.0 * DBL_EPSILON));
        ++slips;
        if (fabs(mismatch(&b, u)) <= 16.0 * DBL_EPSILON) continue;
        const double below = mismatch(&b, u * (1.0 - 4.0 * DBL_EPSILON));
        const double above = mismatch(&b, u * (1.0 + 4.0 * DBL_EPSILON));
        assert_true(below > 0.0 && above < 0.0); // too steep: no number comes closer
    }
    assert_true(slips > 50000);
}

static void equal_axes_are_one_axis(void **state)
{
    (void)state;
    Random random = {31};
    for (int n = 0; n < 20000; ++n) {
        const StiLaw law = sti_law_stribeck(10.0, 15.0, 0.1 + 1e-4 * n, 2.0, 1.0);
        StiBalance b = random_balance(&random, &law);
        b.g[0] = b.g[1] = b.g[2] = random_decades(&random, 1e-5, 1e-2); // no steep fall
        const StiSlipSolution one = sti_law_solve(&law, b.g[0], b.a, 0.0, NULL);
        if (one.stuck) continue;
        const StiBalanceSlip slip = sti_balance_slip(&b, false);
        assert_near(slip.speed, one.speed, 8.0 * DBL_EPSILON * b.a);
        assert_int_equal(slip.several, one.several);
    }
}

// A law that falls steeply along the axis that moves easily, and hardly along the other.
static void steep_falls_are_searched(void **state)
{
    (void)state;
    const StiLaw law = sti_law_stribeck(10.0, 15.0, 1e-3, 2.0, 0.0);
    StiBalance b = {.law = &law, .axes = 2, .g = {1e-3, 1e-5}, .c = {0.014, 1e-6}};
    b.a = hypot(b.c[0], b.c[1]);
    assert_true(sticks(&b));
    assert_true(sti_balance_slip(&b, true).several);
    b.g[0] = 1e-5; // too heavy to be moved by the fall
    b.c[0] = 1.4e-4;
    b.a = hypot(b.c[0], b.c[1]);
    assert_true(sticks(&b));
    assert_false(sti_balance_slip(&b, true).several);
}

// Of several slips the fastest: nothing balances at higher speeds.
static void the_fastest_slip_is_taken(void **state)
{
    (void)state;
    Random random = {32};
    int several = 0;
    for (int n = 0; n < 20000; ++n) {
        const StiLaw law = bump_law(random_between(&random, 2.0, 5.0), 0.05);
        StiBalance b = {.law = &law, .axes = 2, .g = {random_between(&random, 0.1, 0.3), 0.0}};
        b.g[1] = b.g[0] * random_between(&random, 0.3, 1.0);
        b.c[0] = random_between(&random, 0.1, 1.0), b.c[1] = random_between(&random, 0.1, 1.0);
        b.a = hypot(b.c[0], b.c[1]);
        if (sticks(&b)) continue;
        const StiBalanceSlip slip = sti_balance_slip(&b, false);
        if (!slip.several) continue;
        ++several;
        for (double u = slip.speed * (1.0 + 1e-9); u < b.a; u += 0.01 * b.a)
            assert_true(mismatch(&b, u) < 0.0);
    }
    assert_true(several > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resistance_has_the_level_of_the_speed),
        cmocka_unit_test(equal_axes_are_one_axis),
        cmocka_unit_test(steep_falls_are_searched),
        cmocka_unit_test(the_fastest_slip_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
