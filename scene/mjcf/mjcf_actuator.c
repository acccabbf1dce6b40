// <actuator>: motors, positions, velocities and affine ones on hinges and slides become drives.
#include <string.h>

#include "mjcf/mjcf_reader.h"

int mjcf_find_joint(const MjcfReader *reader, const char *name)
{
    return sti_names_find(&reader->joint_names, name);
}

static bool has_axis(const StiLink *link)
{
    return link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC;
}

// ---- gains --------------------------------------------------------------------------------------

static bool general_gains(MjcfReader *reader, const MjcfPlace *place, StiActuator *drive)
{
    double gain[3] = {1.0, 0.0, 0.0}, bias[3] = {0.0};
    mjcf_numbers(reader, place, "gainprm", 3, gain);
    mjcf_numbers(reader, place, "biasprm", 3, bias);
    const bool affine = mjcf_is(place, "biastype", "affine");
    const bool plain = mjcf_value(place, "biastype") == NULL || mjcf_is(place, "biastype", "none");
    const bool fixed = mjcf_value(place, "gaintype") == NULL || mjcf_is(place, "gaintype", "fixed");
    drive->gain = gain[0];
    if (affine) {
        drive->offset = bias[0];
        drive->K = -bias[1];
        drive->B = -bias[2];
    }
    return (affine || plain) && fixed && drive->K >= 0.0 && drive->B >= 0.0;
}

static bool read_gains(MjcfReader *reader, const MjcfPlace *place, ModelDrive *to)
{
    StiActuator *drive = &to->drive;
    const char *kind = place->element->name;
    if (strcmp(kind, "general") == 0) return general_gains(reader, place, drive);
    if (strcmp(kind, "motor") == 0) return true;
    if (strcmp(kind, "position") == 0) {
        drive->gain = drive->K = mjcf_number(reader, place, "kp", 1.0);
        drive->B = mjcf_number(reader, place, "kv", 0.0);
        to->damping_ratio = mjcf_number(reader, place, "dampratio", 0.0);
        return drive->K >= 0.0 && drive->B >= 0.0;
    }
    if (strcmp(kind, "velocity") == 0) {
        drive->gain = drive->B = mjcf_number(reader, place, "kv", 1.0);
        return drive->B >= 0.0;
    }
    return false;
}

static void read_limits(MjcfReader *reader, const MjcfPlace *place, ModelDrive *to)
{
    double range[2];
    if (mjcf_limited(reader, place, "forcelimited", "forcerange", range)) {
        to->drive.lower = range[0];
        to->drive.upper = range[1];
    }
    to->ranged = mjcf_limited(reader, place, "ctrllimited", "ctrlrange", range);
    if (to->ranged) {
        to->least = range[0];
        to->most = range[1];
    }
}

// ---- actuators ----------------------------------------------------------------------------------

static void leave_out(const MjcfReader *reader, const MjcfPlace *place, const char *name)
{
    mjcf_note(reader, STI_WARNING, place->element->mark,
              "left out: actuators on sites, on tendons whose joints do not follow one, on joints of several "
              "axes, muscles, and gains that are not fixed or affine",
              name);
}

// On a fixed tendon whose joints follow one: as on that joint, with the tendon's slope as a gear. Force
// gain u - K (gear length) + offset: what the length is at q = 0 goes into the offset.
static void put_on_tendon(const MjcfTendon *tendon, ModelDrive *to)
{
    to->drive.offset -= to->drive.K * to->drive.gear * tendon->offset;
    to->drive.gear *= tendon->slope;
}

static const MjcfTendon *tendon_of(const MjcfReader *reader, const XmlElement *element)
{
    const XmlAttribute *name = xml_attribute(element, "tendon");
    const int number = name != NULL ? sti_names_find(&reader->tendon_names, name->value) : -1;
    return number >= 0 && reader->tendons[number].link >= 0 ? &reader->tendons[number] : NULL;
}

static void read_actuator(MjcfReader *reader, const XmlElement *element)
{
    Model *model = reader->model;
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    const XmlAttribute *named = xml_attribute(element, "name");
    const XmlAttribute *joint = xml_attribute(element, "joint");
    if (joint == NULL) joint = xml_attribute(element, "jointinparent");
    const MjcfTendon *tendon = joint == NULL ? tendon_of(reader, element) : NULL;
    const int link = tendon != NULL  ? tendon->link
                     : joint != NULL ? mjcf_find_joint(reader, joint->value)
                                     : -1;
    const char *name = named != NULL ? named->value : joint != NULL ? joint->value : element->name;
    ModelDrive drive = {.name = name, .link = link, .drive = {.gain = 1.0}};
    drive.drive.gear = mjcf_number(reader, &place, "gear", 1.0);
    if (joint != NULL && link < 0) {
        mjcf_error(reader, joint->mark, "there is no joint '%.60s'", joint->value);
        return;
    }
    if (link < 0 || !has_axis(&model->links[link]) || !read_gains(reader, &place, &drive)) {
        leave_out(reader, &place, name);
        return;
    }
    const XmlAttribute *dynamics = mjcf_value(&place, "dyntype");
    if (dynamics != NULL && strcmp(dynamics->value, "none") != 0)
        mjcf_note(reader, STI_WARNING, element->mark, "left out: activation dynamics of actuators",
                  name);
    read_limits(reader, &place, &drive);
    if (tendon != NULL) put_on_tendon(tendon, &drive);
    model->drives[model->drive_count++] = drive;
}

// The limit of all drives of a joint together: it is put on the first. drives: by their joints.
static void limit_by_joint(MjcfReader *reader, const XmlElement *element, const MjcfClass *class,
                           const StiNames *drives)
{
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        const MjcfClass *inner = mjcf_class(reader, child, "childclass", class);
        limit_by_joint(reader, child, inner, drives);
        const XmlAttribute *name = xml_attribute(child, "name");
        if (strcmp(child->name, "joint") != 0 || name == NULL) continue;
        const MjcfPlace place = mjcf_place(reader, child, class);
        double range[2];
        if (!mjcf_limited(reader, &place, "actuatorfrclimited", "actuatorfrcrange", range)) continue;
        const int number = sti_names_find(drives, name->value);
        ModelDrive *drive = number >= 0 ? &reader->model->drives[number] : NULL;
        if (drive == NULL || drive->drive.gear == 0.0) continue;
        if (drive->drive.lower != 0.0 || drive->drive.upper != 0.0) continue;
        const double gear = drive->drive.gear;
        drive->drive.lower = (gear > 0.0 ? range[0] : range[1]) / gear;
        drive->drive.upper = (gear > 0.0 ? range[1] : range[0]) / gear;
    }
}

void mjcf_read_actuators(MjcfReader *reader)
{
    Model *model = reader->model;
    size_t count = 1;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next)
            count += strcmp(part->name, "actuator") == 0;
    model->drives = sti_arena_take(reader->base->arena, count, sizeof *model->drives);
    if (model->drives == NULL) return;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next)
            if (strcmp(part->name, "actuator") == 0) read_actuator(reader, child);
    StiNames drives = {0};
    for (int i = 0; i < model->drive_count; ++i)
        sti_names_put(&drives, reader->base->arena, model->links[model->drives[i].link].joint_name, i);
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        if (strcmp(part->name, "worldbody") == 0)
            limit_by_joint(reader, part, reader->main, &drives);
}
