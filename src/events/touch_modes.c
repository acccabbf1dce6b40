// Contacts between two events, and at one: margins, and who stays closed, sticks or slips.
#include <math.h>
#include <string.h>

#include "algebra/slices.h"
#include "evaluate/modes.h"
#include "evaluate/pair_places.h"
#include "events/touch_events.h"

static const double hair = 1e-15; // of the size: a place that has just opened has a margin

// ---- margins --------------------------------------------------------------------------------------

static double normal_force(const Touch *touch)
{
    return sti_vec3_dot(touch->force, touch->rows[TOUCH_NORMAL]);
}

static double friction(const Touch *touch)
{
    return sti_hypot(sti_vec3_dot(touch->force, touch->rows[0]),
                     sti_vec3_dot(touch->force, touch->rows[1]));
}

static double along(const Touch *touch, const double *row_values, StiVec3 d)
{
    return row_values[0] * sti_vec3_dot(touch->rows[0], d) +
           row_values[1] * sti_vec3_dot(touch->rows[1], d);
}

// Within a substep slip ends where the speed along the direction at its start does: unlike the speed
// itself it passes zero. Beyond it by a speed that is none, so that rounding does not end what has
// just begun.
static StiMargin slip_goes_on(const StiScratch *scratch, const StageData *now, int i,
                              const ContactSlot *slot)
{
    const Touch *touch = &scratch->touches->touches[i];
    const StiVec3 d = sti_vec3_read(slot->slipped);
    const double speed = along(touch, touch->v, d), rate = along(touch, touch->rate, d);
    const double least = sti_touch_least_speed(scratch, now, i);
    return (StiMargin){.g = speed + 0.5 * least, .rate = rate, .scale = fabs(speed)};
}

static StiMargin slip_margin(const StiScratch *scratch, const StageData *now, int i,
                             const ContactSlot *slot)
{
    if (scratch->touches->goes_on) return slip_goes_on(scratch, now, i, slot);
    const Touch *touch = &scratch->touches->touches[i];
    const StiVec3 d = sti_touch_slip(scratch->touches, i, slot);
    const double least = sti_touch_least_speed(scratch, now, i);
    const double speed = along(touch, touch->v, d), rate = along(touch, touch->rate, d);
    if (slot->mode == TOUCH_DEPART)
        return sti_modes_departure(speed, rate, sti_modes_enough_to_turn(scratch, least));
    return (StiMargin){.g = speed - least,
                       .rate = rate,
                       .scale = speed,
                       .left = rate < 0.0 ? -speed / rate : 0.0};
}

void sti_touches_margins(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                         StiMargin *margins)
{
    const TouchData *data = scratch->touches;
    for (int i = 0; i < data->count; ++i, margins += STI_PLACE_MARGINS) {
        const Touch *touch = &data->touches[i];
        const ContactSlot *slot = data->slot[i];
        margins[1] = margins[2] = (StiMargin){.g = 1.0, .scale = 1.0};
        if (data->places[i].vacant) {
            margins[0] = margins[1];
            continue;
        }
        if (slot == NULL) {
            margins[0] =
                (StiMargin){.g = touch->touch.gap - data->sunk[i] +
                                 hair * (1.0 + sti_vec3_norm(touch->arm[0])),
                            .rate = touch->v[TOUCH_NORMAL],
                            .scale = 1.0};
            continue;
        }
        if (data->places[i].comes)
            margins[2] = (StiMargin){.g = sti_place_inside(network, &data->places[i], now->frames),
                                     .rate = NAN,
                                     .scale = 1e-3};
        const double fn = normal_force(touch), most = sti_touch_rub(network, data, i).mu_static * fn;
        margins[0] = (StiMargin){.g = fn, .rate = NAN, .scale = fabs(fn)};
        margins[1] =
            slot->mode == TOUCH_STICK
                ? (StiMargin){.g = most - friction(touch), .rate = NAN, .scale = fabs(most)}
                : slip_margin(scratch, now, i, slot);
    }
}

// ---- modes ----------------------------------------------------------------------------------------

void sti_touch_open_place(const StiNetwork *network, const ContactPlace *place, double *s)
{
    ContactSlot *slot = sti_touch_slot(network, place, s);
    if (slot != NULL) *slot = (ContactSlot){.age = 0.0};
}

// Closed, and slipping if it moves.
StiStatus sti_touch_close_place(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int i, double *s)
{
    TouchData *data = scratch->touches;
    const ContactPlace *place = &data->places[i];
    const Touch *touch = &data->touches[i];
    ContactSlot *slot = sti_touch_close(network, place, s);
    if (slot == NULL)
        return sti_fault(scratch, STI_OUT_OF_MEMORY, network->contacts[place->contact].name,
                         "capacity", &now->stage);
    slot->mode = TOUCH_SLIP;
    if (sti_hypot(touch->v[0], touch->v[1]) <= sti_touch_least_speed(scratch, now, i)) {
        slot->mode = TOUCH_STICK;
        return STI_OK;
    }
    const StiVec3 d = sti_touch_slip(data, i, slot);
    slot->slipped[0] = d.x, slot->slipped[1] = d.y, slot->slipped[2] = d.z;
    return STI_OK;
}

static void depart(ContactSlot *slot, const Touch *touch)
{
    const double f[2] = {sti_vec3_dot(touch->force, touch->rows[0]),
                         sti_vec3_dot(touch->force, touch->rows[1])};
    const double size = sti_hypot(f[0], f[1]);
    StiVec3 d = touch->rows[0];
    if (size > 0.0)
        d = sti_vec3_add_scaled(sti_vec3_scale(-f[0] / size, touch->rows[0]), -f[1] / size,
                                touch->rows[1]);
    slot->mode = TOUCH_DEPART;
    slot->slipped[0] = d.x, slot->slipped[1] = d.y, slot->slipped[2] = d.z;
}

// ---- an event -------------------------------------------------------------------------------------

// It comes apart by less than gaps are known to.
static bool is_hop(const Touch *touch)
{
    const double v = touch->v[TOUCH_NORMAL], a = touch->rate[TOUCH_NORMAL];
    return v > 0.0 && a < 0.0 && 0.5 * v * v < -a * sti_touch_nearness(touch);
}

StiStatus sti_touches_end(const StiNetwork *network, const bool *ended, double *s,
                          StiScratch *scratch, const StageData *now)
{
    TouchData *data = scratch->touches;
    StiStatus status = STI_OK;
    for (int i = 0; i < data->count && status == STI_OK; ++i, ended += STI_PLACE_MARGINS) {
        const ContactPlace *place = &data->places[i];
        const Touch *touch = &data->touches[i];
        ContactSlot *slot = sti_touch_slot(network, place, s);
        const double least = sti_touch_least_speed(scratch, now, i);
        scratch->impacts->met[i] = slot == NULL && ended[0];
        scratch->impacts->let_go[i] = slot != NULL && ended[0];
        if (slot == NULL) { // it closes softly; who comes fast strikes
            if (ended[0] && (fabs(touch->v[TOUCH_NORMAL]) <= least || is_hop(touch)))
                status = sti_touch_close_place(network, scratch, now, i, s);
        } else if (ended[0]) {
            sti_touch_open_place(network, place, s);
        } else if (ended[1] && slot->mode == TOUCH_STICK) {
            depart(slot, touch);
        } else if (ended[1]) {
            const double half = 0.5 * sti_modes_enough_to_turn(scratch, least);
            const bool goes = slot->mode == TOUCH_DEPART &&
                              along(touch, touch->v, sti_touch_slip(data, i, slot)) > half;
            slot->mode = goes ? TOUCH_SLIP : TOUCH_STICK;
        }
    }
    return status;
}

// From a state that comes from elsewhere: what touches and does not come apart is closed.
StiStatus sti_touches_adopt(const StiNetwork *network, double *s, StiScratch *scratch,
                            const StageData *now)
{
    TouchData *data = scratch->touches;
    StiStatus status = STI_OK;
    for (int i = 0; i < network->contact_count; ++i) {
        ContactSlot *slots = contact_slots(s + network->contacts[i].s);
        for (int k = 0; k < network->contacts[i].capacity; ++k)
            slots[k] = (ContactSlot){.age = 0.0};
    }
    for (int i = 0; i < data->count && status == STI_OK; ++i) {
        const Touch *touch = &data->touches[i];
        const double least = sti_touch_least_speed(scratch, now, i);
        const bool rests = sti_touch_is_near(touch) && fabs(touch->v[TOUCH_NORMAL]) <= least;
        scratch->impacts->met[i] = scratch->impacts->let_go[i] = false;
        if (rests) status = sti_touch_close_place(network, scratch, now, i, s);
    }
    return status;
}
