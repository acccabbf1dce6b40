// Elements of kind fmu: controllers of other tools. The reader opens the archive and settles which variables are meant;
// their outputs become inputs of the network, set once per period by the program that runs the scene.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/fmu_description.h"
#include "read/sections.h"
#include "text/file.h"
#include "text/named_files.h"

const Key scene_fmu_keys[SCENE_FMU_KEYS] = {
    {"kind", VALUE_TEXT, true, "fmu", NULL},
    {"file", VALUE_TEXT, true, "the FMU: FMI 2 or 3 with co-simulation", NULL},
    {"period", VALUE_NUMBER, true, "of its steps, s; a whole number of steps of the scene", NULL},
    {"inputs", VALUE_ANY, false,
     "{VARIABLE: a channel, or an expression of channels and t}: what it sees at the start of each "
     "period",
     NULL},
    {"outputs", VALUE_ANY, true,
     "[VARIABLE, ...] or {NAME: VARIABLE}; others listen to ELEMENT.NAME, from the end of each "
     "period on",
     NULL},
    {"set", VALUE_ANY, false, "{VARIABLE: NUMBER}: parameters, before the start", NULL},
};

typedef struct Reading {
    Reader *reader;
    const Entry *entry;
    FmuDescription description;
    StiSceneFmu fmu;
} Reading;

// ---- variables ----------------------------------------------------------------------------------------------

static bool is_of_type(const char *type, StiFmuType *found)
{
    static const char *const names[] = {"Real", "Float64", "Integer", "Int32", "Boolean"};
    static const StiFmuType types[] = {STI_FMU_REAL, STI_FMU_REAL, STI_FMU_INTEGER, STI_FMU_INTEGER,
                                       STI_FMU_BOOLEAN};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        if (strcmp(type, names[i]) != 0) continue;
        *found = types[i];
        return true;
    }
    return false;
}

static bool unknown_variable(Reading *reading, Mark mark, const char *name, const char *causality)
{
    const FmuDescription *d = &reading->description;
    Reader *reader = reading->reader;
    int count = 0;
    const char **names =
        sti_arena_take(reader->arena, (size_t)d->variable_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < d->variable_count; ++i)
        if (strcmp(d->variables[i].causality, causality) == 0)
            names[count++] = d->variables[i].name;
    const char *near = count > 0 ? scene_nearest(name, names, count) : NULL;
    if (near != NULL)
        scene_error(reader, mark, "%s has no %s '%s'; did you mean '%s'?", reading->fmu.file,
                    causality, name, near);
    else if (count > 0)
        scene_error(reader, mark, "%s has no %s '%s'; the first of its %d is '%s'",
                    reading->fmu.file, causality, name, count, names[0]);
    else
        scene_error(reader, mark, "%s has no %s '%s', and no other either", reading->fmu.file,
                    causality, name);
    return false;
}

static bool find_variable(Reading *reading, Mark mark, const char *name, const char *causality,
                          const FmuVariable **found, StiFmuValue *value)
{
    const FmuDescription *d = &reading->description;
    const FmuVariable *variable = NULL;
    for (int i = 0; i < d->variable_count; ++i)
        if (strcmp(d->variables[i].name, name) == 0) variable = &d->variables[i];
    if (variable == NULL) return unknown_variable(reading, mark, name, causality);
    if (strcmp(variable->causality, causality) != 0) {
        scene_error(reading->reader, mark, "'%s' of %s is no %s: its causality is '%s'", name,
                    reading->fmu.file, causality, variable->causality);
        return false;
    }
    *value = (StiFmuValue){.variable = variable->name, .reference = variable->reference};
    if (variable->array || !is_of_type(variable->type, &value->type)) {
        scene_error(reading->reader, mark,
                    "'%s' of %s is %s %s; single numbers (%s) and truth values can be used", name,
                    reading->fmu.file, variable->array ? "an array of" : "a", variable->type,
                    d->version == 2 ? "Real, Integer" : "Float64, Int32");
        return false;
    }
    *found = variable;
    return true;
}

// ---- what stands under inputs, outputs and set ------------------------------------------------------------------

static StiFmuValue *take_values(Reading *reading, const Node *node)
{
    return sti_arena_take(reading->reader->arena, (size_t)node->count + 1, sizeof(StiFmuValue));
}

static bool is_map(Reading *reading, const Node *node, const char *what)
{
    if (node == NULL || node->type == NODE_MAP) return node != NULL;
    scene_error(reading->reader, node->mark, "%s must be a map, not %s", what,
                scene_node_type(node));
    return false;
}

static void read_inputs(Reading *reading)
{
    const Node *node = scene_node_find(reading->entry->value, "inputs");
    const FmuVariable *variable;
    if (!is_map(reading, node, "inputs")) return;
    StiFmuValue *values = take_values(reading, node);
    reading->fmu.inputs = values;
    for (int i = 0; values != NULL && i < node->count; ++i) {
        StiFmuValue *value = &values[reading->fmu.input_count];
        const Entry *entry = &node->entries[i];
        if (find_variable(reading, entry->mark, entry->key, "input", &variable, value) &&
            scene_text(reading->reader, entry->value, entry->key, &value->from))
            ++reading->fmu.input_count;
    }
}

static bool is_output_name(Reading *reading, Mark mark, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (strspn(name, letters) == strlen(name) && strspn(name, letters + 52) == 0 &&
        name[0] != '\0' && strlen(name) + strlen(reading->fmu.name) < 60)
        return true;
    scene_error(
        reading->reader, mark,
        "'%s' cannot be the name of an output: a name is a letter, then letters, digits and "
        "'_'; write {NAME: VARIABLE}",
        name);
    return false;
}

static void read_output(Reading *reading, Mark mark, const char *name, const char *variable_name,
                        StiFmuValue *value)
{
    char full[128];
    const FmuVariable *variable;
    if (!is_output_name(reading, mark, name) ||
        !find_variable(reading, mark, variable_name, "output", &variable, value))
        return;
    snprintf(full, sizeof full, "%s.%s", reading->fmu.name, name);
    value->to = sti_arena_text(reading->reader->arena, full);
    if (value->to == NULL) return;
    scene_add_outside(reading->reader, value->to, isfinite(variable->start) ? variable->start : 0.0,
                      strlen(variable->unit) <= 15 ? variable->unit : "");
    ++reading->fmu.output_count;
}

static void read_outputs(Reading *reading)
{
    const Node *node = scene_node_find(reading->entry->value, "outputs");
    if (node == NULL) return; // the check of keys says so
    if (node->type == NODE_SCALAR || node->count == 0) {
        scene_error(reading->reader, node->mark, "outputs must be a list or a map of variables");
        return;
    }
    StiFmuValue *values = take_values(reading, node);
    reading->fmu.outputs = values;
    for (int i = 0; values != NULL && i < node->count; ++i) {
        const char *variable;
        const Node *named = node->type == NODE_MAP ? node->entries[i].value : node->items[i];
        if (!scene_text(reading->reader, named, "an entry of outputs", &variable)) continue;
        read_output(reading, named->mark, node->type == NODE_MAP ? node->entries[i].key : variable,
                    variable, &values[reading->fmu.output_count]);
    }
}

static bool is_value_of(Reading *reading, const Entry *entry, StiFmuValue *value)
{
    if (value->type == STI_FMU_BOOLEAN) {
        bool truth = false;
        if (!scene_truth(reading->reader, entry->value, entry->key, &truth)) return false;
        value->value = truth ? 1.0 : 0.0;
        return true;
    }
    if (!scene_number(reading->reader, entry->value, entry->key, &value->value)) return false;
    const bool whole = value->value == round(value->value) && fabs(value->value) <= 2147483647.0;
    if (value->type == STI_FMU_REAL || whole) return true;
    scene_error(reading->reader, entry->value->mark, "%s must be a whole number, not %g",
                entry->key, value->value);
    return false;
}

static void read_sets(Reading *reading)
{
    const Node *node = scene_node_find(reading->entry->value, "set");
    const FmuVariable *variable;
    if (!is_map(reading, node, "set")) return;
    StiFmuValue *values = take_values(reading, node);
    reading->fmu.sets = values;
    for (int i = 0; values != NULL && i < node->count; ++i) {
        StiFmuValue *value = &values[reading->fmu.set_count];
        const Entry *entry = &node->entries[i];
        if (find_variable(reading, entry->mark, entry->key, "parameter", &variable, value) &&
            is_value_of(reading, entry, value))
            ++reading->fmu.set_count;
    }
}

// ---- the file ---------------------------------------------------------------------------------------------------

// It must have a binary that this program can load.
static bool can_be_run(Reading *reading, const Archive *archive, const Node *file)
{
    const FmuDescription *d = &reading->description;
    char binary[600];
    ArchiveMember member;
    if (d->identifier == NULL || d->needs_tool) {
        scene_error(reading->reader, file->mark, "%s has %s: export it for co-simulation",
                    reading->fmu.file,
                    d->identifier == NULL ? "no co-simulation"
                                          : "co-simulation only together with its own tool");
        return false;
    }
    fmu_binary_name(d, binary, sizeof binary);
    if (strchr(d->identifier, '/') == NULL && archive_find(archive, binary, &member)) {
        reading->fmu.binary = sti_arena_text(reading->reader->arena, binary);
        return reading->fmu.binary != NULL;
    }
    scene_error(reading->reader, file->mark, "%s has no binary for this platform: %s is missing",
                reading->fmu.file, binary);
    return false;
}

static bool read_archive(Reading *reading, const Node *file)
{
    enum { MOST_BYTES = 1 << 29 };
    Reader *reader = reading->reader;
    const char *why;
    size_t length;
    Archive archive;
    char *bytes = scene_file_read(reading->fmu.file, MOST_BYTES, &length, &why);
    if (bytes == NULL) {
        scene_error(reader, file->mark, "%s cannot be read: %s", reading->fmu.file, why);
        return false;
    }
    bool good = length <= MOST_BYTES && archive_open(&archive, bytes, length);
    if (!good)
        scene_error(reader, file->mark, "%s is no FMU: it is no ZIP archive that can be read",
                    reading->fmu.file);
    good = good &&
           fmu_describe(&archive, reading->fmu.file, file->mark, reader->arena, reader->messages,
                        &reading->description) &&
           can_be_run(reading, &archive, file);
    free(bytes);
    return good;
}

static bool is_allowed(Reader *reader, const Entry *entry)
{
    if (!reader->fmus)
        scene_error(reader, entry->mark,
                    "'%s' is an FMU, whose state is its own: only 'stiction run' without a grid "
                    "takes scenes that have one",
                    entry->key);
    else if (reader->confine != NULL)
        scene_error(reader, entry->mark,
                    "'%s' is an FMU, machine code of others that nothing confines: it is not run "
                    "under --confine",
                    entry->key);
    return reader->fmus && reader->confine == NULL;
}

static void read_period(Reading *reading)
{
    const Node *node = scene_node_find(reading->entry->value, "period");
    const double step = reading->reader->names.step;
    if (node == NULL || !scene_number(reading->reader, node, "period", &reading->fmu.period))
        return;
    const double steps = reading->fmu.period / step, whole = fmax(1.0, round(steps));
    if (step > 0.0 && !(fabs(steps - whole) <= 1e-6))
        scene_error(reading->reader, node->mark,
                    "period must be a whole number of steps of %g s, for example %g s", step,
                    whole * step);
}

static bool read_fmu(Reader *reader, const Entry *entry, StiSceneFmu *fmu)
{
    Reading reading = {.reader = reader, .entry = entry, .fmu = {.name = entry->key}};
    const Node *file = scene_node_find(entry->value, "file");
    const char *name;
    if (!is_allowed(reader, entry) || file == NULL || !scene_text(reader, file, "file", &name))
        return false;
    reading.fmu.file = scene_file_named(reader, file, name);
    read_period(&reading);
    if (reading.fmu.file == NULL || !read_archive(&reading, file)) return false;
    reading.fmu.version = reading.description.version;
    reading.fmu.identifier = reading.description.identifier;
    reading.fmu.token = reading.description.token;
    read_inputs(&reading);
    read_outputs(&reading);
    read_sets(&reading);
    *fmu = reading.fmu;
    return true;
}

static bool is_fmu(const Entry *entry)
{
    const Node *kind =
        entry->value->type == NODE_MAP ? scene_node_find(entry->value, "kind") : NULL;
    return kind != NULL && kind->type == NODE_SCALAR && strcmp(kind->text, "fmu") == 0;
}

bool scene_misses_fmu_output(Reader *reader, const Node *node, const char *name)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    const char *dot = strchr(name, '.');
    const size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    const Entry *entry = NULL;
    for (int i = 0; elements != NULL && elements->type == NODE_MAP && i < elements->count; ++i)
        if (strncmp(elements->entries[i].key, name, length) == 0 &&
            elements->entries[i].key[length] == '\0' && is_fmu(&elements->entries[i]))
            entry = &elements->entries[i];
    if (entry == NULL) return false;
    int count = 0;
    const char **names =
        sti_arena_take(reader->arena, (size_t)reader->outside_count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < reader->outside_count; ++i)
        if (strncmp(reader->outside[i].name, name, length) == 0 &&
            reader->outside[i].name[length] == '.')
            names[count++] = reader->outside[i].name;
    if (count == 0) return true; // it could not be read
    const char *near = scene_nearest(name, names, count);
    scene_error(reader, node->mark, "'%s' is no output of the FMU '%s'; did you mean '%s'?", name,
                entry->key, near != NULL ? near : names[0]);
    return true;
}

void scene_read_fmus(Reader *reader, StiScene *scene)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    if (elements == NULL || elements->type != NODE_MAP) return;
    StiSceneFmu *fmus = sti_arena_take(reader->arena, (size_t)elements->count + 1, sizeof *fmus);
    scene->fmus = fmus;
    for (int i = 0; fmus != NULL && i < elements->count; ++i) {
        const Entry *entry = &elements->entries[i];
        if (!is_fmu(entry)) continue;
        if (scene->adaptive != NULL)
            scene_error(
                reader, entry->mark,
                "'%s' is an FMU and needs a fixed step: error control cannot repeat its steps",
                entry->key);
        else if (read_fmu(reader, entry, &fmus[scene->fmu_count]))
            ++scene->fmu_count;
    }
}
