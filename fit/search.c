// From where descents start: points of Sobol's sequence, stages, the neighbourhood of the best.
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/study.h"

bool search_open(Search *search, Engine *engine)
{
    const Problem *problem = engine->problem;
    const StiFitTask *task = engine->task;
    *search = (Search){.engine = engine,
                       .misfit = NAN,
                       .phase = "search",
                       .journal = {.numbers = task->done,
                                   .count = task->done_count,
                                   .keep = task->keep,
                                   .context = task->context}};
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

// ---- starts --------------------------------------------------------------------------------------------------

typedef struct Start {
    double misfit, number; // of Sobol's point; two numbers of the journal
} Start;

static int compare_starts(const void *a, const void *b)
{
    const Start *x = a, *y = b;
    if (isnan(x->misfit) || isnan(y->misfit)) return isnan(x->misfit) - isnan(y->misfit);
    if (x->misfit != y->misfit) return x->misfit < y->misfit ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
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
    if (journal_replay(&search->journal, (double *)starts, 2 * (count + 1))) return STI_OK;
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
    journal_keep(&search->journal, (double *)starts, 2 * (count + 1));
    return STI_OK;
}

// A descent from other values; the better result is kept.
static StiStatus improve_from(Search *search, const double *values, const bool *moves, double share)
{
    const size_t size = ((size_t)search->engine->problem->count + 1) * sizeof(double);
    double *best = malloc(size);
    const double misfit = search->misfit;
    if (best == NULL) return STI_OUT_OF_MEMORY;
    memcpy(best, search->best, size);
    memcpy(search->best, values, size);
    search->misfit = NAN;
    search_tell(search, share);
    const StiStatus status = search_improve(search, moves, false);
    if (isnan(search->misfit) || search->misfit >= misfit) {
        memcpy(search->best, best, size);
        search->misfit = misfit;
    }
    free(best);
    return status;
}

// The scene's own values are always among those that are improved, unless there is one search only.
static void keep_centre(Start *starts, int count, int searches)
{
    int place = 0;
    while (place < count && starts[place].number >= 0) ++place;
    if (searches < 2 || place < searches || place == count || isnan(starts[place].misfit)) return;
    const Start centre = starts[place];
    starts[place] = starts[searches - 1];
    starts[searches - 1] = centre;
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
    double *centre = malloc(size), *values = malloc(size);
    StiStatus status =
        starts != NULL && centre != NULL && values != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    if (status == STI_OK) {
        memcpy(centre, search->best, size);
        status = look_around(search, moves, points, starts);
        keep_centre(starts, points + 1, searches);
    }
    for (int i = 0; status == STI_OK && i < searches && !isnan(starts[i].misfit); ++i) {
        memcpy(values, centre, size);
        if (starts[i].number >= 0) scatter(problem, centre, moves, (int)starts[i].number, values);
        status = improve_from(search, values, moves, from + (to - from) * i / searches);
    }
    free(starts);
    free(centre);
    free(values);
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

// Each change between stick and slip that a log causes bends the misfit a little, so that there are small dents beside
// the lowest one. Starts around the best point find a lower one where there is one.
static StiStatus search_around(Search *search)
{
    enum {
        STARTS_PER_SEARCH = 2,
        FIRST_POINT = 1000, // of Sobol's sequence: not those of the first starts
        DIMENSIONS = 64
    };
    static const double reach = 0.1; // of u
    const Problem *problem = search->engine->problem;
    double *values = malloc(((size_t)problem->count + 1) * sizeof *values);
    StiStatus status = values != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    const int starts = STARTS_PER_SEARCH * problem->design->searches;
    for (int k = 0; status == STI_OK && k < starts; ++k) {
        for (int i = 0; i < problem->count; ++i) {
            const Transform *t = &problem->parameters[i].transform;
            const double share = i < DIMENSIONS ? sti_sobol_point(problem->design->seed,
                                                                  (uint32_t)(FIRST_POINT + k), i)
                                                : 0.5;
            values[i] = transform_value(t, transform_inverse(t, search->best[i]) +
                                               reach * (2.0 * share - 1.0));
        }
        status = improve_from(search, values, NULL, 0.7 + 0.1 * k / starts);
    }
    free(values);
    return status;
}

// ---- what an earlier model found ---------------------------------------------------------------------------------

static const StiFitted *find_fitted(const StiFitResult *result, const char *name)
{
    for (int i = 0; i < result->count; ++i)
        if (strcmp(result->parameters[i].name, name) == 0) return &result->parameters[i];
    return NULL;
}

// What this model has beyond it stays as the scene says, a little inside its bounds: where the scene has it at 0, the
// larger model starts as the smaller one, and can only be better.
static double without_effect(const Parameter *parameter)
{
    static const double inside = 1e-3; // of the range, or its logarithm
    const Transform *t = &parameter->transform;
    if (isnan(parameter->in_scene)) return parameter->start;
    const double low = transform_share(t, inside), high = transform_share(t, 1.0 - inside);
    const bool bounded = isfinite(t->least) && isfinite(t->most);
    return bounded ? fmin(fmax(parameter->in_scene, low), high) : parameter->start;
}

static StiStatus improve_earlier(Search *search, const StiFitResult *earlier)
{
    const Problem *problem = search->engine->problem;
    double *values = malloc(((size_t)problem->count + 1) * sizeof *values);
    if (values == NULL) return STI_OUT_OF_MEMORY;
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        const StiFitted *found = find_fitted(earlier, parameter->name);
        values[i] = found != NULL ? found->value : without_effect(parameter);
    }
    const StiStatus status = improve_from(search, values, NULL, 0.7);
    free(values);
    return status;
}

// ---- the whole -----------------------------------------------------------------------------------------------------

StiStatus search_all(Search *search)
{
    const Problem *problem = search->engine->problem;
    const StiFitResult *earlier = search->engine->task->earlier;
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
    if (status == STI_OK && earlier != NULL && earlier->status == STI_OK)
        status = improve_earlier(search, earlier);
    if (status == STI_OK && steady && !isnan(search->misfit)) status = search_around(search);
    search_tell(search, 0.8);
    if (status == STI_OK && !isnan(search->misfit)) status = search_improve(search, NULL, true);
    return status;
}
