// A mass held by one friction element while a force trembles below the level. The method is the
// paper's Runge-Kutta with stage steps {T/2, T/2, T, T}.                          [modular] (21)
#ifndef STICTION_TESTS_DITHERED_MASS_H
#define STICTION_TESTS_DITHERED_MASS_H

#include <math.h>
#include <stdlib.h>

#include "stiction/impedance.h"

typedef struct DitheredMass {
    StiImpedance element;              // one dimension, one number of memory
    double M;                          // kg
    double mean, amplitude, frequency; // N, N, rad/s
    double T;                          // s
    long k;
    double state[3]; // x (m), v (m/s), memory (m)
} DitheredMass;

static inline void dithered_slopes(const DitheredMass *m, double t, double tau, const double *state,
                                   double *slope)
{
    const StiStage stage = {.t = t, .tau = tau, .step = m->T, .k = m->k};
    const StiMotion xhat = {.x = &state[0], .v = &state[1]};
    double f;
    m->element.kind->eval(m->element.parameters, &stage, &xhat, &state[2], NULL, &f, &slope[2]);
    slope[0] = state[1];
    slope[1] = (m->mean + m->amplitude * sin(m->frequency * t) - f) / m->M;
}

static inline void dithered_step(DitheredMass *m)
{
    const double T = m->T, tau[5] = {0.0, 0.5 * T, 0.5 * T, T, T};
    static const double weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[3] = {0}, sum[3] = {0}, trial[3];
    for (int r = 0; r < 4; ++r) {
        for (int i = 0; i < 3; ++i) trial[i] = m->state[i] + tau[r] * slope[i];
        dithered_slopes(m, (double)m->k * T + tau[r], tau[r + 1], trial, slope);
        for (int i = 0; i < 3; ++i) sum[i] += weight[r] * slope[i];
    }
    for (int i = 0; i < 3; ++i) m->state[i] += T / 6.0 * sum[i];
    ++m->k;
}

// Where the surface is gripped: constant while stuck.
static inline double anchor(const DitheredMass *m) { return m->state[0] - m->state[2]; }

static inline void dither(DitheredMass *m, long steps)
{
    for (long k = 0; k < steps; ++k) dithered_step(m);
}

// The largest distance of the anchor from where it was, over so many steps.
static inline double anchor_drift(DitheredMass *m, long steps)
{
    const double start = anchor(m);
    double most = 0.0;
    for (long k = 0; k < steps; ++k) {
        dithered_step(m);
        most = fmax(most, fabs(anchor(m) - start));
    }
    return most;
}

static inline long dither_steps(void)
{
    return getenv("STI_TEST_SHORT") != NULL ? 100000 : 1000000;
}

// The paper's numbers: the peaks stay 4 % below a level of 0.5 N.                 EQUATIONS 3.4
static inline DitheredMass papers_dither(const StiImpedanceKind *kind, const void *parameters)
{
    return (DitheredMass){.element = {kind, parameters},
                          .M = 0.05,
                          .mean = 0.336,
                          .amplitude = 0.144,
                          .frequency = 100.0,
                          .T = 1e-4};
}

#endif
