// Arrays of the rows.
#include "contact/impact_sequence.h"
#include "network/contacts.h"
#include "network/solver.h"
#include "rows/rows.h"

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
                        .W = sti_arena_take(arena, 2 * pairs * pairs, sizeof(StiDouble2)),
                        .c = sti_arena_take(arena, pairs, sizeof(StiDouble2)),
                        .f = sti_arena_take(arena, pairs, sizeof(StiDouble2))};
    const RobotMemory memory = sti_robot_memory(robot, part->placed);
    part->trial = (RobotTrial){.robot = robot,
                               .applied = part->applied,
                               .spots = memory.spots,
                               .axes = memory.axes,
                               .pushes = part->pushes,
                               .ranges = sti_arena_take(arena, links, sizeof(PushRange)),
                               .trial = sti_arena_take(arena, axes, sizeof(AxisTrial)),
                               .Y = sti_arena_take(arena, axes * pairs, sizeof(StiDouble2)),
                               .moved = sti_arena_take(arena, pairs, sizeof(StiDouble2)),
                               .W_size = sti_arena_take(arena, pairs, sizeof(StiDouble2)),
                               .P = sti_arena_take(arena, pairs, sizeof(StiWrench2))};
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
            sti_arena_take(arena, 2 * pairs * pairs + 8 * pairs, sizeof(StiDouble2));
}

// Rows of contacts that may push on one robot, of those that are detected.
static int rows_of_points(const StiNetwork *network, int admittance)
{
    int rows = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        bool touches = false;
        for (int j = 0; j < contact->shape_count; ++j)
            touches = touches || contact->shapes[j].admittance == admittance;
        if (touches) rows += (3 + sti_contact_turns(contact->parameters).rows) * contact->capacity;
    }
    return rows;
}

// The same of those that are followed in continuous time.
static int rows_of_places(const StiNetwork *network, int admittance)
{
    int rows = 0;
    for (int i = 0; i < network->place_count; ++i)
        if (network->places[i].admittance[0] == admittance ||
            network->places[i].admittance[1] == admittance)
            rows += 3;
    return rows;
}

// Rows that may push on one robot.
static int rows_on(const StiNetwork *network, int admittance)
{
    const int points = rows_of_points(network, admittance);
    const int places = rows_of_places(network, admittance);
    int rows = STI_JOINT_NODES + (points > places ? points : places);
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (places == 0 && sti_reaction_of_joint(network, &network->reactions[i])) continue;
        if (wire->a.admittance == admittance || wire->b.admittance == admittance)
            rows += network->reactions[i].size.dim;
    }
    return rows;
}

static void take_robots(StiArena *arena, const StiNetwork *network, RowSet *set)
{
    const size_t bodies = (size_t)network->admittance_count + 1;
    set->robots = sti_arena_take(arena, bodies, sizeof *set->robots);
    set->robot_of = sti_arena_take(arena, bodies, sizeof(int));
    set->responds = sti_arena_take(arena, bodies, sizeof(bool));
    set->only_robots = true;
    for (int i = 0; !arena->failed && i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        set->robot_of[i] = -1;
        set->responds[i] = a->robot == NULL && a->size.velocities > 0;
        set->only_robots = set->only_robots && !set->responds[i];
        set->freedom += a->kind->prescribed ? 0 : a->size.velocities;
        if (a->robot == NULL) continue;
        set->robot_of[i] = set->robot_count;
        take_robot(arena, network, i, rows_on(network, i), &set->robots[set->robot_count]);
        if (!arena->failed) take_marks(arena, &set->robots[set->robot_count]);
        ++set->robot_count;
    }
}

// All that touches or rubs are bodies of one link, and none of them is a robot.
static bool is_single_link(const StiNetwork *network, int admittance)
{
    if (admittance < 0) return true;
    const Admittance *a = &network->admittances[admittance];
    return a->robot == NULL && (a->size.velocities == 0 || a->size.links == 1);
}

static bool is_by_sides(const StiNetwork *network, const RowSet *set, int nodes)
{
    enum { FEW_NODES = 32 }; // for these W is faster
    if (nodes <= FEW_NODES || network->place_count > 0 || set->robot_count > 0) return false;
    if (sti_sequence_wanted(network)) return false; // it asks for W
    for (int i = 0; i < network->contact_count; ++i)
        if (sti_contact_is_elastic(network->contacts[i].parameters)) return false; // it is part of W
    for (int i = 0; i < network->contact_count; ++i)
        for (int j = 0; j < network->contacts[i].shape_count; ++j)
            if (!is_single_link(network, network->contacts[i].shapes[j].admittance)) return false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        if (!wire->kind->links || !is_single_link(network, wire->a.admittance) ||
            !is_single_link(network, wire->b.admittance))
            return false;
    }
    return true;
}

static void take_sides(StiArena *arena, const StiNetwork *network, int nodes, int rows, RowSet *set)
{
    set->by_sides = true;
    set->sides = sti_arena_take(arena, 2 * (size_t)rows + 2, sizeof(StiBlockSide));
    sti_block_scratch_size_by_sides(nodes, network->admittance_count,
                                    &set->block_scratch.number_count,
                                    &set->block_scratch.integer_count);
}

static void take_pairs(StiArena *arena, int nodes, int rows, RowSet *set)
{
    const size_t room = (size_t)rows + 1, pairs = (size_t)nodes * (size_t)(nodes + 1) / 2 + 1;
    set->pairs = sti_arena_take(arena, pairs, sizeof(StiBlockPair));
    set->W_by_pairs = sti_arena_take(arena, room * room, sizeof(double));
    set->W_fixed = sti_arena_take(arena, room * room, sizeof(double));
    sti_block_scratch_size(nodes, rows, (int)pairs, &set->block_scratch.number_count,
                           &set->block_scratch.integer_count);
}

static void take_nodes(StiArena *arena, const StiNetwork *network, int nodes, int rows, RowSet *set)
{
    const size_t room = (size_t)rows + 1;
    set->row_room = rows;
    set->nodes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(RowNode));
    set->block_nodes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(StiBlockNode));
    set->node_first =
        sti_arena_take(arena, (size_t)network->admittance_count + 2, sizeof *set->node_first);
    set->nodes_by_body = sti_arena_take(arena, 2 * (size_t)nodes + 1, sizeof(int));
    set->pair_first = sti_arena_take(arena, (size_t)nodes + 1, sizeof(int));
    set->node_of_row = sti_arena_take(arena, room, sizeof(int));
    set->modes = sti_arena_take(arena, (size_t)nodes + 1, sizeof(StiBlockMode));
    set->order = sti_arena_take(arena, (size_t)nodes + 1, sizeof(int));
    set->rows = sti_arena_take(arena, room, sizeof(Row));
    double **vectors[] = {&set->W_size,       &set->c, &set->c_size, &set->c_fixed,
                          &set->c_size_fixed, &set->f, &set->v};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        *vectors[i] = sti_arena_take(arena, room, sizeof(double));
    if (is_by_sides(network, set, nodes))
        take_sides(arena, network, nodes, rows, set);
    else
        take_pairs(arena, nodes, rows, set);
    set->block_scratch.numbers =
        sti_arena_take(arena, set->block_scratch.number_count + 1, sizeof(double));
    set->block_scratch.integers =
        sti_arena_take(arena, set->block_scratch.integer_count + 1, sizeof(int));
}

// The first reaction at a joint is its friction; a second one is a node.
static void find_axes(StiArena *arena, const StiNetwork *network, RowSet *set)
{
    set->axis_of = sti_arena_take(arena, (size_t)network->reaction_count + 1, sizeof(int));
    for (int i = 0; !arena->failed && i < network->reaction_count; ++i) {
        const StiEnd *end = &network->reactions[i].wire.wire.a;
        set->axis_of[i] = -1;
        if (!sti_reaction_of_joint(network, &network->reactions[i])) continue;
        const int axis = network->admittances[end->admittance].generalized + end->place;
        bool first = true;
        for (int k = 0; k < i; ++k) first = first && set->axis_of[k] != axis;
        if (first) set->axis_of[i] = axis;
    }
}

RowSet *sti_rows_take(StiArena *arena, const StiNetwork *network, const Watch *watch)
{
    if (network->place_count == 0 && (network->solver == NULL || !network->solver->rows))
        return NULL;
    RowSet *set = sti_arena_take(arena, 1, sizeof *set);
    if (set == NULL) return NULL;
    const size_t axes = (size_t)network->generalized_count + 1;
    set->watch = watch;
    set->goes_on = !network->method->cuts; // one step of the solver in place of a cut one is exact instead
    take_robots(arena, network, set);
    set->friction = sti_arena_take(arena, axes, sizeof(AxisFriction));
    set->ends = sti_arena_take(arena, axes, sizeof(AxisEnd));
    set->still = sti_arena_take(arena, axes, sizeof(double));
    set->bias = sti_arena_take(arena, (size_t)network->link_count + 1, sizeof(StiTwist));
    for (int i = 0; !arena->failed && i < network->generalized_count; ++i)
        set->friction[i].mode = AXIS_FREE;
    if (!arena->failed) find_axes(arena, network, set);
    const int points =
        network->point_count > network->place_count ? network->point_count : network->place_count;
    const int joints = STI_JOINT_NODES * set->robot_count;
    ContactTurns turns = {0, 0};
    for (int i = 0; i < network->contact_count; ++i) {
        const ContactTurns own = sti_contact_turns(network->contacts[i].parameters);
        turns.nodes += own.nodes * network->contacts[i].capacity;
        turns.rows += own.rows * network->contacts[i].capacity;
    }
    if (!arena->failed)
        take_nodes(arena, network, points + turns.nodes + network->reaction_count + joints,
                   3 * points + turns.rows + network->row_count + joints, set);
    return set;
}
