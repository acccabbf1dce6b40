// A soft stop at either end of a joint's range: a spring and a damper that only push back.
#include <math.h>

#include "base/default.h"
#include "stiction/actuator.h"

// How far beyond the range: above 0 past the upper end, below 0 past the lower one.
static double beyond(const StiJointLimit *p, double x)
{
    if (x > p->upper) return x - p->upper;
    if (x < p->lower) return x - p->lower;
    return 0.0;
}

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1, .velocities = 1};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiJointLimit *p = parameters;
    const double d = beyond(p, xhat->x[0]), f = p->K * d + p->B * xhat->v[0];
    u[0] = d > 0.0 ? fmax(0.0, f) : d < 0.0 ? fmin(0.0, f) : 0.0;
    return STI_OK;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    (void)y;
    const StiJointLimit *p = parameters;
    const double d = beyond(p, xhat->x[0]);
    return 0.5 * p->K * d * d;
}

// In touch, where stability is decided.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiJointLimit *p = parameters;
    Z[0] = p->B + stage->tau * p->K;
}

static const StiChannelInfo channels[] = {{"touching", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)stage, (void)y, (void)s, (void)u;
    values[0] = beyond(parameters, xhat->x[0]) != 0.0;
}

static const StiField fields[] = {
    {.name = "lower",
     .unit = "rad",
     .meaning = "lower end of the range",
     .offset = offsetof(StiJointLimit, lower)},
    {.name = "upper",
     .unit = "rad",
     .meaning = "upper end of the range",
     .offset = offsetof(StiJointLimit, upper)},
    {.name = "stiffness",
     .unit = "N m/rad",
     .meaning = "spring K beyond the range",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiJointLimit, K)},
    {.name = "damping",
     .unit = "N m s/rad",
     .meaning = "damper B beyond the range",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiJointLimit, B)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiJointLimit *p = parameters;
    if (!(p->upper > p->lower))
        sti_check_error(check, "upper", p->upper, "must be above the lower end %g", p->lower);
}

static const StiExplanation explanation = {
    .equations = "q > upper:  f = max(0, stiffness (q - upper) + damping w)\n"
                 "q < lower:  f = min(0, stiffness (q - lower) + damping w)\n",
    .use = "Soft stops. On a joint of a robot lower and upper are its own limits (limits: or "
           "URDF) where the element does not give them.",
    .source = "A spring and a damper that never pull.",
};

const StiImpedanceKind sti_kind_joint_limit = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "joint-limit",
             .summary = "soft stops at both ends of a range; they push and never pull",
             .size = sizeof(StiJointLimit),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation},
    .continuous = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
};

STI_DEFAULT(StiJointLimit, joint_limit, sti_kind_joint_limit.info)
