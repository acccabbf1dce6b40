#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "../../support/random.h"
#include "stiction/law.h"

static void level_is_the_same_at_every_speed(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 1000; ++i) {
        const double F = random_decades(&random, 1e-6, 1e6);
        const double speed = random_decades(&random, 1e-12, 1e6);
        const StiLaw law = sti_law_coulomb(F);
        assert_true(sti_law_level(&law, 0.0, 1.0, NULL) == F);
        assert_true(sti_law_level(&law, speed, -1.0, NULL) == F);
        assert_true(sti_law_slope(&law, speed, 0.0, NULL) == 0.0);
    }
}

static void coefficient_is_multiplied_by_the_size_of_the_load(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_coulomb(0.3));
    const double push = 20.0, pull = -20.0;
    assert_near(sti_law_level(&law, 1.0, 0.0, &push), 6.0, 1e-15);
    assert_near(sti_law_level(&law, 1.0, 0.0, &pull), 6.0, 1e-15);
    assert_int_equal(sti_law_signals(&law), 1);
}

static void kind_is_constant(void **state)
{
    (void)state;
    assert_true(sti_law_kind_coulomb.constant);
    assert_false(sti_law_kind_coulomb.directional);
    assert_string_equal(sti_law_kind_coulomb.fields[0].name, "level");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_is_the_same_at_every_speed),
        cmocka_unit_test(coefficient_is_multiplied_by_the_size_of_the_load),
        cmocka_unit_test(kind_is_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
