#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../support/near.h"
#include "stiction/law.h"

static void each_direction_has_its_own_level(void **state)
{
    (void)state;
    const StiLaw law = sti_law_directional(5.0, 8.0, 1.0, 2.0);
    assert_near(sti_law_level(&law, 3.0, 1.0, NULL), 5.0 + 3.0, 0.0);
    assert_near(sti_law_level(&law, 3.0, -1.0, NULL), 8.0 + 6.0, 0.0);
    assert_near(sti_law_level(&law, 0.0, 0.0, NULL), 5.0, 0.0);
    assert_near(sti_law_slope(&law, 3.0, 1.0, NULL), 1.0, 0.0);
    assert_near(sti_law_slope(&law, 3.0, -1.0, NULL), 2.0, 0.0);
    assert_true(sti_law_kind_directional.directional);
}

static void load_multiplies_the_dry_parts_only(void **state)
{
    (void)state;
    const StiLaw law = sti_law_times_load(sti_law_directional(0.5, 0.25, 1.0, 2.0));
    const double load = -4.0;
    assert_near(sti_law_level(&law, 3.0, 1.0, &load), 2.0 + 3.0, 0.0);
    assert_near(sti_law_level(&law, 3.0, -1.0, &load), 1.0 + 6.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_direction_has_its_own_level),
        cmocka_unit_test(load_multiplies_the_dry_parts_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
