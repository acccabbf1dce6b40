// How often true values lie inside the intervals of a fit.
#ifndef FIT_COVERAGE_H
#define FIT_COVERAGE_H

#include "support/fit_trial.h"

enum { MOST_TRUTHS = 4 };
typedef struct Covered {
    const char *scene, *fit;
    double deviation; // of the noise
    struct {
        const char *name;
        double value;
    } truth[MOST_TRUTHS];
    int truth_count;
} Covered;

static const Covered sliding_block = {
    .scene = "title: A block, pushed\n"
             "step: 1e-2\n"
             "stop: 4\n"
             "inputs: {u: \"12*sin(1.7*t) + 6*sin(4.1*t)\"}\n"
             "bodies: {block: {kind: point, mass: 2}}\n"
             "elements:\n"
             "  push: {kind: force, on: block, value: u}\n"
             "  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}\n",
    .fit = "fit:\n"
           "  data: trial.csv\n"
           "  map: {block.x: x}\n"
           "  drive: {u: u}\n"
           "  free: {friction.level: [0, 20], friction.viscous: [0, 20], block.mass: [0.5, 8]}\n"
           "  start: {block.x: 0}\n"
           "  starts: 1\n",
    .deviation = 5e-3,
    .truth = {{"friction.level", 4.0}, {"friction.viscous", 3.0}, {"block.mass", 2.0}},
    .truth_count = 3};

// Pushed below the level first, then beyond it. The noise is large against what drives that are linear between rows
// cost: that would be a bias.
#define PRESLIDING_SCENE \
    "title: Presliding\n" \
    "step: 4e-3\n" \
    "stop: 3\n" \
    "inputs: {u: \"3*sin(6*t) + (t > 1.5 ? 4*sin(9*(t - 1.5)) : 0)\"}\n" \
    "bodies: {block: {kind: point, mass: 1}}\n" \
    "elements:\n" \
    "  push: {kind: force, on: block, value: u}\n"
#define PRESLIDING_FIT \
    "fit:\n" \
    "  data: trial.csv\n" \
    "  map: {block.x: x}\n" \
    "  drive: {u: u}\n" \
    "  start: {block.x: 0}\n" \
    "  starts: 1\n"

static const Covered lugre_block = {
    .scene = PRESLIDING_SCENE "  friction: {kind: friction, on: block, model: lugre, level: 4, "
                              "stiffness: 2000, damping: 30, viscous: 0.5}\n",
    .fit = PRESLIDING_FIT "  free: {friction.level: [1, 20], friction.stiffness: [500, 1e4], "
                          "friction.damping: [5, 200]}\n",
    .deviation = 3e-4,
    .truth = {{"friction.level", 4.0}, {"friction.stiffness", 2000.0}, {"friction.damping", 30.0}},
    .truth_count = 3};

static const Covered maxwell_slip_block = {
    .scene = PRESLIDING_SCENE "  friction: {kind: friction, on: block, model: maxwell-slip, "
                              "elements: 2, level: [1.5, 2.5], stiffness: [3000, 800]}\n",
    .fit = PRESLIDING_FIT "  free: {friction.stiffness.0: [1500, 1e4], friction.stiffness.1: [200, "
                          "1500], friction.level.0: [0.3, 5], friction.level.1: [0.3, 5]}\n",
    .deviation = 3e-4,
    .truth = {{"friction.stiffness.0", 3000.0},
              {"friction.stiffness.1", 800.0},
              {"friction.level.0", 1.5},
              {"friction.level.1", 2.5}},
    .truth_count = 4};

// Of all parameters of all fits: how many intervals hold the true value.
static inline int coverage_count(const Covered *covered, NoiseKind noise, uint64_t seed, int fits,
                                 int *all)
{
    const Trial trial = {.scene = covered->scene,
                         .fit = covered->fit,
                         .channel = "block.x",
                         .input = "u",
                         .deviation = covered->deviation,
                         .noise = noise};
    int held = 0;
    *all = 0;
    for (int i = 0; i < fits; ++i) {
        StiFitResult *result = trial_fit(&trial, seed + (uint64_t)i, 2);
        for (int k = 0; result != NULL && result->status == STI_OK && k < covered->truth_count;
             ++k) {
            const StiFitted *of = trial_find(result, covered->truth[k].name);
            held += of->low <= covered->truth[k].value && covered->truth[k].value <= of->high;
        }
        *all += covered->truth_count;
        sti_fit_result_destroy(result);
    }
    return held;
}

#endif
