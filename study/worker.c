// One run of a study after the other.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "design.h"
#include "stiction/adaptive.h"
#include "worker.h"

StiStudyWorker *sti_study_worker_create(const StiStudy *study)
{
    const StiDesign *design = study->scene->study;
    StiStudyWorker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) return NULL;
    worker->study = study;
    worker->values = calloc(STI_LANES * (size_t)design->varied_count, sizeof *worker->values);
    worker->measures = calloc(STI_LANES * (size_t)design->measure_count, sizeof *worker->measures);
    StiMessages *ignored = sti_messages_create();
    if (study->direct && ignored != NULL) worker->scene = study_load_scene(study, NULL, ignored);
    sti_messages_destroy(ignored);
    if (worker->values != NULL && worker->measures != NULL &&
        (worker->scene != NULL) == study->direct)
        return worker;
    sti_study_worker_destroy(worker);
    return NULL;
}

void sti_study_worker_destroy(StiStudyWorker *worker)
{
    if (worker == NULL) return;
    sti_scene_destroy(worker->scene);
    free(worker->values);
    free(worker->measures);
    free(worker);
}

void sti_study_worker_watch(StiStudyWorker *worker, bool (*stop)(void *context), void *context)
{
    worker->stop = stop;
    worker->context = context;
}

StiStudyRow *study_row_begin(StiStudyWorker *worker, int place, int64_t run)
{
    const StiDesign *design = worker->study->scene->study;
    StiStudyRow *row = &worker->rows[place];
    double *values = worker->values + place * design->varied_count;
    double *measures = study_row_measures(worker, place);
    *row = (StiStudyRow){.run = run, .values = values, .measures = measures};
    sti_study_values(worker->study, run, values);
    for (int i = 0; i < design->measure_count; ++i) measures[i] = NAN;
    return row;
}

double *study_row_measures(StiStudyWorker *worker, int place)
{
    return worker->measures + place * worker->study->scene->study->measure_count;
}

void study_row_end(StiStudyRow *row, StiStatus status)
{
    row->status = status;
    if (status != STI_OK && row->reason[0] == '\0')
        snprintf(row->reason, STI_REASON_SIZE, "%s", sti_status_text(status));
}

// ---- one run ------------------------------------------------------------------------------------------------

// What a run needs, from its network on.
typedef struct Run {
    StiStudyWorker *worker;
    const StiScene *scene;
    const StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive;
    StiMeasurement **measurements;
    int measurement_count;
    int64_t unsolved; // steps in which contacts had no answer
    const char *unsolved_at;
} Run;

static void look_at_event(void *context, double t, const StiState *state, const StiScratch *scratch)
{
    Run *run = context;
    if (sti_recorder_sample_event(run->recorder, state, t, scratch) != STI_OK) return;
    for (int i = 0; i < run->measurement_count; ++i)
        if (run->worker->study->scene->study->measures[i].measure == STI_MEASURE_WHEN)
            sti_measurement_event(run->measurements[i], t, run->recorder);
}

static StiAdaptive *follow(Run *run)
{
    StiAdaptiveOptions options = *run->scene->adaptive;
    options.at_event = look_at_event;
    options.context = run;
    return sti_adaptive_create(run->network, &options, NULL);
}

static bool begin(Run *run)
{
    const StiDesign *design = run->worker->study->scene->study;
    run->state = sti_state_create(run->network);
    run->scratch = sti_scratch_create(run->network);
    run->recorder = sti_recorder_create(run->network);
    run->measurements = calloc((size_t)design->measure_count, sizeof *run->measurements);
    if (run->state == NULL || run->scratch == NULL || run->recorder == NULL ||
        run->measurements == NULL)
        return false;
    run->measurement_count = design->measure_count;
    for (int i = 0; i < design->measure_count; ++i) {
        run->measurements[i] = sti_measurement_create(run->network, &design->measures[i]);
        if (run->measurements[i] == NULL) return false;
    }
    if (run->worker->stop != NULL)
        sti_scratch_watch(run->scratch, run->worker->stop, run->worker->context);
    if (run->scene->adaptive != NULL) run->adaptive = follow(run);
    return run->scene->adaptive == NULL || run->adaptive != NULL;
}

static void end(Run *run)
{
    for (int i = 0; i < run->measurement_count; ++i) sti_measurement_destroy(run->measurements[i]);
    free(run->measurements);
    sti_adaptive_destroy(run->adaptive);
    sti_recorder_destroy(run->recorder);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
}

static void measure(Run *run)
{
    const int64_t k = sti_state_k(run->state);
    const double t = sti_network_time(run->network, k);
    for (int i = 0; i < run->measurement_count; ++i)
        sti_measurement_row(run->measurements[i], k, t, run->recorder);
}

static StiStatus step(Run *run)
{
    StiStatus status = run->adaptive != NULL
                           ? sti_adaptive_step(run->adaptive, NULL, run->state, run->scratch)
                           : sti_run(run->network, NULL, run->state, run->scratch, 1);
    if (status == STI_OK) status = sti_recorder_follow(run->recorder, run->state, run->scratch);
    if (status != STI_OK) return status;
    const StiStepFigures figures = sti_scratch_figures(run->scratch);
    if (figures.unsolved > 0 && run->unsolved++ == 0) run->unsolved_at = figures.unsolved_at;
    measure(run);
    return sti_recorder_runaway(run->recorder) != NULL ? STI_RUNS_AWAY : STI_OK;
}

static StiStatus simulate(Run *run)
{
    const StiStudyWorker *worker = run->worker;
    StiStatus status = sti_recorder_begin(run->recorder, run->state, NULL, run->scratch);
    if (status == STI_OK) measure(run);
    for (int64_t k = 0; k < run->scene->steps && status == STI_OK; ++k) {
        if (worker->stop != NULL && worker->stop(worker->context)) return STI_INTERRUPTED;
        status = step(run);
    }
    return status;
}

void study_explain(const StiFault *fault, StiStatus status, char *reason)
{
    const char *component = fault->component != NULL ? fault->component : "";
    const char *what = fault->what != NULL ? fault->what : "";
    snprintf(reason, STI_REASON_SIZE, "t = %.9g s: %s%s%s%s%s", fault->t, sti_status_text(status),
             component[0] != '\0' ? ", in " : "", component, what[0] != '\0' ? ": " : "", what);
}

bool study_is_solved(const StiScene *scene, int64_t unsolved, const char *where, char *reason)
{
    if (1000 * unsolved <= scene->steps) return true;
    snprintf(reason, STI_REASON_SIZE, "contacts had no answer in %lld of %lld steps, first in %s",
             (long long)unsolved, (long long)scene->steps, where != NULL ? where : "?");
    return false;
}

StiStatus study_simulate(StiStudyWorker *worker, int place, const StiScene *scene,
                         const StiNetwork *network)
{
    Run run = {.worker = worker, .scene = scene, .network = network};
    char *reason = worker->rows[place].reason;
    double *measures = study_row_measures(worker, place);
    StiStatus status = STI_OUT_OF_MEMORY;
    if (begin(&run)) {
        status = simulate(&run);
        const StiFault *runaway = sti_recorder_runaway(run.recorder);
        if (status != STI_OK)
            study_explain(runaway != NULL ? runaway : sti_scratch_fault(run.scratch), status,
                          reason);
        else if (!study_is_solved(scene, run.unsolved, run.unsolved_at, reason))
            status = STI_REACTIONS_UNSOLVED;
        for (int i = 0; i < run.measurement_count && status == STI_OK; ++i)
            measures[i] = sti_measurement_value(run.measurements[i]);
    } else {
        snprintf(reason, STI_REASON_SIZE, "%s", sti_status_text(status));
    }
    end(&run);
    return status;
}

// ---- parameters ---------------------------------------------------------------------------------------------

static void explain_plan(const StiPlan *plan, StiStatus status, char *reason)
{
    const StiReport *report = sti_plan_findings(plan);
    for (int i = 0; report != NULL && i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity != STI_ERROR) continue;
        snprintf(reason, STI_REASON_SIZE, "%.40s%s%.40s: %.100s", finding->component,
                 finding->parameter[0] != '\0' ? "." : "", finding->parameter, finding->text);
        return;
    }
    snprintf(reason, STI_REASON_SIZE, "%s", sti_status_text(status));
}

StiStatus study_compile(StiStudyWorker *worker, StiStudyRow *row, StiNetwork **network)
{
    const StiDesign *design = worker->study->scene->study;
    StiPlan *plan = worker->scene->plan;
    StiStatus status = STI_OK;
    for (int i = 0; i < design->varied_count && status == STI_OK; ++i) {
        status = sti_plan_set(plan, design->varied[i].path, row->values[i]);
        if (status != STI_OK)
            snprintf(row->reason, STI_REASON_SIZE, "%s = %.9g: %s", design->varied[i].path,
                     row->values[i], sti_status_text(status));
    }
    if (status != STI_OK) return status;
    status = sti_plan_compile(plan, NULL, network);
    if (status != STI_OK) explain_plan(plan, status, row->reason);
    return status;
}

static StiStatus run_directly(StiStudyWorker *worker, StiStudyRow *row)
{
    StiNetwork *network = NULL;
    StiStatus status = study_compile(worker, row, &network);
    if (status == STI_OK) status = study_simulate(worker, 0, worker->scene, network);
    sti_network_destroy(network);
    return status;
}

static StiStatus run_from_file(StiStudyWorker *worker, StiStudyRow *row)
{
    StiMessages *messages = sti_messages_create();
    StiStatus status = STI_BAD_ARGUMENT;
    if (messages == NULL) return STI_OUT_OF_MEMORY;
    StiScene *scene = study_load_scene(worker->study, row->values, messages);
    if (scene != NULL) {
        status = study_simulate(worker, 0, scene, scene->network);
    } else {
        for (int i = 0; i < sti_messages_count(messages); ++i) {
            const StiMessage *message = sti_messages_at(messages, i);
            if (message->severity != STI_ERROR) continue;
            snprintf(row->reason, STI_REASON_SIZE, "%s", message->text);
            break;
        }
    }
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    return status;
}

const StiStudyRow *sti_study_worker_run(StiStudyWorker *worker, int64_t run)
{
    StiStudyRow *row = study_row_begin(worker, 0, run);
    study_row_end(row,
                  worker->study->direct ? run_directly(worker, row) : run_from_file(worker, row));
    return row;
}
