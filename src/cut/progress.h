// Private: how far a step has come that is cut into pieces, and what changes there.
#ifndef STICTION_SRC_CUT_PROGRESS_H
#define STICTION_SRC_CUT_PROGRESS_H

#include "cut/substep.h"

static const double sti_at_break = 1e-9; // of the step: as good as at a break of the inputs

typedef struct Progress {
    const StiNetwork *network;
    const double *inputs;
    StiScratch *scratch;
    SubstepData *data;
    int cuts, halvings, stop_substeps, press_substeps;
    int most_cuts;  // beyond: what ends is taken together, where that is possible
    int taken_back; // releases that led nowhere
    int zeros;      // of loads, at which substeps ended
    double to;      // where the smooth stretch of the inputs ends
    bool dips;      // of margins within a piece are looked for
    bool to_break;  // the piece ends at a break of the inputs
} Progress;

// Stage 0 at the point, not evaluated yet.
void sti_progress_place(Progress *c);
// The smooth stretch of the inputs that begins here.
void sti_progress_take_stretch(Progress *c);

// Modes at the point: elastic ones are turned already; reactions at rest are decided here. known: the
// point is evaluated.
StiStatus sti_progress_decide_from(Progress *c, bool known);
StiStatus sti_progress_decide(Progress *c);
// Rows that have come to rest stand still from here on; then the same.
StiStatus sti_progress_settle(Progress *c);

// ---- progress_stops.c: friction in a plane that comes to rest
// The planar reaction that stops first, -1 if none does within this time; *time: when.
int sti_progress_first_to_stop(const Progress *c, double within, double *time);
// Is it as good as there, or were there too many pieces on the way?
bool sti_progress_stops_now(const Progress *c, int mode, StiStatus *status);
// The last, tiny stretch before a stop: constant acceleration.
StiStatus sti_progress_stop_now(Progress *c, int mode, double h);

// At most h: how long no velocity in a plane turns by much that passes zero closely, where friction turns fast.
double sti_progress_time_to_turn(const Progress *c, double h, StiStatus *status);

// ---- progress_presses.c: soft contacts and joint limits
// Where a steep one-sided spring is being pressed or let go, a substep that resolves it: h, or less. A few in a step.
double sti_progress_resolve_presses(Progress *c, double h);
// Modes of impedances whose margins at the point are gone are turned, and the point is decided again.
StiStatus sti_progress_turn_overdue(Progress *c);

// ---- progress_departures.c: friction in a plane that leaves rest
// What slips from rest on takes a first piece of at most h. False: nothing does, or no such piece was found.
bool sti_progress_depart(Progress *c, double h, StiStatus *status);

#endif
