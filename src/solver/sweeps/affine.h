// Private: what a step uses again while the geometry stands still. Where reactions act only on
// bodies with constraints (StiConstrainedMotion), one factor per step serves accelerations, W, the
// free velocity and the loads of every iteration; all of them are affine in the reactions' forces.
#ifndef STICTION_SRC_SOLVER_SWEEPS_AFFINE_H
#define STICTION_SRC_SOLVER_SWEEPS_AFFINE_H

#include "rows/reactions.h"

// What a unit resistance of each row does while the geometry stands still.
typedef struct AffineData {
    bool applies;
    double *force, *dv;                 // rows x generalized: the force itself, H^-1 times it
    StiResponseColumn *columns;         // of one body
    int *first, *last;                  // where the force of a row is not zero
    double *carried;                    // rows x constraint forces
    double *free_carried, *all_carried; // constraint forces under smooth forces; with reactions
} AffineData;

// Sets data->applies and takes memory where it does.
void sti_affine_take(StiArena *arena, const StiNetwork *network, AffineData *data);

// Factors, columns of unit resistances, blocks of W.
StiStatus sti_affine_inertia(const StiNetwork *network, StiScratch *scratch);
// xdot and what constraints carry under the forces in now; bodies without constraints: eval.
StiStatus sti_affine_accelerate(const StiNetwork *network, StiScratch *scratch, StageData *now);
// Velocities in scratch->next back onto the constraints, and those of the rows that follow.
void sti_affine_free_rates(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// Loads under the smooth forces, in now, and the reactions' answers.
StiStatus sti_affine_loads(const StiNetwork *network, StiScratch *scratch, StageData *now);
// Adds to the velocities in scratch->next what the answers do within the step.
void sti_affine_advance(const StiNetwork *network, StiScratch *scratch);

#endif
