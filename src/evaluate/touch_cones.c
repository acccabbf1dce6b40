// The rows at hand with the limits of contacts and friction, for the cone solver: it finds forces within
// them where there are any, also where forces are not unique.
#include <math.h>
#include <string.h>

#include "evaluate/touches.h"
#include "law/norm.h"

// A load that has just reached its limit is let go, although rounding may see it below.
static const double nudge = 1e-9;

// ---- nodes ----------------------------------------------------------------------------------------

static void set_point(const StiNetwork *network, const double *s, const StiScratch *scratch,
                      const StageData *now, int i, StiBlockNode *node)
{
    const TouchData *data = scratch->touches;
    const ContactPlace *place = &data->places[i];
    const Touch *touch = &data->touches[i];
    const ContactSlot *slot = sti_touch_memory(network, place, s);
    const TouchRub rub = sti_touch_rub(network, data, i);
    node->limit = rub.mu;
    node->limit_static = rub.mu_static;
    const bool moves = sti_hypot(touch->v[0], touch->v[1]) > sti_touch_least_speed(scratch, now, i);
    node->stuck_before = slot == NULL ? !moves : slot->mode == TOUCH_STICK;
    node->sliding = moves && (slot == NULL || slot->mode == TOUCH_SLIP);
    if (node->sliding) {
        const ContactSlot new_slot = {.mode = TOUCH_SLIP};
        const StiVec3 slip = sti_touch_slip(data, i, slot != NULL ? slot : &new_slot);
        for (int d = 0; d < TOUCH_NORMAL; ++d) node->along[d] = sti_vec3_dot(slip, touch->rows[d]);
    } else if (!node->stuck_before) {
        node->limit *= 1.0 - nudge;
    }
}

static void set_reaction(const StiNetwork *network, const bool *forced, const StageData *now, int i,
                         StiBlockNode *node)
{
    const Reaction *e = &network->reactions[i];
    const double *signals = now->ports + e->port;
    const double direction = sti_direction(e->size.dim, now->u + e->wire.v);
    const bool released = forced != NULL && forced[i];
    node->stuck_before = !released;
    node->limit = e->kind->modes->level(e->parameters, 0.0, direction, signals);
    node->limit_static =
        fmax(node->limit, e->kind->modes->limit(e->parameters, direction, signals));
    if (released) node->limit *= 1.0 - nudge;
}

// Limits and directions of the nodes at hand, and forces to start from.
void sti_touches_set_cones(const StiNetwork *network, const double *s, const bool *forced,
                           StiScratch *scratch, const StageData *now)
{
    RowSet *set = scratch->rows;
    for (int n = 0; n < set->node_count; ++n) {
        StiBlockNode *node = &set->block_nodes[n];
        const int index = set->nodes[n].index;
        if (set->nodes[n].type == NODE_POINT)
            set_point(network, s, scratch, now, index, node);
        else
            set_reaction(network, forced, now, index, node);
    }
}

void sti_touches_let_departures_slide(const StiNetwork *network, const double *s,
                                      StiScratch *scratch, const StageData *now, bool moving)
{
    RowSet *set = scratch->rows;
    const TouchData *data = scratch->touches;
    for (int n = 0; n < set->node_count; ++n) {
        if (set->nodes[n].type != NODE_POINT) continue;
        const int i = set->nodes[n].index;
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        StiBlockNode *node = &set->block_nodes[n];
        if (slot == NULL || slot->mode == TOUCH_STICK) continue;
        if (moving && !sti_touch_slides_on(network, scratch, now, i)) continue;
        const StiVec3 slip = sti_touch_slip(data, i, slot);
        node->sliding = true;
        node->limit = sti_touch_rub(network, data, i).mu;
        for (int d = 0; d < TOUCH_NORMAL; ++d)
            node->along[d] = sti_vec3_dot(slip, data->touches[i].rows[d]);
    }
}

// From the last answer, if it was one of the same rows.
StiStatus sti_touches_solve_cones(const StiNetwork *network, StiScratch *scratch,
                                  const StageData *now)
{
    RowSet *set = scratch->rows;
    TouchData *data = scratch->touches;
    const size_t bytes = (size_t)set->row_count * sizeof *set->f;
    sti_touches_complete(network, scratch, now);
    if (data->answered)
        memcpy(set->f, data->answer, bytes);
    else
        memset(set->f, 0, bytes);
    const StiStatus status = sti_rows_solve(set, data->answered, true);
    data->answered = false;
    if (status == STI_OK && set->answer.outcome <= STI_BLOCK_SOFT) return STI_OK;
    const int worst =
        set->answer.worst >= 0 && set->answer.worst < set->node_count ? set->answer.worst : 0;
    const RowNode *node = &set->nodes[worst];
    const char *name = node->type == NODE_POINT
                           ? network->contacts[scratch->touches->places[node->index].contact].name
                           : network->reactions[node->index].name;
    return sti_fault(scratch, status != STI_OK ? status : STI_NO_SOLUTION, name, "contact",
                     &now->stage);
}

// ---- do they hold as they are? ----------------------------------------------------------------------

// A place that carries nothing, or all it can, and does not move either, because the others hold it there.
static bool lies_idle(const RowSet *set, int n, bool sticks)
{
    static const double slack = 1e-9; // of the accelerations at hand
    const int row = set->block_nodes[n].row;
    for (int d = sticks ? 0 : TOUCH_NORMAL; d < TOUCH_ROWS; ++d)
        if (fabs(set->v[row + d]) > slack * set->c_size[row + d]) return false;
    return true;
}

static bool keeps_mode(const StiNetwork *network, const double *s, const StiScratch *scratch, int n)
{
    const RowSet *set = scratch->rows;
    const StiBlockMode mode = set->modes[n];
    if (set->nodes[n].type == NODE_REACTION) return mode == STI_BLOCK_STICK;
    const ContactSlot *slot =
        sti_touch_memory(network, &scratch->touches->places[set->nodes[n].index], s);
    const bool sticks = slot->mode == TOUCH_STICK;
    // at its limit and yet at rest: it holds
    const bool stays = mode == STI_BLOCK_STICK || (!sticks && mode != STI_BLOCK_OPEN);
    return stays || lies_idle(set, n, sticks);
}

bool sti_touches_hold_on(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now)
{
    const RowSet *set = scratch->rows;
    const StiFault fault = scratch->fault;
    sti_touches_set_cones(network, s, NULL, scratch, now);
    sti_touches_let_departures_slide(network, s, scratch, now, false);
    const StiStatus status = sti_touches_solve_cones(network, scratch, now);
    scratch->fault = fault;
    for (int n = 0; status == STI_OK && n < set->node_count; ++n)
        if (!keeps_mode(network, s, scratch, n)) return false;
    if (status != STI_OK) return false;
    memcpy(scratch->touches->answer, set->f, (size_t)set->row_count * sizeof *set->f);
    scratch->touches->answered = true;
    return true;
}
