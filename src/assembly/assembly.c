// An assembly as one body: what its members do, and what the equations between them change.
#include "assembly/assembly.h"

#include <math.h>
#include <string.h>

static const Assembly *assembly_of(const void *parameters)
{
    return ((const StiAssemblyBody *)parameters)->assembly;
}

static const double *of_member(const double *all, int first)
{
    return all != NULL ? all + first : NULL;
}

static StiAdmittanceSize size(const void *parameters)
{
    const Assembly *a = assembly_of(parameters);
    const int own = sti_assembly_memory(a, NULL).size;
    return (StiAdmittanceSize){.positions = a->positions,
                               .velocities = a->velocities,
                               .links = a->links,
                               .loads = a->loads,
                               .supplied = a->supplied,
                               .signals = a->signals,
                               .prepared = own,
                               .workspace = own + a->workspace};
}

static void start(const void *parameters, double *q, double *v)
{
    const Assembly *a = assembly_of(parameters);
    memcpy(q, a->q, (size_t)a->positions * sizeof *q);
    memcpy(v, a->v, (size_t)a->velocities * sizeof *v);
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    sti_equations_pose(assembly_of(parameters), q, v, signals, links, true);
}

// ---- accelerations --------------------------------------------------------------------------------

static StiStatus eval_members(const Assembly *a, const StiStage *stage, const double *q,
                              const double *v, const double *signals, const StiForce *uhat,
                              bool with_loads, double *qdot, double *vdot, double *loads)
{
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const StiForce own = {uhat->generalized + b->v, uhat->links + b->link};
        if (with_loads && b->size.loads == 0) continue;
        const StiStatus status =
            b->kind->eval(b->parameters, stage, q + b->q, v + b->v, of_member(signals, b->signal),
                          &own, qdot + b->q, vdot + b->v, loads + b->load);
        if (status != STI_OK) return status;
    }
    return STI_OK;
}

// Forces of the equations as loads; and the power of all drivers.
static void write_loads(const Assembly *a, const AssemblyMemory *m, const double *signals,
                        double *loads)
{
    double supplied = 0.0;
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (b->size.supplied > 0) supplied += loads[b->load + b->size.supplied - 1];
    }
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        const double *force = m->force + e->row;
        double square = 0.0;
        memcpy(loads + e->load, force, (size_t)e->rows * sizeof *loads);
        for (int k = 0; e->loop && k < sti_loop_force_rows(e->type); ++k)
            square += force[k] * force[k];
        loads[e->load + e->rows] = e->loop ? sqrt(square) : fabs(force[0]);
        if (e->signal >= 0) supplied += force[0] * signals[e->signal + 1];
    }
    if (a->supplied > 0) loads[a->supplied - 1] = supplied;
}

// The members' loads go with the forces of the equations: those are added, and the members asked again.
static StiStatus eval_loads(const Assembly *a, const StiStage *stage, const double *q,
                            const double *v, const double *signals, const StiForce *uhat,
                            AssemblyMemory *m, double *qdot, double *vdot, double *loads)
{
    const StiForce all = {m->generalized, m->wrenches};
    memcpy(m->generalized, uhat->generalized, (size_t)a->velocities * sizeof *m->generalized);
    memcpy(m->wrenches, uhat->links, (size_t)a->links * sizeof *m->wrenches);
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        for (int k = e->row; k < e->row + e->rows; ++k)
            sti_equation_push(e, k, m->force[k], m, m->generalized, m->wrenches);
    }
    return eval_members(a, stage, q, v, signals, &all, true, qdot, vdot, loads);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    const Assembly *a = assembly_of(parameters);
    AssemblyMemory m = sti_assembly_memory(a, stage->workspace);
    StiStage inner = *stage;
    inner.workspace = m.rest;
    sti_equations_pose(a, q, v, signals, m.frames, false);
    sti_equations_set(a, q, NULL, &m);
    StiStatus status = sti_assembly_prepare(a, q, NULL, NULL, &m);
    if (status == STI_OK)
        status = eval_members(a, &inner, q, v, signals, uhat, false, qdot, vdot, loads);
    if (status != STI_OK) return status;
    sti_equations_drift(a, q, v, signals, &m, m.C);
    sti_assembly_rates(a, &m, vdot, m.rate);
    for (int i = 0; i < a->row_count; ++i) m.rate[i] += m.C[i];
    sti_assembly_solve(a, &m, m.rate, m.force);
    sti_assembly_accelerate(a, &m, m.force, vdot);
    status = eval_loads(a, &inner, q, v, signals, uhat, &m, qdot, vdot, loads);
    if (status == STI_OK) write_loads(a, &m, signals, loads);
    return status;
}

static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    const Assembly *a = assembly_of(parameters);
    AssemblyMemory m = sti_assembly_memory(a, prepared);
    memset(m.dv, 0, (size_t)a->velocities * sizeof *m.dv);
    sti_equations_pose(a, q, m.dv, NULL, m.frames, false);
    sti_equations_set(a, q, NULL, &m);
    return sti_assembly_prepare(a, q, locked, added, &m);
}

// The room behind the factors belongs to the same scratch.
static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    const Assembly *a = assembly_of(parameters);
    AssemblyMemory m = sti_assembly_memory(a, (double *)(size_t)prepared);
    sti_assembly_respond(a, q, force, dv, &m);
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    const Assembly *a = assembly_of(parameters);
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        b->kind->move(b->parameters, v + b->v, T, q + b->q);
    }
}

static StiStatus constrain(const void *parameters, const double *signals, const bool *held,
                           const double *q_start, double *q, double *v, double *workspace)
{
    const Assembly *a = assembly_of(parameters);
    AssemblyMemory m = sti_assembly_memory(a, workspace);
    (void)held; // coordinates that stand still say more
    return sti_assembly_project(a, signals, q_start, q, v, &m);
}

// ---- what it shows --------------------------------------------------------------------------------

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    const Assembly *a = assembly_of(parameters);
    double sum = 0.0;
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (b->kind->stored != NULL)
            sum += b->kind->stored(b->parameters, gravity, q + b->q, v + b->v, workspace);
    }
    return sum;
}

static int channels(const void *parameters, const StiChannelInfo **names)
{
    *names = assembly_of(parameters)->channels;
    return assembly_of(parameters)->channel_count;
}

static const StiChannelInfo *load_channels(const void *parameters)
{
    return assembly_of(parameters)->load_channels;
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    const Assembly *a = assembly_of(parameters);
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const StiChannelInfo *names;
        if (b->kind->channels == NULL) continue;
        b->kind->observe(b->parameters, q + b->q, v + b->v, of_member(signals, b->signal), values);
        values += b->kind->channels(b->parameters, &names);
    }
}

static bool is_angular(const void *parameters, int velocity)
{
    const Assembly *a = assembly_of(parameters);
    int i = a->member_count - 1;
    while (i > 0 && a->members[i].v > velocity) --i;
    const Member *b = &a->members[i];
    return b->kind->is_angular != NULL && b->kind->is_angular(b->parameters, velocity - b->v);
}

static bool visit(void *parameters, StiVisit each, void *context)
{
    (void)parameters, (void)each, (void)context; // the plan's own bodies have the numbers
    return true;
}

// Never changed once it is made: all copies share it.
static bool own(void *parameters)
{
    ++((StiAssemblyBody *)parameters)->assembly->owners;
    return true;
}

static void release(void *parameters)
{
    sti_assembly_release(((StiAssemblyBody *)parameters)->assembly);
}

static const StiInside inside = {.table_size = sizeof(StiInside), .visit = visit, .own = own, .release = release};

const StiAdmittanceKind sti_kind_assembly = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "assembly",
             .summary = "bodies joined by couplings and loops, as one",
             .size = sizeof(StiAssemblyBody),
             .inside = &inside}, // the plan checks its members
    .whole_names = true,
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .move = move,
    .constrain = constrain,
    .stored = stored,
    .channels = channels,
    .is_angular = is_angular,
    .load_channels = load_channels,
    .observe = observe,
};
