// What contacts cost under `cut`, beside `rule`, while nothing happens: no place closes, opens,
// sticks or slips. Steps of 1 ms; least of several runs, microseconds per step, and their ratio.
//
// On a busy machine instructions say more than times. One case alone, for a program that counts them:
//     bench_contacts CASE METHOD STEPS
// and twice the steps less once the steps is what STEPS cost; bench/count_contacts.sh does that.
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/scenes/quiet_contacts.h"

enum { STEPS = 400, REPETITIONS = 15 };
static const double gravity = 9.81;

static void fail(const char *what)
{
    fprintf(stderr, "bench_contacts: %s\n", what);
    exit(1);
}

static const struct {
    const char *name;
    void (*build)(StiPlan *plan);
    int warm; // steps before, not measured
} cases[] = {{"box at rest", box_at_rest, 20},     {"box shaken", box_shaken, 20},
             {"sliding box", box_slides, 20},      {"rolling sphere", ball_rolls, 20},
             {"sliding sphere", ball_slides, 20},  {"arm tip slides", arm_slides, 20},
             {"quadruped", quadruped_stands, 1000}};
enum { CASES = sizeof cases / sizeof cases[0] };

// ---- times ----------------------------------------------------------------------------------------

typedef struct Rig {
    StiNetwork *network;
    StiState *start, *state;
    StiScratch *scratch;
} Rig;

static Rig rig_make(int which, const StiMethod *method)
{
    Rig rig;
    StiPlan *plan = sti_plan_create();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -gravity));
    cases[which].build(plan);
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_method(plan, method);
    if (sti_plan_compile(plan, NULL, &rig.network) != STI_OK) fail("a plan does not compile");
    sti_plan_destroy(plan);
    rig.start = sti_state_create(rig.network);
    rig.state = sti_state_create(rig.network);
    rig.scratch = sti_scratch_create(rig.network);
    if (sti_run(rig.network, NULL, rig.start, rig.scratch, cases[which].warm) != STI_OK)
        fail("a step failed");
    sti_state_copy(rig.state, rig.start);
    return rig;
}

static void rig_destroy(Rig *rig)
{
    sti_scratch_destroy(rig->scratch);
    sti_state_destroy(rig->state);
    sti_state_destroy(rig->start);
    sti_network_destroy(rig->network);
}

// us per step.
static double rig_time(Rig *rig)
{
    sti_state_copy(rig->state, rig->start);
    const double begin = timing_processor_nanoseconds();
    if (sti_run(rig->network, NULL, rig->state, rig->scratch, STEPS) != STI_OK)
        fail("a step failed");
    return 1e-3 * (timing_processor_nanoseconds() - begin) / STEPS;
}

// Events and steps that the solver took: none, or the case is not what it claims to be.
static int rig_disturbances(Rig *rig)
{
    int count = 0;
    sti_state_copy(rig->state, rig->start);
    for (int k = 0; k < STEPS; ++k) {
        if (sti_run(rig->network, NULL, rig->state, rig->scratch, 1) != STI_OK)
            fail("a step failed");
        const StiStepFigures figures = sti_scratch_figures(rig->scratch);
        count += figures.events + figures.fallbacks;
    }
    return count;
}

static void compare(int which)
{
    Rig rule = rig_make(which, &sti_method_rule), cut = rig_make(which, &sti_method_cut);
    double least[2] = {INFINITY, INFINITY};
    for (int r = 0; r < REPETITIONS; ++r) {
        least[0] = fmin(least[0], rig_time(&rule));
        least[1] = fmin(least[1], rig_time(&cut));
    }
    const int disturbances = rig_disturbances(&cut);
    printf("%-16s %8.3f %8.3f %8.2f\n", cases[which].name, least[0], least[1], least[1] / least[0]);
    if (disturbances > 0) printf("    %d events or steps that are not cut\n", disturbances);
    rig_destroy(&rule);
    rig_destroy(&cut);
}

static void run_alone(const char *name, const char *method, int steps)
{
    for (int i = 0; i < CASES; ++i) {
        if (strcmp(cases[i].name, name) != 0) continue;
        Rig rig = rig_make(i, strcmp(method, "cut") == 0 ? &sti_method_cut : &sti_method_rule);
        if (sti_run(rig.network, NULL, rig.state, rig.scratch, steps) != STI_OK)
            fail("a step failed");
        rig_destroy(&rig);
        return;
    }
    fail("no such case");
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        run_alone(argv[1], argv[2], atoi(argv[3]));
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "names") == 0) {
        for (int i = 0; i < CASES; ++i) printf("%s\n", cases[i].name);
        return 0;
    }
    printf("%-16s %8s %8s %8s\n", "us/step", "rule", "cut", "ratio");
    for (int i = 0; i < CASES; ++i) compare(i);
    return 0;
}
