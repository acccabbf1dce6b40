#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "stiction/status.h"

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < STI_STATUS_COUNT; ++i) {
        const char *text = sti_status_text((StiStatus)i);
        assert_non_null(text);
        assert_true(strlen(text) > 5);
        assert_string_not_equal(text, sti_status_text(STI_STATUS_COUNT));
        for (int j = 0; j < i; ++j) assert_string_not_equal(text, sti_status_text((StiStatus)j));
    }
}

static void other_numbers_are_unknown(void **state)
{
    (void)state;
    const char *unknown = sti_status_text(STI_STATUS_COUNT);
    assert_string_equal(unknown, "unknown status");
    assert_string_equal(sti_status_text((StiStatus)(STI_STATUS_COUNT + 1000)), unknown);
    StiStatus negative;
    const int minus_one = -1;
    memcpy(&negative, &minus_one, sizeof negative);
    assert_string_equal(sti_status_text(negative), unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(other_numbers_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
