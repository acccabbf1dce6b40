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

// Bodies and rows of an island of these nodes of the caller. Few nodes of a block by sides, and blocks
// with W, need none: then island->bodies is 0.
void sti_bodies_gather(const StiBlock *block, const int *nodes, int count, Island *island);
// The same of few nodes, too.
void sti_bodies_gather_all(const StiBlock *block, const int *nodes, int count, Island *island);

// ---- velocities, per slot of a node
// Of bodies under forces of all nodes; then those of one node more.
void sti_bodies_push(Island *island, const double *f);
void sti_bodies_push_one(Island *island, int i, const double *f);
// v += what node i feels of them.
void sti_bodies_feel(const Island *island, int i, double *v);
// v = c + W f.
void sti_bodies_velocity(Island *island);

// ---- equations
// All 0; then node after node; then the factor. False: there is none.
void sti_bodies_clear(Island *island);
bool sti_bodies_add(Island *island, int i, const NodeEquations *equations);
bool sti_bodies_factor(Island *island);
// x: r of all unknowns, becomes df.
void sti_bodies_solve(const Island *island, double *x);

// See sti_block_shift: one island of it.
bool sti_bodies_shift(const StiBlock *block, const int *nodes, int count, const StiBlockMode *mode,
                      const double *shift, double least, Island *island, double *f);

#endif
