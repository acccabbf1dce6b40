// Contact elements: their keys, and which way they go.
#include "read/contacts.h"

const char *const scene_restitution_words[] = {"simultaneous", "sequential", NULL};

const Key scene_contact_keys[SCENE_CONTACT_KEYS] = {
    {"kind", VALUE_TEXT, true, "contact", NULL},
    {"on", VALUE_BODY, false,
     "a body, a link of a robot, a robot, or a list of them; against what is fixed", NULL},
    {"between", VALUE_PAIR, false, "two bodies, links or robots", NULL},
    {"among", VALUE_BODY, false, "'all', or a list of bodies, links and robots: each against each",
     NULL},
    {"shape", VALUE_SHAPE, false,
     "point, sphere or box; hard: also a map or a list of maps; default: the body's", NULL},
    {"shape_a", VALUE_SHAPES, false, "with between, of the first body; default: the body's", NULL},
    {"shape_b", VALUE_SHAPES, false, "with between, of the second body", NULL},
    {"at", VALUE_VECTOR, false, "centre of the shape, body axes, m", NULL},
    {"radius", VALUE_NUMBER, false, "of the sphere, m", NULL},
    {"size", VALUE_VECTOR, false, "edges of the box, m", NULL},
    {"plane", VALUE_PLANE, false, "{point: [x, y, z], normal: [x, y, z]}", NULL},
    {"against", VALUE_OBSTACLES, false,
     "hard: {plane: {...}}, a shape fixed in the world, a body, or a list", NULL},
    {"exclude", VALUE_PAIRS, false, "with among: pairs of names that do not touch", NULL},
    {"stiffness", VALUE_NUMBER, false, "of a point, N/m; without it the contact is hard", NULL},
    {"damping", VALUE_NUMBER, false, "soft: of a point, N s/m", NULL},
    {"mu", VALUE_NUMBER, false, "friction coefficient", NULL},
    {"mu_static", VALUE_NUMBER, false, "hard: coefficient that ends sticking; default: mu", NULL},
    {"mu_across", VALUE_NUMBER, false, "hard: coefficient across 'along'; default: mu", NULL},
    {"along", VALUE_VECTOR, false,
     "hard: direction in which mu counts, axes of the first body; with mu_across", NULL},
    {"law", VALUE_ANY, false,
     "hard: mu over the speed of slip, such as {kind: stribeck, stribeck_speed: 0.01}", NULL},
    {"bristle", VALUE_ANY, false,
     "hard: friction that yields before it slips, such as {kind: lugre, stiffness: 1e5, damping: "
     "50}",
     NULL},
    {"rolling", VALUE_NUMBER, false, "hard: most moment against rolling, over the normal force, m",
     NULL},
    {"spinning", VALUE_NUMBER, false,
     "hard: most moment against spinning about the normal, over the normal force, m", NULL},
    {"restitution", VALUE_NUMBER, false, "hard: speed of departure over speed of approach, 0 to 1",
     NULL},
    {"restitution_model", VALUE_WORD, false,
     "hard: touching points strike together (simultaneous, the default) or one after the other "
     "(sequential)",
     scene_restitution_words},
    {"capacity", VALUE_COUNT, false, "hard: most points at once; default: by the shapes", NULL},
};

bool scene_contact_place(Reader *reader, const Node *on, const char *what, Place *place)
{
    if (!scene_place_named(reader, on, what, true, place)) return false;
    if (!place->joint && place->body != NULL) return true;
    if (place->joint)
        scene_error(reader, on->mark,
                    "a contact is on a link, and %s is a joint; its link is %s.%s", place->name,
                    place->body->name, sti_robot_link(place->body->robot, place->link)->name);
    else
        scene_error(reader, on->mark, "a contact is on a body, and %s is a penalty joint",
                    place->name);
    return false;
}

void scene_read_contact(Reader *reader, const char *name, const Node *node, bool complete)
{
    if (scene_node_entry(node, "stiffness") != NULL)
        scene_read_soft_contact(reader, name, node, complete);
    else
        scene_read_hard_contact(reader, name, node, complete);
}
