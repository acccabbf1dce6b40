// From poses to points: which shapes are near each other, then where they touch.
#include "contact/points.h"

#include <math.h>
#include <string.h>

#include "algebra/spatial.h"

// Pairs further apart than they can come within a step are left alone. What is missed by a little
// is caught in the next step; what is seen too early only costs time.
static const double SLACK = 1e-4; // of the smaller shape's size

enum { FEW = 64, VERY_FEW = 6 }; // so many pairs are looked at one by one; without bounds

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

void sti_contacts_take(StiArena *arena, const StiNetwork *network, ContactData *data)
{
    int most = 1;
    for (int i = 0; i < network->contact_count; ++i) {
        const int shapes = network->contacts[i].shape_count;
        const int crowd = shapes * (shapes < 64 ? shapes : 64);
        if (crowd > most) most = crowd;
    }
    *data = (ContactData){
        .points = sti_arena_take(arena, (size_t)network->point_count + 1, sizeof(ContactPoint)),
        .readings =
            sti_arena_take(arena, (size_t)network->contact_count + 1, sizeof(ContactReading)),
        .bounds = sti_arena_take(arena, (size_t)network->shape_count + 1, sizeof(StiBounds)),
        .order = sti_arena_take(arena, 2 * (size_t)network->shape_count + 2, sizeof(int)),
        .pairs = sti_arena_take(arena, (size_t)most, sizeof(StiPair)),
        .pair_room = most};
    for (int i = 0; !arena->failed && i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        sti_sweep_start(data->order + 2 * contact->shape, contact->shape_count);
    }
}

typedef struct Detection {
    const StiNetwork *network;
    const StageData *now;
    double T;
    double fall; // speed that gravity gives within a step
    double *s;
    const Contact *contact;
    int index; // of the contact
    ContactData *data;
    int found; // points of this contact
} Detection;

static int frame_of(const StiNetwork *network, const ContactShape *shape)
{
    return shape->admittance < 0 ? -1 : network->admittances[shape->admittance].link + shape->link;
}

static const StiFrame *pose_of(const Detection *d, const ContactShape *shape)
{
    const int frame = frame_of(d->network, shape);
    return frame < 0 ? &world : &d->now->frames[frame];
}

static double turning(const ContactShape *shape, const StiFrame *pose)
{
    const bool turns = shape->admittance >= 0 && shape->swing < INFINITY;
    return turns ? sti_vec3_norm(pose->w) * shape->swing : 0.0;
}

// How much nearer two shapes at these poses can come within a step; gravity is what accelerates most
// things.
static double approach(const Detection *d, const ContactShape *a, const StiFrame *A,
                       const ContactShape *b, const StiFrame *B)
{
    const double least = a->reach < b->reach ? a->reach : b->reach;
    const double speed = sti_vec3_norm(sti_vec3_sub(A->v, B->v)) + (turning(a, A) + turning(b, B));
    return 2.0 * d->T * (speed + d->fall) + SLACK * (least < INFINITY ? least : 0.0);
}

void sti_contact_tangents(StiVec3 n, StiVec3 *tangent)
{
    const StiVec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    const StiVec3 along = fabs(n.x) < 0.9 ? x : y;
    const StiVec3 t = sti_vec3_sub(along, sti_vec3_scale(sti_vec3_dot(along, n), n));
    tangent[0] = sti_vec3_scale(1.0 / sti_vec3_norm(t), t);
    tangent[1] = sti_vec3_cross(n, tangent[0]);
}

static StiVec3 middle(const StiTouch *touch)
{
    return sti_vec3_scale(0.5, sti_vec3_add(touch->point_a, touch->point_b));
}

// Where two faces close, points of different gaps come to rest in one plane. Forces act in that
// plane from the beginning: while the faces turn into each other, points at different heights could
// not all stick. Shapes with one point, or points that face different ways, keep the middle.
static void flatten(int count, const StiTouch *touches, StiVec3 *places)
{
    const StiVec3 n = touches[0].normal;
    double height = 0.0;
    for (int i = 0; i < count; ++i) places[i] = middle(&touches[i]);
    if (count == 1) return;
    for (int i = 0; i < count; ++i) height += sti_vec3_dot(places[i], n) / count;
    for (int i = 0; i < count; ++i)
        if (memcmp(&touches[i].normal, &n, sizeof n) != 0) return;
    for (int i = 0; i < count; ++i)
        places[i] = sti_vec3_add_scaled(places[i], height - sti_vec3_dot(places[i], n), n);
}

// A billionth of the body's own size is no gap: where more points hold a body than are needed, the
// rounding of their gaps would otherwise ask for velocities that do not fit together.
static double open_gap(const ContactPoint *point)
{
    if (!(point->touch.gap > 0.0)) return 0.0;
    const double a = sti_vec3_norm(point->arm[0]), b = sti_vec3_norm(point->arm[1]);
    const double size = point->frame[0] < 0 ? b : point->frame[1] < 0 ? a : fmin(a, b);
    const double nothing = 1e-9 * size + 1e-15 * sti_vec3_norm(point->touch.point_a);
    return point->touch.gap > nothing ? point->touch.gap : 0.0;
}

// Both forces act at one place, so that the pair of them does not turn anything.
static void add_point(Detection *d, const ContactShape *a, const ContactShape *b, StiPair pair,
                      const StiTouch *touch, StiVec3 place)
{
    if (d->found == d->contact->capacity) {
        ++d->data->lost;
        return;
    }
    const StiVec3 none = {0.0, 0.0, 0.0};
    ContactPoint *point = &d->data->points[d->data->point_count];
    point->contact = d->index;
    point->touch = *touch;
    point->force = point->slipped = point->velocity = none;
    point->mode = STI_BLOCK_OPEN;
    point->shape[0] = pair.a, point->shape[1] = pair.b;
    point->admittance[0] = a->admittance, point->admittance[1] = b->admittance;
    point->frame[0] = frame_of(d->network, a), point->frame[1] = frame_of(d->network, b);
    point->arm[0] = sti_vec3_sub(place, pose_of(d, a)->p);
    point->arm[1] = sti_vec3_sub(place, pose_of(d, b)->p);
    sti_contact_tangents(touch->normal, point->tangent);
    point->open = open_gap(point);
    sti_contact_recall(d->network, d->now, d->T, point, d->s);
    ++d->data->point_count;
    ++d->found;
}

static void look_at_pair(Detection *d, StiPair pair)
{
    const ContactShape *a = &d->contact->shapes[pair.a], *b = &d->contact->shapes[pair.b];
    StiTouch touches[STI_TOUCHES];
    StiVec3 places[STI_TOUCHES];
    const StiFrame *A = pose_of(d, a), *B = pose_of(d, b);
    const double margin = approach(d, a, A, b, B);
    const int count = sti_shape_touch(&a->shape, A, &b->shape, B, margin, STI_TOUCHES, touches);
    if (count > 0) flatten(count, touches, places);
    for (int i = 0; i < count; ++i) add_point(d, a, b, pair, &touches[i], places[i]);
}

static bool near(const StiBounds *a, const StiBounds *b, double margin)
{
    return a->lower.x - b->upper.x <= margin && b->lower.x - a->upper.x <= margin &&
           a->lower.y - b->upper.y <= margin && b->lower.y - a->upper.y <= margin &&
           a->lower.z - b->upper.z <= margin && b->lower.z - a->upper.z <= margin;
}

// Shapes of one side do not touch each other, unless there is only one side.
static bool opposite(const Contact *contact, StiPair pair)
{
    return contact->a_count == contact->shape_count ||
           (pair.a < contact->a_count) != (pair.b < contact->a_count);
}

static void consider(Detection *d, const StiBounds *bounds, const StiPairRules *rules, StiPair pair)
{
    const ContactShape *a = &d->contact->shapes[pair.a], *b = &d->contact->shapes[pair.b];
    if (!opposite(d->contact, pair) || !sti_pair_allowed(rules, pair)) return;
    const double margin = approach(d, a, pose_of(d, a), b, pose_of(d, b));
    if (near(&bounds[pair.a], &bounds[pair.b], margin)) look_at_pair(d, pair);
}

static void one_by_one(Detection *d, const StiBounds *bounds, const StiPairRules *rules)
{
    for (int a = 0; a < d->contact->shape_count; ++a)
        for (int b = a + 1; b < d->contact->shape_count; ++b)
            consider(d, bounds, rules, (StiPair){a, b});
}

static void touch_all(Detection *d, const StiPairRules *rules)
{
    for (int a = 0; a < d->contact->shape_count; ++a)
        for (int b = a + 1; b < d->contact->shape_count; ++b) {
            const StiPair pair = {a, b};
            if (opposite(d->contact, pair) && sti_pair_allowed(rules, pair)) look_at_pair(d, pair);
        }
}

static double largest_approach(const Detection *d)
{
    double most = 0.0;
    const ContactShape ground = {.admittance = -1};
    for (int i = 0; i < d->contact->shape_count; ++i) {
        const ContactShape *shape = &d->contact->shapes[i];
        const double slack = shape->reach < INFINITY ? SLACK * shape->reach : 0.0;
        most = fmax(most, approach(d, shape, pose_of(d, shape), &ground, &world) + slack);
    }
    return 2.0 * most;
}

static void look_at_contact(Detection *d)
{
    const Contact *contact = d->contact;
    StiBounds *bounds = d->data->bounds + contact->shape;
    const StiPairRules rules = {.owners = contact->owners,
                                .excluded = contact->parameters->excluded,
                                .excluded_count = contact->parameters->excluded_count};
    const int count = contact->shape_count;
    if (count * (count - 1) / 2 <= VERY_FEW) {
        touch_all(d, &rules);
        return;
    }
    for (int i = 0; i < count; ++i)
        bounds[i] = sti_shape_bounds(&contact->shapes[i].shape, pose_of(d, &contact->shapes[i]));
    if (count * (count - 1) / 2 <= FEW) {
        one_by_one(d, bounds, &rules);
        return;
    }
    int *order = d->data->order + 2 * contact->shape;
    const int pairs = sti_sweep(bounds, count, &rules, largest_approach(d), order,
                                d->data->pair_room, d->data->pairs);
    if (pairs > d->data->pair_room) // a heap where everything is near everything
        one_by_one(d, bounds, &rules);
    for (int i = 0; pairs <= d->data->pair_room && i < pairs; ++i)
        consider(d, bounds, &rules, d->data->pairs[i]);
}

void sti_contacts_detect(const StiNetwork *network, const StageData *now, double T, double *s,
                         ContactData *data)
{
    const double fall = sti_vec3_norm(now->stage.gravity) * T;
    data->point_count = data->lost = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        Detection d = {.network = network,
                       .now = now,
                       .T = T,
                       .fall = fall,
                       .s = s,
                       .contact = &network->contacts[i],
                       .index = i,
                       .data = data};
        look_at_contact(&d);
    }
}
