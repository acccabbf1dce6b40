// Private: adding a finding from a function that itself takes a format.
#ifndef STICTION_SRC_BASE_REPORT_H
#define STICTION_SRC_BASE_REPORT_H

#include <stdarg.h>
#include <stdbool.h>

#include "stiction/status.h"

void sti_report_add_list(StiReport *report, StiSeverity severity, const char *component,
                         const char *parameter, double value, const char *text, va_list arguments)
    __attribute__((format(printf, 6, 0)));

// Whether findings were lost for want of memory.
bool sti_report_failed(const StiReport *report);

// The findings of another report, in their order.
void sti_report_append(StiReport *to, const StiReport *from);

#endif
