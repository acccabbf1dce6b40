// Kikuuwe's element: a spring and a damper behind a Coulomb slider, [modular] (19).
#include "base/default.h"
#include "impedance/elastic_modes.h"
#include "law/shape.h"
#include "law/slip.h"
#include "stiction/friction.h"

static inline bool element(const StiElasticCoulomb *p, int dim, double tau, const double *signals,
                           const double *v, const double *e, double *f, double *edot)
{
    const double Z = p->B + tau * p->K;
    double trial[3] = {0.0};
    for (int i = 0; i < dim; ++i) trial[i] = Z * v[i] + p->K * e[i];
    const bool stuck = sti_law_saturate(&p->law, dim, Z, signals, trial, f);         // (19b)
    for (int i = 0; i < dim; ++i) edot[i] = stuck ? v[i] : (f[i] - p->K * e[i]) / Z; // (19c)
    return stuck;
}

// The compiler makes straight code of one axis when it knows that there is one.
bool sti_elastic_coulomb(const StiElasticCoulomb *p, double tau, const double *signals,
                         const double *v, const double *e, double *f, double *edot)
{
    return p->dim == 1 ? element(p, 1, tau, signals, v, e, f, edot)
                       : element(p, p->dim, tau, signals, v, e, f, edot);
}

static StiImpedanceSize size(const void *parameters)
{
    const StiElasticCoulomb *p = parameters;
    return (StiImpedanceSize){.velocities = p->dim,
                              .memory = p->dim,
                              .discrete = 1 + p->dim,
                              .signals = sti_law_signals(&p->law)};
}

static void start(const void *parameters, double *y)
{
    const StiElasticCoulomb *p = parameters;
    for (int i = 0; i < p->dim; ++i) y[i] = p->deflection[i];
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    const StiElasticCoulomb *p = parameters;
    if (p->B + stage->tau * p->K <= 0.0) return STI_NO_CONTINUOUS_LIMIT;
    sti_elastic_coulomb(p, stage->tau, xhat->signals, xhat->v, y, u, ydot);
    return STI_OK;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiElasticCoulomb *p = parameters;
    double sum = 0.0;
    for (int i = 0; i < p->dim; ++i) sum += y[i] * y[i];
    return 0.5 * p->K * sum;
}

// In stick B + tau K; the slip branch is left out on purpose: stability is decided in stick.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiElasticCoulomb *p = parameters;
    for (int i = 0; i < p->dim * p->dim; ++i)
        Z[i] = i % (p->dim + 1) == 0 ? p->B + stage->tau * p->K : 0.0;
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)u;
    double f[3], edot[3];
    if (stage->tau > 0.0)
        values[0] = sti_elastic_coulomb(parameters, stage->tau, xhat->signals, xhat->v, y, f, edot);
    else
        values[0] = s[0] == STI_STICK; // kept by a method that cuts the step
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiElasticCoulomb),
    {.name = "law",
     .unit = "N",
     .meaning = "level at which the surface slips",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiElasticCoulomb, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "spring K of the stuck surface",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiElasticCoulomb, K)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damper B of the stuck surface",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiElasticCoulomb, B)},
    {.name = "static",
     .unit = "N",
     .meaning = "level FS that ends sticking; 0: the law's at rest",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiElasticCoulomb, level_static)},
    {.name = "deflection",
     .unit = "m",
     .meaning = "of the spring at the start, along each axis; F/K: it slides",
     .type = STI_FIELD_AXES,
     .offset = offsetof(StiElasticCoulomb, deflection),
     .count_offset = offsetof(StiElasticCoulomb, dim),
     .length = 3},
};

// A level that falls faster than Z = B + T K leaves more than one slip speed.
static void check_unique(const StiElasticCoulomb *p, const StiCheck *check)
{
    const double fall = sti_law_survey(&p->law).steepest_fall;
    if (fall >= p->B + check->step * p->K)
        sti_check_warning(check, "damping", p->B,
                          "the level falls by up to %g N s/m: more than one slip speed is possible "
                          "and the fastest is taken; damping above that makes it unique",
                          fall);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiElasticCoulomb *p = parameters;
    if (p->law.kind == NULL) return; // reported already
    sti_check_friction(check, p->dim, &p->law);
    if (p->level_static > 0.0)
        sti_check_static(check, p->level_static, sti_law_survey(&p->law).at_rest);
    if (check->step > 0.0) check_unique(p, check);
}

static const StiExplanation explanation = {
    .equations = "f = gsat(F, (B + tau K) v + K e)\n"
                 "edot = (f - K e)/(B + tau K),   edot = v in stick, by assignment\n"
                 "With a law, F is taken at the slip speed |v - edot|.\n",
    .use = "Friction with a compliant surface, in one to three dimensions, under any method "
           "and with forces that need not know the mass. K may be far stiffer than the step "
           "resolves.",
    .drift = "No: in stick the anchor does not move; the body swings on K and B.",
    .source = "[modular] (14)-(19), the element of the generalised Runge-Kutta scheme (22).",
};

static const StiElasticCoulomb example = {.dim = 1, .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .K = 1e4, .B = 10.0};

const StiImpedanceKind sti_kind_elastic_coulomb = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "elastic-coulomb",
             .summary = "spring and damper behind a Coulomb slider: holds, any dimension",
             .size = sizeof(StiElasticCoulomb),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = true,
    .holds = true,
    .size = size,
    .start = start,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 1,
    .modes = &sti_elastic_modes,
    .observe = observe,
};

STI_DEFAULT(StiElasticCoulomb, elastic_coulomb, sti_kind_elastic_coulomb.info)
