// Levenberg and Marquardt by cminpack, from several starts.
#include "search.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/study.h"

bool search_open(Search *search, Engine *engine)
{
    const Problem *problem = engine->problem;
    *search = (Search){.engine = engine, .misfit = NAN, .phase = "search"};
    search->best = calloc((size_t)problem->count + 1, sizeof *search->best);
    for (int i = 0; search->best != NULL && i < problem->count; ++i) {
        const Transform *t = &problem->parameters[i].transform;
        search->best[i] = transform_value(t, transform_inverse(t, problem->parameters[i].start));
    }
    return search->best != NULL;
}

void search_close(Search *search) { free(search->best); }

void search_tell(Search *search, double share)
{
    const StiFitTask *task = search->engine->task;
    search->share = share;
    if (task->progress == NULL) return;
    const StiFitProgress progress = {.model = search->engine->problem->model,
                                     .phase = search->phase,
                                     .misfit = search->misfit,
                                     .simulations = search->engine->simulations,
                                     .share = share,
                                     .values = isnan(search->misfit) ? NULL : search->best,
                                     .count = search->engine->problem->count};
    task->progress(task->context, &progress);
}

// ---- one descent -----------------------------------------------------------------------------------------------

typedef struct Descent {
    Search *search;
    const int *moving; // numbers of the parameters that change
    int count;
    bool central;
    double *values; // of all parameters
    double *at;     // the point whose residuals the engine has, in u
    bool interrupted;
} Descent;

static const double forward_step = 1e-6, central_step = 1e-5; // of u

static void set_values(Descent *descent, const double *u)
{
    const Problem *problem = descent->search->engine->problem;
    for (int i = 0; i < descent->count; ++i)
        descent->values[descent->moving[i]] =
            transform_value(&problem->parameters[descent->moving[i]].transform, u[i]);
}

static double misfit_of(const Engine *engine, const double *residuals)
{
    double sum = 0.0;
    for (int64_t i = 0; i < engine_rows(engine); ++i) sum += residuals[i] * residuals[i];
    return sqrt(sum / (double)engine->problem->rows);
}

// A simulation that fails is a point far off: the step is refused and shortened.
static int evaluate(Descent *descent, const double *u, double *residuals)
{
    static const double far = 1e6;
    Search *search = descent->search;
    set_values(descent, u);
    const StiStatus status = engine_residuals(search->engine, descent->values, residuals);
    if (status == STI_INTERRUPTED) {
        descent->interrupted = true;
        return -1;
    }
    if (status != STI_OK) {
        for (int64_t i = 0; i < engine_rows(search->engine); ++i) residuals[i] = far;
        return 0;
    }
    memcpy(descent->at, u, (size_t)descent->count * sizeof *u);
    const double misfit = misfit_of(search->engine, residuals);
    if (isnan(search->misfit) || misfit < search->misfit) {
        search->misfit = misfit;
        memcpy(search->best, descent->values,
               (size_t)search->engine->problem->count * sizeof *search->best);
    }
    search_tell(search, search->share);
    return 0;
}

static int differentiate(Descent *descent, const double *u, double *residuals, double *columns)
{
    Engine *engine = descent->search->engine;
    Difference *differences = calloc((size_t)descent->count, sizeof *differences);
    if (differences == NULL) return -1;
    // Residuals of a trial that was refused are not those of this point.
    if (memcmp(descent->at, u, (size_t)descent->count * sizeof *u) != 0) {
        const int status = evaluate(descent, u, residuals);
        if (status != 0) {
            free(differences);
            return status;
        }
    }
    set_values(descent, u);
    for (int i = 0; i < descent->count; ++i) {
        const int number = descent->moving[i];
        const Transform *t = &engine->problem->parameters[number].transform;
        const double h = (descent->central ? central_step : forward_step) * (1.0 + fabs(u[i]));
        differences[i] =
            (Difference){.parameter = number,
                         .plus = transform_value(t, u[i] + h),
                         .minus = descent->central ? transform_value(t, u[i] - h) : NAN,
                         .distance = descent->central ? 2.0 * h : h};
    }
    const StiStatus status =
        engine_columns(engine, descent->values, differences, descent->count, columns);
    free(differences);
    descent->interrupted = descent->interrupted || status == STI_INTERRUPTED;
    return status == STI_OK ? 0 : -1;
}

static int callback(void *context, int m, int n, const double *u, double *residuals,
                    double *columns, int rows, int what)
{
    (void)m, (void)n, (void)rows;
    Descent *descent = context;
    return what == 1 ? evaluate(descent, u, residuals)
                     : differentiate(descent, u, residuals, columns);
}

static StiStatus descend(Descent *descent, double *u, double tolerance, int most)
{
    const int n = descent->count;
    const int m = (int)engine_rows(descent->search->engine);
    double *memory = calloc((size_t)m * (size_t)(n + 2) + 6 * (size_t)n, sizeof *memory);
    int *pivots = calloc((size_t)n, sizeof *pivots), evaluations, jacobians;
    StiStatus status = STI_OUT_OF_MEMORY;
    if (memory != NULL && pivots != NULL) {
        double *residuals = memory, *columns = memory + m, *work = columns + (size_t)m * (size_t)n,
               *small = work + m;
        lmder(callback, descent, m, n, u, residuals, columns, m, tolerance, tolerance, 0.0, most,
              small, 1, 1.0, 0, &evaluations, &jacobians, pivots, small + n, small + 2 * n,
              small + 3 * n, small + 4 * n, work);
        status = descent->interrupted ? STI_INTERRUPTED : STI_OK;
    }
    free(memory);
    free(pivots);
    return status;
}

StiStatus search_improve(Search *search, const bool *moves, bool thorough)
{
    const Problem *problem = search->engine->problem;
    const size_t count = (size_t)problem->count;
    int *moving = calloc(count + 1, sizeof *moving);
    double *u = calloc(count + 1, sizeof *u), *values = calloc(count + 1, sizeof *values),
           *at = calloc(count + 1, sizeof *at);
    Descent descent = {
        .search = search, .moving = moving, .central = thorough, .values = values, .at = at};
    StiStatus status = STI_OUT_OF_MEMORY;
    if (moving != NULL && u != NULL && values != NULL && at != NULL) {
        memcpy(values, search->best, count * sizeof *values);
        for (int i = 0; i < problem->count; ++i) {
            if (moves != NULL && !moves[i]) continue;
            u[descent.count] =
                transform_inverse(&problem->parameters[i].transform, search->best[i]);
            at[descent.count] = NAN;
            moving[descent.count++] = i;
        }
        status = descent.count == 0 ? STI_OK
                 : descent.count > engine_rows(search->engine)
                     ? STI_BAD_ARGUMENT
                     : descend(&descent, u, thorough ? 1e-10 : 1e-4, thorough ? 60 : 20);
    }
    free(moving);
    free(u);
    free(values);
    free(at);
    return status;
}

StiStatus search_evaluate(Search *search)
{
    double *residuals = calloc((size_t)engine_rows(search->engine), sizeof *residuals);
    if (residuals == NULL) return STI_OUT_OF_MEMORY;
    const StiStatus status = engine_residuals(search->engine, search->best, residuals);
    if (status == STI_OK) search->misfit = misfit_of(search->engine, residuals);
    free(residuals);
    return status;
}

// ---- starts --------------------------------------------------------------------------------------------------

typedef struct Start {
    double misfit;
    int number;
} Start;

static int compare_starts(const void *a, const void *b)
{
    const Start *x = a, *y = b;
    if (isnan(x->misfit) || isnan(y->misfit)) return isnan(x->misfit) - isnan(y->misfit);
    if (x->misfit != y->misfit) return x->misfit < y->misfit ? -1 : 1;
    return x->number - y->number;
}

// Only parameters of the scene are scattered: those of sensors and starts are near what was measured.
static void scatter(const Problem *problem, const double *centre, const bool *moves, int point,
                    double *values)
{
    enum { DIMENSIONS = 64 };
    int dimension = 0;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        values[i] = centre[i];
        if (parameter->part != STI_FIT_PARAMETER || (moves != NULL && !moves[i])) continue;
        if (dimension >= DIMENSIONS) continue;
        const double share = sti_sobol_point(problem->design->seed, (uint32_t)point, dimension++);
        values[i] = transform_share(&parameter->transform, share);
    }
}

// Misfits at many points, on threads; the best first. Point -1 is the centre itself.
static StiStatus look_around(Search *search, const bool *moves, int count, Start *starts)
{
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->threads)
    for (int i = 0; i <= count; ++i) {
        double *values = malloc(((size_t)problem->count + 1) * sizeof *values);
        starts[i] = (Start){NAN, i - 1};
        if (values == NULL) continue;
        if (i == 0)
            memcpy(values, search->best, (size_t)problem->count * sizeof *values);
        else
            scatter(problem, search->best, moves, i - 1, values);
        starts[i].misfit = engine_misfit(engine, omp_get_thread_num(), values);
        free(values);
    }
    if (engine->interrupted ||
        (engine->task->stop != NULL && engine->task->stop(engine->task->context)))
        return STI_INTERRUPTED;
    qsort(starts, (size_t)count + 1, sizeof *starts, compare_starts);
    return STI_OK;
}

// Improves the best of many points; the search keeps the best of all.
static StiStatus improve_several(Search *search, const bool *moves, int searches, double from,
                                 double to)
{
    enum { POINTS_PER_SEARCH = 8 };
    const Problem *problem = search->engine->problem;
    const int points = POINTS_PER_SEARCH * searches;
    const size_t size = ((size_t)problem->count + 1) * sizeof(double);
    Start *starts = calloc((size_t)points + 1, sizeof *starts);
    double *centre = malloc(size), *best = malloc(size), misfit = search->misfit;
    StiStatus status =
        starts != NULL && centre != NULL && best != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    if (status == STI_OK) {
        memcpy(centre, search->best, size);
        memcpy(best, search->best, size);
        status = look_around(search, moves, points, starts);
    }
    for (int i = 0; status == STI_OK && i < searches && i <= points && !isnan(starts[i].misfit);
         ++i) {
        memcpy(search->best, centre, size);
        if (starts[i].number >= 0) scatter(problem, centre, moves, starts[i].number, search->best);
        search->misfit = NAN;
        search_tell(search, from + (to - from) * i / searches);
        status = search_improve(search, moves, false);
        if (!isnan(search->misfit) && (isnan(misfit) || search->misfit < misfit)) {
            misfit = search->misfit;
            memcpy(best, search->best, size);
        }
    }
    if (status != STI_OUT_OF_MEMORY) {
        memcpy(search->best, best, size);
        search->misfit = misfit;
    }
    free(starts);
    free(centre);
    free(best);
    return status;
}

// Bristle models: first what shows in sliding, then what happens before it, then all together.
static StiStatus search_stages(Search *search, bool *moves)
{
    const Problem *problem = search->engine->problem;
    const int searches = problem->design->searches;
    for (int i = 0; i < problem->count; ++i) moves[i] = !problem->parameters[i].presliding;
    StiStatus status = improve_several(search, moves, searches, 0.0, 0.3);
    for (int i = 0; i < problem->count; ++i) moves[i] = problem->parameters[i].presliding;
    if (status == STI_OK) status = improve_several(search, moves, searches, 0.3, 0.6);
    if (status == STI_OK) status = search_improve(search, NULL, false);
    return status;
}

// Each change between stick and slip that a log causes bends the misfit a little, so that there are small dents beside the lowest one. Starts
// around the best point find a lower one where there is one.
static StiStatus search_around(Search *search)
{
    enum {
        STARTS_PER_SEARCH = 2,
        FIRST_POINT = 1000
    };                               // of Sobol's sequence: not those of the first starts
    static const double reach = 0.1; // of u
    const Problem *problem = search->engine->problem;
    const size_t size = ((size_t)problem->count + 1) * sizeof(double);
    double *best = malloc(size), misfit = search->misfit;
    StiStatus status = best != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    const int starts = STARTS_PER_SEARCH * problem->design->searches;
    for (int k = 0; status == STI_OK && k < starts; ++k) {
        memcpy(best, search->best, size);
        for (int i = 0; i < problem->count && i < 64; ++i) {
            const Transform *t = &problem->parameters[i].transform;
            const double share =
                sti_sobol_point(problem->design->seed, (uint32_t)(FIRST_POINT + k), i);
            search->best[i] =
                transform_value(t, transform_inverse(t, best[i]) + reach * (2.0 * share - 1.0));
        }
        search->misfit = NAN;
        search_tell(search, 0.7 + 0.1 * k / starts);
        status = search_improve(search, NULL, false);
        if (!isnan(search->misfit) && search->misfit < misfit)
            misfit = search->misfit;
        else
            memcpy(search->best, best, size);
        search->misfit = misfit;
    }
    free(best);
    return status;
}

StiStatus search_all(Search *search)
{
    const Problem *problem = search->engine->problem;
    bool *moves = calloc((size_t)problem->count + 1, sizeof *moves), presliding = false,
         steady = false;
    if (moves == NULL) return STI_OUT_OF_MEMORY;
    for (int i = 0; i < problem->count; ++i) {
        presliding = presliding || problem->parameters[i].presliding;
        steady = steady || (problem->parameters[i].part == STI_FIT_PARAMETER &&
                            !problem->parameters[i].presliding);
    }
    StiStatus status = STI_OK;
    if (presliding && steady) status = search_stages(search, moves);
    if (status == STI_OK)
        status = improve_several(search, NULL, problem->design->searches, 0.6, 0.7);
    free(moves);
    if (status == STI_OK && steady && !isnan(search->misfit)) status = search_around(search);
    search_tell(search, 0.8);
    if (status == STI_OK && !isnan(search->misfit)) status = search_improve(search, NULL, true);
    return status;
}
