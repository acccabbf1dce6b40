// Places where the shapes of contacts may touch, for methods that follow them in continuous time:
// each has a gap that is a smooth function of the poses.
#include "network/places.h"

static bool is_plane(const StiShape *shape) { return shape->kind->half_space; }

static bool is_round(const StiShape *shape) { return shape->kind->core == STI_CORE_POINT; }

static StiVec3 in_link(const StiShape *shape, StiVec3 at)
{
    const bool turned =
        shape->q.w != 0.0 || shape->q.x != 0.0 || shape->q.y != 0.0 || shape->q.z != 0.0;
    return sti_vec3_add(shape->p, turned ? sti_quat_rotate(shape->q, at) : at);
}

// Points or spheres that do on a plane what the shape does; 0: there are none.
static int part_count(const StiShape *shape)
{
    return shape->kind->vertices != NULL ? shape->kind->vertices(shape, NULL) : 0;
}

static StiShape part_of(const StiShape *shape, int i)
{
    if (is_round(shape)) return *shape;
    StiVec3 vertices[STI_HULL_VERTICES];
    shape->kind->vertices(shape, vertices);
    const StiVec3 at = in_link(shape, vertices[i]);
    const double rounding = shape->kind->rounding(shape);
    return rounding > 0.0 ? sti_shape_sphere(at, rounding) : sti_shape_point(at);
}

// A sphere has one nearest point on any convex shape.
static bool touch_once(const StiShape *a, const StiShape *b)
{
    return !is_plane(a) && !is_plane(b) && (is_round(a) || is_round(b));
}

static int places_of(const StiShape *a, const StiShape *b)
{
    if (touch_once(a, b)) return 1;
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

const char *sti_contact_not_followed(const StiNetwork *network, const Contact *contact)
{
    for (StiPair pair = {0, 0}; next_pair(contact, &pair);) {
        const ContactShape *a = &contact->shapes[pair.a], *b = &contact->shapes[pair.b];
        if (places_of(&a->shape, &b->shape) == 0)
            return "events are found between points or spheres and any shape, and between "
                   "capsules, "
                   "boxes or hulls and a plane; a fixed step can run other shapes";
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

static int count_places(const StiNetwork *network)
{
    int count = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        for (StiPair pair = {0, 0}; next_pair(contact, &pair);)
            count += places_of(&contact->shapes[pair.a].shape, &contact->shapes[pair.b].shape);
    }
    return count;
}

static void fill_pair(StiNetwork *network, int contact, StiPair pair, int first,
                      ContactPlace *places)
{
    const ContactShape *a = &network->contacts[contact].shapes[pair.a],
                       *b = &network->contacts[contact].shapes[pair.b];
    const int count = places_of(&a->shape, &b->shape);
    const bool parts_of_b = is_plane(&a->shape);
    for (int i = 0; i < count; ++i) {
        const bool whole = touch_once(&a->shape, &b->shape);
        ContactPlace *place = &places[network->place_count];
        *place = (ContactPlace){.contact = contact,
                                .ordinal = network->place_count++ - first,
                                .shape = {pair.a, pair.b},
                                .feature = (uint32_t)i,
                                .shapes = {whole || parts_of_b ? a->shape : part_of(&a->shape, i),
                                           whole || !parts_of_b ? b->shape : part_of(&b->shape, i)},
                                .admittance = {a->admittance, b->admittance},
                                .frame = {frame_of(network, a), frame_of(network, b)}};
    }
}

bool sti_network_find_places(StiNetwork *network)
{
    const size_t count = (size_t)count_places(network);
    ContactPlace *places = sti_arena_take(&network->arena, count + 1, sizeof *places);
    network->places = places;
    for (int i = 0; places != NULL && i < network->contact_count; ++i) {
        const int first = network->place_count;
        for (StiPair pair = {0, 0}; next_pair(&network->contacts[i], &pair);)
            fill_pair(network, i, pair, first, places);
    }
    return places != NULL;
}
