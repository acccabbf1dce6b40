// MJCF, the format of MuJoCo: compiler, classes, options, keyframes; what is not used is named.
#include <math.h>
#include <string.h>

#include "mjcf/mjcf_reader.h"

// ---- compiler -----------------------------------------------------------------------------------

static void read_one_compiler(MjcfReader *reader, const MjcfPlace *place)
{
    MjcfCompiler *compiler = &reader->compiler;
    const XmlAttribute *sequence = mjcf_value(place, "eulerseq");
    const XmlAttribute *from_geoms = mjcf_value(place, "inertiafromgeom");
    if (mjcf_value(place, "angle") != NULL) compiler->degrees = !mjcf_is(place, "angle", "radian");
    if (mjcf_value(place, "autolimits") != NULL)
        compiler->auto_limits = !mjcf_is(place, "autolimits", "false");
    if (sequence != NULL && strlen(sequence->value) == 3)
        memcpy(compiler->sequence, sequence->value, 4);
    if (from_geoms != NULL)
        compiler->inertia_from_geoms = strcmp(from_geoms->value, "true") == 0    ? 2
                                       : strcmp(from_geoms->value, "false") == 0 ? 0
                                                                                 : 1;
    const XmlAttribute *meshes = mjcf_value(place, "meshdir");
    if (meshes == NULL) meshes = mjcf_value(place, "assetdir");
    if (meshes != NULL) compiler->mesh_folder = meshes->value;
    mjcf_numbers(reader, place, "inertiagrouprange", 2, compiler->groups);
    compiler->least_mass = mjcf_number(reader, place, "boundmass", compiler->least_mass);
    compiler->least_inertia = mjcf_number(reader, place, "boundinertia", compiler->least_inertia);
    const XmlAttribute *total = mjcf_value(place, "settotalmass");
    if (total != NULL && mjcf_number(reader, place, "settotalmass", -1.0) > 0.0)
        mjcf_note(reader, STI_WARNING, total->mark, "left out: options of the compiler",
                  "settotalmass");
    if (mjcf_is(place, "coordinate", "global"))
        mjcf_error(reader, place->element->mark, "coordinate=\"global\" is not read");
}

static void read_gravity(MjcfReader *reader, const XmlElement *option)
{
    const MjcfPlace place = {option, NULL};
    double g[3];
    if (mjcf_numbers(reader, &place, "gravity", 3, g) == 3)
        reader->model->gravity = sti_vec3(g[0], g[1], g[2]);
    for (const XmlElement *flag = option->children; flag != NULL; flag = flag->next)
        if (strcmp(flag->name, "flag") == 0 &&
            mjcf_is(&(MjcfPlace){flag, NULL}, "gravity", "disable"))
            reader->model->gravity = sti_vec3(0.0, 0.0, 0.0);
}

static void read_settings(MjcfReader *reader)
{
    reader->compiler = (MjcfCompiler){
        .degrees = true, .auto_limits = true, .sequence = "xyz", .inertia_from_geoms = 1,
        .groups = {0.0, 5.0}};
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next) {
        if (strcmp(part->name, "compiler") == 0)
            read_one_compiler(reader, &(MjcfPlace){part, NULL});
        else if (strcmp(part->name, "option") == 0)
            read_gravity(reader, part);
    }
}

// ---- classes ------------------------------------------------------------------------------------

static const MjcfClass *add_class(MjcfReader *reader, const XmlElement *element, const char *name,
                                  const MjcfClass *parent)
{
    MjcfClass *class = sti_arena_take(reader->base->arena, 1, sizeof *class);
    if (class == NULL) return NULL;
    *class = (MjcfClass){.name = name, .element = element, .parent = parent};
    const int number = reader->class_names.count;
    if (sti_names_put(&reader->class_names, reader->base->arena, name, number) == number)
        reader->classes[number] = class;
    else
        mjcf_error(reader, element->mark, "there is a default class '%.60s' already", name);
    return class;
}

static int count_classes(const XmlElement *element)
{
    int count = 1;
    for (const XmlElement *child = element->children; child != NULL; child = child->next)
        if (strcmp(child->name, "default") == 0) count += count_classes(child);
    return count;
}

static void read_classes(MjcfReader *reader, const XmlElement *element, const MjcfClass *parent)
{
    for (const XmlElement *child = element->children; child != NULL; child = child->next) {
        const XmlAttribute *name = xml_attribute(child, "class");
        if (strcmp(child->name, "default") != 0) continue;
        if (name == NULL) {
            mjcf_error(reader, child->mark, "a <default> in another one needs a class");
            continue;
        }
        const MjcfClass *class = add_class(reader, child, name->value, parent);
        if (class != NULL) read_classes(reader, child, class);
    }
}

// Several <default> of the model are one: what they hold is put under the first.
static void read_defaults(MjcfReader *reader)
{
    XmlElement *main = sti_arena_take(reader->base->arena, 1, sizeof *main);
    if (main == NULL) return;
    *main = (XmlElement){.name = "default", .mark = reader->root->mark};
    for (XmlElement *part = reader->root->children; part != NULL; part = part->next) {
        if (strcmp(part->name, "default") != 0 || part->children == NULL) continue;
        XmlElement **end = main->last_child != NULL ? &main->last_child->next : &main->children;
        *end = part->children;
        main->last_child = part->last_child;
        while (main->last_child->next != NULL) main->last_child = main->last_child->next;
    }
    reader->classes = sti_arena_take(reader->base->arena, (size_t)count_classes(main) + 1,
                                     sizeof *reader->classes);
    if (reader->classes == NULL) return;
    reader->main = add_class(reader, main, "main", NULL);
    if (reader->main != NULL) read_classes(reader, main, reader->main);
}

// ---- start --------------------------------------------------------------------------------------

static int all_positions(const Model *model)
{
    int count = 0;
    for (int i = 0; i < model->count; ++i) count += model_positions(&model->links[i]);
    return count;
}

// Numbers of an attribute that has exactly so many; NULL where there is none, or after a note.
static double *key_numbers(MjcfReader *reader, const MjcfPlace *place, const char *attribute,
                                 int count)
{
    double *numbers = sti_arena_numbers(reader->base->arena, count + 1);
    if (numbers == NULL || mjcf_value(place, attribute) == NULL) return NULL;
    if (mjcf_numbers(reader, place, attribute, count + 1, numbers) == count) return numbers;
    mjcf_note(reader, STI_WARNING, place->element->mark,
              "left out: keyframes that have not as many numbers as the model has coordinates or drives",
              attribute);
    return NULL;
}

// Attitudes of free and ball joints; none at all (zeros) is the identity.
static void normalise_key(MjcfReader *reader, const XmlElement *key, double *q)
{
    const Model *model = reader->model;
    for (int i = 0; i < model->count; ++i) {
        const int count = model_positions(&model->links[i]);
        const bool free = model->links[i].joint == STI_JOINT_FLOATING;
        if (free || model->links[i].joint == STI_JOINT_SPHERICAL) {
            double *w = q + (free ? 3 : 0);
            const double size = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
            if (size == 0.0) {
                w[0] = 1.0;
                mjcf_note(reader, STI_WARNING, key->mark,
                          "changed: attitudes of keyframes that are all zeros to no turn",
                          model->links[i].joint_name);
            }
            for (int k = 0; size > 0.0 && k < 4; ++k) w[k] /= size;
        }
        q += count;
    }
}

static void read_key(MjcfReader *reader, const XmlElement *key, int number)
{
    const MjcfPlace place = {key, NULL};
    const XmlAttribute *name = xml_attribute(key, "name");
    double *q = key_numbers(reader, &place, "qpos", all_positions(reader->model));
    if (q != NULL) normalise_key(reader, key, q);
    ModelKey read = {.q = q,
                     .commands = key_numbers(reader, &place, "ctrl", reader->model->drive_count)};
    char usual[32];
    snprintf(usual, sizeof usual, "key%d", number);
    read.name = name != NULL && name->value[0] != '\0' ? name->value
                                                       : sti_arena_text(reader->base->arena, usual);
    if ((read.q == NULL && read.commands == NULL) || read.name == NULL) return;
    reader->model->keys[reader->model->key_count++] = read;
    mjcf_note(reader, STI_NOTE, key->mark, "read: keyframes as variants of the scene", read.name);
}

static void read_keyframes(MjcfReader *reader)
{
    enum { MOST_KEYS = 50 };
    Model *model = reader->model;
    int number = 0;
    model->keys = sti_arena_take(reader->base->arena, MOST_KEYS, sizeof *model->keys);
    if (model->keys == NULL) return;
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next)
        for (const XmlElement *key = part->children; key != NULL; key = key->next) {
            if (strcmp(part->name, "keyframe") != 0) continue;
            if (model->key_count < MOST_KEYS)
                read_key(reader, key, number++);
            else
                mjcf_note(reader, STI_NOTE, key->mark, "left out: keyframes beyond 50", "key");
        }
}

// ---- what is left out ---------------------------------------------------------------------------

static void note_sections(MjcfReader *reader)
{
    static const char *const looks[] = {"visual", "statistic", "sensor", "custom", "size", "extension"};
    for (const XmlElement *part = reader->root->children; part != NULL; part = part->next) {
        for (size_t i = 0; i < sizeof looks / sizeof looks[0]; ++i)
            if (strcmp(part->name, looks[i]) == 0)
                mjcf_note(reader, STI_NOTE, part->mark,
                          "left out: sections about other things than motion and contact", part->name);
        if (strcmp(part->name, "option") == 0)
            for (int i = 0; i < part->attribute_count; ++i)
                if (strcmp(part->attributes[i].name, "gravity") != 0)
                    mjcf_note(reader, STI_NOTE, part->attributes[i].mark,
                              "left out: options of MuJoCo's solver", part->attributes[i].name);
    }
}

// A free body needs something to fall on.
static void add_floor(MjcfReader *reader)
{
    Model *model = reader->model;
    for (int i = 0; i < model->count && !reader->floor.there; ++i)
        if (model->links[i].joint == STI_JOINT_FLOATING && !model->has_floor) {
            model->has_floor = true;
            model->floor_normal = sti_vec3(0.0, 0.0, 1.0);
            mjcf_note(reader, STI_NOTE, reader->root->mark,
                      "changed: a floor at z = 0 is added, as the model floats and has none",
                      "floor");
        }
}

bool mjcf_model(const ModelReader *base, XmlElement *root, Model *model)
{
    MjcfReader reader = {.base = base, .model = model, .root = root};
    const XmlAttribute *name = xml_attribute(root, "model");
    model->format = "MJCF";
    model->touch_each_other = true;
    model->name = name != NULL && name->value[0] != '\0' ? name->value : "robot";
    if (!mjcf_expand(&reader, root)) return false;
    read_settings(&reader);
    read_defaults(&reader);
    if (base->arena->failed) return false;
    reader.hulls = (MeshHulls){.arena = base->arena,
                               .gathered = base->gathered,
                               .model = base->path,
                               .confine = base->confine};
    mjcf_find_meshes(&reader);
    mjcf_find_floor(&reader);
    mjcf_find_contacts(&reader);
    mjcf_read_bodies(&reader);
    if (base->arena->failed) return false;
    mjcf_read_pairs(&reader);
    mjcf_read_equalities(&reader);
    mjcf_read_tendons(&reader);
    mjcf_read_actuators(&reader);
    read_keyframes(&reader);
    add_floor(&reader);
    note_sections(&reader);
    return reader.errors == 0;
}
