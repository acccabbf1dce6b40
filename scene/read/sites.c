#include "read/sites.h"

#include "stiction/spring.h"
#include "yaml/places.h"

const Key scene_site_keys[SCENE_SITE_KEYS] = {
    {"kind", VALUE_TEXT, true, "site", NULL},
    {"on", VALUE_BODY, true, "a rigid body, a point, or a link of a robot or a linkage", NULL},
    {"at", VALUE_VECTOR, false, "where, in body axes, m; default: the body's origin", NULL},
    {"attitude", VALUE_VECTOR, false, "of the frame in body axes, quaternion w, x, y, z", NULL},
};

void scene_read_site(Reader *reader, const char *name, const Node *node, bool complete)
{
    Place place;
    double p[3] = {0.0}, q[4] = {1.0, 0.0, 0.0, 0.0};
    const Node *on = scene_node_find(node, "on");
    bool good = scene_vector_at(reader, node, "at", 3, 3, p) && complete;
    good = scene_attitude_at(reader, node, q) && good;
    if (on == NULL || !scene_place_named(reader, on, "on", true, &place) || !good) return;
    const bool point = place.type == PLACE_COORDINATES && !place.joint && place.body != NULL &&
                       place.body->shape != BODY_ROTOR;
    if (place.type != PLACE_POINT && !point) {
        scene_error(reader, on->mark, "a site is on a rigid body, a point or a link; %s is none of them",
                    on->text);
        return;
    }
    const StiFrame frame = {.p = sti_vec3(p[0], p[1], p[2]), .q = {q[0], q[1], q[2], q[3]}};
    const StiFrame world = {.q = STI_QUAT_IDENTITY};
    const StiWire wire =
        sti_wire_frame(place.body->id, point ? 0 : place.link, frame, STI_GROUND, 0, world);
    scene_add_element(reader,
                      (Element){.name = name,
                                .entry = name,
                                .node = node,
                                .id = sti_plan_add_impedance(reader->plan, name, &sti_kind_site,
                                                             NULL, &wire)});
}
