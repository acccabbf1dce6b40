#include "evaluate/pair_places.h"

#include <math.h>
#include <string.h>

#include "network/places.h"
#include "shape/polytope.h"
#include "shape/touches.h"

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};
static const double slack = 1e-9;   // of the size: a corner at a border is on the face
static const double apart = 1e-6;   // of the same: shapes with a smaller gap touch
static const double overlap = 1e-4; // of the same: as deep as a place may be
// Of the same: how far a shape may reach over the plane of a place. Faces that are nearly parallel do so, and
// a corner that is in a face, or two edges that meet, touch in any case.
static const double loose = 0.02;
static const double parallel = 1e-3; // sine between edges that have no one crossing
static const double near = 0.05;     // of the size: gaps that are followed

typedef struct Pair {
    const StiNetwork *network;
    const ContactPlace *place; // any of the pair's
    const StiShape *shapes[2];
    StiFrame links[2];
    StiPolytope own[2], placed[2]; // in own axes, in the world
    double size, margin;
    ContactPlace *room;
    int count, room_count;
} Pair;

static StiFrame link_of(const StiFrame *frames, int frame)
{
    return frame < 0 ? world : frames[frame];
}

static void open_pair(const StiNetwork *network, const StiFrame *frames, const ContactPlace *place,
                      Pair *pair)
{
    const Contact *contact = &network->contacts[place->contact];
    pair->network = network;
    pair->place = place;
    pair->size = INFINITY;
    double speed = 0.0;
    for (int k = 0; k < 2; ++k) {
        pair->shapes[k] = &contact->shapes[place->shape[k]].shape;
        pair->links[k] = link_of(frames, place->frame[k]);
        sti_polytope_of(pair->shapes[k], &pair->own[k]);
        pair->placed[k] = pair->own[k];
        const StiPlaced placed = sti_shape_placed(pair->shapes[k], &pair->links[k]);
        const double reach = pair->shapes[k]->kind->reach(pair->shapes[k]);
        sti_polytope_place(&placed, &pair->placed[k]);
        pair->size = fmin(pair->size, reach);
        speed += sti_vec3_norm(pair->links[k].v) + reach * sti_vec3_norm(pair->links[k].w);
    }
    pair->margin = near * pair->size + 2.0 * network->step * speed;
}

// ---- what a feature is --------------------------------------------------------------------------

static StiVec3 in_link(const StiShape *shape, StiVec3 at)
{
    return sti_vec3_add(shape->p, sti_shape_is_turned(shape) ? sti_quat_rotate(shape->q, at) : at);
}

static StiShape corner_of(const Pair *pair, int side, int i)
{
    const StiVec3 at = in_link(pair->shapes[side], pair->own[side].vertices[i]);
    const double rounding = pair->own[side].rounding;
    return rounding > 0.0 ? sti_shape_sphere(at, rounding) : sti_shape_point(at);
}

static StiShape face_of(const Pair *pair, int side, int f)
{
    const StiPolytope *own = &pair->own[side];
    const StiShape *shape = pair->shapes[side];
    const StiVec3 n = own->normals[f];
    return sti_shape_plane(in_link(shape, own->vertices[own->corners[f][0]]),
                           sti_shape_is_turned(shape) ? sti_quat_rotate(shape->q, n) : n);
}

static void write_place(const Pair *pair, uint32_t feature, ContactPlace *place)
{
    const int what = (int)(feature >> 28), a = (int)(feature >> 12 & 0xffff),
              b = (int)(feature >> 1 & 0x7ff);
    place->vacant = false;
    place->feature = feature;
    place->sense = 0.0;
    if (what == STI_EDGES_CROSS) {
        place->shapes[0] = sti_polytope_edge(pair->shapes[0], &pair->own[0], a);
        place->shapes[1] = sti_polytope_edge(pair->shapes[1], &pair->own[1], b);
        place->sense = (feature & 1) != 0 ? -1.0 : 1.0;
    } else {
        place->shapes[0] = what == STI_CORNER_OF_A ? corner_of(pair, 0, a) : face_of(pair, 0, a);
        place->shapes[1] = what == STI_CORNER_OF_A ? face_of(pair, 1, b) : corner_of(pair, 1, b);
    }
}

static double inside_of(const Pair *pair, uint32_t feature)
{
    const int what = (int)(feature >> 28), a = (int)(feature >> 12 & 0xffff),
              b = (int)(feature >> 1 & 0x7ff);
    if (what == STI_CORNER_OF_A)
        return sti_polytope_inside(&pair->placed[1], b, pair->placed[0].vertices[a]);
    if (what == STI_CORNER_OF_B)
        return sti_polytope_inside(&pair->placed[0], a, pair->placed[1].vertices[b]);
    StiCrossing crossing;
    sti_polytopes_cross(&pair->placed[0], a, &pair->placed[1], b, &crossing);
    return crossing.sine < 0.5 * parallel ? -INFINITY : crossing.inside;
}

static bool is_feature(const Pair *pair, double number)
{
    const uint32_t feature = number >= 0.0 && number < 4294967296.0 ? (uint32_t)number : 0;
    const int what = (int)(feature >> 28), a = (int)(feature >> 12 & 0xffff),
              b = (int)(feature >> 1 & 0x7ff);
    const StiPolytope *A = &pair->own[0], *B = &pair->own[1];
    if (what == STI_CORNER_OF_A) return a < A->vertex_count && b < B->face_count;
    if (what == STI_CORNER_OF_B) return a < A->face_count && b < B->vertex_count;
    return what == STI_EDGES_CROSS && a < A->edge_count && b < B->edge_count;
}

double sti_place_inside(const StiNetwork *network, const ContactPlace *place,
                        const StiFrame *frames)
{
    Pair pair;
    open_pair(network, frames, place, &pair);
    return inside_of(&pair, place->feature) + 2.0 * slack * pair.size;
}

// ---- the search ---------------------------------------------------------------------------------

static void add(Pair *pair, uint32_t feature)
{
    for (int i = 0; i < pair->count; ++i)
        if (pair->room[i].feature == feature) return;
    if (pair->count < pair->room_count) write_place(pair, feature, &pair->room[pair->count++]);
}

// The lowest corner of a shape along a direction.
static double lowest(const StiPolytope *p, StiVec3 n)
{
    double least = INFINITY;
    for (int i = 0; i < p->vertex_count; ++i) least = fmin(least, sti_vec3_dot(n, p->vertices[i]));
    return least;
}

static bool meets_corner(const Pair *pair, StiVec3 point)
{
    const double close = 2.0 * slack * pair->size;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < pair->placed[k].vertex_count; ++i)
            if (sti_vec3_norm(sti_vec3_sub(point, pair->placed[k].vertices[i])) <=
                close + pair->placed[k].rounding)
                return true;
    return false;
}

// A face keeps the two apart by more than is followed.
static bool are_far(const Pair *pair)
{
    for (int side = 0; side < 2; ++side) {
        const StiPolytope *own = &pair->placed[side], *other = &pair->placed[1 - side];
        for (int f = 0; f < other->face_count; ++f) {
            const StiVec3 n = other->normals[f];
            const double height = sti_vec3_dot(n, other->vertices[other->corners[f][0]]);
            if (lowest(own, n) - height - own->rounding - other->rounding > pair->margin)
                return true;
        }
    }
    return false;
}

// Corners of one side on faces of the other that separate the two.
static void add_corners(Pair *pair, int side)
{
    const StiPolytope *own = &pair->placed[side], *other = &pair->placed[1 - side];
    for (int f = 0; f < other->face_count; ++f) {
        const StiVec3 n = other->normals[f];
        const double height = sti_vec3_dot(n, other->vertices[other->corners[f][0]]);
        const double gap = lowest(own, n) - height - own->rounding - other->rounding;
        if (gap < -loose * pair->size || gap > pair->margin) continue;
        for (int i = 0; i < own->vertex_count; ++i) {
            const double over = sti_vec3_dot(n, own->vertices[i]) - height;
            if (over - own->rounding - other->rounding > pair->margin ||
                over - own->rounding - other->rounding < -overlap * pair->size)
                continue;
            if (sti_polytope_inside(other, f, own->vertices[i]) < -slack * pair->size) continue;
            add(pair, side == 0 ? sti_feature(STI_CORNER_OF_A, i, f, 0)
                                : sti_feature(STI_CORNER_OF_B, f, i, 0));
        }
    }
}

// Edges that cross along a normal which separates the two.
static void add_edges(Pair *pair)
{
    const StiPolytope *A = &pair->placed[0], *B = &pair->placed[1];
    const double rounding = A->rounding + B->rounding;
    for (int a = 0; a < A->edge_count; ++a)
        for (int b = 0; b < B->edge_count; ++b) {
            StiCrossing at;
            sti_polytopes_cross(A, a, B, b, &at);
            if (at.sine < parallel || at.inside < -slack * pair->size) continue;
            if (fabs(at.touch.gap + rounding) > pair->margin + rounding) continue;
            if (meets_corner(pair, at.touch.point_a) || meets_corner(pair, at.touch.point_b))
                continue;
            double excess = INFINITY;
            int negative = 0;
            for (int k = 0; k < 2; ++k) {
                const StiVec3 n = sti_vec3_scale(k ? -1.0 : 1.0, at.touch.normal);
                const double gap = (k ? -1.0 : 1.0) * (at.touch.gap + rounding);
                const double more = gap - lowest(A, n) - lowest(B, sti_vec3_scale(-1.0, n));
                if (gap - rounding < -overlap * pair->size || !(more < excess)) continue;
                excess = more;
                negative = k;
            }
            if (excess <= loose * pair->size)
                add(pair, sti_feature(STI_EDGES_CROSS, a, b, negative));
        }
}

// Closed places stay, unless they have left their faces or edges.
static void keep_closed(Pair *pair, double *s)
{
    const Contact *contact = &pair->network->contacts[pair->place->contact];
    ContactSlot *slots = contact_slots(s + contact->s);
    for (int i = 0; i < contact->capacity; ++i) {
        if (!(slots[i].age > 0.0) || slots[i].shape_a != pair->place->shape[0] ||
            slots[i].shape_b != pair->place->shape[1] || !is_feature(pair, slots[i].feature))
            continue;
        const uint32_t feature = (uint32_t)slots[i].feature;
        if (inside_of(pair, feature) < -2.0 * slack * pair->size)
            slots[i] = (ContactSlot){.age = 0.0};
        else
            add(pair, feature);
    }
}

// They touch, but not at a place that is known.
static bool is_odd(const Pair *pair, const TouchData *data, int first)
{
    const ContactPlace *place = &data->places[first];
    StiTouch touches[STI_TOUCHES];
    if (pair->count > 0) return false;
    for (int i = 0; i < first; ++i) // parts of the same pair
        if (data->places[i].contact == place->contact &&
            data->places[i].shape[0] == place->shape[0] &&
            data->places[i].shape[1] == place->shape[1])
            return false;
    return sti_shape_touch(pair->shapes[0], &pair->links[0], pair->shapes[1], &pair->links[1],
                           apart * pair->size, STI_TOUCHES, touches) > 0;
}

static void sort(Pair *pair)
{
    for (int i = 1; i < pair->count; ++i)
        for (int k = i; k > 0 && pair->room[k - 1].feature > pair->room[k].feature; --k) {
            const ContactPlace place = pair->room[k];
            pair->room[k] = pair->room[k - 1];
            pair->room[k - 1] = place;
        }
}

// Flags go with the features.
static void carry_flags(const ContactPlace *before, const bool *were, const Pair *pair, int count,
                        bool *ended)
{
    for (int i = 0; i < count; ++i) {
        for (int m = 0; m < STI_PLACE_MARGINS; ++m) ended[STI_PLACE_MARGINS * i + m] = false;
        for (int k = 0; k < count; ++k)
            if (!pair->room[i].vacant && !before[k].vacant &&
                before[k].feature == pair->room[i].feature)
                memcpy(ended + STI_PLACE_MARGINS * i, were + STI_PLACE_MARGINS * k,
                       STI_PLACE_MARGINS * sizeof *ended);
    }
}

static bool is_same(const ContactPlace *a, const ContactPlace *b, int count)
{
    for (int i = 0; i < count; ++i)
        if (a[i].vacant != b[i].vacant || (!a[i].vacant && a[i].feature != b[i].feature))
            return false;
    return true;
}

StiStatus sti_touches_refresh(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                              double *s, bool *ended, bool *changed)
{
    enum { ROOM = 16 };
    TouchData *data = scratch->touches;
    *changed = false;
    for (int first = 0, end; first < data->count; first = end) {
        end = first + 1;
        if (!data->places[first].comes) continue;
        while (end < data->count && data->places[end].comes && end - first < ROOM &&
               data->places[end].contact == data->places[first].contact &&
               data->places[end].shape[0] == data->places[first].shape[0] &&
               data->places[end].shape[1] == data->places[first].shape[1])
            ++end;
        const int count = end - first;
        ContactPlace before[ROOM];
        bool were[STI_PLACE_MARGINS * ROOM] = {false};
        Pair pair = {.room = &data->places[first], .room_count = count};
        memcpy(before, pair.room, (size_t)count * sizeof *before);
        if (ended != NULL)
            memcpy(were, ended + STI_PLACE_MARGINS * first,
                   (size_t)(STI_PLACE_MARGINS * count) * sizeof *were);
        open_pair(network, now->frames, &before[0], &pair);
        for (int i = 0; i < count; ++i) pair.room[i].vacant = true;
        keep_closed(&pair, s);
        if (!are_far(&pair)) {
            add_corners(&pair, 0);
            add_corners(&pair, 1);
            add_edges(&pair);
        }
        sort(&pair);
        if (ended != NULL)
            carry_flags(before, were, &pair, count, ended + STI_PLACE_MARGINS * first);
        *changed = *changed || !is_same(before, pair.room, count);
        if (is_odd(&pair, data, first))
            return sti_fault(scratch, STI_NO_SOLUTION, network->contacts[before[0].contact].name,
                             "edges", &now->stage);
    }
    if (*changed) data->lies = data->built = data->shaped = false;
    return STI_OK;
}
