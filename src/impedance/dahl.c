// Dahl's model: a spring that stretches ever less as its force nears the level.
// [fixed-step] (8), [dahl] (16)-(19)
#include <math.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "stiction/friction.h"

static double exponent(const StiDahl *p) { return p->alpha > 0.0 ? p->alpha : 1.0; }

// The factor |1 - r|^alpha sgn(1 - r) stays real beyond the level, where the printed (1 - r)^alpha
// does not: a falling load leaves |K z| > F.                                     [dahl] (17)
static StiStatus power_rate(const StiDahl *p, double tau, const double *signals, double v, double z,
                            double *zdot)
{
    *zdot = 0.0;
    if (v == 0.0) return STI_OK;
    double F;
    if (sti_bristle_level(&p->law, signals, v, &F) != STI_OK)
        return sti_bristle_without_level(tau, z, zdot);
    const double room = 1.0 - p->K * z * sti_sign(v) / F;
    *zdot = sti_bristle_within(tau, sti_sign(v) * F / p->K - z,
                               v * copysign(sti_pow(fabs(room), exponent(p)), room));
    return STI_OK;
}

StiStatus sti_dahl(const StiDahl *p, double tau, const double *signals, double v, double z,
                   double *f, double *zdot)
{
    *f = p->K * z;
    const double within = p->plain ? 0.0 : tau;
    if (exponent(p) != 1.0) return power_rate(p, within, signals, v, z, zdot);
    return (p->stiff ? sti_bristle_rate : sti_bristle_rate_within)(&p->law, p->K, within, signals,
                                                                   v, z, zdot);
}

static StiImpedanceSize size(const void *parameters)
{
    const StiDahl *p = parameters;
    return sti_bristle_size(&p->law);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    return sti_dahl(parameters, stage->tau, xhat->signals, xhat->v[0], y[0], u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiDahl *p = parameters;
    return 0.5 * p->K * y[0] * y[0];
}

// Stuck, at small deflection: the spring alone.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiDahl *p = parameters;
    Z[0] = stage->tau * p->K;
}

static const StiChannelInfo channels[] = {{"stick", "1"}, {"deflection", "m"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)s, (void)u;
    const StiDahl *p = parameters;
    values[0] = sti_bristle_sticks(&p->law, xhat->signals, xhat->v[0], p->K * y[0]);
    values[1] = y[0];
}

static const StiField fields[] = {
    {.name = "law",
     .unit = "N",
     .meaning = "level the spring's force tends to",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiDahl, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "stiffness K at small deflection",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiDahl, K)},
    {.name = "alpha",
     .unit = "",
     .meaning = "exponent of the approach to the level",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiDahl, alpha),
     .usual = 1.0},
    STI_FIELD_OF_SWITCH(StiDahl, stiff, "zdot = (F v - K z|v|)/(F + tau K|v|): survives a vanishing level; alpha = 1 only"),
    STI_FIELD_OF_SWITCH(StiDahl, plain, "the paper's form at any step, which may run away"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiDahl *p = parameters;
    if (p->stiff && exponent(p) != 1.0)
        sti_check_error(check, "alpha", p->alpha, "the stiff form exists only for alpha = 1");
    sti_check_bristle_form(check, p->stiff, p->plain);
}

static const StiExplanation explanation = {
    .equations = "f = K z\n"
                 "zdot = v |1 - r|^alpha sgn(1 - r),    r = K z sgn(v)/F\n",
    .use = "Smooth hysteresis before sliding from one stiffness: bearings, joints of "
           "linkages. K below M/T^2 at the step T, or it rings.",
    .drift = "Yes, under vibration: each small cycle yields a little.",
    .source = "[dahl] (16)-(19), [fixed-step] (8); P. R. Dahl 1968.",
};

static const StiDahl example = {.law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .K = 1e4, .alpha = 1.0};

const StiImpedanceKind sti_kind_dahl = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "dahl",
             .summary = "a bristle that yields with distance: smooth, drifts under vibration",
             .size = sizeof(StiDahl),
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

STI_DEFAULT(StiDahl, dahl, sti_kind_dahl.info)
