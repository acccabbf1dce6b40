// How often true values lie inside the intervals of a fit.
#ifndef FIT_COVERAGE_H
#define FIT_COVERAGE_H

#include "support/fit_trial.h"

static const char coverage_scene[] =
    "title: A block, pushed\n"
    "step: 1e-2\n"
    "stop: 4\n"
    "inputs: {u: \"12*sin(1.7*t) + 6*sin(4.1*t)\"}\n"
    "bodies: {block: {kind: point, mass: 2}}\n"
    "elements:\n"
    "  push: {kind: force, on: block, value: u}\n"
    "  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}\n";
static const char coverage_fit[] =
    "fit:\n"
    "  data: trial.csv\n"
    "  map: {block.x: x}\n"
    "  drive: {u: u}\n"
    "  free: {friction.level: [0, 20], friction.viscous: [0, 20], block.mass: [0.5, 8]}\n"
    "  start: {block.x: 0}\n"
    "  starts: 1\n";

// Of all parameters of all fits: how many intervals hold the true value.
static inline int coverage_count(NoiseKind noise, int fits, int *all)
{
    static const struct {
        const char *name;
        double value;
    } truth[] = {{"friction.level", 4.0}, {"friction.viscous", 3.0}, {"block.mass", 2.0}};
    const Trial trial = {.scene = coverage_scene,
                         .fit = coverage_fit,
                         .channel = "block.x",
                         .input = "u",
                         .deviation = 5e-3,
                         .noise = noise};
    int held = 0;
    *all = 0;
    for (int i = 0; i < fits; ++i) {
        StiFitResult *result = trial_fit(&trial, 1000 + (uint64_t)i, 2);
        for (int k = 0; result != NULL && result->status == STI_OK && k < 3; ++k) {
            const StiFitted *of = trial_find(result, truth[k].name);
            held += of->low <= truth[k].value && truth[k].value <= of->high;
        }
        *all += 3;
        sti_fit_result_destroy(result);
    }
    return held;
}

#endif
