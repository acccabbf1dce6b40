// A DC motor behind a gear, seen from the joint: [semi-implicit] (2) without rotor and friction.
// Back-EMF makes it a damper D = gamma^2 K_M^2/R around the torque E e, E = gamma K_M/R.
#include "impedance/dc_motor.h"

#include "base/default.h"

#include <math.h>

double sti_dc_motor_limit(const StiDcMotor *p, double e)
{
    if (p->voltage == 0.0) return e;
    return fabs(e) > p->voltage ? copysign(p->voltage, e) : e;
}

double sti_dc_motor_current(const StiDcMotor *p, double e, double w)
{
    return (sti_dc_motor_limit(p, e) - p->gamma * p->K_M * w) / p->R;
}

double sti_dc_motor_damping(const StiDcMotor *p)
{
    return p->gamma * p->gamma * p->K_M * p->K_M / p->R;
}

double sti_dc_motor(const StiDcMotor *p, double e, double w)
{
    return p->gamma * p->K_M * sti_dc_motor_current(p, e, w);
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.velocities = 1, .signals = 1};
}

// u is a resistance: what drives the joint forward is negative.
static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    u[0] = -sti_dc_motor(parameters, xhat->signals[0], xhat->v[0]);
    return STI_OK;
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)stage, (void)xhat, (void)y, (void)s;
    Z[0] = sti_dc_motor_damping(parameters);
}

static const StiChannelInfo channels[] = {{"voltage", "V"}, {"current", "A"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)y, (void)s, (void)u;
    values[0] = sti_dc_motor_limit(parameters, xhat->signals[0]);
    values[1] = sti_dc_motor_current(parameters, xhat->signals[0], xhat->v[0]);
}

static const StiField fields[] = {
    {.name = "torque_constant",
     .unit = "N m/A",
     .meaning = "torque constant K_M",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiDcMotor, K_M)},
    {.name = "resistance",
     .unit = "ohm",
     .meaning = "winding resistance R",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiDcMotor, R)},
    {.name = "gear_ratio",
     .unit = "1",
     .meaning = "motor turns per joint turn, gamma",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiDcMotor, gamma),
     .usual = 1.0},
    {.name = "rated_voltage",
     .unit = "V",
     .meaning = "rated voltage (0: not limited)",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiDcMotor, voltage)},
};

static double gear_ratio(const void *parameters) { return ((const StiDcMotor *)parameters)->gamma; }

static const StiExplanation explanation = {
    .equations = "torque = gamma K_M/R (e - gamma K_M w)    e: voltage within the rated one\n"
                 "       = E e - D w,    E = gamma K_M/R,    D = gamma^2 K_M^2/R\n"
                 "armature of the joint += gamma^2 rotor_inertia\n"
                 "K_M: torque_constant, R: resistance, gamma: gear_ratio\n",
    .keys = "voltage: V          a function of time, or the name of a pid element\n"
            "rotor_inertia: I    kg m^2, on the joint of a robot; 0 if it is not given\n",
    .use = "A geared joint with its voltage given or controlled. Friction of the gear is an "
           "element of its own: friction, or gear-loss.",
    .source = "[semi-implicit] (2).",
};

static const StiDcMotor example = {.K_M = 0.025, .R = 2.0, .gamma = 10.0, .voltage = 24.0};

const StiImpedanceKind sti_kind_dc_motor = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "dc-motor",
             .summary = "a DC motor behind a gear; its voltage is a signal",
             .size = sizeof(StiDcMotor),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .smooth = true,
    .gives_work = true,
    .size = size,
    .eval = eval,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
    .gear_ratio = gear_ratio,
};

STI_DEFAULT(StiDcMotor, dc_motor, sti_kind_dc_motor.info)
