// Motion given by signals (x[dim], v[dim]; with an axis the last of each is the angle about it): takes any force,
// moves all the same (W = 0).
#include <math.h>

#include "base/default.h"
#include "stiction/body.h"
#include "admittance/point.h"

static double axis_length(const StiMotionSource *p)
{
    return sqrt(p->axis[0] * p->axis[0] + p->axis[1] * p->axis[1] + p->axis[2] * p->axis[2]);
}

static int coordinates(const StiMotionSource *p) { return p->dim + (axis_length(p) != 0.0); }

static StiAdmittanceSize size(const void *parameters)
{
    return (StiAdmittanceSize){.links = 1, .signals = 2 * coordinates(parameters)};
}

static void start(const void *parameters, double *q, double *v)
{
    (void)parameters, (void)q, (void)v;
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)q, (void)v;
    const StiMotionSource *p = parameters;
    const int count = coordinates(p);
    const double length = axis_length(p);
    links[0] = sti_point_frame(p->dim, signals, signals + count);
    if (count == p->dim) return;
    const StiVec3 axis = {p->axis[0] / length, p->axis[1] / length, p->axis[2] / length};
    double sine, cosine;
    sti_sincos(0.5 * signals[p->dim], &sine, &cosine);
    links[0].q = (StiQuat){cosine, sine * axis.x, sine * axis.y, sine * axis.z};
    links[0].w = sti_vec3_scale(signals[count + p->dim], axis);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)parameters, (void)stage, (void)q, (void)v, (void)signals, (void)uhat;
    (void)qdot, (void)vdot, (void)loads;
    return STI_OK;
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    static const StiChannelInfo turning[] = {{"x", "m"},       {"y", "m"},       {"z", "m"},
                                             {"angle", "rad"}, {"vx", "m/s"},    {"vy", "m/s"},
                                             {"vz", "m/s"},    {"rate", "rad/s"}};
    const StiMotionSource *p = parameters;
    if (coordinates(p) == p->dim) return sti_point_channels(p->dim, names);
    *names = turning;
    return sizeof turning / sizeof turning[0];
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)q, (void)v;
    for (int i = 0; i < 2 * coordinates(parameters); ++i) values[i] = signals[i];
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiMotionSource *p = parameters;
    sti_check_point(check, p->dim);
    if (axis_length(p) != 0.0 && p->dim != 3)
        sti_check_error(check, "axis", p->dim, "what turns has 3 dimensions");
    if (!isfinite(axis_length(p))) sti_check_error(check, "axis", NAN, "must be finite");
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiMotionSource),
};

static const StiMotionSource example = {.dim = 1};

const StiAdmittanceKind sti_kind_motion_source = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "motion",
             .summary = "motion as a function of time or of an input",
             .size = sizeof(StiMotionSource),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .prescribed = true,
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .channels = channels,
    .observe = observe,
};

STI_DEFAULT(StiMotionSource, motion_source, sti_kind_motion_source.info)
