// A model becomes a scene: links, start, keys; elements are in model_joints.c and model_drives.c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "model/model_text.h"
#include "model/model_writer.h"
#include "model/names.h"

const char *model_new_name(Writer *writer, const char *wanted)
{
    const char *name = model_name(writer->arena, &writer->taken, wanted, MODEL_LONGEST_PART);
    return name != NULL ? name : wanted;
}

// ---- links --------------------------------------------------------------------------------------

// Up to what stands already, then down the same way: each link is passed once.
static bool find_order(Writer *writer)
{
    const Model *model = writer->model;
    int *way = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *way);
    bool *done = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *done);
    writer->order = sti_arena_take(writer->arena, (size_t)model->count + 1, sizeof *writer->order);
    if (way == NULL || done == NULL || writer->order == NULL) return false;
    int count = 0;
    for (int i = 0; i < model->count; ++i) {
        int length = 0;
        for (int link = i; link >= 0 && !done[link]; link = model->links[link].parent)
            way[length++] = link;
        while (length-- > 0) {
            writer->order[count++] = way[length];
            done[way[length]] = true;
        }
    }
    return true;
}

void model_write_shape(FILE *to, const StiShape *shape)
{
    const char *kind = shape->kind->info.name;
    const StiQuat q = shape->q;
    const bool round = shape->radius > 0.0;
    fprintf(to, "{kind: %s", kind);
    if (round) {
        fputs(", radius: ", to);
        yaml_number(to, shape->radius);
    }
    if (strcmp(kind, "box") == 0) {
        fputs(", size: ", to);
        yaml_vector(to, sti_vec3_scale(2.0, shape->half));
    } else if (round && shape->half.z > 0.0) {
        fputs(", length: ", to);
        yaml_number(to, 2.0 * shape->half.z);
    }
    for (int i = 0; shape->hull != NULL && i < shape->hull->vertex_count; ++i) {
        fputs(i == 0 ? ", vertices: [" : ", ", to);
        yaml_vector(to, shape->hull->vertices[i]);
        if (i + 1 == shape->hull->vertex_count) fputc(']', to);
    }
    if (sti_vec3_norm(shape->p) != 0.0) {
        fputs(", at: ", to);
        yaml_vector(to, shape->p);
    }
    if (fabs(q.x) + fabs(q.y) + fabs(q.z) > 0.0 && strcmp(kind, "sphere") != 0) {
        fputs(", attitude: ", to);
        yaml_quaternion(to, q);
    }
    fputc('}', to);
}

static void write_shapes(const Writer *writer, int link)
{
    const Model *model = writer->model;
    int count = 0;
    for (int i = 0; i < model->shape_count; ++i) {
        if (model->shapes[i].link != link) continue;
        fputs(count++ == 0 ? ",\n         shapes: [" : ",\n                  ", writer->to);
        model_write_shape(writer->to, &model->shapes[i].shape);
    }
    if (count > 0) fputc(']', writer->to);
}

static void write_inertia(FILE *to, const StiLink *link)
{
    const double *J = link->inertia;
    const bool turned = fabs(J[3]) + fabs(J[4]) + fabs(J[5]) > 0.0;
    if (link->mass != 0.0) {
        fputs(", mass: ", to);
        yaml_number(to, link->mass);
    }
    if (sti_vec3_norm(link->centre) != 0.0) {
        fputs(", centre: ", to);
        yaml_vector(to, link->centre);
    }
    if (turned || fabs(J[0]) + fabs(J[1]) + fabs(J[2]) > 0.0) {
        fputs(", inertia: ", to);
        yaml_numbers(to, J, turned ? 6 : 3);
    }
}

static void write_joint(FILE *to, const StiLink *link)
{
    const StiQuat q = link->placement.q;
    if (model_has_axis(link) || link->joint == STI_JOINT_PLANAR) {
        fputs(", axis: ", to);
        yaml_vector(to, link->axis);
    }
    if (sti_vec3_norm(link->placement.p) != 0.0) {
        fputs(", at: ", to);
        yaml_vector(to, link->placement.p);
    }
    if (fabs(q.x) + fabs(q.y) + fabs(q.z) > 0.0) {
        fputs(", attitude: ", to);
        yaml_quaternion(to, q);
    }
    if (link->armature > 0.0) {
        fputs(", armature: ", to);
        yaml_number(to, link->armature);
    }
    if (link->limited && link->lower < link->upper) {
        fputs(", limits: ", to);
        yaml_numbers(to, (double[2]){link->lower, link->upper}, 2);
    }
}

static void write_links(const Writer *writer)
{
    static const char *const types[STI_JOINT_TYPES] = {"fixed",     "revolute", "prismatic",
                                                       "spherical", "planar",   "floating"};
    const Model *model = writer->model;
    fputs("    links:\n", writer->to);
    for (int i = 0; i < model->count; ++i) {
        const int index = writer->order[i];
        const StiLink *link = &model->links[index];
        fprintf(writer->to, "      - {name: %s, joint: %s, parent: %s, type: %s", link->name,
                link->joint_name, link->parent < 0 ? "world" : model->links[link->parent].name,
                types[link->joint]);
        write_joint(writer->to, link);
        write_inertia(writer->to, link);
        write_shapes(writer, index);
        fputs("}\n", writer->to);
    }
}

// ---- start --------------------------------------------------------------------------------------

int model_positions(const StiLink *link)
{
    static const int counts[STI_JOINT_TYPES] = {0, 1, 1, 4, 3, 7};
    return counts[link->joint];
}

static void write_start(const Writer *writer)
{
    const Model *model = writer->model;
    bool first = true;
    for (int i = 0; i < model->count; ++i) {
        const int index = writer->order[i], count = model_positions(&model->links[index]);
        const ModelJoint *joint = &model->joints[index];
        bool rest = !joint->placed || count == 0;
        if (count == 1) rest = rest || joint->position[0] == 0.0;
        if (rest) continue;
        if (first) fputs("    joints:\n", writer->to);
        first = false;
        fprintf(writer->to, "      %s: {position: ", model->links[index].joint_name);
        if (count == 1)
            yaml_number(writer->to, joint->position[0]);
        else
            yaml_numbers(writer->to, joint->position, count);
        fputs("}\n", writer->to);
    }
}

// ---- keys: variants of the scene ----------------------------------------------------------------

static void write_key(Writer *writer, const ModelKey *key, const char *const *inputs,
                      StiNames *taken)
{
    const Model *model = writer->model;
    const char *name = model_name(writer->arena, taken, key->name, MODEL_LONGEST_PART);
    const char *comma = "";
    fprintf(writer->to, "  %s:\n    set: {", name != NULL ? name : "key");
    for (int i = 0, at = 0; key->q != NULL && i < model->count; ++i) {
        const int count = model_positions(&model->links[i]);
        if (count == 0) continue;
        fprintf(writer->to, "%s\"bodies.%s.joints.%s.position\": ", comma, writer->body,
                model->links[i].joint_name);
        if (count == 1)
            yaml_number(writer->to, key->q[at]);
        else
            yaml_numbers(writer->to, key->q + at, count);
        at += count;
        comma = ",\n          ";
    }
    for (int i = 0; key->commands != NULL && i < model->drive_count; ++i) {
        fprintf(writer->to, "%s\"inputs.%s.value\": ", comma, inputs[i]);
        yaml_number(writer->to, key->commands[i]);
        comma = ",\n          ";
    }
    fputs("}\n", writer->to);
}

static void write_keys(Writer *writer, const char *const *inputs)
{
    StiNames taken = {0};
    if (writer->model->key_count > 0) fputs("variants:\n", writer->to);
    for (int i = 0; i < writer->model->key_count; ++i)
        write_key(writer, &writer->model->keys[i], inputs, &taken);
}

// ---- the scene ----------------------------------------------------------------------------------

static bool has_elements(const Model *model)
{
    bool any = model->drive_count > 0 || model->coupling_count > 0 || model->loop_count > 0 || model->shape_count > 0 || model->pair_count > 0;
    for (int i = 0; i < model->count; ++i) {
        const ModelJoint *joint = &model->joints[i];
        any = any || joint->friction > 0.0 || joint->damping > 0.0 || joint->stiffness > 0.0 ||
              model->links[i].limited;
    }
    return any;
}

static void write_head(const Writer *writer)
{
    const Model *model = writer->model;
    fputs("title: ", writer->to);
    yaml_text(writer->to, model->name);
    fprintf(writer->to, "\ndescription: ");
    char text[512];
    const char *slash = strrchr(model->file, '/');
    snprintf(text, sizeof text, "From %s (%s)", slash != NULL ? slash + 1 : model->file,
             model->format);
    yaml_text(writer->to, text);
    fputs("\nstop: 10\ngravity: ", writer->to);
    yaml_vector(writer->to, model->gravity);
    fputc('\n', writer->to);
}

static void take_reserved_names(Writer *writer)
{
    static const char *const words[] = {"t",       "pi",     "step",       "start",
                                        "gravity", "energy", "integrator", "world"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
        sti_names_put(&writer->taken, writer->arena, words[i], (int)i);
}

static void write_scene(Writer *writer, const char **inputs)
{
    write_head(writer);
    model_write_inputs(writer, inputs);
    fprintf(writer->to, "bodies:\n  %s:\n    kind: robot\n", writer->body);
    write_links(writer);
    write_start(writer);
    write_keys(writer, inputs);
    if (!has_elements(writer->model)) return;
    fputs("elements:\n", writer->to);
    const long before = ftell(writer->to);
    model_write_joints(writer);
    model_write_drives(writer, inputs);
    model_write_closures(writer);
    model_write_contacts(writer);
    if (ftell(writer->to) == before) fputs("  {}\n", writer->to);
}

bool model_write(const Model *model, StiArena *arena, Gathered *gathered, FILE *to)
{
    Writer writer = {.model = model, .arena = arena, .gathered = gathered, .to = to};
    const char **inputs = sti_arena_take(arena, (size_t)model->drive_count + 1, sizeof *inputs);
    take_reserved_names(&writer);
    writer.body = model_name(arena, &writer.taken, model->name, MODEL_LONGEST_BODY);
    if (!find_order(&writer) || inputs == NULL || arena->failed) return false;
    const StiLocale locale = sti_locale_begin();
    write_scene(&writer, inputs);
    sti_locale_end(locale);
    return !arena->failed;
}
