// Private: points of a shape on side a against a plane on side b. The plane's frame has its origin
// in the plane and axes (tangent 1, tangent 2, normal).
#ifndef STICTION_SRC_WIRE_PLANE_H
#define STICTION_SRC_WIRE_PLANE_H

#include "algebra/attitude.h"
#include "wire/end.h"

// A plane of the world, as the end b of a wire.
StiEnd sti_plane_end(StiVec3 point, StiVec3 normal);

// arm: from the origin of link a to the contact point, world axes. The velocity is that of a there,
// relative to the material of b at the same place.
void sti_plane_sense(const StiFrame *plane, const StiSide *a, const StiSide *b, StiVec3 arm,
                     double *x, double *v);

// The force acts on both sides at the same place: what a loses b receives.
void sti_plane_apply(const StiWire *wire, const StiFrame *plane, const StiSide *a, const StiSide *b,
                     StiVec3 arm, const double *u, const StiForce *force_a,
                     const StiForce *force_b);

// Radius and edges: finite and 0 or more.
void sti_plane_check_shape(const StiWire *wire, const StiCheck *check);

#endif
