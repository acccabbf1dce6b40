// Findings from the check functions of kinds.
#include <stdarg.h>

#include "base/report.h"
#include "stiction/kind.h"

void sti_check_error(const StiCheck *check, const char *parameter, double value, const char *text,
                     ...)
{
    va_list arguments;
    va_start(arguments, text);
    sti_report_add_list(check->report, STI_ERROR, check->component, parameter, value, text,
                        arguments);
    va_end(arguments);
}

void sti_check_unphysical(const StiCheck *check, const char *parameter, double value,
                          const char *text, ...)
{
    const StiSeverity severity = check->allow_unphysical ? STI_WARNING : STI_ERROR;
    va_list arguments;
    va_start(arguments, text);
    sti_report_add_list(check->report, severity, check->component, parameter, value, text,
                        arguments);
    va_end(arguments);
}

void sti_check_warning(const StiCheck *check, const char *parameter, double value, const char *text,
                       ...)
{
    va_list arguments;
    va_start(arguments, text);
    sti_report_add_list(check->report, STI_WARNING, check->component, parameter, value, text,
                        arguments);
    va_end(arguments);
}
