// Runge-Kutta-Gill with friction, contact forces, sources and inputs held over the step. Friction that
// were resolved anew in every stage, each with the whole step, would end in limit cycles.
#include <string.h>

#include "network/power.h"
#include "solver/paper/regularised.h"

static const StiMethod *const method = &sti_method_gill;

static StageData *stage_at(StiScratch *scratch, int r)
{
    return r == 0 ? &scratch->stages[0] : &regular_data(scratch)->later[r - 1];
}

// ---- the first stage ----------------------------------------------------------------------------

static StiStatus smooth_forces(const StiNetwork *network, const StiState *state,
                               StiScratch *scratch, StageData *now)
{
    const StiStatus status = sti_impedances(network, state->values + state->s, scratch, now);
    if (status == STI_OK) sti_phi(network, now);
    return status;
}

// Loads are those of the last step, as the joint's torque is; at first they must be found.
static StiStatus first_loads(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    const StiStatus status = sti_admittances(network, scratch, now);
    if (status != STI_OK) return status;
    memcpy(now->loads, scratch->evaluate->new_loads,
           (size_t)network->load_count * sizeof *now->loads);
    scratch->loads_unknown = false;
    return smooth_forces(network, state, scratch, now);
}

StiStatus sti_regular_begin(const StiNetwork *network, const double *inputs, const StiState *state,
                            StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    scratch->figures.unsolved_at = "";
    if (status == STI_OK) status = sti_smooth_motion(network, inputs, state, scratch);
    if (status != STI_OK) return status;
    now->stage.tau = method->tau[0] * network->step;
    status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status != STI_OK) return status;
    status = smooth_forces(network, state, scratch, now);
    if (status == STI_OK && scratch->loads_unknown) status = first_loads(network, state, scratch);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->reaction_count; ++i)
        sti_listen(&network->reactions[i].connections, now);
    sti_contacts_detect(network, now, network->step, scratch->reactions->s, scratch->contacts);
    return STI_OK;
}

// ---- forces that are held -----------------------------------------------------------------------

static void forces_to_points(const StiScratch *scratch)
{
    const RegularData *data = regular_data(scratch);
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        scratch->contacts->points[i].force = (StiVec3){0.0, 0.0, 0.0};
        scratch->contacts->points[i].mode = STI_BLOCK_OPEN;
    }
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        if (!node->point) continue;
        ContactPoint *point = &scratch->contacts->points[node->index];
        const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
        for (int d = 0; d < 3; ++d)
            point->force = sti_vec3_add_scaled(point->force, data->f[node->row + d], directions[d]);
        if (data->f[node->row + 2] > 0.0)
            point->mode = node->mode == MODE_STICK ? STI_BLOCK_STICK : STI_BLOCK_SLIDE;
    }
}

static void gather_held(const StiNetwork *network, StiScratch *scratch, bool rows)
{
    RegularData *data = regular_data(scratch);
    memset(data->held, 0, (size_t)network->generalized_count * sizeof *data->held);
    memset(data->held_wrenches, 0, (size_t)network->link_count * sizeof *data->held_wrenches);
    sti_phi_reactions(network, scratch->reactions->answers, &scratch->stages[0], data->held,
                      data->held_wrenches);
    if (!rows) return;
    forces_to_points(scratch);
    sti_contacts_push(scratch->contacts, data->held_wrenches);
}

static StiStatus accelerate(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    const RegularData *data = regular_data(scratch);
    for (int i = 0; i < network->generalized_count; ++i) now->generalized[i] += data->held[i];
    for (int i = 0; i < network->link_count; ++i)
        now->wrenches[i] = sti_wrench_add(now->wrenches[i], data->held_wrenches[i]);
    return sti_admittances(network, scratch, now);
}

StiStatus sti_regular_accelerate(const StiNetwork *network, StiScratch *scratch, bool rows)
{
    gather_held(network, scratch, rows);
    if (rows) sti_phi(network, &scratch->stages[0]); // anew, without what was held so far
    return accelerate(network, scratch, &scratch->stages[0]);
}

// ---- the later stages ---------------------------------------------------------------------------

static void trial_state(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                        int r)
{
    const StageData *first = &scratch->stages[0];
    StageData *now = stage_at(scratch, r);
    now->stage = first->stage;
    now->stage.tau = method->tau[r] * network->step;
    memcpy(now->x, state->values, (size_t)network->x_count * sizeof *now->x);
    memcpy(now->y, state->values + state->y, (size_t)network->y_count * sizeof *now->y);
    memcpy(now->loads, first->loads, (size_t)network->load_count * sizeof *now->loads);
    memcpy(now->sources, first->sources, (size_t)network->source_values * sizeof *now->sources);
    memcpy(now->ports, first->ports, (size_t)network->port_count * sizeof *now->ports);
    for (int j = 0; j < r; ++j) {
        const double h = network->step * method->A[r][j];
        const StageData *before = stage_at(scratch, j);
        for (int i = 0; h != 0.0 && i < network->x_count; ++i) now->x[i] += h * before->xdot[i];
        for (int i = 0; h != 0.0 && i < network->y_count; ++i) now->y[i] += h * before->ydot[i];
    }
}

static StiStatus later_stage(const StiNetwork *network, const StiState *state, StiScratch *scratch,
                             int r)
{
    StageData *now = stage_at(scratch, r);
    trial_state(network, state, scratch, r);
    sti_psi(network, now);
    const StiStatus status = smooth_forces(network, state, scratch, now);
    return status == STI_OK ? accelerate(network, scratch, now) : status;
}

static void advance(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    memcpy(scratch->next, state->values, (size_t)state->count * sizeof *scratch->next);
    for (int r = 0; r < method->stages; ++r) {
        const double h = network->step * method->b[r];
        const StageData *stage = stage_at(scratch, r);
        for (int i = 0; i < network->x_count; ++i) scratch->next[i] += h * stage->xdot[i];
        for (int i = 0; i < network->y_count; ++i) next_y(scratch)[i] += h * stage->ydot[i];
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0 && a->size.positions != a->size.velocities)
            a->kind->move(a->parameters, scratch->next + a->v, 0.0, scratch->next + a->q);
    }
    memcpy(next_loads(scratch), scratch->stages[0].loads,
           (size_t)network->load_count * sizeof(double));
}

// ---- work ---------------------------------------------------------------------------------------

static double power_of_point(const ContactPoint *point, const StageData *now)
{
    double power = 0.0;
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0) continue;
        const StiFrame *frame = &now->frames[point->frame[side]];
        const StiVec3 v = sti_vec3_add(frame->v, sti_vec3_cross(frame->w, point->arm[side]));
        power += (side == 0 ? 1.0 : -1.0) * sti_vec3_dot(point->force, v);
    }
    return power;
}

static void add_works(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                      double h)
{
    const Works *works = &scratch->works;
    for (int i = 0; i < network->impedance_count; ++i)
        works->absorbed_by_impedance[i] += h * sti_power_of_impedance(&network->impedances[i], now);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        for (int d = 0; d < e->size.dim; ++d)
            works->absorbed_by_reaction[i] +=
                h * scratch->reactions->answers[i].r[d] * now->velocity[e->wire.v + d];
    }
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        works->absorbed_by_contact[point->contact] -= h * power_of_point(point, now);
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        works->on_body[i] += h * sti_power_on(a, now->generalized, now->wrenches,
                                              sti_velocities_of(a, now), now->frames);
        works->supplied[i] += h * sti_power_supplied(a, now);
    }
}

static void clear_works(const StiNetwork *network, Works *works)
{
    works->given = true;
    memset(works->absorbed_by_impedance, 0, (size_t)network->impedance_count * sizeof(double));
    memset(works->absorbed_by_reaction, 0, (size_t)network->reaction_count * sizeof(double));
    memset(works->absorbed_by_contact, 0,
           (size_t)sti_contact_books(network->contact_count) * sizeof(double));
    memset(works->on_body, 0, (size_t)network->admittance_count * sizeof(double));
    memset(works->supplied, 0, (size_t)network->admittance_count * sizeof(double));
}

StiStatus sti_regular_finish(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    StiStatus status = STI_OK;
    memcpy(scratch->stages[0].loads, scratch->evaluate->new_loads,
           (size_t)network->load_count * sizeof(double));
    for (int r = 1; r < method->stages && status == STI_OK; ++r)
        status = later_stage(network, state, scratch, r);
    if (status != STI_OK) return status;
    advance(network, state, scratch);
    clear_works(network, &scratch->works);
    for (int r = 0; r < method->stages; ++r)
        add_works(network, scratch, stage_at(scratch, r), network->step * method->b[r]);
    return sti_constrain(network, state, scratch, &scratch->stages[0]);
}
