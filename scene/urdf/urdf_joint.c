// <joint>: type, place, axis, limits, and what it says about friction.
#include <string.h>

#include "urdf/urdf_reader.h"

typedef struct TypeWord {
    const char *word;
    StiJointType type;
    bool continuous;
} TypeWord;

static const TypeWord type_words[] = {
    {"fixed", STI_JOINT_FIXED, false},         {"revolute", STI_JOINT_REVOLUTE, false},
    {"continuous", STI_JOINT_REVOLUTE, true},  {"prismatic", STI_JOINT_PRISMATIC, false},
    {"planar", STI_JOINT_PLANAR, false},       {"floating", STI_JOINT_FLOATING, false},
    {"spherical", STI_JOINT_SPHERICAL, false}, {"ball", STI_JOINT_SPHERICAL, false},
};
enum { TYPE_WORDS = sizeof type_words / sizeof type_words[0] };

static bool one_axis(const UrdfJoint *joint)
{
    return joint->type == STI_JOINT_REVOLUTE || joint->type == STI_JOINT_PRISMATIC;
}

static bool has_axis(const UrdfJoint *joint)
{
    return one_axis(joint) || joint->type == STI_JOINT_PLANAR;
}

static void unknown_type(UrdfReader *reader, Mark mark, const char *word)
{
    const char *known[TYPE_WORDS];
    for (int i = 0; i < TYPE_WORDS; ++i) known[i] = type_words[i].word;
    const char *nearest = scene_nearest(word, known, TYPE_WORDS);
    urdf_error(reader, mark,
               "there is no type '%.60s' of joints; %s%s%sfixed, revolute, continuous, prismatic, "
               "planar and floating are known",
               word, nearest != NULL ? "did you mean '" : "", nearest != NULL ? nearest : "",
               nearest != NULL ? "'? " : "");
}

static bool read_type(UrdfReader *reader, UrdfJoint *joint)
{
    const char *word = urdf_text(reader, joint->element, "type");
    if (word == NULL) return false;
    const Mark mark = xml_attribute(joint->element, "type")->mark;
    for (int i = 0; i < TYPE_WORDS; ++i) {
        if (strcmp(word, type_words[i].word) != 0) continue;
        joint->type = type_words[i].type;
        joint->rest.continuous = type_words[i].continuous;
        if (joint->type == STI_JOINT_SPHERICAL)
            urdf_gather(reader, STI_NOTE, mark,
                        "read: types of joints that other programs may not know", word);
        return true;
    }
    unknown_type(reader, mark, word);
    return false;
}

// ---- the links that it joins --------------------------------------------------------------------

static int read_end(UrdfReader *reader, const UrdfJoint *joint, const char *which)
{
    const XmlElement *end = urdf_child(reader, joint->element, which);
    if (end == NULL) {
        urdf_error(reader, joint->element->mark, "joint '%.60s' has no <%s>: add %s", joint->name,
                   which, urdf_example(which));
        return -1;
    }
    const char *name = urdf_text(reader, end, "link");
    return name != NULL ? urdf_find_link(reader, name) : -1;
}

static void hang_child(UrdfReader *reader, const UrdfJoint *joint, int index)
{
    if (joint->parent < 0 || joint->child < 0) {
        reader->torn = true;
        return;
    }
    UrdfLink *child = &reader->links[joint->child];
    const Mark mark = urdf_child(reader, joint->element, "child")->mark;
    if (joint->parent == joint->child) {
        urdf_error(reader, mark, "joint '%.60s' joins link '%.60s' to itself", joint->name,
                   child->name);
        reader->torn = true;
    } else if (child->joint >= 0) {
        const UrdfJoint *other = &reader->joints[child->joint];
        urdf_error(reader, mark,
                   "link '%.60s' hangs on joint '%.60s' of line %d already: a link is the child of "
                   "one joint, because loops cannot be closed",
                   child->name, other->name, other->element->mark.line);
        reader->torn = true;
    } else {
        child->joint = index;
    }
}

// ---- axis and limits ----------------------------------------------------------------------------

// Exporters write "0 0 0" for joints that have none: what is not used is not judged.
static void read_axis(UrdfReader *reader, UrdfJoint *joint)
{
    double xyz[3] = {1.0, 0.0, 0.0};
    const XmlElement *axis = urdf_child(reader, joint->element, "axis");
    joint->axis = sti_vec3(1.0, 0.0, 0.0);
    if (axis == NULL || !has_axis(joint)) return;
    if (!urdf_needed_numbers(reader, axis, "xyz", 3, xyz)) return;
    if (!urdf_unit(xyz, 3))
        urdf_error(reader, axis->mark, "the axis of joint '%.60s' has no direction: %s",
                   joint->name, urdf_example("axis"));
    joint->axis = sti_vec3(xyz[0], xyz[1], xyz[2]);
}

static void without_end(UrdfReader *reader, const UrdfJoint *joint, Mark mark)
{
    urdf_gather(reader, STI_NOTE, mark,
                "read: joints without lower and upper limits, which move without end", joint->name);
}

static void read_range(UrdfReader *reader, const XmlElement *limit, UrdfJoint *joint)
{
    const bool lower = xml_attribute(limit, "lower") != NULL;
    const bool upper = xml_attribute(limit, "upper") != NULL;
    bool good = urdf_numbers(reader, limit, "lower", 1, &joint->lower);
    good = urdf_numbers(reader, limit, "upper", 1, &joint->upper) && good;
    joint->limited = lower || upper;
    if (!joint->limited) {
        without_end(reader, joint, limit->mark);
    } else if (good && joint->lower > joint->upper) {
        urdf_gather(reader, STI_WARNING, limit->mark,
                    "left out: limits whose lower end is above the upper one", joint->name);
        joint->limited = false;
        joint->lower = joint->upper = 0.0;
    } else if (lower != upper) {
        urdf_gather(reader, STI_NOTE, limit->mark,
                    "read: joints with one limit only; the other is 0", joint->name);
    }
}

static void read_limit(UrdfReader *reader, UrdfJoint *joint)
{
    const bool ranged = one_axis(joint) && !joint->rest.continuous;
    const XmlElement *limit = urdf_child(reader, joint->element, "limit");
    if (limit == NULL) {
        if (ranged) without_end(reader, joint, joint->element->mark);
        return;
    }
    joint->rest.has_limits = true;
    urdf_magnitude(reader, limit, "effort", &joint->rest.effort);
    urdf_magnitude(reader, limit, "velocity", &joint->rest.velocity);
    if (ranged)
        read_range(reader, limit, joint);
    else if (xml_attribute(limit, "lower") != NULL || xml_attribute(limit, "upper") != NULL)
        urdf_gather(reader, STI_NOTE, limit->mark,
                    "left out: limits of joints that have no range", joint->name);
}

// ---- friction -----------------------------------------------------------------------------------

static void read_dynamics(UrdfReader *reader, UrdfJoint *joint)
{
    const XmlElement *dynamics = urdf_child(reader, joint->element, "dynamics");
    if (dynamics == NULL) return;
    if (!one_axis(joint)) {
        urdf_gather(reader, STI_NOTE, dynamics->mark,
                    "left out: <dynamics> of joints that have no axis of their own", joint->name);
        return;
    }
    StiUrdfJoint *rest = &joint->rest;
    urdf_magnitude(reader, dynamics, "damping", &rest->damping);
    urdf_magnitude(reader, dynamics, "friction", &rest->friction);
    urdf_magnitude(reader, dynamics, "armature", &joint->armature);
    const bool rubs = rest->damping > 0.0 || rest->friction > 0.0;
    rest->has_dynamics =
        xml_attribute(dynamics, "damping") != NULL || xml_attribute(dynamics, "friction") != NULL;
    if (joint->armature > 0.0)
        urdf_gather(reader, STI_NOTE, dynamics->mark,
                    "read: armature (an extension) as inertia of the rotor, of joints", joint->name);
    if (rubs)
        urdf_gather(reader, STI_NOTE, dynamics->mark,
                    "read: damping as viscous resistance and friction as a Coulomb level, of joints",
                    joint->name);
}

static void read_mimic(UrdfReader *reader, UrdfJoint *joint)
{
    const XmlElement *mimic = urdf_child(reader, joint->element, "mimic");
    if (mimic == NULL) return;
    joint->rest.multiplier = 1.0;
    bool good = urdf_numbers(reader, mimic, "multiplier", 1, &joint->rest.multiplier);
    good = urdf_numbers(reader, mimic, "offset", 1, &joint->rest.offset) && good;
    const char *other = urdf_text(reader, mimic, "joint");
    if (!good || other == NULL) return;
    joint->rest.mimic = sti_arena_text(reader->arena, other);
    urdf_gather(reader, STI_NOTE, mimic->mark, "read: <mimic> as a coupling, of joints", joint->name);
}

void urdf_read_joint(UrdfReader *reader, const XmlElement *element, int index)
{
    UrdfJoint *joint = &reader->joints[index];
    const char *name = urdf_text(reader, element, "name");
    *joint = (UrdfJoint){.element = element, .name = name != NULL ? name : ""};
    joint->parent = read_end(reader, joint, "parent");
    joint->child = read_end(reader, joint, "child");
    hang_child(reader, joint, index);
    urdf_origin(reader, element, &joint->placement);
    read_mimic(reader, joint);
    if (!read_type(reader, joint)) return;
    read_axis(reader, joint);
    read_limit(reader, joint);
    read_dynamics(reader, joint);
}
