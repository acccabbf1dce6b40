// Private: one run that is followed, and its events.
#ifndef STICTION_SRC_ADAPTIVE_FOLLOW_H
#define STICTION_SRC_ADAPTIVE_FOLLOW_H

#include "adaptive/ode.h"
#include "stiction/adaptive.h"

// Numbers of the integrator: those of the network, then the sums of what its reactions carry (all
// under error control), then works.
struct StiAdaptive {
    const StiNetwork *network;
    Ode ode;
    OdeSolver *solver;
    bool *depends;
    double *values; // at the last time that was reported: the integrator's numbers
    double *works, *sums_before;
    double *before; // the same before they were put on the constraints
    double stop, span;
    double rtol, atol;
    StiSmoothInterval piece; // where no input jumps, not beyond the end of the run
    StiState *now;           // modes and other discrete memory between rows
    int64_t k;               // of the state that was left, -1: none yet
    uint64_t left;           // its hash
    bool sampled; // samplers acted at the end of the last row: integration is to begin anew
    long restarts;
    // stick and slip
    int modes;
    StiMargin *margins, *later;
    double *lifts;  // what margins get so that each begins above zero and is seen to pass it
    double *doubts; // how far above, of its scale: more with each end while time stands still
    double *rates, *ahead;     // to see margins change
    int *directions, *watched; // of zeros: found, and looked for
    bool *ended, *wrong;       // wrong: let go against their own direction
    StiState *modes_before;    // an event
    double *mark, marked;      // where the integrator was last put, and when
    bool blind;                // events are not looked for
    double went_back;          // the time up to which a part was repeated to find what was missed
    long events;
    double still_from;         // time hardly moves on from here
    long turns, events_of_row; // since then; within the row
    void (*at_event)(void *context, double t, const StiState *state, const StiScratch *scratch);
    void *context;
    double row_end; // events are not looked for beyond it
    // for the evaluations of one call
    const double *inputs;
    StiScratch *scratch;
};

bool follow_events_take(StiAdaptive *a);
void follow_events_release(StiAdaptive *a);
// Margins, then their rates of change: the functions whose zeros the integrator looks for.
void follow_roots(void *context, double t, const double *y, double *g);
// The values were changed from outside, and the integrator is to begin anew: modes that are over now.
StiStatus follow_overdue(StiAdaptive *a, double t);
// How long, at the present deceleration, until something stops that slips in a plane (*mode);
// infinite if nothing does.
double follow_time_to_stop(StiAdaptive *a, double t, int *mode);
// This mode ends now: it stops within less than any step.
StiStatus follow_stop(StiAdaptive *a, int mode, double *t, double end);
// No integrator can make a step from one to the other.
bool follow_is_close(double from, double to);
void follow_mark(StiAdaptive *a, double t);
// The integrator begins at t: whatever is at the end of its mode or beyond is watched from there on.
void follow_lift(StiAdaptive *a, double t);
// Once for each turn of a loop, with the cost of it: does time stand still?
bool follow_stands_still(StiAdaptive *a, double t, int cost);
// The integrator met a zero at *t: an event, then handled, with the integrator to begin anew there
// (*handled); or nothing of importance. end: of the row.
StiStatus follow_zero(StiAdaptive *a, double *t, double end, bool *handled);

#endif
