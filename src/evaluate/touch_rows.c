// Contacts and what sticks as rows, at one configuration: W, and c at either level.
#include <string.h>

#include "algebra/spatial.h"
#include "evaluate/evaluate.h"
#include "evaluate/touches.h"
#include "shape/polytope.h"

static bool is_touched(const TouchData *data, const bool *takes_part, int admittance)
{
    for (int i = 0; i < data->count; ++i)
        if (takes_part[i] && (data->places[i].admittance[0] == admittance ||
                              data->places[i].admittance[1] == admittance))
            return true;
    return false;
}

static RowPoint point_of(const TouchData *data, int i)
{
    const ContactPlace *place = &data->places[i];
    const Touch *touch = &data->touches[i];
    return (RowPoint){.admittance = {place->admittance[0], place->admittance[1]},
                      .frame = {place->frame[0], place->frame[1]},
                      .arm = {touch->arm[0], touch->arm[1]},
                      .directions = {touch->rows[0], touch->rows[1], touch->rows[2]}};
}

static void add_place(const StiNetwork *network, StiScratch *scratch, int i)
{
    TouchData *data = scratch->touches;
    const RowPoint at = point_of(data, i);
    const double mu = sti_touch_rub(network, data, i).mu;
    const StiBlockNode node = {.kind = STI_BLOCK_CONTACT,
                               .dim = TOUCH_ROWS,
                               .limit = mu,
                               .limit_static = mu};
    data->row_of[i] = sti_rows_add_point(network, scratch->rows, &at, i, node);
}

// Friction that holds an axis does so inside the robot's recursion, unless it is asked whether it does,
// or contacts hold the robot, too: then what each carries is a question for all of them together.
static void add_held(const StiNetwork *network, StiScratch *scratch, const bool *takes_part, int i)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const int axis = set->axis_of[i];
    const int body = network->reactions[i].wire.wire.a.admittance;
    if (axis >= 0 && !data->asking && !is_touched(data, takes_part, body))
        set->friction[axis].mode = AXIS_STUCK;
    else
        data->row_of_reaction[i] =
            sti_rows_add_reaction(network, set, &scratch->reactions->response, i);
}

// The same take part as in the rows at hand?
static bool same_take_part(const StiNetwork *network, TouchData *data, const bool *takes_part,
                           const bool *held)
{
    bool same = data->built_asking == data->asking;
    data->built_asking = data->asking;
    for (int i = 0; i < data->count; ++i) {
        same = same && data->built_part[i] == takes_part[i];
        data->built_part[i] = takes_part[i];
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const bool holds = held != NULL && held[i];
        same = same && data->built_held[i] == holds;
        data->built_held[i] = holds;
    }
    return same;
}

// Points only, on bodies of one link.
static bool needs_no_W(const StiNetwork *network, const RowSet *set)
{
    for (int i = 0; i < set->node_count; ++i) {
        const Row *row = &set->rows[set->block_nodes[i].row];
        if (set->nodes[i].type != NODE_POINT) return false;
        for (int j = 0; j < 2; ++j) {
            const int body = row->sides[j].admittance;
            if (body >= 0 &&
                (!row->sides[j].responds || network->admittances[body].kind->link_response == NULL))
                return false;
        }
    }
    return set->robot_count == 0;
}

static void add_rows(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     const bool *takes_part, const bool *held)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    sti_rows_clear(set, now, 1.0);
    for (int i = 0; i < network->generalized_count; ++i)
        set->friction[i] = (AxisFriction){.mode = AXIS_FREE};
    for (int i = 0; i < data->count; ++i) {
        data->row_of[i] = -1;
        if (takes_part[i]) add_place(network, scratch, i);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        data->row_of_reaction[i] = -1;
        if (held != NULL && held[i]) add_held(network, scratch, takes_part, i);
    }
    sti_rows_complete(network, set);
    data->direct = needs_no_W(network, set);
}

// Those of reactions on coordinates do not depend on where the bodies are.
static bool only_points_move(const StiNetwork *network, const RowSet *set)
{
    for (int n = 0; n < set->node_count; ++n)
        if (set->nodes[n].type == NODE_REACTION &&
            !network->reactions[set->nodes[n].index].wire.wire.kind->coordinates)
            return false;
    return true;
}

static void move_rows(RowSet *set, const TouchData *data)
{
    for (int n = 0; n < set->node_count; ++n) {
        if (set->nodes[n].type != NODE_POINT) continue;
        const RowPoint at = point_of(data, set->nodes[n].index);
        sti_rows_move_point(set, &at, set->block_nodes[n].row);
    }
}

StiStatus sti_touches_build(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            const bool *takes_part, const bool *held)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    set->at = now;
    const bool same = same_take_part(network, data, takes_part, held);
    if (same && data->built) return STI_OK;
    data->answered = data->weighed = data->A_known = false;
    set->robots_weighed = false;
    if (same && data->shaped && only_points_move(network, set))
        move_rows(set, data);
    else
        add_rows(network, scratch, now, takes_part, held);
    const int culprit = sti_rows_prepare(network, set, &scratch->reactions->response);
    data->built = data->shaped = culprit < 0;
    if (culprit < 0) return STI_OK;
    return sti_fault(scratch, STI_BAD_ARGUMENT, network->admittances[culprit].name, "inertia",
                     &now->stage);
}

// W of all bodies but robots.
static void weigh(const StiNetwork *network, StiScratch *scratch)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    if (data->weighed) return;
    memset(set->W_fixed, 0, (size_t)set->W_count * sizeof *set->W_fixed);
    if (!set->only_robots) sti_rows_bodies(network, set, &scratch->reactions->response);
    data->weighed = true;
}

static StiStatus add_robots(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            const double *v, const double *tau)
{
    RowSet *set = scratch->rows;
    weigh(network, scratch);
    scratch->touches->lazy = false;
    for (int i = 0; i < set->robot_count; ++i) set->robots[i].trial.marked = false;
    const int culprit = sti_rows_robots(network, set, v, tau, &scratch->figures.steep);
    set->robots_weighed = culprit < 0;
    if (culprit < 0) return STI_OK;
    return sti_fault(scratch, STI_BAD_ARGUMENT, network->admittances[culprit].name, "inertia",
                     &now->stage);
}

// ---- accelerations --------------------------------------------------------------------------------

static StiTwist bias_of(const StiNetwork *network, const RowSet *set, const ContactPlace *place,
                        int side)
{
    const int body = place->admittance[side];
    const bool robot = body >= 0 && network->admittances[body].robot != NULL;
    return robot ? set->bias[place->frame[side]] : (StiTwist){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
}

// The normal stays; the touch goes with the centre of the sphere, half of the opening below it.
static StiTouchMotion drift_on_floor(const StiFrame *link, const StiTwist *bias, double radius,
                                     Touch *touch)
{
    const StiVec3 n = touch->touch.normal;
    const StiVec3 centre = sti_vec3_add_scaled(touch->touch.point_a, radius, n);
    const StiVec3 turning = sti_vec3_cross(link->w, sti_vec3_sub(centre, link->p));
    const double opening = sti_vec3_dot(n, sti_vec3_add(link->v, turning));
    const StiVec3 over = sti_vec3_add_scaled(turning, -0.5 * opening, n);
    const StiVec3 own = sti_vec3_add(bias->v, sti_vec3_cross(bias->w, touch->arm[0]));
    const StiVec3 rate = sti_vec3_add(own, sti_vec3_cross(link->w, over));
    for (int d = 0; d < TOUCH_ROWS; ++d) touch->drift[d] = sti_vec3_dot(touch->rows[d], rate);
    const StiVec3 moving = sti_vec3_add(link->v, over);
    return (StiTouchMotion){.point_a = moving, .point_b = moving};
}

// What surfaces that run add to the drift.
static void drift_of_surfaces(const StiNetwork *network, const ContactPlace *place,
                              const StiTouchMotion *motion, const StiFrame *const links[2],
                              Touch *touch)
{
    const Contact *contact = &network->contacts[place->contact];
    if (!contact->surfaces_run) return;
    for (int side = 0; side < 2; ++side) {
        const StiShape *shape = &contact->shapes[place->shape[side]].shape;
        if (sti_surface_runs(shape))
            sti_contact_drift_of_surface(shape, links[side], &touch->touch, motion,
                                         side == 0 ? 1.0 : -1.0, touch->drift);
    }
}

void sti_touches_drift(const StiNetwork *network, StiScratch *scratch, const StageData *now, int i)
{
    static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};
    const ContactPlace *place = &scratch->touches->places[i];
    Touch *touch = &scratch->touches->touches[i];
    const StiFrame *links[2];
    StiTwist bias[2];
    StiTouchMotion motion;
    for (int k = 0; k < 2; ++k) {
        links[k] = place->frame[k] < 0 ? &world : &now->frames[place->frame[k]];
        bias[k] = bias_of(network, scratch->rows, place, k);
    }
    if (scratch->touches->floors[i].shape != NULL) {
        motion = drift_on_floor(links[0], &bias[0], place->shapes[0].radius, touch);
        drift_of_surfaces(network, place, &motion, links, touch);
        return;
    }
    memset(touch->drift, 0, sizeof touch->drift);
    const bool cross = place->sense != 0.0;
    if (cross)
        sti_edges_motion(&place->shapes[0], links[0], &place->shapes[1], links[1], place->sense,
                         &touch->touch, &motion);
    if (cross || sti_touch_motion(&place->shapes[0], links[0], &place->shapes[1], links[1],
                                  &touch->touch, &motion)) {
        sti_contact_drift(&touch->touch, &motion, links, bias, touch->drift);
        drift_of_surfaces(network, place, &motion, links, touch);
    }
}

// Links of all bodies but robots, moving with accelerations: those of now, or laid out like generalized.
static void pose_accelerations(const StiNetwork *network, const StageData *now, const double *apart,
                               const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->posed && a->robot == NULL && !a->kind->prescribed)
            a->kind->pose(a->parameters, now->x + a->q,
                          apart != NULL ? apart + a->generalized : now->xdot + a->v,
                          now->ports + a->port, response->frames + a->link);
    }
}

static double drift_of(const StiNetwork *network, const StiScratch *scratch, int row)
{
    const RowSet *set = scratch->rows;
    const RowNode *node = &set->nodes[set->node_of_row[row]];
    const int axis = row - set->block_nodes[set->node_of_row[row]].row;
    if (node->type == NODE_POINT) return scratch->touches->touches[node->index].drift[axis];
    return scratch->evaluate->wire_drift[network->reactions[node->index].wire.v + axis];
}

// What rows on robots have of c before the robots' own part.
static void take_drifts(const StiNetwork *network, StiScratch *scratch)
{
    RowSet *set = scratch->rows;
    for (int i = 0; i < set->row_count; ++i) {
        set->c_fixed[i] = drift_of(network, scratch, i);
        set->c_size_fixed[i] = 0.0;
    }
}

// c only.
static void accelerate_points(StiScratch *scratch)
{
    TouchData *data = scratch->touches;
    for (int i = 0; i < data->count; ++i) {
        if (data->row_of[i] < 0) continue;
        double *c = scratch->rows->c + data->row_of[i];
        sti_touch_velocity(&data->places[i], &data->touches[i], scratch->reactions->response.frames,
                           c);
        for (int d = 0; d < TOUCH_ROWS; ++d) c[d] += data->touches[i].drift[d];
    }
    data->lazy = true;
}

StiStatus sti_touches_accelerate(const StiNetwork *network, StiScratch *scratch,
                                 const StageData *now)
{
    RowSet *set = scratch->rows;
    const Response *response = &scratch->reactions->response;
    const RowMotion motion = {.frames = response->frames, .x = now->xdot};
    if (set->only_robots) {
        take_drifts(network, scratch);
        return add_robots(network, scratch, now, NULL, now->generalized);
    }
    pose_accelerations(network, now, NULL, response);
    if (scratch->touches->direct) {
        accelerate_points(scratch);
        return STI_OK;
    }
    for (int i = 0; i < set->row_count; ++i)
        set->c_fixed[i] =
            sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size_fixed[i]) +
            drift_of(network, scratch, i);
    return add_robots(network, scratch, now, NULL, now->generalized);
}

void sti_touches_complete(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const Response *response = &scratch->reactions->response;
    const RowMotion motion = {.frames = response->frames};
    if (!data->lazy) return;
    weigh(network, scratch);
    sti_rows_take_fixed_W(set);
    pose_accelerations(network, now, data->free, response);
    for (int i = 0; i < set->row_count; ++i)
        sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size[i]);
    data->lazy = false;
}

double sti_touches_mobility(const StiNetwork *network, const StiScratch *scratch, int row)
{
    const RowSet *set = scratch->rows;
    const int node = set->node_of_row[row];
    double sum = 0.0;
    if (!scratch->touches->lazy) {
        const StiBlockPair *own = sti_pair_own(set, node);
        return set->W[own->place + (row - set->block_nodes[node].row) * (own->stride + 1)];
    }
    for (int j = 0; j < 2; ++j) {
        const RowSide *side = &set->rows[row].sides[j];
        if (!side->responds) continue;
        const StiTwist twist =
            sti_link_twist(network, &scratch->reactions->response, side->admittance, &side->wrench);
        sum += sti_wrench_power(side->wrench, twist);
    }
    return sum;
}

// ---- velocities -----------------------------------------------------------------------------------

// How surfaces run along a row.
static double surface_along(const StiScratch *scratch, int row)
{
    const RowSet *set = scratch->rows;
    const int node = set->node_of_row[row], axis = row - set->block_nodes[node].row;
    if (set->nodes[node].type != NODE_POINT || axis == TOUCH_NORMAL) return 0.0;
    return scratch->touches->touches[set->nodes[node].index].surface[axis];
}

StiStatus sti_touches_move(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    const RowMotion motion = {now->frames, now->frames, now->x, true};
    for (int i = 0; i < set->row_count; ++i)
        set->c_fixed[i] =
            sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size_fixed[i]) +
            surface_along(scratch, i);
    sti_rows_unload_robots(set);
    return add_robots(network, scratch, now, now->x, NULL);
}

StiStatus sti_touches_still(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    memset(set->c_fixed, 0, (size_t)set->row_count * sizeof *set->c_fixed);
    memset(set->c_size_fixed, 0, (size_t)set->row_count * sizeof *set->c_size_fixed);
    sti_rows_unload_robots(set);
    return add_robots(network, scratch, now, NULL, NULL);
}

void sti_touches_apply(const StiNetwork *network, StiScratch *scratch, double *v_of_x)
{
    RowSet *set = scratch->rows;
    sti_rows_end_robots(network, set);
    sti_rows_respond(network, set, &scratch->reactions->response);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const double *dv = scratch->reactions->response.dv + a->generalized;
        const AxisEnd *ends = set->ends + a->generalized;
        for (int d = 0; d < a->size.velocities; ++d) {
            if (a->robot != NULL)
                v_of_x[a->v + d] = ends[d].v;
            else if (set->node_first[i + 1] > set->node_first[i])
                v_of_x[a->v + d] += dv[d];
        }
    }
}
