// Everything that has a pose, and where it is: poses are given in other frames.
#include <string.h>

#include "sdf/sdf_reader.h"

bool sdf_is(const SdfFrame *frame, const char *element)
{
    return strcmp(frame->element->name, element) == 0;
}

static bool has_pose(const XmlElement *element)
{
    return strcmp(element->name, "link") == 0 || strcmp(element->name, "joint") == 0 ||
           strcmp(element->name, "frame") == 0 || strcmp(element->name, "model") == 0;
}

static const char *full_name(const SdfReader *reader, int scope, const char *name)
{
    const char *outer = scope >= 0 ? reader->frames[scope].name : "";
    char *text = sti_arena_take(reader->base->arena, strlen(outer) + strlen(name) + 3, 1);
    if (text == NULL) return "";
    strcpy(text, outer);
    if (outer[0] != '\0') strcat(text, "::");
    return strcat(text, name);
}

// Of a joint the child link, of a <frame> what it is attached to, unless <pose relative_to> says more.
static const char *attached_to(const XmlElement *element)
{
    const XmlElement *pose = sdf_child(element, "pose");
    const XmlAttribute *relative = pose != NULL ? xml_attribute(pose, "relative_to") : NULL;
    const XmlAttribute *attached = xml_attribute(element, "attached_to");
    if (relative != NULL && relative->value[0] != '\0') return relative->value;
    if (strcmp(element->name, "joint") == 0) {
        const char *child = sdf_text(element, "child");
        return child != NULL ? child : "";
    }
    return attached != NULL ? attached->value : "";
}

static int count_frames(const XmlElement *element)
{
    int count = 0;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        count += has_pose(child) + count_frames(child);
    return count;
}

static void collect(SdfReader *reader, const XmlElement *parent, int scope)
{
    for (const XmlElement *child = parent->children; child != NULL; child = child->next) {
        if (strcmp(child->name, "world") == 0) collect(reader, child, -1);
        if (!has_pose(child)) continue;
        const XmlAttribute *name = xml_attribute(child, "name");
        const int number = reader->frame_count++;
        if (name == NULL || name->value[0] == '\0')
            sdf_error(reader, child->mark, "<%s> needs a name", child->name);
        reader->frames[number] =
            (SdfFrame){.name = full_name(reader, scope, name != NULL ? name->value : ""),
                       .element = child,
                       .attached = attached_to(child),
                       .scope = scope,
                       .pose = sdf_pose(reader, child)};
        reader->link_of[number] = -1;
        const char *key = reader->frames[number].name;
        if (sti_names_put(&reader->names, reader->base->arena, key, number) != number)
            sdf_error(reader, child->mark, "there is a '%.60s' already: names must be unique", key);
        if (strcmp(child->name, "model") == 0) collect(reader, child, number);
    }
}

void sdf_find_frames(SdfReader *reader, const XmlElement *root)
{
    const size_t count = (size_t)count_frames(root) + 1;
    reader->frames = sti_arena_take(reader->base->arena, count, sizeof *reader->frames);
    reader->link_of = sti_arena_take(reader->base->arena, count, sizeof *reader->link_of);
    if (reader->frames == NULL || reader->link_of == NULL) return;
    collect(reader, root, -1);
}

int sdf_find(const SdfReader *reader, int scope, const char *name)
{
    if (strcmp(name, "__model__") == 0) return scope;
    return sti_names_find(&reader->names, full_name(reader, scope, name));
}

// A chain of frames as long as there are frames is followed without recursion: each keeps who asked.
StiFrame sdf_resolve(SdfReader *reader, int frame)
{
    static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};
    int *way = sti_arena_take(reader->base->arena, (size_t)reader->frame_count + 1, sizeof *way);
    int length = 0, at = frame;
    if (way == NULL) return world;
    while (at >= 0 && reader->frames[at].state == 0) {
        SdfFrame *here = &reader->frames[at];
        here->state = 1;
        way[length++] = at;
        const bool plain = here->attached[0] == '\0' || strcmp(here->attached, "world") == 0;
        const int next = plain ? here->scope : sdf_find(reader, here->scope, here->attached);
        if (!plain && next < 0 && strcmp(here->attached, "__model__") != 0)
            sdf_error(reader, here->element->mark, "there is no frame '%.60s'", here->attached);
        at = next;
    }
    if (at >= 0 && reader->frames[at].state == 1)
        sdf_error(reader, reader->frames[at].element->mark, "poses go round in a circle");
    StiFrame outer = at >= 0 && reader->frames[at].state == 2 ? reader->frames[at].at : world;
    while (length-- > 0) {
        SdfFrame *here = &reader->frames[way[length]];
        outer = here->at = sdf_inside(outer, here->pose);
        here->state = 2;
    }
    return frame >= 0 ? reader->frames[frame].at : world;
}
