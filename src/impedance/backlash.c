// Play between two parts: the stops of a joint's range, half a gap to either side.
#include "base/default.h"
#include "stiction/actuator.h"

static StiJointLimit stops_of(const void *parameters)
{
    const StiBacklash *p = parameters;
    return (StiJointLimit){.lower = p->middle - 0.5 * p->gap,
                           .upper = p->middle + 0.5 * p->gap,
                           .K = p->K,
                           .B = p->B};
}

static StiImpedanceSize size(const void *parameters)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.size(&stops);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.eval(&stops, stage, xhat, y, s, u, ydot);
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.stored(&stops, xhat, y);
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.tangent(&stops, stage, xhat, y, s, Z);
}

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.observe(&stops, stage, xhat, y, s, u, values);
}

// ---- modes ------------------------------------------------------------------------------------------

static const char *unsupported_reason(const void *parameters)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.modes->unsupported_reason(&stops);
}

static int count(const void *parameters)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.modes->count(&stops);
}

static bool jumps(const void *parameters)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.modes->jumps(&stops);
}

static StiStatus eval_in_mode(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                              const double *y, const double *s, double *u, double *ydot)
{
    const StiJointLimit stops = stops_of(parameters);
    return sti_kind_joint_limit.modes->eval(&stops, stage, xhat, y, s, u, ydot);
}

static void margin(const void *parameters, const StiMotion *xhat, const double *vdot,
                   const double *y, const double *ydot, const double *s, StiMargin *margins)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.modes->margin(&stops, xhat, vdot, y, ydot, s, margins);
}

static void tangent_in_mode(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                            const double *y, const double *s, double *Z)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.modes->tangent(&stops, stage, xhat, y, s, Z);
}

static void carried(const void *parameters, const double *y, const double *s, const double *moved,
                    double *k)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.modes->carried(&stops, y, s, moved, k);
}

static void turn(const void *parameters, int mode, const StiMotion *xhat, const double *y,
                 double *s)
{
    const StiJointLimit stops = stops_of(parameters);
    sti_kind_joint_limit.modes->turn(&stops, mode, xhat, y, s);
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

static const StiField fields[] = {
    {.name = "gap",
     .unit = "rad",
     .meaning = "play, from one flank to the other",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiBacklash, gap)},
    {.name = "stiffness",
     .unit = "N m/rad",
     .meaning = "spring K of the flanks",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiBacklash, K)},
    {.name = "damping",
     .unit = "N m s/rad",
     .meaning = "damper B of the flanks",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiBacklash, B)},
    {.name = "middle",
     .unit = "rad",
     .meaning = "displacement in the middle of the gap",
     .offset = offsetof(StiBacklash, middle)},
};

static const StiExplanation explanation = {
    .equations = "x = first - ratio second - middle\n"
                 "x > gap/2:   f = max(0, stiffness (x - gap/2) + damping v)\n"
                 "x < -gap/2:  f = min(0, stiffness (x + gap/2) + damping v)\n"
                 "else 0; -f acts on the first, ratio f on the second\n",
    .use = "Play of gears, couplings and spindles. cut and error control find the instants at "
           "which flanks meet and part. Exact ratios without play: gear, rack, screw.",
    .source = "A spring and a damper behind a dead zone, which never pull.",
};

static const StiBacklash example = {.gap = 0.01, .K = 1e4, .B = 1.0};

const StiImpedanceKind sti_kind_backlash = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "backlash",
             .summary = "play between two parts: flanks that push on either side of a gap",
             .size = sizeof(StiBacklash),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
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

STI_DEFAULT(StiBacklash, backlash, sti_kind_backlash.info)
