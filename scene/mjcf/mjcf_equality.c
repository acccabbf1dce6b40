// <equality>: of joints (couplings), connect and weld (loops).
#include <math.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"

// ---- joints -------------------------------------------------------------------------------------

static void read_coupling(MjcfReader *reader, const XmlElement *element)
{
    Model *model = reader->model;
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    const XmlAttribute *first = xml_attribute(element, "joint1"),
                       *second = xml_attribute(element, "joint2");
    ModelCoupling coupling = {.link = first != NULL ? mjcf_find_joint(reader, first->value) : -1,
                              .to = second != NULL ? mjcf_find_joint(reader, second->value) : -1,
                              .factors = {0.0, 1.0}};
    mjcf_numbers(reader, &place, "polycoef", 5, coupling.factors);
    if (first == NULL || coupling.link < 0 || (second != NULL && coupling.to < 0)) {
        mjcf_error(reader, element->mark, "this coupling names a joint that is not there");
        return;
    }
    coupling.name = first->value;
    const ModelJoint *joint =
        &model->joints[coupling.link]; // both count from where the file has them
    const double from = joint->placed ? joint->position[0] : 0.0;
    double of = 0.0;
    if (coupling.to >= 0 && model->joints[coupling.to].placed)
        of = model->joints[coupling.to].position[0];
    coupling.factors[0] += from - coupling.factors[1] * of;
    model->couplings[model->coupling_count++] = coupling;
}

// ---- poses of the file --------------------------------------------------------------------------

static StiFrame joint_frame(const StiLink *link, const ModelJoint *joint)
{
    const double *q = joint->position;
    StiFrame moved = {.q = STI_QUAT_IDENTITY};
    if (!joint->placed) return moved;
    if (link->joint == STI_JOINT_REVOLUTE) moved.q = mjcf_turn(link->axis, q[0]);
    if (link->joint == STI_JOINT_PRISMATIC) moved.p = sti_vec3_scale(q[0], link->axis);
    if (link->joint == STI_JOINT_FLOATING) {
        moved.p = sti_vec3(q[0], q[1], q[2]);
        moved.q = (StiQuat){q[3], q[4], q[5], q[6]};
    }
    return moved;
}

// In the world; parents stand before their children.
static StiFrame *link_frames(const MjcfReader *reader)
{
    const Model *model = reader->model;
    StiFrame *frames =
        sti_arena_take(reader->base->arena, (size_t)model->count + 1, sizeof *frames);
    for (int i = 0; frames != NULL && i < model->count; ++i) {
        const StiLink *link = &model->links[i];
        const StiFrame at = mjcf_inside(link->placement, joint_frame(link, &model->joints[i]));
        frames[i] = link->parent >= 0 ? mjcf_inside(frames[link->parent], at) : at;
    }
    return frames;
}

static StiFrame world_frame(const StiFrame *frames, const MjcfSpot *spot)
{
    return spot->link >= 0 ? mjcf_inside(frames[spot->link], spot->at) : spot->at;
}

// A frame of the world in the axes of a link.
static StiFrame seen_from(const StiFrame *frames, int link, StiFrame world)
{
    if (link < 0) return world;
    const StiFrame *own = &frames[link];
    const StiQuat back = {own->q.w, -own->q.x, -own->q.y, -own->q.z};
    return (StiFrame){.p = sti_quat_rotate(back, sti_vec3_sub(world.p, own->p)),
                      .q = sti_quat_multiply(back, world.q)};
}

// ---- connect and weld ---------------------------------------------------------------------------

// 0: the element has no such attribute; -1 after an error.
static int find_spot(MjcfReader *reader, const XmlElement *element, const char *attribute,
                     const StiNames *names, MjcfSpot *spot)
{
    const XmlAttribute *name = xml_attribute(element, attribute);
    if (name == NULL) return 0;
    const int number = sti_names_find(names, name->value);
    if (number < 0) {
        mjcf_error(reader, name->mark, "there is no %s '%.60s'",
                   names == &reader->site_names ? "site" : "body", name->value);
        return -1;
    }
    *spot = reader->spots[number];
    return 1;
}

// The second body is held where it is in the file, at the anchor in axes of the first.
static void join_bodies(MjcfReader *reader, const MjcfPlace *place, const StiFrame *frames,
                        const MjcfSpot spots[2], ModelLoop *loop)
{
    double p[3] = {0.0}, pose[7] = {0.0};
    mjcf_numbers(reader, place, "anchor", 3, p);
    const bool posed = loop->fixed && mjcf_numbers(reader, place, "relpose", 7, pose) == 7 &&
                       fabs(pose[3]) + fabs(pose[4]) + fabs(pose[5]) + fabs(pose[6]) > 0.0;
    const StiFrame anchor = {.p = sti_vec3(p[0], p[1], p[2]), .q = STI_QUAT_IDENTITY};
    if (posed) { // the second body in axes of the first
        const StiFrame second = {.p = sti_vec3(pose[0], pose[1], pose[2]),
                                 .q = sti_quat_normalise(
                                     (StiQuat){pose[3], pose[4], pose[5], pose[6]})};
        loop->at_a = mjcf_inside(spots[0].at, second);
        loop->at_b = spots[1].at;
        return;
    }
    loop->at_a =
        mjcf_inside(spots[0].at, loop->fixed ? (StiFrame){.q = STI_QUAT_IDENTITY} : anchor);
    const MjcfSpot here = {loop->a, loop->at_a};
    loop->at_b = seen_from(frames, loop->b, world_frame(frames, &here));
}

// A free body that is welded to another place than that of the file starts there.
static void place_welded(const MjcfReader *reader, const StiFrame *frames, const ModelLoop *loop)
{
    if (!loop->fixed || loop->b < 0 || reader->model->links[loop->b].joint != STI_JOINT_FLOATING)
        return;
    const MjcfSpot held = {loop->a, loop->at_a};
    const StiFrame none = {.q = STI_QUAT_IDENTITY};
    const StiFrame back = seen_from(&loop->at_b, 0, none); // the link in axes of the frame on it
    const StiFrame at = mjcf_inside(world_frame(frames, &held), back);
    ModelJoint *joint = &reader->model->joints[loop->b];
    joint->placed = true;
    memcpy(joint->position, (double[7]){at.p.x, at.p.y, at.p.z, at.q.w, at.q.x, at.q.y, at.q.z},
           sizeof joint->position);
}

static void add_loop(MjcfReader *reader, const XmlElement *element, ModelLoop *loop)
{
    Model *model = reader->model;
    const XmlAttribute *name = xml_attribute(element, "name");
    loop->name = name != NULL && name->value[0] != '\0' ? name->value : element->name;
    if (loop->a < 0) { // the world stands second
        *loop = (ModelLoop){.name = loop->name,
                            .fixed = loop->fixed,
                            .a = loop->b,
                            .b = loop->a,
                            .at_a = loop->at_b,
                            .at_b = loop->at_a};
    }
    if (loop->a == loop->b)
        mjcf_note(reader, STI_WARNING, element->mark,
                  "left out: equalities between parts of one body", loop->name);
    else
        model->loops[model->loop_count++] = *loop;
}

static void read_loop(MjcfReader *reader, const XmlElement *element, const StiFrame *frames)
{
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    ModelLoop loop = {.fixed = strcmp(element->name, "weld") == 0};
    MjcfSpot spots[2] = {{-1, {.q = STI_QUAT_IDENTITY}}, {-1, {.q = STI_QUAT_IDENTITY}}};
    const bool sites = xml_attribute(element, "site1") != NULL;
    const StiNames *names = sites ? &reader->site_names : &reader->body_names;
    const int first = find_spot(reader, element, sites ? "site1" : "body1", names, &spots[0]);
    const int second = find_spot(reader, element, sites ? "site2" : "body2", names, &spots[1]);
    if (first < 0 || second < 0) return;
    if (first == 0 || (sites && second == 0)) {
        mjcf_error(reader, element->mark, "<%s> needs %s", element->name,
                   sites ? "site1 and site2" : "body1");
        return;
    }
    loop.a = spots[0].link;
    loop.b = spots[1].link;
    loop.at_a = spots[0].at;
    loop.at_b = spots[1].at;
    if (!sites) join_bodies(reader, &place, frames, spots, &loop);
    place_welded(reader, frames, &loop);
    add_loop(reader, element, &loop);
}

// ---- all of them --------------------------------------------------------------------------------

static void read_equality(MjcfReader *reader, const XmlElement *element, const StiFrame *frames)
{
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    if (mjcf_is(&place, "active", "false"))
        mjcf_note(reader, STI_NOTE, element->mark, "left out: equalities that are not active",
                  element->name);
    else if (strcmp(element->name, "joint") == 0)
        read_coupling(reader, element);
    else if (strcmp(element->name, "connect") == 0 || strcmp(element->name, "weld") == 0)
        read_loop(reader, element, frames);
    else
        mjcf_note(reader, STI_WARNING, element->mark,
                  "left out: equalities other than of joints, connect and weld", element->name);
}

void mjcf_read_equalities(MjcfReader *reader)
{
    Model *model = reader->model;
    size_t count = 1;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next)
            count += strcmp(part->name, "equality") == 0;
    model->couplings = sti_arena_take(reader->base->arena, count, sizeof *model->couplings);
    model->loops = sti_arena_take(reader->base->arena, count, sizeof *model->loops);
    const StiFrame *frames = link_frames(reader);
    if (model->couplings == NULL || model->loops == NULL || frames == NULL) return;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next)
            if (strcmp(part->name, "equality") == 0) read_equality(reader, child, frames);
}
