// Integration with error control in place of a step size: SUNDIALS, and the integrator of [dahl]. A
// library of its own (stiction_adaptive), on top of the core.
#ifndef STICTION_ADAPTIVE_H
#define STICTION_ADAPTIVE_H

#include "continuous.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiAdaptiveMethod {
    const char *name; // "dormand-prince", "bdf", ...
    const char *summary;
    int order;
    bool implicit;
    const StiExplanation *explanation;
} StiAdaptiveMethod;
// The method of this number, false past the last.
STI_API bool sti_adaptive_method(int number, StiAdaptiveMethod *method);

// Of the longest step a run may need no more than this many.
#define STI_MOST_ADAPTIVE_STEPS 1e12

typedef struct StiAdaptiveOptions {
    const char *method;  // NULL: "dormand-prince"
    double rtol, atol;   // 0: 1e-8, 1e-10
    double longest_step; // s; 0: a tenth of the whole time
    double stop;         // s, where the run ends: nothing is evaluated beyond it; 0: not known
    // At each event, after it: the modes of friction have changed. State and scratch are those of
    // the moment (k is the row's before it), for sti_recorder_sample_event. NULL: not wanted.
    void (*at_event)(void *context, double t, const StiState *state, const StiScratch *scratch);
    void *context;
} StiAdaptiveOptions;

// Follows one run. The times t_k of the network's step are those at which the state is reported, by
// dense output; steps are as long as the tolerances allow. Inputs may jump or have kinks at their
// declared breaks, and samplers act at the t_k: integration begins anew there. So it does where
// friction begins to stick or slip: reactions (not karnopp, quinn) and elements with modes.
typedef struct StiAdaptive StiAdaptive;
// NULL if the network has no continuous-time form or a number is wrong: the report says why. The
// network must outlive it.
STI_API StiAdaptive *sti_adaptive_create(const StiNetwork *network,
                                         const StiAdaptiveOptions *options, StiReport *report);
STI_API void sti_adaptive_destroy(StiAdaptive *adaptive);

// From t_k to t(k+1). A state that is not the one of the last call is followed from where it is.
STI_API StiStatus sti_adaptive_step(StiAdaptive *adaptive, const double *inputs, StiState *state,
                                    StiScratch *scratch);

// Since the beginning.
typedef struct StiAdaptiveFigures {
    long steps, failures; // accepted, and attempts that were not
    long evaluations;     // of all forces and rates, those for Jacobians included
    long jacobians;
    long restarts; // at breaks of inputs and at samples
    long events;   // stick and slip
} StiAdaptiveFigures;
// Counts of the run so far; zeros before the first step.
STI_API StiAdaptiveFigures sti_adaptive_figures(const StiAdaptive *adaptive);

#ifdef __cplusplus
}
#endif
#endif
