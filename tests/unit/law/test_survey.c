#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "laws.h"

static void assert_survey(StiLaw law, double at_rest, double lowest, double highest, double fall)
{
    const StiLawSurvey survey = sti_law_survey(&law);
    assert_near(survey.at_rest, at_rest, 1e-15 * at_rest);
    assert_near(survey.lowest, lowest, 1e-14 * lowest);
    assert_near(survey.highest, highest, 1e-15 * highest);
    assert_near(survey.steepest_fall, fall, 1e-14 * fall);
}

static void rising_laws_do_not_fall(void **state)
{
    (void)state;
    assert_survey(sti_law_coulomb(10.0), 10.0, 10.0, 10.0, 0.0);
    assert_survey(sti_law_viscous(10.0, 2.0), 10.0, 10.0, 10.0, 0.0); // viscosity is not a level
    assert_survey(sti_law_tanh(10.0, 0.1), 0.0, 0.0, 10.0, 0.0);
    assert_survey(sti_law_directional(5.0, 8.0, 1.0, 0.0), 8.0, 5.0, 8.0, 0.0); // the worst of both
}

static void falling_laws(void **state)
{
    (void)state;
    const double steepest = sqrt(2.0) * exp(-0.5); // exponent 2
    assert_survey(sti_law_gear(4.32, 4.92, 100.0, 0.0), 4.92, 4.32, 4.92, 60.0);
    assert_survey(sti_law_stribeck(10.0, 13.0, 0.01, 2.0, 0.0), 13.0, 10.0, 13.0, 300.0 * steepest);
    assert_survey(sti_law_stribeck(10.0, 13.0, 0.01, 1.0, 0.0), 13.0, 10.0, 13.0, 300.0);
    const StiLaw viscous = sti_law_stribeck(10.0, 13.0, 0.01, 2.0, 5.0);
    const StiLawSurvey survey = sti_law_survey(&viscous);
    assert_true(survey.highest >= 13.0 && survey.highest < 13.001); // rises before it falls
    assert_near(survey.steepest_fall, 300.0 * steepest - 5.0, 1e-11);
    assert_near(survey.lowest, 10.13, 1e-2); // between the fading and the rise
    const StiLaw cusp = sti_law_stribeck(10.0, 13.0, 0.01, 0.5, 0.0);
    assert_true(isinf(sti_law_survey(&cusp).steepest_fall));
}

static void tables_are_surveyed_at_their_points(void **state)
{
    (void)state;
    const double table[] = {0.0, 0.001234, 0.7, 5.0, 9.0, 2.0};
    assert_survey(sti_law_table(table, 3), 5.0, 2.0, 9.0, 7.0 / (0.7 - 0.001234));
}

static void own_laws_are_sampled(void **state)
{
    (void)state;
    const StiLaw law = bump_law(2.0, 0.1);
    const StiLawSurvey survey = sti_law_survey(&law);
    assert_near(survey.at_rest, 1.0 + 2.0 * exp(-9.0), 1e-15);
    assert_near(survey.lowest, 1.0, 1e-15);
    assert_near(survey.highest, 3.0, 0.02);
    assert_near(survey.steepest_fall, 2.0 * sqrt(2.0) * exp(-0.5) / 0.1, 0.2);
}

static void load_is_one(void **state)
{
    (void)state;
    assert_survey(sti_law_times_load(sti_law_gear(0.2, 0.3, 100.0, 0.0)), 0.3, 0.2, 0.3, 10.0);
}

static void surveys_bound_random_laws(void **state)
{
    (void)state;
    Random random = {17};
    for (int i = 0; i < 300; ++i) {
        double table[2 * LAW_TABLE_POINTS];
        const StiLaw law = random_law(&random, table);
        const StiLawSurvey survey = sti_law_survey(&law);
        assert_true(survey.lowest <= survey.at_rest && survey.at_rest <= survey.highest);
        for (int k = 0; k < 1000; ++k) {
            const double u = random_decades(&random, 1e-8, 1e3);
            assert_true(-sti_law_slope(&law, u, 1.0, NULL) <= survey.steepest_fall * (1.0 + 1e-14));
            assert_true(sti_law_level(&law, u, 1.0, NULL) >= survey.lowest * (1.0 - 0.01));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rising_laws_do_not_fall),
        cmocka_unit_test(falling_laws),
        cmocka_unit_test(tables_are_surveyed_at_their_points),
        cmocka_unit_test(own_laws_are_sampled),
        cmocka_unit_test(load_is_one),
        cmocka_unit_test(surveys_bound_random_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
