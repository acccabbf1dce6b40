// Coulomb friction with a steep damper in place of the step at rest. [fixed-step] (6)
#include "base/default.h"
#include "law/norm.h"
#include "law/slip.h"
#include "stiction/friction.h"

void sti_viscous_approximation(const StiViscousApproximation *p, const double *signals,
                               const double *v, double *f)
{
    const double speed = sti_norm(p->dim, v), direction = sti_direction(p->dim, v);
    const double F = sti_law_level(&p->law, speed, direction, signals);
    double damped[3];
    for (int i = 0; i < p->dim; ++i) damped[i] = F * v[i] / p->eps;
    sti_gsat(p->dim, F, damped, f);
}

static StiImpedanceSize size(const void *parameters)
{
    const StiViscousApproximation *p = parameters;
    return (StiImpedanceSize){.velocities = p->dim, .signals = sti_law_signals(&p->law)};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    sti_viscous_approximation(parameters, xhat->signals, xhat->v, u);
    return STI_OK;
}

// The damper near rest; the flat branch is left out on purpose: stability is decided near rest.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)stage, (void)y, (void)s;
    const StiViscousApproximation *p = parameters;
    const double direction = sti_direction(p->dim, xhat->v);
    const double F = sti_law_level(&p->law, 0.0, direction, xhat->signals);
    for (int i = 0; i < p->dim * p->dim; ++i) Z[i] = i % (p->dim + 1) == 0 ? F / p->eps : 0.0;
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

// It never sticks; for recordings: 1 while it is a damper.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)y, (void)s, (void)u;
    const StiViscousApproximation *p = parameters;
    values[0] = sti_norm(p->dim, xhat->v) <= p->eps ? 1.0 : 0.0;
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiViscousApproximation),
    {.name = "law",
     .unit = "N",
     .meaning = "level above the speed eps",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiViscousApproximation, law)},
    {.name = "eps",
     .unit = "m/s",
     .meaning = "speed below which friction is a damper",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiViscousApproximation, eps)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiViscousApproximation *p = parameters;
    if (p->law.kind == NULL) return; // reported already
    sti_check_friction(check, p->dim, &p->law);
}

static const StiExplanation explanation = {
    .equations = "f = gsat(F, F v/eps)\n",
    .use = "For comparison: the simplest regularization, still common. Small eps is stiff "
           "and needs small steps, large eps slides.",
    .drift = "Yes, by nature: under a force h below F it slides at v = eps h/F.",
    .source = "[fixed-step] (6); Oden and Martins 1985.",
};

static const StiViscousApproximation example = {.dim = 1, .law = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.0}}, .eps = 1e-2};

const StiImpedanceKind sti_kind_viscous_approximation = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "viscous-approximation",
             .summary = "a steep damper below a speed threshold: creeps",
             .size = sizeof(StiViscousApproximation),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = false,
    .holds = false,
    .size = size,
    .eval = eval,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 1,
    .observe = observe,
};

STI_DEFAULT(StiViscousApproximation, viscous_approximation, sti_kind_viscous_approximation.info)
