#include "cut/touch_state.h"

#include <math.h>

#include "evaluate/modes.h"
#include "events/touch_events.h"
#include "law/norm.h"

static const double negligible = 1e-12; // of a margin's scale

// Does what s says of a place agree with where it is and how it moves?
static bool fits(const Progress *c, int i)
{
    const TouchData *data = c->scratch->touches;
    const Touch *touch = &data->touches[i];
    const ContactSlot *slot = sti_touch_memory(c->network, &data->places[i], c->data->s);
    const double least = sti_touch_least_speed(c->scratch, &c->scratch->stages[0], i);
    const double v = touch->v[TOUCH_NORMAL];
    if (slot == NULL) // what comes apart, however slowly, is open
        return !sti_touch_is_near(touch) || (v >= -least && touch->rate[TOUCH_NORMAL] >= 0.0) ||
               v > least;
    return fabs(touch->touch.gap) <= sti_touch_nearness(touch) &&
           fabs(touch->v[TOUCH_NORMAL]) <= least &&
           (slot->mode != TOUCH_STICK || sti_hypot(touch->v[0], touch->v[1]) <= least);
}

// The same for friction elements.
static bool reaction_fits(const Progress *c, int i)
{
    const SubstepData *data = c->data;
    const StageData *now = &c->scratch->stages[0];
    const Reaction *e = &c->network->reactions[i];
    const StiMargin *margin = &data->before[data->mode_count - c->network->reaction_count + i];
    const double *v = now->velocity + e->wire.v, *mode = data->s + e->s;
    const double least = sti_modes_least_speed(c->network, c->scratch, now, i);
    if (mode[0] == STI_STICK)
        return sti_norm(e->size.dim, v) <= least && margin->g >= -negligible * margin->scale;
    return sti_mode_speed_along(e->size.dim, mode + 1, v) >= -least;
}

static int closed_slots(const StiNetwork *n, double *s)
{
    int count = 0;
    for (int i = 0; i < n->contact_count; ++i)
        for (int k = 0; k < n->contacts[i].capacity; ++k)
            count += contact_slots(s + n->contacts[i].s)[k].age > 0.0;
    return count;
}

// States may come from elsewhere: new, written by hand, or from a step that was not cut.
bool sti_touch_state_fits(const Progress *c)
{
    const TouchData *data = c->scratch->touches;
    int closed = 0;
    for (int i = 0; i < c->network->reaction_count; ++i)
        if (!reaction_fits(c, i)) return false;
    for (int i = 0; i < data->count; ++i) {
        if (!fits(c, i)) return false;
        closed += sti_touch_memory(c->network, &data->places[i], c->data->s) != NULL;
    }
    return closed == closed_slots(c->network, c->data->s);
}

StiStatus sti_touch_state_close_slipping(Progress *c, bool *any)
{
    const TouchData *data = c->scratch->touches;
    StageData *now = &c->scratch->stages[0];
    StiStatus status = STI_OK;
    *any = false;
    for (int i = 0; i < data->count && status == STI_OK; ++i) {
        const Touch *touch = &data->touches[i];
        const double least = sti_touch_least_speed(c->scratch, now, i);
        if (!data->places[i].comes || data->places[i].vacant ||
            sti_touch_memory(c->network, &data->places[i], c->data->s) != NULL)
            continue;
        if (fabs(touch->touch.gap) > sti_touch_nearness(touch) ||
            fabs(touch->v[TOUCH_NORMAL]) > least || sti_hypot(touch->v[0], touch->v[1]) <= least)
            continue;
        status = sti_touch_close_place(c->network, c->scratch, now, i, c->data->s);
        *any = true;
    }
    return status;
}

void sti_touch_state_leave_borders(Progress *c, const bool *ended)
{
    const TouchData *touches = c->scratch->touches;
    for (int i = 0; i < touches->count; ++i) {
        if (!ended[c->data->mode_count + STI_PLACE_MARGINS * i + 2]) continue;
        ContactSlot *slot = sti_touch_slot(c->network, &touches->places[i], c->data->s);
        if (slot != NULL) *slot = (ContactSlot){.age = 0.0};
    }
}
