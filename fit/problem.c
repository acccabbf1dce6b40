// One model with its logs: segments, beginnings, and all that is free.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

static bool fail(Problem *problem, const char *what, const char *name)
{
    snprintf(problem->reason, sizeof problem->reason, what, name);
    return false;
}

// The first error among the messages is the reason.
static bool fail_by(Problem *problem, const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_ERROR) return fail(problem, "%s", message->text);
    }
    return fail(problem, "%s", "out of memory");
}

// ---- segments -----------------------------------------------------------------------------------------------

// The last sample at or before t.
static int sample_at(const Log *log, double t, int from)
{
    const double slack = 1e-6 * (log->t[log->rows - 1] - log->t[0]) / log->rows;
    while (from + 1 < log->rows && log->t[from + 1] <= t + slack) ++from;
    return from;
}

static double linear_at(const Log *log, const double *values, double t, int sample)
{
    if (sample + 1 >= log->rows) return values[sample];
    const double share = (t - log->t[sample]) / (log->t[sample + 1] - log->t[sample]);
    return values[sample] + share * (values[sample + 1] - values[sample]);
}

static bool fill_inputs(const Problem *problem, const StiNetwork *network, Segment *segment)
{
    const Measured *measured = &problem->fit->logs[segment->log];
    const size_t width = (size_t)problem->input_count;
    segment->inputs = calloc((size_t)segment->steps * width + 1, sizeof *segment->inputs);
    if (segment->inputs == NULL) return false;
    int sample = segment->first;
    for (int64_t k = 0; k < segment->steps; ++k) {
        double *row = segment->inputs + (size_t)k * width;
        const double t = measured->log.t[segment->first] + (double)k * problem->step;
        const double read_at = problem->design->linear ? t + 0.5 * problem->step : t;
        sti_network_usual_inputs(network, row);
        sample = sample_at(&measured->log, read_at, sample);
        for (int i = 0; i < problem->design->drive_count; ++i) {
            const int place = sti_network_input(network, problem->fit->drive_inputs[i]);
            const double *values = measured->drives[i];
            row[place] = problem->design->linear
                             ? linear_at(&measured->log, values, read_at, sample)
                             : values[sample];
        }
    }
    return true;
}

static int windows_of(const Problem *problem, const Log *log)
{
    const double length = log->t[log->rows - 1] - log->t[0];
    if (!(problem->design->window > 0.0)) return 1;
    const double count = floor(length / problem->design->window + 0.5);
    return count < 1.0 ? 1 : count > log->rows / 4 ? log->rows / 4 : (int)count;
}

static bool cut_log(Problem *problem, int log_number, const StiNetwork *network)
{
    const Log *log = &problem->fit->logs[log_number].log;
    const int windows = windows_of(problem, log);
    for (int w = 0; w < windows; ++w) {
        const int first = (int)((int64_t)log->rows * w / windows),
                  last = (int)((int64_t)log->rows * (w + 1) / windows) - 1;
        const double length = log->t[last] - log->t[first];
        Segment *segment = &problem->segments[problem->segment_count++];
        *segment = (Segment){.log = log_number,
                             .first = first,
                             .rows = last - first + 1,
                             .steps = (int64_t)ceil(length / problem->step - 1e-6),
                             .at = problem->rows};
        problem->rows += (int64_t)segment->rows * problem->design->channel_count;
        if (!fill_inputs(problem, network, segment)) return false;
    }
    return true;
}

static bool cut_logs(Problem *problem, const StiNetwork *network)
{
    int count = 0;
    for (int i = 0; i < problem->design->log_count; ++i)
        count += windows_of(problem, &problem->fit->logs[i].log);
    problem->segments = calloc((size_t)count + 1, sizeof *problem->segments);
    if (problem->segments == NULL) return false;
    for (int i = 0; i < problem->design->log_count; ++i)
        if (!cut_log(problem, i, network)) return false;
    return true;
}

// ---- beginnings -----------------------------------------------------------------------------------------------

static bool is_state(const StiNetwork *network, const char *channel)
{
    StiState *state = sti_state_create(network);
    const int number = sti_network_channel_find(network, channel);
    const bool is =
        state != NULL && number >= 0 && sti_state_edit_channel(state, network, number) != NULL;
    sti_state_destroy(state);
    return is;
}

static int find_channel(const StiFitDesign *design, const char *name)
{
    for (int i = 0; i < design->channel_count; ++i)
        if (strcmp(design->channels[i].channel, name) == 0) return i;
    return -1;
}

char *problem_rate_of(const char *channel)
{
    static const char *const pairs[][2] = {{".x", ".v"},
                                           {".q", ".qd"},
                                           {".y", ".vy"},
                                           {".z", ".vz"}};
    const size_t length = strlen(channel);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        const size_t end = strlen(pairs[i][0]);
        if (length <= end || strcmp(channel + length - end, pairs[i][0]) != 0) continue;
        char *name = malloc(length + 4);
        if (name != NULL)
            snprintf(name, length + 4, "%.*s%s", (int)(length - end), channel, pairs[i][1]);
        return name;
    }
    return NULL;
}

static int slope_source(const StiFitDesign *design, const char *channel)
{
    for (int i = 0; i < design->channel_count; ++i) {
        char *rate = problem_rate_of(design->channels[i].channel);
        const bool same = rate != NULL && strcmp(rate, channel) == 0;
        free(rate);
        if (same) return i;
    }
    return -1;
}

static bool begins_already(const Problem *problem, const char *channel)
{
    for (int i = 0; i < problem->beginning_count; ++i)
        if (strcmp(problem->beginnings[i].channel, channel) == 0) return true;
    return false;
}

static void add_beginning(Problem *problem, const char *channel, StiFitStartFrom from,
                          StiFitNumber number, bool asked)
{
    problem->beginnings[problem->beginning_count++] =
        (Beginning){.channel = channel,
                    .from = from,
                    .number = number,
                    .asked = asked,
                    .value_of = find_channel(problem->design, channel),
                    .slope_of = slope_source(problem->design, channel)};
}

// What the scene names; then measured numbers of the state; in windows their rates, too.
static bool find_beginnings(Problem *problem, const StiNetwork *network)
{
    const StiFitDesign *design = problem->design;
    const StiFitNumber none = {false, NAN, -INFINITY, INFINITY};
    problem->beginnings = calloc((size_t)(design->start_count + 2 * design->channel_count) + 1,
                                 sizeof *problem->beginnings);
    if (problem->beginnings == NULL) return false;
    for (int i = 0; i < design->start_count; ++i) {
        const StiFitStart *start = &design->starts[i];
        if (!is_state(network, start->channel))
            return fail(problem, "start: '%s' is no number of the state that could be given",
                        start->channel);
        add_beginning(problem, start->channel, start->from, start->number, true);
        const Beginning *added = &problem->beginnings[problem->beginning_count - 1];
        if (start->from == STI_START_MEASURED && added->value_of < 0 && added->slope_of < 0)
            return fail(problem, "start: '%s' is not measured: map it, or make it free",
                        start->channel);
    }
    for (int i = 0; i < design->channel_count; ++i)
        if (!begins_already(problem, design->channels[i].channel) &&
            is_state(network, design->channels[i].channel))
            add_beginning(problem, design->channels[i].channel, STI_START_MEASURED, none, false);
    for (int i = 0; i < design->channel_count && design->window > 0.0; ++i) {
        char *rate = problem_rate_of(design->channels[i].channel);
        StiChannel about;
        const int number = rate != NULL ? sti_network_channel_find(network, rate) : -1;
        if (number >= 0 && !begins_already(problem, rate) && is_state(network, rate) &&
            sti_network_channel(network, number, &about)) {
            problem->kept_names[i] = rate;
            add_beginning(problem, rate, STI_START_MEASURED, none, false);
            continue;
        }
        free(rate);
    }
    return true;
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
        return fail(problem, "%s has no start: give bounds (from, to) or a start", parameter->name);
    if (value == 0.0 && !bounded)
        return fail(problem,
                    "%s is 0 and has no bounds: its size is not known; give bounds or a start",
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

// The parabola through the rows around a place: its value and its slope there.
static void parabola(const Log *log, const double *x, int at, double *value, double *slope)
{
    enum { AROUND = 12 };
    const int from = at > AROUND ? at - AROUND : 0,
              to = at + AROUND < log->rows ? at + AROUND : log->rows - 1;
    const double scale = log->t[to] - log->t[from];
    double s[5] = {0}, b[3] = {0};
    for (int k = from; k <= to; ++k) {
        const double t = (log->t[k] - log->t[at]) / scale;
        double power = 1.0;
        for (int i = 0; i < 5; ++i, power *= t) {
            s[i] += power;
            if (i < 3) b[i] += power * x[k];
        }
    }
    const double c0 = s[2] * s[4] - s[3] * s[3], c1 = s[1] * s[4] - s[2] * s[3],
                 c2 = s[1] * s[3] - s[2] * s[2];
    const double det = s[0] * c0 - s[1] * c1 + s[2] * c2;
    *value =
        (b[0] * c0 - s[1] * (b[1] * s[4] - b[2] * s[3]) + s[2] * (b[1] * s[3] - b[2] * s[2])) / det;
    *slope = (s[0] * (b[1] * s[4] - b[2] * s[3]) - b[0] * c1 + s[2] * (s[1] * b[2] - s[2] * b[1])) /
             det / scale;
}

double problem_measured_start(const Problem *problem, const Beginning *beginning,
                              const Segment *segment)
{
    const Measured *measured = &problem->fit->logs[segment->log];
    double value, slope;
    if (beginning->value_of >= 0) {
        const double *x = measured->channels[beginning->value_of], raw = x[segment->first];
        parabola(&measured->log, x, segment->first, &value, &slope);
        // One row alone has all its noise; where the rows around it show something else than noise, it is right.
        return fabs(value - raw) <= 3.0 * measured->noise[beginning->value_of] ? value : raw;
    }
    if (beginning->slope_of < 0) return NAN;
    parabola(&measured->log, measured->channels[beginning->slope_of], segment->first, &value,
             &slope);
    return slope;
}

bool problem_starts_as_scene(const Problem *problem, const Beginning *beginning,
                             const Segment *segment, double value)
{
    const Measured *measured = &problem->fit->logs[segment->log];
    if (beginning->asked || segment->first > 0 || beginning->value_of < 0) return false;
    const double *x = measured->channels[beginning->value_of];
    return fabs(x[0] - value) <= 4.0 * measured->noise[beginning->value_of];
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
            return fail(problem,
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
                      cut_logs(problem, scene->network) &&
                      find_beginnings(problem, scene->network) && find_parameters(problem, scene);
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
    if (!good && problem->reason[0] == '\0') fail(problem, "%s", "out of memory");
    if (good && problem->count == 0)
        return fail(problem, "%s", "nothing is free: name parameters under free");
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
