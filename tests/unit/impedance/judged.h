// The verdict of a kind's check on its parameters. Include after cmocka.h.
#ifndef STICTION_TESTS_JUDGED_H
#define STICTION_TESTS_JUDGED_H

#include "stiction/kind.h"

typedef struct Verdict {
    int errors, findings;
    StiFinding last; // of the last finding, if any
} Verdict;

static inline Verdict judge(const StiInfo *info, const void *parameters, double step,
                            bool allow_unphysical)
{
    StiReport *report = sti_report_create();
    assert_non_null(report);
    const StiCheck check = {report, "friction", step, allow_unphysical};
    sti_kind_check(info, parameters, &check);
    Verdict verdict = {sti_report_error_count(report), sti_report_count(report), {0}};
    if (verdict.findings > 0) verdict.last = *sti_report_finding(report, verdict.findings - 1);
    sti_report_destroy(report);
    return verdict;
}

// Exactly one error, about this parameter.
static inline StiFinding assert_refused(const StiInfo *info, const void *parameters,
                                        const char *parameter)
{
    const Verdict verdict = judge(info, parameters, 0.0, false);
    assert_int_equal(verdict.errors, 1);
    assert_string_equal(verdict.last.parameter, parameter);
    return verdict.last;
}

static inline void assert_accepted(const StiInfo *info, const void *parameters)
{
    const Verdict verdict = judge(info, parameters, 0.0, false);
    if (verdict.findings > 0) print_error("%s: %s\n", verdict.last.parameter, verdict.last.text);
    assert_int_equal(verdict.findings, 0);
}

#endif
