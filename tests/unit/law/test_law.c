#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "laws.h"

// signals: temperature, wear.
static double warm_level(const StiLaw *law, const StiSlip *slip)
{
    const double *scale = law->user;
    return law->p[0] * slip->load * (1.0 + *scale * slip->signals[0]) + slip->signals[1];
}
static double pushing_level(const StiLaw *law, const StiSlip *slip)
{
    return law->p[0] - slip->speed;
}
static double broken_level(const StiLaw *law, const StiSlip *slip)
{
    (void)law, (void)slip;
    return NAN;
}
static const StiLawKind warm_kind = {.table_size = sizeof(StiLawKind), .name = "warm", .signals = 2, .level = warm_level};
static const StiLawKind pushing_kind = {.table_size = sizeof(StiLawKind), .name = "pushing", .level = pushing_level};
static const StiLawKind broken_kind = {.table_size = sizeof(StiLawKind), .name = "broken", .level = broken_level};

static void own_law_sees_load_and_signals_apart(void **state)
{
    (void)state;
    const double scale = 0.5;
    StiLaw law = sti_law_own(&warm_kind, &scale);
    law.p[0] = 3.0;
    const double signals[] = {-10.0, 2.0, 0.25};
    assert_int_equal(sti_law_signals(&law), 2);
    assert_near(sti_law_level(&law, 0.0, 1.0, signals + 1), 3.0 * 2.0 + 0.25, 1e-15);
    law = sti_law_times_load(law);
    assert_int_equal(sti_law_signals(&law), 3);
    assert_near(sti_law_level(&law, 0.0, 1.0, signals), 30.0 * 2.0 + 0.25, 1e-14);
}

static void level_never_pushes(void **state)
{
    (void)state;
    StiLaw law = sti_law_own(&pushing_kind, NULL);
    law.p[0] = 1.0;
    assert_near(sti_law_level(&law, 0.5, 1.0, NULL), 0.5, 0.0);
    assert_near(sti_law_level(&law, 5.0, 1.0, NULL), 0.0, 0.0);
}

static void level_that_is_no_number_stays_visible(void **state)
{
    (void)state;
    const StiLaw law = sti_law_own(&broken_kind, NULL);
    assert_true(isnan(sti_law_level(&law, 0.5, 1.0, NULL)));
}

static void slope_by_differences_where_a_kind_gives_none(void **state)
{
    (void)state;
    Random random = {8};
    for (int i = 0; i < 10000; ++i) {
        const double width = random_decades(&random, 1e-3, 1.0);
        const StiLaw law = bump_law(2.0, width);
        const double u = i % 10 ? width * random_between(&random, 0.0, 6.0) : 0.0;
        const double x = u / width - 3.0;
        const double exact = -4.0 * x * exp(-x * x) / width;
        assert_near(sti_law_slope(&law, u, 0.0, NULL), exact, 2e-7 / width);
    }
}

static void level_is_a_pure_function(void **state)
{
    (void)state;
    Random random = {9};
    for (int i = 0; i < 1000; ++i) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = sti_law_times_load(random_law(&random, table));
        const StiLaw copy = law;
        const double load = random_between(&random, -9.0, 9.0);
        const double u = random_decades(&random, 1e-6, 10.0);
        assert_true(sti_law_level(&law, u, 1.0, &load) == sti_law_level(&copy, u, 1.0, &load));
        assert_true(sti_law_slope(&law, u, 1.0, &load) == sti_law_slope(&copy, u, 1.0, &load));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_law_sees_load_and_signals_apart),
        cmocka_unit_test(level_never_pushes),
        cmocka_unit_test(level_that_is_no_number_stays_visible),
        cmocka_unit_test(slope_by_differences_where_a_kind_gives_none),
        cmocka_unit_test(level_is_a_pure_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
