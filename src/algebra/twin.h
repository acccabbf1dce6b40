// Private: two numbers that are worked on at once, as every processor of today can; + - * act on both,
// and a single number goes with both. GCC and clang know such types; each of the two gets the same
// bits as if it were alone.
#ifndef STICTION_SRC_ALGEBRA_TWIN_H
#define STICTION_SRC_ALGEBRA_TWIN_H

#include "algebra/spatial.h"

// Aligned to 16 bytes; lies in memory like double[2] and may be read as such.
typedef double StiTwin __attribute__((vector_size(16), may_alias));

// Two wrenches, component by component.
typedef struct StiWrenchTwin {
    StiTwin fx, fy, fz, mx, my, mz;
} StiWrenchTwin;

static inline StiTwin sti_twin_dot(StiVec3 s, StiTwin x, StiTwin y, StiTwin z)
{
    return s.x * x + s.y * y + s.z * z;
}

// |wrench|^2, forces and moments alike: no unit, only a size.
static inline StiTwin sti_wrench_twin_square(const StiWrenchTwin *P)
{
    return (P->fx * P->fx + P->fy * P->fy + P->fz * P->fz) +
           (P->mx * P->mx + P->my * P->my + P->mz * P->mz);
}

// P - share U
static inline void sti_wrench_twin_less(StiWrenchTwin *P, StiTwin share, const StiWrench *U)
{
    P->fx -= share * U->force.x;
    P->fy -= share * U->force.y;
    P->fz -= share * U->force.z;
    P->mx -= share * U->moment.x;
    P->my -= share * U->moment.y;
    P->mz -= share * U->moment.z;
}

// d: from the new origin to the one that the wrenches belong to.
static inline void sti_wrench_twin_shift(StiWrenchTwin *P, StiVec3 d)
{
    P->mx += d.y * P->fz - d.z * P->fy;
    P->my += d.z * P->fx - d.x * P->fz;
    P->mz += d.x * P->fy - d.y * P->fx;
}

#endif
