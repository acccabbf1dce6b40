// From poses to points: which shapes are near each other, then where they touch.
#include "contact/points.h"

#include <math.h>
#include <string.h>

#include "algebra/spatial.h"
#include "shape/touches.h"

// Pairs further apart than they can come within a step are left alone. What is missed by a little
// is caught in the next step; what is seen too early only costs time.
static const double SLACK = 1e-4; // of the smaller shape's size

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

// ---- shapes -------------------------------------------------------------------------------------

// Neighbours on one link often have the same attitude.
static void place_shape(const ContactShape *shape, bool first, ContactPose *pose)
{
    const ContactPose *before = pose - 1;
    const bool alike = !first && before->link == pose->link &&
                       !sti_shape_is_turned(&shape->shape) &&
                       !sti_shape_is_turned(before->placed.shape);
    pose->at.p = pose->link->p;
    pose->at.q = pose->link->q;
    pose->placed.shape = &shape->shape;
    pose->placed.p = sti_shape_origin(&shape->shape, pose->link);
    if (alike)
        pose->placed.R = before->placed.R;
    else
        pose->placed.R = sti_shape_attitude(&shape->shape, pose->link);
}

static void place_fixed(const Contact *contact, ContactPose *poses, StiBounds *bounds)
{
    for (int i = 0; i < contact->shape_count; ++i) {
        if (contact->shapes[i].frame >= 0) continue;
        poses[i].link = &world;
        place_shape(&contact->shapes[i], i == 0, &poses[i]);
        bounds[i] = sti_placed_bounds(&poses[i].placed);
    }
}

static void place_moving(const Contact *contact, const StiFrame *frames, ContactPose *poses)
{
    for (int i = 0; i < contact->shape_count; ++i) {
        const ContactShape *shape = &contact->shapes[i];
        ContactPose *pose = &poses[i];
        if (shape->frame < 0) continue;
        const StiFrame *link = &frames[shape->frame];
        pose->link = link;
        pose->turning = shape->swing < INFINITY ? sti_vec3_norm(link->w) * shape->swing : 0.0;
        pose->moved = memcmp(&pose->at.p, &link->p, sizeof link->p) != 0 ||
                      memcmp(&pose->at.q, &link->q, sizeof link->q) != 0;
        if (pose->moved) place_shape(shape, i == 0, pose);
    }
}

ContactData *sti_contacts_take(StiArena *arena, const StiNetwork *network)
{
    ContactData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL || !network->resolves) return data;
    int most = 1, slots = 1;
    for (int i = 0; i < network->contact_count; ++i) {
        if (network->contacts[i].capacity > slots) slots = network->contacts[i].capacity;
        const int shapes = network->contacts[i].shape_count;
        const int crowd = shapes * (shapes < 64 ? shapes : 64);
        if (crowd > most) most = crowd;
    }
    unsigned table_size = 8;
    while (table_size < 4 * (unsigned)slots) table_size *= 2;
    *data = (ContactData){
        .points = sti_arena_take(arena, (size_t)network->point_count + 1, sizeof(ContactPoint)),
        .impulses = sti_arena_take(arena, (size_t)network->contact_count + 1, sizeof(double)),
        .directions =
            sti_arena_take(arena, (size_t)network->contact_count + 1, sizeof(ContactDirections)),
        .gravity = sti_vec3_norm(network->gravity),
        .poses = sti_arena_take(arena, (size_t)network->shape_count + 1, sizeof(ContactPose)),
        .bounds = sti_arena_take(arena, (size_t)network->shape_count + 1, sizeof(StiBounds)),
        .finds = sti_arena_take(arena, (size_t)network->pair_count + 1, sizeof(ContactFind)),
        .order = sti_arena_take(arena, 2 * (size_t)network->shape_count + 2, sizeof(int)),
        .pairs = sti_arena_take(arena, (size_t)most, sizeof(StiPair)),
        .table = sti_arena_take(arena, table_size, sizeof(int)),
        .pair_room = most,
        .table_size = table_size};
    for (int i = 0; !arena->failed && i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        sti_sweep_start(data->order + 2 * contact->shape, contact->shape_count);
        place_fixed(contact, data->poses + contact->shape, data->bounds + contact->shape);
    }
    for (int i = 0; !arena->failed && i < network->pair_count; ++i) data->finds[i].margin = -1.0;
    return data;
}

// ---- points -------------------------------------------------------------------------------------

typedef struct Detection {
    const Contact *contact;
    int index;                // of the contact
    const ContactPose *poses; // of its shapes
    double T;
    double fall; // speed that gravity gives within a step
    ContactRecall recall;
    ContactData *data;
    int found; // points of this contact
} Detection;

// How much nearer two shapes can come within a step; gravity is what accelerates most things.
static double approach(const Detection *d, StiPair pair)
{
    const ContactPose *A = &d->poses[pair.a], *B = &d->poses[pair.b];
    const double reach_a = d->contact->shapes[pair.a].reach,
                 reach_b = d->contact->shapes[pair.b].reach;
    const double least = reach_a < reach_b ? reach_a : reach_b;
    const double speed =
        sti_vec3_norm(sti_vec3_sub(A->link->v, B->link->v)) + (A->turning + B->turning);
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

static bool same(StiVec3 a, StiVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// Where two faces close, points of different gaps come to rest in one plane. Forces act in that
// plane from the beginning: while the faces turn into each other, points at different heights could
// not all stick. Shapes with one point, or points that face different ways, keep the middle.
static void flatten(int count, const StiTouch *touches, StiVec3 *places)
{
    const StiVec3 n = touches[0].normal;
    double height = 0.0;
    for (int i = 0; i < count; ++i) places[i] = middle(&touches[i]);
    if (count == 1) return;
    for (int i = 1; i < count; ++i)
        if (!same(touches[i].normal, n)) return;
    for (int i = 0; i < count; ++i) height += sti_vec3_dot(places[i], n) / count;
    for (int i = 0; i < count; ++i)
        places[i] = sti_vec3_add_scaled(places[i], height - sti_vec3_dot(places[i], n), n);
}

// A billionth of the smaller shape's size is no gap, and is taken off those that are larger: where more
// points hold a body than are needed, the rounding of their gaps would otherwise ask for velocities
// that do not fit together. The same of all points of a pair, or it would do that itself.
static double no_gap(const ContactPose *const poses[2])
{
    double size = INFINITY;
    for (int i = 0; i < 2; ++i) {
        const StiShape *shape = poses[i]->placed.shape;
        const double reach = shape->kind->half_space ? INFINITY : shape->kind->reach(shape);
        if (reach > 0.0) size = fmin(size, reach);
    }
    const double far = sti_vec3_norm(poses[0]->placed.p) + sti_vec3_norm(poses[1]->placed.p);
    return 1e-9 * (size < INFINITY ? size : 1e-3) + 1e-15 * far;
}

static double open_gap(const ContactPoint *point, const ContactPose *const poses[2])
{
    return point->touch.gap > 0.0 ? fmax(point->touch.gap - no_gap(poses), 0.0) : 0.0;
}

// Most normals are those of the last point or of the last step.
static void set_tangents(ContactDirections *last, ContactPoint *point)
{
    if (!same(last->normal, point->touch.normal)) {
        last->normal = point->touch.normal;
        sti_contact_tangents(last->normal, last->tangent);
    }
    point->tangent[0] = last->tangent[0];
    point->tangent[1] = last->tangent[1];
}

// Where friction differs by direction: the first tangent along the given one. A surface at right angles to it
// has mu in all directions.
static void turn_tangents(const StiContact *p, const ContactPose *pose, ContactPoint *point)
{
    const StiVec3 n = point->touch.normal, d = sti_quat_rotate(pose->at.q, p->along);
    const StiVec3 flat = sti_vec3_add_scaled(d, -sti_vec3_dot(d, n), n);
    const double size = sti_vec3_norm(flat);
    if (!(size > 1e-6 * sti_vec3_norm(d))) return;
    point->tangent[0] = sti_vec3_scale(1.0 / size, flat);
    point->tangent[1] = sti_vec3_cross(n, point->tangent[0]);
    point->across = p->mu_across / p->mu;
}

// What carried goes on carrying; whether others have to shows when the rest is solved.
static void set_aside(ContactPoint *point)
{
    point->aside = point->way_count > 1 && !point->carried;
}

// What a step finds out about a point whose place is known.
static void recall_point(Detection *d, const ContactPose *const poses[2], ContactPoint *point)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    point->force = point->slipped = point->velocity = none;
    point->moment = point->spin = none;
    point->mode = STI_BLOCK_OPEN;
    point->bounces = false;
    sti_contact_recall(&d->recall, poses, point);
    ++d->data->point_count;
    ++d->found;
}

// Both forces act at one place, so that the pair of them does not turn anything.
static void add_point(Detection *d, StiPair pair, const StiTouch *touch, StiVec3 place)
{
    if (d->found == d->contact->capacity) {
        ++d->data->lost;
        return;
    }
    const ContactShape *a = &d->contact->shapes[pair.a], *b = &d->contact->shapes[pair.b];
    const ContactPose *const poses[2] = {&d->poses[pair.a], &d->poses[pair.b]};
    ContactPoint *point = &d->data->points[d->data->point_count];
    point->contact = d->index;
    point->touch = *touch;
    point->shape[0] = pair.a, point->shape[1] = pair.b;
    point->admittance[0] = a->admittance, point->admittance[1] = b->admittance;
    point->frame[0] = a->frame, point->frame[1] = b->frame;
    point->arm[0] = sti_vec3_sub(place, poses[0]->at.p);
    point->arm[1] = sti_vec3_sub(place, poses[1]->at.p);
    point->seen = false;
    point->open = open_gap(point, poses);
    sti_surfaces_run(d->contact, poses, point);
    set_tangents(&d->data->directions[d->index], point);
    point->across = 1.0;
    if (d->contact->parameters->mu_across > 0.0)
        turn_tangents(d->contact->parameters, poses[0], point);
    recall_point(d, poses, point);
}

// The same ways for all points of a pair that was just looked at.
static void find_ways_out(Detection *d, StiPair pair, double margin, int first)
{
    ContactPoint *const points = d->data->points + first;
    const int count = d->data->point_count - first;
    const int ways = sti_placed_ways_out(&d->poses[pair.a].placed, &d->poses[pair.b].placed,
                                         points->touch.normal, margin, points->ways);
    for (int i = 0; i < count; ++i) {
        points[i].way_count = ways > 1 ? ways : 0;
        for (int k = 0; i > 0 && ways > 1 && k < ways; ++k) points[i].ways[k] = points->ways[k];
        set_aside(&points[i]);
    }
}

static void look_at_pair(Detection *d, StiPair pair, double margin)
{
    StiTouch touches[STI_TOUCHES];
    StiVec3 places[STI_TOUCHES];
    const int first = d->data->point_count;
    const int count = sti_placed_touch(&d->poses[pair.a].placed, &d->poses[pair.b].placed, margin,
                                       STI_TOUCHES, touches);
    if (count > 0) flatten(count, touches, places);
    for (int i = 0; i < count; ++i) add_point(d, pair, &touches[i], places[i]);
    if (d->data->point_count > first) find_ways_out(d, pair, margin, first);
}

// ---- pairs --------------------------------------------------------------------------------------

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

static void consider(Detection *d, const StiBounds *bounds, StiPair pair)
{
    const double margin = approach(d, pair);
    if (near(&bounds[pair.a], &bounds[pair.b], margin)) look_at_pair(d, pair, margin);
}

// The same for a pair of the list; without bounds where they are not worth it.
static void consider_listed(Detection *d, const StiBounds *bounds, int which)
{
    const StiPair pair = d->contact->pairs[which];
    const ContactPose *A = &d->poses[pair.a], *B = &d->poses[pair.b];
    const double margin = approach(d, pair);
    ContactFind *find = &d->data->finds[d->contact->pair + which];
    if (!A->moved && !B->moved && margin == find->margin && find->first == d->data->point_count) {
        const ContactPose *const poses[2] = {A, B};
        for (int i = 0; i < find->count; ++i) {
            recall_point(d, poses, &d->data->points[find->first + i]);
            set_aside(&d->data->points[find->first + i]);
        }
        return;
    }
    const int lost = d->data->lost;
    find->first = d->data->point_count;
    if (bounds == NULL || near(&bounds[pair.a], &bounds[pair.b], margin))
        look_at_pair(d, pair, margin);
    find->count = d->data->point_count - find->first;
    find->margin = d->data->lost == lost ? margin : -1.0;
}

static void one_by_one(Detection *d, const StiBounds *bounds, const StiPairRules *rules)
{
    for (int a = 0; a < d->contact->shape_count; ++a)
        for (int b = a + 1; b < d->contact->shape_count; ++b) {
            const StiPair pair = {a, b};
            if (opposite(d->contact, pair) && sti_pair_allowed(rules, pair))
                consider(d, bounds, pair);
        }
}

static double largest_approach(const Detection *d)
{
    double most = 0.0;
    for (int i = 0; i < d->contact->shape_count; ++i) {
        const ContactPose *pose = &d->poses[i];
        const double reach = d->contact->shapes[i].reach;
        const double slack = reach < INFINITY ? SLACK * reach : 0.0;
        const double speed = sti_vec3_norm(pose->link->v) + pose->turning;
        most = fmax(most, 2.0 * d->T * (speed + d->fall) + slack);
    }
    return 2.0 * most;
}

static void sweep(Detection *d, const StiBounds *bounds)
{
    const Contact *contact = d->contact;
    const StiPairRules rules = sti_contact_pair_rules(contact);
    int *order = d->data->order + 2 * contact->shape;
    const int pairs = sti_sweep(bounds, contact->shape_count, &rules, largest_approach(d), order,
                                d->data->pair_room, d->data->pairs);
    if (pairs > d->data->pair_room) // a heap where everything is near everything
        one_by_one(d, bounds, &rules);
    for (int i = 0; pairs <= d->data->pair_room && i < pairs; ++i)
        if (opposite(contact, d->data->pairs[i])) consider(d, bounds, d->data->pairs[i]);
}

static void look_at_contact(Detection *d)
{
    const Contact *contact = d->contact;
    StiBounds *bounds = d->data->bounds + contact->shape;
    if (contact->pairs != NULL && !contact->bounded) bounds = NULL;
    for (int i = 0; bounds != NULL && i < contact->shape_count; ++i)
        if (d->poses[i].moved) bounds[i] = sti_placed_bounds(&d->poses[i].placed);
    if (contact->pairs == NULL) sweep(d, bounds);
    for (int i = 0; i < contact->pair_count; ++i) consider_listed(d, bounds, i);
}

void sti_contacts_detect(const StiNetwork *network, const StageData *now, double T, double *s,
                         ContactData *data)
{
    Detection d; // field by field: clearing all of it takes longer
    d.T = d.recall.T = T;
    d.fall = data->gravity * T;
    d.data = data;
    d.recall.half[0].link = d.recall.half[1].link = NULL;
    d.recall.first = data->points;
    data->point_count = data->lost = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        ContactPose *poses = data->poses + contact->shape;
        place_moving(contact, now->frames, poses);
        d.contact = d.recall.contact = contact;
        d.index = i;
        d.poses = poses;
        d.found = 0;
        d.recall.slots = contact_slots(s + contact->s);
        d.recall.capacity = contact->capacity;
        d.recall.next = d.recall.spare = 0;
        d.recall.table = data->table;
        d.recall.table_size = data->table_size;
        d.recall.entered = false;
        look_at_contact(&d);
    }
}
