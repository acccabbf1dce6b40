// Maxwell slip: springs behind Coulomb sliders, in parallel, all driven by one velocity. Each
// element is [modular] (19) in one dimension; without dampers and with tau = T it is Hayward and
// Armstrong's z = clip(z + dx, F/K).
#include <math.h>

#include "base/default.h"
#include "impedance/slip_bank.h"
#include "stiction/friction.h"

// Elements are taken four at a time so that the compiler can use vector instructions without being
// allowed to reorder sums; the four partial sums are added in a fixed order.
enum { LANES = 4 };

// NaN stays NaN.
static inline double clip(double a, double limit)
{
    const double below = a > limit ? limit : a;
    return below < -limit ? -limit : below;
}

// One element, Z = B + tau K > 0; returns its force. zdot = (f - K z)/Z (19c), written without a
// branch: in stick trial - f is 0 and zdot is exactly v, so the anchor does not move.
static inline double slide(double K, double F, double Z, double v, double z, double *zdot)
{
    const double trial = Z * v + K * z;
    const double f = clip(trial, F); // (19b)
    *zdot = v - (trial - f) / Z;
    return f;
}

static double springs(int elements, const double *restrict K, const double *restrict F, double tau,
                      double v, const double *restrict z, double *restrict zdot)
{
    double sum[LANES] = {0.0};
    int i = 0;
    for (; i + LANES <= elements; i += LANES)
        for (int j = 0; j < LANES; ++j)
            sum[j] += slide(K[i + j], F[i + j], tau * K[i + j], v, z[i + j], &zdot[i + j]);
    for (int j = 0; i + j < elements; ++j)
        sum[j] += slide(K[i + j], F[i + j], tau * K[i + j], v, z[i + j], &zdot[i + j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double damped_springs(int elements, const double *restrict K, const double *restrict F,
                             const double *restrict B, double tau, double v,
                             const double *restrict z, double *restrict zdot)
{
    double sum[LANES] = {0.0};
    int i = 0;
    for (; i + LANES <= elements; i += LANES)
        for (int j = 0; j < LANES; ++j)
            sum[j] +=
                slide(K[i + j], F[i + j], B[i + j] + tau * K[i + j], v, z[i + j], &zdot[i + j]);
    for (int j = 0; i + j < elements; ++j)
        sum[j] += slide(K[i + j], F[i + j], B[i + j] + tau * K[i + j], v, z[i + j], &zdot[i + j]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// Z = 0: a slider at its level lets the spring go only inward.
static double hold(double K, double F, double v, double z, double *zdot)
{
    *zdot = fabs(K * z) >= F && z * v >= 0.0 ? 0.0 : v;
    return clip(K * z, F);
}

static double continuous_time(const StiMaxwellSlip *p, double v, const double *z, double *zdot)
{
    double sum = 0.0;
    for (int i = 0; i < p->elements; ++i) {
        const double B = p->B != NULL ? p->B[i] : 0.0;
        sum += B > 0.0 ? slide(p->K[i], p->F[i], B, v, z[i], &zdot[i])
                       : hold(p->K[i], p->F[i], v, z[i], &zdot[i]);
    }
    return sum;
}

void sti_maxwell_slip(const StiMaxwellSlip *p, double tau, double v, const double *z, double *f,
                      double *zdot)
{
    if (!(tau > 0.0))
        *f = continuous_time(p, v, z, zdot);
    else if (p->B == NULL)
        *f = springs(p->elements, p->K, p->F, tau, v, z, zdot);
    else
        *f = damped_springs(p->elements, p->K, p->F, p->B, tau, v, z, zdot);
}

static StiImpedanceSize size(const void *parameters)
{
    const StiMaxwellSlip *p = parameters;
    return (StiImpedanceSize){.velocities = 1, .memory = p->elements};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    sti_maxwell_slip(parameters, stage->tau, xhat->v[0], y, u, ydot);
    return STI_OK;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiMaxwellSlip *p = parameters;
    return sti_bank_energy(p->elements, p->K, y);
}

// All elements stuck: stability is decided there.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiMaxwellSlip *p = parameters;
    Z[0] = stage->tau * sti_bank_sum(p->elements, p->K);
    if (p->B != NULL) Z[0] += sti_bank_sum(p->elements, p->B);
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

// The share of elements that stick.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)s, (void)u;
    const StiMaxwellSlip *p = parameters;
    int stuck = 0;
    for (int i = 0; i < p->elements; ++i) {
        const double Z = (p->B != NULL ? p->B[i] : 0.0) + stage->tau * p->K[i];
        stuck += fabs(Z * xhat->v[0] + p->K[i] * y[i]) <= p->F[i];
    }
    values[0] = (double)stuck / p->elements;
}

static const StiField fields[] = {
    STI_FIELD_OF_ELEMENTS(StiMaxwellSlip),
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "springs K of the elements",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_POSITIVE,
     .offset = offsetof(StiMaxwellSlip, K),
     .count_offset = offsetof(StiMaxwellSlip, elements)},
    {.name = "level",
     .unit = "N",
     .meaning = "levels F of the elements' sliders",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiMaxwellSlip, F),
     .count_offset = offsetof(StiMaxwellSlip, elements)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "dampers B of the elements",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiMaxwellSlip, B),
     .count_offset = offsetof(StiMaxwellSlip, elements)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiMaxwellSlip *p = parameters;
    sti_bank_check(check, p->elements, p->K, "level", p->F);
}

static const StiExplanation explanation = {
    .equations = "n elements:  f_i = gsat(F_i, (B_i + tau K_i) v + K_i z_i)\n"
                 "             zdot_i = (f_i - K_i z_i)/(B_i + tau K_i),  v in stick\n"
                 "f = sum of f_i\n",
    .use = "Measured hysteresis curves: n springs and levels fit any virgin curve that bends "
           "down. Loops close and remember their reversal points.",
    .drift = "No: loops close.",
    .source = "[modular] (19) for each element, [fixed-step] Fig. 4; W. D. Iwan 1966.",
};

static const StiMaxwellSlip example = {.elements = 2, .K = (const double[]){8e3, 2e3}, .F = (const double[]){1.0, 1.0}};

const StiImpedanceKind sti_kind_maxwell_slip = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "maxwell-slip",
             .summary = "many springs with sliders in parallel: hysteresis that closes",
             .size = sizeof(StiMaxwellSlip),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = true,
    .holds = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 1,
    .observe = observe,
};

STI_DEFAULT(StiMaxwellSlip, maxwell_slip, sti_kind_maxwell_slip.info)
