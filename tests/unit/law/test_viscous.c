#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../../support/random.h"
#include "stiction/law.h"

static void level_rises_with_the_speed(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 1000; ++i) {
        const double F = random_decades(&random, 1e-3, 1e3), B = random_decades(&random, 1e-3, 1e3);
        const double speed = random_decades(&random, 1e-6, 1e2);
        const StiLaw law = sti_law_viscous(F, B);
        assert_true(sti_law_level(&law, 0.0, 0.0, NULL) == F);
        assert_near(sti_law_level(&law, speed, 0.0, NULL), F + B * speed, 0.0);
        assert_true(sti_law_slope(&law, speed, 0.0, NULL) == B);
    }
}

static void load_multiplies_the_dry_part_only(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_viscous(0.5, 3.0));
    const double load = -4.0;
    assert_near(sti_law_level(&law, 2.0, 0.0, &load), 0.5 * 4.0 + 3.0 * 2.0, 1e-15);
    assert_true(sti_law_slope(&law, 2.0, 0.0, &load) == 3.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_rises_with_the_speed),
        cmocka_unit_test(load_multiplies_the_dry_part_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
