// What a step of the solver `coupled` costs: n links with joint friction and two
// contacts, 1 ms, with collision detection and position projection. Medians over runs of the first
// 32 steps: microseconds per step, trials per step, and the exponents with which the time of a step
// and of a trial grow from n = 20 to n = 100.
// Usage: bench_coupled [results.csv]
#include "timing.h"

#include <math.h>

#include "support/scenes/chain.h"

enum { STEPS = 32, REPETITIONS = 101 };
static const int sizes[] = {1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

typedef struct Result {
    double microseconds, trials, angle;
} Result;

static Result measure(int n, double friction)
{
    Chain chain = chain_plan(n, friction, 1e-3);
    StiNetwork *network;
    if (sti_plan_compile(chain.plan, NULL, &network) != STI_OK) exit(1);
    StiState *start = sti_state_create(network), *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double times[REPETITIONS];
    Result result = {.trials = 0.0};
    for (int r = 0; r < REPETITIONS; ++r) {
        int trials = 0;
        sti_state_copy(state, start);
        const double begin = timing_processor_nanoseconds();
        for (int k = 0; k < STEPS; ++k) {
            if (sti_run(network, NULL, state, scratch, 1) != STI_OK) exit(1);
            trials += sti_scratch_figures(scratch).trials;
        }
        times[r] = 1e-3 * (timing_processor_nanoseconds() - begin) / STEPS;
        result.trials = (double)trials / STEPS;
    }
    result.microseconds = timing_median(times, REPETITIONS);
    result.angle = sti_state_positions(state, network, chain.id)[0];
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_state_destroy(start);
    sti_network_destroy(network);
    sti_plan_destroy(chain.plan);
    sti_robot_destroy(chain.robot);
    return result;
}

static double exponent(double from, double to) { return log(to / from) / log(5.0); }

static void table(double friction, FILE *csv)
{
    Result at_20 = {0}, at_100 = {0};
    printf("%s\n    n  us/step  trials/step  us/trial  q0 after 32 steps\n",
           friction > 0.0 ? "joint friction 0.05 N m, two contacts"
                          : "no joint friction, two contacts");
    for (int i = 0; i < SIZES; ++i) {
        const Result r = measure(sizes[i], friction);
        printf("%5d %8.2f %12.2f %9.2f  %.5f\n", sizes[i], r.microseconds, r.trials,
               r.microseconds / r.trials, r.angle);
        if (csv != NULL)
            fprintf(csv, "coupled,%g,%d,%g,%g\n", friction, sizes[i], r.microseconds, r.trials);
        if (sizes[i] == 20) at_20 = r;
        if (sizes[i] == 100) at_100 = r;
    }
    printf("exponent 20 to 100: %.2f per step, %.2f per trial\n\n",
           exponent(at_20.microseconds, at_100.microseconds),
           exponent(at_20.microseconds / at_20.trials, at_100.microseconds / at_100.trials));
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (csv != NULL) fprintf(csv, "solver,friction,links,microseconds,trials\n");
    table(0.05, csv);
    table(0.0, csv);
    if (csv != NULL) fclose(csv);
    return 0;
}
