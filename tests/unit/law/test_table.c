#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "findings.h"
#include "laws.h"

static void level_is_linear_between_points_and_constant_beyond(void **state)
{
    (void)state;
    const double table[] = {0.0, 1.0, 3.0, 10.0, 4.0, 8.0};
    const StiLaw law = sti_law_table(table, 3);
    assert_near(sti_law_level(&law, 0.0, 0.0, NULL), 10.0, 0.0);
    assert_near(sti_law_level(&law, 0.5, 0.0, NULL), 7.0, 1e-15);
    assert_near(sti_law_level(&law, 1.0, 0.0, NULL), 4.0, 0.0);
    assert_near(sti_law_level(&law, 2.0, 0.0, NULL), 6.0, 1e-15);
    assert_near(sti_law_level(&law, 3.0, 0.0, NULL), 8.0, 0.0);
    assert_near(sti_law_level(&law, 99.0, 0.0, NULL), 8.0, 0.0);
    assert_near(sti_law_slope(&law, 0.0, 0.0, NULL), -6.0, 0.0);
    assert_near(sti_law_slope(&law, 1.0, 0.0, NULL), 2.0, 0.0);
    assert_near(sti_law_slope(&law, 3.0, 0.0, NULL), 0.0, 0.0);
}

static void single_point_is_a_constant(void **state)
{
    (void)state;
    const double table[] = {0.0, 7.0};
    const StiLaw law = sti_law_table(table, 1);
    assert_near(sti_law_level(&law, 0.0, 0.0, NULL), 7.0, 0.0);
    assert_near(sti_law_level(&law, 5.0, 0.0, NULL), 7.0, 0.0);
    assert_no_findings(findings_of_law(&law, false));
}

static void level_stays_between_the_neighbouring_points(void **state)
{
    (void)state;
    Random random = {7};
    for (int i = 0; i < 10000; ++i) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = random_table(&random, table);
        const int k = random_below(&random, LAW_TABLE_POINTS - 1);
        const double speed = random_between(&random, table[k], table[k + 1]);
        const double a = table[LAW_TABLE_POINTS + k], b = table[LAW_TABLE_POINTS + k + 1];
        const double level = sti_law_level(&law, speed, 0.0, NULL);
        assert_true(level >= fmin(a, b) - 1e-14 && level <= fmax(a, b) + 1e-14);
    }
}

static void load_multiplies_all_of_it(void **state)
{
    (void)state;
    const double table[] = {0.0, 1.0, 0.5, 0.25};
    const StiLaw law = sti_law_times_load(sti_law_table(table, 2));
    const double load = -8.0;
    assert_near(sti_law_level(&law, 0.5, 0.0, &load), 3.0, 1e-15);
    assert_near(sti_law_slope(&law, 0.5, 0.0, &load), -2.0, 1e-15);
}

static void wrong_tables_are_refused(void **state)
{
    (void)state;
    const double late[] = {0.1, 1.0, 5.0, 5.0};
    const double back[] = {0.0, 1.0, 1.0, 5.0, 5.0, 5.0};
    const double negative[] = {0.0, 1.0, 5.0, -1.0};
    const double infinite[] = {0.0, 1.0, 5.0, INFINITY};
    const StiLaw laws[] = {sti_law_table(NULL, 3),     sti_law_table(late, 0),
                           sti_law_table(late, 2),     sti_law_table(back, 3),
                           sti_law_table(negative, 2), sti_law_table(infinite, 2)};
    const char *words[] = {
        "empty", "empty", "it must be 0", "speeds increase", "a level is at least 0", "not finite"};
    for (int i = 0; i < 6; ++i)
        assert_finding(findings_of_law(&laws[i], true), STI_ERROR, "table", words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_is_linear_between_points_and_constant_beyond),
        cmocka_unit_test(single_point_is_a_constant),
        cmocka_unit_test(level_stays_between_the_neighbouring_points),
        cmocka_unit_test(load_multiplies_all_of_it),
        cmocka_unit_test(wrong_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
