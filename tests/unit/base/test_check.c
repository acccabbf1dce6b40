#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/kind.h"

typedef void Adds(const StiCheck *check, const char *parameter, double value, const char *text,
                  ...);

static void assert_adds(Adds *add, bool allow_unphysical, StiSeverity severity)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report,
                            .component = "friction",
                            .allow_unphysical = allow_unphysical};
    add(&check, "level", -2.5, "%s must be above %d N", "the level", 0);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_int_equal(sti_report_count(report), 1);
    assert_int_equal(finding->severity, severity);
    assert_string_equal(finding->component, "friction");
    assert_string_equal(finding->parameter, "level");
    assert_true(finding->value == -2.5);
    assert_string_equal(finding->text, "the level must be above 0 N");
    assert_int_equal(sti_report_error_count(report), severity == STI_ERROR);
    sti_report_destroy(report);
}

static void errors_are_errors_whatever_is_allowed(void **state)
{
    (void)state;
    assert_adds(sti_check_error, false, STI_ERROR);
    assert_adds(sti_check_error, true, STI_ERROR);
}

static void warnings_never_refuse(void **state)
{
    (void)state;
    assert_adds(sti_check_warning, false, STI_WARNING);
    assert_adds(sti_check_warning, true, STI_WARNING);
}

static void the_unphysical_is_refused_unless_allowed(void **state)
{
    (void)state;
    assert_adds(sti_check_unphysical, false, STI_ERROR);
    assert_adds(sti_check_unphysical, true, STI_WARNING);
}

static void a_check_without_report_is_silent(void **state)
{
    (void)state;
    const StiCheck check = {.component = "friction"};
    sti_check_error(&check, "level", 1.0, "text");
    sti_check_warning(&check, "level", 1.0, "text");
    sti_check_unphysical(&check, "level", 1.0, "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_errors_whatever_is_allowed),
        cmocka_unit_test(warnings_never_refuse),
        cmocka_unit_test(the_unphysical_is_refused_unless_allowed),
        cmocka_unit_test(a_check_without_report_is_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
