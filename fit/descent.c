// One descent: Levenberg and Marquardt by cminpack.
#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "search.h"

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

// What stops a descent: by how little the misfit falls, and u moves, in parts of itself. Starts are compared before the
// last digits are known.
static const double rough_end = 1e-3, thorough_end = 1e-7;

static StiStatus descend_from_best(Search *search, const bool *moves, bool thorough)
{
    enum { MOST_ROUGH = 20, MOST_THOROUGH = 60 }; // trials
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
                     : descend(&descent, u, thorough ? thorough_end : rough_end,
                               thorough ? MOST_THOROUGH : MOST_ROUGH);
    }
    free(moving);
    free(u);
    free(values);
    free(at);
    return status;
}

StiStatus search_improve(Search *search, const bool *moves, bool thorough)
{
    const int count = search->engine->problem->count;
    double *entry = malloc(((size_t)count + 1) * sizeof *entry);
    if (entry == NULL) return STI_OUT_OF_MEMORY;
    StiStatus status = STI_OK;
    if (journal_replay(&search->journal, entry, count + 1)) {
        search->misfit = entry[count];
        memcpy(search->best, entry, (size_t)count * sizeof *entry);
    } else {
        status = descend_from_best(search, moves, thorough);
        memcpy(entry, search->best, (size_t)count * sizeof *entry);
        entry[count] = search->misfit;
        if (status == STI_OK) journal_keep(&search->journal, entry, count + 1);
    }
    free(entry);
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
