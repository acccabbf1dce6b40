#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../../support/random.h"
#include "stiction/law.h"

static void level_grows_smoothly_from_zero(void **state)
{
    (void)state;
    const StiLaw law = sti_law_tanh(10.0, 0.1);
    assert_true(sti_law_level(&law, 0.0, 1.0, NULL) == 0.0);
    assert_near(sti_law_level(&law, 0.1, 1.0, NULL), 10.0 * tanh(1.0), 1e-14);
    assert_near(sti_law_level(&law, 1e9, 1.0, NULL), 10.0, 0.0);
    assert_near(sti_law_slope(&law, 0.0, 1.0, NULL), 100.0, 1e-12);
    assert_true(sti_law_slope(&law, 1e9, 1.0, NULL) == 0.0);
}

static void slope_agrees_with_differences(void **state)
{
    (void)state;
    Random random = {5};
    for (int i = 0; i < 10000; ++i) {
        const double V = random_decades(&random, 1e-3, 1.0);
        const StiLaw law = sti_law_tanh(10.0, V);
        const double u = V * random_between(&random, 0.1, 5.0), d = 1e-5 * u;
        const double next = sti_law_level(&law, u + d, 0.0, NULL);
        const double difference = (next - sti_law_level(&law, u - d, 0.0, NULL)) / (2.0 * d);
        assert_near(sti_law_slope(&law, u, 0.0, NULL), difference, 1e-8 / V);
    }
}

static void load_multiplies_all_of_it(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_tanh(0.5, 0.1));
    const double load = -8.0;
    assert_near(sti_law_level(&law, 0.1, 0.0, &load), 4.0 * tanh(1.0), 1e-15);
    assert_near(sti_law_slope(&law, 0.0, 0.0, &load), 40.0, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_grows_smoothly_from_zero),
        cmocka_unit_test(slope_agrees_with_differences),
        cmocka_unit_test(load_multiplies_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
