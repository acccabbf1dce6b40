// What a step of each solver costs: n links with joint friction, rotors and two
// contacts, 1 ms. The least of several runs of the first steps: microseconds per step, and the exponents with
// which they grow from n = 20 to n = 100. [semi-implicit] simulation 3, Fig. 13
// Usage: bench_solvers [results.csv]
#include "timing.h"

#include <math.h>
#include <stdio.h>

#include "support/scenes/chain.h"

enum { STEPS = 32, REPETITIONS = 21 };
static const int sizes[] = {1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static StiNetwork *compile(int n, const StiSolver *solver, StiRobot **robot)
{
    Chain chain = chain_plan(n, 0.05, 1e-3);
    StiNetwork *network;
    sti_plan_set_solver(chain.plan, solver);
    for (int i = 0; i < n; ++i) {
        char path[48];
        snprintf(path, sizeof path, "chain.joint%d.armature", i);
        if (sti_plan_set(chain.plan, path, 0.01) != STI_OK) exit(1);
    }
    if (sti_plan_compile(chain.plan, NULL, &network) != STI_OK) exit(1);
    sti_plan_destroy(chain.plan);
    *robot = chain.robot;
    return network;
}

static double measure(int n, const StiSolver *solver)
{
    StiRobot *robot;
    StiNetwork *network = compile(n, solver, &robot);
    StiState *start = sti_state_create(network), *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double least = INFINITY; // the others were disturbed
    for (int r = 0; r < REPETITIONS; ++r) {
        sti_state_copy(state, start);
        const double begin = timing_processor_nanoseconds();
        if (sti_run(network, NULL, state, scratch, STEPS) != STI_OK) exit(1);
        least = fmin(least, 1e-3 * (timing_processor_nanoseconds() - begin) / STEPS);
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_state_destroy(start);
    sti_network_destroy(network);
    sti_robot_destroy(robot);
    return least;
}

int main(int argc, char **argv)
{
    const StiSolver *const solvers[] = {&sti_solver_semi_implicit, &sti_solver_implicit,
                                        &sti_solver_coupled};
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (csv != NULL) fprintf(csv, "solver,links,microseconds\n");
    printf("us/step   n:");
    for (int i = 0; i < SIZES; ++i) printf("%9d", sizes[i]);
    printf("  exponent 20 to 100\n");
    for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; ++s) {
        double at_20 = 1.0, at_100 = 1.0;
        printf("%-12s", sti_solver_name(solvers[s]));
        for (int i = 0; i < SIZES; ++i) {
            const double time = measure(sizes[i], solvers[s]);
            if (sizes[i] == 20) at_20 = time;
            if (sizes[i] == 100) at_100 = time;
            printf("%9.2f", time);
            fflush(stdout);
            if (csv != NULL)
                fprintf(csv, "%s,%d,%g\n", sti_solver_name(solvers[s]), sizes[i], time);
        }
        printf("  %.2f\n", log(at_100 / at_20) / log(5.0));
    }
    if (csv != NULL) fclose(csv);
    return 0;
}
