// An impedance from outside the library that writes down how it is called. Include after cmocka.h.
#ifndef STICTION_TESTS_WITNESS_H
#define STICTION_TESTS_WITNESS_H

#include "unit/network/built.h"

enum { CALLS_MOST = 64 };

typedef struct Call {
    StiStage stage;
    double x, v, y, s;
} Call;

typedef struct Notes {
    Call evaluations[CALLS_MOST], settlements[CALLS_MOST];
    int evaluated, settled;
} Notes;

// u = K x + y, ydot = rate, s+ = s + 1.
typedef struct Witness {
    Notes *notes;
    double K, rate;
} Witness;

static inline StiImpedanceSize witness_size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1, .velocities = 1, .memory = 1, .discrete = 1};
}
static inline Call witness_call(const StiStage *stage, const StiMotion *xhat, const double *y,
                                const double *s)
{
    return (Call){*stage, xhat->x[0], xhat->v[0], y[0], s[0]};
}
static inline StiStatus witness_eval(const void *parameters, const StiStage *stage,
                                     const StiMotion *xhat, const double *y, const double *s,
                                     double *u, double *ydot)
{
    const Witness *p = parameters;
    if (p->notes->evaluated < CALLS_MOST)
        p->notes->evaluations[p->notes->evaluated++] = witness_call(stage, xhat, y, s);
    u[0] = p->K * xhat->x[0] + y[0];
    ydot[0] = p->rate;
    return STI_OK;
}
static inline void witness_settle(const void *parameters, const StiStage *stage,
                                  const StiMotion *xhat, const double *y, double *s)
{
    const Witness *p = parameters;
    if (p->notes->settled < CALLS_MOST)
        p->notes->settlements[p->notes->settled++] = witness_call(stage, xhat, y, s);
    s[0] += 1.0;
}

static const StiImpedanceKind witness_kind = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "witness", .summary = "writes down how it is called", .size = sizeof(Witness)},
    .size = witness_size,
    .eval = witness_eval,
    .settle = witness_settle,
};

#endif
