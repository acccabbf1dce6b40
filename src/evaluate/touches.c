// Places where shapes may touch: whether they are closed, how they lie, how they move.
#include "evaluate/touches.h"

#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "shape/polytope.h"
#include "shape/touches.h"

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

static void find_floors(TouchData *data)
{
    for (int i = 0; i < data->count; ++i) {
        const ContactPlace *place = &data->places[i];
        const bool rests = place->frame[1] < 0 && place->shapes[1].kind->half_space &&
                           place->shapes[0].kind->core == STI_CORE_POINT;
        data->floors[i] =
            rests ? sti_shape_placed(&place->shapes[1], &world) : (StiPlaced){.shape = NULL};
    }
}

TouchData *sti_touches_take(StiArena *arena, const StiNetwork *network)
{
    TouchData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL || network->place_count == 0) return data;
    const size_t count = (size_t)network->place_count;
    const size_t rows = TOUCH_ROWS * count + (size_t)network->row_count + 1;
    const size_t reactions = (size_t)network->reaction_count + 1;
    ContactPlace *places = sti_arena_take(arena, count + 1, sizeof *places);
    if (places != NULL) memcpy(places, network->places, count * sizeof *places);
    *data = (TouchData){.places = places,
                        .count = network->place_count,
                        .touches = sti_arena_take(arena, count + 1, sizeof(Touch)),
                        .sunk = sti_arena_take(arena, count + 1, sizeof(double)),
                        .rows = sti_arena_take(arena, rows, sizeof(TouchRow)),
                        .row_room = (int)rows,
                        .floors = sti_arena_take(arena, count + 1, sizeof(StiPlaced)),
                        .lain = sti_arena_numbers(arena, network->x_count),
                        .built_part = sti_arena_take(arena, count + 1, sizeof(bool)),
                        .built_held = sti_arena_take(arena, reactions, sizeof(bool)),
                        .slot = sti_arena_take(arena, count + 1, sizeof(ContactSlot *)),
                        .answer = sti_arena_take(arena, rows, sizeof(double)),
                        .takes_part = sti_arena_take(arena, count + 1, sizeof(bool)),
                        .held = sti_arena_take(arena, reactions, sizeof(bool)),
                        .row_of = sti_arena_take(arena, count + 1, sizeof(int)),
                        .row_of_reaction = sti_arena_take(arena, reactions, sizeof(int)),
                        .free = sti_arena_numbers(arena, network->generalized_count),
                        .W = sti_arena_take(arena, rows * rows, sizeof(double)),
                        .A = sti_arena_take(arena, rows * rows, sizeof(double)),
                        .factor = sti_arena_take(arena, rows * rows, sizeof(double)),
                        .rate = sti_arena_take(arena, rows, sizeof(double)),
                        .z = sti_arena_take(arena, rows, sizeof(double)),
                        .left = sti_arena_take(arena, rows, sizeof(double)),
                        .before = sti_arena_take(arena, rows, sizeof(double)),
                        .weight = sti_arena_take(arena, rows, sizeof(double)),
                        .pivots = sti_arena_take(arena, rows, sizeof(int))};
    if (data->floors != NULL) find_floors(data);
    return data;
}

// ---- closed ---------------------------------------------------------------------------------------

static bool is_of(const ContactSlot *slot, const ContactPlace *place)
{
    return slot->age > 0.0 && slot->shape_a == place->shape[0] &&
           slot->shape_b == place->shape[1] && slot->feature == (double)place->feature;
}

// A place is looked for first where it is put if there is room.
const ContactSlot *sti_touch_memory(const StiNetwork *network, const ContactPlace *place,
                                    const double *s)
{
    if (place->vacant) return NULL;
    const Contact *contact = &network->contacts[place->contact];
    const ContactSlot *slots =
        (const ContactSlot *)(const void *)(s + contact->s +
                                            sizeof(ContactEpisode) / sizeof(double));
    const int usual = place->ordinal < contact->capacity ? place->ordinal : 0;
    if (is_of(&slots[usual], place)) return &slots[usual];
    for (int i = 0; i < contact->capacity; ++i)
        if (is_of(&slots[i], place)) return &slots[i];
    return NULL;
}

ContactSlot *sti_touch_slot(const StiNetwork *network, const ContactPlace *place, double *s)
{
    const ContactSlot *first = contact_slots(s + network->contacts[place->contact].s);
    const ContactSlot *found = sti_touch_memory(network, place, s);
    return found == NULL ? NULL
                         : contact_slots(s + network->contacts[place->contact].s) + (found - first);
}

ContactSlot *sti_touch_close(const StiNetwork *network, const ContactPlace *place, double *s)
{
    const Contact *contact = &network->contacts[place->contact];
    ContactSlot *slots = contact_slots(s + contact->s);
    ContactSlot *slot = sti_touch_slot(network, place, s);
    if (slot == NULL && place->ordinal < contact->capacity && slots[place->ordinal].age == 0.0)
        slot = &slots[place->ordinal];
    for (int i = 0; slot == NULL && i < contact->capacity; ++i)
        if (slots[i].age == 0.0) slot = &slots[i];
    if (slot == NULL) return NULL;
    *slot = (ContactSlot){.shape_a = place->shape[0],
                          .shape_b = place->shape[1],
                          .feature = (double)place->feature,
                          .age = 1.0,
                          .mode = TOUCH_STICK};
    return slot;
}

static const ContactSlot *slot_at(const Contact *contact, const double *s, int i)
{
    const double *first = s + contact->s + sizeof(ContactEpisode) / sizeof(double);
    return (const ContactSlot *)(const void *)first + i;
}

bool sti_touches_slip(const StiNetwork *network, const double *s)
{
    for (int i = 0; i < network->contact_count; ++i)
        for (int k = 0; k < network->contacts[i].capacity; ++k) {
            const ContactSlot *slot = slot_at(&network->contacts[i], s, k);
            if (slot->age > 0.0 && slot->mode != TOUCH_STICK) return true;
        }
    return false;
}

bool sti_touches_differ(const StiNetwork *network, const double *before, const double *s)
{
    for (int i = 0; i < network->contact_count; ++i)
        for (int k = 0; k < network->contacts[i].capacity; ++k) {
            const ContactSlot *a = slot_at(&network->contacts[i], before, k),
                              *b = slot_at(&network->contacts[i], s, k);
            if ((a->age > 0.0) != (b->age > 0.0) || a->feature != b->feature ||
                a->shape_a != b->shape_a || a->shape_b != b->shape_b ||
                (a->mode == TOUCH_STICK) != (b->mode == TOUCH_STICK))
                return true;
        }
    return false;
}

// ---- how they lie and move ------------------------------------------------------------------------

static const StiFrame *at(const StiFrame *frames, int frame)
{
    return frame < 0 ? &world : &frames[frame];
}

static bool find_touch(const ContactPlace *place, const StiPlaced *floor, const StiFrame *A,
                       const StiFrame *B, StiTouch *touch)
{
    const StiShape *shapes = place->shapes;
    if (floor->shape == NULL)
        return sti_shape_touch(&shapes[0], A, &shapes[1], B, INFINITY, 1, touch) == 1;
    const StiPlaced ball = {.shape = &shapes[0], .p = sti_shape_origin(&shapes[0], A)};
    return sti_touch_ball_plane(&ball, floor, INFINITY, touch) == 1;
}

static void lie(const ContactPlace *place, const StiPlaced *floor, const StiFrame *frames,
                Touch *touch)
{
    const StiFrame *A = at(frames, place->frame[0]), *B = at(frames, place->frame[1]);
    if (place->vacant) {
        touch->touch = (StiTouch){.normal = {0.0, 0.0, 1.0}, .gap = INFINITY};
    } else if (place->sense != 0.0) {
        StiCrossing crossing;
        sti_edges_cross(&place->shapes[0], A, &place->shapes[1], B, place->sense, &crossing);
        touch->touch = crossing.touch;
    } else if (!find_touch(place, floor, A, B, &touch->touch))
        touch->touch = (StiTouch){.normal = {0.0, 0.0, 1.0}, .gap = INFINITY};
    const StiVec3 middle =
        sti_vec3_scale(0.5, sti_vec3_add(touch->touch.point_a, touch->touch.point_b));
    const StiVec3 n = touch->touch.normal, last = touch->rows[TOUCH_NORMAL];
    touch->arm[0] = sti_vec3_sub(middle, A->p);
    touch->arm[1] = sti_vec3_sub(middle, B->p);
    if (n.x == last.x && n.y == last.y && n.z == last.z) return;
    sti_contact_tangents(n, touch->rows);
    touch->rows[TOUCH_NORMAL] = n;
}

void sti_touch_velocity(const ContactPlace *place, const Touch *touch, const StiFrame *frames,
                        double *v)
{
    StiVec3 relative = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        if (place->frame[i] < 0) continue;
        const StiFrame *frame = &frames[place->frame[i]];
        const StiVec3 own = sti_vec3_add(frame->v, sti_vec3_cross(frame->w, touch->arm[i]));
        relative = sti_vec3_add_scaled(relative, i == 0 ? 1.0 : -1.0, own);
    }
    for (int d = 0; d < TOUCH_ROWS; ++d) v[d] = sti_vec3_dot(touch->rows[d], relative);
}

bool sti_touches_lie_at(const StiNetwork *network, const TouchData *data, const double *x)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (memcmp(data->lain + a->q, x + a->q, (size_t)a->size.positions * sizeof *x) != 0)
            return false;
    }
    return data->lies;
}

// Do the touches lie at these positions already? Then they do.
static bool lie_already(const StiNetwork *network, TouchData *data, const double *x)
{
    if (sti_touches_lie_at(network, data, x) && (data->closed_only || !data->lies_closed_only))
        return true;
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        memcpy(data->lain + a->q, x + a->q, (size_t)a->size.positions * sizeof *x);
    }
    data->lies = true;
    data->lies_closed_only = data->closed_only;
    return false;
}

// Along the tangents; 0 where no surface runs.
static void run_surfaces(const StiNetwork *network, const ContactPlace *place,
                         const StiFrame *frames, Touch *touch)
{
    const Contact *contact = &network->contacts[place->contact];
    touch->surface[0] = touch->surface[1] = 0.0;
    if (!contact->surfaces_run || place->vacant) return;
    for (int side = 0; side < 2; ++side) {
        const StiShape *shape = &contact->shapes[place->shape[side]].shape;
        if (!sti_surface_runs(shape)) continue;
        const StiFrame *link = at(frames, place->frame[side]);
        const StiVec3 s = sti_surface_run(shape, link, touch->arm[side]).v;
        for (int d = 0; d < 2; ++d)
            touch->surface[d] += (side == 0 ? 1.0 : -1.0) * sti_vec3_dot(touch->rows[d], s);
    }
}

void sti_touches_place(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    TouchData *data = scratch->touches;
    const bool known = lie_already(network, data, now->x);
    if (!known) data->built = false;
    for (int i = 0; i < data->count; ++i) {
        if (data->closed_only && data->slot[i] == NULL) continue;
        Touch *touch = &data->touches[i];
        if (!known) lie(&data->places[i], &data->floors[i], now->frames, touch);
        sti_touch_velocity(&data->places[i], touch, now->frames, touch->v);
        run_surfaces(network, &data->places[i], now->frames, touch);
        touch->v[0] += touch->surface[0];
        touch->v[1] += touch->surface[1];
    }
}

static void push(const ContactPlace *place, const Touch *touch, StiVec3 force, StiWrench *wrenches)
{
    if (place->frame[0] >= 0)
        sti_wrench_add_force(&wrenches[place->frame[0]], force, touch->arm[0]);
    if (place->frame[1] >= 0)
        sti_wrench_add_force(&wrenches[place->frame[1]], sti_vec3_scale(-1.0, force),
                             touch->arm[1]);
}

void sti_touches_clear(TouchData *data)
{
    for (int i = 0; i < data->count; ++i) data->touches[i].force = (StiVec3){0.0, 0.0, 0.0};
}

void sti_touches_push(const TouchData *data, StiWrench *wrenches)
{
    for (int i = 0; i < data->count; ++i)
        if (data->slot[i] != NULL)
            push(&data->places[i], &data->touches[i], data->touches[i].force, wrenches);
}

static void read_place(const ContactPlace *place, const Touch *touch, const ContactSlot *slot,
                       ContactPoint *point)
{
    *point = (ContactPoint){.contact = place->contact,
                            .shape = {place->shape[0], place->shape[1]},
                            .admittance = {place->admittance[0], place->admittance[1]},
                            .frame = {place->frame[0], place->frame[1]},
                            .touch = touch->touch,
                            .slot = -1,
                            .mode = slot->mode == TOUCH_STICK ? STI_BLOCK_STICK : STI_BLOCK_SLIDE,
                            .force = touch->force};
    for (int d = 0; d < TOUCH_NORMAL && slot->mode != TOUCH_STICK; ++d)
        point->velocity = sti_vec3_add_scaled(point->velocity, touch->v[d], touch->rows[d]);
}

void sti_touches_read(const StiNetwork *network, StiScratch *scratch, double T, double *s)
{
    const TouchData *data = scratch->touches;
    ContactData *contacts = scratch->contacts;
    contacts->point_count = contacts->lost = 0;
    for (int i = 0; i < network->pair_count; ++i) // these points take the place of those that were found
        contacts->finds[i].margin = -1.0;
    for (int i = 0; i < data->count; ++i) {
        const ContactSlot *slot = sti_touch_memory(network, &data->places[i], s);
        if (slot != NULL)
            read_place(&data->places[i], &data->touches[i], slot,
                       &contacts->points[contacts->point_count++]);
    }
    sti_contacts_count(network, T, contacts, s);
}

TouchRub sti_touch_rub(const StiNetwork *network, const TouchData *data, int i)
{
    const ContactPlace *place = &data->places[i];
    const StiMaterialPair rub = sti_place_rub(network, place);
    const StiLaw *law = &network->contacts[place->contact].parameters->law;
    const double *v = data->touches[i].v;
    if (law->kind == NULL) return (TouchRub){rub.mu, fmax(rub.mu, rub.mu_static)};
    const double mu = fmax(sti_law_level(law, sti_hypot(v[0], v[1]), 0.0, NULL), 0.0);
    const double at_rest = fmax(sti_law_level(law, 0.0, 0.0, NULL), 0.0);
    return (TouchRub){mu, fmax(fmax(at_rest, rub.mu_static), mu)};
}

void sti_touches_powers(const StiNetwork *network, const TouchData *data, double *powers)
{
    memset(powers, 0, (size_t)sti_contact_books(network->contact_count) * sizeof *powers);
    for (int i = 0; i < data->count; ++i) {
        const Touch *touch = &data->touches[i];
        for (int d = 0; data->slot[i] != NULL && d < TOUCH_ROWS; ++d)
            powers[data->places[i].contact] -=
                sti_vec3_dot(touch->force, touch->rows[d]) * touch->v[d];
        for (int d = 0; data->slot[i] != NULL && d < TOUCH_NORMAL; ++d)
            powers[network->contact_count + data->places[i].contact] -=
                sti_vec3_dot(touch->force, touch->rows[d]) * touch->surface[d];
    }
}
