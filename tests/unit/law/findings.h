// What a check says about one law or component. Include after cmocka.h.
#ifndef STICTION_TESTS_UNIT_LAW_FINDINGS_H
#define STICTION_TESTS_UNIT_LAW_FINDINGS_H

#include <string.h>

#include "stiction/law.h"

// Checks a law's own rules; the caller destroys the report.
static inline StiReport *findings_of_law(const StiLaw *law, bool allow_unphysical)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report,
                            .component = "element",
                            .allow_unphysical = allow_unphysical};
    if (law->kind->check != NULL) law->kind->check(law, &check);
    return report;
}

static inline StiReport *findings_of(const StiInfo *info, const void *parameters)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = "element"};
    info->check(parameters, &check);
    return report;
}

static inline void assert_no_findings(StiReport *report)
{
    assert_int_equal(sti_report_count(report), 0);
    sti_report_destroy(report);
}

// Exactly one finding, about this parameter, whose text holds these words.
static inline void assert_finding(StiReport *report, StiSeverity severity, const char *parameter,
                                  const char *words)
{
    assert_int_equal(sti_report_count(report), 1);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_int_equal(finding->severity, severity);
    assert_string_equal(finding->component, "element");
    assert_string_equal(finding->parameter, parameter);
    if (strstr(finding->text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", finding->text, words);
    sti_report_destroy(report);
}

#endif
