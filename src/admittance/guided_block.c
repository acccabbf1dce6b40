// A block on a straight frictionless guide, which takes all force across its axis as a load.
#include "base/default.h"
#include "stiction/body.h"
#include "admittance/point.h"
#include "algebra/slices.h"

static StiVec3 unit_axis(const StiGuidedBlock *p)
{
    const StiVec3 axis = sti_vec3_read(p->axis);
    return sti_vec3_scale(1.0 / sti_vec3_norm(axis), axis);
}

static StiVec3 place(const StiGuidedBlock *p, double coordinate)
{
    return sti_vec3_add(sti_vec3_read(p->origin), sti_vec3_scale(coordinate, unit_axis(p)));
}

static StiAdmittanceSize size(const void *parameters)
{
    (void)parameters;
    return (
        StiAdmittanceSize){.positions = 1, .velocities = 1, .links = 1, .loads = 1, .prepared = 1};
}

static void start(const void *parameters, double *q, double *v)
{
    const StiGuidedBlock *p = parameters;
    q[0] = p->position;
    v[0] = p->velocity;
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)signals;
    const StiGuidedBlock *p = parameters;
    links[0].p = place(p, q[0]);
    links[0].q = STI_QUAT_IDENTITY;
    links[0].v = sti_vec3_scale(v[0], unit_axis(p));
    links[0].w = (StiVec3){0.0, 0.0, 0.0};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)q, (void)signals;
    const StiGuidedBlock *p = parameters;
    const StiVec3 axis = unit_axis(p);
    const StiVec3 weight = sti_vec3_scale(p->mass, stage->gravity);
    const StiVec3 F = sti_vec3_add(uhat->links[0].force, weight);
    const double along = sti_vec3_dot(F, axis);
    qdot[0] = v[0];
    vdot[0] = (uhat->generalized[0] + along) / p->mass;
    loads[0] = sti_vec3_norm(sti_vec3_sub(F, sti_vec3_scale(along, axis)));
    return STI_OK;
}

static StiStatus eval_held(const void *parameters, const StiStage *stage, const double *q,
                           const double *v, const double *signals, const StiForce *uhat,
                           const bool *held, double *memory, double *qdot, double *vdot,
                           double *loads, double *taken)
{
    (void)memory;
    const StiGuidedBlock *p = parameters;
    StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    const StiForce acting = {uhat->generalized, uhat->links ? uhat->links : &none};
    const StiStatus status = eval(parameters, stage, q, v, signals, &acting, qdot, vdot, loads);
    if (held == NULL) return status;
    taken[0] = held[0] ? p->mass * vdot[0] : 0.0;
    if (held[0]) vdot[0] = 0.0;
    return status;
}

static StiStatus stop_locked(const void *parameters, const double *q, const bool *held, double *v,
                             double *workspace)
{
    (void)parameters, (void)q, (void)workspace;
    if (held[0]) v[0] = 0.0;
    return STI_OK;
}

static const StiAdmittanceHold hold = {.table_size = sizeof(StiAdmittanceHold), .eval = eval_held, .stop_locked = stop_locked};

// prepared: 1/mass, 0 where locked.
static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    (void)q;
    const StiGuidedBlock *p = parameters;
    const double H = p->mass + (added ? added[0] : 0.0);
    if (!(H > 0.0)) return STI_BAD_ARGUMENT;
    prepared[0] = locked && locked[0] ? 0.0 : 1.0 / H;
    return STI_OK;
}

static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)q;
    const StiVec3 axis = unit_axis(parameters);
    dv[0] = prepared[0] * (force->generalized[0] + sti_vec3_dot(force->links[0].force, axis));
}

static void link_response(const void *parameters, const double *prepared, const StiWrench *wrench,
                          StiFrame *link)
{
    const StiVec3 axis = unit_axis(parameters);
    link->v = sti_vec3_scale(prepared[0] * sti_vec3_dot(wrench->force, axis), axis);
    link->w = sti_vec3(0.0, 0.0, 0.0);
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    q[0] += T * v[0];
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    (void)workspace;
    const StiGuidedBlock *p = parameters;
    return p->mass * (0.5 * v[0] * v[0] - sti_vec3_dot(gravity, place(p, q[0])));
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    (void)parameters;
    return sti_point_channels(1, names);
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)parameters, (void)signals;
    sti_point_observe(1, q, v, values);
}

static const StiField fields[] = {
    {.name = "mass",
     .unit = "kg",
     .meaning = "mass",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiGuidedBlock, mass),
     .usual = 1.0},
    {.name = "axis",
     .unit = "",
     .meaning = "direction of the guide, any length",
     .offset = offsetof(StiGuidedBlock, axis),
     .length = 3},
    {.name = "origin",
     .unit = "m",
     .meaning = "where the coordinate is 0",
     .offset = offsetof(StiGuidedBlock, origin),
     .length = 3},
    {.name = "position",
     .unit = "m",
     .meaning = "coordinate at the start",
     .offset = offsetof(StiGuidedBlock, position)},
    {.name = "velocity",
     .unit = "m/s",
     .meaning = "velocity along the axis at the start",
     .offset = offsetof(StiGuidedBlock, velocity)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiGuidedBlock *p = parameters;
    const double length = sti_vec3_norm(sti_vec3_read(p->axis));
    if (!(length > 0.0))
        sti_check_error(check, "axis", length, "the guide needs a direction: any vector but zero");
}

static const StiGuidedBlock example = {.mass = 1.0, .axis = {1.0, 0.0, 0.0}};

const StiAdmittanceKind sti_kind_guided_block = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "guided-block",
             .summary = "a block on a straight frictionless guide; its load is the force across",
             .size = sizeof(StiGuidedBlock),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .link_response = link_response,
    .hold = &hold,
    .move = move,
    .stored = stored,
    .channels = channels,
    .observe = observe,
};

STI_DEFAULT(StiGuidedBlock, guided_block, sti_kind_guided_block.info)
