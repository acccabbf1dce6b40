// A soft stop at either end of a joint's range: a spring and a damper that only push back.
#include <math.h>

#include "base/default.h"
#include "impedance/one_sided.h"
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
    return (StiImpedanceSize){.positions = 1, .velocities = 1, .discrete = 2};
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

// ---- modes: beyond which end, and does it push there? -----------------------------------------------

enum { BEYOND = 0, FORCE = 1, MODES = 2 };

static const char *unsupported_reason(const void *parameters)
{
    (void)parameters;
    return NULL;
}

static int count(const void *parameters)
{
    (void)parameters;
    return MODES;
}

static bool jumps(const void *parameters) { return ((const StiJointLimit *)parameters)->B > 0.0; }

static bool pushes(const double *s) { return s[BEYOND] != 0.0 && s[FORCE] == STI_PUSHES; }

// side: above 0 at the upper end, else at the lower one; vdot may be NULL.
static OneSided stop_at(const StiJointLimit *p, double side, const StiMotion *xhat,
                        const double *vdot)
{
    const double sign = side > 0.0 ? 1.0 : -1.0;
    return (OneSided){.K = p->K,
                      .B = p->B,
                      .d = sign * (xhat->x[0] - (side > 0.0 ? p->upper : p->lower)),
                      .v = sign * xhat->v[0],
                      .vdot = vdot != NULL ? sign * vdot[0] : 0.0};
}

static StiStatus eval_in_mode(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                              const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)ydot;
    const OneSided stop = stop_at(parameters, s[BEYOND], xhat, NULL);
    u[0] = pushes(s) ? s[BEYOND] * sti_one_sided_force(&stop) : 0.0;
    return STI_OK;
}

// The ways to both ends, joined so that one smooth margin ends at either.
static StiMargin margin_inside(const StiJointLimit *p, double x, double v)
{
    const double up = p->upper - x, down = x - p->lower, range = up + down;
    if (!isfinite(range) || !(up > 0.0) || !(down > 0.0))
        return (StiMargin){.g = fmin(up, down),
                           .rate = up < down ? -v : v,
                           .scale = isfinite(range) ? range : 1.0};
    return (StiMargin){.g = up * down / range, .rate = v * (up - down) / range, .scale = range};
}

static void margin(const void *parameters, const StiMotion *xhat, const double *vdot,
                   const double *y, const double *ydot, const double *s, StiMargin *margins)
{
    (void)y, (void)ydot;
    const StiMargin inside = margin_inside(parameters, xhat->x[0], xhat->v[0]);
    const OneSided stop = stop_at(parameters, s[BEYOND], xhat, vdot);
    margins[BEYOND] =
        s[BEYOND] == 0.0 ? inside : sti_one_sided_margin_beyond(&stop, inside.scale);
    margins[FORCE] =
        s[BEYOND] == 0.0 ? sti_endless : sti_one_sided_margin_of_force(&stop, pushes(s));
}

static void tangent_in_mode(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                            const double *y, const double *s, double *Z)
{
    Z[0] = 0.0;
    if (pushes(s)) tangent(parameters, stage, xhat, y, s, Z);
}

static void carried(const void *parameters, const double *y, const double *s, const double *moved,
                    double *k)
{
    (void)y;
    k[0] = pushes(s) ? ((const StiJointLimit *)parameters)->K * moved[0] : 0.0;
}

static void turn(const void *parameters, int mode, const StiMotion *xhat, const double *y,
                 double *s)
{
    (void)y;
    const StiJointLimit *p = parameters;
    if (mode == FORCE) {
        if (s[BEYOND] != 0.0) s[FORCE] = s[FORCE] == STI_PUSHES ? STI_LET_GO : STI_PUSHES;
    } else if (s[BEYOND] == 0.0) {
        s[BEYOND] = p->upper - xhat->x[0] < xhat->x[0] - p->lower ? 1.0 : -1.0;
        const OneSided stop = stop_at(p, s[BEYOND], xhat, NULL);
        s[FORCE] = sti_one_sided_begins(&stop) ? STI_PUSHES : STI_LET_GO;
    } else {
        s[BEYOND] = s[FORCE] = 0.0;
    }
}

static const StiImpedanceModes modes = {
    .table_size = sizeof(StiImpedanceModes),
    .one_sided = true,
    .unsupported_reason = unsupported_reason,
    .count = count,
    .jumps = jumps,
    .eval = eval_in_mode,
    .margin = margin,
    .tangent = tangent_in_mode,
    .carried = carried,
    .turn = turn,
};

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

static const StiJointLimit example = {.lower = -1.0, .upper = 1.0, .K = 100.0, .B = 1.0};

const StiImpedanceKind sti_kind_joint_limit = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "joint-limit",
             .summary = "soft stops at both ends of a range; they push and never pull",
             .size = sizeof(StiJointLimit),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .continuous = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .modes = &modes,
    .observe = observe,
};

STI_DEFAULT(StiJointLimit, joint_limit, sti_kind_joint_limit.info)
