// A validated plan becomes a network: components in order, every array with its offset.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "network/assemble.h"
#include "network/channels.h"
#include "network/contacts.h"
#include "network/places.h"
#include "network/couplings.h"
#include "base/fields.h"
#include "network/holding.h"
#include "network/plain.h"
#include "network/modes.h"
#include "network/network.h"
#include "network/order.h"
#include "network/overlaps.h"
#include "network/solver.h"
#include "network/steep.h"
#include "network/stiffness.h"
#include "network/validate.h"

typedef struct Build {
    const StiPlan *plan;
    const Order *order;
    StiNetwork *network;
    int *admittance_places;
    Place *element_places;
} Build;

static void *take(const Build *build, int count, size_t size)
{
    return sti_arena_take(&build->network->arena, (size_t)count + 1, size);
}

// Reserves count numbers in an array whose size is kept in *total.
static int reserve(int *total, int count)
{
    const int first = *total;
    *total += count;
    return first;
}

static void build_sources(const Build *build)
{
    StiNetwork *n = build->network;
    n->source_count = build->plan->sources.count;
    n->sources = take(build, n->source_count, sizeof *n->sources);
    for (int i = 0; n->sources != NULL && i < n->source_count; ++i) {
        const PlanSource *from = sti_plan_source(build->plan, i);
        Source *to = &n->sources[i];
        *to = (Source){.name = sti_arena_text(&n->arena, from->name),
                       .count = from->count,
                       .function = from->function,
                       .first = reserve(&n->source_values, from->count),
                       .input = -1,
                       .unit = from->unit != NULL ? sti_arena_text(&n->arena, from->unit) : "",
                       .own_name = from->name[0] != '\0'};
        if (from->function.eval != NULL) continue;
        to->input = reserve(&n->input_count, from->count);
        to->usual = sti_arena_copy(&n->arena, from->usual, (size_t)from->count * sizeof(double));
    }
}

static void build_admittances(const Build *build)
{
    StiNetwork *n = build->network;
    n->admittance_count = build->plan->admittances.count;
    n->admittances = take(build, n->admittance_count, sizeof *n->admittances);
    for (int i = 0; n->admittances != NULL && i < n->admittance_count; ++i) {
        const PlanAdmittance *from = sti_plan_admittance(build->plan, build->order->admittances[i]);
        Admittance *to = &n->admittances[i];
        to->name = sti_arena_text(&n->arena, from->name);
        to->kind = from->kind;
        to->parameters = sti_fields_copy(&from->kind->info, from->parameters, &n->arena);
        if (n->arena.failed) return;
        to->size = from->kind->size(from->parameters);
        to->dim = sti_admittance_dim(from->kind, &to->size);
        to->robot = from->kind->robot != NULL ? from->kind->robot(to->parameters) : NULL;
        if (from->parents != NULL)
            to->parents = sti_arena_copy(&n->arena, from->parents,
                                         (size_t)to->size.links * sizeof *to->parents);
        to->q = reserve(&n->x_count, to->size.positions);
        to->v = reserve(&n->x_count, to->size.velocities);
        to->generalized = reserve(&n->generalized_count, to->dim);
        to->link = reserve(&n->link_count, to->size.links);
        to->load = reserve(&n->load_count, to->size.loads);
        to->port = reserve(&n->port_count, to->size.signals);
        to->prepared = reserve(&n->prepared_count, to->size.prepared);
        if (from->kind->hold != NULL && from->kind->hold->memory != NULL)
            to->memory = reserve(&n->memory_count, from->kind->hold->memory(to->parameters));
        if (to->kind->constrained == NULL) to->size.carried = 0;
        to->carried = reserve(&n->carried_count, to->size.carried);
        if (to->size.workspace > n->workspace_count) n->workspace_count = to->size.workspace;
        build->admittance_places[build->order->admittances[i]] = i;
    }
}

static int place_of(const Build *build, StiAdmittanceId body)
{
    return body.number > 0 ? build->admittance_places[body.number - 1] : -1;
}

static Wire build_wire(const Build *build, const PlanElement *element)
{
    StiNetwork *n = build->network;
    Wire to = {.wire = element->wire};
    if (element->wire.parameters != NULL)
        to.wire.parameters =
            sti_arena_copy(&n->arena, element->wire.parameters, element->wire.kind->info.size);
    to.wire.a.admittance = place_of(build, to.wire.a.body);
    to.wire.b.admittance = place_of(build, to.wire.b.body);
    if (to.wire.kind->links) {
        if (to.wire.a.admittance >= 0) n->admittances[to.wire.a.admittance].posed = true;
        if (to.wire.b.admittance >= 0) n->admittances[to.wire.b.admittance].posed = true;
    }
    to.size = to.wire.kind->size(&to.wire);
    to.x = reserve(&n->xhat_positions, to.size.positions);
    to.v = reserve(&n->xhat_velocities, to.size.velocities);
    to.turned = to.wire.kind->turning != NULL ? reserve(&n->y_count, 1) : -1;
    n->counts_turns = n->counts_turns || to.turned >= 0;
    sti_wire_look_for_plain(n, &to);
    return to;
}

static void build_impedances(const Build *build)
{
    StiNetwork *n = build->network;
    n->impedance_count = build->order->impedance_count;
    n->impedances = take(build, n->impedance_count, sizeof *n->impedances);
    for (int i = 0; n->impedances != NULL && i < n->impedance_count; ++i) {
        const PlanElement *from = sti_plan_element(build->plan, build->order->impedances[i]);
        Impedance *to = &n->impedances[i];
        to->name = sti_arena_text(&n->arena, from->name);
        to->kind = from->impedance;
        to->parameters = sti_fields_copy(&from->impedance->info, from->parameters, &n->arena);
        if (n->arena.failed) return;
        to->size = from->impedance->size(from->parameters);
        to->wired = from->wire.kind != NULL;
        if (to->wired)
            to->wire = build_wire(build, from);
        else
            to->wire = (Wire){.size = {0, to->size.velocities},
                              .turned = -1,
                              .v = reserve(&n->xhat_velocities, to->size.velocities)};
        to->y = reserve(&n->y_count, to->size.memory);
        to->s = reserve(&n->s_count, to->size.discrete);
        to->port = reserve(&n->port_count, to->size.signals);
        build->element_places[build->order->impedances[i]] = (Place){STI_IMPEDANCE, i};
    }
}

static void build_reactions(const Build *build)
{
    StiNetwork *n = build->network;
    n->reaction_count = build->order->reaction_count;
    n->reactions = take(build, n->reaction_count, sizeof *n->reactions);
    for (int i = 0; n->reactions != NULL && i < n->reaction_count; ++i) {
        const PlanElement *from = sti_plan_element(build->plan, build->order->reactions[i]);
        Reaction *to = &n->reactions[i];
        to->name = sti_arena_text(&n->arena, from->name);
        to->kind = from->reaction;
        to->parameters = sti_fields_copy(&from->reaction->info, from->parameters, &n->arena);
        if (n->arena.failed) return;
        to->size = from->reaction->size(from->parameters);
        to->wire = build_wire(build, from);
        to->row = reserve(&n->row_count, to->size.dim);
        n->planar = n->planar || to->size.dim > 1;
        to->s = reserve(&n->s_count, to->size.discrete);
        to->port = reserve(&n->port_count, to->size.signals);
        build->element_places[build->order->reactions[i]] = (Place){STI_REACTION, i};
    }
}

static void build_contacts(const Build *build)
{
    StiNetwork *n = build->network;
    n->contact_count = build->order->contact_count;
    n->contacts = take(build, n->contact_count, sizeof *n->contacts);
    for (int i = 0; n->contacts != NULL && i < n->contact_count; ++i) {
        const PlanElement *from = sti_plan_element(build->plan, build->order->contacts[i]);
        Contact *to = &n->contacts[i];
        to->name = sti_arena_text(&n->arena, from->name);
        to->parameters = sti_contact_copy(from->parameters, &n->arena);
        if (n->arena.failed || !sti_contact_build(n, build->admittance_places, to)) return;
        to->point = reserve(&n->point_count, to->capacity);
        to->shape = reserve(&n->shape_count, to->shape_count);
        to->s = reserve(&n->s_count, sti_contact_memory(to->capacity));
        build->element_places[build->order->contacts[i]] = (Place){STI_CONTACT, i};
    }
}

static Connection build_connection(const Build *build, const PlanConnection *from, int port)
{
    const StiNetwork *n = build->network;
    Connection to = {.gain = from->signal.gain, .port = port + from->input};
    const int component = from->signal.component;
    switch (from->signal.type) {
    case STI_SIGNAL_CONSTRAINT: // a load, since the plan was assembled
    case STI_SIGNAL_SOURCE:
        to.from = FROM_SOURCE;
        to.index = n->sources[component].first + from->signal.index;
        break;
    case STI_SIGNAL_LOAD:
        to.from = FROM_LOAD;
        to.index = n->admittances[build->admittance_places[component]].load + from->signal.index;
        break;
    case STI_SIGNAL_POSITION:
        to.from = FROM_STATE;
        to.index = n->admittances[build->admittance_places[component]].q + from->signal.index;
        break;
    case STI_SIGNAL_VELOCITY:
        to.from = FROM_STATE;
        to.index = n->admittances[build->admittance_places[component]].v + from->signal.index;
        break;
    case STI_SIGNAL_FORCE:
        to.from = FROM_FORCE;
        to.index =
            n->impedances[build->element_places[component].index].wire.v + from->signal.index;
        break;
    }
    return to;
}

// The connections of one component, in the order of its inputs. A function without a name of its
// own takes the component's.
static Connections collect(const Build *build, bool admittance, int component, int inputs, int port,
                           const char *name)
{
    Connection *items = take(build, inputs, sizeof *items);
    int count;
    const int *connections = sti_inputs_of(&build->order->inputs, admittance, component, &count);
    for (int i = 0; items != NULL && i < count; ++i) {
        const PlanConnection *from = sti_plan_connection(build->plan, connections[i]);
        items[from->input] = build_connection(build, from, port);
        if (from->signal.type == STI_SIGNAL_SOURCE) {
            Source *source = &build->network->sources[from->signal.component];
            if (source->name[0] == '\0') source->name = name;
        }
    }
    return (Connections){items, items != NULL ? inputs : 0};
}

static bool reads_load(const Connections *connections)
{
    for (int i = 0; i < connections->count; ++i)
        if (connections->items[i].from == FROM_LOAD) return true;
    return false;
}

static void mark_heard(const Connections *connections, bool *heard)
{
    for (int i = 0; i < connections->count; ++i)
        if (connections->items[i].from == FROM_LOAD) heard[connections->items[i].index] = true;
}

static void build_loads(StiNetwork *n)
{
    bool *heard = sti_arena_take(&n->arena, (size_t)n->load_count + 1, sizeof *heard);
    n->heard = heard;
    if (heard == NULL) return;
    for (int i = 0; i < n->impedance_count; ++i) mark_heard(&n->impedances[i].connections, heard);
    for (int i = 0; i < n->reaction_count; ++i) mark_heard(&n->reactions[i].connections, heard);
    for (int i = 0; i < n->admittance_count; ++i)
        n->constrains = n->constrains || n->admittances[i].kind->constrain != NULL;
}

static void build_connections(const Build *build)
{
    StiNetwork *n = build->network;
    for (int i = 0; i < n->admittance_count; ++i) {
        Admittance *a = &n->admittances[i];
        a->connections =
            collect(build, true, build->order->admittances[i], a->size.signals, a->port, a->name);
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        Impedance *e = &n->impedances[i];
        e->connections =
            collect(build, false, build->order->impedances[i], e->size.signals, e->port, e->name);
        e->reads_load = reads_load(&e->connections);
        n->smooth_loads = n->smooth_loads || e->reads_load;
        n->iterates_loads = n->iterates_loads || e->reads_load;
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        Reaction *e = &n->reactions[i];
        e->connections =
            collect(build, false, build->order->reactions[i], e->size.signals, e->port, e->name);
        e->reads_load = reads_load(&e->connections);
        n->iterates_loads = n->iterates_loads || e->reads_load;
    }
    build_loads(n);
}

static uint64_t hash_sizes(uint64_t hash, const char *name, const char *kind, const int sizes[3])
{
    hash = sti_hash_text(sti_hash_text(hash, name), kind);
    return sti_hash_bytes(hash, sizes, 3 * sizeof sizes[0]);
}

// Names, kinds and sizes of all that a state holds.
static uint64_t layout_of(const StiNetwork *n)
{
    uint64_t hash = STI_HASH_START;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        hash = hash_sizes(hash, a->name, a->kind->info.name,
                          (const int[]){a->size.positions, a->size.velocities, a->size.loads});
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        hash = hash_sizes(hash, e->name, e->kind->info.name,
                          (const int[]){e->size.memory, e->size.discrete, 0});
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        hash = hash_sizes(hash, e->name, e->kind->info.name, (const int[]){0, e->size.discrete, 0});
    }
    for (int i = 0; i < n->contact_count; ++i) {
        const Contact *e = &n->contacts[i];
        hash = hash_sizes(hash, e->name, "contact", (const int[]){0, e->capacity, e->shape_count});
    }
    if (n->s_count > n->solver_s)
        hash = hash_sizes(hash, "", n->solver->name, (const int[]){0, n->s_count - n->solver_s, 0});
    return hash;
}

static void build_all(Build *build)
{
    const StiPlan *plan = build->plan;
    StiNetwork *n = build->network;
    n->step = plan->step;
    n->start = plan->start;
    n->method = n->pair = plan->method;
    n->gravity = plan->gravity;
    n->goes_on = plan->goes_on;
    n->solver_constants = plan->solver_constants;
    n->admittance_places = build->admittance_places =
        take(build, plan->admittances.count, sizeof(int));
    n->element_count = plan->elements.count;
    n->element_places = build->element_places = take(build, plan->elements.count, sizeof(Place));
    if (n->arena.failed) return;
    build_sources(build);
    build_admittances(build);
    if (n->arena.failed) return;
    build_impedances(build);
    build_reactions(build);
    build_contacts(build);
    if (n->arena.failed) return;
    for (int i = 0; i < n->admittance_count; ++i) n->poses = n->poses || n->admittances[i].posed;
    n->resolves = n->reaction_count > 0 || n->contact_count > 0;
    build_connections(build);
    sti_network_couple(n);
    if (n->arena.failed) return;
    sti_network_mark_holding(n);
    sti_network_list_plain(n);
    sti_network_name_channels(n);
}

// The bodies as the plan names them; assembled: where couplings and loops joined them. NULL: nowhere.
static void build_bodies(const StiPlan *plan, const AssembledBody *assembled, StiNetwork *n)
{
    n->body_count = plan->admittances.count;
    NetworkBody *bodies = sti_arena_take(&n->arena, (size_t)n->body_count + 1, sizeof *bodies);
    n->bodies = bodies;
    for (int i = 0; !n->arena.failed && i < n->body_count; ++i) {
        const PlanAdmittance *from = sti_plan_admittance(plan, i);
        const AssembledBody to = assembled != NULL ? assembled[i] : (AssembledBody){.body = i};
        bodies[i] = (NetworkBody){.admittance = n->admittance_places[to.body],
                                  .position = to.position,
                                  .velocity = to.velocity,
                                  .link = to.link,
                                  .kind = from->kind};
        const Admittance *a = &n->admittances[bodies[i].admittance];
        bodies[i].name = assembled != NULL ? sti_arena_text(&n->arena, from->name) : a->name;
        bodies[i].parameters = a->kind == from->kind
                                   ? a->parameters
                                   : sti_fields_copy(&from->kind->info, from->parameters, &n->arena);
    }
}

// The solver, and its memory in the state.
static bool add_solver(const StiPlan *plan, StiReport *report, StiNetwork *network)
{
    if (!sti_network_choose_solver(network, plan->solver, report)) return false;
    if (network->resolves && network->solver->discrete != NULL)
        network->s_count += network->solver->discrete(network);
    return true;
}

static StiStatus look_at_start(const StiNetwork *network, StiReport *report)
{
    const StiStatus status = sti_network_check_stiffness(network, report);
    return status == STI_OK ? sti_network_check_overlaps(network, report) : status;
}

static StiStatus compile(const StiPlan *plan, StiReport *report, StiNetwork *network,
                         StiArena *order_arena)
{
    Order order;
    Assembled assembled;
    const StiPlan *given = plan;
    if (!sti_plan_validate(plan, report, order_arena))
        return order_arena->failed ? STI_OUT_OF_MEMORY : STI_BAD_PLAN;
    if (plan->constraints.count > 0) {
        if (!sti_plan_assemble(plan, report, order_arena, &assembled))
            return order_arena->failed ? STI_OUT_OF_MEMORY : STI_BAD_PLAN;
        plan = &assembled.plan;
    }
    if (!sti_plan_order(plan, report, order_arena, &order))
        return order_arena->failed ? STI_OUT_OF_MEMORY : STI_BAD_PLAN;
    build_all(&(Build){.plan = plan, .order = &order, .network = network});
    build_bodies(given, plan == given ? NULL : assembled.bodies, network);
    if (network->arena.failed) return STI_OUT_OF_MEMORY;
    network->solver_s = network->s_count;
    if (plan->method->cuts || plan->method->continuous) sti_network_mark_dampers(network);
    if ((plan->method->cuts || plan->method->continuous) &&
        !sti_network_find_places(network, plan->method->cuts))
        return STI_OUT_OF_MEMORY;
    if (plan->method->cuts && network->contact_count > 0 && !add_solver(plan, report, network))
        return STI_BAD_PLAN; // it takes the steps that cannot be cut
    if (plan->method->cuts) {
        network->layout = layout_of(network);
        if (!sti_network_check_modes(network, report)) return STI_BAD_PLAN;
        const StiStatus status = sti_network_mark_steep(network);
        if (status != STI_OK) return status;
        if (plan->method_named) sti_network_note_kinks(network, report);
        return look_at_start(network, report);
    }
    sti_network_note_modes(network, report);
    if (!add_solver(plan, report, network)) return STI_BAD_PLAN;
    network->layout = layout_of(network);
    if (network->resolves && plan->method_named && !plan->method->continuous &&
        !plan->method->finite_time)
        sti_report_add(
            report, STI_NOTE, "", "method", NAN,
            "a network with reactions takes one evaluation per step (rule), or is cut (cut, ark4, "
            "ark3, rk4-split); %s is not used",
            plan->method->name);
    return look_at_start(network, report);
}

StiStatus sti_plan_compile_under(const StiPlan *plan, StiReport *report, StiNetwork **network)
{
    StiNetwork *made = calloc(1, sizeof *made);
    StiArena order_arena = {0};
    StiStatus status = STI_OUT_OF_MEMORY;
    *network = NULL;
    if (made != NULL) status = compile(plan, report, made, &order_arena);
    sti_arena_release(&order_arena);
    if (status != STI_OK)
        sti_network_destroy(made);
    else
        *network = made;
    return status;
}

void sti_network_destroy(StiNetwork *network)
{
    if (network == NULL) return;
    sti_arena_release(&network->arena);
    free(network);
}
