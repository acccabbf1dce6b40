// A linkage as one body: its coordinates are those of its planar bodies. Each pair shows its
// coordinate as two more links that move along x: in its natural unit, and at the pin's surface.
#include <math.h>
#include <string.h>

#include "base/default.h"
#include "admittance/linkage_parameters.h"
#include "algebra/slices.h"
#include "linkage/channels.h"

static const StiLinkage *linkage_of(const void *parameters)
{
    return ((const StiLinkageBody *)parameters)->linkage;
}

int sti_linkage_pair_link(const StiLinkage *linkage, int pair)
{
    return linkage->body_count + 2 * pair;
}

int sti_linkage_surface_link(const StiLinkage *linkage, int pair)
{
    return sti_linkage_pair_link(linkage, pair) + 1;
}

int sti_linkage_pair_load(const StiLinkage *linkage, int pair) { return linkage->first_load[pair]; }

// Beside what the linkage needs: loads as structures, forces on bodies, pairs and surfaces, efforts.
typedef struct EvalMemory {
    double *workspace;
    StiPairLoad *loads;
    double *bodies, *pairs, *friction, *efforts;
    int size;
} EvalMemory;

static EvalMemory eval_memory(const StiLinkage *linkage, double *memory)
{
    const int pairs = linkage->pair_count, load = (int)(sizeof(StiPairLoad) / sizeof(double)) + 1;
    const int loads = sti_linkage_workspace(linkage), bodies = loads + load * pairs;
    const int efforts = bodies + 3 * linkage->body_count + 2 * pairs;
    const int size = efforts + linkage->driver_count;
    if (memory == NULL) return (EvalMemory){.size = size};
    return (EvalMemory){.workspace = memory,
                        .loads = (StiPairLoad *)(void *)(memory + loads),
                        .bodies = memory + bodies,
                        .pairs = memory + efforts - 2 * pairs,
                        .friction = memory + efforts - pairs,
                        .efforts = memory + efforts,
                        .size = size};
}

static StiAdmittanceSize size(const void *parameters)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const int velocities = sti_linkage_velocities(linkage);
    return (StiAdmittanceSize){.positions = velocities,
                               .velocities = velocities,
                               .links = linkage->body_count + 2 * linkage->pair_count,
                               .loads = linkage->load_count,
                               .supplied = linkage->load_count,
                               .signals = 3 * linkage->driver_count,
                               .prepared =
                                   sti_linkage_prepared(linkage) + eval_memory(linkage, NULL).size,
                               .carried = sti_linkage_carried(linkage),
                               .workspace = eval_memory(linkage, NULL).size};
}

static void start(const void *parameters, double *q, double *v)
{
    sti_linkage_start(linkage_of(parameters), q, v);
}

static double surface_radius(const StiPlanarPair *pair)
{
    return pair->type == STI_PAIR_REVOLUTE ? pair->radius : 1.0;
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    const StiLinkage *linkage = linkage_of(parameters);
    (void)signals;
    for (int i = 0; i < linkage->body_count; ++i) {
        links[i] = (StiFrame){.p = {q[3 * i], q[3 * i + 1], 0.0},
                              .v = {v[3 * i], v[3 * i + 1], 0.0},
                              .w = {0.0, 0.0, v[3 * i + 2]}};
        sti_sincos(0.5 * q[3 * i + 2], &links[i].q.z, &links[i].q.w);
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        StiFrame *natural = &links[sti_linkage_pair_link(linkage, k)];
        double rate = 0.0, value = 0.0;
        if (sti_pair_kind(linkage->pairs[k].type)->slides)
            value = sti_linkage_coordinate(linkage, k, q, v, &rate).C;
        const double radius = surface_radius(&linkage->pairs[k]);
        natural[0] =
            (StiFrame){.p = {value, 0.0, 0.0}, .q = STI_QUAT_IDENTITY, .v = {rate, 0.0, 0.0}};
        natural[1] = (StiFrame){.p = {radius * value, 0.0, 0.0},
                                .q = STI_QUAT_IDENTITY,
                                .v = {radius * rate, 0.0, 0.0}};
    }
}

static StiLinkageForce gather(const StiLinkage *linkage, const StiForce *uhat, EvalMemory *m)
{
    for (int i = 0; i < linkage->body_count; ++i) {
        const double *own = uhat->generalized + 3 * i;
        m->bodies[3 * i] = own[0] + uhat->links[i].force.x;
        m->bodies[3 * i + 1] = own[1] + uhat->links[i].force.y;
        m->bodies[3 * i + 2] = own[2] + uhat->links[i].moment.z;
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiWrench *natural = &uhat->links[sti_linkage_pair_link(linkage, k)];
        m->pairs[k] = natural[0].force.x;
        m->friction[k] = natural[1].force.x;
    }
    return (StiLinkageForce){.bodies = m->bodies, .pairs = m->pairs, .friction = m->friction};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    const StiLinkage *linkage = linkage_of(parameters);
    EvalMemory m = eval_memory(linkage, stage->workspace);
    StiLinkageForce force = gather(linkage, uhat, &m);
    force.gravity = stage->gravity;
    const StiDriven *driven = (const StiDriven *)(const void *)signals;
    memcpy(qdot, v, (size_t)sti_linkage_velocities(linkage) * sizeof *qdot);
    StiLinkage undrifted = *linkage; // drivers ahead of the motion look like errors
    undrifted.drift = STI_DRIFT_NONE;
    const StiStatus status =
        sti_linkage_forward(stage->ahead ? &undrifted : linkage, q, v, driven, &force, NULL, vdot,
                            m.loads, NULL, m.efforts, m.workspace);
    if (status == STI_OK) sti_linkage_write_loads(linkage, m.loads, m.efforts, driven, loads);
    return status;
}

static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    return sti_linkage_prepare(linkage_of(parameters), q, locked, added, prepared);
}

// The part of prepared behind the factors is room to work in; it belongs to the same scratch.
static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)q;
    const StiLinkage *linkage = linkage_of(parameters);
    double *room = (double *)(size_t)(prepared + sti_linkage_prepared(linkage));
    EvalMemory m = eval_memory(linkage, room);
    const StiLinkageForce gathered = gather(linkage, force, &m);
    sti_linkage_respond(linkage, prepared, &gathered, dv, m.workspace);
}

// ---- while the geometry stands still ------------------------------------------------------------

static EvalMemory room_behind(const StiLinkage *linkage, double *prepared)
{
    return eval_memory(linkage, prepared + sti_linkage_prepared(linkage));
}

static StiStatus prepare_moving(const void *parameters, const double *q, const double *v,
                                const double *signals, double *prepared)
{
    sti_linkage_prepare_moving(linkage_of(parameters), q, v,
                               (const StiDriven *)(const void *)signals, prepared);
    return STI_OK;
}

static StiStatus accelerate(const void *parameters, const StiStage *stage, double *prepared,
                            const StiForce *uhat, double *vdot, double *carried)
{
    const StiLinkage *linkage = linkage_of(parameters);
    EvalMemory m = room_behind(linkage, prepared);
    StiLinkageForce force = gather(linkage, uhat, &m);
    force.gravity = stage->gravity;
    return sti_linkage_accelerate(linkage, prepared, &force, vdot, carried, m.workspace);
}

static void collect(const void *parameters, double *prepared, const StiForce *force,
                    StiResponseColumn *column)
{
    const StiLinkage *linkage = linkage_of(parameters);
    EvalMemory m = room_behind(linkage, prepared);
    const StiLinkageForce gathered = gather(linkage, force, &m);
    sti_linkage_collect(linkage, prepared, &gathered, column->force, column->carried);
}

static void respond_to_all(const void *parameters, double *prepared, int count,
                           const StiResponseColumn *columns)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const EvalMemory m = room_behind(linkage, prepared);
    sti_linkage_strain(linkage, prepared, count, columns, m.workspace);
}

static void loads_of(const void *parameters, double *prepared, const double *v,
                     const double *signals, const double *carried, double *loads)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const EvalMemory m = room_behind(linkage, prepared);
    sti_linkage_loads_of(linkage, prepared, v, carried, m.loads, m.efforts);
    sti_linkage_write_loads(linkage, m.loads, m.efforts, (const StiDriven *)(const void *)signals,
                            loads);
}

static void fit(const void *parameters, double *prepared, const double *signals, double *v)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const EvalMemory m = room_behind(linkage, prepared);
    sti_linkage_fit(linkage, prepared, (const StiDriven *)(const void *)signals, v, m.workspace);
}

static const StiConstrainedMotion constrained = {.table_size = sizeof(StiConstrainedMotion), .prepare = prepare_moving,
                                                 .accelerate = accelerate,
                                                 .collect = collect,
                                                 .respond = respond_to_all,
                                                 .loads = loads_of,
                                                 .fit = fit};

// ---- the end of a step --------------------------------------------------------------------------

static void move(const void *parameters, const double *v, double T, double *q)
{
    const int count = sti_linkage_velocities(linkage_of(parameters));
    for (int i = 0; i < count; ++i) q[i] += T * v[i];
}

static StiStatus constrain(const void *parameters, const double *signals, const bool *held,
                           const double *q_start, double *q, double *v, double *workspace)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const StiDriven *driven = (const StiDriven *)(const void *)signals;
    EvalMemory m = eval_memory(linkage, workspace);
    bool *holds = (bool *)m.pairs; // as many bytes as are needed, and more
    bool any = false;
    if (q_start == NULL) {
        sti_linkage_project_velocities(linkage, q, driven, v, m.workspace);
        return STI_OK;
    }
    for (int k = 0; held != NULL && k < linkage->pair_count; ++k) {
        const int link = sti_linkage_pair_link(linkage, k);
        holds[k] = held[link] || held[link + 1];
        any = any || holds[k];
    }
    return sti_linkage_project(linkage, driven, any ? holds : NULL, q_start, q, v, m.workspace);
}

static double returns(const void *parameters)
{
    const StiLinkage *linkage = linkage_of(parameters);
    if (linkage->drift == STI_DRIFT_BAUMGARTE) return linkage->baumgarte_rate;
    return linkage->drift == STI_DRIFT_PROJECTION ? INFINITY : 0.0;
}

// Coulomb friction at this state, by the pure function that looks at all cases.
static StiStatus classify_solutions(const void *parameters, const StiStage *stage, const double *q,
                                    const double *v, const double *signals, const StiForce *uhat,
                                    const double *mu, int *load)
{
    const StiLinkage *linkage = linkage_of(parameters);
    EvalMemory m = eval_memory(linkage, stage->workspace);
    StiLinkageForce force = gather(linkage, uhat, &m);
    double *own = (double *)(void *)m.loads; // by pair
    StiCoulombAnswer answer;
    force.gravity = stage->gravity;
    for (int k = 0; k < linkage->pair_count; ++k) own[k] = mu[linkage->first_load[k]];
    const StiStatus status =
        sti_linkage_coulomb(linkage, q, v, (const StiDriven *)(const void *)signals, &force, own, 0,
                            NULL, &answer, m.workspace);
    if (status != STI_OK || answer.pair < 0) return STI_LOADS_UNSETTLED;
    *load = linkage->first_load[answer.pair];
    return answer.outcome == STI_COULOMB_ONE       ? STI_OK
           : answer.outcome == STI_COULOMB_SEVERAL ? STI_SEVERAL_SOLUTIONS
           : answer.outcome == STI_COULOMB_NONE    ? STI_NO_SOLUTION
                                                   : STI_LOADS_UNSETTLED;
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    (void)workspace;
    return sti_linkage_energy(linkage_of(parameters), gravity, q, v);
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    *names = linkage_of(parameters)->channels;
    return linkage_of(parameters)->channel_count;
}

static const StiChannelInfo *load_channels(const void *parameters)
{
    return linkage_of(parameters)->load_channels;
}

static int load_parts(const void *parameters, int load, int parts[STI_LOAD_PARTS])
{
    return sti_linkage_corner_loads(linkage_of(parameters), load, parts);
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    (void)signals;
    sti_linkage_observe(linkage_of(parameters), q, v, values);
}

static bool is_angular(const void *parameters, int velocity)
{
    (void)parameters;
    return velocity % 3 == 2;
}

static void check(const void *parameters, const StiCheck *check)
{
    if (linkage_of(parameters) == NULL)
        sti_check_error(check, "linkage", 0.0, "a linkage is needed: sti_linkage_create");
    else
        sti_linkage_check_parameters(parameters, check);
}

static bool joint(const void *parameters, const char *name, StiJointPlace *place)
{
    const StiLinkage *linkage = linkage_of(parameters);
    const int pair = sti_linkage_find_pair(linkage, name);
    if (pair < 0) return false;
    *place = (StiJointPlace){.link = sti_linkage_pair_link(linkage, pair), .position = -1, .velocity = -1};
    return true;
}

const StiAdmittanceKind sti_kind_linkage = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "linkage",
             .summary = "planar bodies joined by pairs, with closed loops; loads of all pairs",
             .size = sizeof(StiLinkageBody),
             .inside = &sti_linkage_inside,
             .check = check},
    .whole_names = true,
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .move = move,
    .constrain = constrain,
    .returns = returns,
    .stored = stored,
    .channels = channels,
    .is_angular = is_angular,
    .classify_solutions = classify_solutions,
    .constrained = &constrained,
    .load_channels = load_channels,
    .load_parts = load_parts,
    .observe = observe,
    .joint = joint,
};

STI_DEFAULT(StiLinkageBody, linkage_body, sti_kind_linkage.info)
