// Private: Newton's method for loads under friction that depends on them.
#ifndef STICTION_SRC_EVALUATE_LOAD_SEARCH_H
#define STICTION_SRC_EVALUATE_LOAD_SEARCH_H

#include "evaluate/evaluate.h"

typedef struct LoadChange {
    double most, size; // of the loads that are listened to: largest difference, largest load
    int worst;         // the load that changes most
    bool small;        // no more than rounding may make
    bool settled;
} LoadChange;

// Remembers an iteration; returns how much further apart the loads are that came out of the last
// two than those that went in. 0 for the first.
double sti_load_secants_note(StiScratch *scratch, const StageData *now);
// The next loads, from all iterations remembered.
void sti_load_secants_mix(const StiScratch *scratch, StageData *now);

void sti_load_search_take(StiArena *arena, const StiNetwork *network, LoadSearch *search);
void sti_load_search_clear(LoadSearch *search);
// From the loads in now, with those that the forces gave in scratch->evaluate->new_loads: sets the loads to
// try next. Where this cannot be done, the plain iteration goes on.
void sti_load_search_begin(const StiNetwork *network, StiScratch *scratch, StageData *now,
                           const LoadChange *change);
// The loads of another trial; false: found, they are in now. Where the search fails the plain
// iteration goes on from where it was.
bool sti_load_search_continue(const StiNetwork *network, StiScratch *scratch, StageData *now,
                              const LoadChange *change);

// With modes given: what sticks leaves the motion of a body (NULL: of all) no choice, whatever its loads.
bool sti_load_all_stick(const StiNetwork *network, const StiScratch *scratch, const Admittance *a);
// Velocities of a body that say where its friction points: its own; at rest those that it would take up.
// With modes given those of its rows are in scratch->beside. NULL: not known.
const double *sti_load_directions(const StiNetwork *network, StiScratch *scratch,
                                  const StageData *now, const Admittance *a);

#endif
