// The coordinates that couplings join.
#include <string.h>

#include "read/couplings.h"
#include "yaml/places.h"

static Coordinate one(const char *name, StiAdmittanceId body, int position, int velocity,
                      bool angular)
{
    return (Coordinate){.name = name,
                        .terms = {{body, position, velocity, 1.0}},
                        .count = 1,
                        .angular = angular};
}

// "ball.y": an axis of a point in space.
static bool axis_of_point(const Reader *reader, const Node *node, Coordinate *coordinate)
{
    const char *dot = strrchr(node->text, '.');
    if (dot == NULL || dot[1] < 'x' || dot[1] > 'z' || dot[2] != '\0') return false;
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        const size_t length = (size_t)(dot - node->text);
        if (strncmp(body->name, node->text, length) != 0 || body->name[length] != '\0') continue;
        const int axis = dot[1] - 'x';
        if (body->shape != BODY_COORDINATES || axis >= body->dim || body->id.number == 0)
            return false;
        *coordinate = one(node->text, body->id, axis, axis, false);
        return true;
    }
    return false;
}

// The angle of a pin: that of its body less that of the other.
static bool pin_of_linkage(Reader *reader, const Node *node, const Place *place,
                           Coordinate *coordinate)
{
    const StiPlanarPair *pair = sti_linkage_pair(place->body->linkage, place->pair);
    if (pair->type != STI_PAIR_REVOLUTE) {
        scene_error(reader, node->mark,
                    "'%s' is no pin: of a linkage only pins can be coupled, by their angle",
                    node->text);
        return false;
    }
    *coordinate = one(node->text, place->body->id, 3 * pair->body + 2, 3 * pair->body + 2, true);
    if (pair->other < 0) return true;
    coordinate->terms[1] = coordinate->terms[0];
    coordinate->terms[1].position = coordinate->terms[1].velocity = 3 * pair->other + 2;
    coordinate->terms[1].factor = -1.0;
    coordinate->count = 2;
    return true;
}

bool scene_find_coordinate(Reader *reader, const Node *node, const char *what,
                           Coordinate *coordinate)
{
    Place place;
    if (node->type == NODE_SCALAR && axis_of_point(reader, node, coordinate)) return true;
    if (!scene_place_named(reader, node, what, false, &place)) return false;
    if (place.type == PLACE_PAIR) return pin_of_linkage(reader, node, &place, coordinate);
    if (place.type != PLACE_COORDINATES || place.dim != 1 ||
        place.body->shape == BODY_MOTION) {
        scene_error(reader, node->mark,
                    place.type == PLACE_COORDINATES && place.dim > 1
                        ? "'%s' has several coordinates: name one, for example '%s.x'"
                        : "'%s' cannot be coupled: name a joint, a rotor or a body with one "
                          "coordinate%.0s",
                    node->text, node->text);
        return false;
    }
    const bool angular =
        place.joint ? sti_robot_link(place.body->robot, place.link)->joint == STI_JOINT_REVOLUTE
                    : place.body->shape == BODY_ROTOR;
    *coordinate = one(node->text, place.body->id, place.end.position, place.end.place, angular);
    return true;
}
