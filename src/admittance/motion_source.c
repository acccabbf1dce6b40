// Motion given by signals (x[dim], v[dim]): takes any force, moves all the same (W = 0).
#include "base/default.h"
#include "stiction/body.h"
#include "admittance/point.h"

static StiAdmittanceSize size(const void *parameters)
{
    const StiMotionSource *p = parameters;
    return (StiAdmittanceSize){.links = 1, .signals = 2 * p->dim};
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
    links[0] = sti_point_frame(p->dim, signals, signals + p->dim);
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
    const StiMotionSource *p = parameters;
    return sti_point_channels(p->dim, names);
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)q, (void)v;
    const StiMotionSource *p = parameters;
    sti_point_observe(p->dim, signals, signals + p->dim, values);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiMotionSource *p = parameters;
    sti_check_point(check, p->dim);
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
