// Runs of a study side by side.
#include <stdlib.h>

#include "worker.h"

typedef struct Together {
    StiStudyWorker *worker;
    StiLanes *lanes;
    const int *places;             // of the rows
    StiMeasurement **measurements; // run by run
    int count, measure_count;
} Together;

static StiMeasurement **measurements_of(const Together *t, int lane)
{
    return t->measurements + lane * t->measure_count;
}

static bool begin(Together *t, StiNetwork *const *networks)
{
    const StiDesign *design = t->worker->study->scene->study;
    t->measure_count = design->measure_count;
    t->measurements = calloc((size_t)(t->count * t->measure_count) + 1, sizeof *t->measurements);
    if (t->measurements == NULL) return false;
    for (int lane = 0; lane < t->count; ++lane)
        for (int i = 0; i < t->measure_count; ++i) {
            StiMeasurement **place = &measurements_of(t, lane)[i];
            *place = sti_measurement_create(networks[lane], &design->measures[i]);
            if (*place == NULL) return false;
        }
    return true;
}

static void end(Together *t)
{
    for (int i = 0; t->measurements != NULL && i < t->count * t->measure_count; ++i)
        sti_measurement_destroy(t->measurements[i]);
    free(t->measurements);
    sti_lanes_destroy(t->lanes);
}

// The row of a run is read only where a measure counts it.
static void measure(const Together *t, const StiNetwork *network, int64_t k)
{
    const double time = sti_network_time(network, k);
    for (int lane = 0; lane < t->count; ++lane) {
        StiMeasurement **measurements = measurements_of(t, lane);
        if (sti_lanes_status(t->lanes, lane) != STI_OK) continue;
        for (int i = 0; i < t->measure_count; ++i)
            if (sti_measurement_counts(measurements[i], k))
                sti_measurement_row(measurements[i], k, time, sti_lanes_recorder(t->lanes, lane));
    }
}

static bool any_is_left(const Together *t)
{
    for (int lane = 0; lane < t->count; ++lane)
        if (sti_lanes_status(t->lanes, lane) == STI_OK) return true;
    return false;
}

// False: interrupted.
static bool simulate(Together *t, const StiNetwork *network)
{
    const StiStudyWorker *worker = t->worker;
    sti_lanes_begin(t->lanes);
    measure(t, network, 0);
    for (int64_t k = 1; k <= worker->scene->steps && any_is_left(t); ++k) {
        if (worker->stop != NULL && worker->stop(worker->context)) return false;
        sti_lanes_step(t->lanes);
        measure(t, network, k);
    }
    return true;
}

static void end_row(const Together *t, int lane, bool finished)
{
    StiStudyRow *row = &t->worker->rows[t->places[lane]];
    double *measures = study_row_measures(t->worker, t->places[lane]);
    const char *where;
    const int64_t unsolved = sti_lanes_unsolved(t->lanes, lane, &where);
    StiStatus status = finished ? sti_lanes_status(t->lanes, lane) : STI_INTERRUPTED;
    if (status != STI_OK)
        study_explain(sti_lanes_fault(t->lanes, lane), status, row->reason);
    else if (!study_is_solved(t->worker->scene, unsolved, where, row->reason))
        status = STI_REACTIONS_UNSOLVED;
    for (int i = 0; i < t->measure_count && status == STI_OK; ++i)
        measures[i] = sti_measurement_value(measurements_of(t, lane)[i]);
    study_row_end(row, status);
}

bool study_simulate_together(StiStudyWorker *worker, StiNetwork *const *networks, const int *places,
                             int count)
{
    const StiNetwork *constant[STI_LANES];
    Together t = {.worker = worker, .places = places, .count = count};
    for (int i = 0; i < count; ++i) constant[i] = networks[i];
    if (count > 1) t.lanes = sti_lanes_create(constant, count);
    const bool begun = t.lanes != NULL && begin(&t, networks);
    if (begun) {
        if (worker->stop != NULL) sti_lanes_watch(t.lanes, worker->stop, worker->context);
        const bool finished = simulate(&t, networks[0]);
        for (int lane = 0; lane < count; ++lane) end_row(&t, lane, finished);
    }
    end(&t);
    return begun;
}

const StiStudyRow *sti_study_worker_run_together(StiStudyWorker *worker, const int64_t *runs,
                                                 int count)
{
    StiNetwork *networks[STI_LANES] = {NULL};
    int places[STI_LANES], compiled = 0;
    if (count == 1 || sti_study_together(worker->study) == 1)
        return sti_study_worker_run(worker, runs[0]);
    for (int i = 0; i < count && i < STI_LANES; ++i) {
        StiStudyRow *row = study_row_begin(worker, i, runs[i]);
        const StiStatus status = study_compile(worker, row, &networks[compiled]);
        places[compiled] = i;
        if (status == STI_OK)
            ++compiled;
        else
            study_row_end(row, status);
    }
    const bool together = study_simulate_together(worker, networks, places, compiled);
    for (int i = 0; i < compiled; ++i) {
        if (!together)
            study_row_end(&worker->rows[places[i]],
                          study_simulate(worker, places[i], worker->scene, networks[i]));
        sti_network_destroy(networks[i]);
    }
    return worker->rows;
}
