// The Leuven model as modified by Lampaert, Swevers and Al-Bender (2002): a Maxwell-slip bank in
// place of the stacks of the first version. y = (z, deflections of the bank).
#include <math.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "impedance/slip_bank.h"
#include "law/slip.h"
#include "stiction/friction.h"

static StiMaxwellSlip bank_of(const StiLeuven *p)
{
    return (StiMaxwellSlip){.elements = p->elements, .K = p->K, .F = p->F};
}

// The paper's s(v) has the sign of v; ours is a level >= 0, so v stands beside h: along the motion
// zdot falls to 0 as h reaches s, against it zdot is larger than v.
static double state_rate(double h, double level, double exponent, double v)
{
    const double used = sti_pow(fabs(h) / level, exponent);
    return v - sti_sign(h) * fabs(v) * used;
}

StiStatus sti_leuven(const StiLeuven *p, double tau, const double *signals, double v,
                     const double *y, double *f, double *ydot)
{
    const StiMaxwellSlip bank = bank_of(p);
    double h, zdot = 0.0;
    if (v != 0.0) {
        double level;
        const double within = p->plain ? 0.0 : tau;
        const bool vanished = sti_bristle_level(&p->law, signals, v, &level) != STI_OK;
        sti_maxwell_slip(&bank, 0.0, 0.0, &y[1], &h,
                         &ydot[1]); // the present force; rates come below
        const double room = (sti_sign(v) * level - h) / sti_bank_sum(p->elements, p->K);
        if (!vanished)
            zdot = sti_bristle_within(within, room, state_rate(h, level, p->exponent, v));
        else if (sti_bristle_without_level(within, -room, &zdot) != STI_OK)
            return STI_LEVEL_VANISHED;
    }
    sti_maxwell_slip(&bank, tau, zdot, &y[1], &h, &ydot[1]);
    ydot[0] = zdot;
    *f = h + p->sigma1 * zdot + p->sigma2 * v;
    return STI_OK;
}

static StiImpedanceSize size(const void *parameters)
{
    const StiLeuven *p = parameters;
    return (StiImpedanceSize){.velocities = 1,
                              .memory = 1 + p->elements,
                              .signals = sti_law_signals(&p->law)};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    return sti_leuven(parameters, stage->tau, xhat->signals, xhat->v[0], y, u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiLeuven *p = parameters;
    return sti_bank_energy(p->elements, p->K, &y[1]);
}

// Without slip: zdot = v.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiLeuven *p = parameters;
    Z[0] = p->sigma1 + p->sigma2 + stage->tau * sti_bank_sum(p->elements, p->K);
}

static const StiChannelInfo channels[] = {{"stick", "1"}, {"deflection", "m"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)s, (void)u;
    const StiLeuven *p = parameters;
    double h = 0.0;
    for (int i = 0; i < p->elements; ++i) h += p->K[i] * y[1 + i];
    values[0] = sti_bristle_sticks(&p->law, xhat->signals, xhat->v[0], h);
    values[1] = y[0];
}

static const StiField fields[] = {
    STI_FIELD_OF_ELEMENTS(StiLeuven),
    {.name = "law",
     .unit = "N",
     .meaning = "level s(v) of sliding, without the viscous part",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiLeuven, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "springs K of the bank",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_POSITIVE,
     .offset = offsetof(StiLeuven, K),
     .count_offset = offsetof(StiLeuven, elements)},
    {.name = "bank_level",
     .unit = "N",
     .meaning = "levels F of the bank's sliders",
     .type = STI_FIELD_NUMBERS,
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLeuven, F),
     .count_offset = offsetof(StiLeuven, elements)},
    {.name = "exponent",
     .unit = "",
     .meaning = "how late slip sets in before the level (n)",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiLeuven, exponent),
     .usual = 2.0},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damping sigma1 of the deflection",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLeuven, sigma1)},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "viscous friction sigma2",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLeuven, sigma2)},
    STI_FIELD_OF_SWITCH(StiLeuven, plain, "the paper's form at any step, which may run away"),
};

// Beyond the level the deflection runs back at up to v ((highest/lowest)^n - 1); its damping then
// pushes, and only the viscous part can take that up.
static void check_passive(const StiLeuven *p, const StiLawSurvey *survey, const StiCheck *check)
{
    if (!(p->sigma1 > 0.0)) return;
    const double needed =
        p->sigma1 * (sti_pow(survey->highest / survey->lowest, p->exponent) - 1.0);
    if (p->sigma2 < needed * (1.0 - 1e-12))
        sti_check_unphysical(
            check, "viscous", p->sigma2,
            "makes energy where the law falls; at least %g N s/m is needed, or less "
            "damping",
            needed);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiLeuven *p = parameters;
    if (!(p->exponent >= 1.0))
        sti_check_error(check, "exponent", p->exponent, "the exponent must be 1 or more");
    if (!sti_bank_check(check, p->elements, p->K, "bank_level", p->F) || p->law.kind == NULL)
        return;
    sti_check_friction(check, 1, &p->law);
    const StiLawSurvey survey = sti_law_survey(&p->law);
    check_passive(p, &survey, check);
    // A coefficient cannot be compared with the levels: the load is not known here.
    const double sum = sti_bank_sum(p->elements, p->F);
    if (!p->law.times_load && sum < survey.highest * (1.0 - 1e-12))
        sti_check_error(
            check, "bank_level", sum,
            "the levels of the bank must add up to the law's highest, %g N, or it is never "
            "reached",
            survey.highest);
}

static const StiExplanation explanation = {
    .equations = "h = force of a bank of springs and sliders (maxwell-slip), driven by z\n"
                 "zdot = v - |v| sgn(h) |h/s(v)|^n        n: exponent\n"
                 "f = h + B zdot + sigma2 v\n",
    .use = "Hysteresis with memory before sliding and a Stribeck curve while sliding, in one "
           "model.",
    .drift = "Yes, a little: a part |h/s|^n of every movement is slip; the less, the larger "
             "n.",
    .source = "J. Swevers, F. Al-Bender, C. G. Ganseman, T. Prajogo 2000, as modified by V. "
              "Lampaert, J. Swevers, F. Al-Bender 2002; named by [fixed-step].",
};

static const StiLeuven example = {.law = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.0}}, .elements = 2, .K = (const double[]){8e3, 2e3}, .F = (const double[]){1.3, 1.3}, .exponent = 2.0, .sigma1 = 10.0, .sigma2 = 7.0};

// holds is false: a fraction |h/s|^n of every movement is slip, so that small oscillations about a
// steady force creep, the less the larger n is.
const StiImpedanceKind sti_kind_leuven = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "leuven",
             .summary = "a Maxwell-slip bank behind a yielding bristle (modified Leuven): creeps",
             .size = sizeof(StiLeuven),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .looks_ahead = true,
    .holds = false,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = 2,
    .observe = observe,
};

STI_DEFAULT(StiLeuven, leuven, sti_kind_leuven.info)
