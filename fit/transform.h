// Private: bounds kept by transformations: the search moves u without bounds, the parameter x stays within its own.
#ifndef STICTION_FIT_TRANSFORM_H
#define STICTION_FIT_TRANSFORM_H

#include "stiction/scene.h"

typedef enum TransformType {
    TRANSFORM_PLAIN,  // x = centre + scale u
    TRANSFORM_ABOVE,  // x = least + scale (sqrt(1 + u^2) - 1)
    TRANSFORM_BELOW,  // x = most - scale (sqrt(1 + u^2) - 1)
    TRANSFORM_WITHIN, // x = least + (most - least) (1 + sin u)/2
    TRANSFORM_LOG     // the same of the logarithms
} TransformType;

typedef struct Transform {
    TransformType type;
    double least, most, centre, scale;
} Transform;

// Where a start lies on a bound, the search has no slope: it is moved inside. scale: of changes that matter, > 0.
Transform transform_of(double least, double most, double start, double scale);
double transform_value(const Transform *transform, double u);
double transform_inverse(const Transform *transform, double x);
// A point of the range, share from 0 to 1; without bounds around the centre.
double transform_share(const Transform *transform, double share);
// What the whole range is, or for parameters without bounds: of changes that matter.
double transform_width(const Transform *transform, double x);
bool transform_at_bound(const Transform *transform, double x);

#endif
