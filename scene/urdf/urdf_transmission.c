// <transmission>: the rotor of a motor behind a gear is an armature of the joint, n^2 J.
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "text/number.h"
#include "urdf/urdf_reader.h"

// A number as value="..." or as text; false: there is none.
static bool number_of(const XmlElement *element, double *value)
{
    const XmlAttribute *attribute = xml_attribute(element, "value");
    const char *text = attribute != NULL ? attribute->value : element->text;
    return text != NULL && scene_number_read(text, strlen(text), value) && isfinite(*value);
}

typedef struct Transmission {
    int joints;                             // that it names
    const char *joint;                      // the first of them
    double ratio, reduction, rotor_inertia; // NAN: not said
} Transmission;

// Names with and without the prefix of the programs that read them.
static void look_into(const XmlElement *element, Transmission *t)
{
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        const char *colon = strchr(child->name, ':');
        const char *name = colon != NULL ? colon + 1 : child->name;
        if (strcmp(name, "joint") == 0 && xml_attribute(child, "name") != NULL && t->joints++ == 0)
            t->joint = xml_attribute(child, "name")->value;
        if (strcmp(name, "gear_ratio") == 0) number_of(child, &t->ratio);
        if (strcmp(name, "mechanicalReduction") == 0) number_of(child, &t->reduction);
        if (strcmp(name, "rotor_inertia") == 0) number_of(child, &t->rotor_inertia);
        look_into(child, t);
    }
}

static void read_transmission(UrdfReader *reader, const XmlElement *element, const StiNames *joints)
{
    Transmission t = {.ratio = NAN, .reduction = NAN, .rotor_inertia = NAN};
    look_into(element, &t);
    const int number = t.joint != NULL ? sti_names_find(joints, t.joint) : -1;
    const double ratio = isfinite(t.ratio) ? t.ratio : isfinite(t.reduction) ? t.reduction : 1.0;
    const char *name = t.joint != NULL ? t.joint : "transmission";
    UrdfJoint *joint = number >= 0 ? &reader->joints[number] : NULL;
    const bool turns =
        joint != NULL && (joint->type == STI_JOINT_REVOLUTE || joint->type == STI_JOINT_PRISMATIC);
    if (!(t.rotor_inertia > 0.0)) {
        urdf_gather(reader, STI_NOTE, element->mark,
                    "left out: transmissions that say nothing about inertia, of joints", name);
    } else if (!turns || t.joints != 1) {
        urdf_gather(reader, STI_WARNING, element->mark,
                    "left out: transmissions of several joints, or of none that moves", name);
    } else if (joint->armature > 0.0) {
        urdf_gather(reader, STI_NOTE, element->mark,
                    "left out: rotor inertias of transmissions where <dynamics> has an armature",
                    name);
    } else {
        joint->armature = ratio * ratio * t.rotor_inertia;
        urdf_gather(reader, STI_NOTE, element->mark,
                    "read: rotor inertias behind gears of transmissions as armatures of joints",
                    name);
    }
}

void urdf_read_transmissions(UrdfReader *reader)
{
    StiNames joints = {0};
    for (int i = 0; i < reader->joint_count; ++i)
        if (reader->joints[i].name != NULL)
            sti_names_put(&joints, &reader->scratch, reader->joints[i].name, i);
    for (const XmlElement *child = reader->robot->children; child != NULL; child = child->next)
        if (strcmp(child->name, "transmission") == 0) read_transmission(reader, child, &joints);
}
