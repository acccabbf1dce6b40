// Private: the rest of a step that is not cut further, by sweeps over its rows.
#ifndef STICTION_SRC_CUT_FALLBACK_H
#define STICTION_SRC_CUT_FALLBACK_H

#include "cut/substep.h"
#include "scratch/scratch.h"

typedef struct Sweep {
    const StiNetwork *network;
    StiScratch *scratch;
    SubstepData *data;
    double h;
    int rows;
    double change, scale;
    bool steep;   // some law is: the forces of the start are no guide
    bool leaping; // forces are beyond what they will be: nothing is released
} Sweep;

// The force of a row, and with it the velocities of all.
void sti_fallback_change_force(Sweep *w, int row, double change);

// ---- fallback_one_sided.c: soft contacts and joint limits, from their first row on
StiStatus sti_fallback_sweep_one_sided(Sweep *w, int first);
// Where a row pushes and holds, its force is linear: f (1/Z) = v + k/Z.
bool sti_fallback_is_pressed(const Sweep *w, int row, double *compliance, double *carried);

#endif
