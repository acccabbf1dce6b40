// The generalized Maxwell-slip model, [fixed-step] (9). An element that sticks is released at the end of
// the step in which it reached its level. In the paper's plain form it may overshoot by K |v| T, and the
// slip equation brings it back within about s/Q; else no element passes its level within tau.
#include <math.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "impedance/slip_bank.h"
#include "law/slip.h"
#include "stiction/friction.h"

// (9b) in slip, with s >= 0 and without a division by the share.
static double slip_rate(const StiGms *p, int i, double s, double v, double z)
{
    if (v == 0.0) return 0.0;
    return p->Q / p->K[i] * (sti_sign(v) * p->share[i] - p->K[i] * z / s);
}

// In stick an element follows the motion up to its level.
static double stick_rate(double within, double room, double v)
{
    if (within > 0.0 && room * v <= 0.0) return 0.0;
    return sti_bristle_within(within, room, v);
}

StiStatus sti_gms(const StiGms *p, double tau, const double *signals, double v, const double *z,
                  const double *modes, double *f, double *zdot)
{
    const double within = p->plain ? 0.0 : tau;
    const double s = sti_law_level(&p->law, fabs(v), sti_sign(v), signals);
    double sum = 0.0;
    StiStatus status = STI_OK;
    for (int i = 0; i < p->elements; ++i) {
        sum += p->K[i] * z[i];
        if (s <= 0.0 && v != 0.0) {
            if (sti_bristle_without_level(within, z[i], &zdot[i]) != STI_OK)
                status = STI_LEVEL_VANISHED;
            continue;
        }
        const double room = sti_sign(v) * p->share[i] * s / p->K[i] - z[i];
        zdot[i] = modes[i] == 0.0 ? stick_rate(within, room, v)
                                  : sti_bristle_within(within, room, slip_rate(p, i, s, v, z[i]));
    }
    *f = sum + p->sigma2 * v;
    return status;
}

void sti_gms_settle(const StiGms *p, const double *signals, double v, const double *z,
                    double *modes)
{
    double *last = &modes[p->elements];
    const bool reversed = v * *last < 0.0;
    if (v != 0.0) *last = sti_sign(v); // at rest the last direction stays
    const double s = sti_law_level(&p->law, fabs(v), *last, signals);
    for (int i = 0; i < p->elements; ++i) {
        if (reversed) modes[i] = 0.0;
        const bool outward = v * z[i] > 0.0;
        if (outward && fabs(p->K[i] * z[i]) >= p->share[i] * s) modes[i] = 1.0;
    }
}

static StiImpedanceSize size(const void *parameters)
{
    const StiGms *p = parameters;
    return (StiImpedanceSize){.velocities = 1,
                              .memory = p->elements,
                              .discrete = p->elements + 1,
                              .signals = sti_law_signals(&p->law)};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    return sti_gms(parameters, stage->tau, xhat->signals, xhat->v[0], y, s, u, ydot);
}

static void settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s)
{
    (void)stage;
    sti_gms_settle(parameters, xhat->signals, xhat->v[0], y, s);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiGms *p = parameters;
    return sti_bank_energy(p->elements, p->K, y);
}

// All elements stuck: stability is decided there.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiGms *p = parameters;
    Z[0] = p->sigma2 + stage->tau * sti_bank_sum(p->elements, p->K);
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

// The share of elements that stick.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)xhat, (void)y, (void)u;
    const StiGms *p = parameters;
    int stuck = 0;
    for (int i = 0; i < p->elements; ++i) stuck += s[i] == 0.0;
    values[0] = (double)stuck / p->elements;
}

static const StiField fields[] = {
    STI_FIELD_OF_ELEMENTS(StiGms),
    {.name = "law",
     .unit = "N",
     .meaning = "level s(v) of sliding, without the viscous part",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiGms, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "springs K of the elements",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_POSITIVE,
     .offset = offsetof(StiGms, K),
     .count_offset = offsetof(StiGms, elements)},
    {.name = "share",
     .unit = "",
     .meaning = "the elements' fractions of the level",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_POSITIVE,
     .offset = offsetof(StiGms, share),
     .count_offset = offsetof(StiGms, elements)},
    {.name = "rate",
     .unit = "N/s",
     .meaning = "how fast slipping elements reach their level (Q)",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiGms, Q)},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "viscous friction sigma2",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiGms, sigma2)},
    STI_FIELD_OF_SWITCH(StiGms, plain, "the paper's form at any step, which may run away"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiGms *p = parameters;
    if (!sti_bank_check(check, p->elements, p->K, "share", p->share)) return;
    const double sum = sti_bank_sum(p->elements, p->share);
    if (!(fabs(sum - 1.0) <= 1e-9))
        sti_check_error(check, "share", sum, "the shares must add up to 1, not %.10g", sum);
    if (p->law.kind == NULL) return;
    sti_check_friction(check, 1, &p->law);
    const double lowest = sti_law_survey(&p->law).lowest;
    if (!p->law.times_load && check->step * p->Q > lowest)
        sti_check_warning(
            check, "rate", p->Q,
            "slip overshoots its level of %g N within one step; below %g N/s it does not", lowest,
            lowest / check->step);
}

static const StiExplanation explanation = {
    .equations = "f = sum of K_i z_i + sigma2 v           a_i: share, Q: rate\n"
                 "stick:  zdot_i = v, until |K_i z_i| reaches a_i s(v)\n"
                 "slip:   zdot_i = sgn(v) (Q a_i/K_i) (1 - K_i z_i sgn(v)/(a_i s(v))),\n"
                 "        until v changes its sign\n",
    .use = "Identified machine tools and drives: hysteresis, friction lag and Stribeck "
           "together. Explicit: needs rate * T well below the level.",
    .drift = "No, while its elements stick.",
    .source = "[fixed-step] (9); F. Al-Bender, V. Lampaert, J. Swevers 2005.",
};

static const StiGms example = {.law = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.0}}, .elements = 2, .K = (const double[]){8e3, 2e3}, .share = (const double[]){0.5, 0.5}, .Q = 200.0, .sigma2 = 0.1};

const StiImpedanceKind sti_kind_gms = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "gms",
             .summary = "generalised Maxwell slip: a bank whose elements follow the Stribeck curve",
             .size = sizeof(StiGms),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = false,
    .holds = true,
    .size = size,
    .eval = eval,
    .settle = settle,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 1,
    .observe = observe,
};

STI_DEFAULT(StiGms, gms, sti_kind_gms.info)
