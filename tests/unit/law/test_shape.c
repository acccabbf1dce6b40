#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "laws.h"
#include "law/shape.h"

// What sti_law_rises promises, at places of its own choice.
static void a_promised_rise_is_one(void **state)
{
    (void)state;
    Random random = {15};
    int promised = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = random_law(&random, table);
        const double g = random_decades(&random, 1e-6, 1.0);
        if (!sti_law_rises(&law, g, 1.0, NULL)) {
            ++refused;
            continue;
        }
        ++promised;
        double u = 0.0, before = g * sti_law_level(&law, 0.0, 1.0, NULL);
        for (int k = 0; k < 50; ++k) {
            u += random_decades(&random, 1e-5, 0.1);
            const double here = u + g * sti_law_level(&law, u, 1.0, NULL);
            assert_true(here >= before * (1.0 - 1e-15));
            before = here;
        }
    }
    assert_true(promised > 5000 && refused > 1000);
}

// Just above g fall = 1 a piece that does not rise exists, just below it does not.
static void the_limit_is_sharp(void **state)
{
    (void)state;
    Random random = {16};
    for (int i = 0; i < 10000; ++i) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = random_law(&random, table);
        const double fall = sti_law_survey(&law).steepest_fall;
        if (fall == 0.0) assert_true(sti_law_rises(&law, 1e9, 1.0, NULL));
        if (fall == 0.0 || isinf(fall)) continue;
        assert_true(sti_law_rises(&law, (1.0 - 1e-12) / fall, 1.0, NULL));
        assert_false(sti_law_rises(&law, (1.0 + 1e-12) / fall, 1.0, NULL));
    }
}

static void nothing_is_promised_for_own_laws(void **state)
{
    (void)state;
    const StiLaw law = bump_law(0.0, 1.0);
    assert_false(sti_law_rises(&law, 1.0, 1.0, NULL));
    assert_true(sti_law_rises(&law, 0.0, 1.0, NULL));
}

static void load_counts(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_gear(1.0, 2.0, 10.0, 0.0));
    const double light = 1.0, heavy = -3.0;
    assert_true(sti_law_rises(&law, 0.05, 1.0, &light));
    assert_false(sti_law_rises(&law, 0.05, 1.0, &heavy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_promised_rise_is_one),
        cmocka_unit_test(the_limit_is_sharp),
        cmocka_unit_test(nothing_is_promised_for_own_laws),
        cmocka_unit_test(load_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
