#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "base/report.h"

struct StiReport {
    StiFinding *findings;
    int count, capacity, errors;
    bool failed;
};

StiReport *sti_report_create(void) { return calloc(1, sizeof(StiReport)); }

void sti_report_destroy(StiReport *report)
{
    if (report == NULL) return;
    free(report->findings);
    free(report);
}

void sti_report_clear(StiReport *report)
{
    report->count = report->errors = 0;
    report->failed = false;
}

bool sti_report_failed(const StiReport *report) { return report->failed; }

int sti_report_count(const StiReport *report) { return report->count; }

int sti_report_error_count(const StiReport *report) { return report->errors; }

const StiFinding *sti_report_finding(const StiReport *report, int index)
{
    if (index < 0 || index >= report->count) return NULL;
    return &report->findings[index];
}

static StiFinding *next_finding(StiReport *report)
{
    if (report->count == report->capacity) {
        const int capacity = report->capacity > 0 ? 2 * report->capacity : 8;
        StiFinding *findings = realloc(report->findings, (size_t)capacity * sizeof *findings);
        if (findings == NULL) {
            report->failed = true;
            return NULL;
        }
        report->findings = findings;
        report->capacity = capacity;
    }
    return &report->findings[report->count++];
}

void sti_report_add_list(StiReport *report, StiSeverity severity, const char *component,
                         const char *parameter, double value, const char *text, va_list arguments)
{
    if (report == NULL) return;
    if (severity == STI_ERROR) ++report->errors; // counted even if it cannot be stored
    StiFinding *finding = next_finding(report);
    if (finding == NULL) return;
    finding->severity = severity;
    finding->value = value;
    snprintf(finding->component, sizeof finding->component, "%s", component);
    snprintf(finding->parameter, sizeof finding->parameter, "%s", parameter);
    const StiLocale locale = sti_locale_begin();
    vsnprintf(finding->text, sizeof finding->text, text, arguments);
    sti_locale_end(locale);
    if (strcmp(finding->text, "out of memory") == 0) report->failed = true;
}

void sti_report_append(StiReport *to, const StiReport *from)
{
    to->errors += from->errors;
    to->failed = to->failed || from->failed;
    for (int i = 0; i < from->count; ++i) {
        StiFinding *finding = next_finding(to);
        if (finding != NULL) *finding = from->findings[i];
    }
}

void sti_report_add(StiReport *report, StiSeverity severity, const char *component,
                    const char *parameter, double value, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    sti_report_add_list(report, severity, component, parameter, value, text, arguments);
    va_end(arguments);
}

static int print_finding(const StiFinding *finding, char *buffer, size_t size)
{
    static const char *const words[] = {"note", "warning", "error"};
    const char *dot = finding->component[0] != '\0' && finding->parameter[0] != '\0' ? "." : "";
    const char *colon = finding->component[0] != '\0' || finding->parameter[0] != '\0' ? ": " : "";
    char value[40] = "";
    if (!isnan(finding->value)) snprintf(value, sizeof value, " = %g", finding->value);
    return snprintf(buffer, size, "%s: %s%s%s%s%s%s\n", words[finding->severity],
                    finding->component, dot, finding->parameter, value, colon, finding->text);
}

size_t sti_report_print(const StiReport *report, char *buffer, size_t size)
{
    size_t length = 0;
    if (size > 0) buffer[0] = '\0';
    for (int i = 0; i < report->count; ++i) {
        const size_t used = length < size ? length : size;
        const int added =
            print_finding(&report->findings[i], used < size ? buffer + used : NULL, size - used);
        if (added > 0) length += (size_t)added;
    }
    return length;
}
