#include "foreign/fmu_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_at(const XmlElement *element, const char *name)
{
    const XmlAttribute *attribute = element != NULL ? xml_attribute(element, name) : NULL;
    return attribute != NULL ? attribute->value : NULL;
}

static bool is_true(const char *text)
{
    return text != NULL && (strcmp(text, "true") == 0 || strcmp(text, "1") == 0);
}

static const XmlElement *child_named(const XmlElement *parent, const char *name)
{
    for (const XmlElement *child = parent->children; child != NULL; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

// FMI 2 has the type as an element inside; FMI 3 is the type's element itself.
static void read_variable(const XmlElement *element, int version, FmuVariable *variable)
{
    static const char *const types[] = {"Real", "Integer", "Boolean", "String", "Enumeration"};
    const XmlElement *typed = element;
    const char *reference = text_at(element, "valueReference");
    for (size_t i = 0; version == 2 && i < sizeof types / sizeof types[0]; ++i) {
        const XmlElement *inside = child_named(element, types[i]);
        if (inside != NULL) typed = inside;
    }
    const char *start = text_at(typed, "start"), *causality = text_at(element, "causality"),
               *unit = text_at(typed, "unit");
    *variable = (FmuVariable){.name = text_at(element, "name"),
                              .causality = causality != NULL ? causality : "local",
                              .unit = unit != NULL ? unit : "",
                              .type = typed->name,
                              .array = child_named(element, "Dimension") != NULL};
    if (reference != NULL) variable->reference = (uint32_t)strtoul(reference, NULL, 10);
    if (start != NULL) variable->start = strcmp(start, "true") == 0 ? 1.0 : strtod(start, NULL);
}

static bool read_variables(const XmlElement *list, StiArena *arena, FmuDescription *description)
{
    int count = 0;
    for (const XmlElement *child = list->children; child != NULL; child = child->next) ++count;
    description->variables =
        sti_arena_take(arena, (size_t)count + 1, sizeof *description->variables);
    if (description->variables == NULL) return false;
    for (const XmlElement *child = list->children; child != NULL; child = child->next) {
        FmuVariable *variable = &description->variables[description->variable_count];
        read_variable(child, description->version, variable);
        if (variable->name != NULL) ++description->variable_count;
    }
    return true;
}

static bool read_root(const XmlElement *root, const char *file, Mark mark, StiArena *arena,
                      StiMessages *messages, FmuDescription *description)
{
    const char *version = text_at(root, "fmiVersion");
    const XmlElement *stepping = child_named(root, "CoSimulation"),
                     *variables = child_named(root, "ModelVariables");
    if (version == NULL || strcmp(root->name, "fmiModelDescription") != 0 || variables == NULL) {
        scene_message(messages, STI_ERROR, mark, "%s: its modelDescription.xml describes no FMU",
                      file);
        return false;
    }
    description->version = version[0] == '2' ? 2 : version[0] == '3' ? 3 : 0;
    if (description->version == 0 || version[1] != '.') {
        scene_message(messages, STI_ERROR, mark, "%s is of FMI %s; FMI 2.0 and 3.0 can be used",
                      file, version);
        return false;
    }
    description->token = text_at(root, description->version == 2 ? "guid" : "instantiationToken");
    description->identifier = text_at(stepping, "modelIdentifier");
    description->needs_tool = is_true(text_at(stepping, "needsExecutionTool"));
    if (description->token == NULL) description->token = "";
    return read_variables(variables, arena, description);
}

bool fmu_describe(const Archive *archive, const char *file, Mark mark, StiArena *arena,
                  StiMessages *messages, FmuDescription *description)
{
    char inside[600];
    ArchiveMember member;
    *description = (FmuDescription){0};
    char *text =
        archive_find(archive, "modelDescription.xml", &member) ? archive_content(&member) : NULL;
    if (text == NULL) {
        scene_message(messages, STI_ERROR, mark,
                      "%s is no FMU: it holds no modelDescription.xml that can be read", file);
        return false;
    }
    snprintf(inside, sizeof inside, "%s/modelDescription.xml", file);
    const XmlElement *root =
        xml_read(text, member.size, sti_arena_text(arena, inside), arena, messages);
    free(text);
    return root != NULL && read_root(root, file, mark, arena, messages, description);
}

void fmu_binary_name(const FmuDescription *description, char *name, size_t size)
{
#if defined(__linux__) && defined(__x86_64__)
    const char *platform = description->version == 2 ? "linux64" : "x86_64-linux";
#elif defined(__linux__) && defined(__aarch64__)
    const char *platform = "aarch64-linux";
#else
    const char *platform = "other"; // nothing is loaded there
#endif
    snprintf(name, size, "binaries/%s/%s.so", platform, description->identifier);
}
