#include "cut/progress.h"

#include <string.h>

#include "law/norm.h"
#include "continuous/continuous.h"
#include "rows/reactions.h"
#include "events/rest.h"

void sti_progress_place(Progress *c)
{
    StageData *now = &c->scratch->stages[0];
    now->stage.t = c->data->t;
    now->stage.tau = 0.0;
    memcpy(now->x, c->data->x,
           (size_t)(c->network->x_count + c->network->y_count) * sizeof *now->x);
}

void sti_progress_take_stretch(Progress *c)
{
    const StiSmoothInterval piece = sti_continuous_smooth_interval(c->network, c->data->t);
    c->to = piece.to;
    sti_continuous_limit_to(c->scratch, piece);
}

StiStatus sti_progress_decide_from(Progress *c, bool known)
{
    SubstepData *data = c->data;
    const StiNetwork *n = c->network;
    data->judged = false;
    const StiStatus status = sti_modes_at_rest(n, c->inputs, data->forced, known, data->s,
                                               c->scratch, &c->scratch->stages[0]);
    memset(data->forced, 0, (size_t)n->reaction_count * sizeof *data->forced);
    for (int i = 0; i < n->reaction_count; ++i) // pieces slide implicitly, from rest too
        if (data->s[n->reactions[i].s] == STI_DEPART) data->s[n->reactions[i].s] = STI_SLIP;
    data->columns_known = false;
    for (int m = 0; m < data->mode_count; ++m)
        if (data->modes[m].reaction &&
            c->scratch->rest->released[data->modes[m].element] != UNTOUCHED) {
            if (!data->fresh[m]) ++c->scratch->figures.events;
            data->fresh[m] = true;
        }
    return status;
}

StiStatus sti_progress_decide(Progress *c)
{
    sti_progress_place(c);
    return sti_progress_decide_from(c, false);
}

// Slips, but its body does not hold it by a coordinate of its own: it may have to stop with others.
static bool may_share_freedom(const Progress *c, int m)
{
    const ModePlace *place = &c->data->modes[m];
    if (!place->reaction || c->network->reactions[place->element].damper) return false;
    return c->data->s[place->s] == STI_SLIP && !c->data->fresh[m] &&
           !c->network->reactions[place->element].held;
}

// What shares its freedom with a row that has come to rest is at rest, too.
static void rest_together(Progress *c)
{
    SubstepData *data = c->data;
    StageData *now = &c->scratch->stages[0];
    bool any = false;
    for (int m = 0; m < data->mode_count; ++m) any = any || may_share_freedom(c, m);
    if (!any) return;
    sti_progress_place(c);
    sti_psi_reactions(c->network, now);
    if (sti_modes_inertia(c->network, c->scratch, now) != STI_OK)
        return; // the evaluation that follows says so
    for (int m = 0; m < data->mode_count; ++m) {
        const ModePlace *place = &data->modes[m];
        if (!may_share_freedom(c, m)) continue;
        const double *v = now->velocity + c->network->reactions[place->element].wire.v;
        if (sti_norm(place->dim, v) >
            sti_modes_no_speed(c->network, c->scratch, now, place->element))
            continue;
        data->s[place->s] = STI_STICK;
        data->fresh[m] = true;
        ++c->scratch->figures.events;
    }
}

StiStatus sti_progress_settle(Progress *c)
{
    const StiStatus status =
        sti_modes_hold(c->network, c->data->s, c->scratch, &c->scratch->stages[0], c->data->x);
    if (status != STI_OK) return status;
    if (c->network->constrains) rest_together(c);
    return sti_progress_decide(c);
}
