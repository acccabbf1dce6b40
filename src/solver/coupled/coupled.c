// The solver `coupled`: joint friction and contact together, exact cones, energy never added
// (COUPLED 1). The step stands last.
#include "solver/coupled/coupled.h"

#include <math.h>
#include <string.h>

#include "network/solver.h"
#include "solver/flight.h"

enum { QUIET_STEPS = 16 };

// ---- what acts at the start ---------------------------------------------------------------------

// Places of all links, and the wires; the angles of robots are turned into attitudes only once.
static void place(const StiNetwork *network, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    sti_rows_clear(scratch->rows, now, network->step);
    sti_rows_place_robots(network, scratch->rows, now->frames);
    sti_pose_but_robots(network, now);
    sti_sense_all(network, now);
}

static StiStatus prepare_bodies(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0 || data->set->robot_of[i] >= 0) continue;
        const StiStatus status =
            a->kind->prepare(a->parameters, now->x + a->q, NULL, NULL,
                             scratch->reactions->response.prepared + a->prepared);
        if (status != STI_OK) return sti_fault(scratch, status, a->name, "inertia", &now->stage);
    }
    return STI_OK;
}

static StiStatus smooth_forces(const StiNetwork *network, const StiState *state,
                               StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = sti_impedances(network, state->values + state->s, scratch, now);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->reaction_count; ++i)
        sti_listen(&network->reactions[i].connections, now);
    sti_phi(network, now);
    sti_rows_load_robots(network, scratch->rows); // they need no accelerations here
    return sti_admittances_but_robots(network, scratch, now);
}

// vbar of all bodies but robots, which keep v; their frames move with them.
static void free_velocity(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    StageData *end = &scratch->end;
    memcpy(scratch->next, state->values, (size_t)network->x_count * sizeof *scratch->next);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        for (int d = 0; a->robot == NULL && d < a->size.velocities; ++d)
            scratch->next[a->v + d] += network->step * now->xdot[a->v + d];
        if (a->posed && a->robot == NULL)
            a->kind->pose(a->parameters, now->x + a->q, scratch->next + a->v, now->ports + a->port,
                          end->frames + a->link);
    }
    sti_constrain_velocities(network, scratch, now);
    memcpy(end->x, scratch->next, (size_t)network->x_count * sizeof *end->x);
}

// ---- what comes out -----------------------------------------------------------------------------

static void read_points(const StiNetwork *network, StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        ContactPoint *point = &scratch->contacts->points[i];
        const int row = data->set->block_nodes[i].row;
        const double shift =
            data->bounce[row + 2] != 0.0 ? data->bounce[row + 2] : -point->open / network->step;
        const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
        point->mode = data->set->modes[i];
        point->force = point->velocity = (StiVec3){0.0, 0.0, 0.0};
        point->moment = point->spin = point->force;
        for (int d = 0; d < 3; ++d) {
            const double scale = d == 1 ? point->across : 1.0;
            const double v = data->set->v[row + d] / scale + (d == 2 ? shift : 0.0);
            point->force =
                sti_vec3_add_scaled(point->force, scale * data->set->f[row + d], directions[d]);
            point->velocity = sti_vec3_add_scaled(point->velocity, v, directions[d]);
        }
        scratch->figures.points += point->mode != STI_BLOCK_OPEN;
    }
    scratch->figures.points_lost = scratch->contacts->lost;
}

static void answer(const StiNetwork *network, StiScratch *scratch, int reaction, const double *f,
                   const double *v, bool stuck)
{
    const Reaction *e = &network->reactions[reaction];
    StiReactionAnswer *to = &scratch->reactions->answers[reaction];
    *to = (StiReactionAnswer){.stuck = stuck};
    for (int d = 0; d < e->size.dim; ++d) {
        to->r[d] = -f[d];
        scratch->reactions->rate[e->row + d] = v[d];
        scratch->figures.reaction_power += f[d] * v[d];
    }
}

static void read_reactions(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < data->set->node_count; ++i) {
        const RowNode *node = &data->set->nodes[i];
        const int row = data->set->block_nodes[i].row;
        const bool stuck = data->set->modes[i] == STI_BLOCK_STICK;
        if (node->type == NODE_POINT || node->type == NODE_TURN) continue;
        if (node->type == NODE_JOINT) {
            data->set->ends[node->index].effort = data->set->f[row];
            if (stuck) data->set->ends[node->index].v = 0.0;
        } else {
            answer(network, scratch, node->index, data->set->f + row, data->set->v + row, stuck);
        }
    }
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int k = a->generalized; k < a->generalized + a->dim; ++k) {
            const AxisEnd *end = &data->set->ends[k];
            if (data->joints[k].reaction >= 0)
                answer(network, scratch, data->joints[k].reaction, &end->effort, &end->v,
                       end->v == 0.0);
        }
    }
}

static void read_answers(const StiNetwork *network, StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    StiStepFigures *figures = &scratch->figures;
    figures->points = 0;
    figures->reaction_power = 0.0;
    read_points(network, scratch);
    sti_coupled_read_bristles(network, scratch);
    figures->reaction_power += sti_coupled_read_turns(scratch);
    read_reactions(network, scratch);
    for (int i = 0; i < scratch->contacts->point_count; ++i)
        figures->reaction_power +=
            sti_vec3_dot(scratch->contacts->points[i].force, scratch->contacts->points[i].velocity);
    figures->reaction_residual = data->set->answer.residual;
    figures->soft = data->set->answer.soft_islands;
    figures->creep = data->set->answer.creep;
    figures->unsolved = data->set->answer.unsolved_islands;
    figures->unsolved_at =
        figures->unsolved > 0 ? sti_node_name(network, scratch, data->set->answer.worst) : "";
}

// The loads that belong to smooth forces and reactions together.
static StiStatus loads_with_reactions(const StiNetwork *network, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    sti_phi_reactions(network, scratch->reactions->answers, now, now->generalized, now->wrenches);
    sti_contacts_push(scratch->contacts, now->wrenches);
    return sti_admittances(network, scratch, now);
}

static bool coordinates_stick(const StiNetwork *network, const StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < data->set->node_count; ++i)
        if (data->set->nodes[i].type == NODE_REACTION && data->set->modes[i] == STI_BLOCK_STICK &&
            network->reactions[data->set->nodes[i].index].wire.wire.kind->coordinates)
            return true;
    return false;
}

// What is left of a body's velocity is below what the cone solver tells from 0, beside what its forces take
// off: the body is held.
static void rest_if_held(const Admittance *a, double T, const double *dv, double *v)
{
    static const double nothing = 1e-12;
    double taken = 0.0, left = 0.0;
    for (int d = 0; d < a->size.velocities; ++d) {
        taken = fmax(taken, fabs(T * dv[d]));
        left = fmax(left, fabs(v[d]));
    }
    for (int d = 0; left <= nothing * taken && d < a->size.velocities; ++d) v[d] = 0.0;
}

// v = vbar + T H^-1 J^T f; stuck joints 0 by assignment; positions from the new v.
static void advance(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const CoupledData *data = coupled_data(scratch);
    sti_rows_respond(network, data->set, &scratch->reactions->response);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const double *dv = scratch->reactions->response.dv + a->generalized;
        double *v = scratch->next + a->v;
        for (int d = 0; d < a->size.velocities; ++d)
            v[d] = a->robot != NULL ? data->set->ends[a->generalized + d].v
                                    : v[d] + network->step * dv[d];
        if (a->robot == NULL) rest_if_held(a, network->step, dv, v);
    }
    if (coordinates_stick(network, scratch))
        sti_assign_stuck(network, scratch, now->ports, scratch->next);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0)
            a->kind->move(a->parameters, scratch->next + a->v, network->step, scratch->next + a->q);
    }
    for (int i = 0; i < network->y_count; ++i)
        next_y(scratch)[i] = state->values[state->y + i] + network->step * now->ydot[i];
    memcpy(next_loads(scratch), now->loads, (size_t)network->load_count * sizeof *now->loads);
}

// ---- what is remembered -------------------------------------------------------------------------

static void settle_reaction(const StiNetwork *network, StiScratch *scratch, int i)
{
    const Reaction *e = &network->reactions[i];
    const StiReactionAnswer *a = &scratch->reactions->answers[i];
    AnchorMemory *anchor = sti_anchor_memory(network, coupled_data(scratch), i, next_s(scratch));
    const StageData *now = &scratch->stages[0];
    const StiReactionProblem problem = {.dim = e->size.dim,
                                        .T = network->step,
                                        .v = now->velocity + e->wire.v,
                                        .signals = now->ports + e->port};
    if (e->kind->settle != NULL)
        e->kind->settle(e->parameters, &problem, a, next_s(scratch) + e->s);
    if (anchor == NULL) return;
    for (int d = 0; a->stuck && anchor->held == 0.0 && d < e->size.dim; ++d)
        anchor->at[d] = now->position[e->wire.x + d];
    anchor->held = a->stuck ? 1.0 : 0.0;
}

static void settle_joints(const StiNetwork *network, StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int k = a->generalized; k < a->generalized + a->dim; ++k) {
            const Joint *joint = &data->joints[k];
            if (joint->reaction < 0) continue;
            JointMemory *memory = sti_joint_memory(network, joint, next_s(scratch));
            const double v = data->set->ends[k].v;
            memory->effort = data->set->ends[k].effort;
            memory->quiet = !joint->node       ? 0.0
                            : !joint->was_node ? QUIET_STEPS
                                               : memory->quiet - 1.0;
            memory->mode = !joint->node ? (double)data->set->friction[k].mode
                           : v > 0.0    ? AXIS_FORWARD
                           : v < 0.0    ? AXIS_BACKWARD
                                        : AXIS_STUCK;
        }
    }
}

static void settle(const StiNetwork *network, StiScratch *scratch)
{
    memcpy(next_s(scratch), scratch->reactions->s, (size_t)network->s_count * sizeof(double));
    for (int i = 0; i < network->reaction_count; ++i) settle_reaction(network, scratch, i);
    settle_joints(network, scratch);
    sti_contacts_settle(network, network->step, scratch->contacts, next_s(scratch));
    sti_settle_impedances(network, scratch, &scratch->stages[0]);
}

// Loads moved, or slip that changed its sign is to be held.
static bool goes_on(const StiNetwork *network, StiScratch *scratch, int *iterations,
                    StiStatus *status)
{
    // where nobody listens to loads they are not computed, and stay as they are in the state
    if (network->iterates_loads &&
        sti_loads_moved(network, scratch, &scratch->stages[0], iterations, status))
        return true;
    if (*status != STI_OK) return false;
    const bool points = sti_contacts_arrest_reversals(network, scratch->contacts);
    const bool reactions = sti_arrest_reversals(network, scratch);
    *iterations = 0;
    return points || reactions;
}

static StiStatus resolve(const StiNetwork *network, StiScratch *scratch)
{
    for (int round = 0;; ++round) {
        sti_coupled_rows(network, scratch);
        sti_coupled_clear_bounces(scratch);
        const StiStatus status = sti_coupled_resolve(network, scratch);
        if (status != STI_OK || !sti_coupled_admit(network, scratch, round)) return status;
    }
}

// ---- the step -----------------------------------------------------------------------------------

static StiStatus step(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    int iterations = 0;
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status == STI_OK) status = sti_smooth_start(network, inputs, state, scratch);
    if (status == STI_OK) status = prepare_bodies(network, scratch);
    if (status != STI_OK) return status;
    place(network, scratch);
    sti_modes_at_start(network, now, scratch->reactions->s);
    sti_contacts_detect(network, now, network->step, scratch->reactions->s, scratch->contacts);
    sti_coupled_set_aside(network, scratch);
    sti_arrests_clear(network, scratch);
    do {
        status = smooth_forces(network, state, scratch);
        if (status != STI_OK) break;
        free_velocity(network, state, scratch);
        sti_joints_begin(network, scratch);
        status = resolve(network, scratch);
        if (status != STI_OK) break;
        read_answers(network, scratch);
        if (network->iterates_loads) status = loads_with_reactions(network, scratch);
    } while (status == STI_OK && goes_on(network, scratch, &iterations, &status));
    if (status != STI_OK) return status;
    if (network->iterates_loads) sti_phi(network, now); // uhat of the smooth forces again
    advance(network, state, scratch);
    status = sti_fly(network, state, scratch);
    if (status != STI_OK) return status;
    sti_coupled_project(network, scratch);
    status = sti_constrain(network, state, scratch, now);
    if (status != STI_OK) return status;
    settle(network, scratch);
    return sti_step_commit(network, state, scratch, &now->stage);
}

static const char *refuse(const StiNetwork *network, const char **element)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const StiWireKind *wire = e->wire.wire.kind;
        *element = e->name;
        if (e->kind->level == NULL) return "resolves friction with a level, such as finite-time";
        if (!wire->coordinates && !wire->links)
            return "its wire names neither coordinates nor links";
    }
    return NULL;
}

static const StiExplanation explanation = {
    .equations = "H (v+ - v) = T (tau - b + tau_f + J^T f),    q+ = q + T v+\n"
                 "joint:    v+ = 0 and |tau_f| <= F,  or  tau_f = -sgn(v+) F(|v+|)\n"
                 "contact:  0 <= f_n  perp  v+_n + max(gap, 0)/T >= 0\n"
                 "          v+_t = 0 and |f_t| <= mu f_n,  or  f_t = -mu f_n v+_t/|v+_t|\n",
    .use = "The default of rule with contacts, or with friction at the joints of robots. "
           "Linear in the number of links; nothing to tune. What is stuck is exactly zero; "
           "penetration and the slip of sticking contacts are taken back by a position "
           "projection that leaves velocities alone. Forces that are not unique are those of "
           "least norm. Takes finite-time friction of any law; steps whose contacts have no "
           "solution are solved without friction and counted (StiStepFigures.unsolved), and "
           "so are those that creep (soft).",
    .source = "Joint modes inside the articulated-body recursion, contacts by the cone "
              "solver.",
};

const StiSolver sti_solver_coupled = {
    .name = "coupled",
    .summary = "exact friction cones for joints and contacts together; energy is never added",
    .contacts = true,
    .rows = true,
    .refuse = refuse,
    .discrete = sti_coupled_discrete,
    .take = sti_coupled_take,
    .step = step,
    .explanation = &explanation,
};
