#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/status.h"

static void findings_are_kept_in_order(void **state)
{
    (void)state;
    StiReport *report = sti_report_create();
    for (int i = 0; i < 1000; ++i) // grows many times
        sti_report_add(report, (StiSeverity)(i % 3), "block", "mass", i, "number %d", i);
    assert_int_equal(sti_report_count(report), 1000);
    assert_int_equal(sti_report_error_count(report), 333);
    for (int i = 0; i < 1000; ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        char text[32];
        snprintf(text, sizeof text, "number %d", i);
        assert_int_equal(finding->severity, i % 3);
        assert_string_equal(finding->component, "block");
        assert_string_equal(finding->parameter, "mass");
        assert_true(finding->value == i);
        assert_string_equal(finding->text, text);
    }
    assert_null(sti_report_finding(report, -1));
    assert_null(sti_report_finding(report, 1000));
    sti_report_clear(report);
    assert_int_equal(sti_report_count(report), 0);
    assert_int_equal(sti_report_error_count(report), 0);
    assert_null(sti_report_finding(report, 0));
    sti_report_destroy(report);
}

static void a_missing_report_drops_findings(void **state)
{
    (void)state;
    sti_report_add(NULL, STI_ERROR, "block", "mass", -1.0, "%s", "must be above 0");
    sti_report_destroy(NULL);
}

static void assert_line(StiSeverity severity, const char *component, const char *parameter,
                        double value, const char *line)
{
    StiReport *report = sti_report_create();
    char buffer[1000];
    sti_report_add(report, severity, component, parameter, value, "says why");
    const size_t length = sti_report_print(report, buffer, sizeof buffer);
    assert_string_equal(buffer, line);
    assert_int_equal(length, strlen(line));
    sti_report_destroy(report);
}

static void lines_name_what_applies(void **state)
{
    (void)state;
    assert_line(STI_ERROR, "block", "mass", -1.0, "error: block.mass = -1: says why\n");
    assert_line(STI_WARNING, "spring", "", NAN, "warning: spring: says why\n");
    assert_line(STI_NOTE, "", "method", NAN, "note: method: says why\n");
    assert_line(STI_ERROR, "", "step", 0.0, "error: step = 0: says why\n");
    assert_line(STI_ERROR, "", "", NAN, "error: says why\n");
    assert_line(STI_ERROR, "block", "mass", INFINITY, "error: block.mass = inf: says why\n");
}

static void an_empty_report_prints_nothing(void **state)
{
    (void)state;
    StiReport *report = sti_report_create();
    char buffer[8] = "before";
    assert_int_equal(sti_report_print(report, buffer, sizeof buffer), 0);
    assert_string_equal(buffer, "");
    assert_int_equal(sti_report_print(report, NULL, 0), 0);
    sti_report_destroy(report);
}

// As snprintf: the length that would be needed, and as much of it as fits, always ended by a zero.
static void a_short_buffer_gets_the_beginning(void **state)
{
    (void)state;
    StiReport *report = sti_report_create();
    char all[2000];
    for (int i = 0; i < 7; ++i)
        sti_report_add(report, STI_ERROR, "block", "mass", -i, "reason number %d", i);
    const size_t needed = sti_report_print(report, all, sizeof all);
    assert_int_equal(needed, strlen(all));
    assert_int_equal(sti_report_print(report, NULL, 0), needed);
    for (size_t size = 1; size <= needed + 2; ++size) {
        char buffer[2000];
        memset(buffer, '#', sizeof buffer);
        assert_int_equal(sti_report_print(report, buffer, size), needed);
        const size_t fits = size - 1 < needed ? size - 1 : needed;
        assert_int_equal(strlen(buffer), fits);
        assert_memory_equal(buffer, all, fits);
        for (size_t i = size; i < sizeof buffer; ++i) assert_int_equal(buffer[i], '#');
    }
    sti_report_destroy(report);
}

static void long_words_are_cut(void **state)
{
    (void)state;
    StiReport *report = sti_report_create();
    char word[1001];
    memset(word, 'w', 1000);
    word[1000] = '\0';
    sti_report_add(report, STI_NOTE, word, word, 1.0, "%s", word);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_int_equal(strlen(finding->component), sizeof finding->component - 1);
    assert_int_equal(strlen(finding->parameter), sizeof finding->parameter - 1);
    assert_int_equal(strlen(finding->text), sizeof finding->text - 1);
    sti_report_destroy(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_are_kept_in_order),
        cmocka_unit_test(a_missing_report_drops_findings),
        cmocka_unit_test(lines_name_what_applies),
        cmocka_unit_test(an_empty_report_prints_nothing),
        cmocka_unit_test(a_short_buffer_gets_the_beginning),
        cmocka_unit_test(long_words_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
