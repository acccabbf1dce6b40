// Sizes, offsets and arrays of the solver `coupled`.
#include "solver/coupled/coupled.h"
#include "network/solver.h"

enum {
    JOINT = sizeof(JointMemory) / sizeof(double),
    ANCHOR = sizeof(AnchorMemory) / sizeof(double)
};

// Between links a reaction remembers where it began to stick; along a coordinate it need not.
static bool has_anchor(const Reaction *reaction)
{
    return reaction->wire.wire.kind->links && reaction->wire.size.positions == reaction->size.dim;
}

// The anchors, then one memory per velocity of the robots' bodies.
static int axes_of_robots(const StiNetwork *network)
{
    int count = 0;
    for (int i = 0; i < network->admittance_count; ++i)
        if (network->admittances[i].robot != NULL) count += network->admittances[i].dim;
    return count;
}

int sti_coupled_discrete(const StiNetwork *network)
{
    int anchors = 0;
    for (int i = 0; i < network->reaction_count; ++i) anchors += has_anchor(&network->reactions[i]);
    return ANCHOR * anchors + JOINT * axes_of_robots(network);
}

JointMemory *sti_joint_memory(const StiNetwork *network, const Joint *joint, double *s)
{
    return (JointMemory *)(void *)(s + network->solver_s + joint->memory);
}

AnchorMemory *sti_anchor_memory(const StiNetwork *network, const CoupledData *data, int reaction,
                                double *s)
{
    const int at = data->anchor_of[reaction];
    return at < 0 ? NULL : (AnchorMemory *)(void *)(s + network->solver_s + at);
}

// The last axis of the nearest link further in that has one.
static int parent_axis(const StiRobot *robot, int link)
{
    for (int i = robot->links[link].order.parent; i >= 0; i = robot->links[i].order.parent)
        if (robot->links[i].velocities > 0)
            return robot->links[i].v + robot->links[i].velocities - 1;
    return -1;
}

// Returns where the memory behind them begins.
static int take_anchors(StiArena *arena, const StiNetwork *network, CoupledData *data)
{
    int next = 0;
    data->anchor_of = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof(int));
    for (int i = 0; !arena->failed && i < network->reaction_count; ++i) {
        const bool anchored = has_anchor(&network->reactions[i]);
        data->anchor_of[i] = anchored ? next : -1;
        next += anchored ? ANCHOR : 0;
    }
    return next;
}

// Is it friction of a robot's joint that its recursion takes care of?
static bool is_mode(const StiNetwork *network, const CoupledData *data, int reaction)
{
    const StiEnd *end = &network->reactions[reaction].wire.wire.a;
    if (data->set->robot_of[end->admittance] < 0) return false;
    const Admittance *a = &network->admittances[end->admittance];
    return network->reactions[reaction].wire.wire.kind->coordinates &&
           data->joints[a->generalized + end->place].reaction == reaction;
}

static void take_joints(StiArena *arena, const StiNetwork *network, CoupledData *data, int memory)
{
    const size_t axes = (size_t)network->generalized_count + 1;
    data->joints = sti_arena_take(arena, axes, sizeof(Joint));
    data->stuck_again = sti_arena_take(arena, axes, sizeof(bool));
    data->smooth = sti_arena_take(arena, axes, sizeof(SmoothJoint));
    data->node_reactions = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof(int));
    if (arena->failed) return;
    for (int i = 0; i < network->generalized_count; ++i) data->joints[i].reaction = -1;
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int i = 0; i < a->robot->count; ++i) {
            const RobotLink *link = &a->robot->links[i];
            for (int k = link->v; k < link->v + link->velocities; ++k) {
                const int before = k > link->v ? k - 1 : parent_axis(a->robot, i);
                data->joints[a->generalized + k] =
                    (Joint){.reaction = -1,
                            .memory = memory + JOINT * k,
                            .parent = before < 0 ? -1 : a->generalized + before};
            }
        }
        memory += JOINT * a->dim;
    }
    // The first reaction at a joint is its mode; a second one is a node.
    for (int i = network->reaction_count - 1; i >= 0; --i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (sti_reaction_of_joint(network, &network->reactions[i]))
            data->joints[network->admittances[wire->a.admittance].generalized + wire->a.place]
                .reaction = i;
    }
    for (int i = 0; i < network->reaction_count; ++i)
        if (!is_mode(network, data, i)) data->node_reactions[data->node_reaction_count++] = i;
}

static void take_projection(StiArena *arena, const StiNetwork *network, CoupledData *data)
{
    const size_t room = (size_t)data->set->row_room + 1;
    double **vectors[] = {&data->start, &data->bounce, &data->shift};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        *vectors[i] = sti_arena_take(arena, room, sizeof(double));
    int **indices[] = {&data->chosen, &data->place, &data->envelope_first, &data->envelope_start};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; ++i)
        *indices[i] = sti_arena_take(arena, room, sizeof(int));
    if (sti_sequence_wanted(network))
        sti_sequence_take(arena, network->point_count, &data->sequence);
    if (!data->set->by_sides) data->factor = sti_arena_take(arena, room * room, sizeof(double));
}

void *sti_coupled_take(StiArena *arena, const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    data->set = scratch->rows;
    const int memory = take_anchors(arena, network, data);
    if (!arena->failed) take_joints(arena, network, data, memory);
    if (!arena->failed) take_projection(arena, network, data);
    if (!arena->failed) sti_coupled_take_bristles(arena, network, data);
    return data;
}
