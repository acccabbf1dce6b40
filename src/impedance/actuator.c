// A drive with gains, as robot descriptions give it: what it is told, how far and how fast it is, and
// the most that it can give.
#include <math.h>

#include "base/default.h"
#include "stiction/actuator.h"

static bool is_limited(const StiActuator *p) { return p->lower != 0.0 || p->upper != 0.0; }

// On the drive's side of the gear, without its limits.
static double wanted(const StiActuator *p, double command, double x, double v)
{
    return p->gain * command - p->K * p->gear * x - p->B * p->gear * v + p->offset;
}

static double given(const StiActuator *p, double effort)
{
    return is_limited(p) ? fmin(p->upper, fmax(p->lower, effort)) : effort;
}

double sti_actuator(const StiActuator *p, double command, double x, double v)
{
    return p->gear * given(p, wanted(p, command, x, v));
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1, .velocities = 1, .signals = 1};
}

// u is a resistance: what drives the joint forward is negative.
static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    u[0] = -sti_actuator(parameters, xhat->signals[0], xhat->x[0], xhat->v[0]);
    return STI_OK;
}

// At a limit the drive gives what it can, wherever the joint is.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)y, (void)s;
    const StiActuator *p = parameters;
    const bool known = xhat != NULL && xhat->signals != NULL && xhat->x != NULL && xhat->v != NULL;
    const double effort = known ? wanted(p, xhat->signals[0], xhat->x[0], xhat->v[0]) : 0.0;
    const bool free = !known || given(p, effort) == effort;
    Z[0] = free ? p->gear * p->gear * (p->B + stage->tau * p->K) : 0.0;
}

static const StiChannelInfo channels[] = {{"command", "1"}, {"limited", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)y, (void)s, (void)u;
    const double effort = wanted(parameters, xhat->signals[0], xhat->x[0], xhat->v[0]);
    values[0] = xhat->signals[0];
    values[1] = given(parameters, effort) != effort;
}

static const StiField fields[] = {
    {.name = "gain",
     .unit = "N m",
     .meaning = "effort per command",
     .offset = offsetof(StiActuator, gain),
     .usual = 1.0},
    {.name = "stiffness",
     .unit = "N m/rad",
     .meaning = "effort taken back per angle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiActuator, K)},
    {.name = "damping",
     .unit = "N m s/rad",
     .meaning = "effort taken back per speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiActuator, B)},
    {.name = "offset",
     .unit = "N m",
     .meaning = "effort without a command",
     .offset = offsetof(StiActuator, offset)},
    {.name = "gear_ratio",
     .unit = "1",
     .meaning = "drive turns per joint turn",
     .offset = offsetof(StiActuator, gear),
     .usual = 1.0},
    {.name = "lower",
     .unit = "N m",
     .meaning = "least effort, before the gear (both 0: not limited)",
     .offset = offsetof(StiActuator, lower)},
    {.name = "upper",
     .unit = "N m",
     .meaning = "largest effort, before the gear",
     .offset = offsetof(StiActuator, upper)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiActuator *p = parameters;
    if (is_limited(p) && !(p->upper > p->lower))
        sti_check_error(check, "upper", p->upper, "must be above the least effort %g", p->lower);
}

static double gear_ratio(const void *parameters) { return ((const StiActuator *)parameters)->gear; }

static const StiExplanation explanation = {
    .equations = "e = gain c - stiffness g q - damping g w + offset,  within lower and upper\n"
                 "torque on the joint: g e                             g: gear_ratio\n",
    .keys = "command: c          a function of time, an input, or the name of a pid element\n",
    .use =
        "What stiction import makes of actuators: a motor is gain alone, a position drive has "
        "gain = stiffness, a velocity drive gain = damping. Steep gains are taken implicitly. The "
        "moment at which a limit is reached is not located.",
    .source = "The actuators of robot descriptions.",
};

static const StiActuator example = {
    .gain = 10.0, .K = 20.0, .B = 1.0, .gear = 1.0, .lower = -50.0, .upper = 50.0};

const StiImpedanceKind sti_kind_actuator = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "actuator",
             .summary = "a drive with gains on command, angle and speed, within limits",
             .size = sizeof(StiActuator),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
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

STI_DEFAULT(StiActuator, actuator, sti_kind_actuator.info)
