// The friction models of bench_models.c as someone would write them into a loop for one case: no
// call, no law behind a pointer. Each returns the sum of the forces.
#ifndef STICTION_BENCH_BY_HAND_H
#define STICTION_BENCH_BY_HAND_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WAVE = 1024, MOST = 1000 };

typedef struct Setting {
    double T, v[WAVE];                  // s, m/s
    double K, B, M, F;                  // N/m, N s/m, kg, N
    double Fs, Vs, delta;               // Stribeck: N, m/s
    double sigma1, sigma2;              // N s/m
    double eps, breakaway, exponent, Q; // m/s, 1, 1, N/s
    int elements;
    double bank_K[MOST], bank_F[MOST], bank_B[MOST], share[MOST]; // of the banks
    double start[MOST], z[MOST + 1], rates[MOST + 1];
} Setting;

static double stribeck(const Setting *s, double speed)
{
    return s->F + (s->Fs - s->F) * exp(-pow(speed / s->Vs, s->delta));
}
static double clip(double a, double limit) { return a > limit ? limit : a < -limit ? -limit : a; }
static double sign(double a) { return (a > 0.0) - (a < 0.0); }

static double viscous_by_hand(Setting *s, int64_t steps)
{
    double sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) sum += clip(s->F * s->v[k % WAVE] / s->eps, s->F);
    return sum;
}

static double dahl_by_hand(Setting *s, int64_t steps)
{
    double z = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE];
        sum += s->K * z;
        z += s->T * (v - fabs(v) * s->K * z / s->F);
    }
    return sum;
}

static double lugre_by_hand(Setting *s, int64_t steps)
{
    double z = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE], speed = fabs(v);
        const double zdot = v - s->K * speed * z / stribeck(s, speed);
        sum += s->K * z + s->sigma1 * zdot + s->sigma2 * v;
        z += s->T * zdot;
    }
    return sum;
}

static double elastoplastic_by_hand(Setting *s, int64_t steps)
{
    const double pi = 3.14159265358979323846, middle = 0.5 * (1.0 + s->breakaway);
    double z = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE], r = s->K * z * sign(v) / stribeck(s, fabs(v));
        const double slip = r <= s->breakaway ? 0.0
                            : r >= 1.0        ? 1.0
                                       : 0.5 + 0.5 * sin(pi * (r - middle) / (1.0 - s->breakaway));
        const double zdot = v * (1.0 - slip * r);
        sum += s->K * z + s->sigma1 * zdot + s->sigma2 * v;
        z += s->T * zdot;
    }
    return sum;
}

static double elastic_by_hand(Setting *s, int64_t steps)
{
    const double Z = s->B + s->T * s->K;
    double e = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE], trial = Z * v + s->K * e, f = clip(trial, s->F);
        e += s->T * (f == trial ? v : (f - s->K * e) / Z);
        sum += f;
    }
    return sum;
}

static double planar_by_hand(Setting *s, int64_t steps)
{
    const double Z = s->B + s->T * s->K;
    double e[2] = {0.0, 0.0}, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double *v = &s->v[k % (WAVE - 1)];
        const double x = Z * v[0] + s->K * e[0], y = Z * v[1] + s->K * e[1],
                     size = sqrt(x * x + y * y);
        const bool stuck = size <= s->F;
        const double f[2] = {stuck ? x : s->F * (x / size), stuck ? y : s->F * (y / size)};
        for (int i = 0; i < 2; ++i) e[i] += s->T * (stuck ? v[i] : (f[i] - s->K * e[i]) / Z);
        sum += f[0] + f[1];
    }
    return sum;
}

static double linear_by_hand(Setting *s, int64_t steps)
{
    const double C = s->M + s->T * s->B + s->T * s->T * s->K;
    double z = 0.0, omega = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE];
        const double ubar = v + s->T * s->K / C * z - s->M / C * (v - omega);
        const double trial = C * ubar / s->T, g = clip(trial, s->F);
        omega = g == trial ? 0.0 : ubar - s->T * g / C;
        z += s->T * (v - omega);
        sum += s->K * z + s->B * (v - omega);
    }
    return sum;
}

static double finite_time_by_hand(Setting *s, int64_t steps)
{
    double v = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double vbar = v + s->T * (30.0 * s->F * s->v[k % WAVE]) / s->M;
        const bool stuck = fabs(vbar) <= s->T * s->F / s->M;
        const double f = stuck ? s->M * vbar / s->T : copysign(s->F, vbar);
        v = stuck ? 0.0 : vbar - s->T * f / s->M;
        sum += f;
    }
    return sum;
}

static double leuven_by_hand(Setting *s, int64_t steps)
{
    double sum = 0.0;
    memset(s->z, 0, sizeof s->z);
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE];
        double present = 0.0, h = 0.0;
        for (int i = 0; i < s->elements; ++i) present += s->bank_K[i] * s->z[i];
        const double used = pow(fabs(present) / stribeck(s, fabs(v)), s->exponent);
        const double zdot = v - sign(present) * fabs(v) * used;
        for (int i = 0; i < s->elements; ++i) {
            const double f = clip(s->bank_K[i] * (s->z[i] + s->T * zdot), s->bank_F[i]);
            s->z[i] = f / s->bank_K[i];
            h += f;
        }
        sum += h + s->sigma1 * zdot + s->sigma2 * v;
    }
    return sum;
}

static double gms_by_hand(Setting *s, int64_t steps)
{
    bool slips[MOST] = {false};
    double sum = 0.0, last = 0.0;
    memset(s->z, 0, sizeof s->z);
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE], next = s->v[(k + 1) % WAVE];
        const double level = stribeck(s, fabs(v)), level_next = stribeck(s, fabs(next));
        double f = s->sigma2 * v;
        for (int i = 0; i < s->elements; ++i) {
            const double force = s->bank_K[i] * s->z[i];
            const double slip = s->Q / s->bank_K[i] * (sign(v) * s->share[i] - force / level);
            f += force;
            s->z[i] += s->T * (slips[i] ? slip : v);
            if (next * last < 0.0) slips[i] = false;
            const bool beyond = fabs(s->bank_K[i] * s->z[i]) >= s->share[i] * level_next;
            if (next * s->z[i] > 0.0 && beyond) slips[i] = true;
        }
        last = sign(next);
        sum += f;
    }
    return sum;
}

// One of the rates joins the sum, so that all must be computed.
static double bank_by_hand(Setting *s, int64_t steps, const double *B, bool moves)
{
    double sum = 0.0;
    memcpy(s->z, s->start, sizeof s->start);
    for (int64_t k = 0; k < steps; ++k) {
        const double v = s->v[k % WAVE];
        double total = 0.0;
        for (int i = 0; i < s->elements; ++i) {
            const double Kz = s->bank_K[i] * s->z[i];
            const double Z = (B != NULL ? B[i] : 0.0) + s->T * s->bank_K[i];
            const double trial = Z * v + Kz, f = clip(trial, s->bank_F[i]);
            s->rates[i] = f == trial ? v : (f - Kz) / Z;
            total += f;
        }
        for (int i = 0; moves && i < s->elements; ++i) s->z[i] += s->T * s->rates[i];
        sum += total + s->rates[k % s->elements];
    }
    return sum;
}

static double springs_by_hand(Setting *s, int64_t n) { return bank_by_hand(s, n, NULL, false); }
static double damped_by_hand(Setting *s, int64_t n) { return bank_by_hand(s, n, s->bank_B, false); }
static double moving_by_hand(Setting *s, int64_t n) { return bank_by_hand(s, n, NULL, true); }

#endif
