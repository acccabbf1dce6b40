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

static const char *type_of(const UrdfJoint *joint)
{
    return xml_attribute(joint->element, "type")->value;
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
            urdf_say(reader, STI_NOTE, mark,
                     "'%s' is an extension: other programs that read URDF may not know it", word);
        return true;
    }
    unknown_type(reader, mark, word);
    return false;
}

// ---- the links that it joins --------------------------------------------------------------------

static void unknown_link(UrdfReader *reader, const XmlElement *end, const char *name)
{
    const char *known[100];
    int count = 0;
    if (reader->errors > URDF_MOST_MESSAGES) return; // the search for near names takes long
    for (; count < 100 && count < reader->link_count; ++count)
        known[count] = reader->links[count].name;
    const char *nearest = scene_nearest(name, known, count);
    urdf_error(reader, xml_attribute(end, "link")->mark, "there is no link '%.60s'%s%.60s%s", name,
               nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
               nearest != NULL ? "'?" : ": every link needs a <link name=\"...\">");
}

static int read_end(UrdfReader *reader, const UrdfJoint *joint, const char *which)
{
    const XmlElement *end = urdf_child(reader, joint->element, which);
    if (end == NULL) {
        urdf_error(reader, joint->element->mark, "joint '%.60s' has no <%s>: add %s", joint->name,
                   which, urdf_example(which));
        return -1;
    }
    const char *name = urdf_text(reader, end, "link");
    const int link = name != NULL ? urdf_find_link(reader, name) : -1;
    if (name != NULL && link < 0) unknown_link(reader, end, name);
    return link;
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
    urdf_say(reader, STI_WARNING, mark,
             "%s joint '%.60s' has no lower and upper limit and so moves without end; %s%s",
             type_of(joint), joint->name,
             joint->type == STI_JOINT_REVOLUTE ? "type=\"continuous\" says so, or a limit is "
                                               : "a limit is ",
             urdf_example("limit"));
}

static void read_range(UrdfReader *reader, const XmlElement *limit, UrdfJoint *joint)
{
    const bool lower = xml_attribute(limit, "lower") != NULL;
    const bool upper = xml_attribute(limit, "upper") != NULL;
    bool good = urdf_numbers(reader, limit, "lower", 1, &joint->lower);
    good = urdf_numbers(reader, limit, "upper", 1, &joint->upper) && good;
    joint->limited = lower || upper;
    if (!joint->limited)
        without_end(reader, joint, limit->mark);
    else if (good && joint->lower > joint->upper)
        urdf_error(reader, limit->mark,
                   "the lower limit of joint '%.60s', %g, is above the upper, "
                   "%g",
                   joint->name, joint->lower, joint->upper);
    else if (lower != upper)
        urdf_say(reader, STI_NOTE, limit->mark, "the %s limit of joint '%.60s' is not given, so 0",
                 lower ? "upper" : "lower", joint->name);
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
        urdf_say(reader, STI_NOTE, limit->mark,
                 "lower and upper of joint '%.60s' are not used: a %s joint has no range",
                 joint->name, type_of(joint));
}

// ---- friction -----------------------------------------------------------------------------------

static void note_friction(UrdfReader *reader, Mark mark, const UrdfJoint *joint)
{
    const bool turns = joint->type == STI_JOINT_REVOLUTE;
    const StiUrdfJoint *rest = &joint->rest;
    if (!one_axis(joint))
        urdf_say(reader, STI_NOTE, mark,
                 "joint '%.60s': damping %g and friction %g are not used, because a %s joint has "
                 "no axis of its own",
                 joint->name, rest->damping, rest->friction, type_of(joint));
    else
        urdf_say(reader, STI_NOTE, mark,
                 "joint '%.60s': damping %g %s is read as viscous resistance, friction %g %s as a "
                 "Coulomb level",
                 joint->name, rest->damping, turns ? "N m s/rad" : "N s/m", rest->friction,
                 turns ? "N m" : "N");
}

static void read_dynamics(UrdfReader *reader, UrdfJoint *joint)
{
    const XmlElement *dynamics = urdf_child(reader, joint->element, "dynamics");
    if (dynamics == NULL) return;
    bool good = urdf_magnitude(reader, dynamics, "damping", &joint->rest.damping);
    good = urdf_magnitude(reader, dynamics, "friction", &joint->rest.friction) && good;
    good = urdf_magnitude(reader, dynamics, "armature", &joint->armature) && good;
    joint->rest.has_dynamics =
        xml_attribute(dynamics, "damping") != NULL || xml_attribute(dynamics, "friction") != NULL;
    if (joint->armature > 0.0 && !one_axis(joint)) {
        urdf_error(reader, xml_attribute(dynamics, "armature")->mark,
                   "a %s joint has no rotor: armature is for revolute and prismatic joints",
                   type_of(joint));
    } else if (joint->armature > 0.0) {
        urdf_say(reader, STI_NOTE, dynamics->mark,
                 "joint '%.60s': armature %g is read as inertia of the rotor, an extension",
                 joint->name, joint->armature);
    }
    if (good && joint->rest.has_dynamics) note_friction(reader, dynamics->mark, joint);
}

static void refuse_mimic(UrdfReader *reader, const UrdfJoint *joint)
{
    const XmlElement *mimic = urdf_child(reader, joint->element, "mimic");
    if (mimic == NULL) return;
    const XmlAttribute *other = xml_attribute(mimic, "joint");
    urdf_error(reader, mimic->mark,
               "joint '%.60s' mimics '%.60s', and joints that follow others are not simulated: "
               "remove <mimic>, so that it moves freely, or make it fixed",
               joint->name, other != NULL ? other->value : "");
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
    refuse_mimic(reader, joint);
    if (!read_type(reader, joint)) return;
    read_axis(reader, joint);
    read_limit(reader, joint);
    read_dynamics(reader, joint);
}
