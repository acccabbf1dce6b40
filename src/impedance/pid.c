// A sampled PID controller that gives a signal: the voltage of a motor, or a force. Its wire only
// senses the coordinate it controls.
#include <math.h>

#include "base/default.h"
#include "impedance/sampling.h"

static double limited(double value, double limit)
{
    return limit > 0.0 && fabs(value) > limit ? copysign(limit, value) : value;
}

static double command(const void *parameters, double integral, Sample sample)
{
    const StiPid *p = parameters;
    return limited(p->K_P * sample.error + p->K_I * integral - p->K_D * sample.rate, p->limit);
}

static Sampling sampling_of(const StiPid *p)
{
    const bool bounded = p->integral_limit > 0.0 && p->K_I != 0.0;
    return (Sampling){.parameters = p,
                      .command = command,
                      .period = p->period,
                      .off = p->off,
                      .integral_most = bounded ? p->integral_limit / fabs(p->K_I) : INFINITY};
}

static Sample sample_now(const StiMotion *xhat)
{
    return (Sample){.error = xhat->signals[0] - xhat->x[0], .rate = xhat->v[0] - xhat->signals[1]};
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1,
                              .velocities = 1,
                              .memory = SAMPLE_MEMORY,
                              .discrete = HELD_COUNT,
                              .signals = 2};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const Sampling sampling = sampling_of(parameters);
    u[0] = sti_sampling_output(&sampling, stage, sample_now(xhat), y, s);
    sti_sampling_rates(sample_now(xhat), y, s, ydot);
    return STI_OK;
}

static void settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                   const double *y, double *s)
{
    const Sampling sampling = sampling_of(parameters);
    sti_sampling_settle(&sampling, stage, sample_now(xhat), y, s);
}

// What is held does not answer to motion.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)parameters, (void)stage, (void)xhat, (void)y, (void)s;
    Z[0] = 0.0;
}

static const StiChannelInfo channels[] = {{"error", ""}, {"integral", ""}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)parameters, (void)stage, (void)y, (void)u;
    values[0] = sample_now(xhat).error;
    values[1] = s[HELD_INTEGRAL];
}

static const StiField fields[] = {
    {.name = "kp",
     .unit = "1/rad",
     .meaning = "gain K_P: output per error",
     .offset = offsetof(StiPid, K_P)},
    {.name = "ki",
     .unit = "1/(rad s)",
     .meaning = "gain K_I: output per integral of error",
     .offset = offsetof(StiPid, K_I)},
    {.name = "kd",
     .unit = "s/rad",
     .meaning = "gain K_D: output per speed, against it",
     .offset = offsetof(StiPid, K_D)},
    {.name = "limit",
     .unit = "",
     .meaning = "the output stays within (0: not limited)",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiPid, limit)},
    {.name = "integral_limit",
     .unit = "",
     .meaning = "the integral's part of the output stays within (0: not limited)",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiPid, integral_limit)},
    {.name = "off",
     .unit = "s",
     .meaning = "time from which the output is 0; 0 or less: never",
     .offset = offsetof(StiPid, off)},
    {.name = "period",
     .unit = "s",
     .meaning = "time between two samples",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiPid, period)},
};

static void check(const void *parameters, const StiCheck *check)
{
    sti_sampling_check(check, ((const StiPid *)parameters)->period);
}

static const StiExplanation explanation = {
    .equations = "at t = 0, period, 2 period, ...:  integral += (q_d - q) period\n"
                 "  output = kp (q_d - q) + ki integral - kd (w - w_d), within limit\n"
                 "in between the output is held; integral and output are part of the state\n",
    .keys = "target: q_d         a function of time\n"
            "target_rate: w_d    a function of time; 0 if it is not given\n",
    .use = "It applies nothing itself: name it as the voltage of a dc-motor or the value of "
           "a force. With on: [A, B] each motor takes the controller of its own joint.",
    .source = "[semi-implicit] (30), without the motor.",
};

static const StiPid example = {.K_P = 10.0, .K_I = 1.0, .K_D = 0.5, .limit = 20.0, .period = 2e-3};

const StiImpedanceKind sti_kind_pid = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "pid",
             .summary = "a sampled PID controller; its output is a signal for a motor or a force",
             .size = sizeof(StiPid),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .smooth = true,
    .samples = true,
    .only_senses = true,
    .size = size,
    .eval = eval,
    .settle = settle,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
};

STI_DEFAULT(StiPid, pid, sti_kind_pid.info)
