// Places where the shapes of contacts may touch, for methods that follow them in continuous time:
// each has a gap that is a smooth function of the poses.
#include "network/places.h"

#include "network/contacts.h"
#include "shape/polytope.h"

enum {
    ROOM_OF_FACES = 16, // corners on faces and crossings of one pair
    ROOM_OF_EDGES = 4,  // crossings of an edge with those of a pair
    PLACES_MOST = 240,  // solved for together, which costs their number cubed
};

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

static bool is_segment(const StiShape *shape) { return shape->kind->core == STI_CORE_SEGMENT; }

// Boxes, small hulls and capsules: corners, edges and faces are all that can touch.
static bool are_polytopes(const StiShape *a, const StiShape *b)
{
    StiPolytope own;
    return !is_round(a) && !is_round(b) && sti_polytope_of(a, &own) && sti_polytope_of(b, &own);
}

// Ends of a capsule on whatever it is, and corners on the side of a capsule.
static int parts_on(const StiShape *part, const StiShape *whole)
{
    return is_segment(part) || is_segment(whole) ? part_count(part) : 0;
}

// Those that are always there.
static int places_of(const StiShape *a, const StiShape *b)
{
    if (touch_once(a, b)) return 1;
    if (is_plane(a) != is_plane(b)) return part_count(is_plane(a) ? b : a);
    return are_polytopes(a, b) ? parts_on(a, b) + parts_on(b, a) : 0;
}

static int room_of(const StiShape *a, const StiShape *b)
{
    if (touch_once(a, b) || is_plane(a) || is_plane(b) || !are_polytopes(a, b)) return 0;
    return is_segment(a) || is_segment(b) ? ROOM_OF_EDGES : ROOM_OF_FACES;
}

static bool opposite(const Contact *contact, StiPair pair)
{
    return contact->a_count == contact->shape_count ||
           (pair.a < contact->a_count) != (pair.b < contact->a_count);
}

bool sti_contact_next_pair(const Contact *contact, StiPair *pair)
{
    const StiPairRules rules = sti_contact_pair_rules(contact);
    do {
        if (++pair->b >= contact->shape_count) pair->b = ++pair->a + 1;
        if (pair->b >= contact->shape_count) return false;
    } while (!opposite(contact, *pair) || !sti_pair_allowed(&rules, *pair));
    return true;
}

static int count_places(const StiNetwork *network, bool cut)
{
    int count = 0;
    for (int i = 0; i < network->contact_count; ++i) {
        const Contact *contact = &network->contacts[i];
        for (StiPair pair = {0, 0}; sti_contact_next_pair(contact, &pair);) {
            const StiShape *a = &contact->shapes[pair.a].shape, *b = &contact->shapes[pair.b].shape;
            count += places_of(a, b) + (cut ? room_of(a, b) : 0);
            if (cut && count > PLACES_MOST) return count;
        }
    }
    return count;
}

static bool has_room(const Contact *contact)
{
    for (StiPair pair = {0, 0}; sti_contact_next_pair(contact, &pair);)
        if (room_of(&contact->shapes[pair.a].shape, &contact->shapes[pair.b].shape) > 0)
            return true;
    return false;
}

// Would explicit substeps follow the friction of a ball, whose surface is 7/2 as mobile as its mass, pressed on by
// twice its weight? Rows of contacts have no implicit part.
static bool rises_steeply(const StiNetwork *network, const StiLaw *law)
{
    static const double mobility = 3.5, load = 2.0, stable = 1.0;
    if (law->kind == NULL) return false;
    const double rise = sti_law_survey(law).steepest_rise;
    return mobility * load * sti_vec3_norm(network->gravity) * network->step * rise > stable;
}

const char *sti_contact_not_followed(const StiNetwork *network, const Contact *contact, bool cut)
{
    if (sti_contact_turns(contact->parameters).nodes > 0)
        return "resistance to rolling and spinning has no events; a fixed step can run it";
    if (contact->parameters->mu_across > 0.0)
        return "friction by direction has no events; a fixed step can run it";
    if (cut && rises_steeply(network, &contact->parameters->law))
        return "its law rises so steeply with the speed of slip that a step cannot follow; a fixed "
               "step can run it";
    if (sti_contact_is_elastic(contact->parameters))
        return "bristles of contacts have no events; a fixed step can run them";
    for (StiPair pair = {0, 0}; sti_contact_next_pair(contact, &pair);) {
        const ContactShape *a = &contact->shapes[pair.a], *b = &contact->shapes[pair.b];
        const int count = cut ? room_of(&a->shape, &b->shape) : 0;
        const bool comes = room_of(&a->shape, &b->shape) > 0;
        if ((comes && !cut) || places_of(&a->shape, &b->shape) + count == 0)
            return cut ? "cut follows points and spheres with any shape, and boxes, capsules and "
                         "small "
                         "hulls with each other and with planes; a fixed step can run other shapes"
                       : "events are found between points or spheres and any shape, and between "
                         "capsules, boxes or hulls and a plane; a fixed step can run other shapes";
        for (int i = 0; i < 2; ++i) {
            const int body = i == 0 ? a->admittance : b->admittance;
            if (body >= 0 && network->admittances[body].kind->prescribed)
                return "a shape on a body whose motion is prescribed has no events; a fixed step "
                       "can run it";
            if (body >= 0 && network->admittances[body].kind->constrain != NULL)
                return "a shape on a linkage, or on bodies with couplings or loops, has no events; a "
                       "fixed step can run it";
        }
    }
    if (cut && has_room(contact) && count_places(network, true) > PLACES_MOST)
        return "so many shapes that may touch make it slow; a fixed step can run them";
    return NULL;
}

static int frame_of(const StiNetwork *network, const ContactShape *shape)
{
    return shape->admittance < 0 ? -1 : network->admittances[shape->admittance].link + shape->link;
}

static void fill_pair(StiNetwork *network, int contact, StiPair pair, int first, bool cut,
                      ContactPlace *places)
{
    const ContactShape *a = &network->contacts[contact].shapes[pair.a],
                       *b = &network->contacts[contact].shapes[pair.b];
    const int count = places_of(&a->shape, &b->shape);
    const bool whole = touch_once(&a->shape, &b->shape);
    const bool planes = is_plane(&a->shape) || is_plane(&b->shape);
    const int of_a = whole                 ? 0
                     : is_plane(&a->shape) ? 0
                     : planes              ? count
                                           : parts_on(&a->shape, &b->shape);
    ContactPlace place = {.contact = contact,
                          .shape = {pair.a, pair.b},
                          .admittance = {a->admittance, b->admittance},
                          .frame = {frame_of(network, a), frame_of(network, b)}};
    for (int i = 0; i < count; ++i) {
        place.ordinal = network->place_count - first;
        place.feature = (uint32_t)i;
        place.shapes[0] = i < of_a ? part_of(&a->shape, i) : a->shape;
        place.shapes[1] = i < of_a || whole ? b->shape : part_of(&b->shape, i - of_a);
        places[network->place_count++] = place;
    }
    place.comes = place.vacant = true;
    place.shapes[0] = a->shape, place.shapes[1] = b->shape;
    for (int i = 0; cut && i < room_of(&a->shape, &b->shape); ++i) {
        place.ordinal = network->place_count - first;
        places[network->place_count++] = place;
    }
}

bool sti_network_find_places(StiNetwork *network, bool cut)
{
    for (int i = 0; cut && i < network->contact_count; ++i)
        if (sti_contact_not_followed(network, &network->contacts[i], true) != NULL) cut = false;
    const size_t count = (size_t)count_places(network, cut);
    ContactPlace *places = sti_arena_take(&network->arena, count + 1, sizeof *places);
    network->places = places;
    for (int i = 0; places != NULL && i < network->contact_count; ++i) {
        const int first = network->place_count;
        for (StiPair pair = {0, 0}; sti_contact_next_pair(&network->contacts[i], &pair);)
            fill_pair(network, i, pair, first, cut, places);
    }
    return places != NULL;
}
