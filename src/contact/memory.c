// What contacts remember from step to step: modes, forces to start from, and the slip that sticking
// let pass. A point that is away for a few steps is not forgotten.
#include "contact/points.h"

#include <math.h>

#include "algebra/slices.h"

enum { FORGET = 16 }; // steps away

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

static const StiFrame *frame_of(const StageData *now, int frame)
{
    return frame < 0 ? &world : &now->frames[frame];
}

static bool remembers(const ContactSlot *slot, const ContactPoint *point)
{
    return slot->age > 0.0 && slot->shape_a == point->shape[0] &&
           slot->shape_b == point->shape[1] && slot->feature == (double)point->touch.feature;
}

// Its own slot, or a free one, or that of the point that is away for longest.
static int slot_for(const Contact *contact, const ContactSlot *slots, const ContactPoint *point)
{
    int best = -1;
    for (int i = 0; i < contact->capacity; ++i) {
        if (remembers(&slots[i], point)) return i;
        if (slots[i].age == 0.0 && (best < 0 || slots[best].age != 0.0)) best = i;
        if (slots[i].age > 1.0 &&
            (best < 0 || (slots[best].age != 0.0 && slots[i].age > slots[best].age)))
            best = i;
    }
    return best;
}

// Where the point and its normal are in the axes of its two links.
static void see_from_links(const StageData *now, ContactPoint *point)
{
    const StiVec3 at[2] = {point->touch.point_a, point->touch.point_b}, n = point->touch.normal;
    for (int i = 0; i < 2; ++i) {
        const StiFrame *frame = frame_of(now, point->frame[i]);
        const bool fixed = point->frame[i] < 0;
        point->place[i] =
            fixed ? at[i] : sti_quat_unrotate(frame->q, sti_vec3_sub(at[i], frame->p));
        point->normal[i] = fixed ? n : sti_quat_unrotate(frame->q, n);
    }
}

// Half the angle with this sine over its own sine: arc over chord. By its series where that is exact.
static double arc_over_chord(double sine)
{
    const double square = sine * sine;
    if (square < 1e-5) return 1.0 + square * (1.0 / 24.0 + square * (29.0 / 1920.0));
    const double half = 0.5 * asin(fmin(sine, 1.0));
    return half / sin(half);
}

// The way that the point has travelled on one of the bodies since the last step, seen with the
// attitude of the middle of that step. On a curved surface the chord is stretched to the arc, which
// turns the normal (in the body's axes) by as much as it is long over the radius.
static StiVec3 travelled(const StageData *now, double T, const ContactPoint *point, int side,
                         const double *old_place, const double *old_normal)
{
    const StiVec3 chord = sti_vec3_sub(point->place[side], sti_vec3_read(old_place));
    if (sti_vec3_dot(chord, chord) == 0.0) return chord;
    const StiVec3 turned = sti_vec3_cross(sti_vec3_read(old_normal), point->normal[side]);
    const StiVec3 arc = sti_vec3_scale(arc_over_chord(sti_vec3_norm(turned)), chord);
    if (point->frame[side] < 0) return arc;
    const StiFrame *frame = frame_of(now, point->frame[side]);
    const StiQuat back = sti_quat_exp(sti_vec3_scale(-0.5 * T, frame->w));
    return sti_quat_rotate(back, sti_quat_rotate(frame->q, arc));
}

static StiVec3 along_surface(StiVec3 a, StiVec3 normal)
{
    return sti_vec3_sub(a, sti_vec3_scale(sti_vec3_dot(a, normal), normal));
}

// Rolling moves the point equally far on both bodies; what differs is slip.
static StiVec3 slip_since(const StageData *now, double T, const ContactPoint *point,
                          const ContactSlot *slot)
{
    return sti_vec3_sub(travelled(now, T, point, 1, slot->place_b, slot->normal_b),
                        travelled(now, T, point, 0, slot->place_a, slot->normal_a));
}

void sti_contact_recall(const StiNetwork *network, const StageData *now, double T,
                        ContactPoint *point, double *s)
{
    const Contact *contact = &network->contacts[point->contact];
    ContactSlot *slots = contact_slots(s + contact->s);
    see_from_links(now, point);
    point->sticks = true;
    point->slot = slot_for(contact, slots, point);
    if (point->slot < 0) return;
    ContactSlot *slot = &slots[point->slot];
    if (!remembers(slot, point)) {
        *slot = (ContactSlot){.shape_a = point->shape[0],
                              .shape_b = point->shape[1],
                              .feature = (double)point->touch.feature,
                              .age = 1.0,
                              .mode = STI_BLOCK_STICK};
    } else {
        const bool held = slot->mode == STI_BLOCK_STICK && slot->age <= 2.0;
        point->sticks = slot->mode != STI_BLOCK_SLIDE;
        point->force = sti_vec3_read(slot->force);
        if (held) {
            const StiVec3 slip =
                sti_vec3_add(sti_vec3_read(slot->slipped), slip_since(now, T, point, slot));
            point->slipped = along_surface(slip, point->touch.normal);
        }
        slot->age = 1.0;
    }
}

static void remember(const ContactPoint *point, ContactSlot *slot)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    slot->age = 1.0;
    slot->mode = point->mode;
    sti_vec3_write(point->place[0], slot->place_a);
    sti_vec3_write(point->place[1], slot->place_b);
    sti_vec3_write(point->normal[0], slot->normal_a);
    sti_vec3_write(point->normal[1], slot->normal_b);
    sti_vec3_write(point->mode == STI_BLOCK_STICK ? point->slipped : none, slot->slipped);
    sti_vec3_write(point->force, slot->force);
}

static void grow_older(const Contact *contact, ContactSlot *slots)
{
    for (int i = 0; i < contact->capacity; ++i)
        if (slots[i].age > 0.0 && ++slots[i].age > FORGET) slots[i] = (ContactSlot){.age = 0.0};
}

static void read_point(const ContactPoint *point, ContactReading *reading, StiVec3 *ft)
{
    const StiVec3 n = point->touch.normal;
    const double fn = sti_vec3_dot(point->force, n);
    reading->depth = fmax(reading->depth, -point->touch.gap);
    if (point->mode == STI_BLOCK_OPEN) return;
    const StiVec3 slip = along_surface(point->velocity, n);
    reading->fn += fn;
    reading->points += 1.0;
    if (point->mode != STI_BLOCK_STICK) reading->stick = 0.0;
    for (int i = 0; i < 3; ++i) reading->v[i] += fn * (i == 0 ? slip.x : i == 1 ? slip.y : slip.z);
    *ft = sti_vec3_sub(*ft, along_surface(point->force, n));
}

static void read_contact(const ContactData *data, int contact, double T, ContactEpisode *episode,
                         ContactReading *reading)
{
    StiVec3 ft = {0.0, 0.0, 0.0};
    *reading = (ContactReading){.stick = 1.0};
    for (int i = 0; i < data->point_count; ++i)
        if (data->points[i].contact == contact) read_point(&data->points[i], reading, &ft);
    reading->ft = sti_vec3_norm(ft);
    for (int i = 0; i < 3; ++i)
        reading->v[i] = reading->fn > 0.0 ? reading->v[i] / reading->fn : 0.0;
    if (reading->points == 0.0) reading->stick = 0.0;
    if (reading->points > 0.0 && episode->closed == 0.0) episode->impulse = 0.0;
    episode->closed = reading->points > 0.0 ? 1.0 : 0.0;
    episode->impulse += T * reading->fn;
    reading->impulse = episode->impulse;
}

void sti_contacts_read(const StiNetwork *network, double T, ContactData *data, double *s)
{
    for (int i = 0; i < network->contact_count; ++i)
        read_contact(data, i, T, contact_episode(s + network->contacts[i].s), &data->readings[i]);
}

void sti_contacts_settle(const StiNetwork *network, double T, ContactData *data, double *s)
{
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        double *memory = s + contact->s;
        grow_older(contact, contact_slots(memory));
        read_contact(data, i, T, contact_episode(memory), &data->readings[i]);
    }
    for (int i = 0; i < data->point_count; ++i) {
        const ContactPoint *point = &data->points[i];
        if (point->slot < 0) continue;
        const Contact *contact = &network->contacts[point->contact];
        remember(point, &contact_slots(s + contact->s)[point->slot]);
    }
}

void sti_contacts_push(const ContactData *data, StiWrench *wrenches)
{
    for (int i = 0; i < data->point_count; ++i) {
        const ContactPoint *point = &data->points[i];
        if (point->frame[0] >= 0)
            sti_wrench_add_force(&wrenches[point->frame[0]], point->force, point->arm[0]);
        if (point->frame[1] >= 0)
            sti_wrench_add_force(&wrenches[point->frame[1]], sti_vec3_scale(-1.0, point->force),
                                 point->arm[1]);
    }
}
