// Private: verbs that several kinds of shapes share.
#ifndef STICTION_SRC_SHAPE_VERBS_H
#define STICTION_SRC_SHAPE_VERBS_H

#include "stiction/shape.h"

// A core without extent at the origin.
StiVec3 sti_point_support(const StiShape *shape, StiVec3 direction);
int sti_point_corners(const StiShape *shape, StiVec3 direction, StiCorner *corners);
int sti_point_vertices(const StiShape *shape, StiVec3 *vertices);
void sti_point_patch(const StiShape *shape, StiVec3 direction, StiPatch *patch);

bool sti_point_surface(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface);

// A point is at the border of a face, or two normals are the same, if they differ by less than this
// part of the size, or angle (rad).
#define STI_BORDER 1e-7

// A face looks away from a direction if the cosine to its normal is below minus this.
#define STI_AWAY 0.7

double sti_rounding_none(const StiShape *shape);
double sti_rounding_radius(const StiShape *shape);

void sti_shape_check_size(const StiCheck *check, const char *name, double size);

#endif
