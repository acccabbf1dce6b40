// Status values, and the report in which building a network explains itself.
#ifndef STICTION_STATUS_H
#define STICTION_STATUS_H

#include <stddef.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum StiStatus {
    STI_OK = 0,
    STI_OUT_OF_MEMORY,
    STI_BAD_ARGUMENT,
    STI_BAD_PLAN,            // the report says what is wrong, where, and what would be right
    STI_NOT_FINITE,          // NaN or infinity; the fault names the component
    STI_LEVEL_VANISHED,      // an explicit bristle model met level 0 at nonzero speed
    STI_NO_CONTINUOUS_LIMIT, // the model has no form at tau = 0
    STI_LOADS_UNSETTLED,     // the iteration on the loads did not converge
    STI_REACTIONS_UNSOLVED,  // the reactions did not converge together
    STI_NO_SOLUTION,         // a local reaction problem has none
    STI_STEP_TOO_SMALL,      // an adaptive integrator cannot meet its tolerance here
    STI_EVENTS_ACCUMULATE,   // stick and slip change ever faster
    STI_NO_MODES,            // neither stick nor slip fits the accelerations
    STI_LAYOUT_MISMATCH,     // the state belongs to a network of another layout
    STI_SEVERAL_SOLUTIONS,   // the loads have more than one solution (Painleve)
    STI_CONSTRAINTS_UNMET,   // the constraints of a linkage cannot be met
    STI_FILE_ERROR,          // a file could not be written, read, or is damaged
    STI_INTERRUPTED,         // the caller interrupted it; the state is the last good one
    STI_RUNS_AWAY,           // energy grows far beyond what start, inputs and gravity gave
    STI_STATUS_COUNT
} StiStatus;

// One short sentence, never NULL.
STI_API const char *sti_status_text(StiStatus status);

typedef enum StiSeverity { STI_NOTE, STI_WARNING, STI_ERROR } StiSeverity;

typedef struct StiFinding {
    StiSeverity severity;
    char component[64]; // name given by the user, "" for the plan itself
    char parameter[64]; // field name, "" where none applies
    double value;       // the offending value; NaN where none applies
    char text[256];     // what is wrong and what would be right
} StiFinding;

typedef struct StiReport StiReport;

// NULL without memory; destroying NULL is allowed. Findings are the report's own and live until it is
// cleared or destroyed; in the order in which they were found, NULL past the last.
STI_API StiReport *sti_report_create(void);
STI_API void sti_report_destroy(StiReport *report);
STI_API void sti_report_clear(StiReport *report);
STI_API int sti_report_count(const StiReport *report);
STI_API int sti_report_error_count(const StiReport *report);
STI_API const StiFinding *sti_report_finding(const StiReport *report, int index);

// Adds one finding; text is a printf format. A NULL report is allowed and drops it.
STI_API void sti_report_add(StiReport *report, StiSeverity severity, const char *component,
                            const char *parameter, double value, const char *text, ...)
    __attribute__((format(printf, 6, 7)));

// Writes "error: block.mass = -1: ..." lines; returns the length needed, as snprintf does.
STI_API size_t sti_report_print(const StiReport *report, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
