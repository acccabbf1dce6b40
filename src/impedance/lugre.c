// LuGre: a bristle with a damper, and a level that falls with speed. [modular] (12), EQUATIONS 2.13
#include "base/default.h"
#include "impedance/bristle.h"
#include "stiction/friction.h"

StiStatus sti_lugre(const StiLuGre *p, double tau, const double *signals, double v, double z,
                    double *f, double *zdot)
{
    const double within = p->plain ? 0.0 : tau;
    const StiStatus status =
        (p->stiff ? sti_bristle_rate : sti_bristle_rate_within)(&p->law, p->sigma0, within, signals,
                                                                v, z, zdot);
    *f = p->sigma0 * z + p->sigma1 * *zdot + p->sigma2 * v;
    return status;
}

static StiImpedanceSize size(const void *parameters)
{
    const StiLuGre *p = parameters;
    return sti_bristle_size(&p->law);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    return sti_lugre(parameters, stage->tau, xhat->signals, xhat->v[0], y[0], u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiLuGre *p = parameters;
    return 0.5 * p->sigma0 * y[0] * y[0];
}

// Stuck, at small deflection: the bristle moves with the surface.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiLuGre *p = parameters;
    Z[0] = p->sigma1 + p->sigma2 + stage->tau * p->sigma0;
}

static const StiChannelInfo channels[] = {{"stick", "1"}, {"deflection", "m"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)s, (void)u;
    const StiLuGre *p = parameters;
    values[0] = sti_bristle_sticks(&p->law, xhat->signals, xhat->v[0], p->sigma0 * y[0]);
    values[1] = y[0];
}

static const StiField fields[] = {
    {.name = "law",
     .unit = "N",
     .meaning = "Stribeck level s(v), without the viscous part",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiLuGre, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "stiffness sigma0 of the bristle",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiLuGre, sigma0)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damping sigma1 of the bristle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLuGre, sigma1)},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "viscous friction sigma2 beside the bristle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLuGre, sigma2)},
    STI_FIELD_OF_SWITCH(StiLuGre, stiff, "divides zdot by 1 + tau K|v|/s(v): survives a vanishing level"),
    STI_FIELD_OF_SWITCH(StiLuGre, plain, "the paper's form at any step, which may run away"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiLuGre *p = parameters;
    sti_check_bristle_passive(check, &p->law, p->sigma1, p->sigma2);
    sti_check_bristle_form(check, p->stiff, p->plain);
}

static const StiExplanation explanation = {
    .equations = "zdot = v - K|v| z/s(v)          s(v): the law, without its viscous part\n"
                 "f = K z + B zdot + sigma2 v     K: stiffness, B: damping, sigma2: viscous\n",
    .use = "Control studies that need friction lag and the Stribeck effect in one smooth "
           "state. Makes energy unless sigma2 >= B (static - level)/level; that is refused.",
    .drift = "Yes, under vibration: a dither below the level walked it 0.69 m in 100 s where "
             "elastic-coulomb stayed in place.",
    .source = "[modular] (12); C. Canudas de Wit, H. Olsson, K. J. Astrom, P. Lischinsky "
              "1995.",
};

static const StiLuGre example = {.law = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.0}}, .sigma0 = 1e4, .sigma1 = 10.0, .sigma2 = 4.0};

const StiImpedanceKind sti_kind_lugre = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "lugre",
             .summary = "Dahl with damping, Stribeck and viscous friction: drifts under vibration",
             .size = sizeof(StiLuGre),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .holds = false,
    .stays_within = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 2,
    .observe = observe,
};

STI_DEFAULT(StiLuGre, lugre, sti_kind_lugre.info)
