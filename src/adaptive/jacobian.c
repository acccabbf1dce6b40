#include "adaptive/jacobian.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool depends(const Ode *ode, int row, int column)
{
    return ode->depends == NULL || ode->depends[row * ode->count + column];
}

static bool share_a_row(const Ode *ode, int a, int b)
{
    for (int i = 0; i < ode->count; ++i)
        if (depends(ode, i, a) && depends(ode, i, b)) return true;
    return false;
}

static bool fits(const Jacobian *jacobian, const Ode *ode, int column, int group)
{
    for (int j = 0; j < column; ++j)
        if (jacobian->group[j] == group && share_a_row(ode, j, column)) return false;
    return true;
}

bool jacobian_create(Jacobian *jacobian, const Ode *ode)
{
    const size_t n = (size_t)ode->count + 1;
    *jacobian = (Jacobian){.group = calloc(n, sizeof(int)),
                           .y = calloc(n, sizeof(double)),
                           .rate = calloc(n, sizeof(double)),
                           .perturbation = calloc(n, sizeof(double))};
    if (jacobian->group == NULL || jacobian->y == NULL || jacobian->rate == NULL ||
        jacobian->perturbation == NULL)
        return false;
    for (int j = 0; j < ode->count; ++j) {
        int group = 0;
        while (!fits(jacobian, ode, j, group)) ++group;
        jacobian->group[j] = group;
        if (group >= jacobian->groups) jacobian->groups = group + 1;
    }
    return true;
}

void jacobian_destroy(Jacobian *jacobian)
{
    free(jacobian->group), free(jacobian->y), free(jacobian->rate), free(jacobian->perturbation);
}

StiStatus jacobian_fill(Jacobian *jacobian, const Ode *ode, double t, const double *y,
                        const double *rate, double smallest, double *J, long *evaluations)
{
    const int n = ode->count;
    const double root = sqrt(DBL_EPSILON);
    memset(J, 0, (size_t)n * (size_t)n * sizeof *J);
    for (int group = 0; group < jacobian->groups; ++group) {
        memcpy(jacobian->y, y, (size_t)n * sizeof *y);
        for (int j = 0; j < n; ++j) {
            if (jacobian->group[j] != group) continue;
            // As CVODE's own: relative to y where y is large, to the tolerance where it is small.
            const double wanted = root * fmax(fabs(y[j]), fmax(smallest, 1e-8) / root * 1e-3);
            jacobian->y[j] += wanted;
            jacobian->perturbation[j] = jacobian->y[j] - y[j];
        }
        const StiStatus status = ode->rate(ode->context, t, jacobian->y, jacobian->rate);
        ++*evaluations;
        if (status != STI_OK) return status;
        for (int j = 0; j < n; ++j) {
            if (jacobian->group[j] != group) continue;
            for (int i = 0; i < n; ++i)
                if (depends(ode, i, j))
                    J[j * n + i] = (jacobian->rate[i] - rate[i]) / jacobian->perturbation[j];
        }
    }
    return STI_OK;
}
