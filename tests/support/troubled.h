// Kinds from outside the library that do as their signal says: 0 good; else the number of a
// trouble.
#ifndef STICTION_TESTS_TROUBLED_H
#define STICTION_TESTS_TROUBLED_H

#include <math.h>

#include "stiction/plan.h"
#include "stiction/stiction.h"

enum { GOOD, FORCE_NAN, FORCE_INFINITE, MEMORY_NAN, STATUS, LOAD_NAN };

static inline double number_for(double trouble, int nan_at, int infinite_at, double good)
{
    return trouble == nan_at ? NAN : trouble == infinite_at ? -INFINITY : good;
}

// An impedance: a damper of 1 N s/m with a memory that grows at 1/s.
static inline StiImpedanceSize troubled_impedance_size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.velocities = 1, .memory = 1, .signals = 1};
}
static inline StiStatus troubled_impedance_eval(const void *parameters, const StiStage *stage,
                                                const StiMotion *xhat, const double *y,
                                                const double *s, double *u, double *ydot)
{
    (void)parameters, (void)stage, (void)y, (void)s;
    u[0] = number_for(xhat->signals[0], FORCE_NAN, FORCE_INFINITE, xhat->v[0]);
    ydot[0] = number_for(xhat->signals[0], MEMORY_NAN, -1, 1.0);
    return xhat->signals[0] == STATUS ? STI_NO_SOLUTION : STI_OK;
}
static const StiImpedanceKind troubled_impedance = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "troubled-impedance", .summary = "does as its signal says"},
    .size = troubled_impedance_size,
    .eval = troubled_impedance_eval,
};

// A reaction: viscous, 1 N s/m.
static inline StiReactionSize troubled_reaction_size(const void *parameters)
{
    (void)parameters;
    return (StiReactionSize){.dim = 1, .signals = 1};
}
static inline StiStatus troubled_reaction_resolve(const void *parameters,
                                                  const StiReactionProblem *problem,
                                                  const double *s, StiReactionAnswer *answer)
{
    (void)parameters, (void)s;
    const double trouble = problem->signals[0];
    const double r = problem->vbar[0] / (1.0 + problem->T * problem->W[0]);
    *answer = (StiReactionAnswer){.r = {number_for(trouble, FORCE_NAN, FORCE_INFINITE, r)}};
    return trouble == STATUS ? STI_NO_SOLUTION : STI_OK;
}
static const StiReactionKind troubled_reaction = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "troubled-reaction", .summary = "does as its signal says"},
    .size = troubled_reaction_size,
    .resolve = troubled_reaction_resolve,
};

// An admittance: a mass of 1 kg with a load of 1 N.
static inline StiAdmittanceSize troubled_body_size(const void *parameters)
{
    (void)parameters;
    return (StiAdmittanceSize){
        .positions = 1, .velocities = 1, .links = 1, .loads = 1, .signals = 1, .prepared = 1};
}
static inline void troubled_body_start(const void *parameters, double *q, double *v)
{
    (void)parameters;
    q[0] = 0.0;
    v[0] = 1.0;
}
static inline void troubled_body_pose(const void *parameters, const double *q, const double *v,
                                      const double *signals, StiFrame *links)
{
    (void)parameters, (void)signals;
    links[0] = (StiFrame){.p = {q[0], 0.0, 0.0}, .q = STI_QUAT_IDENTITY, .v = {v[0], 0.0, 0.0}};
}
static inline StiStatus troubled_body_eval(const void *parameters, const StiStage *stage,
                                           const double *q, const double *v, const double *signals,
                                           const StiForce *uhat, double *qdot, double *vdot,
                                           double *loads)
{
    (void)parameters, (void)stage, (void)q;
    qdot[0] = v[0];
    vdot[0] = number_for(signals[0], FORCE_NAN, FORCE_INFINITE,
                         uhat->generalized[0] + uhat->links[0].force.x);
    loads[0] = number_for(signals[0], LOAD_NAN, -1, 1.0);
    return signals[0] == STATUS ? STI_NO_SOLUTION : STI_OK;
}
static inline StiStatus troubled_body_prepare(const void *parameters, const double *q,
                                              const bool *locked, const double *added,
                                              double *prepared)
{
    (void)parameters, (void)q, (void)locked, (void)added;
    prepared[0] = 1.0;
    return STI_OK;
}
static inline void troubled_body_respond(const void *parameters, const double *prepared,
                                         const double *q, const StiForce *force, double *dv)
{
    (void)parameters, (void)q;
    dv[0] = prepared[0] * (force->generalized[0] + force->links[0].force.x);
}
static inline void troubled_body_move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    q[0] += T * v[0];
}
static const StiAdmittanceKind troubled_body = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "troubled-body", .summary = "does as its signal says"},
    .size = troubled_body_size,
    .start = troubled_body_start,
    .pose = troubled_body_pose,
    .eval = troubled_body_eval,
    .prepare = troubled_body_prepare,
    .respond = troubled_body_respond,
    .move = troubled_body_move,
};

#endif
