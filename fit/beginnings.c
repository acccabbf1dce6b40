// Where segments begin: numbers of the state that are given, measured, or free.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"

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
bool problem_find_beginnings(Problem *problem, const StiNetwork *network)
{
    const StiFitDesign *design = problem->design;
    const StiFitNumber none = {false, NAN, -INFINITY, INFINITY};
    problem->beginnings = calloc((size_t)(design->start_count + 2 * design->channel_count) + 1,
                                 sizeof *problem->beginnings);
    if (problem->beginnings == NULL) return false;
    for (int i = 0; i < design->start_count; ++i) {
        const StiFitStart *start = &design->starts[i];
        if (!is_state(network, start->channel))
            return problem_fail(problem,
                                "start: '%s' is no number of the state that could be given",
                                start->channel);
        add_beginning(problem, start->channel, start->from, start->number, true);
        const Beginning *added = &problem->beginnings[problem->beginning_count - 1];
        if (start->from == STI_START_MEASURED && added->value_of < 0 && added->slope_of < 0)
            return problem_fail(problem, "start: '%s' is not measured: map it, or make it free",
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
