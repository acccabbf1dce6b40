#include "read/shapes.h"

#include "read/materials.h"

#include <math.h>
#include <string.h>

static const char *const words[] = {"point", "sphere", "capsule", "cylinder",
                                    "box",   "hull",   "plane",   NULL};
enum { POINT, SPHERE, CAPSULE, CYLINDER, BOX, HULL, PLANE };

const Key scene_shape_keys[SCENE_SHAPE_KEYS] = {
    {"kind", VALUE_WORD, true, "point, sphere, capsule, cylinder, box, hull or plane", words},
    {"at", VALUE_VECTOR, false, "its centre, link axes, m", NULL},
    {"attitude", VALUE_VECTOR, false, "quaternion w, x, y, z, link axes", NULL},
    {"radius", VALUE_NUMBER, false, "m", NULL},
    {"length", VALUE_NUMBER, false,
     "along z: of a cylinder, or between the centres of a capsule's ends, m", NULL},
    {"size", VALUE_VECTOR, false, "edges of a box, m", NULL},
    {"vertices", VALUE_TABLE, false, "of a hull: a list of points, m", NULL},
    {"point", VALUE_VECTOR, false, "of a plane, m", NULL},
    {"normal", VALUE_VECTOR, false, "of a plane; need not have unit length", NULL},
    {"surface_velocity", VALUE_VECTOR, false,
     "its surface runs over the body, as a conveyor's does; link axes, m/s", NULL},
    {"surface_spin", VALUE_VECTOR, false,
     "its surface turns about its centre, or the point of a plane; link axes, rad/s", NULL},
    {"material", VALUE_TEXT, false, "one of the scene's 'materials'", NULL},
};

// The keys that a shape needs, and those it may have.
typedef struct Form {
    const char *needed[3], *other[3];
} Form;
static const Form forms[] = {
    [POINT] = {{NULL}, {"at"}},
    [SPHERE] = {{"radius"}, {"at"}},
    [CAPSULE] = {{"radius", "length"}, {"at", "attitude"}},
    [CYLINDER] = {{"radius", "length"}, {"at", "attitude"}},
    [BOX] = {{"size"}, {"at", "attitude"}},
    [HULL] = {{"vertices"}, {"at", "attitude"}},
    [PLANE] = {{NULL}, {"point", "normal"}},
};

static bool is_among(const char *key, const char *const keys[3])
{
    for (int i = 0; i < 3 && keys[i] != NULL; ++i)
        if (strcmp(keys[i], key) == 0) return true;
    return false;
}

static bool check_form(Reader *reader, const Node *map, int kind)
{
    const Form *form = &forms[kind];
    bool good = true;
    for (int i = 0; i < map->count; ++i) {
        const char *key = map->entries[i].key;
        bool known = false;
        for (int k = 0; k < SCENE_SHAPE_KEYS; ++k)
            known = known || strcmp(scene_shape_keys[k].name, key) == 0;
        if (!known || strcmp(key, "kind") == 0 || strncmp(key, "surface_", 8) == 0 ||
            strcmp(key, "material") == 0 || is_among(key, form->needed) ||
            is_among(key, form->other))
            continue;
        scene_error(reader, map->entries[i].mark, "a %s has no '%s'", words[kind], key);
        good = false;
    }
    for (int i = 0; i < 3 && form->needed[i] != NULL; ++i) {
        if (scene_node_entry(map, form->needed[i]) != NULL) continue;
        scene_error(reader, map->mark, "a %s needs '%s'", words[kind], form->needed[i]);
        good = false;
    }
    return good;
}

static bool above_zero(Reader *reader, const Node *map, const char *key, double least)
{
    const Node *node = scene_node_find(map, key);
    if (node == NULL || least > 0.0) return true;
    scene_error(reader, node->mark, "%s must be above 0 m, not %g", key, least);
    return false;
}

static bool read_surface(Reader *reader, const Node *map, StiShape *shape)
{
    double v[3] = {0.0}, w[3] = {0.0};
    if (map == NULL) return true;
    const bool good = scene_vector_at(reader, map, "surface_velocity", 3, 3, v);
    if (!scene_vector_at(reader, map, "surface_spin", 3, 3, w) || !good) return false;
    shape->surface_velocity = sti_vec3(v[0], v[1], v[2]);
    shape->surface_spin = sti_vec3(w[0], w[1], w[2]);
    const Node *material = scene_node_find(map, "material");
    if (material == NULL) return true;
    shape->material = scene_material(reader, material);
    return shape->material > 0;
}

// keys: those that the plane may have.
static bool read_plane(Reader *reader, const Node *plane, const Key *keys, int key_count,
                       StiVec3 *point, StiVec3 *normal)
{
    double p[3] = {0.0}, n[3] = {0.0, 0.0, 1.0};
    if (plane != NULL && plane->type != NODE_MAP) {
        scene_error(reader, plane->mark, "plane must be {point: [x, y, z], normal: [x, y, z]}");
        return false;
    }
    if (plane != NULL) {
        scene_check_keys(reader, plane, "a plane", keys, key_count);
        const bool good = scene_vector_at(reader, plane, "point", 3, 3, p);
        if (!scene_vector_at(reader, plane, "normal", 3, 3, n) || !good) return false;
    }
    const double size = sti_vec3_norm(sti_vec3(n[0], n[1], n[2]));
    if (!(size > 0.0)) {
        scene_error(reader, scene_node_find(plane, "normal")->mark,
                    "the normal of the plane must not be zero");
        return false;
    }
    *point = sti_vec3(p[0], p[1], p[2]);
    *normal = sti_vec3(n[0] / size, n[1] / size, n[2] / size);
    return true;
}

const Key scene_plane_keys[SCENE_PLANE_KEYS] = {
    {"point", VALUE_VECTOR, false, "a point of the plane, m", NULL},
    {"normal", VALUE_VECTOR, false, "its normal; need not have unit length", NULL},
    {"surface_velocity", VALUE_VECTOR, false,
     "hard: its surface runs, as a conveyor's does; link axes, m/s", NULL},
    {"surface_spin", VALUE_VECTOR, false, "hard: its surface turns about its point; rad/s", NULL},
    {"material", VALUE_TEXT, false, "hard: one of the scene's 'materials'", NULL},
    {"kind", VALUE_TEXT, false, "plane, where shapes are listed", NULL},
};

bool scene_read_plane(Reader *reader, const Node *plane, StiVec3 *point, StiVec3 *normal)
{
    return read_plane(reader, plane, scene_plane_keys, 2, point, normal);
}

bool scene_read_plane_shape(Reader *reader, const Node *plane, StiShape *shape)
{
    const bool listed =
        plane != NULL && plane->type == NODE_MAP && scene_node_entry(plane, "kind") != NULL;
    StiVec3 point, normal;
    if (!read_plane(reader, plane, scene_plane_keys, SCENE_PLANE_KEYS - !listed, &point, &normal))
        return false;
    *shape = sti_shape_plane(point, normal);
    return read_surface(reader, plane, shape);
}

static bool read_placement(Reader *reader, const Node *map, StiFrame *frame)
{
    double at[3] = {0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
    const bool good = scene_vector_at(reader, map, "at", 3, 3, at);
    if (!scene_attitude_at(reader, map, q) || !good) return false;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    *frame = (StiFrame){.p = {at[0], at[1], at[2]},
                        .q = {q[0] / length, q[1] / length, q[2] / length, q[3] / length}};
    return true;
}

static bool read_points(Reader *reader, const Node *list, StiVec3 *points)
{
    for (int i = 0; i < list->count; ++i) {
        double p[3];
        int count;
        if (!scene_vector(reader, list->items[i], "an entry of vertices", 3, 3, p, &count))
            return false;
        points[i] = sti_vec3(p[0], p[1], p[2]);
    }
    return true;
}

static const StiHull *read_hull(Reader *reader, const Node *map)
{
    const Node *list = scene_node_find(map, "vertices");
    StiVec3 points[STI_HULL_VERTICES];
    if (list->type != NODE_LIST || list->count < 4 || list->count > STI_HULL_VERTICES) {
        scene_error(reader, list->mark, "vertices must be a list of 4 to %d points [x, y, z]",
                    STI_HULL_VERTICES);
        return NULL;
    }
    StiHull *hull = sti_arena_take(reader->arena, 1, sizeof *hull);
    if (hull == NULL || !read_points(reader, list, points)) return NULL;
    if (sti_hull_build(points, list->count, hull) == STI_OK) return hull;
    scene_error(reader, list->mark, "the vertices of a hull must not all be in one plane");
    return NULL;
}

static bool read_solid(Reader *reader, const Node *map, int kind, StiShape *shape)
{
    double radius = 0.0, length = 0.0, size[3] = {0.0};
    StiFrame at;
    bool good = read_placement(reader, map, &at);
    good = scene_number_at(reader, map, "radius", &radius) &&
           above_zero(reader, map, "radius", radius) && good;
    good = scene_number_at(reader, map, "length", &length) &&
           above_zero(reader, map, "length", length) && good;
    good = scene_vector_at(reader, map, "size", 3, 3, size) &&
           above_zero(reader, map, "size", fmin(size[0], fmin(size[1], size[2]))) && good;
    const StiHull *hull = kind == HULL ? read_hull(reader, map) : NULL;
    if (!good || (kind == HULL && hull == NULL)) return false;
    if (kind == POINT) *shape = sti_shape_point(at.p);
    if (kind == SPHERE) *shape = sti_shape_sphere(at.p, radius);
    if (kind == CAPSULE) *shape = sti_shape_capsule(at, radius, 0.5 * length);
    if (kind == CYLINDER) *shape = sti_shape_cylinder(at, radius, 0.5 * length);
    if (kind == BOX)
        *shape = sti_shape_box(at, sti_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]));
    if (kind == HULL) *shape = sti_shape_hull(at, hull);
    return read_surface(reader, map, shape);
}

static bool read_shape(Reader *reader, const Node *map, const char *what, StiShape *shape)
{
    if (map->type != NODE_MAP) {
        scene_error(reader, map->mark,
                    "%s must be a map such as {kind: sphere, radius: r, at: [x, y, z]}, not %s",
                    what, scene_node_type(map));
        return false;
    }
    const bool complete =
        scene_check_keys(reader, map, "a shape", scene_shape_keys, SCENE_SHAPE_KEYS);
    const Node *word = scene_node_find(map, "kind");
    const int kind = word != NULL ? scene_word(reader, word, "shape", words) : -1;
    if (kind < 0 || !complete || !check_form(reader, map, kind)) return false;
    return kind == PLANE ? scene_read_plane_shape(reader, map, shape)
                         : read_solid(reader, map, kind, shape);
}

bool scene_read_shapes(Reader *reader, const Node *node, const char *what, Shapes *shapes)
{
    const bool many = node->type == NODE_LIST;
    const int count = many ? node->count : 1;
    *shapes =
        (Shapes){sti_arena_take(reader->arena, (size_t)count + 1, sizeof *shapes->items), count};
    if (count == 0) scene_error(reader, node->mark, "%s names no shape", what);
    bool good = count > 0 && shapes->items != NULL;
    for (int i = 0; shapes->items != NULL && i < count; ++i)
        good = read_shape(reader, many ? node->items[i] : node, what, &shapes->items[i]) && good;
    return good;
}

bool scene_body_add_shapes(Reader *reader, Body *body, int link, const Shapes *shapes)
{
    const size_t count = (size_t)(body->shape_count + shapes->count);
    StiContactShape *all = sti_arena_take(reader->arena, count + 1, sizeof *all);
    if (all == NULL) return false;
    if (body->shape_count > 0) memcpy(all, body->shapes, (size_t)body->shape_count * sizeof *all);
    for (int i = 0; i < shapes->count; ++i)
        all[body->shape_count + i] = (StiContactShape){body->id, link, shapes->items[i]};
    body->shapes = all;
    body->shape_count = (int)count;
    return true;
}
