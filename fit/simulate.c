// One simulation of one segment.
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sensor.h"
#include "stiction/adaptive.h"

// What one thread keeps of a log's scene: networks are made anew only where parameters have changed.
typedef struct Kept {
    StiScene *scene;
    StiNetwork *network; // NULL: that of the scene
    double *values;      // with which it was made
    bool ready;
    int *channels; // of the design, in this network
    bool records;  // some of them need a recorder
} Kept;

struct Simulator {
    const Problem *problem;
    Kept *kept; // of each log
    char reason[FIT_TEXT];
    bool (*stop)(void *context);
    void *context;
};

Simulator *simulator_create(const Problem *problem, bool (*stop)(void *context), void *context)
{
    Simulator *simulator = calloc(1, sizeof *simulator);
    if (simulator == NULL) return NULL;
    *simulator = (Simulator){.problem = problem, .stop = stop, .context = context};
    simulator->kept = calloc((size_t)problem->design->log_count + 1, sizeof *simulator->kept);
    if (simulator->kept != NULL) return simulator;
    free(simulator);
    return NULL;
}

static void release(Kept *kept)
{
    sti_network_destroy(kept->network);
    sti_scene_destroy(kept->scene);
    free(kept->values);
    free(kept->channels);
    *kept = (Kept){0};
}

void simulator_destroy(Simulator *simulator)
{
    if (simulator == NULL) return;
    for (int i = 0; i < simulator->problem->design->log_count; ++i) release(&simulator->kept[i]);
    free(simulator->kept);
    free(simulator);
}

const char *simulator_reason(const Simulator *simulator) { return simulator->reason; }

static StiStatus fail(Simulator *simulator, StiStatus status, const char *text)
{
    snprintf(simulator->reason, sizeof simulator->reason, "%s", text);
    return status;
}

// ---- the network of these values -----------------------------------------------------------------------------

static StiStatus explain_plan(Simulator *simulator, const StiPlan *plan, StiStatus status)
{
    const StiReport *report = sti_plan_findings(plan);
    for (int i = 0; report != NULL && i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity != STI_ERROR) continue;
        snprintf(simulator->reason, sizeof simulator->reason, "%s%s%s is refused",
                 finding->component, finding->parameter[0] != '\0' ? "." : "", finding->parameter);
        return status;
    }
    return fail(simulator, status, sti_status_text(status));
}

static StiStatus read_anew(Simulator *simulator, int log, const double *values, Kept *kept)
{
    StiMessages *messages = sti_messages_create();
    if (messages == NULL) return fail(simulator, STI_OUT_OF_MEMORY, "out of memory");
    sti_scene_destroy(kept->scene);
    kept->scene = problem_load(simulator->problem, log, values, messages);
    StiStatus status = STI_OK;
    if (kept->scene == NULL) {
        status = fail(simulator, STI_BAD_PLAN, "the scene is refused with these values");
        for (int i = 0; i < sti_messages_count(messages); ++i)
            if (sti_messages_at(messages, i)->severity == STI_ERROR) {
                fail(simulator, STI_BAD_PLAN, sti_messages_at(messages, i)->text);
                break;
            }
    }
    sti_messages_destroy(messages);
    return status;
}

static StiStatus set_directly(Simulator *simulator, const double *values, Kept *kept)
{
    const Problem *problem = simulator->problem;
    StiPlan *plan = kept->scene->plan;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        if (parameter->part != STI_FIT_PARAMETER) continue;
        const StiStatus status = sti_plan_set(plan, parameter->path, values[i]);
        if (status != STI_OK) return fail(simulator, status, sti_status_text(status));
    }
    sti_network_destroy(kept->network);
    kept->network = NULL;
    const StiStatus status = sti_plan_compile(plan, NULL, &kept->network);
    return status == STI_OK ? STI_OK : explain_plan(simulator, plan, status);
}

static const StiNetwork *network_of(const Kept *kept)
{
    return kept->network != NULL ? kept->network : kept->scene->network;
}

static StiStatus find_channels(Simulator *simulator, Kept *kept)
{
    const StiFitDesign *design = simulator->problem->design;
    const StiNetwork *network = network_of(kept);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    int64_t done;
    if (kept->channels == NULL)
        kept->channels = calloc((size_t)design->channel_count + 1, sizeof *kept->channels);
    StiStatus status =
        state != NULL && scratch != NULL && kept->channels != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    for (int i = 0; status == STI_OK && i < design->channel_count; ++i) {
        kept->channels[i] = sti_network_channel_find(network, design->channels[i].channel);
        if (kept->channels[i] < 0)
            status =
                fail(simulator, STI_BAD_ARGUMENT, "this model has no channel that is measured");
    }
    if (status == STI_OK) {
        double unused[1];
        const StiRollout none = {.channels = kept->channels,
                                 .channel_count = design->channel_count,
                                 .out = unused};
        kept->records = kept->scene->adaptive != NULL ||
                        sti_rollout(network, &none, state, scratch, &done) != STI_OK;
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return status;
}

// Parameters of the scene; others do not change the network.
static bool same_values(const Problem *problem, const double *a, const double *b)
{
    for (int i = 0; i < problem->count; ++i)
        if (problem->parameters[i].part == STI_FIT_PARAMETER &&
            memcmp(&a[i], &b[i], sizeof a[i]) != 0)
            return false;
    return true;
}

static StiStatus prepare(Simulator *simulator, int log, const double *values, Kept *kept)
{
    const Problem *problem = simulator->problem;
    if (kept->ready && same_values(problem, kept->values, values)) return STI_OK;
    kept->ready = false;
    if (kept->values == NULL)
        kept->values = calloc((size_t)problem->count + 1, sizeof *kept->values);
    if (kept->values == NULL) return fail(simulator, STI_OUT_OF_MEMORY, "out of memory");
    StiStatus status = STI_OK;
    if (kept->scene == NULL || !problem->direct)
        status = read_anew(simulator, log, problem->direct ? NULL : values, kept);
    if (status == STI_OK && problem->direct) status = set_directly(simulator, values, kept);
    if (status == STI_OK) status = find_channels(simulator, kept);
    if (status != STI_OK) return status;
    memcpy(kept->values, values, (size_t)problem->count * sizeof *values);
    kept->ready = true;
    return STI_OK;
}

// ---- where it begins -------------------------------------------------------------------------------------------

static double start_value(const Problem *problem, int beginning, int segment, const double *values)
{
    const Beginning *of = &problem->beginnings[beginning];
    for (int i = 0; of->from == STI_START_FREE && i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        if (parameter->part == STI_FIT_START && parameter->channel == beginning &&
            parameter->segment == segment)
            return values[i];
    }
    if (of->from == STI_START_FIXED) return of->number.value;
    const double measured = problem_measured_start(problem, of, &problem->segments[segment]);
    if (of->value_of >= 0) {
        const Sensor sensor = sensor_of(problem, of->value_of, values);
        return (measured - sensor.offset) / sensor.gain;
    }
    return measured / sensor_of(problem, of->slope_of, values).gain;
}

static bool begin(const Problem *problem, int segment, const double *values,
                  const StiNetwork *network, StiState *state)
{
    for (int i = 0; i < problem->beginning_count; ++i) {
        const int channel = sti_network_channel_find(network, problem->beginnings[i].channel);
        double *number = channel >= 0 ? sti_state_edit_channel(state, network, channel) : NULL;
        if (number == NULL) return false;
        if (!problem_starts_as_scene(problem, &problem->beginnings[i], &problem->segments[segment],
                                     *number))
            *number = start_value(problem, i, segment, values);
    }
    return true;
}

// ---- the steps -----------------------------------------------------------------------------------------------

typedef struct Tools {
    const StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive;
} Tools;

static void first_row(const Kept *kept, const Tools *tools, int count, double *row)
{
    for (int i = 0; i < count; ++i)
        row[i] = tools->recorder != NULL
                     ? sti_recorder_value(tools->recorder, kept->channels[i])
                     : *sti_state_edit_channel(tools->state, tools->network, kept->channels[i]);
}

static StiStatus roll_adaptively(const StiRollout *rollout, const Tools *tools, int inputs)
{
    StiStatus status = STI_OK;
    for (int64_t k = 0; status == STI_OK && k < rollout->rows; ++k) {
        status = sti_adaptive_step(tools->adaptive, rollout->inputs + k * inputs, tools->state,
                                   tools->scratch);
        if (status == STI_OK)
            status = sti_recorder_follow(tools->recorder, tools->state, tools->scratch);
        for (int i = 0; status == STI_OK && i < rollout->channel_count; ++i)
            rollout->out[k * rollout->channel_count + i] =
                sti_recorder_value(tools->recorder, rollout->channels[i]);
    }
    return status;
}

static StiStatus roll(const Problem *problem, const Kept *kept, const Segment *segment,
                      const Tools *tools, double *trajectory)
{
    const int channels = problem->design->channel_count;
    const StiRollout rollout = {.rows = segment->steps,
                                .inputs = segment->inputs,
                                .channels = kept->channels,
                                .channel_count = channels,
                                .out = trajectory + channels,
                                .recorder = tools->recorder};
    int64_t done;
    StiStatus status = STI_OK;
    if (tools->recorder != NULL)
        status = sti_recorder_begin(tools->recorder, tools->state, segment->inputs, tools->scratch);
    if (status != STI_OK) return status;
    first_row(kept, tools, channels, trajectory);
    if (tools->adaptive != NULL) return roll_adaptively(&rollout, tools, problem->input_count);
    return sti_rollout(tools->network, &rollout, tools->state, tools->scratch, &done);
}

static StiStatus open_tools(const Kept *kept, Tools *tools)
{
    tools->network = network_of(kept);
    tools->state = sti_state_create(tools->network);
    tools->scratch = sti_scratch_create(tools->network);
    tools->recorder = kept->records ? sti_recorder_create(tools->network) : NULL;
    tools->adaptive = kept->scene->adaptive != NULL
                          ? sti_adaptive_create(tools->network, kept->scene->adaptive, NULL)
                          : NULL;
    const bool good = tools->state != NULL && tools->scratch != NULL &&
                      (tools->recorder != NULL) == kept->records &&
                      (tools->adaptive != NULL) == (kept->scene->adaptive != NULL);
    return good ? STI_OK : STI_OUT_OF_MEMORY;
}

static void close_tools(Tools *tools)
{
    sti_adaptive_destroy(tools->adaptive);
    sti_recorder_destroy(tools->recorder);
    sti_scratch_destroy(tools->scratch);
    sti_state_destroy(tools->state);
}

// Without the time: reasons are counted.
static StiStatus explain(Simulator *simulator, const Tools *tools, StiStatus status)
{
    const StiFault *fault = tools->scratch != NULL ? sti_scratch_fault(tools->scratch) : NULL;
    const bool known = fault != NULL && fault->component != NULL && fault->component[0] != '\0';
    snprintf(simulator->reason, sizeof simulator->reason, "%s%s%s", sti_status_text(status),
             known ? ", in " : "", known ? fault->component : "");
    return status;
}

StiStatus simulate(Simulator *simulator, int segment, const double *values, double *trajectory)
{
    const Problem *problem = simulator->problem;
    const Segment *of = &problem->segments[segment];
    Kept *kept = &simulator->kept[of->log];
    Tools tools = {0};
    StiStatus status = prepare(simulator, of->log, values, kept);
    if (status != STI_OK) return status;
    status = open_tools(kept, &tools);
    if (status == STI_OK) {
        if (simulator->stop != NULL)
            sti_scratch_watch(tools.scratch, simulator->stop, simulator->context);
        if (!begin(problem, segment, values, tools.network, tools.state)) status = STI_BAD_ARGUMENT;
    }
    if (status == STI_OK) status = roll(problem, kept, of, &tools, trajectory);
    if (status != STI_OK) explain(simulator, &tools, status);
    const int64_t size = (of->steps + 1) * problem->design->channel_count;
    for (int64_t i = 0; status == STI_OK && i < size; ++i)
        if (!isfinite(trajectory[i]))
            status = fail(simulator, STI_NOT_FINITE, "a channel is not finite");
    close_tools(&tools);
    return status;
}

// ---- set or read ---------------------------------------------------------------------------------------------

bool simulator_may_set(const Problem *problem)
{
    static const double away = 1.013; // values that the scene does not have
    Problem direct = *problem, read = *problem;
    direct.direct = true, read.direct = false;
    const Segment *segment = &problem->segments[0];
    const size_t size = (size_t)(segment->steps + 1) * (size_t)problem->design->channel_count;
    double *values = calloc((size_t)problem->count + 1, sizeof *values);
    double *a = calloc(size, sizeof *a), *b = calloc(size, sizeof *b);
    Simulator *one = simulator_create(&direct, NULL, NULL),
              *other = simulator_create(&read, NULL, NULL);
    bool same = values != NULL && a != NULL && b != NULL && one != NULL && other != NULL;
    for (int i = 0; same && i < problem->count; ++i) {
        const Transform *t = &problem->parameters[i].transform;
        values[i] = transform_value(t, transform_inverse(t, problem->parameters[i].start * away));
        double there;
        same = problem->parameters[i].part != STI_FIT_PARAMETER ||
               sti_plan_get(problem->fit->scene->plan, problem->parameters[i].path, &there) ==
                   STI_OK ||
               problem->plan.set_count > 0;
    }
    same = same && simulate(one, 0, values, a) == STI_OK &&
           simulate(other, 0, values, b) == STI_OK && memcmp(a, b, size * sizeof *a) == 0;
    simulator_destroy(one);
    simulator_destroy(other);
    free(values);
    free(a);
    free(b);
    return same;
}
