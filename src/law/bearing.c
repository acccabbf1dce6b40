#include "stiction/bearing.h"

#include <math.h>

bool sti_bearing_given(const StiBearing *bearing)
{
    return bearing->radial_radius > 0.0 || bearing->axial_radius > 0.0 ||
           bearing->moment_ratio > 0.0;
}

static StiVec3 across(StiVec3 axis, StiVec3 a)
{
    return sti_vec3_sub(a, sti_vec3_scale(sti_vec3_dot(a, axis), axis));
}

double sti_bearing_load(const StiBearing *bearing, StiVec3 axis, StiVec3 force, StiVec3 moment)
{
    if (!sti_bearing_given(bearing)) return sti_vec3_norm(force);
    return bearing->radial_radius * sti_vec3_norm(across(axis, force)) +
           bearing->axial_radius * fabs(sti_vec3_dot(axis, force)) +
           bearing->moment_ratio * sti_vec3_norm(across(axis, moment));
}
