#include "curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 4000, MOST_ELEMENTS = 8 };

// The channels of the design stay where they are; those that are looked at come after them.
typedef struct Look {
    StiFitDesign design;
    Problem problem;
    StiFitChannel *channels;
    char (*names)[FIT_TEXT];
    int first; // the velocity; then force and load of each element
} Look;

static bool has_channel(const StiFit *fit, const char *name)
{
    return sti_network_channel_find(fit->scene->network, name) >= 0;
}

static int add_channel(Look *look, const char *name)
{
    const int place = look->design.channel_count++;
    snprintf(look->names[place], FIT_TEXT, "%s", name);
    look->channels[place] = (StiFitChannel){.channel = look->names[place], .gain = {.value = 1.0}};
    return place;
}

static bool find_velocity(Look *look, const StiFit *fit)
{
    const StiFitDesign *design = fit->scene->fit;
    for (int i = 0; i < design->channel_count; ++i) {
        char *rate = problem_rate_of(design->channels[i].channel);
        const bool found = rate != NULL && has_channel(fit, rate);
        if (found) look->first = add_channel(look, rate);
        free(rate);
        if (found) return true;
    }
    return false;
}

static bool look_open(Look *look, const Problem *problem)
{
    const StiFitDesign *design = problem->design;
    const size_t room = (size_t)design->channel_count + 2 * MOST_ELEMENTS + 2;
    *look = (Look){.design = *design, .problem = *problem};
    look->channels = calloc(room, sizeof *look->channels);
    look->names = calloc(room, sizeof *look->names);
    if (look->channels == NULL || look->names == NULL) return false;
    memcpy(look->channels, design->channels,
           (size_t)design->channel_count * sizeof *look->channels);
    look->design.channels = look->channels;
    look->problem.design = &look->design;
    return true;
}

static bool keep_points(const Look *look, int segment, const double *trajectory, int force,
                        int load, int every, Curve *curve)
{
    const int64_t steps = look->problem.segments[segment].steps;
    const int width = look->design.channel_count;
    for (int64_t k = 1; k <= steps; k += every) {
        const double *row = trajectory + k * width;
        curve->velocity[curve->count] = row[look->first];
        curve->force[curve->count] = row[force];
        if (curve->load != NULL) curve->load[curve->count] = row[load];
        ++curve->count;
    }
    return true;
}

static int64_t all_steps(const Problem *problem)
{
    int64_t steps = 0;
    for (int s = 0; s < problem->segment_count; ++s) steps += problem->segments[s].steps;
    return steps;
}

static bool curve_open(Curve *curve, const char *element, size_t room, bool load)
{
    *curve = (Curve){.element = strdup(element),
                     .velocity = calloc(room, sizeof(double)),
                     .force = calloc(room, sizeof(double)),
                     .load = load ? calloc(room, sizeof(double)) : NULL};
    return curve->element != NULL && curve->velocity != NULL && curve->force != NULL;
}

static StiChannel channel_of(const StiFit *fit, const char *name)
{
    StiChannel channel = {.unit = ""};
    sti_network_channel(fit->scene->network, sti_network_channel_find(fit->scene->network, name),
                        &channel);
    return channel;
}

// Simulates everything once more with the channels of friction.
static bool fill(Look *look, Engine *engine, const double *values, const int *forces,
                 const int *loads, Curve *curves, int count)
{
    const int64_t steps = all_steps(&look->problem);
    const int every = (int)(steps / MOST_POINTS) + 1;
    Simulator *simulator =
        simulator_create(&look->problem, engine->task->stop, engine->task->context);
    bool good = simulator != NULL;
    for (int s = 0; good && s < look->problem.segment_count; ++s) {
        const size_t size =
            (size_t)(look->problem.segments[s].steps + 1) * (size_t)look->design.channel_count;
        double *trajectory = calloc(size, sizeof *trajectory);
        good = trajectory != NULL && simulate(simulator, s, values, trajectory) == STI_OK;
        for (int e = 0; good && e < count; ++e)
            keep_points(look, s, trajectory, forces[e], loads[e], every, &curves[e]);
        free(trajectory);
    }
    simulator_destroy(simulator);
    return good;
}

Curve *curves_find(Engine *engine, const double *values, int *count)
{
    const StiFit *fit = engine->problem->fit;
    const size_t room =
        (size_t)all_steps(engine->problem) + (size_t)engine->problem->segment_count + 1;
    Look look;
    Curve *curves = calloc(MOST_ELEMENTS, sizeof *curves);
    int forces[MOST_ELEMENTS], loads[MOST_ELEMENTS];
    *count = 0;
    bool good = curves != NULL && look_open(&look, engine->problem) && find_velocity(&look, fit);
    for (int e = 0; good && e < fit->scene->friction_count && *count < MOST_ELEMENTS; ++e) {
        char force[FIT_TEXT], load[FIT_TEXT];
        snprintf(force, sizeof force, "%s.force", fit->scene->friction[e]);
        snprintf(load, sizeof load, "%s.load", fit->scene->friction[e]);
        if (!has_channel(fit, force)) continue;
        forces[*count] = add_channel(&look, force);
        loads[*count] = has_channel(fit, load) ? add_channel(&look, load) : -1;
        good = curve_open(&curves[*count], fit->scene->friction[e], room, loads[*count] >= 0);
        curves[*count].velocity_channel = channel_of(fit, look.names[look.first]);
        curves[*count].force_channel = channel_of(fit, force);
        curves[*count].load_channel = channel_of(fit, load);
        ++*count;
    }
    if (curves != NULL) {
        good = good && fill(&look, engine, values, forces, loads, curves, *count);
        free(look.channels);
        free(look.names);
    }
    if (good) return curves;
    curves_release(curves, *count);
    *count = 0;
    return NULL;
}

void curves_release(Curve *curves, int count)
{
    for (int i = 0; i < count; ++i) {
        free(curves[i].element);
        free(curves[i].velocity);
        free(curves[i].force);
        free(curves[i].load);
    }
    free(curves);
}
