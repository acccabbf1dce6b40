// Contacts and what sticks as rows, at one configuration: W, and c at either level.
#include <string.h>

#include "algebra/spatial.h"
#include "evaluate/evaluate.h"
#include "evaluate/touches.h"

static bool is_touched(const TouchData *data, const bool *takes_part, int admittance)
{
    for (int i = 0; i < data->count; ++i)
        if (takes_part[i] && (data->places[i].admittance[0] == admittance ||
                              data->places[i].admittance[1] == admittance))
            return true;
    return false;
}

static void add_place(const StiNetwork *network, StiScratch *scratch, int i)
{
    TouchData *data = scratch->touches;
    const ContactPlace *place = &data->places[i];
    const Touch *touch = &data->touches[i];
    const StiContact *p = network->contacts[place->contact].parameters;
    const RowPoint at = {.admittance = {place->admittance[0], place->admittance[1]},
                         .frame = {place->frame[0], place->frame[1]},
                         .arm = {touch->arm[0], touch->arm[1]},
                         .directions = {touch->rows[0], touch->rows[1], touch->rows[2]}};
    const StiBlockNode node = {.kind = STI_BLOCK_CONTACT,
                               .dim = TOUCH_ROWS,
                               .limit = p->mu,
                               .limit_static = p->mu};
    data->row_of[i] = sti_rows_add_point(network, scratch->rows, &at, i, node);
}

// Friction that holds an axis does so inside the robot's recursion, unless it is asked whether it does,
// or contacts hold the robot, too: then who carries what is a question for all of them together.
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

// Nothing has moved, and the same take part: rows and W are there.
static bool built_already(const StiNetwork *network, TouchData *data, const bool *takes_part,
                          const bool *held)
{
    bool same = data->built && data->built_asking == data->asking;
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
    data->built = true;
    return same;
}

StiStatus sti_touches_build(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            const bool *takes_part, const bool *held)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const Response *response = &scratch->reactions->response;
    set->at = now;
    if (built_already(network, data, takes_part, held)) return STI_OK;
    data->answered = false;
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
    const int culprit = sti_rows_prepare(network, set, response);
    if (culprit >= 0) data->built = false;
    if (culprit >= 0)
        return sti_fault(scratch, STI_BAD_ARGUMENT, network->admittances[culprit].name, "inertia",
                         &now->stage);
    memset(set->W_fixed, 0, (size_t)set->W_count * sizeof *set->W_fixed);
    if (!set->only_robots) sti_rows_bodies(network, set, response);
    return STI_OK;
}

static StiStatus add_robots(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            const double *v, const double *tau)
{
    const int culprit = sti_rows_robots(network, scratch->rows, v, tau, &scratch->figures.steep);
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
    memset(touch->drift, 0, sizeof touch->drift);
    if (sti_touch_motion(&place->shapes[0], links[0], &place->shapes[1], links[1], &touch->touch,
                         &motion))
        sti_contact_drift(&touch->touch, &motion, links, bias, touch->drift);
}

// Links of all bodies but robots, moving with their accelerations.
static void pose_accelerations(const StiNetwork *network, const StageData *now,
                               const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->posed && a->robot == NULL && !a->kind->prescribed)
            a->kind->pose(a->parameters, now->x + a->q, now->xdot + a->v, now->ports + a->port,
                          response->frames + a->link);
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

StiStatus sti_touches_accelerate(const StiNetwork *network, StiScratch *scratch,
                                 const StageData *now)
{
    RowSet *set = scratch->rows;
    const Response *response = &scratch->reactions->response;
    const RowMotion motion = {.frames = response->frames, .x = now->xdot};
    pose_accelerations(network, now, response);
    for (int i = 0; i < set->row_count; ++i)
        set->c_fixed[i] =
            sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size_fixed[i]) +
            drift_of(network, scratch, i);
    return add_robots(network, scratch, now, NULL, now->generalized);
}

// ---- velocities -----------------------------------------------------------------------------------

StiStatus sti_touches_move(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    const RowMotion motion = {now->frames, now->frames, now->x, true};
    for (int i = 0; i < set->row_count; ++i)
        set->c_fixed[i] =
            sti_row_velocity(network, set, &set->rows[i], &motion, &set->c_size_fixed[i]);
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
