// Kikuuwe's linear continuous model: a mass M under the law, pulled through a spring K and a
// damper B. [fixed-step] (29), as resistances: f = -f of the paper, g = -g.
#include <math.h>

#include "base/default.h"
#include "law/slip.h"
#include "stiction/friction.h"

// One step, written in forces: (29) times C/tau, which stays finite for M = 0 at tau = 0.
//   backward (23)-(29): trial = C ubar/tau = Z v + K z + (M/tau) omega, mobility = tau/C
//   forward (22): x_k - w_(k-1) = z + tau v, so f = K (z + tau v) + B (v - omega) is known at once;
//                 trial = M vbar/tau = f + (M/tau) omega, mobility = tau/M
// and in both wnew = mobility (trial - g), with g = trial in stick.
typedef struct Step {
    double Z;         // B + tau K
    double carried;   // force per velocity omega of the mass
    double impedance; // force per velocity of the mass: 1/mobility
} Step;

static Step step_of(const StiLinearContinuous *p, double tau)
{
    const double Z = p->B + tau * p->K;
    const double inertia = p->M > 0.0 ? p->M / tau : 0.0;
    if (p->forward) return (Step){.Z = Z, .carried = inertia - p->B, .impedance = inertia};
    return (Step){.Z = Z, .carried = inertia, .impedance = inertia + Z};
}

static bool has_form(const StiLinearContinuous *p, double tau)
{
    return p->M > 0.0 ? tau > 0.0 : !p->forward && p->B + tau * p->K > 0.0;
}

static inline bool advance_axes(const StiLinearContinuous *p, int n, double tau,
                                const double *signals, const double *v, const double *y, double *f,
                                double *ydot)
{
    const Step step = step_of(p, tau);
    double omega[3] = {0.0}, trial[3] = {0.0}, g[3];
    for (int i = 0; p->M > 0.0 && i < n; ++i) omega[i] = y[n + i];
    for (int i = 0; i < n; ++i) trial[i] = step.Z * v[i] + p->K * y[i] + step.carried * omega[i];
    const bool stuck = sti_law_saturate(&p->law, n, step.impedance, signals, trial, g);
    for (int i = 0; i < n; ++i) {
        const double wnew = stuck ? 0.0 : (trial[i] - g[i]) / step.impedance;
        ydot[i] = stuck ? v[i] : v[i] - wnew; // (29c)
        if (p->M > 0.0) ydot[n + i] = (wnew - omega[i]) / tau;
        if (p->forward)
            f[i] = step.Z * v[i] + p->K * y[i] - p->B * omega[i]; // (22a)
        else
            f[i] = p->M > 0.0 ? p->K * y[i] + step.Z * ydot[i] : g[i]; // (29d)
    }
    return stuck;
}

// The compiler makes straight code of one axis when it knows that there is one.
static bool advance(const StiLinearContinuous *p, double tau, const double *signals,
                    const double *v, const double *y, double *f, double *ydot)
{
    return p->dim == 1 ? advance_axes(p, 1, tau, signals, v, y, f, ydot)
                       : advance_axes(p, p->dim, tau, signals, v, y, f, ydot);
}

StiStatus sti_linear_continuous(const StiLinearContinuous *p, double tau, const double *signals,
                                const double *v, const double *y, double *f, double *ydot)
{
    if (!has_form(p, tau)) return STI_NO_CONTINUOUS_LIMIT;
    advance(p, tau, signals, v, y, f, ydot);
    return STI_OK;
}

static StiImpedanceSize size(const void *parameters)
{
    const StiLinearContinuous *p = parameters;
    return (StiImpedanceSize){.velocities = p->dim,
                              .memory = p->M > 0.0 ? 2 * p->dim : p->dim,
                              .signals = sti_law_signals(&p->law)};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    return sti_linear_continuous(parameters, stage->tau, xhat->signals, xhat->v, y, u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)xhat;
    const StiLinearContinuous *p = parameters;
    double sum = 0.0;
    for (int i = 0; i < p->dim; ++i) sum += p->K * y[i] * y[i];
    for (int i = p->dim; p->M > 0.0 && i < 2 * p->dim; ++i) sum += p->M * y[i] * y[i];
    return 0.5 * sum;
}

// In stick B + tau K: stability is decided there.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiLinearContinuous *p = parameters;
    for (int i = 0; i < p->dim * p->dim; ++i)
        Z[i] = i % (p->dim + 1) == 0 ? p->B + stage->tau * p->K : 0.0;
}

static const StiChannelInfo channels[] = {{"stick", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)s, (void)u;
    double f[3], ydot[6];
    values[0] = has_form(parameters, stage->tau) &&
                advance(parameters, stage->tau, xhat->signals, xhat->v, y, f, ydot);
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiLinearContinuous),
    {.name = "law",
     .unit = "N",
     .meaning = "level between the mass and the surface",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiLinearContinuous, law)},
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "spring K of the stuck surface",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiLinearContinuous, K)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damper B of the stuck surface",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLinearContinuous, B)},
    {.name = "mass",
     .unit = "kg",
     .meaning = "mass M between spring and slider",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiLinearContinuous, M)},
    STI_FIELD_OF_SWITCH(StiLinearContinuous, forward, "the forward-difference form (22); needs a mass and T^2 K + 2 T B <= 4 M"),
};

// (22) is a symplectic Euler step of the mass on its spring and damper.
static void check_forward(const StiLinearContinuous *p, const StiCheck *check)
{
    const double T = check->step;
    if (!(p->M > 0.0))
        sti_check_error(check, "mass", p->M,
                        "the forward variant divides by the mass: it needs one");
    else if (T * T * p->K + 2.0 * T * p->B > 4.0 * p->M)
        sti_check_warning(check, "mass", p->M,
                          "the forward variant is unstable at this step below a mass of %g kg",
                          0.25 * T * T * p->K + 0.5 * T * p->B);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiLinearContinuous *p = parameters;
    sti_check_friction(check, p->dim, &p->law);
    if (p->forward) check_forward(p, check);
}

static const StiExplanation explanation = {
    .equations = "C = M + tau B + tau^2 K       z: deflection, omega: velocity of the mass M\n"
                 "ubar = v + (tau K/C) z - (M/C)(v - omega)\n"
                 "g = gsat(F, C ubar/tau)       what the surface takes\n"
                 "w = ubar - tau g/C            new velocity of the mass; 0 in stick\n"
                 "zdot = v - w,  f = K (z + tau zdot) + B zdot\n",
    .use = "Haptic rendering and friction compensation: a viscoelastic surface with a mass "
           "of its own. With mass 0 it is elastic-coulomb at a fixed step.",
    .drift = "No: in stick the anchor does not move.",
    .source = "[fixed-step] (19)-(29).",
};

static const StiLinearContinuous example = {.dim = 1, .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .K = 1e4, .B = 10.0};

const StiImpedanceKind sti_kind_linear_continuous = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "linear-continuous",
             .summary = "Kikuuwe's viscoelastic model: a mass under the law behind a spring",
             .size = sizeof(StiLinearContinuous),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true, // with M = 0 and B > 0; refused by eval otherwise
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

STI_DEFAULT(StiLinearContinuous, linear_continuous, sti_kind_linear_continuous.info)
