// What the friction of a joint that turns takes from its constraint forces.
#ifndef STICTION_BEARING_H
#define STICTION_BEARING_H

#include <stdbool.h>

#include "status.h"
#include "vector.h"

#ifdef __cplusplus
extern "C" {
#endif

// load = radial_radius |F across the axis| + axial_radius |F along it| + moment_ratio |M across it|, N m:
// friction is mu times that. Two journals of radius r a distance L apart share a moment as two forces
// M/L: moment_ratio = 2 r/L. All 0: the load is the size of the force, N.
typedef struct StiBearing {
    double radial_radius; // m
    double axial_radius;  // m
    double moment_ratio;  // 1
} StiBearing;

// Whether any of the three is above 0.
STI_API bool sti_bearing_given(const StiBearing *bearing);
// axis: of unit length; force and moment on one side of the joint, about a point of its axis.
STI_API double sti_bearing_load(const StiBearing *bearing, StiVec3 axis, StiVec3 force,
                                StiVec3 moment);

#ifdef __cplusplus
}
#endif
#endif
