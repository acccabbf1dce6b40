// Sizes, offsets and arrays of the solver `coupled`.
#include "step/coupled.h"
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

static void take_robot(StiArena *arena, const StiNetwork *network, int admittance, int rows,
                       RobotPart *part)
{
    const StiRobot *robot = network->admittances[admittance].robot;
    const size_t links = (size_t)robot->count + 1, axes = (size_t)robot->velocities + 1;
    // Both sides of a row may push on the robot, and on each link one more may have to fill a pair.
    const size_t fills = robot->count < 2 * rows ? links : 2 * (size_t)rows;
    const size_t pairs = (size_t)rows + fills / 2 + 1;
    *part = (RobotPart){.admittance = admittance,
                        .placed = sti_arena_numbers(arena, sti_robot_prepared(robot)),
                        .applied = sti_arena_take(arena, links, sizeof(StiWrench)),
                        .branches = sti_arena_take(arena, links, sizeof(int)),
                        .pushes = sti_arena_take(arena, 2 * pairs, sizeof(Push)),
                        .pair_room = (int)pairs,
                        .W = sti_arena_take(arena, 2 * pairs * pairs, sizeof(StiTwin)),
                        .c = sti_arena_take(arena, pairs, sizeof(StiTwin)),
                        .f = sti_arena_take(arena, pairs, sizeof(StiTwin))};
    const RobotMemory memory = sti_robot_memory(robot, part->placed);
    part->trial = (RobotTrial){.robot = robot,
                               .applied = part->applied,
                               .spots = memory.spots,
                               .axes = memory.axes,
                               .pushes = part->pushes,
                               .ranges = sti_arena_take(arena, links, sizeof(PushRange)),
                               .trial = sti_arena_take(arena, axes, sizeof(AxisTrial)),
                               .Y = sti_arena_take(arena, axes * pairs, sizeof(StiTwin)),
                               .moved = sti_arena_take(arena, pairs, sizeof(StiTwin)),
                               .W_size = sti_arena_take(arena, pairs, sizeof(StiTwin)),
                               .P = sti_arena_take(arena, pairs, sizeof(StiWrenchTwin))};
    if (!arena->failed) sti_trial_branches(robot, part->branches);
}

static bool is_chain(const StiRobot *robot)
{
    for (int i = 0; i < robot->count; ++i)
        if (robot->links[i].order.parent != i - 1) return false;
    return true;
}

// Marks pay for long chains; with very many pushes they would cost more than they save.
static void take_marks(StiArena *arena, RobotPart *part)
{
    enum { LONG = 16, MANY = 128 };
    RobotTrial *trial = &part->trial;
    const size_t pairs = (size_t)part->pair_room;
    if (trial->robot->count < LONG || 2 * pairs > MANY || !is_chain(trial->robot)) return;
    const int count = (trial->robot->count + STI_TRIAL_STRIDE - 1) / STI_TRIAL_STRIDE;
    trial->used = sti_arena_take(arena, (size_t)trial->robot->velocities + 1, sizeof(AxisFriction));
    trial->marks = sti_arena_take(arena, (size_t)count, sizeof(TrialMark));
    for (int i = 0; trial->marks != NULL && i < count; ++i)
        trial->marks[i].pairs =
            sti_arena_take(arena, 2 * pairs * pairs + 8 * pairs, sizeof(StiTwin));
}

// Rows that may push on one robot.
static int rows_on(const StiNetwork *network, int admittance)
{
    int rows = STI_COUPLED_ROWS;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        bool touches = false;
        for (int j = 0; j < contact->shape_count; ++j)
            touches = touches || contact->shapes[j].admittance == admittance;
        if (touches) rows += 3 * contact->capacity;
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (sti_reaction_of_joint(network, &network->reactions[i])) continue;
        if (wire->a.admittance == admittance || wire->b.admittance == admittance)
            rows += network->reactions[i].size.dim;
    }
    return rows;
}

static void take_robots(StiArena *arena, const StiNetwork *network, CoupledData *data)
{
    const size_t bodies = (size_t)network->admittance_count + 1;
    data->robots = sti_arena_take(arena, bodies, sizeof *data->robots);
    data->robot_of = sti_arena_take(arena, bodies, sizeof(int));
    data->responds = sti_arena_take(arena, bodies, sizeof(bool));
    data->only_robots = true;
    for (int i = 0; !arena->failed && i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        data->robot_of[i] = -1;
        data->responds[i] = a->robot == NULL && a->size.velocities > 0;
        data->only_robots = data->only_robots && !data->responds[i];
        data->freedom += a->kind->prescribed ? 0 : a->size.velocities;
        if (a->robot == NULL) continue;
        data->robot_of[i] = data->robot_count;
        take_robot(arena, network, i, rows_on(network, i), &data->robots[data->robot_count]);
        if (!arena->failed) take_marks(arena, &data->robots[data->robot_count]);
        ++data->robot_count;
    }
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
    if (data->robot_of[end->admittance] < 0) return false;
    const Admittance *a = &network->admittances[end->admittance];
    return network->reactions[reaction].wire.wire.kind->coordinates &&
           data->joints[a->generalized + end->place].reaction == reaction;
}

static void take_joints(StiArena *arena, const StiNetwork *network, CoupledData *data, int memory)
{
    const size_t axes = (size_t)network->generalized_count + 1;
    data->joints = sti_arena_take(arena, axes, sizeof(Joint));
    data->friction = sti_arena_take(arena, axes, sizeof(AxisFriction));
    data->ends = sti_arena_take(arena, axes, sizeof(AxisEnd));
    data->stuck_again = sti_arena_take(arena, axes, sizeof(bool));
    data->smooth = sti_arena_take(arena, axes, sizeof(SmoothJoint));
    data->node_reactions = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof(int));
    if (arena->failed) return;
    for (int i = 0; i < network->generalized_count; ++i) data->joints[i].reaction = -1;
    for (int i = 0; i < network->generalized_count; ++i) data->friction[i].mode = AXIS_FREE;
    for (int r = 0; r < data->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->robots[r].admittance];
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

static void take_block(StiArena *arena, const StiNetwork *network, CoupledData *data)
{
    const int nodes =
        network->point_count + network->reaction_count + STI_COUPLED_ROWS * data->robot_count;
    const int rows =
        3 * network->point_count + network->row_count + STI_COUPLED_ROWS * data->robot_count;
    const size_t room = (size_t)rows + 1, pairs = (size_t)nodes * (size_t)(nodes + 1) / 2 + 1;
    data->row_room = rows;
    data->nodes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(Node));
    data->block_nodes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(StiBlockNode));
    data->node_first =
        sti_arena_take(arena, (size_t)network->admittance_count + 2, sizeof *data->node_first);
    data->nodes_by_body = sti_arena_take(arena, 2 * (size_t)nodes + 1, sizeof(int));
    data->pair_first = sti_arena_take(arena, (size_t)nodes + 1, sizeof(int));
    data->node_of_row = sti_arena_take(arena, room, sizeof(int));
    data->modes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(StiBlockMode));
    data->rows = sti_arena_take(arena, room, sizeof(Row));
    data->pairs = sti_arena_take(arena, pairs, sizeof(StiBlockPair));
    double **vectors[] = {&data->W_size,       &data->c,    &data->c_size, &data->c_fixed,
                          &data->c_size_fixed, &data->f,    &data->v,      &data->start,
                          &data->bounce,       &data->shift};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        *vectors[i] = sti_arena_take(arena, room, sizeof(double));
    data->order = sti_arena_take(arena, (size_t)nodes + 1, sizeof(int));
    int **indices[] = {&data->chosen, &data->place, &data->envelope_first, &data->envelope_start};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; ++i)
        *indices[i] = sti_arena_take(arena, room, sizeof(int));
    data->W_by_pairs = sti_arena_take(arena, room * room, sizeof(double));
    data->W_fixed = sti_arena_take(arena, room * room, sizeof(double));
    data->factor = sti_arena_take(arena, room * room, sizeof(double));
    sti_block_scratch_size(nodes, rows, (int)pairs, &data->block_scratch.number_count,
                           &data->block_scratch.integer_count);
    data->block_scratch.numbers =
        sti_arena_take(arena, data->block_scratch.number_count + 1, sizeof(double));
    data->block_scratch.integers =
        sti_arena_take(arena, data->block_scratch.integer_count + 1, sizeof(int));
}

void *sti_coupled_take(StiArena *arena, const StiNetwork *network)
{
    CoupledData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    take_robots(arena, network, data);
    const int memory = take_anchors(arena, network, data);
    if (!arena->failed) take_joints(arena, network, data, memory);
    if (!arena->failed) take_block(arena, network, data);
    return data;
}
