// Steps. Nothing here allocates, prints, reads a clock or touches a global.
#ifndef STICTION_STEP_H
#define STICTION_STEP_H

#include "network.h"

#ifdef __cplusplus
extern "C" {
#endif

// Memory of one step; can be thrown away between steps without effect. One per thread.
typedef struct StiScratch StiScratch;
// NULL without memory. The network must outlive it; destroying NULL is allowed.
STI_API StiScratch *sti_scratch_create(const StiNetwork *network);
STI_API void sti_scratch_destroy(StiScratch *scratch);
// Asked at every evaluation, and often while many rows are solved together: true ends the step with
// STI_INTERRUPTED, the state as it was. NULL, as at first: never.
STI_API void sti_scratch_watch(StiScratch *scratch, bool (*interrupted)(void *context),
                               void *context);

// One step of length T of any network, by the method and solver that it was compiled with: the
// Runge-Kutta scheme that hands each stage its tau [modular] (13)(22); with reactions or contacts one
// evaluation per step and all of them resolved together [fixed-step] (17); or substeps between the
// changes of stick and slip (cut). Networks for error control take theirs with sti_adaptive_step.
// inputs: sti_network_input_count numbers, or NULL for the usual ones. On any status but STI_OK the
// state is as it was, and the fault of the scratch says why.
STI_API StiStatus sti_step(const StiNetwork *network, const double *inputs, StiState *state,
                           StiScratch *scratch);
// count steps with the same inputs; ends early, with the state of the last good step, where one fails.
STI_API StiStatus sti_run(const StiNetwork *network, const double *inputs, StiState *state,
                          StiScratch *scratch, int64_t count);

// Warns where the step of the whole network makes small motions grow, and a finer one does not: what is stable
// element by element need not be together. Looks around the start, at rest and in motion, by some hundred steps;
// of large networks a note says that it was not looked at. plan: the one that the network was compiled from.
STI_API StiStatus sti_network_check_stability(const StiPlan *plan, const StiNetwork *network,
                                              StiReport *report);

// Warns of gains of pid and servo elements that cannot be stable with their period and the inertia at the start, with numbers.
STI_API StiStatus sti_network_check_start(const StiNetwork *network, StiReport *report);

typedef struct StiFault {
    StiStatus status;
    const char *component; // its name; lives as long as the network
    const char *what;      // "input", "force", "acceleration", ...
    double t;              // s
    int64_t k;
} StiFault;
// Of the last step that was tried with this scratch; STI_OK where it went well. The scratch's own.
STI_API const StiFault *sti_scratch_fault(const StiScratch *scratch);

// Since the beginning of a run, where an integrator with error control follows it (continuous.h).
typedef struct StiIntegratorFigures {
    double steps, failures; // accepted, and attempts that were not
    double evaluations;
    double events; // stick and slip
} StiIntegratorFigures;

// About the last step.
typedef struct StiStepFigures {
    int load_iterations;     // the largest over the stages; 0 without loads
    double load_residual;    // relative, at the end
    double load_contraction; // of the last two iterations; the largest where they do not settle
    int load_newton; // Newton steps, where it contracts slowly or not; 0: it alone was enough
    StiStatus loads_gave_up;  // go on: why the loads did not settle; STI_OK where they did
    int limit_rounds;         // few rows under constant limits, not all sliding: 1 all stick, 2 mixed
    int sweeps;               // over the reactions
    double reaction_residual; // m/s, largest change of a row in the last sweep
    int releases;             // STICK -> SLIP under static friction
    int several;              // elements whose law had several solutions (16b)
    StiIntegratorFigures integrator;
    // Of the solver `coupled`:
    int trials;              // of modes of the joints
    int block_iterations;    // solves of all contacts and nodes together
    int joint_rows;          // joints that could not decide and were solved with the contacts
    int points;              // of contact, closed
    int points_lost;         // that found no room: the capacity of a contact is too small
    int steep;               // trials of joints whose friction falls faster than inertia allows
    int unsettled_joints;    // whose modes or levels did not agree when the trials were used up
    int unsolved;            // groups of contacts without an answer: solved without friction
    const char *unsolved_at; // a component of the worst of them; "" if none
    int soft;                // groups of contacts with an answer for slightly soft rows only
    double creep;            // of what should hold in them, relative to the speeds that are stopped
    double reaction_power;   // W, of all reactions and contacts at the end of the step; <= 0
    int unended_sequences;   // impacts one after the other that did not come to an end
    double restitution_share; // of what was asked for; below 1 where it would have made energy
    int substeps;             // tried, where the method cuts the step
    int events;               // changes of stick and slip within it
    int fallbacks;            // 1 where the rest of the step was not cut further
    int together;    // pieces in which many joints changed and were taken together, not cut
    int evaluations; // of the whole network with its modes fixed
} StiStepFigures;
// A copy of them; zeros before the first step.
STI_API StiStepFigures sti_scratch_figures(const StiScratch *scratch);

#ifdef __cplusplus
}
#endif
#endif
