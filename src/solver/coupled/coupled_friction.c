// Levels of friction for joints and nodes: what sticking may carry, and laws linearised where they
// are (COUPLED 2.6).
#include <math.h>

#include "solver/coupled/coupled.h"

static const double law_tolerance = 1e-11;

static StiReactionLevel level_of(const StiNetwork *network, const StiScratch *scratch, int reaction,
                                 double speed, double direction)
{
    const Reaction *e = &network->reactions[reaction];
    if (e->reads_load && scratch->loads_unknown) return (StiReactionLevel){.sticking = 0.0};
    return e->kind->level(e->parameters, scratch->stages[0].ports + e->port,
                          scratch->reactions->s + e->s, speed, direction);
}

static double sign(double v) { return v < 0.0 ? -1.0 : 1.0; }

// Constant levels are asked for once.
static StiReactionLevel level_of_joint(const StiNetwork *network, const StiScratch *scratch,
                                       const Joint *joint, double speed, double direction)
{
    if (joint->at_rest.constant) return joint->at_rest;
    return level_of(network, scratch, joint->reaction, speed, direction);
}

double sti_joint_limit(const StiNetwork *network, const StiScratch *scratch, int joint,
                       double direction)
{
    const Joint *j = &coupled_data(scratch)->joints[joint];
    const StiReactionLevel level = level_of_joint(network, scratch, j, 0.0, direction);
    return j->held ? level.sticking : level.slipping;
}

// While it is held, slipping happens at the static level: provisional, until it is released.
void sti_joint_linearise(const StiNetwork *network, StiScratch *scratch, int joint, double at)
{
    CoupledData *data = coupled_data(scratch);
    const Joint *j = &data->joints[joint];
    AxisFriction *friction = &data->set->friction[joint];
    if (friction->mode == AXIS_STUCK || friction->mode == AXIS_FREE) return;
    const double s = (double)friction->mode;
    const double speed = fmax(s * at, 0.0);
    const StiReactionLevel level = level_of_joint(network, scratch, j, speed, s);
    friction->at = s * speed;
    friction->level = j->held ? level.sticking : level.slipping;
    friction->slope = j->held ? 0.0 : level.slope;
}

static void begin_joint(const StiNetwork *network, StiScratch *scratch, int index, double v)
{
    CoupledData *data = coupled_data(scratch);
    Joint *joint = &data->joints[index];
    AxisFriction *friction = &data->set->friction[index];
    joint->violated = AXIS_FREE;
    joint->changed = joint->node = joint->held = false;
    *friction = (AxisFriction){.mode = AXIS_FREE};
    if (joint->reaction < 0) return;
    const JointMemory *memory = sti_joint_memory(network, joint, scratch->reactions->s);
    if (!joint->at_rest.fixed)
        joint->at_rest = level_of(network, scratch, joint->reaction, 0.0, sign(v));
    joint->held = joint->at_rest.sticking > joint->at_rest.slipping;
    data->some_held = data->some_held || joint->held;
    data->levels_vary = data->levels_vary || !joint->at_rest.constant;
    joint->was_node = joint->node = memory->quiet > 0.0;
    if (joint->node) return;
    friction->mode = v > 0.0 ? AXIS_FORWARD : v < 0.0 ? AXIS_BACKWARD : (AxisMode)memory->mode;
    sti_joint_linearise(network, scratch, index, v);
}

void sti_joints_begin(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    data->some_held = data->levels_vary = false;
    for (int r = 0; r < data->set->robot_count; ++r) {
        RobotPart *part = &data->set->robots[r];
        const Admittance *a = &network->admittances[part->admittance];
        part->nodes = 0;
        for (int k = 0; k < a->dim; ++k) {
            begin_joint(network, scratch, a->generalized + k, scratch->stages[0].x[a->v + k]);
            Joint *joint = &data->joints[a->generalized + k];
            if (joint->node && ++part->nodes > STI_JOINT_NODES) {
                joint->node = false;
                --part->nodes;
            }
        }
    }
}

// Of a friction node: its reaction, and its speed and direction at the last solve.
static double node_speed(const CoupledData *data, int node, double *direction)
{
    const StiBlockNode *n = &data->set->block_nodes[node];
    double square = 0.0;
    for (int d = 0; d < n->dim; ++d) square += data->set->v[n->row + d] * data->set->v[n->row + d];
    const double push = data->set->v[n->row] != 0.0 ? data->set->v[n->row] : -data->set->f[n->row];
    *direction = n->dim == 1 ? sign(push) : 0.0;
    return sqrt(square);
}

static bool node_moved(const StiNetwork *network, StiScratch *scratch, int node)
{
    CoupledData *data = coupled_data(scratch);
    StiBlockNode *n = &data->set->block_nodes[node];
    double direction;
    if (data->set->nodes[node].type == NODE_TURN) return sti_turn_moved(network, scratch, node);
    const int reaction = data->set->nodes[node].type == NODE_JOINT
                             ? data->joints[data->set->nodes[node].index].reaction
                             : data->set->nodes[node].index;
    const double speed = node_speed(data, node, &direction);
    const StiReactionLevel level = level_of(network, scratch, reaction, speed, direction);
    const double limit_static = fmax(level.sticking, level.slipping), before = n->limit;
    n->limit = level.slipping;
    n->limit_static = limit_static;
    n->stuck_before = level.sticking > level.slipping;
    return fabs(n->limit - before) > law_tolerance * n->limit;
}

// A contact's law, at the slip of the last solve.
static bool point_moved(const StiNetwork *network, StiScratch *scratch, int node)
{
    const RowSet *set = coupled_data(scratch)->set;
    StiBlockNode *n = &set->block_nodes[node];
    const ContactPoint *point = &scratch->contacts->points[set->nodes[node].index];
    const StiContact *p = network->contacts[point->contact].parameters;
    if (point->elastic && p->bristle.model != STI_CONTACT_ELASTIC_COULOMB)
        return sti_bristle_moved(network, scratch, node);
    if (point->elastic) sti_bristle_moved(network, scratch, node); // the same in every round
    if (p->law.kind == NULL) return false;
    const double *slip = point->elastic ? coupled_data(scratch)->bristles[node].slip : set->v + n->row;
    const double v[2] = {slip[0], slip[1] / point->across}, before = n->limit;
    const double at_rest = fmax(sti_law_level(&p->law, 0.0, 0.0, NULL), 0.0);
    const double held = point->sticks || point->arrested ? p->mu_static : 0.0;
    n->limit = fmax(sti_law_level(&p->law, sqrt(v[0] * v[0] + v[1] * v[1]), 0.0, NULL), 0.0);
    n->limit_static = fmax(fmax(at_rest, held), n->limit);
    n->stuck_before = n->limit_static > n->limit;
    return fabs(n->limit - before) > law_tolerance * n->limit;
}

static bool joint_moved(const StiNetwork *network, StiScratch *scratch, int index)
{
    CoupledData *data = coupled_data(scratch);
    const AxisFriction *friction = &data->set->friction[index];
    if (friction->mode == AXIS_STUCK || friction->mode == AXIS_FREE) return false;
    if (data->joints[index].held || data->joints[index].at_rest.constant) return false;
    const double at = friction->at, v = data->set->ends[index].v, level = friction->level;
    sti_joint_linearise(network, scratch, index, v);
    return fabs(v - at) > law_tolerance * fmax(fabs(v), fabs(at)) &&
           (friction->slope != 0.0 || friction->level != level);
}

bool sti_node_levels_moved(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool moved = false;
    data->largest_force = 0.0;
    for (int i = 0; i < scratch->contacts->point_count; ++i)
        data->largest_force =
            fmax(data->largest_force, data->set->f[data->set->block_nodes[i].row + 2]);
    for (int i = 0; i < data->set->node_count; ++i)
        moved = (data->set->nodes[i].type == NODE_POINT ? point_moved : node_moved)(network,
                                                                                    scratch, i) ||
                moved;
    return moved;
}

bool sti_levels_moved(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    if (!data->levels_vary) return false;
    bool moved = sti_node_levels_moved(network, scratch);
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int k = a->generalized; k < a->generalized + a->dim; ++k)
            if (data->joints[k].reaction >= 0) moved = joint_moved(network, scratch, k) || moved;
    }
    return moved;
}

bool sti_joints_release(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    int worst = -1;
    double most = 0.0;
    if (!data->some_held) return false;
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int k = 0; k < a->dim; ++k) {
            const int i = a->generalized + k;
            const AxisFriction *friction = &data->set->friction[i];
            if (!data->joints[i].held || data->joints[i].node || friction->mode == AXIS_STUCK)
                continue;
            const double D = data->set->robots[r].trial.trial[k].D;
            const double share = fabs(data->set->ends[i].v) * D / (network->step * friction->level);
            if (data->set->ends[i].v == 0.0 || !(share > most)) continue;
            most = share;
            worst = i;
        }
    }
    if (worst < 0) return false;
    data->joints[worst].held = false;
    sti_joint_linearise(network, scratch, worst, data->set->ends[worst].v);
    ++scratch->figures.releases;
    return true;
}
