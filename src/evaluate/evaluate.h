// Private: the lines of [modular] (13) that both steps share.
#ifndef STICTION_SRC_EVALUATE_EVALUATE_H
#define STICTION_SRC_EVALUATE_EVALUATE_H

#include "rows/reactions.h"
#include "rows/rows.h"

// Newton's method for the loads that elements listen to (load_search.c), where the plain iteration is
// slow or goes away: N + f(N) is what the forces under the loads N give.
enum { LOAD_SECANTS = 4 };
typedef struct LoadSearch {
    enum { LOADS_PLAIN, LOADS_PROBED, LOADS_TRIED } phase;
    int *heard; // the loads in question
    int count;
    bool possible;  // there is room for slopes
    bool failed;    // once in this iteration: from then on it is plain
    double ratio;   // the contraction factor that led here
    double largest; // of all iterations so far
    double *N, *f;  // the best so far
    double *change; // Newton's
    double *slope;  // df/dN, factored
    int *pivots;
    bool mixed;                // the loads that were tried last came from secants
    int past;                  // iterations remembered, the latest first ...
    double *past_N, *past_G;   // ... the loads they assumed, and those they gave
    double *mixed_F, *mixed_G; // their differences, to work in (load_secants.c)
    double *resume;            // all loads, where the plain iteration goes on if this fails
    double share, length;      // of the change that is tried; of a difference
    int column, steps;
} LoadSearch;

// Loads, and what elements feel of the motion.
typedef struct EvaluateData {
    double *wire_rate;     // rates of the velocities of the wires that carry modes, and ...
    double *wire_drift;    // ... the part of it that no force makes
    double *new_loads;     // that the forces at hand give
    double *start_loads;   // of the state, to return to
    double *start_s;       // of the state, where impedances listen to loads
    double *load_friction; // by load: friction per unit of it, for a body that classifies solutions
    double *kept_u;        // forces, while a body looks at the case without friction, and ...
    double *kept_generalized; // ... what they are for the bodies, ...
    StiWrench *kept_wrenches;
    double *kept_ydot;     // ... rates of memory that nothing uses
    const double *modes;   // s under which forces are computed; NULL: found together with forces
    int load_growths;      // how often the loads went further away in this iteration
    int load_stalls;       // how often they did so by no more than rounding
    bool loads_chosen; // the next evaluation is under loads that need not be those that it gives
    bool gave_up;      // in this step the loads did not settle, and the network goes on
    bool *held;        // links on which a reaction sticks
    double *acting; // where bodies return to constraints: x just before; reactions act with its v
    double load_change; // of the previous iteration
    double first_load_change;
    LoadSearch load_search;
} EvaluateData;

EvaluateData *sti_evaluate_take(StiArena *arena, const StiNetwork *network);

// Checks that state and scratch belong to the network; clears fault and figures.
StiStatus sti_step_begin(const StiNetwork *network, const double *inputs, const StiState *state,
                         StiScratch *scratch);

// A new state knows no modes. What moves when a run starts does not stick: its static level does not
// act. Velocities of the wires are in now.
void sti_modes_at_start(const StiNetwork *network, const StageData *now, double *s);

// Time functions and inputs at the stage's time, and the signals of motion sources.
StiStatus sti_sources(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      StageData *now);
// The same from another stage of the same time.
void sti_sources_again(const StiNetwork *network, const StageData *from, StageData *now);
// u, ydot = I(xhat, y; tau), each after those it listens to.                          (22)
StiStatus sti_impedances(const StiNetwork *network, const double *s, StiScratch *scratch,
                         StageData *now);
// xdot = A(x, uhat); the loads that come out are kept apart until they are compared.  (13g)
StiStatus sti_admittances(const StiNetwork *network, StiScratch *scratch, StageData *now);
// One of them.
StiStatus sti_admittance(const StiNetwork *network, StiScratch *scratch, StageData *now, int i);
// The same without robots, for solvers that have a recursion of their own for them.
StiStatus sti_admittances_but_robots(const StiNetwork *network, StiScratch *scratch,
                                     StageData *now);

// The same with velocities that friction holds: scratch->holding says which, and takes what that needs.
StiStatus sti_admittances_held(const StiNetwork *network, StiScratch *scratch, StageData *now);

// Do the loads differ from those that the forces assumed? Then they take new values and the forces must
// be computed again. *status: STI_LOADS_UNSETTLED when the iteration does not end. loads.c
bool sti_loads_moved(const StiNetwork *network, StiScratch *scratch, StageData *now,
                     int *iterations, StiStatus *status);

// The iteration on the loads does not end: the fault says why and names the load (painleve.c). Where the
// network goes on all the same, the loads return to what they were when the step began, and true: the
// forces must be computed once more. So they do where all sticks: the loads under which joints share what
// holds them are then those of the start of the step.
bool sti_loads_given_up(const StiNetwork *network, StiScratch *scratch, StageData *now, int worst,
                        StiStatus *status);

// Does the body that has this load know that there is exactly one solution?
bool sti_loads_unique(const StiNetwork *network, StiScratch *scratch, StageData *now, int worst);

// The loads settled, but only after they had gone away: a step that ends in a sudden stop hides that sliding
// itself has no solution. STI_OK where it has one, or where the network goes on.
StiStatus sti_loads_suspect(const StiNetwork *network, StiScratch *scratch, StageData *now,
                            int worst);

// Signals at the end of the step, into scratch->end: time functions at t(k+1), the loads and forces of
// the last stage.
void sti_signals_at_end(const StiNetwork *network, StiScratch *scratch, const StageData *last);

// Bodies with constraints put the new positions and velocities back on them. constrain.c
StiStatus sti_constrain(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                        const StageData *last);

// The same where something came to rest within the step: what sticks stays where it has stopped.
StiStatus sti_constrain_after_events(const StiNetwork *network, StiScratch *scratch,
                                     const StageData *last);

// The same for positions and velocities at hand, with the signals in scratch->end.
StiStatus sti_constrain_values(const StiNetwork *network, StiScratch *scratch, double *values);

// The same for the velocities in scratch->next alone, at the positions there: rows of reactions that move
// together must agree on their free velocity, or sticking has no solution.
void sti_constrain_velocities(const StiNetwork *network, StiScratch *scratch, const StageData *now);

// Discrete memory of the impedances at the end of the step, from the motion there.
void sti_settle_impedances(const StiNetwork *network, StiScratch *scratch, const StageData *last);

// All numbers of the new state finite? If so they become the state, else the fault names the
// culprit.
StiStatus sti_step_commit(const StiNetwork *network, StiState *state, StiScratch *scratch,
                          const StiStage *stage);

#endif
