// What acts on joints: friction, springs, stops. Joints with the same numbers share an element.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_text.h"
#include "model/model_writer.h"

// What an element on a joint has: joints with the same numbers share an element.
typedef struct JointNumbers {
    bool wanted, written;
    double values[3];
} JointNumbers;

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
        fprintf(writer->to, "  %s: {%s, on: [", model_new_name(writer, name), kind);
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
        if (!model_has_axis(&model->links[i])) continue;
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
        if (!model_has_axis(&model->links[i]) || joint->stiffness == 0.0) continue;
        springs[i] =
            (JointNumbers){.wanted = true,
                           .values = {joint->stiffness,
                                      joint->friction == 0.0 ? joint->damping : 0.0, joint->rest}};
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
    if (q == NULL || prepared == NULL || numbers == NULL) {
        writer->arena->failed = true;
    } else {
        sti_robot_rest(robot, q);
        const bool ready = sti_robot_prepare(robot, q, NULL, NULL, prepared) == STI_OK;
        for (int i = 0; ready && i < model->count; ++i) {
            const StiLink *link = &model->links[i];
            if (!model_has_axis(link) || !link->limited || !(link->lower < link->upper)) continue;
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
    StiRobot *robot = report != NULL ? sti_robot_create(model->links, model->count, report) : NULL;
    if (robot != NULL && stops != NULL) {
        find_stops(writer, robot, stops);
        write_grouped(writer, "stops", "kind: joint-limit", stops, keys, 2);
    }
    if (report == NULL || (robot == NULL && sti_report_count(report) == 0))
        writer->arena->failed = true; // nothing is wrong with the links
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

void model_write_joints(Writer *writer)
{
    write_friction(writer);
    write_springs(writer);
    write_stops(writer);
}
