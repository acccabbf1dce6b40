// A shaft: one angle about z.
#include "base/default.h"
#include "stiction/body.h"
#include "stiction/elementary.h"

static StiAdmittanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiAdmittanceSize){.positions = 1, .velocities = 1, .links = 1, .prepared = 1};
}

static void start(const void *parameters, double *q, double *v)
{
    const StiRotor *p = parameters;
    q[0] = p->angle;
    v[0] = p->velocity;
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)parameters, (void)signals;
    links[0] = (StiFrame){.w = {0.0, 0.0, v[0]}};
    sti_sincos(0.5 * q[0], &links[0].q.z, &links[0].q.w);
}

static double moment(const StiForce *uhat)
{
    return uhat->generalized[0] + (uhat->links != NULL ? uhat->links[0].moment.z : 0.0);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)stage, (void)q, (void)signals, (void)loads;
    const StiRotor *p = parameters;
    qdot[0] = v[0];
    vdot[0] = moment(uhat) / p->inertia;
    return STI_OK;
}

static StiStatus eval_held(const void *parameters, const StiStage *stage, const double *q,
                           const double *v, const double *signals, const StiForce *uhat,
                           const bool *held, double *memory, double *qdot, double *vdot,
                           double *loads, double *taken)
{
    (void)memory;
    const StiRotor *p = parameters;
    const StiStatus status = eval(parameters, stage, q, v, signals, uhat, qdot, vdot, loads);
    if (held == NULL) return status;
    taken[0] = held[0] ? p->inertia * vdot[0] : 0.0;
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

static const StiAdmittanceHold hold = {.table_size = sizeof(StiAdmittanceHold),
                                       .eval = eval_held,
                                       .stop_locked = stop_locked};

// prepared: 1/inertia, 0 where it is locked.
static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    (void)q;
    const StiRotor *p = parameters;
    const double H = p->inertia + (added != NULL ? added[0] : 0.0);
    if (!(H > 0.0)) return STI_BAD_ARGUMENT;
    prepared[0] = locked != NULL && locked[0] ? 0.0 : 1.0 / H;
    return STI_OK;
}

static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)parameters, (void)q;
    dv[0] = prepared[0] * moment(force);
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    q[0] += T * v[0];
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    (void)gravity, (void)q, (void)workspace;
    const StiRotor *p = parameters;
    return 0.5 * p->inertia * v[0] * v[0];
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    static const StiChannelInfo own[] = {{"q", "rad"}, {"qd", "rad/s"}};
    (void)parameters;
    *names = own;
    return 2;
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)parameters, (void)signals;
    values[0] = q[0];
    values[1] = v[0];
}

static bool is_angular(const void *parameters, int velocity)
{
    (void)parameters, (void)velocity;
    return true;
}

static const StiField fields[] = {
    {.name = "inertia",
     .unit = "kg m^2",
     .meaning = "about the axis",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiRotor, inertia)},
    {.name = "angle", .unit = "rad", .meaning = "at the start", .offset = offsetof(StiRotor, angle)},
    {.name = "velocity",
     .unit = "rad/s",
     .meaning = "at the start",
     .offset = offsetof(StiRotor, velocity)},
};

const StiAdmittanceKind sti_kind_rotor = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "rotor",
             .summary = "a shaft: one angle",
             .size = sizeof(StiRotor),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0]},
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .hold = &hold,
    .move = move,
    .stored = stored,
    .channels = channels,
    .is_angular = is_angular,
    .observe = observe,
};

STI_DEFAULT(StiRotor, rotor, sti_kind_rotor.info)
