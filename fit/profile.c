// Profiles: one parameter held at a value, the others following it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate.h"

typedef struct Profile {
    Search *search;
    bool *moves;
    double *best; // the values of the fit
    double misfit;
    int parameter;
    double unit; // of squared misfits: one deviation squared
} Profile;

// How many deviations the misfit says that this value is away.
static StiStatus distance_at(Profile *profile, double value, double *distance)
{
    Search *search = profile->search;
    const Problem *problem = search->engine->problem;
    search->best[profile->parameter] = value;
    search->misfit = NAN;
    StiStatus status = search_improve(search, profile->moves, false);
    if (status == STI_OK && isnan(search->misfit)) status = search_evaluate(search);
    if (status == STI_INTERRUPTED) return status;
    const double rise = search->misfit * search->misfit - profile->misfit * profile->misfit;
    *distance =
        status == STI_OK ? sqrt(fmax(rise, 0.0) * (double)problem->rows / profile->unit) : INFINITY;
    return STI_OK;
}

// Outwards until the distance is that of 95 %, then between; on a bound the bound.
static StiStatus edge(Profile *profile, double step, double wanted, double bound, double *to)
{
    enum { TRIES = 12 };
    const Problem *problem = profile->search->engine->problem;
    const size_t size = ((size_t)problem->count + 1) * sizeof(double);
    const double centre = profile->best[profile->parameter];
    double inside = 0.0, inside_distance = 0.0, outside = INFINITY, outside_distance = INFINITY,
           x = step;
    memcpy(profile->search->best, profile->best, size);
    for (int i = 0; i < TRIES; ++i) {
        double value = centre + x, distance;
        const bool beyond = step > 0.0 ? value >= bound : value <= bound;
        if (beyond) value = bound;
        const StiStatus status = distance_at(profile, value, &distance);
        if (status != STI_OK) return status;
        *to = value;
        if (fabs(distance - wanted) < 0.02 * wanted || (beyond && distance < wanted)) return STI_OK;
        if (distance < wanted)
            inside = value - centre, inside_distance = distance;
        else
            outside = value - centre, outside_distance = distance;
        if (isinf(outside))
            x = 2.0 * inside;
        else if (isinf(outside_distance))
            x = 0.5 * (inside + outside);
        else
            x = inside + (outside - inside) * fmin(fmax((wanted - inside_distance) /
                                                            (outside_distance - inside_distance),
                                                        0.1),
                                                   0.9);
    }
    return STI_OK;
}

StiStatus profile_all(Search *search, const Uncertainty *uncertainty, StiFitted *parameters)
{
    const Problem *problem = search->engine->problem;
    const size_t size = ((size_t)problem->count + 1) * sizeof(double);
    Profile profile = {.search = search,
                       .moves = calloc((size_t)problem->count + 1, sizeof(bool)),
                       .best = malloc(size),
                       .misfit = search->misfit};
    StiStatus status = profile.moves != NULL && profile.best != NULL ? STI_OK : STI_OUT_OF_MEMORY;
    search->phase = "profiles";
    if (status == STI_OK) memcpy(profile.best, search->best, size);
    for (int i = 0; status == STI_OK && i < problem->count; ++i) {
        const double deviation = parameters[i].deviation;
        if (parameters[i].part != STI_FIT_PARAMETER || uncertainty->no_influence[i]) continue;
        search_tell(search, 0.86 + 0.04 * i / problem->count);
        // What a deviation is in the misfit: the corrected variance against the plain one.
        const double plain = uncertainty->plain[i],
                     variance = uncertainty->covariance[i * problem->count + i];
        const double rows = (double)problem->rows,
                     residual = profile.misfit * profile.misfit * rows / (rows - problem->count);
        profile.unit =
            residual *
            (plain > 0.0 && variance > 0.0 ? variance / plain : rows / uncertainty->effective_rows);
        profile.parameter = i;
        for (int j = 0; j < problem->count; ++j) profile.moves[j] = j != i;
        const Transform *t = &problem->parameters[i].transform;
        const double width = transform_width(t, profile.best[i]);
        const double step =
            deviation > 0.0 ? fmin(uncertainty->factor * deviation, width) : 0.1 * width;
        status = edge(&profile, -step, uncertainty->factor, t->least, &parameters[i].profile_low);
        if (status == STI_OK)
            status =
                edge(&profile, step, uncertainty->factor, t->most, &parameters[i].profile_high);
    }
    if (profile.best != NULL) memcpy(search->best, profile.best, size);
    search->misfit = profile.misfit;
    free(profile.moves);
    free(profile.best);
    return status;
}
