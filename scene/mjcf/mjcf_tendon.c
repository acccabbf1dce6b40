// <tendon>: fixed ones whose joints follow one of them by equalities are as long as that joint says.
#include <string.h>

#include "mjcf/mjcf_reader.h"

// The equality by which a joint follows another, as import keeps it; NULL: it moves on its own.
static const ModelCoupling *follows(const Model *model, int link)
{
    for (int i = 0; i < model->coupling_count; ++i) {
        const ModelCoupling *coupling = &model->couplings[i];
        const double *f = coupling->factors;
        if (coupling->link != link) continue;
        const bool line = f[1] != 0.0 && f[2] == 0.0 && f[3] == 0.0 && f[4] == 0.0;
        return line && coupling->to >= 0 && coupling->to != link ? coupling : NULL;
    }
    return NULL;
}

// q of the joint = slope q of the joint that leads it + offset; which that is.
static int leader_of(const Model *model, int link, double *slope, double *offset)
{
    *slope = 1.0;
    *offset = 0.0;
    for (int steps = 0; steps <= model->coupling_count; ++steps) {
        const ModelCoupling *coupling = follows(model, link);
        if (coupling == NULL) return link;
        *offset += *slope * coupling->factors[0];
        *slope *= coupling->factors[1];
        link = coupling->to;
    }
    return -1; // they follow each other in a circle
}

// Adds coef q of a joint; false where it moves on its own.
static bool add_joint(MjcfReader *reader, const XmlElement *element, MjcfTendon *tendon, bool first)
{
    const MjcfPlace place = {element, NULL};
    const XmlAttribute *name = xml_attribute(element, "joint");
    const int link = name != NULL ? mjcf_find_joint(reader, name->value) : -1;
    const double coefficient = mjcf_number(reader, &place, "coef", 1.0);
    double slope, offset;
    if (link < 0) {
        mjcf_error(reader, element->mark, "this tendon names a joint that is not there");
        return false;
    }
    const int leader = leader_of(reader->model, link, &slope, &offset);
    if (first) tendon->link = leader;
    tendon->slope += coefficient * slope;
    tendon->offset += coefficient * offset;
    return leader >= 0 && leader == tendon->link;
}

static void read_fixed(MjcfReader *reader, const XmlElement *element, MjcfTendon *tendon)
{
    static const char *const acts[] = {"stiffness", "damping", "frictionloss", "range"};
    bool good = true, first = true;
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        if (strcmp(child->name, "joint") != 0) continue;
        good = add_joint(reader, child, tendon, first) && good;
        first = false;
    }
    const MjcfPlace place = mjcf_place(reader, element, reader->main);
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; ++i)
        if (mjcf_value(&place, acts[i]) != NULL)
            mjcf_note(reader, STI_WARNING, element->mark,
                      "left out: stiffness, damping, frictionloss and range of tendons", acts[i]);
    const XmlAttribute *name = xml_attribute(element, "name");
    if (good && !first && tendon->slope != 0.0) {
        mjcf_note(reader, STI_NOTE, element->mark,
                  "read: fixed tendons as the joint that leads their joints",
                  name != NULL ? name->value : "tendon");
        return;
    }
    tendon->link = -1;
    mjcf_note(reader, STI_WARNING, element->mark,
              "left out: tendons whose joints do not follow one of them",
              name != NULL ? name->value : "tendon");
}

void mjcf_read_tendons(MjcfReader *reader)
{
    size_t count = 1;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next)
            count += strcmp(part->name, "tendon") == 0;
    reader->tendons = sti_arena_take(reader->base->arena, count, sizeof *reader->tendons);
    if (reader->tendons == NULL) return;
    int number = 0;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *child = part->children; child != NULL; child = child->next) {
            if (strcmp(part->name, "tendon") != 0) continue;
            const XmlAttribute *name = xml_attribute(child, "name");
            MjcfTendon *tendon = &reader->tendons[number];
            *tendon = (MjcfTendon){.link = -1};
            if (strcmp(child->name, "fixed") == 0)
                read_fixed(reader, child, tendon);
            else
                mjcf_note(reader, STI_WARNING, child->mark,
                          "left out: tendons other than fixed ones", child->name);
            if (name != NULL)
                sti_names_put(&reader->tendon_names, reader->base->arena, name->value, number);
            ++number;
        }
}
