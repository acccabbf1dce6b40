// Random inertias and velocities for property tests. Include after cmocka.h.
#ifndef STICTION_TESTS_UNIT_REACTION_PROBLEMS_H
#define STICTION_TESTS_UNIT_REACTION_PROBLEMS_H

#include "../../support/random.h"
#include "stiction/reaction.h"

// The problem points into the arrays.
typedef struct Problem {
    double W[9], v[3], vbar[3], load;
    StiReactionProblem view;
} Problem;

static inline double dot(int dim, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += a[i] * b[i];
    return sum;
}
static inline double norm(int dim, const double *a) { return sqrt(dot(dim, a, a)); }

// W = J J^T with this many columns: singular if there are fewer than dim; else the condition stays
// below about 1e10, so that no eigenvalue is taken for rounding.
static inline void random_inertia(Random *random, int dim, int columns, double *W)
{
    double J[3][3];
    for (int k = 0; k < columns; ++k) {
        const double size = random_decades(random, 1e-2, 10.0);
        for (int i = 0; i < dim; ++i) J[i][k] = size * random_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j) W[dim * i + j] = dot(columns, J[i], J[j]);
    const double floor = columns < dim ? 0.0 : 1e-10 * norm(dim * dim, W);
    for (int i = 0; i < dim; ++i) W[(dim + 1) * i] += floor;
}

static inline void point_views(Problem *problem, int dim, double T)
{
    problem->view = (StiReactionProblem){.dim = dim,
                                         .T = T,
                                         .W = problem->W,
                                         .v = problem->v,
                                         .vbar = problem->vbar,
                                         .signals = &problem->load};
}

// Regular, singular, isotropic or zero W.
static inline void random_problem(Random *random, int dim, Problem *problem)
{
    const int shape = random_below(random, 10);
    *problem = (Problem){.load = random_between(random, -4.0, 4.0)};
    if (shape < 7)
        random_inertia(random, dim, dim, problem->W);
    else if (shape == 7)
        random_inertia(random, dim, 1, problem->W);
    else if (shape == 8)
        for (int i = 0; i < dim; ++i) problem->W[(dim + 1) * i] = 1.0 / 3.0;
    const double size = random_decades(random, 1e-4, 1.0);
    for (int i = 0; i < dim; ++i) {
        problem->v[i] = random_between(random, -1.0, 1.0);
        problem->vbar[i] = size * random_between(random, -1.0, 1.0);
    }
    point_views(problem, dim, random_decades(random, 1e-4, 1e-1));
}

// v = vbar - T W r, as a network computes it.
static inline void velocity_after(const StiReactionProblem *problem, const double *r, double *v)
{
    for (int i = 0; i < problem->dim; ++i)
        v[i] = problem->vbar[i] - problem->T * dot(problem->dim, problem->W + problem->dim * i, r);
}

// What rounding can do to that velocity.
static inline double velocity_rounding(const StiReactionProblem *problem, const double *r)
{
    const int dim = problem->dim;
    const double W = norm(dim * dim, problem->W);
    return 4e-15 * (norm(dim, problem->vbar) + problem->T * W * norm(dim, r));
}

#endif
