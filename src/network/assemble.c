// A plan with constraints becomes one without: clusters of joined bodies are single bodies in it.
#include "network/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/assembly.h"
#include "assembly/start.h"
#include "network/contacts.h"
#include "base/fields.h"
#include "stiction/robot.h"

typedef struct Work {
    const StiPlan *plan;
    StiReport *report;
    StiArena *arena;
    Assembled *to;
    int *cluster;          // by body: the first body of its cluster, -1: it is joined to no other
    Assembly **assemblies; // by the first body
    int *member;           // by body: which member
    const int *sorted;     // bodies by their names
} Work;

// ---- clusters --------------------------------------------------------------------------------------

static int bodies_of(const PlanConstraint *c, int i)
{
    if (!c->is_loop) return i < c->coupling.count ? c->coupling.terms[i].body.number - 1 : -2;
    if (i > 1) return -2;
    const int number = (i == 0 ? c->loop.a : c->loop.b).body.number;
    return number == STI_GROUND.number ? -1 : number - 1;
}

static void join(const Work *w, int a, int b)
{
    const int keep = w->cluster[a] < w->cluster[b] ? w->cluster[a] : w->cluster[b];
    const int other = w->cluster[a] < w->cluster[b] ? w->cluster[b] : w->cluster[a];
    for (int i = 0; i < w->plan->admittances.count; ++i)
        if (w->cluster[i] == other) w->cluster[i] = keep;
}

static void find_clusters(const Work *w)
{
    for (int i = 0; i < w->plan->admittances.count; ++i) w->cluster[i] = -1;
    for (int k = 0; k < w->plan->constraints.count; ++k) {
        const PlanConstraint *c = sti_plan_constraint(w->plan, k);
        int first = -1;
        for (int i = 0, body; (body = bodies_of(c, i)) != -2; ++i) {
            if (body < 0) continue;
            if (w->cluster[body] < 0) w->cluster[body] = body;
            if (first < 0) first = body;
            if (w->cluster[first] != w->cluster[body]) join(w, first, body);
        }
    }
}

// ---- members and equations ---------------------------------------------------------------------------

static Assembly *begin_assembly(const Work *w, int cluster)
{
    StiArena arena = {0};
    Assembly *a = sti_arena_take(&arena, 1, sizeof *a);
    const int bodies = w->plan->admittances.count, constraints = w->plan->constraints.count;
    Member *members = sti_arena_take(&arena, (size_t)bodies + 1, sizeof *members);
    Equation *equations = sti_arena_take(&arena, (size_t)constraints + 1, sizeof *equations);
    if (arena.failed) {
        sti_arena_release(&arena);
        w->arena->failed = 1;
        return NULL;
    }
    *a = (Assembly){.arena = arena, .owners = 1, .members = members, .equations = equations};
    for (int k = 0; k < bodies; ++k) {
        const int i = w->sorted[k];
        if (w->cluster[i] != cluster) continue;
        const PlanAdmittance *body = sti_plan_admittance(w->plan, i);
        w->member[i] = a->member_count;
        a->members[a->member_count++] =
            (Member){.name = sti_arena_text(&a->arena, body->name),
                     .kind = body->kind,
                     .parameters =
                         sti_fields_copy(&body->kind->info, body->parameters, &a->arena)};
    }
    return a;
}

static MemberEnd member_end(const Work *w, const StiLoopEnd *end)
{
    MemberEnd to = {.member = -1, .link = end->link, .frame = end->frame};
    if (end->body.number > 0) to.member = w->member[end->body.number - 1];
    return to;
}

static void add_equation(const Work *w, Assembly *a, const PlanConstraint *c)
{
    Equation *e = &a->equations[a->equation_count++];
    *e = (Equation){.name = sti_arena_text(&a->arena, c->name),
                    .loop = c->is_loop,
                    .offset = c->coupling.offset,
                    .from_start = c->coupling.from_start,
                    .signal = c->coupling.driven ? 0 : -1,
                    .term_count = c->coupling.count,
                    .type = c->loop.type,
                    .length = c->loop.length,
                    .a = member_end(w, &c->loop.a),
                    .b = member_end(w, &c->loop.b)};
    if (c->is_loop) return;
    MemberTerm *terms = sti_arena_take(&a->arena, (size_t)c->coupling.count + 1, sizeof *terms);
    e->terms = terms;
    for (int i = 0; terms != NULL && i < c->coupling.count; ++i) {
        const StiCouplingTerm *from = &c->coupling.terms[i];
        terms[i] = (MemberTerm){w->member[from->body.number - 1], from->position, from->velocity,
                                from->factor};
    }
}

static int cluster_of(const Work *w, const PlanConstraint *c)
{
    for (int i = 0, body; (body = bodies_of(c, i)) != -2; ++i)
        if (body >= 0) return w->cluster[body];
    return -1;
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(((const Equation *)one)->name, ((const Equation *)other)->name);
}

static const Equation *equation_of(const Assembly *a, const char *name)
{
    for (int i = 0; i < a->equation_count; ++i)
        if (strcmp(a->equations[i].name, name) == 0) return &a->equations[i];
    return NULL;
}

static void finish_assembly(const Work *w, Assembly *a, int cluster)
{
    for (int k = 0; k < w->plan->constraints.count; ++k)
        if (cluster_of(w, sti_plan_constraint(w->plan, k)) == cluster)
            add_equation(w, a, sti_plan_constraint(w->plan, k));
    if (a->arena.failed) return;
    qsort(a->equations, (size_t)a->equation_count, sizeof *a->equations, compare_names);
    if (!sti_assembly_lay_out(a)) a->arena.failed = 1;
}

// ---- the new plan ------------------------------------------------------------------------------------

static AssembledBody offsets_of(const Assembly *a, int member, int body)
{
    const Member *m = &a->members[member];
    return (AssembledBody){body, m->q, m->v, m->link, m->load, m->signal};
}

// Links of a robot and their parents, which never touch.
static const int *parents_of(const Work *w, const Assembly *a)
{
    int *parents = sti_arena_take(w->arena, (size_t)a->links + 1, sizeof *parents);
    for (int i = 0; parents != NULL && i < a->member_count; ++i) {
        const Member *m = &a->members[i];
        for (int link = 0; link < m->size.links; ++link) {
            const int parent = m->robot != NULL ? sti_robot_link(m->robot, link)->parent : -1;
            parents[m->link + link] = parent >= 0 ? m->link + parent : -1;
        }
    }
    return parents;
}

static bool list_bodies(const Work *w)
{
    StiPlan *plan = &w->to->plan;
    PlanAdmittance *bodies =
        sti_arena_take(w->arena, (size_t)w->plan->admittances.count + 1, sizeof *bodies);
    plan->admittances = (PlanList){.items = bodies};
    if (bodies == NULL) return false;
    for (int i = 0; i < w->plan->admittances.count; ++i) {
        const int cluster = w->cluster[i];
        if (cluster >= 0 && cluster != i) continue;
        const int place = plan->admittances.count++;
        w->to->bodies[i].body = place;
        bodies[place] = *sti_plan_admittance(w->plan, i);
        if (cluster < 0) continue;
        StiAssemblyBody *body = sti_arena_take(w->arena, 1, sizeof *body);
        if (body == NULL) return false;
        body->assembly = w->assemblies[i];
        bodies[place] = (PlanAdmittance){body->assembly->members[0].name, &sti_kind_assembly, body,
                                         parents_of(w, body->assembly)};
    }
    for (int i = 0; i < w->plan->admittances.count; ++i)
        if (w->cluster[i] >= 0)
            w->to->bodies[i] = offsets_of(w->assemblies[w->cluster[i]], w->member[i],
                                          w->to->bodies[w->cluster[i]].body);
    return true;
}

static void move_end(const Work *w, const StiWireKind *kind, StiEnd *end)
{
    if (end->body.number < 1) return;
    const AssembledBody *to = &w->to->bodies[end->body.number - 1];
    end->body.number = to->body + 1;
    end->place += kind->links ? to->link : to->velocity;
    end->position += to->position;
}

static void move_shapes(const Work *w, const StiContactShape *shapes, int count)
{
    StiContactShape *own = (StiContactShape *)(size_t)shapes; // a copy
    for (int i = 0; i < count; ++i) {
        if (own[i].body.number < 1) continue;
        const AssembledBody *to = &w->to->bodies[own[i].body.number - 1];
        own[i].body.number = to->body + 1;
        own[i].link += to->link;
    }
}

static bool list_elements(const Work *w)
{
    const size_t count = (size_t)w->plan->elements.count;
    PlanElement *elements =
        sti_arena_copy(w->arena, w->plan->elements.items, count * sizeof *elements);
    w->to->plan.elements.items = elements;
    for (size_t i = 0; elements != NULL && i < count; ++i) {
        if (elements[i].contact) {
            StiContact *contact = sti_contact_copy(elements[i].parameters, w->arena);
            if (contact == NULL) return false;
            move_shapes(w, contact->a, contact->a_count);
            move_shapes(w, contact->b, contact->b_count);
            elements[i].parameters = contact;
        } else if (elements[i].wire.kind != NULL) {
            move_end(w, elements[i].wire.kind, &elements[i].wire.a);
            move_end(w, elements[i].wire.kind, &elements[i].wire.b);
        }
    }
    return count == 0 || elements != NULL;
}

static void move_signal(const Work *w, StiSignal *signal)
{
    if (signal->type == STI_SIGNAL_CONSTRAINT) {
        const PlanConstraint *c = sti_plan_constraint(w->plan, signal->component);
        const int cluster = cluster_of(w, c);
        signal->type = STI_SIGNAL_LOAD;
        signal->component = w->to->bodies[cluster].body;
        signal->index += equation_of(w->assemblies[cluster], c->name)->load;
        return;
    }
    if (signal->type == STI_SIGNAL_SOURCE || signal->type == STI_SIGNAL_FORCE) return;
    const AssembledBody *to = &w->to->bodies[signal->component];
    signal->component = to->body;
    signal->index += signal->type == STI_SIGNAL_LOAD       ? to->load
                     : signal->type == STI_SIGNAL_POSITION ? to->position
                                                           : to->velocity;
}

static void move_target(const Work *w, PlanConnection *c)
{
    if (c->to_constraint) {
        const PlanConstraint *constraint = sti_plan_constraint(w->plan, c->component);
        const int cluster = cluster_of(w, constraint);
        c->to_constraint = false;
        c->to_admittance = true;
        c->component = w->to->bodies[cluster].body;
        c->input += equation_of(w->assemblies[cluster], constraint->name)->signal;
    } else if (c->to_admittance) {
        const AssembledBody *to = &w->to->bodies[c->component];
        c->component = to->body;
        c->input += to->signal;
    }
}

static bool list_connections(const Work *w)
{
    const size_t count = (size_t)w->plan->connections.count;
    PlanConnection *connections =
        sti_arena_copy(w->arena, w->plan->connections.items, count * sizeof *connections);
    w->to->plan.connections.items = connections;
    for (size_t i = 0; connections != NULL && i < count; ++i) {
        move_signal(w, &connections[i].signal);
        move_target(w, &connections[i]);
    }
    return count == 0 || connections != NULL;
}

// ---- where it starts ---------------------------------------------------------------------------------

// The value of a source when the run starts.
static double value_at_start(const Work *w, const StiSignal *signal)
{
    enum { MOST = 64 };
    double values[MOST] = {0.0};
    const PlanSource *source = sti_plan_source(&w->to->plan, signal->component);
    if (signal->type != STI_SIGNAL_SOURCE || source->count > MOST) return 0.0;
    if (source->function.eval == NULL) return signal->gain * source->usual[signal->index];
    void *workspace =
        source->function.open != NULL ? source->function.open(source->function.data) : NULL;
    if (source->function.open != NULL && workspace == NULL) {
        w->arena->failed = true;
        return 0.0;
    }
    source->function.eval(source->function.data, workspace, w->to->plan.start, values);
    if (source->function.close != NULL) source->function.close(workspace);
    return signal->gain * values[signal->index];
}

static bool start_assembly(const Work *w, Assembly *a, int body)
{
    const StiPlan *plan = &w->to->plan;
    double *signals = sti_arena_numbers(w->arena, a->signals);
    double *memory = sti_arena_numbers(w->arena, sti_kind_assembly.size(&(StiAssemblyBody){a}).workspace);
    if (signals == NULL || memory == NULL) return false;
    for (int i = 0; i < plan->connections.count; ++i) {
        const PlanConnection *c = sti_plan_connection(plan, i);
        if (c->to_admittance && c->component == body)
            signals[c->input] = value_at_start(w, &c->signal);
    }
    return !w->arena->failed && sti_assembly_start(a, signals, memory, w->report);
}

static bool make_assemblies(const Work *w)
{
    for (int i = 0; i < w->plan->admittances.count; ++i) {
        if (w->cluster[i] != i) continue;
        Assembly *a = w->assemblies[i] = begin_assembly(w, i);
        if (a == NULL) return false;
        finish_assembly(w, a, i);
        if (a->arena.failed) w->arena->failed = 1;
        sti_arena_entrust(w->arena, a, (void (*)(void *))sti_assembly_release);
        if (w->arena->failed) return false;
    }
    return true;
}

bool sti_plan_assemble(const StiPlan *plan, StiReport *report, StiArena *arena, Assembled *assembled)
{
    const size_t bodies = (size_t)plan->admittances.count + 1;
    *assembled = (Assembled){.plan = *plan,
                             .bodies = sti_arena_take(arena, bodies, sizeof(AssembledBody))};
    int *sorted = sti_arena_take(arena, bodies, sizeof *sorted);
    const Work w = {.plan = plan,
                    .report = report,
                    .arena = arena,
                    .to = assembled,
                    .cluster = sti_arena_take(arena, bodies, sizeof(int)),
                    .assemblies = sti_arena_take(arena, bodies, sizeof(Assembly *)),
                    .member = sti_arena_take(arena, bodies, sizeof(int)),
                    .sorted = sorted};
    if (arena->failed) return false;
    for (int i = 0; i < plan->admittances.count; ++i) {
        int k = i;
        for (; k > 0 && strcmp(sti_plan_admittance(plan, sorted[k - 1])->name,
                               sti_plan_admittance(plan, i)->name) > 0;
             --k)
            sorted[k] = sorted[k - 1];
        sorted[k] = i;
    }
    find_clusters(&w);
    assembled->plan.constraints = (PlanList){0};
    if (!make_assemblies(&w) || !list_bodies(&w) || !list_elements(&w) || !list_connections(&w))
        return false;
    bool good = true;
    for (int i = 0; i < plan->admittances.count; ++i)
        if (w.cluster[i] == i)
            good = start_assembly(&w, w.assemblies[i], assembled->bodies[i].body) && good;
    return good && !arena->failed;
}

// ---- what can be wrong -------------------------------------------------------------------------------

static const PlanAdmittance *body_of(const StiPlan *plan, const PlanConstraint *c,
                                     StiAdmittanceId id, StiReport *report)
{
    if (id.number < 1 || id.number > plan->admittances.count) {
        sti_report_add(report, STI_ERROR, c->name, "body", id.number,
                       "this is not a body of the plan; there are %d, counted from 1",
                       plan->admittances.count);
        return NULL;
    }
    const PlanAdmittance *a = sti_plan_admittance(plan, id.number - 1);
    if (!a->kind->prescribed) return a;
    sti_report_add(report, STI_ERROR, c->name, "body", NAN,
                   "%s follows a given motion: drive the coupling instead", a->name);
    return NULL;
}

static void check_coupling(const StiPlan *plan, const PlanConstraint *c, StiReport *report)
{
    bool moves = false;
    for (int i = 0; i < c->coupling.count; ++i) {
        const StiCouplingTerm *term = &c->coupling.terms[i];
        const PlanAdmittance *a = body_of(plan, c, term->body, report);
        if (a == NULL) return;
        const StiAdmittanceSize size = a->kind->size(a->parameters);
        moves = moves || term->factor != 0.0;
        if (term->position < 0 || term->position >= size.positions || term->velocity < 0 ||
            term->velocity >= size.velocities)
            sti_report_add(report, STI_ERROR, c->name, "coordinate", term->velocity,
                           "%s has %d coordinates, counted from 0", a->name, size.velocities);
        if (!isfinite(term->factor))
            sti_report_add(report, STI_ERROR, c->name, "ratio", term->factor, "it must be finite");
    }
    if (!moves)
        sti_report_add(report, STI_ERROR, c->name, "", NAN,
                       "a coupling needs a coordinate with a factor that is not 0");
    if (!isfinite(c->coupling.offset))
        sti_report_add(report, STI_ERROR, c->name, "offset", c->coupling.offset, "it must be finite");
}

static void check_loop(const StiPlan *plan, const PlanConstraint *c, StiReport *report)
{
    const StiLoopEnd *ends[2] = {&c->loop.a, &c->loop.b};
    for (int i = 0; i < 2; ++i) {
        if (i == 1 && ends[i]->body.number == STI_GROUND.number) continue;
        const PlanAdmittance *a = body_of(plan, c, ends[i]->body, report);
        if (a == NULL) return;
        const int links = a->kind->size(a->parameters).links;
        if (ends[i]->link < 0 || ends[i]->link >= links)
            sti_report_add(report, STI_ERROR, c->name, "link", ends[i]->link,
                           "%s has %d link(s), counted from 0", a->name, links);
    }
    if (!(c->loop.length >= 0.0) || !isfinite(c->loop.length))
        sti_report_add(report, STI_ERROR, c->name, "length", c->loop.length,
                       "a length is 0 m or more");
}

void sti_plan_check_constraints(const StiPlan *plan, StiReport *report)
{
    for (int i = 0; i < plan->constraints.count; ++i) {
        const PlanConstraint *c = sti_plan_constraint(plan, i);
        (c->is_loop ? check_loop : check_coupling)(plan, c, report);
    }
}
