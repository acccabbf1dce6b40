// <body>, <frame>, <joint>: each joint of a body carries a link; the last one is the body.
#include <math.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"

static const double PI = 3.14159265358979323846;

// A body as its children see it: its link, and its axes in those of the link. They differ where the
// joint is not at the origin of the body, because a link begins at its joint.
typedef struct Carrier {
    int link; // -1: the world
    StiFrame body;
    const MjcfClass *class;
} Carrier;

// ---- links --------------------------------------------------------------------------------------

static const char *text_of(MjcfReader *reader, const char *format, const char *name, int number)
{
    char text[160];
    snprintf(text, sizeof text, format, name, number);
    const char *kept = sti_arena_text(reader->base->arena, text);
    return kept != NULL ? kept : "";
}

static int add_link(MjcfReader *reader, const char *name, int parent, StiFrame placement)
{
    Model *model = reader->model;
    model->links[model->count] = (StiLink){.name = name,
                                           .joint_name = "",
                                           .parent = parent,
                                           .joint = STI_JOINT_FIXED,
                                           .placement = placement,
                                           .axis = {0.0, 0.0, 1.0}};
    return model->count++;
}

// ---- joints -------------------------------------------------------------------------------------

static void read_limits(MjcfReader *reader, const MjcfPlace *place, StiLink *link, double unit)
{
    double range[2] = {0.0, 0.0};
    link->limited = mjcf_limited(reader, place, "limited", "range", range);
    link->lower = unit * range[0];
    link->upper = unit * range[1];
}

// A joint whose coordinate is `ref` in the pose of the file: its axes are turned back by that.
static void read_reference(MjcfReader *reader, const MjcfPlace *place, int index, double unit)
{
    StiLink *link = &reader->model->links[index];
    ModelJoint *joint = &reader->model->joints[index];
    const double ref = unit * mjcf_number(reader, place, "ref", 0.0);
    joint->rest = unit * mjcf_number(reader, place, "springref", 0.0);
    if (ref == 0.0) return;
    joint->placed = true;
    joint->position[0] = ref;
    if (link->joint == STI_JOINT_REVOLUTE)
        link->placement.q = sti_quat_multiply(link->placement.q, mjcf_turn(link->axis, -ref));
    else
        link->placement.p = sti_vec3_sub(
            link->placement.p, sti_quat_rotate(link->placement.q, sti_vec3_scale(ref, link->axis)));
}

static void read_axis(MjcfReader *reader, const MjcfPlace *place, StiLink *link)
{
    double a[3] = {0.0, 0.0, 1.0};
    mjcf_numbers(reader, place, "axis", 3, a);
    const StiVec3 axis = {a[0], a[1], a[2]};
    const double length = sti_vec3_norm(axis);
    if (length > 0.0)
        link->axis = sti_vec3_scale(1.0 / length, axis);
    else
        mjcf_error(reader, place->element->mark, "the axis of this joint has no direction");
}

static void read_resistance(MjcfReader *reader, const MjcfPlace *place, int index)
{
    StiLink *link = &reader->model->links[index];
    ModelJoint *joint = &reader->model->joints[index];
    const double damping = mjcf_number(reader, place, "damping", 0.0);
    const double friction = mjcf_number(reader, place, "frictionloss", 0.0);
    const double stiffness = mjcf_number(reader, place, "stiffness", 0.0);
    const double armature = mjcf_number(reader, place, "armature", 0.0);
    if (link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC) {
        joint->damping = fmax(0.0, damping);
        joint->friction = fmax(0.0, friction);
        joint->stiffness = fmax(0.0, stiffness);
        link->armature = fmax(0.0, armature);
    } else if (damping > 0.0 || friction > 0.0 || stiffness > 0.0 || armature > 0.0) {
        mjcf_note(reader, STI_WARNING, place->element->mark,
                  "left out: damping, frictionloss, stiffness and armature of ball and free joints",
                  link->joint_name);
    }
}

static void read_line(MjcfReader *reader, const MjcfPlace *place, int index, bool hinge)
{
    StiLink *link = &reader->model->links[index];
    const double unit = hinge && reader->compiler.degrees ? PI / 180.0 : 1.0;
    link->joint = hinge ? STI_JOINT_REVOLUTE : STI_JOINT_PRISMATIC;
    read_axis(reader, place, link);
    read_limits(reader, place, link, unit);
    read_reference(reader, place, index, unit);
}

// Where the body is in the file is where it starts; it is free of its parent.
static void read_free(MjcfReader *reader, const MjcfPlace *place, int index)
{
    StiLink *link = &reader->model->links[index];
    ModelJoint *joint = &reader->model->joints[index];
    const StiFrame at = link->placement;
    if (link->parent >= 0)
        mjcf_error(reader, place->element->mark, "a free joint belongs to a child of the world");
    link->joint = STI_JOINT_FLOATING;
    link->placement = (StiFrame){.q = STI_QUAT_IDENTITY};
    joint->placed = true;
    memcpy(joint->position, (double[7]){at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z},
           sizeof joint->position);
}

static void read_type(MjcfReader *reader, const MjcfPlace *place, int index)
{
    StiLink *link = &reader->model->links[index];
    const bool free = strcmp(place->element->name, "freejoint") == 0 || mjcf_is(place, "type", "free");
    if (free)
        read_free(reader, place, index);
    else if (mjcf_is(place, "type", "ball"))
        link->joint = STI_JOINT_SPHERICAL;
    else if (mjcf_is(place, "type", "slide"))
        read_line(reader, place, index, false);
    else if (mjcf_value(place, "type") == NULL || mjcf_is(place, "type", "hinge"))
        read_line(reader, place, index, true);
    else
        mjcf_error(reader, place->element->mark, "there is no type '%.60s' of joints",
                   mjcf_value(place, "type")->value);
    if (strcmp(place->element->name, "joint") == 0) read_resistance(reader, place, index);
}

static bool is_joint(const XmlElement *element)
{
    return strcmp(element->name, "joint") == 0 || strcmp(element->name, "freejoint") == 0;
}

static int count_joints(const XmlElement *body)
{
    int count = 0;
    for (const XmlElement *child = body->children; child != NULL; child = child->next)
        count += is_joint(child);
    return count;
}

static StiVec3 anchor_of(MjcfReader *reader, const MjcfPlace *place)
{
    double p[3] = {0.0};
    const bool free = strcmp(place->element->name, "freejoint") == 0 || mjcf_is(place, "type", "free");
    if (!free) mjcf_numbers(reader, place, "pos", 3, p);
    return sti_vec3(p[0], p[1], p[2]);
}

static const char *joint_name(MjcfReader *reader, const XmlElement *joint, const char *body, int number)
{
    const XmlAttribute *name = xml_attribute(joint, "name");
    if (name != NULL && name->value[0] != '\0') return name->value;
    return text_of(reader, number == 0 ? "%s_joint" : "%s_joint%d", body, number);
}

// The links of a body, one for each joint. from: where the body is in its parent's link.
static Carrier add_joints(MjcfReader *reader, const XmlElement *body, const char *name, int parent,
                          StiFrame from, const MjcfClass *class)
{
    const int count = count_joints(body);
    Carrier carrier = {.link = parent, .body = from, .class = class};
    int number = 0;
    for (const XmlElement *child = body->children; child != NULL; child = child->next) {
        if (!is_joint(child)) continue;
        const MjcfPlace place = mjcf_place(reader, child, class);
        const StiVec3 anchor = anchor_of(reader, &place);
        const StiFrame at = {.p = anchor, .q = STI_QUAT_IDENTITY};
        const bool last = number + 1 == count;
        const char *link_name = last ? name : text_of(reader, "%s_part%d", name, number);
        carrier.link = add_link(reader, link_name, carrier.link, mjcf_inside(carrier.body, at));
        reader->model->links[carrier.link].joint_name = joint_name(reader, child, name, number);
        read_type(reader, &place, carrier.link);
        carrier.body = (StiFrame){.p = sti_vec3_scale(-1.0, anchor), .q = STI_QUAT_IDENTITY};
        ++number;
    }
    if (count > 0) return carrier;
    carrier.link = add_link(reader, name, parent, from);
    carrier.body = (StiFrame){.q = STI_QUAT_IDENTITY};
    return carrier;
}

// ---- bodies -------------------------------------------------------------------------------------

static void read_inertial(MjcfReader *reader, const XmlElement *element, Inertia *inertia)
{
    const MjcfPlace place = {element, NULL};
    const StiFrame at = mjcf_frame(reader, &place);
    double J[6] = {0.0};
    if (mjcf_value(&place, "fullinertia") != NULL)
        mjcf_numbers(reader, &place, "fullinertia", 6, J);
    else
        mjcf_numbers(reader, &place, "diaginertia", 3, J);
    inertia->mass = mjcf_number(reader, &place, "mass", 0.0);
    if (!(inertia->mass >= 0.0))
        mjcf_error(reader, element->mark, "a mass must not be below 0 kg, but is %g", inertia->mass);
    inertia->centre = at.p;
    inertia_turn(at.q, J, inertia->tensor);
}

// Geoms of the body itself and in its frames.
static void read_geoms(MjcfReader *reader, const XmlElement *parent, StiFrame around,
                       const MjcfClass *class, MjcfGeoms *to)
{
    for (const XmlElement *child = parent->children; child != NULL; child = child->next) {
        const MjcfPlace place = {child, class};
        if (strcmp(child->name, "geom") == 0) {
            const MjcfPlace geom = mjcf_place(reader, child, class);
            mjcf_read_geom(reader, &geom, around, to);
        } else if (strcmp(child->name, "frame") == 0) {
            const StiFrame at = mjcf_frame(reader, &(MjcfPlace){child, NULL});
            read_geoms(reader, child, mjcf_inside(around, at),
                       mjcf_class(reader, child, "childclass", place.class), to);
        }
    }
}

static void bound(const MjcfReader *reader, Inertia *inertia)
{
    inertia->mass = fmax(inertia->mass, reader->compiler.least_mass);
    for (int i = 0; i < 3; ++i)
        inertia->tensor[i] = fmax(inertia->tensor[i], reader->compiler.least_inertia);
}

static void read_mass(MjcfReader *reader, const XmlElement *body, const Carrier *carrier)
{
    StiLink *link = &reader->model->links[carrier->link];
    const XmlElement *inertial = body->children;
    while (inertial != NULL && strcmp(inertial->name, "inertial") != 0) inertial = inertial->next;
    const int from_geoms = reader->compiler.inertia_from_geoms;
    MjcfGeoms geoms = {.link = carrier->link,
                       .weighed = from_geoms == 2 || (from_geoms == 1 && inertial == NULL)};
    read_geoms(reader, body, carrier->body, carrier->class, &geoms);
    Inertia inertia = geoms.inertia; // link axes
    if (!geoms.weighed && inertial != NULL) {
        read_inertial(reader, inertial, &inertia);
        inertia = inertia_placed(&inertia, carrier->body);
    }
    bound(reader, &inertia);
    link->mass = inertia.mass;
    link->centre = inertia.centre;
    memcpy(link->inertia, inertia.tensor, sizeof link->inertia);
}

static void note_body(MjcfReader *reader, const XmlElement *body, const char *name)
{
    const XmlAttribute *gravcomp = xml_attribute(body, "gravcomp");
    if (gravcomp != NULL && strcmp(gravcomp->value, "0") != 0)
        mjcf_note(reader, STI_WARNING, gravcomp->mark, "left out: gravcomp, of bodies", name);
    for (const XmlElement *child = body->children; child != NULL; child = child->next)
        if (strcmp(child->name, "flexcomp") == 0 || strcmp(child->name, "composite") == 0 ||
            strcmp(child->name, "attach") == 0 || strcmp(child->name, "replicate") == 0)
            mjcf_error(reader, child->mark, "<%s> is not read: expand the model first, with "
                       "MuJoCo's own compiler (mj_saveLastXML)", child->name);
}

// Equalities find bodies and sites by their names.
static void keep_spot(MjcfReader *reader, StiNames *names, const char *name, MjcfSpot spot)
{
    reader->spots[reader->spot_count] = spot;
    sti_names_put(names, reader->base->arena, name, reader->spot_count++);
}

static void read_children(MjcfReader *reader, const XmlElement *parent, StiFrame around,
                          const Carrier *carrier);

static void read_body(MjcfReader *reader, const XmlElement *body, StiFrame around,
                      const Carrier *parent)
{
    const XmlAttribute *named = xml_attribute(body, "name");
    const char *name = named != NULL && named->value[0] != '\0'
                           ? named->value
                           : text_of(reader, "%s%d", "body", reader->body_number);
    ++reader->body_number;
    const MjcfClass *class = mjcf_class(reader, body, "childclass", parent->class);
    const StiFrame at = mjcf_inside(around, mjcf_frame(reader, &(MjcfPlace){body, NULL}));
    const Carrier carrier = add_joints(reader, body, name, parent->link, at, class);
    keep_spot(reader, &reader->body_names, name, (MjcfSpot){carrier.link, carrier.body});
    read_mass(reader, body, &carrier);
    note_body(reader, body, name);
    read_children(reader, body, carrier.body, &carrier);
}

// around: where the parent, or the frame in it, is in the parent's link.
static void read_children(MjcfReader *reader, const XmlElement *parent, StiFrame around,
                          const Carrier *carrier)
{
    for (const XmlElement *child = parent->children; child != NULL; child = child->next) {
        if (strcmp(child->name, "body") == 0) {
            read_body(reader, child, around, carrier);
        } else if (strcmp(child->name, "frame") == 0) {
            Carrier inside = *carrier;
            inside.class = mjcf_class(reader, child, "childclass", carrier->class);
            const StiFrame at = mjcf_frame(reader, &(MjcfPlace){child, NULL});
            read_children(reader, child, mjcf_inside(around, at), &inside);
        } else if (strcmp(child->name, "site") == 0 && xml_attribute(child, "name") != NULL) {
            const MjcfPlace place = mjcf_place(reader, child, carrier->class);
            keep_spot(reader, &reader->site_names, xml_attribute(child, "name")->value,
                      (MjcfSpot){carrier->link, mjcf_inside(around, mjcf_frame(reader, &place))});
        }
    }
}

// ---- room ---------------------------------------------------------------------------------------

// At most one link for each body and each joint.
static int count_links(const XmlElement *element)
{
    int count = 0;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        count += (strcmp(child->name, "body") == 0 || is_joint(child)) + count_links(child);
    return count;
}

static int count_spots(const XmlElement *element)
{
    int count = 0;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        count += (strcmp(child->name, "body") == 0 || strcmp(child->name, "site") == 0) + count_spots(child);
    return count;
}

void mjcf_read_bodies(MjcfReader *reader)
{
    Model *model = reader->model;
    const size_t most = (size_t)count_links(reader->root) + 1;
    model->links = sti_arena_take(reader->base->arena, most, sizeof *model->links);
    model->joints = sti_arena_take(reader->base->arena, most, sizeof *model->joints);
    reader->spots = sti_arena_take(reader->base->arena, (size_t)count_spots(reader->root) + 2,
                                   sizeof *reader->spots);
    if (model->links == NULL || model->joints == NULL || reader->spots == NULL) return;
    keep_spot(reader, &reader->body_names, "world", (MjcfSpot){-1, {.q = STI_QUAT_IDENTITY}});
    const Carrier world = {.link = -1, .body = {.q = STI_QUAT_IDENTITY}, .class = reader->main};
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next) {
        if (strcmp(part->name, "worldbody") != 0) continue;
        const MjcfClass *class = mjcf_class(reader, part, "childclass", world.class);
        MjcfGeoms fixed = {.link = -1};
        read_geoms(reader, part, world.body, class, &fixed);
        read_children(reader, part, world.body, &(Carrier){-1, world.body, class});
    }
    for (int i = 0; i < model->count; ++i)
        sti_names_put(&reader->joint_names, reader->base->arena, model->links[i].joint_name, i);
}
