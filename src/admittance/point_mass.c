// A point mass in 1, 2 or 3 dimensions, [modular] (7).
#include "base/default.h"
#include "stiction/body.h"
#include "admittance/point.h"
#include "algebra/slices.h"

static StiAdmittanceSize size(const void *parameters)
{
    const StiPointMass *p = parameters;
    return (StiAdmittanceSize){.positions = p->dim,
                               .velocities = p->dim,
                               .links = 1,
                               .prepared = p->dim};
}

static void start(const void *parameters, double *q, double *v)
{
    const StiPointMass *p = parameters;
    for (int i = 0; i < p->dim; ++i) {
        q[i] = p->position[i];
        v[i] = p->velocity[i];
    }
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)signals;
    const StiPointMass *p = parameters;
    links[0] = sti_point_frame(p->dim, q, v);
}

// Both parts of uhat together, along the axes the mass has.
static void total_force(int dim, const StiForce *uhat, double *F)
{
    sti_vec3_write_axes(dim, uhat->links[0].force, F);
    for (int i = 0; i < dim; ++i) F[i] += uhat->generalized[i];
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)q, (void)signals, (void)loads;
    const StiPointMass *p = parameters;
    double F[3], gravity[3];
    total_force(p->dim, uhat, F);
    sti_vec3_write(stage->gravity, gravity);
    for (int i = 0; i < p->dim; ++i) {
        qdot[i] = v[i];
        vdot[i] = F[i] / p->mass + gravity[i];
    }
    return STI_OK;
}

static StiStatus eval_held(const void *parameters, const StiStage *stage, const double *q,
                           const double *v, const double *signals, const StiForce *uhat,
                           const bool *held, double *memory, double *qdot, double *vdot,
                           double *loads, double *taken)
{
    (void)memory;
    const StiPointMass *p = parameters;
    StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    const StiForce acting = {uhat->generalized, uhat->links ? uhat->links : &none};
    const StiStatus status = eval(parameters, stage, q, v, signals, &acting, qdot, vdot, loads);
    for (int i = 0; held != NULL && i < p->dim; ++i) {
        taken[i] = held[i] ? p->mass * vdot[i] : 0.0;
        if (held[i]) vdot[i] = 0.0;
    }
    return status;
}

static StiStatus stop_locked(const void *parameters, const double *q, const bool *held, double *v,
                             double *workspace)
{
    (void)q, (void)workspace;
    const StiPointMass *p = parameters;
    for (int i = 0; i < p->dim; ++i)
        if (held[i]) v[i] = 0.0;
    return STI_OK;
}

static const StiAdmittanceHold hold = {.table_size = sizeof(StiAdmittanceHold), .eval = eval_held, .stop_locked = stop_locked};

// prepared: per axis 1/mass, 0 where the axis is locked.
static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    (void)q;
    const StiPointMass *p = parameters;
    for (int i = 0; i < p->dim; ++i) {
        const double H = p->mass + (added ? added[i] : 0.0);
        if (!(H > 0.0)) return STI_BAD_ARGUMENT;
        prepared[i] = locked && locked[i] ? 0.0 : 1.0 / H;
    }
    return STI_OK;
}

static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)q;
    const StiPointMass *p = parameters;
    double F[3];
    total_force(p->dim, force, F);
    for (int i = 0; i < p->dim; ++i) dv[i] = prepared[i] * F[i];
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    const StiPointMass *p = parameters;
    for (int i = 0; i < p->dim; ++i) q[i] += T * v[i];
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    (void)workspace;
    const StiPointMass *p = parameters;
    const StiFrame point = sti_point_frame(p->dim, q, v);
    return p->mass * (0.5 * sti_vec3_dot(point.v, point.v) - sti_vec3_dot(gravity, point.p));
}

static double mass(const void *parameters)
{
    const StiPointMass *p = parameters;
    return p->dim == 1 ? p->mass : 0.0;
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    const StiPointMass *p = parameters;
    return sti_point_channels(p->dim, names);
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)signals;
    const StiPointMass *p = parameters;
    sti_point_observe(p->dim, q, v, values);
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiPointMass),
    {.name = "mass",
     .unit = "kg",
     .meaning = "mass",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiPointMass, mass),
     .usual = 1.0},
    {.name = "position",
     .unit = "m",
     .type = STI_FIELD_AXES,
     .meaning = "position at the start",
     .offset = offsetof(StiPointMass, position),
     .count_offset = offsetof(StiPointMass, dim),
     .length = 3},
    {.name = "velocity",
     .unit = "m/s",
     .type = STI_FIELD_AXES,
     .meaning = "velocity at the start",
     .offset = offsetof(StiPointMass, velocity),
     .count_offset = offsetof(StiPointMass, dim),
     .length = 3},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiPointMass *p = parameters;
    sti_check_point(check, p->dim);
}

static const StiPointMass example = {.dim = 1, .mass = 1.0};

const StiAdmittanceKind sti_kind_point_mass = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "point",
             .summary = "a mass in 1, 2 or 3 dimensions",
             .size = sizeof(StiPointMass),
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
    .hold = &hold,
    .move = move,
    .stored = stored,
    .mass = mass,
    .channels = channels,
    .observe = observe,
};

STI_DEFAULT(StiPointMass, point_mass, sti_kind_point_mass.info)
