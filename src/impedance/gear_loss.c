// Losses of a gear that scale with the torque it transmits and differ for driving and back-driving.
// z is a bristle in units of its full deflection: -1 ... 1, reached over an angle of about h.
//
// Under a constant torque the bristle stores V = h (mu_avg |tau| z^2/2 + mu_dif tau z^3/3), and
// f w - dV/dt = |w| z^2 (mu_avg |tau| + mu_dif tau z) >= 0 while mu_dif <= mu_avg. A torque that
// grows stiffens a deflected bristle: up to h (mu_avg/2 + mu_dif/3) per N m comes from the torque.
#include <math.h>

#include "base/default.h"
#include "stiction/actuator.h"

void sti_gear_loss(const StiGearLoss *p, double torque, double w, double z, double *f, double *zdot)
{
    *f = p->mu_avg * fabs(torque) * z + p->mu_dif * torque * z * z;
    *zdot = (w - fabs(w) * z) / p->h;
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.velocities = 1, .memory = 1, .signals = 1};
}

// Where presliding is shorter than the way w tau, the explicit rate would overshoot and grow: z
// then takes all of tau to reach its end.
static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    StiGearLoss seen = *(const StiGearLoss *)parameters;
    seen.h = fmax(seen.h, stage->tau * fabs(xhat->v[0]));
    sti_gear_loss(&seen, xhat->signals[0], xhat->v[0], y[0], u, ydot);
    return STI_OK;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    const StiGearLoss *p = parameters;
    const double torque = xhat->signals[0], z = y[0];
    return p->h * z * z * (p->mu_avg * fabs(torque) / 2.0 + p->mu_dif * torque * z / 3.0);
}

// At small deflection.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)y, (void)s;
    const StiGearLoss *p = parameters;
    Z[0] = stage->tau * p->mu_avg * fabs(xhat->signals[0]) / p->h;
}

static const StiChannelInfo channels[] = {{"deflection", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)parameters, (void)stage, (void)xhat, (void)s, (void)u;
    values[0] = y[0];
}

static const StiField fields[] = {
    {.name = "mu_avg",
     .unit = "1",
     .meaning = "loss per transmitted torque, mean of driving and back-driving",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiGearLoss, mu_avg)},
    {.name = "mu_dif",
     .unit = "1",
     .meaning = "by how much driving is above and back-driving below the mean",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiGearLoss, mu_dif)},
    {.name = "presliding",
     .unit = "rad",
     .meaning = "angle h over which the loss builds up",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiGearLoss, h)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiGearLoss *p = parameters;
    if (p->mu_dif > p->mu_avg)
        sti_check_unphysical(check, "mu_dif", p->mu_dif,
                             "back-driving would make energy: must be at most mu_avg = %g",
                             p->mu_avg);
}

static const StiExplanation explanation = {
    .equations = "zdot = (w - |w| z)/h        z: deflection of the teeth, -1 to 1\n"
                 "f = mu_avg |torque| z + mu_dif torque z^2\n"
                 "h: presliding; torque: along +w\n",
    .keys = "torque: NAME        of a dc-motor, servo or force, or a function of time\n",
    .use = "Gears whose loss grows with what they transmit. Refused where mu_dif is above "
           "mu_avg: back-driving would make energy.",
    .drift = "Yes: like any yielding bristle it creeps under vibration.",
    .source = "Load-dependent gear friction with different losses for driving and "
              "back-driving.",
};

static const StiGearLoss example = {.mu_avg = 0.2, .mu_dif = 0.1, .h = 1e-3};

const StiImpedanceKind sti_kind_gear_loss = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "gear-loss",
             .summary =
                 "gear friction that scales with the transmitted torque; creeps under dither",
             .size = sizeof(StiGearLoss),
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

STI_DEFAULT(StiGearLoss, gear_loss, sti_kind_gear_loss.info)
