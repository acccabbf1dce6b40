// What a whole step of a six-axis arm with friction in all joints costs: medians over many runs, in
// microseconds per step, at rest under dither and while all joints slide to and fro; beside it one
// evaluation of the arm's forward dynamics alone.
// Usage: bench_arm [results.csv]
#include "timing.h"

#include <stdio.h>

#include "support/scenes/six_axis.h"

enum { REPETITIONS = 21, STEPS = 500 };

typedef struct Case {
    const char *model, *motion;
    bool elastic;
    double dither; // part of the kinetic level
    double T;      // s
} Case;

static const Case cases[] = {
    {"finite-time", "held", false, 0.8, 1e-3},
    {"finite-time", "sliding", false, 3.0, 1e-3},
    {"elastic-coulomb", "held", true, 0.5, 1e-4},
    {"elastic-coulomb", "sliding", true, 3.0, 1e-4},
};

// Microseconds per step; negative where it cannot be run.
static double measure(const Case *c, double *sum)
{
    SixAxisMotors motors;
    StiNetwork *network = NULL;
    StiPlan *plan = six_axis_plan(&motors, c->dither, c->elastic, c->T);
    const bool compiled = sti_plan_compile(plan, NULL, &network) == STI_OK;
    sti_plan_destroy(plan);
    if (!compiled) return -1.0;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double times[REPETITIONS];
    bool good = state != NULL && scratch != NULL;
    for (int i = 0; good && i < REPETITIONS; ++i) {
        const double start = timing_processor_nanoseconds();
        good = sti_run(network, NULL, state, scratch, STEPS) == STI_OK;
        times[i] = 1e-3 * (timing_processor_nanoseconds() - start) / STEPS;
    }
    if (good) *sum += sti_state_positions(state, network, (StiAdmittanceId){1})[0];
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return good ? timing_median(times, REPETITIONS) : -1.0;
}

static double measure_forward(double *sum)
{
    StiRobot *robot = six_axis_robot();
    double *workspace = calloc((size_t)sti_robot_workspace(robot), sizeof *workspace);
    double v[SIX_AXES] = {0.1, 0.2, 0.3, -0.1, -0.2, -0.3}, vdot[SIX_AXES], times[REPETITIONS];
    for (int i = 0; workspace != NULL && i < REPETITIONS; ++i) {
        const double start = timing_processor_nanoseconds();
        for (int k = 0; k < STEPS; ++k) {
            v[0] = 1e-3 * k;
            sti_robot_forward(robot, six_axis_gravity, six_axis_pose, v, v, NULL, vdot, NULL,
                              workspace);
            *sum += vdot[SIX_AXES - 1];
        }
        times[i] = 1e-3 * (timing_processor_nanoseconds() - start) / STEPS;
    }
    const double median = workspace != NULL ? timing_median(times, REPETITIONS) : -1.0;
    free(workspace);
    sti_robot_destroy(robot);
    return median;
}

int main(int count, char **arguments)
{
    FILE *csv = count > 1 ? fopen(arguments[1], "w") : NULL;
    if (count > 1 && csv == NULL) return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    if (csv != NULL) fprintf(csv, "model,motion,microseconds\n");
    double sum = 0.0;
    bool good = true;
    printf("six-axis arm, friction in all joints  us per step\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double time = measure(&cases[i], &sum);
        printf("%-16s %-10s %21.2f\n", cases[i].model, cases[i].motion, time);
        if (csv != NULL) fprintf(csv, "%s,%s,%.5g\n", cases[i].model, cases[i].motion, time);
        good = good && time >= 0.0;
    }
    printf("%-27s %21.2f\n", "forward dynamics alone", measure_forward(&sum));
    printf("sum of results %.6g\n", sum);
    if (csv != NULL && fclose(csv) != 0)
        return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    return good ? 0 : 1;
}
