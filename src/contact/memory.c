// What contacts remember from step to step: modes, forces to start from, and the slip that sticking
// let pass. A point that is away for a few steps is not forgotten.
#include "contact/points.h"

#include <math.h>
#include <stdint.h>

#include "algebra/slices.h"
#include "algebra/spatial.h"

enum { FORGET = 16 }; // steps away

static bool remembers(const ContactSlot *slot, const ContactPoint *point)
{
    return slot->age > 0.0 && slot->shape_a == point->shape[0] &&
           slot->shape_b == point->shape[1] && slot->feature == (double)point->touch.feature;
}

// ---- slots by what they remember: a table of their numbers and one, 0 where it is empty

static unsigned place_of(const ContactRecall *recall, double a, double b, double feature)
{
    const uint32_t key = (uint32_t)a * UINT32_C(73856093) ^ (uint32_t)b * UINT32_C(19349663) ^
                         (uint32_t)feature * UINT32_C(83492791);
    return (key ^ key >> 15) & (recall->table_size - 1);
}

static void enter(const ContactRecall *recall, int i)
{
    const ContactSlot *slot = &recall->slots[i];
    unsigned at = place_of(recall, slot->shape_a, slot->shape_b, slot->feature);
    while (recall->table[at] != 0) at = (at + 1) & (recall->table_size - 1);
    recall->table[at] = i + 1;
}

static void enter_all(ContactRecall *recall)
{
    recall->entered = true;
    for (unsigned i = 0; i < recall->table_size; ++i) recall->table[i] = 0;
    for (int i = 0; i < recall->capacity; ++i)
        if (recall->slots[i].age > 0.0) enter(recall, i);
}

// Its own slot; -1 if it has none.
static int own_slot(ContactRecall *recall, const ContactPoint *point)
{
    if (recall->next < recall->capacity && remembers(&recall->slots[recall->next], point))
        return recall->next;
    if (!recall->entered) enter_all(recall);
    for (unsigned at = place_of(recall, point->shape[0], point->shape[1], point->touch.feature);
         recall->table[at] != 0; at = (at + 1) & (recall->table_size - 1))
        if (remembers(&recall->slots[recall->table[at] - 1], point)) return recall->table[at] - 1;
    return -1;
}

// A free one, or that of the point that is away for longest. Within a step they only become fewer.
static int spare_slot(ContactRecall *recall)
{
    int oldest = -1;
    double age = 1.0;
    while (recall->spare < recall->capacity && recall->slots[recall->spare].age > 0.0)
        ++recall->spare;
    for (int i = recall->spare < recall->capacity ? recall->spare : 0; i < recall->capacity; ++i) {
        if (recall->slots[i].age == 0.0) return i;
        if (!(recall->slots[i].age > age)) continue;
        oldest = i;
        age = recall->slots[i].age;
    }
    return oldest;
}

static bool same(StiVec3 a, StiVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Where the point and its normal are in the axes of its two links. Neighbours often have the same
// normal.
static void see_from_links(const ContactPose *const poses[2], const ContactPoint *first,
                           ContactPoint *point)
{
    const StiVec3 at[2] = {point->touch.point_a, point->touch.point_b}, n = point->touch.normal;
    const ContactPoint *before = point > first ? point - 1 : NULL;
    const bool alike = before != NULL && before->seen && before->frame[0] == point->frame[0] &&
                       before->frame[1] == point->frame[1] && same(before->touch.normal, n);
    for (int i = 0; i < 2; ++i) {
        const bool fixed = point->frame[i] < 0;
        const StiQuat q = poses[i]->at.q;
        point->place[i] = fixed ? at[i] : sti_quat_unrotate(q, sti_vec3_sub(at[i], poses[i]->at.p));
        point->normal[i] = alike ? before->normal[i] : fixed ? n : sti_quat_unrotate(q, n);
    }
    point->seen = true;
}

// Half the angle with this sine over its own sine: arc over chord. By its series where that is exact.
static double arc_over_chord(double sine)
{
    const double square = sine * sine;
    if (square < 1e-5) return 1.0 + square * (1.0 / 24.0 + square * (29.0 / 1920.0));
    const double half = 0.5 * sti_asin(fmin(sine, 1.0));
    return half / sti_sin(half);
}

static StiQuat half_turn_back(ContactRecall *recall, const StiFrame *link, int side)
{
    HalfTurn *half = &recall->half[side];
    if (half->link != link) {
        half->link = link;
        half->back = sti_quat_exp(sti_vec3_scale(-0.5 * recall->T, link->w));
    }
    return half->back;
}

// The way of a point on one of the bodies since the last step, seen with the attitude of the middle
// of that step. On a curved surface the chord is stretched to the arc, which turns the normal (in
// the body's axes) by as much as it is long over the radius.
static StiVec3 way(ContactRecall *recall, const StiFrame *link, const ContactPoint *point, int side,
                   StiVec3 chord, StiVec3 old_normal)
{
    const StiVec3 turned = sti_vec3_cross(old_normal, point->normal[side]);
    const StiVec3 arc = sti_vec3_scale(arc_over_chord(sti_vec3_norm(turned)), chord);
    if (point->frame[side] < 0) return arc;
    return sti_quat_rotate(half_turn_back(recall, link, side), sti_quat_rotate(link->q, arc));
}

static StiVec3 along_surface(StiVec3 a, StiVec3 normal)
{
    return sti_vec3_sub(a, sti_vec3_scale(sti_vec3_dot(a, normal), normal));
}

// From a place of the last step, in the axes of its link.
static StiVec3 way_over(const ContactRecall *recall, const ContactPoint *point, int side,
                        StiVec3 from)
{
    const StiShape *shape = &recall->contact->shapes[point->shape[side]].shape;
    return sti_surface_runs(shape) ? sti_surface_way(shape, from, point->place[side], recall->T)
                                   : sti_vec3_sub(point->place[side], from);
}

// Rolling moves the point equally far on both bodies; what differs is slip.
static StiVec3 slip_since(ContactRecall *recall, const ContactPose *const poses[2],
                          const ContactPoint *point, const ContactSlot *slot)
{
    const StiVec3 from[2] = {sti_vec3_read(slot->place_a), sti_vec3_read(slot->place_b)};
    StiVec3 of_a = way_over(recall, point, 0, from[0]), of_b = way_over(recall, point, 1, from[1]);
    if (sti_vec3_dot(of_a, of_a) != 0.0)
        of_a = way(recall, poses[0]->link, point, 0, of_a, sti_vec3_read(slot->normal_a));
    if (sti_vec3_dot(of_b, of_b) != 0.0)
        of_b = way(recall, poses[1]->link, point, 1, of_b, sti_vec3_read(slot->normal_b));
    return sti_vec3_sub(of_b, of_a);
}

// Of both surfaces at the point, at the start of the step.
static void velocities_at(const ContactPose *const poses[2], const ContactPoint *point, StiVec3 v[2])
{
    const StiVec3 at[2] = {point->touch.point_a, point->touch.point_b};
    for (int i = 0; i < 2; ++i)
        v[i] = point->frame[i] < 0 ? (StiVec3){0.0, 0.0, 0.0}
                                   : sti_frame_velocity_at(poses[i]->link,
                                                           sti_vec3_sub(at[i], poses[i]->link->p));
    v[0] = sti_vec3_add(v[0], point->surface);
}

// Does it slide at the start of the step? Below that it is rounding.
static bool slides(const ContactPose *const poses[2], const ContactPoint *point)
{
    static const double rounding = 1e-9; // of the speeds, and m/s
    StiVec3 v[2];
    velocities_at(poses, point, v);
    const double speed = 1.0 + sti_vec3_norm(v[0]) + sti_vec3_norm(v[1]);
    return sti_vec3_norm(along_surface(sti_vec3_sub(v[0], v[1]), point->touch.normal)) >
           rounding * speed;
}

// The bristle of the last step, turned about the normal by the mean of both bodies, so that it does not
// matter which of them is called a.
static StiVec3 bent_since(double T, const ContactPose *const poses[2], const ContactPoint *point,
                          StiVec3 bent)
{
    const StiVec3 n = point->touch.normal;
    double rate = 0.0;
    for (int i = 0; i < 2; ++i)
        if (point->frame[i] >= 0) rate += 0.5 * sti_vec3_dot(poses[i]->link->w, n);
    const StiQuat turn = sti_quat_exp(sti_vec3_scale(T * rate, n));
    return along_surface(sti_quat_rotate(turn, bent), n);
}

static void resume(ContactRecall *recall, const ContactPose *const poses[2], ContactSlot *slot,
                   ContactPoint *point)
{
    const bool held = !point->elastic && slot->mode == STI_BLOCK_STICK && slot->age <= 2.0;
    if (point->elastic && slot->mode != STI_BLOCK_OPEN && slot->age <= 1.0)
        point->bent = bent_since(recall->T, poses, point, sti_vec3_read(slot->slipped));
    point->carried = slot->mode != STI_BLOCK_OPEN && slot->age <= 2.0;
    point->sticks =
        slot->mode == STI_BLOCK_STICK || (slot->mode == STI_BLOCK_OPEN && !slides(poses, point));
    point->force = sti_vec3_read(slot->force);
    point->moment = sti_vec3_read(slot->moment);
    if (held) {
        if (!point->seen) see_from_links(poses, recall->first, point);
        const StiVec3 slip =
            sti_vec3_add(sti_vec3_read(slot->slipped), slip_since(recall, poses, point, slot));
        point->slipped = along_surface(slip, point->touch.normal);
    }
    slot->age = 1.0;
}

void sti_contact_recall(ContactRecall *recall, const ContactPose *const poses[2],
                        ContactPoint *point)
{
    const int own = own_slot(recall, point);
    point->carried = false;
    point->arrested = false;
    point->elastic = sti_contact_is_elastic(recall->contact->parameters);
    point->bent = point->bent_after = (StiVec3){0.0, 0.0, 0.0};
    point->slot = own >= 0 ? own : spare_slot(recall);
    recall->next = point->slot + 1;
    if (own >= 0)
        resume(recall, poses, &recall->slots[own], point);
    else
        point->sticks = !slides(poses, point);
    if (own < 0 && point->slot >= 0)
        recall->slots[point->slot] = (ContactSlot){.shape_a = point->shape[0],
                                                   .shape_b = point->shape[1],
                                                   .feature = (double)point->touch.feature,
                                                   .age = 1.0,
                                                   .mode = STI_BLOCK_STICK};
    if (own < 0 && point->slot >= 0) enter(recall, point->slot);
}

// ---- at the end of a step -----------------------------------------------------------------------

// Places are kept of what sticks.
static void remember(const ContactPoint *point, ContactSlot *slot)
{
    slot->age = 1.0;
    slot->mode = point->mode;
    sti_vec3_write(point->force, slot->force);
    sti_vec3_write(point->moment, slot->moment);
    if (point->mode == STI_BLOCK_STICK && !point->elastic) {
        sti_vec3_write(point->place[0], slot->place_a);
        sti_vec3_write(point->place[1], slot->place_b);
        sti_vec3_write(point->normal[0], slot->normal_a);
        sti_vec3_write(point->normal[1], slot->normal_b);
        sti_vec3_write(point->slipped, slot->slipped);
    } else {
        const StiVec3 none = {0.0, 0.0, 0.0};
        sti_vec3_write(none, slot->place_a);
        sti_vec3_write(none, slot->place_b);
        sti_vec3_write(none, slot->normal_a);
        sti_vec3_write(none, slot->normal_b);
        sti_vec3_write(point->elastic && point->mode != STI_BLOCK_OPEN ? point->bent_after : none,
                       slot->slipped);
    }
}

static void grow_older(const Contact *contact, ContactSlot *slots)
{
    for (int i = 0; i < contact->capacity; ++i)
        if (slots[i].age > 0.0 && ++slots[i].age > FORGET) slots[i] = (ContactSlot){.age = 0.0};
}

// What one element's points carry.
typedef struct Carried {
    double fn; // N
    bool closed;
} Carried;

static Carried carried_by(const ContactPoint *point, const ContactPoint *end)
{
    Carried carried = {.fn = 0.0};
    for (; point < end; ++point) {
        if (point->mode == STI_BLOCK_OPEN) continue;
        carried.fn += sti_vec3_dot(point->force, point->touch.normal);
        carried.closed = true;
    }
    return carried;
}

static double count_episode(double T, Carried carried, ContactEpisode *episode)
{
    if (carried.closed && episode->closed == 0.0) episode->impulse = 0.0;
    episode->closed = carried.closed ? 1.0 : 0.0;
    episode->impulse += T * carried.fn;
    return episode->impulse;
}

// The first point that belongs to another element.
static const ContactPoint *end_of(int contact, const ContactPoint *point, const ContactPoint *end)
{
    while (point < end && point->contact == contact) ++point;
    return point;
}

void sti_contacts_count(const StiNetwork *network, double T, ContactData *data, double *s)
{
    const ContactPoint *point = data->points, *const end = point + data->point_count;
    for (int i = 0; i < network->contact_count; ++i) {
        const ContactPoint *const next = end_of(i, point, end);
        data->impulses[i] =
            count_episode(T, carried_by(point, next), contact_episode(s + network->contacts[i].s));
        point = next;
    }
}

void sti_contacts_settle(const StiNetwork *network, double T, ContactData *data, double *s)
{
    for (int i = 0; i < network->contact_count; ++i)
        grow_older(&network->contacts[i], contact_slots(s + network->contacts[i].s));
    sti_contacts_count(network, T, data, s);
    for (int i = 0; i < data->point_count; ++i) {
        ContactPoint *point = &data->points[i];
        if (point->slot < 0) continue;
        const Contact *contact = &network->contacts[point->contact];
        const ContactPose *poses = data->poses + contact->shape;
        if (point->mode == STI_BLOCK_STICK && !point->elastic && !point->seen)
            see_from_links((const ContactPose *const[]){&poses[point->shape[0]],
                                                        &poses[point->shape[1]]},
                           data->points, point);
        remember(point, &contact_slots(s + contact->s)[point->slot]);
    }
}

// ---- slip that turns round ---------------------------------------------------------------------

bool sti_contacts_arrest_reversals(const StiNetwork *network, ContactData *data)
{
    bool any = false;
    for (int i = 0; i < data->point_count; ++i) {
        ContactPoint *point = &data->points[i];
        const Contact *contact = &network->contacts[point->contact];
        const ContactPose *poses = data->poses + contact->shape;
        const StiMaterialPair rub = sti_contact_rub(contact, point->shape);
        if (point->sticks || point->arrested || point->elastic || point->mode != STI_BLOCK_SLIDE ||
            !(rub.mu_static > rub.mu))
            continue;
        StiVec3 v[2];
        velocities_at((const ContactPose *const[]){&poses[point->shape[0]], &poses[point->shape[1]]},
                      point, v);
        const StiVec3 before = along_surface(sti_vec3_sub(v[0], v[1]), point->touch.normal);
        if (!(sti_vec3_dot(before, along_surface(point->velocity, point->touch.normal)) < 0.0))
            continue;
        any = point->arrested = true;
    }
    return any;
}

double sti_contact_stored(const Contact *contact, const double *s)
{
    const ContactSlot *slots = (const ContactSlot *)(const void *)(s + sizeof(ContactEpisode) / sizeof *s);
    double square = 0.0;
    if (!sti_contact_is_elastic(contact->parameters)) return 0.0;
    for (int i = 0; i < contact->capacity; ++i)
        if (slots[i].age == 1.0)
            for (int d = 0; d < 3; ++d) square += slots[i].slipped[d] * slots[i].slipped[d];
    return 0.5 * contact->parameters->bristle.stiffness * square;
}

// ---- what is shown ------------------------------------------------------------------------------

// Sums over the points of an element; those of slip and place by normal forces.
typedef struct ReadingSums {
    StiVec3 slip, place, ft, force;
} ReadingSums;

static void read_point(const ContactPoint *point, ContactReading *reading, ReadingSums *sums)
{
    const StiVec3 n = point->touch.normal;
    if (-point->touch.gap > reading->depth) reading->depth = -point->touch.gap;
    if (point->mode == STI_BLOCK_OPEN) return;
    const double fn = sti_vec3_dot(point->force, n);
    reading->fn += fn;
    reading->points += 1.0;
    if (point->mode != STI_BLOCK_STICK) reading->stick = 0.0;
    sums->slip = sti_vec3_add_scaled(sums->slip, fn, along_surface(point->velocity, n));
    sums->place = sti_vec3_add_scaled(sums->place, fn, point->touch.point_b);
    sums->ft = sti_vec3_sub(sums->ft, along_surface(point->force, n));
    sums->force = sti_vec3_add(sums->force, point->force);
}

static bool same_shapes(const ContactPoint *a, const ContactPoint *b)
{
    return a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1];
}

// among: shapes against each other have no side of their own, so only the points of one pair are summed as
// vectors.
static ContactReading reading_of(const ContactPoint *point, const ContactPoint *end, bool among,
                                 double impulse)
{
    ReadingSums sums = {.slip = {0.0, 0.0, 0.0}};
    ContactReading reading = {.stick = 1.0, .impulse = impulse};
    for (; point < end; ++point) {
        read_point(point, &reading, &sums);
        if (point + 1 < end && !(among && !same_shapes(point, point + 1))) continue;
        reading.ft += sti_vec3_norm(sums.ft);
        sums.ft = sti_vec3(0.0, 0.0, 0.0);
    }
    if (!among) sti_vec3_write(sums.force, reading.force);
    if (reading.fn > 0.0) {
        const StiVec3 slip = sums.slip, place = sums.place;
        sti_vec3_write(sti_vec3(slip.x / reading.fn, slip.y / reading.fn, slip.z / reading.fn),
                       reading.v);
        sti_vec3_write(sti_vec3(place.x / reading.fn, place.y / reading.fn, place.z / reading.fn),
                       reading.place);
    }
    if (reading.points == 0.0) reading.stick = 0.0;
    return reading;
}

void sti_contacts_read(const StiNetwork *network, const ContactData *data, ContactReading *readings)
{
    const ContactPoint *point = data->points, *const end = point + data->point_count;
    for (int i = 0; i < network->contact_count; ++i) {
        const ContactPoint *const next = end_of(i, point, end);
        const Contact *contact = &network->contacts[i];
        const bool among = contact->a_count == contact->shape_count;
        readings[i] = reading_of(point, next, among, data->impulses[i]);
        point = next;
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
        for (int side = 0; side < 2; ++side)
            if (point->frame[side] >= 0) {
                StiVec3 *moment = &wrenches[point->frame[side]].moment;
                *moment = sti_vec3_add_scaled(*moment, side == 0 ? 1.0 : -1.0, point->moment);
            }
    }
}
