// Bouc-Wen: a spring whose stiffness fades as its force nears the level, and recovers on the way back.
// R. Bouc 1967, Y.-K. Wen 1976, with the constants normalised so that the force ends at the level:
// zdot = v (1 - |r|^n (1 - beta + beta sgn(v r))), r = K z/F, f = K z + sigma2 v.
//
// f v - d(K z^2/2)/dt = K z (v - zdot) + sigma2 v^2, and v - zdot = v |r|^n when r and v have one sign,
// v |r|^n (1 - 2 beta) when not: no energy is made from beta = 1/2 on.
#include <math.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "law/slip.h"
#include "stiction/elementary.h"

typedef struct BoucWen {
    StiLaw law;
    double K;      // N/m
    double n;      // sharpness of the transition
    double beta;   // 1/2: elastic on the way back; 1 and n = 1: Dahl
    double sigma2; // N s/m
} BoucWen;

static StiStatus rate(const BoucWen *p, double tau, const double *signals, double v, double z,
                      double *zdot)
{
    double F;
    *zdot = 0.0;
    if (v == 0.0) return STI_OK;
    if (sti_bristle_level(&p->law, signals, v, &F) != STI_OK)
        return sti_bristle_without_level(tau, z, zdot);
    const double r = p->K * z / F;
    const double fades = 1.0 - p->beta + p->beta * sti_sign(v * r);
    *zdot = sti_bristle_within(tau, sti_sign(v) * F / p->K - z,
                               v * (1.0 - sti_pow(fabs(r), p->n) * fades));
    return STI_OK;
}

static StiImpedanceSize size(const void *parameters)
{
    const BoucWen *p = parameters;
    return sti_bristle_size(&p->law);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    const BoucWen *p = parameters;
    u[0] = p->K * y[0] + p->sigma2 * xhat->v[0];
    return rate(p, stage->tau, xhat->signals, xhat->v[0], y[0], ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const BoucWen *p = parameters;
    return 0.5 * p->K * y[0] * y[0];
}

// At small deflection.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const BoucWen *p = parameters;
    Z[0] = p->sigma2 + stage->tau * p->K;
}

static const StiChannelInfo channels[] = {{"stick", "1"}, {"deflection", "m"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)s, (void)u;
    const BoucWen *p = parameters;
    values[0] = sti_bristle_sticks(&p->law, xhat->signals, xhat->v[0], p->K * y[0]);
    values[1] = y[0];
}

static const StiField fields[] = {
    {.name = "law",
     .unit = "N",
     .meaning = "level that the spring's force tends to",
     .type = STI_FIELD_LAW,
     .offset = offsetof(BoucWen, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "stiffness K at small deflection",
     .bound = STI_POSITIVE,
     .offset = offsetof(BoucWen, K)},
    {.name = "sharpness",
     .unit = "",
     .meaning = "exponent n: how abruptly elastic turns into sliding",
     .bound = STI_POSITIVE,
     .offset = offsetof(BoucWen, n),
     .usual = 2.0},
    {.name = "beta",
     .unit = "",
     .meaning =
         "share of the fading that turns with the motion: 0.5 (elastic on the way back) to 1",
     .bound = STI_POSITIVE,
     .offset = offsetof(BoucWen, beta),
     .usual = 0.5},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "viscous friction sigma2 beside the spring",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(BoucWen, sigma2)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const BoucWen *p = parameters;
    if (!(p->n >= 1.0)) sti_check_error(check, "sharpness", p->n, "the exponent must be 1 or more");
    if (p->beta < 0.5)
        sti_check_unphysical(check, "beta", p->beta,
                             "below 0.5 the way back makes energy; 0.5 is elastic there");
    if (p->beta > 1.0) sti_check_error(check, "beta", p->beta, "it is a share: at most 1");
    sti_check_friction(check, 1, &p->law);
}

static const StiExplanation explanation = {
    .equations = "zdot = v (1 - |r|^n (1 - beta + beta sgn(v r))),    r = K z/F\n"
                 "f = K z + sigma2 v            n: sharpness, sigma2: viscous\n",
    .use =
        "Measured hysteresis loops of rubber, cables, dampers and presliding with few numbers: n "
        "sets how sharp the knee is, beta how the way back looks. n = 1, beta = 1 is dahl.",
    .drift = "Yes, under vibration: each small cycle yields a little, the less the larger n is.",
    .source = "R. Bouc 1967, Y.-K. Wen 1976; passive for beta >= 1/2: S. Erlicher, N. Point 2004.",
};

static const BoucWen example = {.law = {.kind = &sti_law_kind_coulomb, .p = {2.0}},
                                .K = 1e4,
                                .n = 2.0,
                                .beta = 0.5,
                                .sigma2 = 0.5};

extern const StiImpedanceKind sti_kind_bouc_wen;
const StiImpedanceKind sti_kind_bouc_wen = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "bouc-wen",
             .summary = "hysteresis with a knee of any sharpness: smooth, drifts under vibration",
             .size = sizeof(BoucWen),
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
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
};
