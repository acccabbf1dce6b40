// The Runge-Kutta scheme of [modular] (21) by hand, for tests that do without a network.
#ifndef STICTION_TESTS_RUNGE_KUTTA_H
#define STICTION_TESTS_RUNGE_KUTTA_H

#include <assert.h>

enum { RUNGE_KUTTA_STATES = 64 };

// xdot = slope(x, t; tau).
typedef void Slope(const void *context, double t, double tau, const double *x, double *xdot);

static inline void runge_kutta_step(Slope *slope, const void *context, int n, double t, double T,
                                    double *x)
{
    assert(n <= RUNGE_KUTTA_STATES);
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const double ahead[5] = {0.0, 0.5 * T, 0.5 * T, T, T};
    double trial[RUNGE_KUTTA_STATES];
    double xi[RUNGE_KUTTA_STATES] = {0.0}, sum[RUNGE_KUTTA_STATES] = {0.0};
    for (int r = 1; r <= 4; ++r) {
        for (int i = 0; i < n; ++i) trial[i] = x[i] + ahead[r - 1] * xi[i];
        slope(context, t + ahead[r - 1], ahead[r], trial, xi);
        for (int i = 0; i < n; ++i) sum[i] += weight[r - 1] * xi[i];
    }
    for (int i = 0; i < n; ++i) x[i] += T * sum[i];
}

#endif
