// A DC motor under a sampled PID controller, [semi-implicit] (30) as corrected in EQUATIONS 1.
#include <math.h>

#include "base/default.h"
#include "impedance/dc_motor.h"
#include "impedance/sampling.h"

static Sample sample_now(const StiMotion *xhat)
{
    return (Sample){.error = xhat->signals[0] - xhat->x[0], .rate = xhat->v[0]};
}

// The integral goes on growing while the voltage is at its limit.
static double command(const void *parameters, double integral, Sample sample)
{
    const StiServo *p = parameters;
    const double e =
        p->motor.gamma * (p->K_P * sample.error + p->K_I * integral - p->K_D * sample.rate);
    return sti_dc_motor_limit(&p->motor, e);
}

static Sampling sampling_of(const StiServo *p)
{
    return (Sampling){.parameters = p,
                      .command = command,
                      .period = p->period,
                      .off = p->off,
                      .integral_most = INFINITY};
}

static double voltage(const StiServo *p, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s)
{
    const Sampling sampling = sampling_of(p);
    return sti_sampling_output(&sampling, stage, sample_now(xhat), y, s);
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1,
                              .velocities = 1,
                              .memory = SAMPLE_MEMORY,
                              .discrete = HELD_COUNT,
                              .signals = 1};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const StiServo *p = parameters;
    u[0] = -sti_dc_motor(&p->motor, voltage(p, stage, xhat, y, s), xhat->v[0]);
    sti_sampling_rates(sample_now(xhat), y, s, ydot);
    return STI_OK;
}

static void settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s)
{
    const Sampling sampling = sampling_of(parameters);
    sti_sampling_settle(&sampling, stage, sample_now(xhat), y, s);
}

// The held voltage does not answer to motion: the back-EMF alone.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)stage, (void)xhat, (void)y, (void)s;
    const StiServo *p = parameters;
    Z[0] = sti_dc_motor_damping(&p->motor);
}

static const StiChannelInfo channels[] = {{"voltage", "V"}, {"current", "A"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)u;
    const StiServo *p = parameters;
    values[0] = voltage(p, stage, xhat, y, s);
    values[1] = sti_dc_motor_current(&p->motor, values[0], xhat->v[0]);
}

static const StiField fields[] = {
    {.name = "torque_constant",
     .unit = "N m/A",
     .meaning = "torque constant K_M",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiServo, motor.K_M)},
    {.name = "resistance",
     .unit = "ohm",
     .meaning = "winding resistance R",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiServo, motor.R)},
    {.name = "gear_ratio",
     .unit = "1",
     .meaning = "motor turns per joint turn, gamma",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiServo, motor.gamma),
     .usual = 1.0},
    {.name = "rated_voltage",
     .unit = "V",
     .meaning = "rated voltage (0: not limited)",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiServo, motor.voltage)},
    {.name = "kp",
     .unit = "V/rad",
     .meaning = "gain K_P, before the gear ratio",
     .offset = offsetof(StiServo, K_P)},
    {.name = "ki",
     .unit = "V/(rad s)",
     .meaning = "gain K_I, before the gear ratio",
     .offset = offsetof(StiServo, K_I)},
    {.name = "kd",
     .unit = "V s/rad",
     .meaning = "gain K_D, before the gear ratio",
     .offset = offsetof(StiServo, K_D)},
    {.name = "off",
     .unit = "s",
     .meaning = "time from which the voltage is 0; 0 or less: never",
     .offset = offsetof(StiServo, off)},
    {.name = "period",
     .unit = "s",
     .meaning = "time between two samples",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiServo, period)},
};

static void check(const void *parameters, const StiCheck *check)
{
    sti_sampling_check(check, ((const StiServo *)parameters)->period);
}

static double gear_ratio(const void *parameters)
{
    return ((const StiServo *)parameters)->motor.gamma;
}

static const StiExplanation explanation = {
    .equations = "at t = 0, period, 2 period, ...:  integral += (q_d - q) period\n"
                 "  e = gamma (kp (q_d - q) + ki integral - kd w), within the rated voltage\n"
                 "in between e is held; torque as of dc-motor\n",
    .keys = "target: q_d         a function of time\n"
            "rotor_inertia: I    kg m^2, on the joint of a robot; 0 if it is not given\n",
    .use = "The paper's motor unit in one element. dc-motor and pid do the same in two, with "
           "gains that do not know the gear.",
    .source = "[semi-implicit] (30), (2).",
};

static const StiServo example = {.motor = {.K_M = 0.025, .R = 2.0, .gamma = 10.0, .voltage = 24.0},
                                 .K_P = 2.0,
                                 .K_D = 0.05,
                                 .period = 2e-3};

const StiImpedanceKind sti_kind_servo = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "servo",
             .summary = "a DC motor behind a gear under a sampled PID controller",
             .size = sizeof(StiServo),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .smooth = true,
    .samples = true,
    .gives_work = true,
    .size = size,
    .eval = eval,
    .settle = settle,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
    .gear_ratio = gear_ratio,
};

STI_DEFAULT(StiServo, servo, sti_kind_servo.info)
