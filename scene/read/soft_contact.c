// Soft contact: a shape of one body against a plane, as an impedance.
#include <math.h>

#include "read/contacts.h"
#include "read/shapes.h"
#include "stiction/spring.h"

const char *const scene_contact_shapes[] = {"point", "sphere", "box", NULL};

bool scene_check_contact_shape(Reader *reader, const Node *node, int shape)
{
    static const char *const keys[] = {NULL, "radius", "size"};
    bool good = true;
    for (int i = 1; i < 3; ++i) {
        const Entry *entry = scene_node_entry(node, keys[i]);
        if ((entry != NULL) == (i == shape)) continue;
        if (entry == NULL)
            scene_error(reader, node->mark, "a contact of shape %s needs '%s'",
                        scene_contact_shapes[i], keys[i]);
        else
            scene_error(reader, entry->mark, "'%s' belongs to 'shape: %s'", keys[i],
                        scene_contact_shapes[i]);
        good = false;
    }
    return good;
}

static bool contact_wire(Reader *reader, const Node *node, const Place *place, int shape,
                         StiWire *wire)
{
    StiVec3 point, normal;
    double at[3] = {0.0}, radius = 0.0, size[3] = {0.0};
    bool good = scene_read_plane(reader, scene_node_find(node, "plane"), &point, &normal);
    good = scene_vector_at(reader, node, "at", 3, 3, at) && good;
    good = scene_number_at(reader, node, "radius", &radius) && good;
    good = scene_vector_at(reader, node, "size", 3, 3, size) && good;
    if (shape < 0 || !scene_check_contact_shape(reader, node, shape) || !good) return false;
    const double least = shape == 1 ? radius : fmin(size[0], fmin(size[1], size[2]));
    if (least < 0.0) {
        const char *key = shape == 1 ? "radius" : "size";
        scene_error(reader, scene_node_find(node, key)->mark, "%s must be 0 m or more, not %g", key,
                    least);
        return false;
    }
    if (place == NULL) return false;
    const StiAdmittanceId body = place->body->id;
    const StiVec3 centre = sti_vec3(at[0], at[1], at[2]);
    const StiFrame box = {.p = centre, .q = {1.0, 0.0, 0.0, 0.0}};
    if (shape == 0) *wire = sti_wire_point_plane(body, place->link, centre, point, normal);
    if (shape == 1) *wire = sti_wire_sphere_plane(body, place->link, centre, radius, point, normal);
    if (shape == 2)
        *wire = sti_wire_box_plane(body, place->link, box,
                                   sti_vec3(0.5 * size[0], 0.5 * size[1], 0.5 * size[2]), point,
                                   normal);
    return true;
}

// A point mass in three dimensions has a point, too.
static bool soft_place(Reader *reader, const Node *node, Place *place)
{
    const Node *on = scene_node_find(node, "on");
    if (on == NULL) scene_error(reader, node->mark, "a soft contact needs 'on: BODY'");
    if (on == NULL || !scene_contact_place(reader, on, "on", place)) return false;
    if (place->dim == 3) return true;
    scene_error(reader, on->mark,
                "a soft contact is on a rigid body or a point mass in 3 dimensions; %s has %d",
                place->name, place->dim);
    return false;
}

static int read_word(Reader *reader, const Node *shape)
{
    if (shape == NULL) return 0;
    if (shape->type == NODE_SCALAR)
        return scene_word(reader, shape, "shape of contact", scene_contact_shapes);
    scene_error(reader, shape->mark,
                "the shape of a soft contact is point, sphere or box; a contact without "
                "stiffness may have others");
    return -1;
}

static bool check_hard_keys(Reader *reader, const Node *node)
{
    static const char *const hard[] = {"between",           "among",    "shape_a",
                                       "shape_b",           "against",  "mu_static",
                                       "mu_across",         "along",    "law",
                                       "rolling",           "spinning", "restitution",
                                       "restitution_model", "capacity", "exclude", "bristle"};
    bool good = true;
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; ++i) {
        const Entry *entry = scene_node_entry(node, hard[i]);
        if (entry == NULL) continue;
        scene_error(reader, entry->mark, "'%s' belongs to hard contacts, which have no stiffness",
                    hard[i]);
        good = false;
    }
    return good;
}

void scene_read_soft_contact(Reader *reader, const char *name, const Node *node, bool complete)
{
    StiSoftContact p = {.points = 1};
    Place place;
    StiWire wire;
    const bool placed = soft_place(reader, node, &place);
    const int shape = read_word(reader, scene_node_find(node, "shape"));
    bool good = scene_number_at(reader, node, "stiffness", &p.K) && complete;
    good = scene_number_at(reader, node, "damping", &p.B) && good;
    good = scene_number_at(reader, node, "mu", &p.mu) && good;
    good = check_hard_keys(reader, node) && good;
    if (!contact_wire(reader, node, placed ? &place : NULL, shape, &wire) || !good) return;
    if (shape == 2) p.points = 8;
    scene_add_element(reader,
                      (Element){.name = name,
                                .entry = name,
                                .node = node,
                                .forces = 3 * p.points,
                                .id = sti_plan_add_impedance(reader->plan, name,
                                                             &sti_kind_soft_contact, &p, &wire)});
}
