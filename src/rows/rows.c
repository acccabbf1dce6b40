// Nodes and what their rows do to bodies: the columns of J^T, from points, wires and joints.
#include "rows/rows.h"

#include <math.h>
#include <string.h>

static const RowSide nothing = {.admittance = -1, .frame = -1};

void sti_rows_clear(RowSet *set, const StageData *at, double T)
{
    set->at = at;
    set->T = T;
    set->node_count = set->row_count = 0;
    set->robots_weighed = false;
    for (int r = 0; r < set->robot_count; ++r) {
        set->robots[r].trial.pair_count = 0;
        set->robots[r].trial.axis_pushes = false;
    }
}

static int add_node(RowSet *set, NodeType type, int index, StiBlockNode node)
{
    node.row = set->row_count;
    for (int d = 0; d < node.dim; ++d) set->node_of_row[node.row + d] = set->node_count;
    set->nodes[set->node_count] = (RowNode){type, index};
    set->block_nodes[set->node_count++] = node;
    set->row_count += node.dim;
    return node.row;
}

static int link_of_axis(const StiRobot *robot, int axis)
{
    int link = 0;
    while (axis < robot->links[link].v ||
           axis >= robot->links[link].v + robot->links[link].velocities)
        ++link;
    return link;
}

// A row that is not a point's pushes on the robots among its sides.
static void push_robots(const StiNetwork *network, RowSet *set, int row)
{
    for (int j = 0; j < 2; ++j) {
        const RowSide *side = &set->rows[row].sides[j];
        const int r = side->admittance < 0 ? -1 : set->robot_of[side->admittance];
        if (r < 0) continue;
        RobotPart *part = &set->robots[r];
        const StiRobot *robot = part->trial.robot;
        const Admittance *a = &network->admittances[part->admittance];
        Push push = {.axis = -1, .row = row};
        if (side->frame >= 0) {
            push.wrench = &side->wrench;
            push.link = robot->sorted[side->frame - a->link];
        } else {
            push.axis = side->coordinate;
            push.link = link_of_axis(robot, side->coordinate);
            part->trial.axis_pushes = true;
        }
        *sti_pushes_open(&part->trial, part->pushes, push.link, 1) = push;
    }
}

// What a point does to one of its sides, written in place: structures of this size are slow to pass
// around.
static void write_sides(const RowSet *set, const RowPoint *point, int side, Row *rows)
{
    const int frame = point->frame[side], body = frame < 0 ? -1 : point->admittance[side];
    const double sense = side == 0 ? 1.0 : -1.0;
    const bool responds = body >= 0 && set->responds[body];
    for (int d = 0; d < 3; ++d) {
        RowSide *to = &rows[d].sides[side];
        to->frame = frame;
        to->admittance = body;
        to->responds = responds;
        if (frame < 0) continue;
        to->wrench.force = sti_vec3_scale(sense, point->directions[d]);
        to->wrench.moment = sti_vec3_cross(point->arm[side], to->wrench.force);
    }
}

// The three rows of a point push on the same link.
static void push_robot(const StiNetwork *network, RowSet *set, const RowPoint *point, int side,
                       int row)
{
    const int r = point->frame[side] < 0 ? -1 : set->robot_of[point->admittance[side]];
    if (r < 0) return;
    RobotPart *part = &set->robots[r];
    const int link = point->frame[side] - network->admittances[part->admittance].link;
    const int sorted = part->trial.robot->sorted[link];
    Push *pushes = sti_pushes_open(&part->trial, part->pushes, sorted, 3);
    for (int d = 0; d < 3; ++d)
        pushes[d] = (Push){.link = sorted,
                           .axis = -1,
                           .row = row + d,
                           .wrench = &set->rows[row + d].sides[side].wrench};
}

int sti_rows_add_point(const StiNetwork *network, RowSet *set, const RowPoint *point, int index,
                       StiBlockNode node)
{
    const int row = add_node(set, NODE_POINT, index, node);
    for (int side = 0; side < 2; ++side) {
        write_sides(set, point, side, set->rows + row);
        push_robot(network, set, point, side, row);
    }
    return row;
}

int sti_rows_add_turn(const StiNetwork *network, RowSet *set, const RowPoint *point, int index,
                      StiBlockNode node, const StiVec3 *axes)
{
    const int row = add_node(set, NODE_TURN, index, node);
    for (int d = 0; d < node.dim; ++d) {
        for (int side = 0; side < 2; ++side) {
            const int frame = point->frame[side], body = frame < 0 ? -1 : point->admittance[side];
            set->rows[row + d].sides[side] =
                (RowSide){.admittance = body,
                          .frame = frame,
                          .responds = body >= 0 && set->responds[body],
                          .wrench = {.moment = sti_vec3_scale(side == 0 ? 1.0 : -1.0, axes[d])}};
        }
        push_robots(network, set, row + d);
    }
    return row;
}

void sti_rows_move_point(RowSet *set, const RowPoint *point, int row)
{
    for (int side = 0; side < 2; ++side) write_sides(set, point, side, set->rows + row);
}

static void clear_forces(const StiNetwork *network, const Response *response, const StiEnd *end)
{
    if (end->admittance < 0) return;
    const Admittance *a = &network->admittances[end->admittance];
    memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof *response->force);
    memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof *response->wrenches);
}

// What a wire's unit resistance left at one of its ends.
static RowSide side_of_wire(const StiNetwork *network, const RowSet *set, const Response *response,
                            const StiWire *wire, const StiEnd *end, int d)
{
    if (end->admittance < 0) return nothing;
    const Admittance *a = &network->admittances[end->admittance];
    RowSide side = {.admittance = end->admittance,
                    .frame = -1,
                    .responds = set->responds[end->admittance]};
    if (wire->kind->links) {
        side.frame = a->link + end->place;
        side.wrench = response->wrenches[side.frame];
    } else {
        side.coordinate = end->place + d;
        side.gain = response->force[a->generalized + side.coordinate];
    }
    return side;
}

int sti_rows_add_reaction(const StiNetwork *network, RowSet *set, const Response *response,
                          int index)
{
    const Reaction *e = &network->reactions[index];
    const StiWire *wire = &e->wire.wire;
    const int row = add_node(set, NODE_REACTION, index,
                             (StiBlockNode){.kind = STI_BLOCK_FRICTION, .dim = e->size.dim});
    for (int d = 0; d < e->size.dim; ++d) {
        double unit[STI_REACTION_DIM_MAX] = {0.0};
        unit[d] = -1.0; // a resistance: it acts against side a
        clear_forces(network, response, &wire->a);
        clear_forces(network, response, &wire->b);
        sti_wire_push(network, &e->wire, set->at, unit, response->force, response->wrenches);
        set->rows[row + d] = (Row){{side_of_wire(network, set, response, wire, &wire->a, d),
                                    side_of_wire(network, set, response, wire, &wire->b, d)}};
        push_robots(network, set, row + d);
    }
    return row;
}

int sti_rows_add_joint(const StiNetwork *network, RowSet *set, const RobotPart *part, int index)
{
    const int row =
        add_node(set, NODE_JOINT, index, (StiBlockNode){.kind = STI_BLOCK_FRICTION, .dim = 1});
    const RowSide side = {.admittance = part->admittance,
                          .frame = -1,
                          .coordinate = index - network->admittances[part->admittance].generalized,
                          .gain = 1.0};
    set->rows[row] = (Row){{side, nothing}};
    push_robots(network, set, row);
    return row;
}

// Do the rows follow each other like the pushes? One that fills up the last pair does not count.
static void route_pushes(RobotPart *part)
{
    const Push *pushes = part->pushes;
    int count = 2 * part->trial.pair_count;
    sti_trial_route(&part->trial, part->branches);
    if (count > 0 && pushes[count - 1].row < 0) --count;
    part->first_row = count > 0 ? pushes[0].row : -1;
    part->row_count = count;
    for (int a = 1; a < count; ++a)
        if (pushes[a].row != pushes[a - 1].row + 1) part->first_row = -1;
}

void sti_rows_complete(const StiNetwork *network, RowSet *set)
{
    for (int r = 0; r < set->robot_count; ++r) route_pushes(&set->robots[r]);
    sti_rows_pair(network, set);
}

// One of a row's sides.
static double side_velocity(const StiNetwork *network, const RowSet *set, const RowSide *side,
                            const RowMotion *motion, double *size)
{
    const Admittance *a = &network->admittances[side->admittance];
    if (side->frame >= 0) {
        const bool robot = set->robot_of[side->admittance] >= 0;
        const StiFrame *frames = robot ? motion->robot_frames : motion->frames;
        if (frames == NULL || (a->kind->prescribed && !motion->sources)) return 0.0;
        const StiFrame *frame = &frames[side->frame];
        *size +=
            sti_vec3_norm(frame->v) + sti_vec3_norm(frame->w) * sti_vec3_norm(side->wrench.moment);
        return sti_wrench_power(side->wrench, (StiTwist){frame->w, frame->v});
    }
    if (a->kind->prescribed && !motion->sources) return 0.0;
    if (set->robot_of[side->admittance] >= 0 && motion->robot_frames == NULL) return 0.0;
    const double *v = a->kind->prescribed ? set->at->ports + a->port + a->dim : motion->x + a->v;
    const double part = side->gain * v[side->coordinate];
    *size += fabs(part);
    return part;
}

double sti_row_velocity(const StiNetwork *network, const RowSet *set, const Row *row,
                        const RowMotion *motion, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int i = 0; i < 2; ++i)
        if (row->sides[i].admittance >= 0)
            sum += side_velocity(network, set, &row->sides[i], motion, size);
    return sum;
}

void sti_push_forces(const RowSet *set, RobotPart *part)
{
    double *f = (double *)part->f;
    if (part->first_row >= 0) {
        memcpy(f, set->f + part->first_row, (size_t)part->row_count * sizeof *f);
        if (part->row_count % 2 != 0) f[part->row_count] = 0.0;
        return;
    }
    for (int a = 0; a < 2 * part->trial.pair_count; ++a)
        f[a] = part->pushes[a].row < 0 ? 0.0 : set->f[part->pushes[a].row];
}

static StiBlock block_of(const RowSet *set)
{
    return (StiBlock){.node_count = set->node_count,
                            .row_count = set->row_count,
                            .pair_count = set->pair_count,
                            .nodes = set->block_nodes,
                            .pairs = set->by_sides ? NULL : set->pairs,
                            .W = set->by_sides ? NULL : set->W,
                            .c = set->c,
                            .c_size = set->c_size,
                            .W_size = set->W_size,
                            .sides = set->by_sides ? set->sides : NULL,
                            .body_count = set->body_count,
                            .freedom = set->freedom,
                            .watch = set->watch};
}

bool sti_rows_shift(RowSet *set, const double *shift, double least)
{
    const StiBlock block = block_of(set);
    return set->node_count > 0 &&
           sti_block_shift(&block, &set->block_scratch, set->modes, shift, least, set->f);
}

StiStatus sti_rows_solve(RowSet *set, bool resumed, bool keep_friction)
{
    if (set->node_count == 0) {
        set->answer = (StiBlockAnswer){.outcome = STI_BLOCK_SOLVED};
        return STI_OK;
    }
    StiBlock block = block_of(set);
    block.resumed = resumed;
    block.keep_friction = keep_friction;
    block.goes_on = set->goes_on && !keep_friction;
    set->answer.f = set->f; // what comes out is set by the block
    set->answer.v = set->v;
    set->answer.mode = set->modes;
    set->answer.order = set->order;
    set->answer.released = NULL;
    return sti_block_solve(&block, &set->block_scratch, &set->answer);
}
