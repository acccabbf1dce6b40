// Private: the equations of a step in the velocities of bodies instead of the forces of rows: a body
// has six of them, however often it is touched.
#ifndef STICTION_SRC_CONE_BY_BODIES_H
#define STICTION_SRC_CONE_BY_BODIES_H

#include "cone/island.h"

// Of node i, with `unknowns` forces df and dv of its slots:  A df + B dv = r.
typedef struct NodeEquations {
    double A[3][3]; // unknown by unknown
    double B[3][3]; // unknown by slot
    double gain;    // 1, or what rows are scaled with, beside
    double by[3];   // of each slot
} NodeEquations;

// The bodies of the island's nodes, if that is known and fewer numbers than its rows.
void sti_bodies_gather(const StiBlock *block, Island *island);

// Where the numbers of the factor lie, all 0; then node after node; then the factor. False: there is none.
void sti_bodies_clear(Island *island);
bool sti_bodies_add(Island *island, int i, const NodeEquations *equations);
bool sti_bodies_factor(Island *island);
// x: r of all unknowns, becomes df.
void sti_bodies_solve(const Island *island, double *x);

#endif
