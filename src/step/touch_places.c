// Places where the shapes of contacts may touch: which there are, and their memory.
#include <string.h>

#include "step/touches.h"

static bool is_plane(const StiShape *shape) { return shape->kind == &sti_shape_kind_plane; }

static bool is_round(const StiShape *shape)
{
    return shape->kind == &sti_shape_kind_point || shape->kind == &sti_shape_kind_sphere;
}

// Points or spheres that do on a plane what the shape does; 0: there are none.
static int part_count(const StiShape *shape)
{
    if (is_round(shape)) return 1;
    if (shape->kind == &sti_shape_kind_capsule) return 2;
    if (shape->kind == &sti_shape_kind_box) return 8;
    return shape->kind == &sti_shape_kind_hull ? shape->hull->vertex_count : 0;
}

static StiVec3 in_link(const StiShape *shape, StiVec3 at)
{
    const bool turned =
        shape->q.w != 0.0 || shape->q.x != 0.0 || shape->q.y != 0.0 || shape->q.z != 0.0;
    return sti_vec3_add(shape->p, turned ? sti_quat_rotate(shape->q, at) : at);
}

static StiShape part_of(const StiShape *shape, int i)
{
    if (is_round(shape)) return *shape;
    if (shape->kind == &sti_shape_kind_hull)
        return sti_shape_point(in_link(shape, shape->hull->vertices[i]));
    const StiVec3 h = shape->half;
    if (shape->kind == &sti_shape_kind_capsule)
        return sti_shape_sphere(in_link(shape, (StiVec3){0.0, 0.0, i == 0 ? -h.z : h.z}),
                                shape->radius);
    return sti_shape_point(
        in_link(shape, (StiVec3){i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z}));
}

static bool both_round(const StiShape *a, const StiShape *b) { return is_round(a) && is_round(b); }

static int places_of(const StiShape *a, const StiShape *b)
{
    if (both_round(a, b)) return 1;
    if (is_plane(a) == is_plane(b)) return 0;
    return part_count(is_plane(a) ? b : a);
}

static bool opposite(const Contact *contact, StiPair pair)
{
    return contact->a_count == contact->shape_count ||
           (pair.a < contact->a_count) != (pair.b < contact->a_count);
}

// All pairs of shapes of a contact that may touch, in order. False past the last.
static bool next_pair(const Contact *contact, StiPair *pair)
{
    const StiPairRules rules = {.owners = contact->owners,
                                .excluded = contact->parameters->excluded,
                                .excluded_count = contact->parameters->excluded_count};
    do {
        if (++pair->b >= contact->shape_count) pair->b = ++pair->a + 1;
        if (pair->b >= contact->shape_count) return false;
    } while (!opposite(contact, *pair) || !sti_pair_allowed(&rules, *pair));
    return true;
}

const char *sti_touches_lack(const StiNetwork *network, const Contact *contact)
{
    for (StiPair pair = {0, 0}; next_pair(contact, &pair);) {
        const ContactShape *a = &contact->shapes[pair.a], *b = &contact->shapes[pair.b];
        if (places_of(&a->shape, &b->shape) == 0)
            return "events are found between points and spheres, and between points, spheres, "
                   "capsules, boxes or hulls and a plane; a fixed step can run other shapes";
        for (int i = 0; i < 2; ++i) {
            const int body = i == 0 ? a->admittance : b->admittance;
            if (body >= 0 && network->admittances[body].kind->prescribed)
                return "a shape on a body whose motion is prescribed has no events; a fixed step "
                       "can run it";
            if (body >= 0 && network->admittances[body].kind->constrain != NULL)
                return "a shape on a linkage has no events; a fixed step can run it";
        }
    }
    return NULL;
}

static int frame_of(const StiNetwork *network, const ContactShape *shape)
{
    return shape->admittance < 0 ? -1 : network->admittances[shape->admittance].link + shape->link;
}

int sti_touches_count(const StiNetwork *network)
{
    int count = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        for (StiPair pair = {0, 0}; next_pair(contact, &pair);)
            count += places_of(&contact->shapes[pair.a].shape, &contact->shapes[pair.b].shape);
    }
    return count;
}

static void fill_pair(const StiNetwork *network, int contact, StiPair pair, TouchData *data)
{
    const ContactShape *a = &network->contacts[contact].shapes[pair.a],
                       *b = &network->contacts[contact].shapes[pair.b];
    const int count = places_of(&a->shape, &b->shape);
    const bool parts_of_b = is_plane(&a->shape);
    for (int i = 0; i < count; ++i) {
        const bool whole = both_round(&a->shape, &b->shape);
        data->places[data->count++] =
            (TouchPlace){.contact = contact,
                         .shape = {pair.a, pair.b},
                         .feature = (uint32_t)i,
                         .shapes = {whole || parts_of_b ? a->shape : part_of(&a->shape, i),
                                    whole || !parts_of_b ? b->shape : part_of(&b->shape, i)},
                         .admittance = {a->admittance, b->admittance},
                         .frame = {frame_of(network, a), frame_of(network, b)}};
    }
}

void sti_touches_take(StiArena *arena, const StiNetwork *network, TouchData *data)
{
    const size_t count = (size_t)sti_touches_count(network);
    const size_t rows = TOUCH_ROWS * count + (size_t)network->row_count + 1;
    *data = (TouchData){.places = sti_arena_take(arena, count + 1, sizeof(TouchPlace)),
                        .touches = sti_arena_take(arena, count + 1, sizeof(Touch)),
                        .rows = sti_arena_take(arena, rows, sizeof(TouchRow)),
                        .row_room = (int)rows,
                        .A = sti_arena_take(arena, rows * rows, sizeof(double)),
                        .factor = sti_arena_take(arena, rows * rows, sizeof(double)),
                        .rate = sti_arena_take(arena, rows, sizeof(double)),
                        .z = sti_arena_take(arena, rows, sizeof(double)),
                        .left = sti_arena_take(arena, rows, sizeof(double)),
                        .weight = sti_arena_take(arena, rows, sizeof(double)),
                        .pivots = sti_arena_take(arena, rows, sizeof(int)),
                        .met = sti_arena_take(arena, count + 1, sizeof(bool)),
                        .strikes = sti_arena_take(arena, count + 1, sizeof(bool)),
                        .dead = sti_arena_take(arena, count + 1, sizeof(bool)),
                        .nodes = sti_arena_take(arena, count + 1, sizeof(StiBlockNode)),
                        .modes = sti_arena_take(arena, count + 1, sizeof(StiBlockMode)),
                        .bounce = sti_arena_take(arena, rows, sizeof(double)),
                        .x_before = sti_arena_numbers(arena, network->x_count),
                        .s_before = sti_arena_numbers(arena, network->s_count),
                        .work = sti_arena_numbers(arena, network->contact_count),
                        .lost = sti_arena_numbers(arena, network->contact_count),
                        .gained = sti_arena_numbers(arena, network->admittance_count)};
    if (sti_sequence_wanted(network)) sti_sequence_take(arena, (int)count, &data->sequence);
    StiBlockScratch *block = &data->block_scratch;
    sti_block_scratch_size((int)count, TOUCH_ROWS * (int)count, 0, &block->number_count,
                           &block->integer_count);
    block->numbers = sti_arena_take(arena, block->number_count + 1, sizeof(double));
    block->integers = sti_arena_take(arena, block->integer_count + 1, sizeof(int));
    for (int i = 0; !arena->failed && i < network->contact_count; ++i)
        for (StiPair pair = {0, 0}; next_pair(&network->contacts[i], &pair);)
            fill_pair(network, i, pair, data);
}

const char *sti_touches_name(const StiNetwork *network, int place)
{
    for (int i = 0; i < network->contact_count; ++i)
        for (StiPair pair = {0, 0}; next_pair(&network->contacts[i], &pair);) {
            const ContactShape *shapes = network->contacts[i].shapes;
            place -= places_of(&shapes[pair.a].shape, &shapes[pair.b].shape);
            if (place < 0) return network->contacts[i].name;
        }
    return "";
}
