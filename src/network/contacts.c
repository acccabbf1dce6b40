#include "network/contacts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>


int sti_contact_memory(int capacity)
{
    return (int)((sizeof(ContactEpisode) + (size_t)capacity * sizeof(ContactSlot)) /
                 sizeof(double));
}

// Round shapes meet others in few points.
static int most_touches(const StiShape *shape)
{
    const StiCore core = shape->kind->core;
    return core == STI_CORE_POINT ? 1 : core == STI_CORE_SEGMENT ? 2 : STI_TOUCHES;
}

static bool is_box(const StiShape *shape) { return shape->kind->core == STI_CORE_BOX; }

// A box stands on a plane with its four lowest corners.
static int touches_of(const StiContactShape *a, const StiContactShape *b)
{
    const int of_a = most_touches(&a->shape), of_b = most_touches(&b->shape);
    if (a->shape.kind->half_space && is_box(&b->shape)) return 4;
    if (b->shape.kind->half_space && is_box(&a->shape)) return 4;
    return of_a < of_b ? of_a : of_b;
}

// In a crowd: twelve balls around one; a box in a grid of touching boxes meets 6 faces at 4 points each,
// 12 edges at 2 and 8 corners, those at the borders less. Each point belongs to two shapes.
static int touches_in_crowd(const StiContactShape *shape)
{
    return most_touches(&shape->shape) < STI_TOUCHES ? 12 : 24;
}

// All pairs at once, but no more than a crowd can have.
int sti_contact_capacity(const StiContact *contact)
{
    if (contact->capacity > 0) return contact->capacity;
    const bool within = contact->b_count == 0;
    long all = 0, crowd = 0;
    for (int i = 0; i < contact->a_count; ++i)
        for (int j = within ? i + 1 : 0; j < (within ? contact->a_count : contact->b_count); ++j)
            all += touches_of(&contact->a[i], within ? &contact->a[j] : &contact->b[j]);
    for (int i = 0; i < contact->a_count; ++i) crowd += touches_in_crowd(&contact->a[i]);
    for (int i = 0; i < contact->b_count; ++i) crowd += touches_in_crowd(&contact->b[i]);
    return (int)(all < 1 ? 1 : all < crowd ? all : crowd);
}

static StiContactShape *copy_shapes(const StiContactShape *from, int count, StiArena *arena)
{
    StiContactShape *shapes =
        sti_arena_take(arena, (size_t)(count > 0 ? count : 0) + 1, sizeof *shapes);
    for (int i = 0; shapes != NULL && from != NULL && i < count; ++i) {
        shapes[i] = from[i];
        if (from[i].shape.hull != NULL)
            shapes[i].shape.hull = sti_arena_copy(arena, from[i].shape.hull, sizeof(StiHull));
    }
    return shapes;
}

static int compare_pairs(const void *one, const void *other)
{
    const StiPair *p = one, *q = other;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

// In the order that looking them up needs.
static const StiPair *copy_pairs(const StiPair *from, int count, StiArena *arena)
{
    if (from == NULL || count <= 0) return NULL;
    StiPair *pairs = sti_arena_copy(arena, from, (size_t)count * sizeof *pairs);
    if (pairs != NULL) qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
    return pairs;
}

// A law has the contact's coefficients as its levels, where there are such.
static void set_levels(StiContact *contact)
{
    const StiLawKind *kind = contact->law.kind;
    for (int i = 0; contact->mu > 0.0 && kind != NULL && i < kind->field_count; ++i) {
        double *value = &contact->law.p[kind->fields[i].offset];
        if (strcmp(kind->fields[i].name, "level") == 0) *value = contact->mu;
        if (strcmp(kind->fields[i].name, "static") == 0)
            *value = contact->mu_static > contact->mu ? contact->mu_static : contact->mu;
    }
}

StiContact *sti_contact_copy(const StiContact *contact, StiArena *arena)
{
    StiContact *copy = sti_arena_copy(arena, contact, sizeof *copy);
    if (copy == NULL) return NULL;
    copy->a = contact->a != NULL ? copy_shapes(contact->a, contact->a_count, arena) : NULL;
    copy->b = contact->b != NULL ? copy_shapes(contact->b, contact->b_count, arena) : NULL;
    if (contact->materials != NULL)
        copy->materials =
            sti_arena_copy(arena, contact->materials,
                           (size_t)contact->material_count * sizeof *contact->materials);
    if (contact->law.table != NULL)
        copy->law.table = sti_arena_copy(arena, contact->law.table,
                                         2 * (size_t)contact->law.table_points * sizeof(double));
    set_levels(copy);
    copy->excluded = copy_pairs(contact->excluded, contact->excluded_count, arena);
    return copy;
}

StiMaterialPair sti_contact_rub(const Contact *contact, const int shape[2])
{
    const StiContact *p = contact->parameters;
    const int a = contact->shapes[shape[0]].shape.material,
              b = contact->shapes[shape[1]].shape.material;
    for (int i = 0; a > 0 && b > 0 && i < p->material_count; ++i) {
        const StiMaterialPair *pair = &p->materials[i];
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) return *pair;
    }
    return (StiMaterialPair){.mu = p->mu,
                             .mu_static = p->mu_static,
                             .rolling = p->rolling,
                             .spinning = p->spinning,
                             .restitution = p->restitution};
}

bool sti_contact_bounces(const StiContact *contact)
{
    bool bounces = contact->restitution > 0.0;
    for (int i = 0; i < contact->material_count; ++i)
        bounces = bounces || contact->materials[i].restitution > 0.0;
    return bounces;
}

static void check_body(const StiPlan *plan, const PlanElement *element, const char *side,
                       const StiContactShape *shape, StiReport *report)
{
    const int number = shape->body.number;
    if (number == STI_GROUND.number) return;
    if (number < 1 || number > plan->admittances.count) {
        sti_report_add(
            report, STI_ERROR, element->name, side, number,
            "this is not a body of the plan; there are %d, counted from 1, and 0 is an id "
            "that was never set",
            plan->admittances.count);
        return;
    }
    const PlanAdmittance *a = sti_plan_admittance(plan, number - 1);
    const int links = a->kind->size(a->parameters).links;
    if (shape->link < 0 || shape->link >= links)
        sti_report_add(report, STI_ERROR, element->name, side, shape->link,
                       "%s has %d link(s), counted from 0", a->name, links);
}

void sti_contact_check_bodies(const StiPlan *plan, const PlanElement *element, StiReport *report)
{
    const StiContact *p = element->parameters;
    for (int i = 0; i < p->a_count; ++i) check_body(plan, element, "a", &p->a[i], report);
    for (int i = 0; i < p->b_count; ++i) check_body(plan, element, "b", &p->b[i], report);
}

static StiOwner owner_of(const StiNetwork *network, const ContactShape *shape)
{
    if (shape->admittance < 0) return (StiOwner){-1, 0, -1};
    const Admittance *body = &network->admittances[shape->admittance];
    const int parent = body->robot != NULL     ? sti_robot_link(body->robot, shape->link)->parent
                       : body->parents != NULL ? body->parents[shape->link]
                                               : -1;
    return (StiOwner){.body = shape->admittance, .link = shape->link, .parent = parent};
}

static ContactShape build_shape(StiNetwork *network, const int *places, const StiContactShape *from)
{
    const int body = from->body.number > 0 ? places[from->body.number - 1] : -1;
    const double reach =
        from->shape.kind->half_space ? INFINITY : from->shape.kind->reach(&from->shape);
    if (body >= 0) network->admittances[body].posed = true;
    return (ContactShape){.admittance = body,
                          .link = from->link,
                          .frame = body < 0 ? -1 : network->admittances[body].link + from->link,
                          .shape = from->shape,
                          .reach = reach,
                          .swing = reach + sti_vec3_norm(from->shape.p)};
}

// ---- pairs --------------------------------------------------------------------------------------

enum { FEW = 64, VERY_FEW = 6 }; // so many pairs are looked at one by one; without bounds

static bool is_plane(const Contact *contact, int shape)
{
    return contact->shapes[shape].shape.kind->half_space;
}

// Writes at most `room` of the pairs that may touch, in order; returns how many there are, or
// room + 1 for more.
static int list_pairs(const Contact *contact, int room, StiPair *pairs)
{
    const StiPairRules rules = sti_contact_pair_rules(contact);
    const bool within = contact->a_count == contact->shape_count;
    int count = 0;
    for (int a = 0; a < contact->a_count; ++a)
        for (int b = within ? a + 1 : contact->a_count; b < contact->shape_count; ++b) {
            const StiPair pair = {a, b};
            if ((is_plane(contact, a) && is_plane(contact, b)) || !sti_pair_allowed(&rules, pair))
                continue;
            if (count == room) return room + 1;
            pairs[count++] = pair;
        }
    return count;
}

// Many pairs are found by a sweep. It has nothing to offer where there are no more pairs than two
// for each shape, as where all stand on one plane.
static bool build_pairs(StiNetwork *network, Contact *contact)
{
    const int each_two = 2 * contact->shape_count, room = each_two > FEW ? each_two : FEW;
    StiPair *pairs = sti_arena_take(&network->arena, (size_t)room, sizeof *pairs);
    if (pairs == NULL) return false;
    const int count = list_pairs(contact, room, pairs);
    int solid = 0;
    for (int i = 0; i < count && i < room; ++i)
        solid += !is_plane(contact, pairs[i].a) && !is_plane(contact, pairs[i].b);
    contact->pairs = count <= room ? pairs : NULL;
    contact->pair_count = count <= room ? count : 0;
    contact->pair = network->pair_count;
    network->pair_count += contact->pair_count;
    contact->bounded = solid > VERY_FEW;
    return true;
}

// ---- order --------------------------------------------------------------------------------------

// Shapes of a side stand in the order of their bodies, which is that of names, and what is fixed last, so
// that the order in which a contact lists them does not matter.
typedef struct ShapeKey {
    bool of_b;
    int body, link;
    int number; // among the parameters' shapes
} ShapeKey;

static int compare_keys(const void *p, const void *q)
{
    const ShapeKey *a = p, *b = q;
    if (a->of_b != b->of_b) return a->of_b ? 1 : -1;
    if (a->body != b->body) return a->body < b->body ? -1 : 1;
    if (a->link != b->link) return a->link < b->link ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static const StiContactShape *shape_of(const StiContact *p, int number)
{
    return number < p->a_count ? &p->a[number] : &p->b[number - p->a_count];
}

static void sort_shapes(const StiContact *p, const int *places, int count, ShapeKey *keys)
{
    for (int i = 0; i < count; ++i) {
        const StiContactShape *from = shape_of(p, i);
        keys[i] =
            (ShapeKey){.of_b = i >= p->a_count,
                       .body = from->body.number > 0 ? places[from->body.number - 1] : INT_MAX,
                       .link = from->link,
                       .number = i};
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
}

// The pairs left out, by the new numbers of the shapes; sorted, as rules of pairs are.
static void renumber_excluded(const StiContact *p, const int *now, StiPair *excluded)
{
    for (int i = 0; i < p->excluded_count; ++i) {
        const int a = now[p->excluded[i].a], b = now[p->excluded[i].b];
        excluded[i] = a < b ? (StiPair){a, b} : (StiPair){b, a};
    }
    qsort(excluded, (size_t)p->excluded_count, sizeof *excluded, compare_pairs);
}

bool sti_contact_build(StiNetwork *network, const int *places, Contact *contact)
{
    const StiContact *p = contact->parameters;
    const int count = p->a_count + p->b_count;
    const size_t room = (size_t)count + 1;
    ContactShape *shapes = sti_arena_take(&network->arena, room, sizeof *shapes);
    StiOwner *owners = sti_arena_take(&network->arena, room, sizeof *owners);
    ShapeKey *keys = sti_arena_take(&network->arena, room, sizeof *keys);
    int *now = sti_arena_take(&network->arena, room, sizeof *now);
    StiPair *excluded =
        sti_arena_take(&network->arena, (size_t)p->excluded_count + 1, sizeof *excluded);
    if (shapes == NULL || owners == NULL || keys == NULL || now == NULL || excluded == NULL)
        return false;
    sort_shapes(p, places, count, keys);
    for (int i = 0; i < count; ++i) {
        shapes[i] = build_shape(network, places, shape_of(p, keys[i].number));
        owners[i] = owner_of(network, &shapes[i]);
        now[keys[i].number] = i;
    }
    renumber_excluded(p, now, excluded);
    contact->shapes = shapes;
    contact->owners = owners;
    contact->excluded = excluded;
    contact->shape_count = count;
    contact->a_count = p->a_count;
    contact->capacity = sti_contact_capacity(p);
    for (int i = 0; i < count; ++i)
        contact->surfaces_run = contact->surfaces_run || sti_surface_runs(&shapes[i].shape);
    return build_pairs(network, contact);
}
