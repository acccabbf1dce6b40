// What one evaluation of each friction model costs, beside a loop with the same formula written by
// hand. Both run in turns in the same process; medians are shown.
// Usage: bench_models [results.csv]
//
// Nothing can be left out by the compiler: each evaluation takes a velocity from a table made at
// run time and, but for the rows of banks without a step, the memory of the evaluation before it;
// the sums of the forces (with those banks: and of rates) are compared and must agree.
#include "timing.h"

#include <stdio.h>

#include "by_hand.h"
#include "stiction/friction.h"
#include "stiction/reaction.h"

enum { REPETITIONS = 15, EVALUATIONS = 1 << 16, ELEMENTS = 1 << 19 };

typedef double Run(Setting *s, int64_t steps); // returns the sum of forces

static StiLaw stribeck_of(const Setting *s)
{
    return sti_law_stribeck(s->F, s->Fs, s->Vs, s->delta, 0.0);
}

static double viscous_library(Setting *s, int64_t steps)
{
    const StiViscousApproximation p = {.dim = 1, .law = sti_law_coulomb(s->F), .eps = s->eps};
    double sum = 0.0, f;
    for (int64_t k = 0; k < steps; ++k) {
        sti_viscous_approximation(&p, NULL, &s->v[k % WAVE], &f);
        sum += f;
    }
    return sum;
}

static double dahl_library(Setting *s, int64_t steps)
{
    const StiDahl p = {.law = sti_law_coulomb(s->F), .K = s->K, .alpha = 1.0};
    double z = 0.0, sum = 0.0, f, zdot;
    for (int64_t k = 0; k < steps; ++k) {
        sti_dahl(&p, s->T, NULL, s->v[k % WAVE], z, &f, &zdot);
        z += s->T * zdot;
        sum += f;
    }
    return sum;
}

static double lugre_library(Setting *s, int64_t steps)
{
    const StiLuGre p = {.law = stribeck_of(s),
                        .sigma0 = s->K,
                        .sigma1 = s->sigma1,
                        .sigma2 = s->sigma2};
    double z = 0.0, sum = 0.0, f, zdot;
    for (int64_t k = 0; k < steps; ++k) {
        sti_lugre(&p, s->T, NULL, s->v[k % WAVE], z, &f, &zdot);
        z += s->T * zdot;
        sum += f;
    }
    return sum;
}

static double elastoplastic_library(Setting *s, int64_t steps)
{
    const StiElastoplastic p = {.law = stribeck_of(s),
                                .sigma0 = s->K,
                                .sigma1 = s->sigma1,
                                .sigma2 = s->sigma2,
                                .breakaway = s->breakaway};
    double z = 0.0, sum = 0.0, f, zdot;
    for (int64_t k = 0; k < steps; ++k) {
        sti_elastoplastic(&p, s->T, NULL, s->v[k % WAVE], z, &f, &zdot);
        z += s->T * zdot;
        sum += f;
    }
    return sum;
}

static double elastic_library(Setting *s, int64_t steps)
{
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(s->F), .K = s->K, .B = s->B};
    double e = 0.0, sum = 0.0, f, edot;
    for (int64_t k = 0; k < steps; ++k) {
        sti_elastic_coulomb(&p, s->T, NULL, &s->v[k % WAVE], &e, &f, &edot);
        e += s->T * edot;
        sum += f;
    }
    return sum;
}

static double planar_library(Setting *s, int64_t steps)
{
    const StiElasticCoulomb p = {.dim = 2, .law = sti_law_coulomb(s->F), .K = s->K, .B = s->B};
    double e[2] = {0.0, 0.0}, sum = 0.0, f[2], edot[2];
    for (int64_t k = 0; k < steps; ++k) {
        sti_elastic_coulomb(&p, s->T, NULL, &s->v[k % (WAVE - 1)], e, f, edot);
        for (int i = 0; i < 2; ++i) e[i] += s->T * edot[i];
        sum += f[0] + f[1];
    }
    return sum;
}

static double linear_library(Setting *s, int64_t steps)
{
    const StiLinearContinuous p = {
        .dim = 1, .law = sti_law_coulomb(s->F), .K = s->K, .B = s->B, .M = s->M};
    double y[2] = {0.0, 0.0}, sum = 0.0, f, ydot[2];
    for (int64_t k = 0; k < steps; ++k) {
        sti_linear_continuous(&p, s->T, NULL, &s->v[k % WAVE], y, &f, ydot);
        for (int i = 0; i < 2; ++i) y[i] += s->T * ydot[i];
        sum += f;
    }
    return sum;
}

static double finite_time_library(Setting *s, int64_t steps)
{
    double v = 0.0, sum = 0.0;
    for (int64_t k = 0; k < steps; ++k) {
        const double vbar = v + s->T * (30.0 * s->F * s->v[k % WAVE]) / s->M;
        sum += sti_finite_time_mass(s->F, s->M, s->T, vbar, &v);
    }
    return sum;
}

static double leuven_library(Setting *s, int64_t steps)
{
    const StiLeuven p = {.law = stribeck_of(s),
                         .elements = s->elements,
                         .K = s->bank_K,
                         .F = s->bank_F,
                         .exponent = s->exponent,
                         .sigma1 = s->sigma1,
                         .sigma2 = s->sigma2};
    double sum = 0.0, f;
    memset(s->z, 0, sizeof s->z);
    for (int64_t k = 0; k < steps; ++k) {
        sti_leuven(&p, s->T, NULL, s->v[k % WAVE], s->z, &f, s->rates);
        for (int i = 0; i <= s->elements; ++i) s->z[i] += s->T * s->rates[i];
        sum += f;
    }
    return sum;
}

static double gms_library(Setting *s, int64_t steps)
{
    const StiGms p = {.law = stribeck_of(s),
                      .elements = s->elements,
                      .K = s->bank_K,
                      .share = s->share,
                      .Q = s->Q,
                      .sigma2 = s->sigma2};
    double modes[MOST + 1] = {0.0}, sum = 0.0, f;
    memset(s->z, 0, sizeof s->z);
    for (int64_t k = 0; k < steps; ++k) {
        sti_gms(&p, 0.0, NULL, s->v[k % WAVE], s->z, modes, &f, s->rates);
        for (int i = 0; i < s->elements; ++i) s->z[i] += s->T * s->rates[i];
        sti_gms_settle(&p, NULL, s->v[(k + 1) % WAVE], s->z, modes);
        sum += f;
    }
    return sum;
}

// One of the rates joins the sum, so that all must be computed.
static double bank_library(Setting *s, int64_t steps, const double *B, bool moves)
{
    const StiMaxwellSlip p = {s->elements, s->bank_K, s->bank_F, B};
    double sum = 0.0, f;
    memcpy(s->z, s->start, sizeof s->start);
    for (int64_t k = 0; k < steps; ++k) {
        sti_maxwell_slip(&p, s->T, s->v[k % WAVE], s->z, &f, s->rates);
        for (int i = 0; moves && i < s->elements; ++i) s->z[i] += s->T * s->rates[i];
        sum += f + s->rates[k % s->elements];
    }
    return sum;
}

static double springs_library(Setting *s, int64_t n) { return bank_library(s, n, NULL, false); }
static double damped_library(Setting *s, int64_t n) { return bank_library(s, n, s->bank_B, false); }
static double moving_library(Setting *s, int64_t n) { return bank_library(s, n, NULL, true); }

typedef struct Case {
    const char *name;
    int elements;     // of a bank
    bool per_element; // time is shown per element of the bank
    Run *library, *by_hand;
} Case;

static const Case cases[] = {
    {"viscous-approximation", 1, false, viscous_library, viscous_by_hand},
    {"dahl", 1, false, dahl_library, dahl_by_hand},
    {"lugre, stribeck law", 1, false, lugre_library, lugre_by_hand},
    {"elastoplastic, stribeck law", 1, false, elastoplastic_library, elastoplastic_by_hand},
    {"elastic-coulomb", 1, false, elastic_library, elastic_by_hand},
    {"elastic-coulomb, planar", 1, false, planar_library, planar_by_hand},
    {"linear-continuous", 1, false, linear_library, linear_by_hand},
    {"finite-time, one mass", 1, false, finite_time_library, finite_time_by_hand},
    {"leuven, stribeck law", 10, false, leuven_library, leuven_by_hand},
    {"gms with settle, stribeck law", 10, false, gms_library, gms_by_hand},
    {"maxwell-slip", 10, true, springs_library, springs_by_hand},
    {"maxwell-slip", 100, true, springs_library, springs_by_hand},
    {"maxwell-slip", 1000, true, springs_library, springs_by_hand},
    {"maxwell-slip, dampers", 10, true, damped_library, damped_by_hand},
    {"maxwell-slip, dampers", 100, true, damped_library, damped_by_hand},
    {"maxwell-slip, dampers", 1000, true, damped_library, damped_by_hand},
    {"maxwell-slip and Euler step", 10, true, moving_library, moving_by_hand},
    {"maxwell-slip and Euler step", 100, true, moving_library, moving_by_hand},
    {"maxwell-slip and Euler step", 1000, true, moving_library, moving_by_hand},
};

// Levels 1 : 2 : ... : n that together hold a third more than the static level; equal springs, so
// that they slip one after the other.
static void set_bank(Setting *s, int elements)
{
    s->elements = elements;
    const double shares = 0.5 * elements * (elements + 1.0);
    for (int i = 0; i < elements; ++i) {
        s->share[i] = (i + 1.0) / shares;
        s->bank_F[i] = 4.0 / 3.0 * s->Fs * s->share[i];
        s->bank_K[i] = s->K / elements;
        s->bank_B[i] = s->B / elements;
        s->start[i] = ((i * 37) % 100 - 50) / 50.0 * s->bank_F[i] / s->bank_K[i];
    }
}

static void set_models(Setting *s)
{
    *s = (Setting){.T = 1e-3,
                   .K = 1e4,
                   .B = 100.0,
                   .M = 0.5,
                   .F = 10.0,
                   .Fs = 13.0,
                   .Vs = 0.01,
                   .delta = 2.0,
                   .sigma1 = 10.0,
                   .sigma2 = 4.0,
                   .eps = 0.02,
                   .breakaway = 0.7,
                   .exponent = 2.0,
                   .Q = 1000.0};
    const double turn = 2.0 * 3.14159265358979323846 / WAVE;
    for (int k = 0; k < WAVE; ++k)
        s->v[k] = 0.04 * sin(turn * (k + 0.5)) + 0.02 * cos(5.0 * turn * k);
}

typedef struct Result {
    double library, by_hand;
    bool agree;
} Result; // ns

static double nanoseconds_of(Run *run, Setting *s, int64_t steps, double *sum)
{
    const double start = timing_processor_nanoseconds();
    *sum = run(s, steps);
    return timing_processor_nanoseconds() - start;
}

static Result measure(const Case *c, Setting *s)
{
    const int64_t steps = c->per_element ? ELEMENTS / c->elements : EVALUATIONS;
    const double evaluations = (double)steps * (c->per_element ? c->elements : 1);
    double library[REPETITIONS], by_hand[REPETITIONS], sum = 0.0, sum_by_hand = 0.0;
    set_bank(s, c->elements);
    for (int i = 0; i < REPETITIONS; ++i) {
        library[i] = nanoseconds_of(c->library, s, steps, &sum) / evaluations;
        by_hand[i] = nanoseconds_of(c->by_hand, s, steps, &sum_by_hand) / evaluations;
    }
    // A sum of forces that change sign: compared with what the forces could add up to.
    return (Result){.library = timing_median(library, REPETITIONS),
                    .by_hand = timing_median(by_hand, REPETITIONS),
                    .agree = fabs(sum - sum_by_hand) <= 1e-9 * s->F * (double)steps};
}

int main(int count, char **arguments)
{
    static Setting setting;
    set_models(&setting);
    FILE *csv = count > 1 ? fopen(arguments[1], "w") : NULL;
    if (count > 1 && csv == NULL) return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    if (csv != NULL) fprintf(csv, "model,elements,per,library_ns,by_hand_ns,ratio\n");
    printf("%-30s %8s  %-11s %10s %10s %7s\n", "model", "elements", "time per", "library ns",
           "by hand ns", "ratio");
    bool agree = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const Case *c = &cases[i];
        const Result r = measure(c, &setting);
        const char *per = c->per_element ? "element" : "evaluation";
        printf("%-30s %8d  %-11s %10.2f %10.2f %7.2f%s\n", c->name, c->elements, per, r.library,
               r.by_hand, r.library / r.by_hand, r.agree ? "" : "  forces differ!");
        if (csv != NULL)
            fprintf(csv, "\"%s\",%d,%s,%.4g,%.4g,%.4g\n", c->name, c->elements, per, r.library,
                    r.by_hand, r.library / r.by_hand);
        agree = agree && r.agree;
    }
    if (csv != NULL && fclose(csv) != 0)
        return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    return agree ? 0 : 1;
}
