// What compile found, with its place in the scene file.
#include <string.h>

#include "sections.h"

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
    if (entry == NULL && strcmp(name, "wire") == 0) entry = scene_node_entry(map, "between");
    if (entry == NULL && strcmp(name, "wire") == 0) entry = scene_node_entry(map, "on");
    return entry;
}

// The map of a component; parts of a compound ("friction.2") belong to it.
static const Node *map_of(const Reader *reader, const char *component)
{
    char name[64];
    for (size_t length = strlen(component); length > 0; --length) {
        if (component[length] != '\0' && component[length] != '.') continue;
        memcpy(name, component, length);
        name[length] = '\0';
        const Body *body = scene_find_body(reader, name);
        const Element *element = scene_find_element(reader, name);
        if (body != NULL) return body->node;
        if (element != NULL) return element->node;
    }
    return NULL;
}

static Mark mark_of(const Reader *reader, const StiFinding *finding)
{
    const Node *map = finding->component[0] != '\0' ? map_of(reader, finding->component) : reader->root;
    const Entry *entry = finding->parameter[0] != '\0' ? entry_of(map, finding->parameter) : NULL;
    if (entry != NULL) return entry->mark;
    return map != NULL ? map->mark : reader->root->mark;
}

void scene_place_findings(Reader *reader, const StiReport *report)
{
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *f = sti_report_finding(report, i);
        const char *dot = f->component[0] != '\0' && f->parameter[0] != '\0' ? "." : "";
        const char *colon = f->component[0] != '\0' || f->parameter[0] != '\0' ? ": " : "";
        scene_message(reader->messages, f->severity, mark_of(reader, f), "%s%s%s%s%s", f->component, dot,
                      f->parameter, colon, f->text);
    }
}
