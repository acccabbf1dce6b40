#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "spread.h"
#include "support/near.h"
#include "support/random.h"

// Against the error function of the C library, which the quantile does not use.
static void normal_quantile_inverts_the_distribution(void **state)
{
    (void)state;
    Random random = {5};
    for (int i = 0; i < 20000; ++i) {
        const double x = random_between(&random, -37.0, 8.0);
        const double share = 0.5 * erfc(-x / sqrt(2.0));
        if (share > 0.999) continue; // 1 - share has lost its digits
        assert_near(study_normal_quantile(share), x, 2e-14 * fmax(1.0, fabs(x)));
        assert_near(study_normal_share(x) / share, 1.0, 1e-11);
        assert_near(study_normal_share(-x), 1.0 - share, 1e-15);
    }
    assert_true(study_normal_quantile(0.5) == 0.0);
}

static const StiVaried spreads[] = {
    {.spread = STI_SPREAD_UNIFORM, .a = -2.0, .b = 7.0},
    {.spread = STI_SPREAD_LOG, .a = 1e-3, .b = 40.0},
    {.spread = STI_SPREAD_NORMAL, .a = 3.0, .b = 0.5, .least = -INFINITY, .most = INFINITY},
    {.spread = STI_SPREAD_NORMAL, .a = 3.0, .b = 2.0, .least = 2.5, .most = 4.0},
    {.spread = STI_SPREAD_NORMAL, .a = 0.0, .b = 1.0, .least = 0.0, .most = INFINITY},
    {.spread = STI_SPREAD_TRIANGULAR, .a = 1.0, .b = 2.0, .c = 4.0},
    {.spread = STI_SPREAD_TRIANGULAR, .a = 1.0, .b = 1.0, .c = 4.0},
    {.spread = STI_SPREAD_TRIANGULAR, .a = 1.0, .b = 4.0, .c = 4.0},
};
enum { SPREADS = sizeof spreads / sizeof spreads[0] };

static double normal_below(const StiVaried *v, double x)
{
    return 0.5 * erfc(-(x - v->a) / (v->b * sqrt(2.0)));
}

// The share below x, written from the definitions.
static double share_below(const StiVaried *v, double x)
{
    switch (v->spread) {
    case STI_SPREAD_UNIFORM:
        return (x - v->a) / (v->b - v->a);
    case STI_SPREAD_LOG:
        return log(x / v->a) / log(v->b / v->a);
    case STI_SPREAD_NORMAL:
        return (normal_below(v, x) - normal_below(v, v->least)) /
               (normal_below(v, v->most) - normal_below(v, v->least));
    case STI_SPREAD_TRIANGULAR:
        return x < v->b ? (x - v->a) * (x - v->a) / ((v->c - v->a) * (v->b - v->a))
                        : 1.0 - (v->c - x) * (v->c - x) / ((v->c - v->a) * (v->c - v->b));
    case STI_SPREAD_VALUES:
        break;
    }
    return NAN;
}

static void values_have_their_distribution(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < SPREADS; ++i)
        for (int k = 0; k < 2000; ++k) {
            const double share = random_between(&random, 0.0, 1.0);
            const double value = study_spread_value(&spreads[i], share);
            if (spreads[i].spread == STI_SPREAD_TRIANGULAR && spreads[i].b == spreads[i].c) {
                assert_near((value - 1.0) * (value - 1.0) / 9.0, share, 1e-13);
                continue;
            }
            assert_near(share_below(&spreads[i], value), share, 1e-12);
        }
}

static void values_grow_with_the_share(void **state)
{
    (void)state;
    for (int i = 0; i < SPREADS; ++i)
        for (int k = 1; k < 1000; ++k)
            assert_true(study_spread_value(&spreads[i], k / 1000.0) >=
                        study_spread_value(&spreads[i], (k - 1 + 0.5) / 1000.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantile_inverts_the_distribution),
        cmocka_unit_test(values_have_their_distribution),
        cmocka_unit_test(values_grow_with_the_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
