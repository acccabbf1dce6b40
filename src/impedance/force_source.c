// A force given by signals. u is a resistance, hence the sign: side a receives +signal.
#include "base/default.h"
#include "stiction/spring.h"

static StiImpedanceSize size(const void *parameters)
{
    const StiForceSource *p = parameters;
    return (StiImpedanceSize){.velocities = p->dim, .signals = p->dim};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiForceSource *p = parameters;
    for (int i = 0; i < p->dim; ++i) u[i] = -xhat->signals[i];
    return STI_OK;
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)stage, (void)xhat, (void)y, (void)s;
    const StiForceSource *p = parameters;
    for (int i = 0; i < p->dim * p->dim; ++i) Z[i] = 0.0;
}

// As many forces as the wire has velocities: more than three on a frame or a box.
static void check(const void *parameters, const StiCheck *check)
{
    const StiForceSource *p = parameters;
    if (p->dim < 1)
        sti_check_error(check, "dimensions", p->dim, "must be as many as the wire has velocities");
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiForceSource),
};

static const StiForceSource example = {.dim = 1};

const StiImpedanceKind sti_kind_force_source = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "force",
             .summary = "a force as a function of time or of an input",
             .size = sizeof(StiForceSource),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .gives_work = true,
    .continuous = true,
    .smooth = true,
    .size = size,
    .eval = eval,
    .tangent = tangent,
};

STI_DEFAULT(StiForceSource, force_source, sti_kind_force_source.info)
