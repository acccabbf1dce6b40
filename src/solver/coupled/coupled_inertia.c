// Nodes of this step, W = T J H^-1 J^T and c: the part of all bodies but robots once per step, that of
// robots with every trial.
#include <math.h>
#include <string.h>

#include "solver/coupled/coupled.h"

// A point that is left aside pushes on nothing.
RowPoint sti_coupled_place(const ContactPoint *point)
{
    const bool aside = point->aside;
    return (RowPoint){.admittance = {aside ? -1 : point->admittance[0],
                                     aside ? -1 : point->admittance[1]},
                      .frame = {aside ? -1 : point->frame[0], aside ? -1 : point->frame[1]},
                      .arm = {point->arm[0], point->arm[1]},
                      .directions = {point->tangent[0],
                                     sti_vec3_scale(point->across, point->tangent[1]),
                                     point->touch.normal}};
}

static void add_point(const StiNetwork *network, CoupledData *data, const ContactPoint *point,
                      int index)
{
    const StiMaterialPair rub = sti_contact_rub(&network->contacts[point->contact], point->shape);
    const RowPoint at = sti_coupled_place(point);
    const int row =
        sti_rows_add_point(network, data->set, &at, index,
                           (StiBlockNode){.kind = STI_BLOCK_CONTACT,
                                          .dim = 3,
                                          .limit = rub.mu,
                                          .limit_static = fmax(rub.mu, rub.mu_static),
                                          .stuck_before = point->sticks || point->arrested});
    for (int d = 0; d < 3; ++d) data->start[row + d] = sti_vec3_dot(point->force, at.directions[d]);
    data->start[row + 1] /= point->across * point->across;
    if (network->contacts[point->contact].parameters->law.kind != NULL || point->elastic)
        data->levels_vary = true;
}

static void add_reaction(const StiNetwork *network, StiScratch *scratch, int index)
{
    CoupledData *data = coupled_data(scratch);
    const int row = sti_rows_add_reaction(network, data->set, &scratch->reactions->response, index);
    for (int d = 0; d < network->reactions[index].size.dim; ++d)
        data->start[row + d] = -scratch->reactions->answers[index].r[d];
    data->levels_vary = true;
}

// Joints that cannot decide for a mode.
static void add_joints(const StiNetwork *network, StiScratch *scratch, const RobotPart *part)
{
    CoupledData *data = coupled_data(scratch);
    const Admittance *a = &network->admittances[part->admittance];
    for (int k = a->generalized; k < a->generalized + a->dim; ++k) {
        if (!data->joints[k].node) continue;
        const int row = sti_rows_add_joint(network, data->set, part, k);
        data->start[row] =
            sti_joint_memory(network, &data->joints[k], scratch->reactions->s)->effort;
        data->levels_vary = true;
    }
}

void sti_coupled_rows(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    RowSet *set = data->set;
    sti_rows_clear(set, &scratch->stages[0], network->step);
    for (int i = 0; i < scratch->contacts->point_count; ++i)
        add_point(network, data, &scratch->contacts->points[i], i);
    sti_coupled_add_turns(network, scratch);
    for (int i = 0; i < data->node_reaction_count; ++i)
        add_reaction(network, scratch, data->node_reactions[i]);
    for (int r = 0; r < set->robot_count; ++r)
        if (set->robots[r].nodes > 0) add_joints(network, scratch, &set->robots[r]);
    sti_rows_complete(network, set);
    memcpy(set->f, data->start, (size_t)set->row_count * sizeof *set->f);
    memset(set->v, 0, (size_t)set->row_count * sizeof *set->v);
    data->law_round = 0;
    if (data->levels_vary) sti_node_levels_moved(network, scratch);
}

// A link that moves with the velocities of a stage; robots keep those of the start.
static const StiFrame *link_at(const StiScratch *scratch, const StageData *at, int admittance,
                               int frame)
{
    const bool robot = coupled_data(scratch)->set->robot_of[admittance] >= 0;
    return &(robot ? scratch->stages[0].frames : at->frames)[frame];
}

RowMotion sti_motion_of(const StiScratch *scratch, const StageData *at)
{
    return (RowMotion){at->frames, scratch->stages[0].frames, at->x, true};
}

const char *sti_node_name(const StiNetwork *network, const StiScratch *scratch, int node)
{
    const CoupledData *data = coupled_data(scratch);
    if (node < 0 || node >= data->set->node_count) return "";
    const RowNode *n = &data->set->nodes[node];
    if (n->type == NODE_POINT || n->type == NODE_TURN)
        return network->contacts[scratch->contacts->points[n->index].contact].name;
    const int reaction = n->type == NODE_JOINT ? data->joints[n->index].reaction : n->index;
    return network->reactions[reaction].name;
}

// c of the three rows of a point, which are the first of all.
static void point_velocity(const StiNetwork *network, StiScratch *scratch, int index)
{
    CoupledData *data = coupled_data(scratch);
    const ContactPoint *point = &scratch->contacts->points[index];
    double *c = data->set->c_fixed + 3 * index, *c_size = data->set->c_size_fixed + 3 * index,
           size = 0.0;
    StiVec3 v = point->aside ? (StiVec3){0.0, 0.0, 0.0} : point->surface;
    size += sti_vec3_norm(v);
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0 || point->aside) continue;
        const StiFrame *frame =
            link_at(scratch, &scratch->end, point->admittance[side], point->frame[side]);
        const StiVec3 arm = point->arm[side];
        v = sti_vec3_add_scaled(v, side == 0 ? 1.0 : -1.0, sti_frame_velocity_at(frame, arm));
        size += sti_vec3_norm(frame->v) + sti_vec3_norm(frame->w) * sti_vec3_norm(arm);
    }
    c[0] = sti_vec3_dot(v, point->tangent[0]);
    c[1] = point->across * sti_vec3_dot(v, point->tangent[1]);
    c[2] = sti_vec3_dot(v, point->touch.normal);
    c_size[0] = c_size[1] = c_size[2] = size;
    const double bounce = data->bounce[3 * index + 2];
    c[2] += bounce != 0.0 ? -bounce : point->open / network->step;
}

void sti_coupled_fixed(const StiNetwork *network, StiScratch *scratch)
{
    RowSet *set = coupled_data(scratch)->set;
    const RowMotion motion = sti_motion_of(scratch, &scratch->end);
    if (!set->only_robots) {
        if (!set->by_sides) memset(set->W_fixed, 0, (size_t)set->W_count * sizeof *set->W_fixed);
        sti_rows_bodies(network, set, &scratch->reactions->response);
    }
    for (int i = 0; i < scratch->contacts->point_count; ++i) point_velocity(network, scratch, i);
    for (int i = 3 * scratch->contacts->point_count; i < set->row_count; ++i)
        set->c_fixed[i] =
            sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size_fixed[i]) +
            sti_turn_of_surface(scratch, i);
}

StiStatus sti_coupled_robots(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const int stopped = sti_rows_robots(network, coupled_data(scratch)->set, now->x,
                                        now->generalized, &scratch->figures.steep);
    if (stopped < 0) return STI_OK;
    return sti_fault(scratch, STI_BAD_ARGUMENT, network->admittances[stopped].name, "inertia",
                     &now->stage);
}
