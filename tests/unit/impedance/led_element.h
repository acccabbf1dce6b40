// An element led round a random closed path: its memory is integrated, its work added up.
#ifndef STICTION_TESTS_LED_ELEMENT_H
#define STICTION_TESTS_LED_ELEMENT_H

#include "support/random.h"
#include "stiction/impedance.h"

enum { PATH_WAVES = 5, LED_MEMORY = 24 };

// Displacement sum_k a_k sin(2 pi k t/period + phase_k) in each direction.
typedef struct ClosedPath {
    int dim;
    double period; // s
    double amplitude[3][PATH_WAVES], phase[3][PATH_WAVES];
} ClosedPath;

static inline ClosedPath random_path(Random *random, int dim, double amplitude, double period)
{
    ClosedPath path = {.dim = dim, .period = period};
    for (int i = 0; i < dim; ++i)
        for (int k = 0; k < PATH_WAVES; ++k) {
            path.amplitude[i][k] = random_between(random, -amplitude, amplitude) / (k + 1);
            path.phase[i][k] = random_between(random, 0.0, 6.283185307179586);
        }
    return path;
}

static inline void path_velocity(const ClosedPath *path, double t, double *v)
{
    for (int i = 0; i < path->dim; ++i) {
        v[i] = 0.0;
        for (int k = 0; k < PATH_WAVES; ++k) {
            const double w = 6.283185307179586 * (k + 1) / path->period;
            v[i] += path->amplitude[i][k] * w * cos(w * t + path->phase[i][k]);
        }
    }
}

typedef struct Round {
    double work;     // J, done on the element
    double turnover; // J, the same with all signs positive: the scale of rounding and truncation
    double stored;   // J, gained in the element
    StiStatus status;
} Round;

// One evaluation in continuous time (tau = 0); returns the power.
static inline double led_power(const StiImpedance *element, const double *signals,
                               const ClosedPath *path, double t, const double *y, double *ydot,
                               StiStatus *status)
{
    double v[3], u[3], power = 0.0;
    path_velocity(path, t, v);
    const StiStage stage = {.t = t};
    const StiMotion xhat = {.v = v, .signals = signals};
    const StiStatus now = element->kind->eval(element->parameters, &stage, &xhat, y, NULL, u, ydot);
    if (now != STI_OK) *status = now;
    for (int i = 0; i < path->dim; ++i) power += u[i] * v[i];
    return power;
}

// Once round the path with the classical Runge-Kutta method; y goes in and out.
static inline Round lead_round(const StiImpedance *element, const double *signals,
                               const ClosedPath *path, int steps, double *y)
{
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    const int memory = element->kind->size(element->parameters).memory;
    const StiMotion still = {.signals = signals};
    const double T = path->period / steps;
    Round sum = {0};
    if (element->kind->stored != NULL)
        sum.stored = -element->kind->stored(element->parameters, &still, y);
    for (int step = 0; step < steps; ++step) {
        double slope[LED_MEMORY] = {0}, total[LED_MEMORY] = {0}, trial[LED_MEMORY];
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < memory; ++i) trial[i] = y[i] + ahead[r] * T * slope[i];
            const double power =
                led_power(element, signals, path, (step + ahead[r]) * T, trial, slope, &sum.status);
            sum.work += T * weight[r] / 6.0 * power;
            sum.turnover += T * weight[r] / 6.0 * fabs(power);
            for (int i = 0; i < memory; ++i) total[i] += weight[r] * slope[i];
        }
        for (int i = 0; i < memory; ++i) y[i] += T / 6.0 * total[i];
    }
    if (element->kind->stored != NULL)
        sum.stored += element->kind->stored(element->parameters, &still, y);
    return sum;
}

#endif
