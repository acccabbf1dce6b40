// What compile found, with its place in the scene file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/sections.h"

// The entry under a key, or under the key that the scene uses in its place.
static const Entry *entry_of(const Node *map, const char *parameter)
{
    char key[64];
    const size_t length = strcspn(parameter, "[");
    if (map == NULL || map->type != NODE_MAP || length >= sizeof key) return NULL;
    memcpy(key, parameter, length);
    key[length] = '\0';
    const char *dot = strrchr(key, '.'); // "2.level" of a compound
    const char *name = dot != NULL ? dot + 1 : key;
    const Entry *entry = scene_node_entry(map, name);
    if (entry == NULL && strcmp(name, "level") == 0) entry = scene_node_entry(map, "mu");
    if (entry == NULL && strcmp(name, "static") == 0) entry = scene_node_entry(map, "mu_static");
    if (entry == NULL && strcmp(name, "inertia") == 0) entry = scene_node_entry(map, "shape");
    if (entry == NULL && strcmp(name, "wire") == 0) entry = scene_node_entry(map, "between");
    if (entry == NULL && strcmp(name, "wire") == 0) entry = scene_node_entry(map, "on");
    if (entry == NULL && strcmp(name, "signal") == 0) entry = scene_node_entry(map, "load");
    return entry;
}

static const Entry *entry_in(const Reader *reader, const char *section, const char *name)
{
    return scene_node_entry(scene_node_find(reader->root, section), name);
}

// A component of the scene; parts of a compound ("friction.2") belong to it.
typedef struct Owner {
    const Entry *entry; // NULL: the scene itself
    size_t length;      // of its name
} Owner;

static Owner owner_of(const Reader *reader, const char *component)
{
    char name[64];
    for (size_t length = strlen(component); length > 0; --length) {
        if (component[length] != '\0' && component[length] != '.') continue;
        memcpy(name, component, length);
        name[length] = '\0';
        const Element *element = scene_find_element(reader, name);
        const Entry *entry = element != NULL ? entry_in(reader, "elements", element->entry) : NULL;
        if (entry == NULL) entry = entry_in(reader, "bodies", name);
        if (entry == NULL) entry = entry_in(reader, "inputs", name);
        if (entry != NULL) return (Owner){entry, length};
    }
    return (Owner){NULL, strlen(component)};
}

// What is missing or unconnected may be so because it could not be read.
static bool stands_alone(const StiFinding *finding)
{
    return finding->severity == STI_ERROR && finding->component[0] != '\0' &&
           finding->parameter[0] != '\0' && strcmp(finding->parameter, "signal") != 0;
}

// The parameter as the scene has it: "level" may be called "mu", and a number that goes to all parts of a
// compound is wrong once, not in "0.level", "1.level" and so on.
static const char *shown_parameter(const StiFinding *f, const Entry *key)
{
    const char *dot = strrchr(f->parameter, '.');
    if (key == NULL || key->value->type != NODE_SCALAR) return f->parameter;
    const char *name = dot != NULL ? dot + 1 : f->parameter;
    return strncmp(key->key, "mu", 2) == 0 ? key->key : name;
}

static void place(Reader *reader, const StiFinding *f)
{
    const Owner owner = owner_of(reader, f->component);
    const Node *map = owner.entry != NULL       ? owner.entry->value
                      : f->component[0] == '\0' ? reader->root
                                                : NULL;
    const Entry *key = f->parameter[0] != '\0' ? entry_of(map, f->parameter) : NULL;
    const char *parameter = shown_parameter(f, key);
    const size_t length = parameter != f->parameter ? owner.length : strlen(f->component);
    const char *dot = length > 0 && parameter[0] != '\0' ? "." : "";
    const char *colon = length > 0 || parameter[0] != '\0' ? ": " : "";
    char value[40] = "";
    if (!isnan(f->value) && owner.entry != NULL && strcmp(parameter, "signal") != 0 &&
        strcmp(parameter, "wire") != 0)
        snprintf(value, sizeof value, " = %g", f->value);
    const Mark mark = key != NULL           ? key->mark
                      : owner.entry != NULL ? owner.entry->mark
                                            : reader->root->mark;
    scene_message(reader->messages, f->severity, mark, "%.*s%s%s%s%s%s", (int)length, f->component,
                  dot, parameter, value, colon, f->text);
}

void scene_place_findings(Reader *reader, const StiReport *report, bool whole)
{
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *f = sti_report_finding(report, i);
        if (whole || stands_alone(f)) place(reader, f);
    }
}
