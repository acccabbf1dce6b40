// Two sliders on parallel guides joined by a rod, as a kind from outside the library: the load on
// the guides depends on their friction.                              EQUATIONS 4.4, after Painleve
#ifndef STICTION_TESTS_PAINLEVE_H
#define STICTION_TESTS_PAINLEVE_H

#include <math.h>

#include "stiction/admittance.h"

// Both sliders have mass m and one velocity along x. The rod stands at the angle a to x and carries
// R:
//   m xdd = F1 - R cos a,  m xdd = F2 + R cos a;  each guide takes |R| sin a.
// F1 and F2 act on links 0 and 1, friction included.
typedef struct PainleveRods {
    double mass;     // kg, of each slider
    double angle;    // rad
    double velocity; // m/s, at the start
} PainleveRods;

static inline StiAdmittanceSize painleve_size(const void *parameters)
{
    (void)parameters;
    return (
        StiAdmittanceSize){.positions = 1, .velocities = 1, .links = 2, .loads = 2, .prepared = 1};
}
static inline void painleve_start(const void *parameters, double *q, double *v)
{
    const PainleveRods *p = parameters;
    q[0] = 0.0;
    v[0] = p->velocity;
}
static inline void painleve_pose(const void *parameters, const double *q, const double *v,
                                 const double *signals, StiFrame *links)
{
    (void)parameters, (void)signals;
    for (int i = 0; i < 2; ++i)
        links[i] = (StiFrame){.p = {q[0], 0.0, i}, .q = STI_QUAT_IDENTITY, .v = {v[0], 0.0, 0.0}};
}
static inline StiStatus painleve_eval(const void *parameters, const StiStage *stage,
                                      const double *q, const double *v, const double *signals,
                                      const StiForce *uhat, double *qdot, double *vdot,
                                      double *loads)
{
    (void)stage, (void)q, (void)signals;
    const PainleveRods *p = parameters;
    const double F1 = uhat->links[0].force.x, F2 = uhat->links[1].force.x;
    const double R = (F1 - F2) / (2.0 * cos(p->angle));
    qdot[0] = v[0];
    vdot[0] = (F1 + F2 + uhat->generalized[0]) / (2.0 * p->mass);
    loads[0] = loads[1] = fabs(R) * sin(p->angle);
    return STI_OK;
}
static inline StiStatus painleve_prepare(const void *parameters, const double *q,
                                         const bool *locked, const double *added, double *prepared)
{
    (void)q;
    const PainleveRods *p = parameters;
    prepared[0] = locked != NULL && locked[0]
                      ? 0.0
                      : 1.0 / (2.0 * p->mass + (added != NULL ? added[0] : 0.0));
    return STI_OK;
}
static inline void painleve_respond(const void *parameters, const double *prepared, const double *q,
                                    const StiForce *force, double *dv)
{
    (void)parameters, (void)q;
    dv[0] =
        prepared[0] * (force->generalized[0] + force->links[0].force.x + force->links[1].force.x);
}
static inline void painleve_move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    q[0] += T * v[0];
}

static const StiAdmittanceKind painleve_kind = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "painleve-rods",
             .summary = "two sliders and a rod",
             .size = sizeof(PainleveRods)},
    .size = painleve_size,
    .start = painleve_start,
    .pose = painleve_pose,
    .eval = painleve_eval,
    .prepare = painleve_prepare,
    .respond = painleve_respond,
    .move = painleve_move,
};

#endif
