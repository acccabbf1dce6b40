// Private: Jacobians by differences, with columns that share no row perturbed together (Curtis,
// Powell and Reid), so that a chain of bodies costs a few evaluations and not one per coordinate.
#ifndef STICTION_SRC_ADAPTIVE_JACOBIAN_H
#define STICTION_SRC_ADAPTIVE_JACOBIAN_H

#include "adaptive/ode.h"

typedef struct Jacobian {
    int groups;
    int *group;           // of each column
    double *y, *rate;     // perturbed
    double *perturbation; // of each column
} Jacobian;

bool jacobian_create(Jacobian *jacobian, const Ode *ode);
void jacobian_destroy(Jacobian *jacobian);
// J column by column, count x count. y and rate: where the Jacobian is wanted.
StiStatus jacobian_fill(Jacobian *jacobian, const Ode *ode, double t, const double *y,
                        const double *rate, double smallest, double *J, long *evaluations);

#endif
