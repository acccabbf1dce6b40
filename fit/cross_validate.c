#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate.h"

static void add_left_out(const Engine *engine, const double *values, double *room, double *squares,
                         double *rows)
{
    const Problem *problem = engine->problem;
    for (int s = 0; s < problem->segment_count; ++s)
        for (int c = 0; c < problem->design->channel_count; ++c) {
            const Segment *of = &problem->segments[s];
            const double *measured = problem->fit->logs[of->log].channels[c] + of->first;
            segment_predicted(problem, s, c, values, engine->bases[s], room);
            for (int k = 0; k < of->rows; ++k) {
                if (!engine_leaves_out(engine, s, k)) continue;
                squares[c] += (room[k] - measured[k]) * (room[k] - measured[k]);
                rows[c] += 1.0;
            }
        }
}

StiStatus cross_validate(Search *search, StiFitError *errors)
{
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
    const int channels = problem->design->channel_count, folds = problem->design->folds;
    const size_t size = ((size_t)problem->count + 1) * sizeof(double);
    double *best = malloc(size), *room = calloc((size_t)engine_rows(engine) + 1, sizeof *room),
           *squares = calloc(2 * (size_t)channels, sizeof *squares), misfit = search->misfit;
    StiStatus status = best != NULL && room != NULL && squares != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    search->phase = "cross validation";
    if (status == STI_OK) memcpy(best, search->best, size);
    for (int fold = 0; fold < folds && status == STI_OK; ++fold) {
        search_tell(search, 0.9 + 0.1 * fold / folds);
        engine->fold = fold, engine->folds = folds;
        memcpy(search->best, best, size);
        search->misfit = NAN;
        status = search_improve(search, NULL, false);
        if (status == STI_OK) status = engine_residuals(engine, search->best, room);
        if (status == STI_OK) add_left_out(engine, search->best, room, squares, squares + channels);
    }
    engine->folds = 0;
    for (int c = 0; status == STI_OK && c < channels; ++c)
        errors[c].cross_validated = sqrt(squares[c] / squares[channels + c]);
    if (best != NULL) memcpy(search->best, best, size);
    search->misfit = misfit;
    free(best);
    free(room);
    free(squares);
    return status;
}
