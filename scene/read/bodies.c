// Bodies: the kinds of docs/scene-format.md, each with its keys and what builds it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/linkages.h"
#include "read/robots.h"
#include "read/shapes.h"
#include "stiction/body.h"

static const char *const shape_words[] = {"sphere", "box", NULL};

static const Key point_keys[] = {
    {"kind", VALUE_TEXT, true, "point", NULL},
    {"dimensions", VALUE_COUNT, false, "1, 2 or 3; default 1", NULL},
    {"mass", VALUE_NUMBER, true, "kg", NULL},
    {"position", VALUE_VECTOR, false, "at the start, m", NULL},
    {"velocity", VALUE_VECTOR, false, "at the start, m/s", NULL},
    {"shapes", VALUE_SHAPES, false, "for contact, around the point; default: the point itself",
     NULL},
};
static const Key rigid_keys[] = {
    {"kind", VALUE_TEXT, true, "rigid", NULL},
    {"mass", VALUE_NUMBER, true, "kg", NULL},
    {"inertia", VALUE_VECTOR, false, "3 or 6 numbers: xx, yy, zz, xy, xz, yz, kg m^2, body axes",
     NULL},
    {"shape", VALUE_WORD, false, "a uniform solid in place of inertia: sphere or box", shape_words},
    {"radius", VALUE_NUMBER, false, "of the sphere, m", NULL},
    {"size", VALUE_VECTOR, false, "edges of the box, m", NULL},
    {"position", VALUE_VECTOR, false, "centre of mass at the start, m", NULL},
    {"attitude", VALUE_VECTOR, false, "quaternion w, x, y, z at the start", NULL},
    {"velocity", VALUE_VECTOR, false, "of the centre at the start, m/s", NULL},
    {"angular_velocity", VALUE_VECTOR, false, "at the start, body axes, rad/s", NULL},
    {"shapes", VALUE_SHAPES, false, "for contact, body axes; default: the solid of 'shape'", NULL},
};
static const Key guided_keys[] = {
    {"kind", VALUE_TEXT, true, "guided-block", NULL},
    {"mass", VALUE_NUMBER, true, "kg", NULL},
    {"axis", VALUE_VECTOR, false, "direction of the guide; default x", NULL},
    {"origin", VALUE_VECTOR, false, "where the coordinate is 0, m", NULL},
    {"position", VALUE_NUMBER, false, "coordinate at the start, m", NULL},
    {"velocity", VALUE_NUMBER, false, "along the guide at the start, m/s", NULL},
    {"shapes", VALUE_SHAPES, false, "for contact, around the origin of the block; default: a point",
     NULL},
};
static const Key motion_keys[] = {
    {"kind", VALUE_TEXT, true, "motion", NULL},
    {"x", VALUE_FUNCTIONS, true, "position, a function of time or a list of them, m", NULL},
    {"v", VALUE_FUNCTIONS, false, "velocity; default: the derivative of x, m/s", NULL},
    {"angle", VALUE_FUNCTION, false, "rotation about 'axis', a function of time, rad", NULL},
    {"axis", VALUE_VECTOR, false, "of the rotation, through the moved point; default: z", NULL},
    {"breaks", VALUE_NUMBERS, false, "times where x or angle has a kink or jump, s", NULL},
    {"shapes", VALUE_SHAPES, false,
     "for contact, around the moved point; default: the point itself", NULL},
};

static const Key rotor_keys[] = {
    {"kind", VALUE_TEXT, true, "rotor", NULL},
    {"inertia", VALUE_NUMBER, true, "about its axis, kg m^2", NULL},
    {"angle", VALUE_NUMBER, false, "at the start, rad", NULL},
    {"velocity", VALUE_NUMBER, false, "at the start, rad/s", NULL},
};

static void build_rotor(Reader *reader, Body *body)
{
    StiRotor p = {0};
    bool good = scene_number_at(reader, body->node, "inertia", &p.inertia);
    good = scene_number_at(reader, body->node, "angle", &p.angle) && good;
    good = scene_number_at(reader, body->node, "velocity", &p.velocity) && good;
    if (!good || !body->complete) return;
    body->shape = BODY_ROTOR;
    body->dim = 1;
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_rotor, &p);
}

static void build_point(Reader *reader, Body *body)
{
    StiPointMass p = {.dim = 1};
    const Node *node = body->node, *dimensions = scene_node_find(node, "dimensions");
    bool good = scene_number_at(reader, node, "mass", &p.mass);
    if (dimensions != NULL && !scene_count(reader, dimensions, "dimensions", 1, 3, &p.dim)) return;
    good = scene_vector_at(reader, node, "position", p.dim, p.dim, p.position) && good;
    good = scene_vector_at(reader, node, "velocity", p.dim, p.dim, p.velocity) && good;
    if (!good || !body->complete) return;
    body->dim = p.dim;
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_point_mass, &p);
}

// The key that a solid needs is there, and the other one is not.
static bool check_shape_keys(Reader *reader, const Node *node, const char *needed)
{
    static const char *const keys[][2] = {{"radius", "shape: sphere"}, {"size", "shape: box"}};
    bool good = true;
    for (int i = 0; i < 2; ++i) {
        const Entry *entry = scene_node_entry(node, keys[i][0]);
        const bool wanted = needed != NULL && strcmp(needed, keys[i][0]) == 0;
        if ((entry != NULL) == wanted) continue;
        if (wanted)
            scene_error(reader, scene_node_find(node, "shape")->mark, "'%s' needs '%s'", keys[i][1],
                        keys[i][0]);
        else
            scene_error(reader, entry->mark, "'%s' belongs to '%s'", keys[i][0], keys[i][1]);
        good = false;
    }
    return good;
}

// Moments of a uniform solid.
static bool shape_inertia(Reader *reader, const Node *node, double mass, double inertia[6])
{
    double radius = 0.0, size[3] = {0.0};
    const int word = scene_word(reader, scene_node_find(node, "shape"), "shape", shape_words);
    const char *key = word == 0 ? "radius" : "size";
    if (word < 0 || !check_shape_keys(reader, node, key)) return false;
    if (!scene_number_at(reader, node, "radius", &radius) ||
        !scene_vector_at(reader, node, "size", 3, 3, size))
        return false;
    const double least = word == 0 ? radius : fmin(size[0], fmin(size[1], size[2]));
    if (!(least > 0.0)) {
        scene_error(reader, scene_node_find(node, key)->mark, "%s must be above 0 m, not %g", key,
                    least);
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        const double a = size[(i + 1) % 3], b = size[(i + 2) % 3];
        inertia[i] = word == 0 ? 0.4 * mass * radius * radius : mass * (a * a + b * b) / 12.0;
    }
    return true;
}

static bool read_inertia(Reader *reader, const Node *node, double mass, double inertia[6])
{
    const Node *given = scene_node_find(node, "inertia");
    if ((given != NULL) == (scene_node_find(node, "shape") != NULL)) {
        scene_error(reader, node->mark, "a rigid body needs either 'inertia' or 'shape'%s",
                    given != NULL ? ", not both" : "");
        return false;
    }
    if (given == NULL) return shape_inertia(reader, node, mass, inertia);
    const bool alone = check_shape_keys(reader, node, NULL);
    if (given->type != NODE_LIST || (given->count != 3 && given->count != 6)) {
        scene_error(reader, given->mark,
                    "inertia must be a list of 3 or 6 numbers: xx, yy, zz and, where they are not "
                    "0, xy, xz, yz");
        return false;
    }
    return scene_vector_at(reader, node, "inertia", 3, 6, inertia) && alone;
}

static void build_rigid(Reader *reader, Body *body)
{
    StiRigidBody p = {.mass = 0.0};
    const Node *node = body->node;
    bool good = scene_number_at(reader, node, "mass", &p.mass);
    body->shape = BODY_RIGID;
    good = read_inertia(reader, node, p.mass, p.inertia) && good;
    good = scene_vector_at(reader, node, "position", 3, 3, p.position) && good;
    good = scene_attitude_at(reader, node, p.attitude) && good;
    good = scene_vector_at(reader, node, "velocity", 3, 3, p.velocity) && good;
    good = scene_vector_at(reader, node, "angular_velocity", 3, 3, p.angular_velocity) && good;
    if (!good || !body->complete) return;
    body->dim = 3;
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_rigid_body, &p);
}

static void build_guided(Reader *reader, Body *body)
{
    StiGuidedBlock p = {.axis = {1.0, 0.0, 0.0}};
    const Node *node = body->node;
    bool good = scene_number_at(reader, node, "mass", &p.mass);
    good = scene_vector_at(reader, node, "axis", 3, 3, p.axis) && good;
    good = scene_vector_at(reader, node, "origin", 3, 3, p.origin) && good;
    good = scene_number_at(reader, node, "position", &p.position) && good;
    good = scene_number_at(reader, node, "velocity", &p.velocity) && good;
    if (!good || !body->complete) return;
    body->dim = 1;
    body->loads = 1;
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_guided_block, &p);
}

// A body that also turns: velocities are derivatives, of x and of the angle.
static bool check_turning(Reader *reader, const Node *node, int dim, double *axis)
{
    const Entry *v = scene_node_entry(node, "v"), *alone = scene_node_entry(node, "axis");
    const Node *angle = scene_node_find(node, "angle");
    if (angle == NULL && alone != NULL)
        scene_error(reader, alone->mark, "'axis' has no effect without 'angle'");
    if (angle == NULL) return alone == NULL;
    if (v != NULL)
        scene_error(reader, v->mark,
                    "leave 'v' out beside 'angle': velocities are the derivatives");
    if (dim != 3)
        scene_error(reader, angle->mark, "a motion that turns has 3 dimensions, and x has %d", dim);
    if (!scene_vector_at(reader, node, "axis", 3, 3, axis) || v != NULL || dim != 3) return false;
    if (axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0) return true;
    scene_error(reader, alone->mark, "the axis must not be zero");
    return false;
}

static void build_turning(Reader *reader, Body *body, Piece *pieces, const double *axis,
                          const double *breaks, int break_count)
{
    body->dim = 3;
    body->shape = BODY_MOTION;
    body->id =
        sti_plan_add_turning_motion(reader->plan, body->name, sti_vec3(axis[0], axis[1], axis[2]),
                                    scene_time_function(reader, pieces, 4, 4, breaks, break_count));
}

static void build_motion(Reader *reader, Body *body)
{
    double axis[3] = {0.0, 0.0, 1.0};
    Piece pieces[7];
    double breaks[64];
    int break_count = 0, dim = 0, rates = 0;
    const Node *node = body->node, *x = scene_node_find(node, "x"), *v = scene_node_find(node, "v"),
               *break_node = scene_node_find(node, "breaks");
    bool good = break_node == NULL ||
                scene_vector(reader, break_node, "breaks", 1, 64, breaks, &break_count);
    if (x != NULL) dim = scene_read_pieces(reader, x, "x", 3, pieces);
    if (v != NULL) rates = scene_read_pieces(reader, v, "v", 3, pieces + dim);
    if (dim == 0 || (v != NULL && rates == 0)) return;
    const Node *angle = scene_node_find(node, "angle");
    good = check_turning(reader, node, dim, axis) && good;
    if (angle != NULL) {
        if (!good || scene_read_pieces(reader, angle, "angle", 1, pieces + dim) != 1) return;
        if (body->complete) build_turning(reader, body, pieces, axis, breaks, break_count);
        return;
    }
    if (v != NULL && rates != dim) {
        scene_error(reader, v->mark, "v has %d %s and x has %d: they go together", rates,
                    rates == 1 ? "entry" : "entries", dim);
        good = false;
    }
    if (!good || !body->complete) return;
    body->dim = dim;
    body->shape = BODY_MOTION;
    body->id = sti_plan_add_motion(reader->plan, body->name, dim,
                                   scene_time_function(reader, pieces, dim + rates,
                                                       rates > 0 ? 0 : dim, breaks, break_count));
}

static const Kind kinds[] = {
    {"point", "a mass in 1, 2 or 3 dimensions", point_keys, sizeof point_keys / sizeof(Key)},
    {"rigid", "a rigid body in space", rigid_keys, sizeof rigid_keys / sizeof(Key)},
    {"guided-block", "a block on a straight guide; has a load", guided_keys,
     sizeof guided_keys / sizeof(Key)},
    {"motion", "a motion given as a function of time", motion_keys,
     sizeof motion_keys / sizeof(Key)},
    {"robot", "a tree of links: from URDF, a list, or a chain", scene_robot_keys, SCENE_ROBOT_KEYS},
    {"linkage", "planar bodies joined by pins, sliders and more, with closed loops",
     scene_linkage_keys, SCENE_LINKAGE_KEYS},
    {"rotor", "a shaft: one angle, moments in N m", rotor_keys, sizeof rotor_keys / sizeof(Key)},
};
static void (*const builders[])(Reader *, Body *) = {build_point,       build_rigid,
                                                     build_guided,      build_motion,
                                                     scene_build_robot, scene_build_linkage,
                                                     build_rotor};

const Kind *scene_body_kinds(int *count)
{
    *count = (int)(sizeof kinds / sizeof kinds[0]);
    return kinds;
}

const Body *scene_find_body(const Reader *reader, const char *name)
{
    for (int i = 0; i < reader->body_count; ++i)
        if (strcmp(reader->bodies[i].name, name) == 0) return &reader->bodies[i];
    return NULL;
}

// The solid that gives a rigid body its inertia is its shape, too; its sizes have been read once.
static StiShape solid_of(Reader *reader, const Body *body)
{
    double radius = 0.0, size[3] = {0.0};
    scene_number_at(reader, body->node, "radius", &radius);
    scene_vector_at(reader, body->node, "size", 3, 3, size);
    if (radius > 0.0) return sti_shape_sphere(sti_vec3(0.0, 0.0, 0.0), radius);
    return sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY},
                         sti_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]));
}

// Robots have shapes on their links.
static void read_body_shapes(Reader *reader, Body *body)
{
    Shapes shapes = {0};
    StiShape one = sti_shape_point(sti_vec3(0.0, 0.0, 0.0));
    const Node *node = scene_node_find(body->node, "shapes");
    if (node != NULL && !scene_read_shapes(reader, node, "shapes", &shapes)) {
        body->shapes_broken = true;
        return;
    }
    if (body->id.number == 0) return;
    const bool solid = body->shape == BODY_RIGID && scene_node_find(body->node, "shape") != NULL;
    if (solid) one = solid_of(reader, body);
    if (node == NULL && (solid || body->shape == BODY_COORDINATES || body->shape == BODY_MOTION)) shapes = (Shapes){&one, 1};
    if (shapes.count > 0) scene_body_add_shapes(reader, body, 0, &shapes);
}

void scene_read_bodies(Reader *reader)
{
    const Node *bodies = scene_node_find(reader->root, "bodies");
    if (bodies == NULL) return;
    if (bodies->type != NODE_MAP) {
        scene_error(reader, bodies->mark, "bodies must be a map of names, not %s",
                    scene_node_type(bodies));
        return;
    }
    reader->bodies =
        sti_arena_take(reader->arena, (size_t)bodies->count + 1, sizeof *reader->bodies);
    for (int i = 0; reader->bodies != NULL && i < bodies->count; ++i) {
        const Entry *entry = &bodies->entries[i];
        Body *body = &reader->bodies[reader->body_count++];
        *body = (Body){.name = entry->key, .node = entry->value, .id = {0}};
        const int kind = scene_kind(reader, entry, "body", kinds, sizeof kinds / sizeof kinds[0]);
        if (kind < 0) continue;
        char what[128];
        snprintf(what, sizeof what, "a %s body", kinds[kind].name);
        body->complete =
            scene_check_keys(reader, entry->value, what, kinds[kind].keys, kinds[kind].key_count);
        builders[kind](reader, body);
        if (body->shape != BODY_ROBOT) read_body_shapes(reader, body);
    }
}
