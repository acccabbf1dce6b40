#include "stiction/status.h"

static const char *const texts[STI_STATUS_COUNT] = {
    [STI_OK] = "no error",
    [STI_OUT_OF_MEMORY] = "out of memory",
    [STI_BAD_ARGUMENT] = "bad argument",
    [STI_BAD_PLAN] = "the plan does not compile; the report says why",
    [STI_NOT_FINITE] = "a value is not finite",
    [STI_LEVEL_VANISHED] = "the friction level vanished while sliding; the method rule or the model's stiff form goes on",
    [STI_NO_CONTINUOUS_LIMIT] = "the model has no continuous-time form; it needs a step",
    [STI_LOADS_UNSETTLED] = "the loads did not settle",
    [STI_REACTIONS_UNSOLVED] = "the reactions did not converge together",
    [STI_NO_SOLUTION] = "there is no solution here (stiction explain painleve)",
    [STI_STEP_TOO_SMALL] = "the tolerance cannot be met, however small the step",
    [STI_EVENTS_ACCUMULATE] = "stick and slip follow each other ever faster: events accumulate",
    [STI_NO_MODES] = "no choice of stick and slip fits the accelerations here",
    [STI_LAYOUT_MISMATCH] = "the state belongs to a network of another layout",
    [STI_SEVERAL_SOLUTIONS] =
        "the loads have more than one solution here (stiction explain painleve)",
    [STI_CONSTRAINTS_UNMET] = "the constraints of the linkage cannot be met here",
    [STI_FILE_ERROR] = "the file could not be written or read, or is damaged",
    [STI_INTERRUPTED] = "interrupted",
    [STI_RUNS_AWAY] =
        "energy grows and nothing gives it: a smaller step or another method is needed",
};

const char *sti_status_text(StiStatus status)
{
    if ((int)status < 0 || status >= STI_STATUS_COUNT) return "unknown status";
    return texts[status];
}
