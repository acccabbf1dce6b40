// One model with its logs, and all that is free.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

bool problem_fail(Problem *problem, const char *what, const char *name)
{
    snprintf(problem->reason, sizeof problem->reason, what, name);
    return false;
}

// The first error among the messages is the reason.
static bool fail_by(Problem *problem, const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_ERROR) return problem_fail(problem, "%s", message->text);
    }
    return problem_fail(problem, "%s", "out of memory");
}

// ---- parameters -------------------------------------------------------------------------------------------------

static char *name_of(const char *text, const char *more)
{
    const size_t size = strlen(text) + strlen(more) + 1;
    char *name = malloc(size);
    if (name != NULL) snprintf(name, size, "%s%s", text, more);
    return name;
}

static bool value_in_scene(const StiScene *scene, const char *path, double *value)
{
    if (sti_plan_get(scene->plan, path, value) == STI_OK) return true;
    const char *name = strncmp(path, "parameters.", 11) == 0 ? path + 11 : path;
    for (int i = 0; i < scene->parameter_count; ++i) {
        if (strcmp(scene->parameters[i].name, name) != 0) continue;
        *value = scene->parameters[i].value;
        return true;
    }
    return false;
}

// Whether the scene can be read with this value.
static bool scene_takes(const Problem *problem, int parameter, double value)
{
    StiMessages *ignored = sti_messages_create();
    double *values = malloc((size_t)problem->count * sizeof *values);
    bool good = false;
    if (ignored != NULL && values != NULL) {
        for (int i = 0; i < problem->count; ++i) values[i] = NAN;
        values[parameter] = value;
        StiScene *scene = problem_load(problem, 0, values, ignored);
        good = scene != NULL;
        sti_scene_destroy(scene);
    }
    free(values);
    sti_messages_destroy(ignored);
    return good;
}

static double middle_of(const StiFitNumber *number)
{
    if (number->least > 0.0 && number->most > 50.0 * number->least)
        return sqrt(number->least * number->most);
    return 0.5 * (number->least + number->most);
}

static const char *unit_of(const StiScene *scene, const char *path)
{
    StiParameter parameter;
    for (int i = 0; sti_plan_parameter(scene->plan, i, &parameter); ++i)
        if (strcmp(parameter.path, path) == 0) return parameter.unit;
    return "";
}

static bool add_path(Problem *problem, const StiScene *scene, const StiFitFree *free_one)
{
    for (int i = 0; i < problem->count; ++i)
        if (strcmp(problem->parameters[i].path, free_one->path) == 0) return true;
    Parameter *parameter = &problem->parameters[problem->count++];
    StiFitNumber number = free_one->number;
    double value = number.value, inside = NAN;
    *parameter = (Parameter){.part = STI_FIT_PARAMETER,
                             .path = free_one->path,
                             .name = strdup(free_one->path),
                             .unit = unit_of(scene, free_one->path),
                             .prior = free_one->prior,
                             .prior_deviation = free_one->prior_deviation,
                             .presliding = is_presliding(free_one->path)};
    const bool bounded = isfinite(number.least) && isfinite(number.most);
    if (!value_in_scene(scene, free_one->path, &inside)) inside = NAN;
    parameter->in_scene = inside;
    if (isnan(value)) value = inside;
    // On a bound a search has no slope, and often nothing to simulate.
    if (bounded && !(value > number.least && value < number.most)) value = middle_of(&number);
    if (isnan(value) && parameter->prior_deviation > 0.0) value = parameter->prior;
    if (isnan(value))
        return problem_fail(problem, "%s has no start: give bounds (from, to) or a start",
                            parameter->name);
    if (value == 0.0 && !bounded)
        return problem_fail(
            problem, "%s is 0 and has no bounds: its size is not known; give bounds or a start",
            parameter->name);
    // A number that the scene refuses below 0 has a bound there.
    if (number.least == -INFINITY && number.most == INFINITY && value > 0.0 &&
        !scene_takes(problem, problem->count - 1, -value))
        number.least = 0.0;
    const double from_bound = isfinite(number.least) ? value - number.least : fabs(value);
    parameter->start = value;
    parameter->transform =
        transform_of(number.least, number.most, value, from_bound > 0.0 ? from_bound : fabs(value));
    return true;
}

static double range_of(const Problem *problem, int channel)
{
    double least = INFINITY, most = -INFINITY;
    for (int l = 0; l < problem->design->log_count; ++l)
        for (int i = 0; i < problem->fit->logs[l].log.rows; ++i) {
            least = fmin(least, problem->fit->logs[l].channels[channel][i]);
            most = fmax(most, problem->fit->logs[l].channels[channel][i]);
        }
    return most > least ? most - least : 1.0;
}

static void add_sensor(Problem *problem, int channel, int sensor)
{
    static const char *const names[] = {".offset", ".gain", ".delay"};
    const StiFitChannel *of = &problem->design->channels[channel];
    const StiFitNumber *number = sensor == 0 ? &of->offset : sensor == 1 ? &of->gain : &of->delay;
    if (!number->free) return;
    const double usual = sensor == 1 ? 1.0 : 0.0;
    const double value = !isnan(number->value) ? number->value : middle_of(number);
    const double scale = sensor == 0   ? 0.1 * range_of(problem, channel)
                         : sensor == 1 ? 1.0
                                       : 5.0 * log_interval(&problem->fit->logs[0].log);
    StiChannel about = {.unit = ""};
    problem->parameters[problem->count++] =
        (Parameter){.part = STI_FIT_SENSOR,
                    .name = name_of(of->channel, names[sensor]),
                    .unit = sensor == 2             ? "s"
                            : about.unit[0] != '\0' ? ""
                                                    : "",
                    .channel = channel,
                    .sensor = sensor,
                    .start = isnan(value) ? usual : value,
                    .in_scene = NAN,
                    .transform = transform_of(number->least, number->most,
                                              isnan(value) ? usual : value, scale)};
}

static void add_starts(Problem *problem, int beginning)
{
    const Beginning *of = &problem->beginnings[beginning];
    for (int s = 0; s < problem->segment_count; ++s) {
        const Segment *segment = &problem->segments[s];
        const Log *log = &problem->fit->logs[segment->log].log;
        const double measured = problem_measured_start(problem, of, segment);
        double value = !isnan(of->number.value) ? of->number.value : measured;
        char where[FIT_TEXT];
        if (isnan(value))
            value = isfinite(of->number.least) && isfinite(of->number.most) ? middle_of(&of->number)
                                                                            : 0.0;
        const double length = log->t[segment->first + segment->rows - 1] - log->t[segment->first];
        const double scale = of->value_of >= 0   ? 0.05 * range_of(problem, of->value_of)
                             : of->slope_of >= 0 ? range_of(problem, of->slope_of) / length
                                                 : 1.0;
        snprintf(where, sizeof where, " at %.6g s%s%s", log->t[segment->first],
                 problem->design->log_count > 1 ? " of " : "",
                 problem->design->log_count > 1
                     ? strrchr(log->file, '/') != NULL ? strrchr(log->file, '/') + 1 : log->file
                     : "");
        problem->parameters[problem->count++] =
            (Parameter){.part = STI_FIT_START,
                        .name = name_of(of->channel, where),
                        .unit = "",
                        .channel = beginning,
                        .segment = s,
                        .start = value,
                        .in_scene = NAN,
                        .transform = transform_of(of->number.least, of->number.most, value, scale)};
    }
}

static bool find_parameters(Problem *problem, const StiScene *scene)
{
    const StiFitDesign *design = problem->design;
    const int room = design->free_count + problem->plan.free_count + 3 * design->channel_count +
                     problem->beginning_count * problem->segment_count;
    problem->parameters = calloc((size_t)room + 1, sizeof *problem->parameters);
    if (problem->parameters == NULL) return false;
    // What belongs to the model goes before: its bounds are its own.
    for (int i = 0; i < problem->plan.free_count; ++i)
        if (!add_path(problem, scene, &problem->plan.free[i])) return false;
    for (int i = 0; i < design->free_count; ++i)
        if (!add_path(problem, scene, &design->free[i])) return false;
    for (int i = 0; i < design->channel_count; ++i)
        for (int sensor = 0; sensor < 3; ++sensor) add_sensor(problem, i, sensor);
    for (int i = 0; i < problem->beginning_count; ++i)
        if (problem->beginnings[i].from == STI_START_FREE) add_starts(problem, i);
    for (int i = 0; i < problem->count; ++i)
        problem->prior_count += problem->parameters[i].prior_deviation > 0.0;
    return true;
}

// ---- the whole ---------------------------------------------------------------------------------------------------

// Why the scene cannot be read with the values at the start. Links and joints of a model file have paths in the plan, but
// none in the scene.
static bool refused(Problem *problem, const StiMessages *messages)
{
    double there;
    for (int i = 0; i < problem->count; ++i) {
        const char *path = problem->parameters[i].path;
        if (path != NULL && sti_plan_get(problem->fit->scene->plan, path, &there) == STI_OK &&
            !scene_takes(problem, i, there))
            return problem_fail(
                problem,
                "%s is a number of a robot's links: name it as the scene has it "
                "(ROBOT.links.0.mass); stiction import writes a model file as such a scene",
                path);
    }
    return fail_by(problem, messages);
}

static bool check_values(Problem *problem, StiMessages *messages)
{
    double *values = calloc((size_t)problem->count + 1, sizeof *values);
    if (values == NULL) return false;
    for (int i = 0; i < problem->count; ++i) values[i] = problem->parameters[i].start;
    bool good = true;
    for (int l = 0; good && l < problem->design->log_count; ++l) {
        StiScene *scene = problem_load(problem, l, values, messages);
        good = scene != NULL || refused(problem, messages);
        sti_scene_destroy(scene);
    }
    free(values);
    return good;
}

static bool set_up(Problem *problem, StiMessages *messages)
{
    const StiFitDesign *design = problem->design;
    StiScene *scene = problem_load(problem, 0, NULL, messages);
    if (scene == NULL) return fail_by(problem, messages);
    problem->step = sti_network_step(scene->network);
    problem->input_count = sti_network_input_count(scene->network);
    problem->deviations = calloc((size_t)design->channel_count + 1, sizeof *problem->deviations);
    problem->kept_names = calloc((size_t)design->channel_count + 1, sizeof *problem->kept_names);
    const bool good = problem->deviations != NULL && problem->kept_names != NULL &&
                      problem_cut_logs(problem, scene->network) &&
                      problem_find_beginnings(problem, scene->network) &&
                      find_parameters(problem, scene);
    for (int i = 0; good && i < design->channel_count; ++i)
        problem->deviations[i] = design->channels[i].deviation > 0.0 ? design->channels[i].deviation
                                                                     : 0.1 * range_of(problem, i);
    sti_scene_destroy(scene);
    return good && check_values(problem, messages);
}

bool problem_create(Problem *problem, const StiFit *fit, int model)
{
    static const StiFitModel as_it_stands = {.name = ""};
    const StiFitDesign *design = fit->scene->fit;
    const StiFitModel *of = model < design->model_count ? &design->models[model] : &as_it_stands;
    *problem = (Problem){.fit = fit, .design = design, .model = of->name};
    if (!model_plan(fit, of, &problem->plan, problem->reason, sizeof problem->reason)) return false;
    StiMessages *messages = sti_messages_create();
    const bool good = messages != NULL && set_up(problem, messages);
    sti_messages_destroy(messages);
    if (!good && problem->reason[0] == '\0') problem_fail(problem, "%s", "out of memory");
    if (good && problem->count == 0)
        return problem_fail(problem, "%s", "nothing is free: name parameters under free");
    return good;
}

void problem_release(Problem *problem)
{
    for (int i = 0; i < problem->segment_count; ++i) free(problem->segments[i].inputs);
    for (int i = 0; i < problem->count; ++i) free(problem->parameters[i].name);
    for (int i = 0; problem->kept_names != NULL && i < problem->design->channel_count; ++i)
        free(problem->kept_names[i]);
    free(problem->kept_names);
    free(problem->segments);
    free(problem->parameters);
    free(problem->beginnings);
    free(problem->deviations);
    model_plan_release(&problem->plan);
}
