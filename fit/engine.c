#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t engine_rows(const Engine *engine)
{
    return engine->problem->rows + engine->problem->prior_count;
}

static size_t trajectory_size(const Problem *problem, int segment)
{
    return (size_t)(problem->segments[segment].steps + 1) * (size_t)problem->design->channel_count;
}

static bool stopped(void *context)
{
    const StiFitTask *task = ((Engine *)context)->task;
    return task->stop != NULL && task->stop(task->context);
}

bool engine_open(Engine *engine, const Problem *problem, const StiFitTask *task)
{
    *engine = (Engine){.problem = problem, .task = task};
    engine->threads = task->threads > 0 ? task->threads : omp_get_num_procs();
    engine->simulators = calloc((size_t)engine->threads, sizeof *engine->simulators);
    engine->rooms = calloc((size_t)engine->threads, sizeof *engine->rooms);
    engine->bases = calloc((size_t)problem->segment_count + 1, sizeof *engine->bases);
    engine->base_residuals = calloc((size_t)engine_rows(engine) + 1, sizeof(double));
    omp_init_lock(&engine->lock);
    bool good = engine->simulators != NULL && engine->rooms != NULL && engine->bases != NULL &&
                engine->base_residuals != NULL;
    size_t largest = 1;
    for (int s = 0; good && s < problem->segment_count; ++s) {
        const size_t size = trajectory_size(problem, s);
        largest = size > largest ? size : largest;
        engine->bases[s] = calloc(size, sizeof(double));
        good = engine->bases[s] != NULL;
    }
    for (int i = 0; good && i < engine->threads; ++i) {
        engine->simulators[i] = simulator_create(problem, stopped, engine);
        engine->rooms[i] = calloc(largest, sizeof(double));
        good = engine->simulators[i] != NULL && engine->rooms[i] != NULL;
    }
    return good;
}

void engine_close(Engine *engine)
{
    for (int i = 0; engine->simulators != NULL && i < engine->threads; ++i)
        simulator_destroy(engine->simulators[i]);
    for (int i = 0; engine->rooms != NULL && i < engine->threads; ++i) free(engine->rooms[i]);
    for (int i = 0; engine->bases != NULL && i < engine->problem->segment_count; ++i)
        free(engine->bases[i]);
    free(engine->simulators);
    free(engine->rooms);
    free(engine->bases);
    free(engine->base_residuals);
    omp_destroy_lock(&engine->lock);
}

// ---- one simulation ------------------------------------------------------------------------------------------

// Numbers are left out, so that reasons that differ in them alone are counted together.
static void without_numbers(const char *text, char *to, size_t size)
{
    size_t used = 0;
    for (; *text != '\0' && used + 2 < size; ++text) {
        const bool begins = used == 0 || to[used - 1] == ' ';
        const size_t length = begins ? strspn(text, "0123456789+-.e") : 0;
        if (length > 0 && strcspn(text, "0123456789") < length) {
            to[used++] = '#';
            text += length - 1;
        } else {
            to[used++] = *text;
        }
    }
    to[used] = '\0';
}

static void count_reason(Engine *engine, const char *whole)
{
    char text[FIT_TEXT];
    int i = 0;
    without_numbers(whole, text, sizeof text);
    while (i < engine->reason_count && strcmp(engine->reasons[i].text, text) != 0) ++i;
    if (i == MOST_REASONS) --i; // the last one stands for all others
    if (i == engine->reason_count)
        memcpy(engine->reasons[engine->reason_count++].text, text, sizeof text);
    ++engine->reasons[i].count;
}

static StiStatus run(Engine *engine, int thread, int segment, const double *values,
                     double *trajectory)
{
    if (stopped(engine)) return STI_INTERRUPTED;
    const double began = omp_get_wtime();
    const StiStatus status = simulate(engine->simulators[thread], segment, values, trajectory);
    const double seconds = omp_get_wtime() - began;
    omp_set_lock(&engine->lock);
    ++engine->simulations;
    engine->seconds += seconds;
    if (status == STI_INTERRUPTED)
        engine->interrupted = true;
    else if (status != STI_OK)
        count_reason(engine, simulator_reason(engine->simulators[thread]));
    omp_unset_lock(&engine->lock);
    return status;
}

// ---- parts that are left out -----------------------------------------------------------------------------------

// By log where there are enough of them, else by pieces of time.
bool engine_leaves_out(const Engine *engine, int segment, int row)
{
    const Problem *problem = engine->problem;
    if (engine->folds == 0) return false;
    if (problem->design->log_count >= engine->folds)
        return problem->segments[segment].log % engine->folds == engine->fold;
    const Segment *of = &problem->segments[segment];
    const int64_t rows = problem->fit->logs[of->log].log.rows, place = of->first + row;
    return (place * engine->folds) / rows == engine->fold;
}

static void leave_out(const Engine *engine, int segment, double *residuals)
{
    const int rows = engine->problem->segments[segment].rows;
    for (int i = 0; engine->folds > 0 && i < engine->problem->design->channel_count; ++i)
        for (int k = 0; k < rows; ++k)
            if (engine_leaves_out(engine, segment, k)) residuals[(int64_t)i * rows + k] = 0.0;
}

// ---- residuals -----------------------------------------------------------------------------------------------

static void prior_residuals(const Problem *problem, const double *values, double *residuals)
{
    int place = 0;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        if (parameter->prior_deviation > 0.0)
            residuals[place++] = (values[i] - parameter->prior) / parameter->prior_deviation;
    }
}

StiStatus engine_residuals(Engine *engine, const double *values, double *residuals)
{
    const Problem *problem = engine->problem;
    StiStatus worst = STI_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->threads)
    for (int s = 0; s < problem->segment_count; ++s) {
        const StiStatus status = run(engine, omp_get_thread_num(), s, values, engine->bases[s]);
        if (status != STI_OK) {
#pragma omp critical
            worst = worst == STI_INTERRUPTED ? worst : status;
            continue;
        }
        double *to = residuals + problem->segments[s].at;
        segment_residuals(problem, s, values, engine->bases[s], to);
        leave_out(engine, s, to);
    }
    if (worst != STI_OK) return worst;
    prior_residuals(problem, values, residuals + problem->rows);
    memcpy(engine->base_residuals, residuals, (size_t)engine_rows(engine) * sizeof *residuals);
    return STI_OK;
}

double engine_misfit(Engine *engine, int thread, const double *values)
{
    const Problem *problem = engine->problem;
    double *residuals = malloc((size_t)engine_rows(engine) * sizeof *residuals), sum = 0.0;
    if (residuals == NULL) return NAN;
    for (int s = 0; s < problem->segment_count && isfinite(sum); ++s) {
        double *to = residuals + problem->segments[s].at;
        if (run(engine, thread, s, values, engine->rooms[thread]) != STI_OK) {
            sum = NAN;
            break;
        }
        segment_residuals(problem, s, values, engine->rooms[thread], to);
        leave_out(engine, s, to);
    }
    prior_residuals(problem, values, residuals + problem->rows);
    for (int64_t i = 0; isfinite(sum) && i < engine_rows(engine); ++i)
        sum += residuals[i] * residuals[i];
    free(residuals);
    return isfinite(sum) ? sqrt(sum / (double)problem->rows) : NAN;
}

// ---- columns -------------------------------------------------------------------------------------------------

// Residuals of a segment with one parameter at another value.
static StiStatus shifted(Engine *engine, int thread, int segment, double *values, int parameter,
                         double value, double *residuals)
{
    const Problem *problem = engine->problem;
    const double before = values[parameter];
    StiStatus status = STI_OK;
    values[parameter] = value;
    if (problem->parameters[parameter].part == STI_FIT_SENSOR && problem->beginning_count == 0) {
        segment_residuals(problem, segment, values, engine->bases[segment], residuals);
    } else {
        status = run(engine, thread, segment, values, engine->rooms[thread]);
        if (status == STI_OK)
            segment_residuals(problem, segment, values, engine->rooms[thread], residuals);
    }
    values[parameter] = before;
    if (status == STI_OK) leave_out(engine, segment, residuals);
    return status;
}

// One-sided where the other side fails; 0 where both do.
static StiStatus column_part(Engine *engine, int thread, int segment, double *values,
                             const Difference *difference, double *room, double *column)
{
    const Problem *problem = engine->problem;
    const Segment *of = &problem->segments[segment];
    const int64_t size = (int64_t)of->rows * problem->design->channel_count;
    const double *base = engine->base_residuals + of->at;
    const double here = values[difference->parameter];
    const double *plus = base, *minus = base;
    double distance = 0.0;
    StiStatus status =
        shifted(engine, thread, segment, values, difference->parameter, difference->plus, column);
    if (status == STI_INTERRUPTED) return status;
    const bool good = status == STI_OK;
    if (good) plus = column;
    status = STI_OK;
    const double other =
        isnan(difference->minus) && !good ? 2.0 * here - difference->plus : difference->minus;
    bool both = false;
    if (!isnan(other)) {
        status = shifted(engine, thread, segment, values, difference->parameter, other, room);
        if (status == STI_INTERRUPTED) return status;
        both = status == STI_OK;
        if (both) minus = room;
    }
    if (isnan(difference->minus))
        distance = good || both ? difference->distance : INFINITY;
    else
        distance = good && both   ? difference->distance
                   : good || both ? 0.5 * difference->distance
                                  : INFINITY;
    for (int64_t i = 0; i < size; ++i) column[i] = (plus[i] - minus[i]) / distance;
    return STI_OK;
}

static void prior_columns(const Problem *problem, const Difference *difference, double here,
                          double *column)
{
    int place = 0;
    const double minus = isnan(difference->minus) ? here : difference->minus;
    for (int i = 0; i < problem->count; ++i) {
        if (!(problem->parameters[i].prior_deviation > 0.0)) continue;
        column[place++] = i == difference->parameter
                              ? (difference->plus - minus) / difference->distance /
                                    problem->parameters[i].prior_deviation
                              : 0.0;
    }
}

static bool depends(const Parameter *parameter, int segment)
{
    return parameter->part != STI_FIT_START || parameter->segment == segment;
}

StiStatus engine_columns(Engine *engine, const double *values, const Difference *differences,
                         int count, double *columns)
{
    const Problem *problem = engine->problem;
    const int64_t rows = engine_rows(engine);
    const int tasks = count * problem->segment_count;
    StiStatus worst = STI_OK;
#pragma omp parallel num_threads(engine->threads)
    {
        double *own = malloc(((size_t)problem->count + 1) * sizeof *own);
        double *room = malloc((size_t)rows * sizeof *room);
        if (own != NULL) memcpy(own, values, (size_t)problem->count * sizeof *own);
#pragma omp for schedule(dynamic, 1)
        for (int task = 0; task < tasks; ++task) {
            const Difference *difference = &differences[task / problem->segment_count];
            const int segment = task % problem->segment_count;
            const Segment *of = &problem->segments[segment];
            double *column = columns + rows * (task / problem->segment_count) + of->at;
            StiStatus status = own != NULL && room != NULL ? STI_OK : STI_OUT_OF_MEMORY;
            if (!depends(&problem->parameters[difference->parameter], segment))
                memset(column, 0,
                       (size_t)of->rows * (size_t)problem->design->channel_count * sizeof *column);
            else if (status == STI_OK)
                status = column_part(engine, omp_get_thread_num(), segment, own, difference, room,
                                     column);
            if (status != STI_OK) {
#pragma omp critical
                worst = status;
            }
        }
        free(own);
        free(room);
    }
    for (int i = 0; i < count; ++i)
        prior_columns(problem, &differences[i], values[differences[i].parameter],
                      columns + rows * i + problem->rows);
    return worst;
}
