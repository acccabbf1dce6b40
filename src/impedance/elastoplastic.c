// Elastoplastic (Dupont, Hayward, Armstrong, Altpeter 2002): LuGre that is a pure spring and damper
// below a break-away deflection, so that it holds there.
#include <math.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "stiction/friction.h"

// The share alpha of the plastic rate; r = sigma0 z sgn(v)/s(v) is 1 in steady sliding and negative
// while unloading, which is elastic. Half a sine joins 0 at break-away to 1 at r = 1.
static double plastic_share(double breakaway, double r)
{
    const double pi = 3.14159265358979323846;
    if (r <= breakaway) return 0.0;
    if (r >= 1.0) return 1.0;
    return 0.5 + 0.5 * sti_sin(pi * (r - 0.5 * (1.0 + breakaway)) / (1.0 - breakaway));
}

// zdot = v (1 - alpha r); v by assignment where elastic, so that nothing drifts.
static StiStatus rate(const StiElastoplastic *p, double tau, const double *signals, double v,
                      double z, double *zdot)
{
    *zdot = 0.0;
    if (v == 0.0) return STI_OK;
    double level;
    if (sti_bristle_level(&p->law, signals, v, &level) != STI_OK)
        return sti_bristle_without_level(tau, z, zdot);
    const double r = p->sigma0 * z * sti_sign(v) / level;
    const double share = plastic_share(p->breakaway, r);
    *zdot = sti_bristle_within(tau, sti_sign(v) * level / p->sigma0 - z,
                               share == 0.0 ? v : v * (1.0 - share * r));
    return STI_OK;
}

StiStatus sti_elastoplastic(const StiElastoplastic *p, double tau, const double *signals, double v,
                            double z, double *f, double *zdot)
{
    const StiStatus status = rate(p, p->plain ? 0.0 : tau, signals, v, z, zdot);
    *f = p->sigma0 * z + p->sigma1 * *zdot + p->sigma2 * v;
    return status;
}

static StiImpedanceSize size(const void *parameters)
{
    const StiElastoplastic *p = parameters;
    return sti_bristle_size(&p->law);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    return sti_elastoplastic(parameters, stage->tau, xhat->signals, xhat->v[0], y[0], u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiElastoplastic *p = parameters;
    return 0.5 * p->sigma0 * y[0] * y[0];
}

// Stuck: the bristle moves with the surface.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiElastoplastic *p = parameters;
    Z[0] = p->sigma1 + p->sigma2 + stage->tau * p->sigma0;
}

static const StiChannelInfo channels[] = {{"stick", "1"}, {"deflection", "m"}};

// At rest the level that matters is the one in the direction in which the bristle is bent.
static bool stuck(const StiElastoplastic *p, const double *signals, double v, double z)
{
    const double direction = v != 0.0 ? sti_sign(v) : sti_sign(z);
    const double level = sti_law_level(&p->law, fabs(v), direction, signals);
    return fabs(p->sigma0 * z) <= p->breakaway * level;
}

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)s, (void)u;
    values[0] = stuck(parameters, xhat->signals, xhat->v[0], y[0]);
    values[1] = y[0];
}

static const StiField fields[] = {
    {.name = "law",
     .unit = "N",
     .meaning = "Stribeck level s(v), without the viscous part",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiElastoplastic, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "stiffness sigma0 of the bristle",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiElastoplastic, sigma0)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damping sigma1 of the bristle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiElastoplastic, sigma1)},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "viscous friction sigma2 beside the bristle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiElastoplastic, sigma2)},
    {.name = "breakaway",
     .unit = "",
     .meaning = "fraction of the level up to which all is elastic",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiElastoplastic, breakaway),
     .usual = 0.7},
    STI_FIELD_OF_SWITCH(StiElastoplastic, plain, "the paper's form at any step, which may run away"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiElastoplastic *p = parameters;
    if (!(p->breakaway < 1.0))
        sti_check_error(check, "breakaway", p->breakaway, "it is a fraction of the level: below 1");
    sti_check_bristle_passive(check, &p->law, p->sigma1, p->sigma2);
}

static const StiExplanation explanation = {
    .equations = "zdot = v (1 - a r),  r = K z sgn(v)/s(v)\n"
                 "f = K z + B zdot + sigma2 v\n"
                 "a = 0 for r <= breakaway, 1 for r >= 1, half a sine in between\n",
    .use = "LuGre's behaviour where the object must hold, too: positioning under dither.",
    .drift = "Not below break-away, where it is purely elastic; above it, it yields as LuGre "
             "does.",
    .source = "P. Dupont, V. Hayward, B. Armstrong, F. Altpeter 2002.",
};

static const StiElastoplastic example = {.law = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.0}}, .sigma0 = 1e4, .sigma1 = 10.0, .sigma2 = 4.0, .breakaway = 0.7};

const StiImpedanceKind sti_kind_elastoplastic = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "elastoplastic",
             .summary = "LuGre with a purely elastic range: holds within it",
             .size = sizeof(StiElastoplastic),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = false,
    .holds = true,
    .stays_within = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 2,
    .observe = observe,
};

STI_DEFAULT(StiElastoplastic, elastoplastic, sti_kind_elastoplastic.info)
