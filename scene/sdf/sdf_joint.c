// <joint>: hangs its child link on its parent.
#include <string.h>

#include "sdf/sdf_reader.h"

static bool read_axis(SdfReader *reader, const SdfFrame *joint, const char *which, StiLink *link)
{
    const XmlElement *axis = sdf_child(joint->element, which), *xyz = sdf_child(axis, "xyz");
    double a[3] = {0.0, 0.0, 1.0};
    if (axis == NULL) {
        sdf_error(reader, joint->element->mark, "joint '%.60s' has no <%s>", joint->name, which);
        return false;
    }
    if (xyz != NULL) sdf_numbers(reader, axis, "xyz", 3, a);
    link->axis = sti_vec3(a[0], a[1], a[2]);
    const XmlAttribute *in = xyz != NULL ? xml_attribute(xyz, "expressed_in") : NULL;
    if (in != NULL && in->value[0] != '\0') {
        const int frame = sdf_find(reader, joint->scope, in->value);
        const StiFrame other = sdf_resolve(reader, frame);
        link->axis = sti_quat_unrotate(joint->at.q, sti_quat_rotate(other.q, link->axis));
    }
    if (sti_vec3_norm(link->axis) > 0.0) return true;
    sdf_error(reader, axis->mark, "the axis of joint '%.60s' has no direction", joint->name);
    return false;
}

static void read_behaviour(SdfReader *reader, const SdfFrame *joint, const char *which, int index,
                           bool endless)
{
    const XmlElement *axis = sdf_child(joint->element, which);
    const XmlElement *limit = sdf_child(axis, "limit"), *dynamics = sdf_child(axis, "dynamics");
    StiLink *link = &reader->model->links[index];
    ModelJoint *to = &reader->model->joints[index];
    double lower = -1e16, upper = 1e16;
    lower = sdf_number(reader, limit, "lower", lower);
    upper = sdf_number(reader, limit, "upper", upper);
    link->limited = !endless && lower < upper && (lower > -1e15 || upper < 1e15);
    link->lower = lower;
    link->upper = upper;
    to->damping = sdf_number(reader, dynamics, "damping", 0.0);
    to->friction = sdf_number(reader, dynamics, "friction", 0.0);
    to->stiffness = sdf_number(reader, dynamics, "spring_stiffness", 0.0);
    to->rest = sdf_number(reader, dynamics, "spring_reference", 0.0);
    if (to->damping < 0.0 || to->friction < 0.0 || to->stiffness < 0.0) {
        sdf_note(reader, STI_WARNING, axis->mark,
                 "changed: numbers below 0 that cannot be so are read as 0, of joints", joint->name);
        to->damping = to->damping > 0.0 ? to->damping : 0.0;
        to->friction = to->friction > 0.0 ? to->friction : 0.0;
        to->stiffness = to->stiffness > 0.0 ? to->stiffness : 0.0;
    }
}

static bool make_axis(SdfReader *reader, const SdfFrame *joint, const char *which, int link,
                      StiJointType type, bool endless)
{
    reader->model->links[link].joint = type;
    if (!read_axis(reader, joint, which, &reader->model->links[link])) return false;
    read_behaviour(reader, joint, which, link, endless);
    return true;
}

// Two hinges with a link without mass in between.
static void make_universal(SdfReader *reader, const SdfFrame *joint, int child)
{
    Model *model = reader->model;
    const int between = model->count++;
    StiLink *inner = &model->links[child], *outer = &model->links[between];
    char text[160];
    *outer = (StiLink){.joint_name = inner->joint_name,
                       .parent = inner->parent,
                       .placement = inner->placement};
    snprintf(text, sizeof text, "%s_cross", inner->name);
    outer->name = sti_arena_text(reader->base->arena, text);
    snprintf(text, sizeof text, "%s_2", inner->joint_name);
    inner->joint_name = sti_arena_text(reader->base->arena, text);
    inner->parent = between;
    inner->placement = (StiFrame){.q = STI_QUAT_IDENTITY};
    make_axis(reader, joint, "axis", between, STI_JOINT_REVOLUTE, false);
    make_axis(reader, joint, "axis2", child, STI_JOINT_REVOLUTE, false);
}

static void make_type(SdfReader *reader, const SdfFrame *joint, int child)
{
    const XmlAttribute *type = xml_attribute(joint->element, "type");
    const char *word = type != NULL ? type->value : "";
    StiLink *link = &reader->model->links[child];
    if (strcmp(word, "fixed") == 0)
        link->joint = STI_JOINT_FIXED;
    else if (strcmp(word, "revolute") == 0 || strcmp(word, "continuous") == 0)
        make_axis(reader, joint, "axis", child, STI_JOINT_REVOLUTE, word[0] == 'c');
    else if (strcmp(word, "prismatic") == 0)
        make_axis(reader, joint, "axis", child, STI_JOINT_PRISMATIC, false);
    else if (strcmp(word, "ball") == 0)
        link->joint = STI_JOINT_SPHERICAL;
    else if (strcmp(word, "universal") == 0)
        make_universal(reader, joint, child);
    else
        sdf_error(reader, joint->element->mark,
                  "joints of type '%.60s' are not read; revolute, continuous, prismatic, ball, "
                  "universal and fixed are",
                  word);
}

static int end_of(SdfReader *reader, const SdfFrame *joint, const char *which)
{
    const char *name = sdf_text(joint->element, which);
    if (name != NULL && strcmp(name, "world") == 0) return -1;
    int frame = name != NULL ? sdf_find(reader, joint->scope, name) : -1;
    while (frame >= 0 && sdf_is(&reader->frames[frame], "frame")) // a frame stands for its link
        frame = sdf_find(reader, reader->frames[frame].scope, reader->frames[frame].attached);
    if (frame >= 0 && reader->link_of[frame] >= 0) return reader->link_of[frame];
    sdf_error(reader, joint->element->mark, "the <%s> of joint '%.60s' is no link: '%.60s'", which,
              joint->name, name != NULL ? name : "");
    return -2;
}

void sdf_hang_child(SdfReader *reader, int frame)
{
    const SdfFrame *joint = &reader->frames[frame];
    const int parent = end_of(reader, joint, "parent"), child = end_of(reader, joint, "child");
    if (parent == -2 || child < 0) return;
    StiLink *link = &reader->model->links[child];
    if (reader->joint_of[child] >= 0) {
        sdf_error(reader, joint->element->mark,
                  "link '%.60s' hangs on joint '%.60s' already: loops cannot be closed", link->name,
                  link->joint_name);
        return;
    }
    reader->joint_of[child] = frame;
    reader->own[child] = joint->at;
    link->joint_name = joint->name;
    link->parent = parent;
}

void sdf_make_joint(SdfReader *reader, int child)
{
    static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};
    const SdfFrame *joint = &reader->frames[reader->joint_of[child]];
    StiLink *link = &reader->model->links[child];
    link->placement = sdf_seen_from(link->parent >= 0 ? reader->own[link->parent] : world, joint->at);
    make_type(reader, joint, child);
}
