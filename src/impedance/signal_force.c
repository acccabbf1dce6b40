// A force, or a value, that is a function of signals: of positions, velocities, forces, time, inputs.
#include "base/default.h"
#include "stiction/spring.h"

static StiImpedanceSize size(const void *parameters)
{
    const StiSignalForce *p = parameters;
    return (StiImpedanceSize){.velocities = p->dim, .signals = p->signals};
}

// u is a resistance, hence the sign: side a receives +force.
static StiStatus eval_force(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                            const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiSignalForce *p = parameters;
    p->eval(p->data, xhat->signals, u);
    for (int i = 0; i < p->dim; ++i) u[i] = -u[i];
    return STI_OK;
}

static StiStatus eval_value(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                            const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiSignalForce *p = parameters;
    p->eval(p->data, xhat->signals, u);
    return STI_OK;
}

// How it answers to the motion of its own wire is not known: it is taken explicitly.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)stage, (void)xhat, (void)y, (void)s;
    const StiSignalForce *p = parameters;
    for (int i = 0; i < p->dim * p->dim; ++i) Z[i] = 0.0;
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiSignalForce *p = parameters;
    if (p->dim < 1)
        sti_check_error(check, "dimensions", p->dim, "must be as many as the wire has velocities");
    if (p->signals < 0) sti_check_error(check, "signals", p->signals, "cannot be below 0");
    if (p->eval == NULL) sti_check_error(check, "eval", 0.0, "is missing");
}

static const StiField fields[] = {STI_FIELD_OF_DIM(StiSignalForce)};

const StiImpedanceKind sti_kind_signal_force = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "signal-force",
             .summary = "a force as a function of signals: positions, velocities, forces, time",
             .size = sizeof(StiSignalForce),
             .fields = fields,
             .field_count = 1,
             .check = check},
    .gives_work = true,
    .continuous = true,
    .smooth = true,
    .size = size,
    .eval = eval_force,
    .tangent = tangent,
};

const StiImpedanceKind sti_kind_signal_value = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "signal-value",
             .summary = "a value as a function of signals, for others to listen to",
             .size = sizeof(StiSignalForce),
             .fields = fields,
             .field_count = 1,
             .check = check},
    .continuous = true,
    .smooth = true,
    .only_senses = true,
    .size = size,
    .eval = eval_value,
    .tangent = tangent,
};

STI_DEFAULT(StiSignalForce, signal_force, sti_kind_signal_force.info)
