// A random closed path in up to three dimensions, as a function of time for a motion or a force.
#ifndef STICTION_TESTS_CLOSED_PATH_H
#define STICTION_TESTS_CLOSED_PATH_H

#include <math.h>

#include "support/random.h"

enum { WAVES = 4 };

typedef struct ClosedPath {
    int dim;
    double period;
    double amplitude[3][WAVES], phase[3][WAVES];
} ClosedPath;

static inline ClosedPath closed_path(Random *random, int dim, double size, double period)
{
    ClosedPath path = {.dim = dim, .period = period};
    for (int i = 0; i < dim; ++i)
        for (int k = 0; k < WAVES; ++k) {
            path.amplitude[i][k] = size * random_between(random, -1.0, 1.0) / (k + 1);
            path.phase[i][k] = random_between(random, 0.0, 6.283185307179586);
        }
    return path;
}

static inline void path_at(const ClosedPath *path, double t, double *x, double *v)
{
    for (int i = 0; i < path->dim; ++i) {
        x[i] = v[i] = 0.0;
        for (int k = 0; k < WAVES; ++k) {
            const double w = 6.283185307179586 * (k + 1) / path->period,
                         angle = w * t + path->phase[i][k];
            x[i] += path->amplitude[i][k] * sin(angle);
            v[i] += path->amplitude[i][k] * w * cos(angle);
        }
    }
}

// As a time function: x[dim] and v[dim] for a motion, x[dim] alone for a force.
static inline void path_motion(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const ClosedPath *path = data;
    path_at(path, t, values, values + path->dim);
}
static inline void path_force(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    double rate[3];
    path_at(data, t, values, rate);
}

#endif
