// Hard contact: shapes of bodies against fixed ones (on), against those of another body (between), or of several
// bodies against each other (among).
#include <math.h>
#include <string.h>

#include "read/contacts.h"
#include "read/shapes.h"

// The shapes of one side, and which entry of "among" each came from.
typedef struct Side {
    StiContactShape *items;
    int count, capacity;
} Side;

static bool append(Reader *reader, Side *side, StiContactShape shape)
{
    if (side->count == side->capacity) {
        const int capacity = 2 * side->capacity + 8;
        StiContactShape *items = sti_arena_take(reader->arena, (size_t)capacity, sizeof *items);
        if (items == NULL) return false;
        if (side->count > 0) memcpy(items, side->items, (size_t)side->count * sizeof *items);
        side->items = items;
        side->capacity = capacity;
    }
    side->items[side->count++] = shape;
    return true;
}

// ---- the shapes that a name stands for ------------------------------------------------------------------

// A body or a link of a robot; link -1: all links.
typedef struct Part {
    const Body *body;
    int link;
} Part;

static bool read_part(Reader *reader, const Node *node, const char *what, Part *part)
{
    const Body *body = node->type == NODE_SCALAR ? scene_find_body(reader, node->text) : NULL;
    if (body != NULL && body->shape == BODY_ROBOT) {
        *part = (Part){body, -1};
        return body->id.number > 0;
    }
    Place place;
    if (!scene_contact_place(reader, node, what, &place)) return false;
    *part = (Part){place.body, place.link};
    return true;
}

static bool is_of(const StiContactShape *shape, const Part *part)
{
    return shape->body.number == part->body->id.number &&
           (part->link < 0 || shape->link == part->link);
}

// What the scene declares with the body.
static bool add_declared(Reader *reader, const Node *node, const Part *part, Side *side)
{
    const int before = side->count;
    if (part->body->shapes_broken) return false;
    for (int i = 0; i < part->body->shape_count; ++i)
        if (is_of(&part->body->shapes[i], part) && !append(reader, side, part->body->shapes[i]))
            return false;
    if (side->count > before) return true;
    scene_error(reader, node->mark,
                "'%s' has no shapes: give 'shapes' to the body or link, or a shape to the contact",
                node->text);
    return false;
}

static bool add_given(Reader *reader, const Node *node, const Part *part, const Shapes *shapes,
                      Side *side)
{
    if (part->link < 0) {
        scene_error(reader, node->mark, "a shape is on a link: name one, for example '%s.%s'",
                    node->text, sti_robot_link(part->body->robot, 0)->name);
        return false;
    }
    for (int i = 0; i < shapes->count; ++i)
        if (!append(reader, side, (StiContactShape){part->body->id, part->link, shapes->items[i]}))
            return false;
    return true;
}

// shapes: NULL where the element gives none.
static bool add_part(Reader *reader, const Node *node, const char *what, const Shapes *shapes,
                     Side *side)
{
    Part part;
    if (!read_part(reader, node, what, &part)) return false;
    return shapes != NULL ? add_given(reader, node, &part, shapes, side)
                          : add_declared(reader, node, &part, side);
}

// ---- shapes that the element gives ----------------------------------------------------------------------

// A word with its sizes beside it, as soft contacts have it; "at" alone means a point.
static bool read_worded(Reader *reader, const Node *node, const Node *word, Shapes *shapes)
{
    double at[3] = {0.0}, radius = 0.0, size[3] = {0.0};
    const int kind =
        word != NULL ? scene_word(reader, word, "shape of contact", scene_contact_shapes) : 0;
    bool good = kind >= 0 && scene_check_contact_shape(reader, node, kind);
    good = scene_vector_at(reader, node, "at", 3, 3, at) && good;
    good = scene_number_at(reader, node, "radius", &radius) && good;
    good = scene_vector_at(reader, node, "size", 3, 3, size) && good;
    shapes->items = sti_arena_take(reader->arena, 1, sizeof *shapes->items);
    if (!good || shapes->items == NULL) return false;
    const double least = kind == 1 ? radius : fmin(size[0], fmin(size[1], size[2]));
    if (kind > 0 && !(least > 0.0)) {
        const char *key = kind == 1 ? "radius" : "size";
        scene_error(reader, scene_node_find(node, key)->mark, "%s must be above 0 m, not %g", key,
                    least);
        return false;
    }
    const StiVec3 centre = sti_vec3(at[0], at[1], at[2]);
    const StiFrame box = {.p = centre, .q = STI_QUAT_IDENTITY};
    shapes->count = 1;
    shapes->items[0] =
        kind == 0   ? sti_shape_point(centre)
        : kind == 1 ? sti_shape_sphere(centre, radius)
                    : sti_shape_box(box, sti_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]));
    return true;
}

static bool refuse(Reader *reader, const Node *node, const char *const *keys, const char *why)
{
    bool good = true;
    for (int i = 0; keys[i] != NULL; ++i) {
        const Entry *entry = scene_node_entry(node, keys[i]);
        if (entry == NULL) continue;
        scene_error(reader, entry->mark, "'%s' has no effect here: %s", keys[i], why);
        good = false;
    }
    return good;
}

// *given: the element has shapes of its own.
static bool read_own_shapes(Reader *reader, const Node *node, bool *given, Shapes *shapes)
{
    static const char *const beside[] = {"at", "radius", "size", NULL};
    const Node *shape = scene_node_find(node, "shape");
    bool worded = shape != NULL && shape->type == NODE_SCALAR;
    for (int i = 0; shape == NULL && beside[i] != NULL; ++i)
        worded = worded || scene_node_entry(node, beside[i]) != NULL;
    *given = shape != NULL || worded;
    if (worded) return read_worded(reader, node, shape, shapes);
    if (shape == NULL) return true;
    const bool alone = refuse(reader, node, beside, "it belongs into the map under 'shape'");
    return scene_read_shapes(reader, shape, "shape", shapes) && alone;
}

// ---- what stands still ----------------------------------------------------------------------------------

static bool add_plane(Reader *reader, const Node *plane, Side *side)
{
    StiContactShape shape = {.body = STI_GROUND};
    return scene_read_plane_shape(reader, plane, &shape.shape) && append(reader, side, shape);
}

// A name of a body, {plane: {...}}, or a shape in the axes of the world.
static bool add_obstacle(Reader *reader, const Node *node, Side *side)
{
    static const Key keys[] = {
        {"plane", VALUE_PLANE, true, "{point: [x, y, z], normal: [x, y, z]}", NULL}};
    if (node->type == NODE_SCALAR) return add_part(reader, node, "against", NULL, side);
    if (node->type == NODE_MAP && scene_node_entry(node, "plane") != NULL) {
        scene_check_keys(reader, node, "against", keys, 1);
        return add_plane(reader, scene_node_find(node, "plane"), side);
    }
    Shapes shapes = {0};
    if (!scene_read_shapes(reader, node, "against", &shapes)) return false;
    for (int i = 0; i < shapes.count; ++i)
        if (!append(reader, side, (StiContactShape){STI_GROUND, 0, shapes.items[i]})) return false;
    return true;
}

static bool add_obstacles(Reader *reader, const Node *node, Side *side)
{
    const Node *plane = scene_node_find(node, "plane"), *against = scene_node_find(node, "against");
    bool good = plane == NULL || add_plane(reader, plane, side);
    const bool many = against != NULL && against->type == NODE_LIST;
    const int count = against == NULL ? 0 : many ? against->count : 1;
    for (int i = 0; i < count; ++i)
        good = add_obstacle(reader, many ? against->items[i] : against, side) && good;
    return good;
}

// ---- pairs that never touch -----------------------------------------------------------------------------

static bool excluded_part(Reader *reader, const Node *node, const Side *side, Part *part)
{
    if (!read_part(reader, node, "an entry of exclude", part)) return false;
    for (int i = 0; i < side->count; ++i)
        if (is_of(&side->items[i], part)) return true;
    scene_error(reader, node->mark, "'%s' has no shape in this contact", node->text);
    return false;
}

static int pairs_between(const Side *side, const Part parts[2], StiPair *pairs)
{
    int count = 0;
    for (int i = 0; i < side->count; ++i)
        for (int j = i + 1; j < side->count; ++j) {
            const StiContactShape *a = &side->items[i], *b = &side->items[j];
            if (!(is_of(a, &parts[0]) && is_of(b, &parts[1])) &&
                !(is_of(a, &parts[1]) && is_of(b, &parts[0])))
                continue;
            if (pairs != NULL) pairs[count] = (StiPair){i, j};
            ++count;
        }
    return count;
}

static bool read_excluded(Reader *reader, const Node *node, const Side *side, StiContact *contact)
{
    const Node *list = scene_node_find(node, "exclude");
    if (list == NULL) return true;
    bool good = list->type == NODE_LIST && list->count > 0;
    for (int i = 0; good && i < list->count; ++i)
        good = list->items[i]->type == NODE_LIST && list->items[i]->count == 2;
    if (!good) {
        scene_error(reader, list->mark, "exclude must be a list of pairs: [[A, B], [A, C]]");
        return false;
    }
    Part(*parts)[2] = sti_arena_take(reader->arena, (size_t)list->count, sizeof *parts);
    int count = 0;
    for (int i = 0; parts != NULL && i < list->count; ++i) {
        for (int k = 0; k < 2; ++k)
            good = excluded_part(reader, list->items[i]->items[k], side, &parts[i][k]) && good;
        if (good) count += pairs_between(side, (const Part *)parts[i], NULL);
    }
    StiPair *pairs = good ? sti_arena_take(reader->arena, (size_t)count + 1, sizeof *pairs) : NULL;
    if (pairs == NULL) return false;
    contact->excluded = pairs;
    for (int i = 0; i < list->count; ++i)
        contact->excluded_count +=
            pairs_between(side, (const Part *)parts[i], pairs + contact->excluded_count);
    return true;
}

// ---- the element ----------------------------------------------------------------------------------------

static void add_contact(Reader *reader, const char *name, const char *entry, const Node *node,
                        const char *place, const StiContact *contact)
{
    scene_add_element(reader, (Element){.name = name,
                                        .entry = entry,
                                        .node = node,
                                        .place = place,
                                        .id = sti_plan_add_contact(reader->plan, name, contact)});
}

static void read_on(Reader *reader, const char *name, const Node *node, StiContact contact,
                    bool good)
{
    static const char *const other[] = {"shape_a", "shape_b", NULL}, *const mutual[] = {"exclude",
                                                                                        NULL};
    const Node *on = scene_node_find(node, "on");
    const bool many = on->type == NODE_LIST;
    bool given;
    Shapes shapes = {0};
    Side fixed = {0};
    good = refuse(reader, node, other, "with 'on' there is one body; its shape is 'shape'") && good;
    good = refuse(reader, node, mutual, "it belongs to 'among'") && good;
    good = read_own_shapes(reader, node, &given, &shapes) && good;
    good = add_obstacles(reader, node, &fixed) && good;
    if (good && fixed.count == 0) good = add_plane(reader, NULL, &fixed);
    if (many && on->count == 0) scene_error(reader, on->mark, "on names no body");
    for (int i = 0; i < (many ? on->count : 1); ++i) {
        const Node *item = many ? on->items[i] : on;
        Side side = {0};
        if (many && scene_named_before(on, i)) {
            scene_error(reader, item->mark, "on names '%s' twice", item->text);
            return;
        }
        if (!add_part(reader, item, "on", given ? &shapes : NULL, &side) || !good) continue;
        contact.a = side.items;
        contact.a_count = side.count;
        contact.b = fixed.items;
        contact.b_count = fixed.count;
        add_contact(reader, many ? scene_name_on(reader, name, item) : name, name, node, item->text,
                    &contact);
    }
}

static bool read_side(Reader *reader, const Node *node, const char *key, const Node *item,
                      Side *side)
{
    const Node *own = scene_node_find(node, key);
    Shapes shapes = {0};
    if (own != NULL && !scene_read_shapes(reader, own, key, &shapes)) return false;
    return add_part(reader, item, "an entry of between", own != NULL ? &shapes : NULL, side);
}

static void read_between(Reader *reader, const char *name, const Node *node, StiContact contact,
                         bool good)
{
    static const char *const other[] = {"shape", "at", "radius", "size", NULL};
    static const char *const fixed[] = {"plane", "against", "exclude", NULL};
    const Node *pair = scene_node_find(node, "between");
    if (pair->type != NODE_LIST || pair->count != 2) {
        scene_error(reader, pair->mark, "between must be a list of two bodies: [A, B]");
        return;
    }
    Side a = {0}, b = {0};
    good =
        refuse(reader, node, other, "between two bodies there are 'shape_a' and 'shape_b'") && good;
    good = refuse(reader, node, fixed, "it belongs to 'on' or 'among'") && good;
    good = read_side(reader, node, "shape_a", pair->items[0], &a) && good;
    if (!read_side(reader, node, "shape_b", pair->items[1], &b) || !good) return;
    contact.a = a.items;
    contact.a_count = a.count;
    contact.b = b.items;
    contact.b_count = b.count;
    add_contact(reader, name, name, node, NULL, &contact);
}

static bool add_all_bodies(Reader *reader, const Node *among, Side *side)
{
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        if (body->shapes_broken || scene_node_find(body->node, "kind") == NULL) return false;
        for (int k = 0; k < body->shape_count; ++k)
            if (!append(reader, side, body->shapes[k])) return false;
    }
    if (side->count == 0) scene_error(reader, among->mark, "no body has a shape");
    return side->count > 0;
}

static bool add_listed(Reader *reader, const Node *among, Side *side)
{
    bool good = true;
    if (among->type != NODE_LIST || among->count == 0) {
        scene_error(reader, among->mark, "among must be 'all' or a list of bodies: [A, B, C]");
        return false;
    }
    for (int i = 0; i < among->count; ++i) {
        if (scene_named_before(among, i)) {
            scene_error(reader, among->items[i]->mark, "among names '%s' twice",
                        among->items[i]->text);
            return false;
        }
        good = add_part(reader, among->items[i], "an entry of among", NULL, side) && good;
    }
    return good;
}

static void read_among(Reader *reader, const char *name, const Node *node, StiContact contact,
                       bool good)
{
    static const char *const other[] = {"shape",  "shape_a", "shape_b", "at",
                                        "radius", "size",    NULL};
    const Node *among = scene_node_find(node, "among");
    const bool all = among->type == NODE_SCALAR && strcmp(among->text, "all") == 0;
    Side side = {0};
    good = refuse(reader, node, other, "'among' takes the 'shapes' of the bodies") && good;
    good = (all ? add_all_bodies(reader, among, &side) : add_listed(reader, among, &side)) && good;
    good = add_obstacles(reader, node, &side) && good;
    if (!good || !read_excluded(reader, node, &side, &contact)) return;
    contact.a = side.items;
    contact.a_count = side.count;
    add_contact(reader, name, name, node, NULL, &contact);
}

void scene_read_hard_contact(Reader *reader, const char *name, const Node *node, bool complete)
{
    static const char *const soft[] = {"damping", NULL};
    const Node *on = scene_node_find(node, "on"), *between = scene_node_find(node, "between"),
               *among = scene_node_find(node, "among");
    StiContact contact = {0};
    bool good = scene_read_contact_numbers(reader, node, &contact) && complete;
    good = refuse(reader, node, soft, "a contact without 'stiffness' is hard") && good;
    if ((on != NULL) + (between != NULL) + (among != NULL) != 1) {
        scene_error(reader, node->mark,
                    "'%s' needs one of 'on: BODY', 'between: [A, B]' and 'among: [A, B, ...]'",
                    name);
        return;
    }
    if (on != NULL) read_on(reader, name, node, contact, good);
    if (between != NULL) read_between(reader, name, node, contact, good);
    if (among != NULL) read_among(reader, name, node, contact, good);
}
