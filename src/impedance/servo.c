// A DC motor under a sampled PID controller, [semi-implicit] (30) as corrected in EQUATIONS 1.
//
// Samples belong to the steps 0, N, 2N, ... with N = period/T, and are taken at the start of the
// step. What step k needs is therefore computed when step k-1 settles, from the motion at t_k and
// the target that the last stage of step k-1 saw (at t_k, too, except under the Euler methods).
//
// No step settles before step 0. Its sample is taken by the first evaluation, where the memory is
// still zero, and travels in the memory: every stage of step 0 gives the rates (1, error, w) of the
// sample, so that any later stage, and settle, finds the sample as a ratio of memories. After that
// step the memory has served its purpose and stays.
#include <math.h>

#include "impedance/dc_motor.h"

enum { INTEGRAL, VOLTAGE, DUE, DISCRETE }; // DUE: step of the next sample; 0: none was taken yet
enum { WEIGHT, ERROR, SPEED, MEMORY };

static const double rounding = 1e-6; // of a step, in times and in periods

typedef struct Sample {
    double error; // q_d - q, rad
    double w;     // rad/s
} Sample;

static Sample sample_now(const StiMotion *xhat)
{
    return (Sample){.error = xhat->signals[0] - xhat->x[0], .w = xhat->v[0]};
}

static Sample first_sample(const StiMotion *xhat, const double *y)
{
    if (y[WEIGHT] == 0.0) return sample_now(xhat);
    return (Sample){.error = y[ERROR] / y[WEIGHT], .w = y[SPEED] / y[WEIGHT]};
}

// The integral includes the sample itself, and goes on growing while the voltage is at its limit.
static double command(const StiServo *p, double integral, Sample sample)
{
    const double e =
        p->motor.gamma * (p->K_P * sample.error + p->K_I * integral - p->K_D * sample.w);
    return sti_dc_motor_limit(&p->motor, e);
}

static bool switched_off(const StiServo *p, const StiStage *stage)
{
    return p->off > 0.0 && stage->t > p->off - rounding * stage->step;
}

static double voltage(const StiServo *p, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s)
{
    if (s[DUE] > 0.0) return s[VOLTAGE];
    if (switched_off(p, stage)) return 0.0;
    const Sample first = first_sample(xhat, y);
    return command(p, first.error * p->period, first);
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){
        .positions = 1, .velocities = 1, .memory = MEMORY, .discrete = DISCRETE, .signals = 1};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const StiServo *p = parameters;
    u[0] = -sti_dc_motor(&p->motor, voltage(p, stage, xhat, y, s), xhat->v[0]);
    const bool first_step = s[DUE] == 0.0;
    const Sample first = first_sample(xhat, y);
    ydot[WEIGHT] = first_step ? 1.0 : 0.0;
    ydot[ERROR] = first_step ? first.error : 0.0;
    ydot[SPEED] = first_step ? first.w : 0.0;
    return STI_OK;
}

static void take(const StiServo *p, Sample sample, double due, double *s)
{
    s[INTEGRAL] += sample.error * p->period;
    s[VOLTAGE] = command(p, s[INTEGRAL], sample);
    s[DUE] = due;
}

// The step that begins now is k + 1.
static void settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s)
{
    const StiServo *p = parameters;
    const double k = (double)stage->k, N = round(p->period / stage->step);
    if (s[DUE] == 0.0) take(p, first_sample(xhat, y), k + N, s);
    if (k + 1.0 >= s[DUE]) take(p, sample_now(xhat), k + 1.0 + N, s);
    if (switched_off(p, stage)) s[VOLTAGE] = 0.0;
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
    {.name = "voltage",
     .unit = "V",
     .meaning = "rated voltage; 0: not limited",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiServo, motor.voltage)},
    {.name = "proportional",
     .unit = "V/rad",
     .meaning = "gain K_P, before the gear ratio",
     .offset = offsetof(StiServo, K_P)},
    {.name = "integral",
     .unit = "V/(rad s)",
     .meaning = "gain K_I, before the gear ratio",
     .offset = offsetof(StiServo, K_I)},
    {.name = "derivative",
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
    const StiServo *p = parameters;
    if (!(check->step > 0.0)) return;
    const double steps = p->period / check->step, whole = fmax(1.0, round(steps));
    if (!(fabs(steps - whole) <= rounding))
        sti_check_error(check, "period", p->period,
                        "must be a whole number of steps of %g s, for example %g s", check->step,
                        whole * check->step);
}

const StiImpedanceKind sti_kind_servo = {
    .info = {.name = "servo",
             .summary = "a DC motor behind a gear under a sampled PID controller",
             .size = sizeof(StiServo),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check},
    .continuous = true,
    .gives_work = true,
    .size = size,
    .eval = eval,
    .settle = settle,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
};
