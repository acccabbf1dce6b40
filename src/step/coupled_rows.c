// Nodes of the block and what their rows do to bodies: the columns of J^T, from points, wires and
// joints. A row's force pushes side a along it and side b against it.
#include <math.h>
#include <string.h>

#include "step/coupled.h"

static const RowSide nothing = {.admittance = -1, .frame = -1};

static int add_node(CoupledData *data, NodeType type, int index, StiBlockNode node)
{
    node.row = data->row_count;
    for (int d = 0; d < node.dim; ++d) data->node_of_row[node.row + d] = data->node_count;
    data->nodes[data->node_count] = (Node){type, index};
    data->block_nodes[data->node_count++] = node;
    data->row_count += node.dim;
    data->levels_vary = data->levels_vary || type != NODE_POINT;
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
static void push_robots(const StiNetwork *network, CoupledData *data, int row)
{
    for (int j = 0; j < 2; ++j) {
        const RowSide *side = &data->rows[row].sides[j];
        const int r = side->admittance < 0 ? -1 : data->robot_of[side->admittance];
        if (r < 0) continue;
        RobotPart *part = &data->robots[r];
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

static int robot_at(const CoupledData *data, const ContactPoint *point, int side)
{
    return point->frame[side] < 0 ? -1 : data->robot_of[point->admittance[side]];
}

// What a point does to one of its sides, written in place: structures of this size are slow to pass
// around.
static void write_sides(const CoupledData *data, const ContactPoint *point, int side,
                        const StiVec3 directions[3], Row *rows)
{
    const int frame = point->frame[side], body = frame < 0 ? -1 : point->admittance[side];
    const double sense = side == 0 ? 1.0 : -1.0;
    const bool responds = body >= 0 && data->responds[body];
    for (int d = 0; d < 3; ++d) {
        RowSide *to = &rows[d].sides[side];
        to->frame = frame;
        to->admittance = body;
        to->responds = responds;
        if (frame < 0) continue;
        to->wrench.force = sti_vec3_scale(sense, directions[d]);
        to->wrench.moment = sti_vec3_cross(point->arm[side], to->wrench.force);
    }
}

// The three rows of a point push on the same link.
static void push_robot(const StiNetwork *network, CoupledData *data, const ContactPoint *point,
                       int side, int row)
{
    const int r = robot_at(data, point, side);
    if (r < 0) return;
    RobotPart *part = &data->robots[r];
    const int link = point->frame[side] - network->admittances[part->admittance].link;
    const int sorted = part->trial.robot->sorted[link];
    Push *pushes = sti_pushes_open(&part->trial, part->pushes, sorted, 3);
    for (int d = 0; d < 3; ++d)
        pushes[d] = (Push){.link = sorted,
                           .axis = -1,
                           .row = row + d,
                           .wrench = &data->rows[row + d].sides[side].wrench};
}

static void add_point(const StiNetwork *network, CoupledData *data, const ContactPoint *point,
                      int index)
{
    const StiContact *p = network->contacts[point->contact].parameters;
    const int row = add_node(data, NODE_POINT, index,
                             (StiBlockNode){.kind = STI_BLOCK_CONTACT,
                                            .dim = 3,
                                            .limit = p->mu,
                                            .limit_static = fmax(p->mu, p->mu_static),
                                            .stuck_before = point->sticks});
    const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
    for (int d = 0; d < 3; ++d) data->start[row + d] = sti_vec3_dot(point->force, directions[d]);
    for (int side = 0; side < 2; ++side) {
        write_sides(data, point, side, directions, data->rows + row);
        push_robot(network, data, point, side, row);
    }
}

static void clear_forces(const StiNetwork *network, const Response *response, const StiEnd *end)
{
    if (end->admittance < 0) return;
    const Admittance *a = &network->admittances[end->admittance];
    memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof *response->force);
    memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof *response->wrenches);
}

// What a wire's unit resistance left at one of its ends.
static RowSide side_of_wire(const StiNetwork *network, const CoupledData *data,
                            const Response *response, const StiWire *wire, const StiEnd *end, int d)
{
    if (end->admittance < 0) return nothing;
    const Admittance *a = &network->admittances[end->admittance];
    RowSide side = {.admittance = end->admittance,
                    .frame = -1,
                    .responds = data->responds[end->admittance]};
    if (wire->kind->links) {
        side.frame = a->link + end->place;
        side.wrench = response->wrenches[side.frame];
    } else {
        side.coordinate = end->place + d;
        side.gain = response->force[a->generalized + side.coordinate];
    }
    return side;
}

static void add_reaction(const StiNetwork *network, StiScratch *scratch, int index)
{
    const Reaction *e = &network->reactions[index];
    const Response *response = &scratch->reactions.response;
    CoupledData *data = coupled_data(scratch);
    const int row = add_node(data, NODE_REACTION, index,
                             (StiBlockNode){.kind = STI_BLOCK_FRICTION, .dim = e->size.dim});
    for (int d = 0; d < e->size.dim; ++d) {
        const StiWire *wire = &e->wire.wire;
        double unit[STI_REACTION_DIM_MAX] = {0.0};
        unit[d] = -1.0; // a resistance: it acts against side a
        clear_forces(network, response, &wire->a);
        clear_forces(network, response, &wire->b);
        sti_wire_push(network, &e->wire, &scratch->stages[0], unit, response->force,
                      response->wrenches);
        data->rows[row + d] = (Row){{side_of_wire(network, data, response, wire, &wire->a, d),
                                     side_of_wire(network, data, response, wire, &wire->b, d)}};
        data->start[row + d] = -scratch->reactions.answers[index].r[d];
        push_robots(network, data, row + d);
    }
}

static void add_joint(const StiNetwork *network, StiScratch *scratch, const RobotPart *part,
                      int index)
{
    CoupledData *data = coupled_data(scratch);
    const int axis = index - network->admittances[part->admittance].generalized;
    const int row =
        add_node(data, NODE_JOINT, index, (StiBlockNode){.kind = STI_BLOCK_FRICTION, .dim = 1});
    const RowSide side = {.admittance = part->admittance,
                          .frame = -1,
                          .coordinate = axis,
                          .gain = 1.0};
    data->rows[row] = (Row){{side, nothing}};
    push_robots(network, data, row);
    data->start[row] =
        sti_joint_memory(network, &data->joints[index], scratch->reactions.s)->effort;
}

// Joints that cannot decide for a mode.
static void add_joints(const StiNetwork *network, StiScratch *scratch, const RobotPart *part)
{
    const Admittance *a = &network->admittances[part->admittance];
    for (int k = a->generalized; k < a->generalized + a->dim; ++k)
        if (coupled_data(scratch)->joints[k].node) add_joint(network, scratch, part, k);
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

void sti_coupled_rows(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    data->node_count = data->row_count = 0;
    for (int r = 0; r < data->robot_count; ++r) {
        data->robots[r].trial.pair_count = 0;
        data->robots[r].trial.axis_pushes = false;
    }
    for (int i = 0; i < scratch->contacts.point_count; ++i)
        add_point(network, data, &scratch->contacts.points[i], i);
    for (int i = 0; i < data->node_reaction_count; ++i)
        add_reaction(network, scratch, data->node_reactions[i]);
    for (int r = 0; r < data->robot_count; ++r)
        if (data->robots[r].nodes > 0) add_joints(network, scratch, &data->robots[r]);
    for (int r = 0; r < data->robot_count; ++r) route_pushes(&data->robots[r]);
    sti_coupled_pairs(network, scratch);
    memcpy(data->f, data->start, (size_t)data->row_count * sizeof *data->f);
    memset(data->v, 0, (size_t)data->row_count * sizeof *data->v);
    if (data->levels_vary) sti_node_levels_moved(network, scratch);
}

const StiFrame *sti_link_at(const StiScratch *scratch, const StageData *at, int admittance,
                            int frame)
{
    const bool robot = coupled_data(scratch)->robot_of[admittance] >= 0;
    return &(robot ? scratch->stages[0].frames : at->frames)[frame];
}

double sti_row_velocity(const StiNetwork *network, const StiScratch *scratch, const Row *row,
                        const StageData *at, double *size)
{
    const StageData *now = &scratch->stages[0];
    double sum = 0.0;
    *size = 0.0;
    for (int i = 0; i < 2; ++i) {
        const RowSide *side = &row->sides[i];
        if (side->admittance < 0) continue;
        const Admittance *a = &network->admittances[side->admittance];
        double part;
        if (side->frame >= 0) {
            const StiFrame *frame = sti_link_at(scratch, at, side->admittance, side->frame);
            const StiTwist twist = {frame->w, frame->v};
            part = sti_wrench_power(side->wrench, twist);
            *size += sti_vec3_norm(frame->v) +
                     sti_vec3_norm(frame->w) * sti_vec3_norm(side->wrench.moment);
        } else {
            const double *v = a->kind->prescribed ? now->ports + a->port + a->dim : at->x + a->v;
            part = side->gain * v[side->coordinate];
            *size += fabs(part);
        }
        sum += part;
    }
    return sum;
}

void sti_push_forces(const CoupledData *data, RobotPart *part)
{
    double *f = (double *)part->f;
    if (part->first_row >= 0) {
        memcpy(f, data->f + part->first_row, (size_t)part->row_count * sizeof *f);
        if (part->row_count % 2 != 0) f[part->row_count] = 0.0;
        return;
    }
    for (int a = 0; a < 2 * part->trial.pair_count; ++a)
        f[a] = part->pushes[a].row < 0 ? 0.0 : data->f[part->pushes[a].row];
}

const char *sti_node_name(const StiNetwork *network, const StiScratch *scratch, int node)
{
    const CoupledData *data = coupled_data(scratch);
    if (node < 0 || node >= data->node_count) return "";
    const Node *n = &data->nodes[node];
    if (n->type == NODE_POINT)
        return network->contacts[scratch->contacts.points[n->index].contact].name;
    const int reaction = n->type == NODE_JOINT ? data->joints[n->index].reaction : n->index;
    return network->reactions[reaction].name;
}
