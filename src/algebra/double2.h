// Private: two numbers that are worked on at once, as every processor of today can; + - * act on both,
// and a single number goes with both. GCC and clang know such types; each of the two gets the same
// bits as if it were alone.
#ifndef STICTION_SRC_ALGEBRA_DOUBLE2_H
#define STICTION_SRC_ALGEBRA_DOUBLE2_H

#include "algebra/spatial.h"

// Aligned to 16 bytes; lies in memory like double[2] and may be read as such.
typedef double StiDouble2 __attribute__((vector_size(16), may_alias));

// Two wrenches, component by component.
typedef struct StiWrench2 {
    StiDouble2 fx, fy, fz, mx, my, mz;
} StiWrench2;

static inline StiDouble2 sti_double2_dot(StiVec3 s, StiDouble2 x, StiDouble2 y, StiDouble2 z)
{
    return s.x * x + s.y * y + s.z * z;
}

// |wrench|^2, forces and moments alike: no unit, only a size.
static inline StiDouble2 sti_wrench2_square(const StiWrench2 *P)
{
    return (P->fx * P->fx + P->fy * P->fy + P->fz * P->fz) +
           (P->mx * P->mx + P->my * P->my + P->mz * P->mz);
}

// P - share U
static inline void sti_wrench2_less(StiWrench2 *P, StiDouble2 share, const StiWrench *U)
{
    P->fx -= share * U->force.x;
    P->fy -= share * U->force.y;
    P->fz -= share * U->force.z;
    P->mx -= share * U->moment.x;
    P->my -= share * U->moment.y;
    P->mz -= share * U->moment.z;
}

// d: from the new origin to the one that the wrenches belong to.
static inline void sti_wrench2_shift(StiWrench2 *P, StiVec3 d)
{
    P->mx += d.y * P->fz - d.z * P->fy;
    P->my += d.z * P->fx - d.x * P->fz;
    P->mz += d.x * P->fy - d.y * P->fx;
}

#endif
