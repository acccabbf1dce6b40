// A spring with a damper beside it, per axis, [modular] (10).
#include "base/default.h"
#include "stiction/spring.h"

static StiImpedanceSize size(const void *parameters)
{
    const StiSpringDamper *p = parameters;
    return (StiImpedanceSize){.positions = p->dim, .velocities = p->dim};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiSpringDamper *p = parameters;
    for (int i = 0; i < p->dim; ++i) u[i] = p->K * (xhat->x[i] - p->rest[i]) + p->B * xhat->v[i];
    return STI_OK;
}

static bool linear(const void *parameters, double numbers[3])
{
    const StiSpringDamper *p = parameters;
    numbers[0] = p->K;
    numbers[1] = p->rest[0];
    numbers[2] = p->B;
    return p->dim == 1;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)y;
    const StiSpringDamper *p = parameters;
    double sum = 0.0;
    for (int i = 0; i < p->dim; ++i) sum += (xhat->x[i] - p->rest[i]) * (xhat->x[i] - p->rest[i]);
    return 0.5 * p->K * sum;
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiSpringDamper *p = parameters;
    for (int i = 0; i < p->dim * p->dim; ++i)
        Z[i] = i % (p->dim + 1) == 0 ? p->B + stage->tau * p->K : 0.0;
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiSpringDamper),
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "spring K",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiSpringDamper, K)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damper B",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiSpringDamper, B)},
    {.name = "rest",
     .unit = "m",
     .type = STI_FIELD_AXES,
     .meaning = "displacement at which the spring is slack",
     .offset = offsetof(StiSpringDamper, rest),
     .count_offset = offsetof(StiSpringDamper, dim),
     .length = 3},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiSpringDamper *p = parameters;
    if (p->dim < 1 || p->dim > 3) sti_check_error(check, "dimensions", p->dim, "must be 1, 2 or 3");
}

static const StiSpringDamper example = {.dim = 1, .K = 100.0, .B = 1.0};

const StiImpedanceKind sti_kind_spring_damper = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "spring-damper",
             .summary = "a linear spring and damper, the same along all axes",
             .size = sizeof(StiSpringDamper),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .continuous = true,
    .smooth = true,
    .size = size,
    .eval = eval,
    .linear = linear,
    .stored = stored,
    .tangent = tangent,
};

STI_DEFAULT(StiSpringDamper, spring_damper, sti_kind_spring_damper.info)
