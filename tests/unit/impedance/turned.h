// Vectors of one to three components turned by a random rotation (an angle in the plane, a sign in
// one dimension).
#ifndef STICTION_TESTS_TURNED_H
#define STICTION_TESTS_TURNED_H

#include "support/random.h"
#include "stiction/vector.h"

static inline StiQuat random_turn(Random *random, int dim)
{
    if (dim == 1)
        return random_below(random, 2) ? STI_QUAT_IDENTITY : (StiQuat){0.0, 0.0, 0.0, 1.0};
    StiVec3 r = {0.0, 0.0, random_between(random, -3.0, 3.0)};
    if (dim == 3) r = sti_vec3(random_between(random, -2, 2), random_between(random, -2, 2), r.z);
    return sti_quat_exp(r);
}

static inline void turn(StiQuat q, int dim, const double *in, double *out)
{
    double full[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < dim; ++i) full[i] = in[i];
    const StiVec3 turned = sti_quat_rotate(q, sti_vec3(full[0], full[1], full[2]));
    full[0] = turned.x, full[1] = turned.y, full[2] = turned.z;
    for (int i = 0; i < dim; ++i) out[i] = full[i];
}

static inline double length(int dim, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

static inline void random_vector(Random *random, int dim, double size, double *x)
{
    for (int i = 0; i < dim; ++i) x[i] = random_between(random, -size, size);
}

#endif
