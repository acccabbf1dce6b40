// A model becomes a scene: links, start, friction, springs, stops, drives with their inputs, a floor.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "model/model.h"
#include "model/model_text.h"
#include "model/names.h"

typedef struct Writer {
    const Model *model;
    StiArena *arena;
    Gathered *gathered;
    FILE *to;
    const char *body;
    StiNames taken; // names of the body, inputs and elements
    int *order;     // links, parents first
} Writer;

static bool has_axis(const StiLink *link)
{
    return link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC;
}

static Mark mark_of(const Writer *writer) { return (Mark){writer->model->file, 0, 0}; }

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

static void write_shape(FILE *to, const StiShape *shape)
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
        if (model->shapes[i].link != link || !model->shapes[i].on_floor) continue;
        fputs(count++ == 0 ? ",\n         shapes: [" : ",\n                  ", writer->to);
        write_shape(writer->to, &model->shapes[i].shape);
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
    if (has_axis(link) || link->joint == STI_JOINT_PLANAR) {
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

// ---- elements on joints -------------------------------------------------------------------------

// What an element on a joint has: joints with the same numbers share an element.
typedef struct JointNumbers {
    bool wanted, written;
    double values[3];
} JointNumbers;

static const char *new_name(Writer *writer, const char *wanted)
{
    const char *name = model_name(writer->arena, &writer->taken, wanted, MODEL_LONGEST_PART);
    return name != NULL ? name : wanted;
}

static bool same_numbers(const JointNumbers *a, const JointNumbers *b)
{
    return memcmp(a->values, b->values, sizeof a->values) == 0;
}

// One line for each set of numbers: NAME: {kind: KIND, on: [...], KEYS[0]: ..., ...}.
static void write_grouped(Writer *writer, const char *name, const char *kind, JointNumbers *numbers,
                          const char *const *keys, int key_count)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->count; ++i) {
        const JointNumbers *own = &numbers[writer->order[i]];
        if (!own->wanted || own->written) continue;
        fprintf(writer->to, "  %s: {%s, on: [", new_name(writer, name), kind);
        const char *comma = "";
        for (int j = i; j < model->count; ++j) {
            JointNumbers *other = &numbers[writer->order[j]];
            if (!other->wanted || other->written || !same_numbers(own, other)) continue;
            fprintf(writer->to, "%s%s.%s", comma, writer->body,
                    model->links[writer->order[j]].joint_name);
            comma = ", ";
            if (j > i) other->written = true;
        }
        numbers[writer->order[i]].written = true;
        fputc(']', writer->to);
        for (int k = 0; k < key_count; ++k) {
            if (own->values[k] == 0.0) continue;
            fprintf(writer->to, ", %s: ", keys[k]);
            yaml_number(writer->to, own->values[k]);
        }
        fputs("}\n", writer->to);
    }
}

static JointNumbers *new_numbers(const Writer *writer)
{
    return sti_arena_take(writer->arena, (size_t)writer->model->count + 1, sizeof(JointNumbers));
}

static void write_friction(Writer *writer)
{
    static const char *const dry_keys[] = {"level", "viscous"}, *const wet_keys[] = {"damping"};
    const Model *model = writer->model;
    JointNumbers *dry = new_numbers(writer), *wet = new_numbers(writer);
    if (dry == NULL || wet == NULL) return;
    for (int i = 0; i < model->count; ++i) {
        const ModelJoint *joint = &model->joints[i];
        if (!has_axis(&model->links[i])) continue;
        dry[i] = (JointNumbers){.wanted = joint->friction > 0.0,
                                .values = {joint->friction, joint->damping}};
        wet[i] = (JointNumbers){.wanted = joint->friction == 0.0 && joint->damping > 0.0 &&
                                          joint->stiffness == 0.0,
                                .values = {joint->damping}};
    }
    write_grouped(writer, "friction", "kind: friction, model: coulomb", dry, dry_keys, 2);
    write_grouped(writer, "damping", "kind: spring-damper", wet, wet_keys, 1);
}

static void write_springs(Writer *writer)
{
    static const char *const keys[] = {"stiffness", "damping", "rest"};
    const Model *model = writer->model;
    JointNumbers *springs = new_numbers(writer);
    for (int i = 0; springs != NULL && i < model->count; ++i) {
        const ModelJoint *joint = &model->joints[i];
        if (!has_axis(&model->links[i]) || joint->stiffness == 0.0) continue;
        springs[i] = (JointNumbers){.wanted = true,
                                    .values = {joint->stiffness,
                                               joint->friction == 0.0 ? joint->damping : 0.0,
                                               joint->rest}};
    }
    if (springs != NULL) write_grouped(writer, "spring", "kind: spring-damper", springs, keys, 3);
}

// ---- stops --------------------------------------------------------------------------------------

static double two_digits(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.1e", value);
    return strtod(text, NULL);
}

// The inertia that a force on the joint alone meets: 1/(H^-1)_ii at the start.
static double felt_inertia(const StiRobot *robot, const double *prepared, int k, double *numbers)
{
    const int n = sti_robot_velocities(robot);
    double *tau = numbers, *dv = numbers + n;
    memset(tau, 0, (size_t)n * sizeof *tau);
    tau[k] = 1.0;
    sti_robot_respond(robot, prepared, tau, NULL, dv);
    return dv[k] > 0.0 ? 1.0 / dv[k] : 0.0;
}

// Stops as hard as a step of 1 ms follows well: 150 rad/s with the inertia that they meet.
static void find_stops(const Writer *writer, const StiRobot *robot, JointNumbers *stops)
{
    static const double RATE = 150.0, DAMPED = 0.7;
    const Model *model = writer->model;
    const size_t n = (size_t)sti_robot_velocities(robot);
    double *q = calloc((size_t)sti_robot_positions(robot) + 1, sizeof *q);
    double *prepared = calloc((size_t)sti_robot_prepared(robot) + 1, sizeof *prepared);
    double *numbers = calloc(2 * n + 1, sizeof *numbers);
    if (q != NULL && prepared != NULL && numbers != NULL) {
        sti_robot_rest(robot, q);
        const bool ready = sti_robot_prepare(robot, q, NULL, NULL, prepared) == STI_OK;
        for (int i = 0; ready && i < model->count; ++i) {
            const StiLink *link = &model->links[i];
            if (!has_axis(link) || !link->limited || !(link->lower < link->upper)) continue;
            const double h =
                felt_inertia(robot, prepared, sti_robot_joint_velocity(robot, i), numbers);
            stops[i] = (JointNumbers){.wanted = h > 0.0,
                                      .values = {two_digits(h * RATE * RATE),
                                                 two_digits(2.0 * DAMPED * h * RATE)}};
        }
    }
    free(q);
    free(prepared);
    free(numbers);
}

static void write_stops(Writer *writer)
{
    static const char *const keys[] = {"stiffness", "damping"};
    const Model *model = writer->model;
    JointNumbers *stops = new_numbers(writer);
    StiReport *report = sti_report_create();
    StiRobot *robot =
        report != NULL ? sti_robot_create(model->links, model->count, report) : NULL;
    if (robot != NULL && stops != NULL) {
        find_stops(writer, robot, stops);
        write_grouped(writer, "stops", "kind: joint-limit", stops, keys, 2);
    }
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

// ---- drives -------------------------------------------------------------------------------------

static void write_inputs(Writer *writer, const char **names)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->drive_count; ++i) {
        const ModelDrive *drive = &model->drives[i];
        if (i == 0) fputs("inputs:\n", writer->to);
        names[i] = new_name(writer, drive->name);
        fprintf(writer->to, "  %s: {value: ", names[i]);
        yaml_number(writer->to, drive->command);
        fputc('}', writer->to);
        if (drive->ranged) {
            fputs("   # ", writer->to);
            yaml_number(writer->to, drive->least);
            fputs(" to ", writer->to);
            yaml_number(writer->to, drive->most);
        }
        fputc('\n', writer->to);
    }
}

static void write_number(FILE *to, const char *key, double value, double usual)
{
    if (value == usual) return;
    fprintf(to, ", %s: ", key);
    yaml_number(to, value);
}

static void write_drives(Writer *writer, const char *const *inputs)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->drive_count; ++i) {
        const StiActuator *p = &model->drives[i].drive;
        char name[96];
        snprintf(name, sizeof name, "%.31s_actuator", inputs[i]);
        fprintf(writer->to, "  %s: {kind: actuator, on: %s.%s, command: %s", new_name(writer, name),
                writer->body, model->links[model->drives[i].link].joint_name, inputs[i]);
        write_number(writer->to, "gain", p->gain, 1.0);
        write_number(writer->to, "stiffness", p->K, 0.0);
        write_number(writer->to, "damping", p->B, 0.0);
        write_number(writer->to, "offset", p->offset, 0.0);
        write_number(writer->to, "gear_ratio", p->gear, 1.0);
        write_number(writer->to, "lower", p->lower, 0.0);
        write_number(writer->to, "upper", p->upper, 0.0);
        fputs("}\n", writer->to);
    }
}

// ---- couplings ----------------------------------------------------------------------------------

static void write_couplings(Writer *writer)
{
    const Model *model = writer->model;
    for (int i = 0; i < model->coupling_count; ++i) {
        const ModelCoupling *coupling = &model->couplings[i];
        const char *on = model->links[coupling->link].joint_name;
        char name[96];
        snprintf(name, sizeof name, "%.31s_mimic", on);
        fprintf(writer->to, "  %s: {kind: mimic, on: %s.%s, of: %s.%s", new_name(writer, name),
                writer->body, on, writer->body, model->links[coupling->to].joint_name);
        write_number(writer->to, "ratio", coupling->factors[1], 1.0);
        write_number(writer->to, "offset", coupling->factors[0], 0.0);
        fputs("}\n", writer->to);
    }
}

// ---- floor --------------------------------------------------------------------------------------

// Links that move and have shapes, by their friction; -1: none. Of several the largest counts.
static double *link_frictions(const Writer *writer)
{
    const Model *model = writer->model;
    double *mus = sti_arena_numbers(writer->arena, model->count);
    for (int i = 0; mus != NULL && i < model->count; ++i) mus[i] = -1.0;
    for (int i = 0; mus != NULL && i < model->shape_count; ++i) {
        const ModelShape *shape = &model->shapes[i];
        if (shape->link < 0 || !shape->on_floor) continue;
        if (mus[shape->link] >= 0.0 && mus[shape->link] != shape->mu)
            gather(writer->gathered, STI_NOTE, mark_of(writer),
                   "changed: shapes of one link have one coefficient of friction, the largest",
                   model->links[shape->link].name, 0.0);
        mus[shape->link] = fmax(mus[shape->link], shape->mu);
    }
    return mus;
}

static bool moves(const Model *model, int link)
{
    for (; link >= 0; link = model->links[link].parent)
        if (model->links[link].joint != STI_JOINT_FIXED) return true;
    return false;
}

static void write_floor(Writer *writer)
{
    const Model *model = writer->model;
    double *mus = link_frictions(writer);
    if (!model->has_floor || mus == NULL) return;
    for (int i = 0; i < model->count; ++i) {
        const double mu = mus[writer->order[i]];
        const char *comma = "";
        if (mu < 0.0) continue;
        for (int j = i; j < model->count; ++j) {
            const int link = writer->order[j];
            if (mus[link] != mu) continue;
            mus[link] = -1.0;
            if (!moves(model, link)) continue;
            if (comma[0] == '\0')
                fprintf(writer->to, "  %s: {kind: contact, on: [", new_name(writer, "floor"));
            fprintf(writer->to, "%s%s.%s", comma, writer->body, model->links[link].name);
            comma = ", ";
        }
        if (comma[0] == '\0') continue;
        fputs("], plane: {point: ", writer->to);
        yaml_vector(writer->to, model->floor_point);
        fputs(", normal: ", writer->to);
        yaml_vector(writer->to, model->floor_normal);
        fputs("}, mu: ", writer->to);
        yaml_number(writer->to, mu);
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
    bool any = model->drive_count > 0 || model->coupling_count > 0 || (model->has_floor && model->shape_count > 0);
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
    write_inputs(writer, inputs);
    fprintf(writer->to, "bodies:\n  %s:\n    kind: robot\n", writer->body);
    write_links(writer);
    write_start(writer);
    write_keys(writer, inputs);
    if (!has_elements(writer->model)) return;
    fputs("elements:\n", writer->to);
    const long before = ftell(writer->to);
    write_friction(writer);
    write_springs(writer);
    write_stops(writer);
    write_drives(writer, inputs);
    write_couplings(writer);
    write_floor(writer);
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
