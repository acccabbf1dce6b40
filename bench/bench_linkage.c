// What linkages cost: chains of n bodies on pins (one evaluation; the exponent with which its time
// grows from n = 5 to n = 500), and a step of a slider-crank with friction in all joints: turning, jammed
// (four joints stick on one freedom), and under so much friction that the loads need Newton's method.
// Usage: bench_linkage [results.csv]
//
// Nothing can be left out by the compiler: results are summed and printed.
#include "timing.h"

#include <math.h>
#include <stdio.h>

#include "stiction/friction.h"
#include "stiction/plan.h"
#include "stiction/step.h"
#include "support/linkages.h"

enum { REPETITIONS = 31, RUNS = 301, STEPS = 20, SIZES = 7, MOST = 500 };
static const int sizes[SIZES] = {5, 10, 20, 50, 100, 200, 500};

static StiLinkage *chain(int n)
{
    static char names[2 * MOST][16];
    StiPlanarBody *bodies = calloc((size_t)n, sizeof *bodies);
    StiPlanarPair *pairs = calloc((size_t)n, sizeof *pairs);
    StiVec2 from = {0.0, 0.0};
    for (int i = 0; i < n; ++i) {
        const double angle = 0.5 * sin(0.7 * i);
        const StiVec2 to = {from.x + 0.1 * cos(angle), from.y + 0.1 * sin(angle)};
        snprintf(names[2 * i], sizeof names[0], "b%d", i);
        snprintf(names[2 * i + 1], sizeof names[0], "p%d", i);
        bodies[i] = rod_between(names[2 * i], 1.0, from, to);
        pairs[i] = pin_of(names[2 * i + 1], i, -0.05, i - 1, (StiVec2){i > 0 ? 0.05 : 0.0, 0.0});
        from = to;
    }
    const StiLinkageDesign design = {.bodies = bodies,
                                     .body_count = n,
                                     .pairs = pairs,
                                     .pair_count = n};
    StiLinkage *linkage = sti_linkage_create(&design, NULL);
    free(bodies);
    free(pairs);
    return linkage;
}

// Median time of one evaluation with loads, ns.
static double time_evaluation(const StiLinkage *linkage, int evaluations, double *sum)
{
    const int count = sti_linkage_velocities(linkage);
    double times[REPETITIONS], *numbers = calloc(3 * (size_t)count, sizeof *numbers);
    double *q = numbers, *v = q + count, *vdot = v + count;
    double *workspace = calloc((size_t)sti_linkage_workspace(linkage), sizeof *workspace);
    StiPairLoad *loads = calloc((size_t)sti_linkage_pairs(linkage), sizeof *loads);
    const StiLinkageForce force = {.gravity = test_gravity};
    sti_linkage_start(linkage, q, v);
    for (int r = 0; r < REPETITIONS; ++r) {
        const double start = timing_processor_nanoseconds();
        for (int i = 0; i < evaluations; ++i) {
            v[2] = 1e-3 * i;
            sti_linkage_forward(linkage, q, v, NULL, &force, NULL, vdot, loads, NULL, NULL,
                                workspace);
            *sum += vdot[2];
        }
        times[r] = (timing_processor_nanoseconds() - start) / evaluations;
    }
    free(loads);
    free(workspace);
    free(numbers);
    return timing_median(times, REPETITIONS);
}

typedef struct Crank {
    const char *name;
    bool coulomb;
    double rate; // at the start, rad/s
    double mu;
    double gravity; // m/s^2
} Crank;

static const Crank cranks[] = {
    {"Dahl", false, 20.0, 0.05, 0.0},
    {"Coulomb", true, 20.0, 0.05, 0.0},
    {"Coulomb, jammed", true, 0.0, 0.8, 9.81},
    {"Coulomb, mu = 1.3", true, 20.0, 1.3, 0.0},
};

static void add_friction(StiPlan *plan, StiAdmittanceId body, const StiLinkage *linkage,
                         const Crank *crank)
{
    const StiLaw law = sti_law_times_load(sti_law_coulomb(crank->mu));
    const StiDahl dahl = {.law = law, .K = 1e4, .alpha = 1.0, .stiff = true};
    const StiFiniteTime rule = {.dim = 1, .law = law};
    const StiVec3 zero = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; ++k) {
        const StiWire wire =
            sti_wire_point(body, sti_linkage_surface_link(linkage, k), zero, zero, 1);
        char name[16];
        snprintf(name, sizeof name, "f%d", k);
        const StiElementId e =
            crank->coulomb ? sti_plan_add_reaction(plan, name, &sti_kind_finite_time, &rule, &wire)
                           : sti_plan_add_impedance(plan, name, &sti_kind_dahl, &dahl, &wire);
        sti_plan_connect(plan, sti_signal_load(body, sti_linkage_pair_load(linkage, k)), e, 0);
    }
}

// Friction in all four joints. Median time of one step, ns; figures of the last.
static double time_step(const Crank *crank, double *sum, StiStepFigures *figures)
{
    SliderCrank s;
    slider_crank(&s, 0.7, crank->rate, false);
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, 1e-4);
    sti_plan_set_method(plan, &sti_method_symplectic_euler);
    sti_plan_set_gravity(plan, sti_vec3(0.0, -crank->gravity, 0.0));
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "engine", &sti_kind_linkage, &(StiLinkageBody){linkage});
    add_friction(plan, body, linkage, crank);
    StiNetwork *network = NULL;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) return NAN;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    double times[RUNS]; // short ones: less than a slice of time on a busy machine
    for (int r = 0; r < RUNS; ++r) {
        const double start = timing_processor_nanoseconds();
        if (sti_run(network, NULL, state, scratch, STEPS) != STI_OK) {
            const StiFault *fault = sti_scratch_fault(scratch);
            printf("%s: %s, %s, t = %g\n", fault->component, fault->what,
                   sti_status_text(fault->status), fault->t);
            return NAN;
        }
        times[r] = (timing_processor_nanoseconds() - start) / STEPS;
        *sum += times[r];
    }
    *figures = sti_scratch_figures(scratch);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
    sti_linkage_destroy(linkage);
    return timing_median(times, RUNS);
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    double times[SIZES], sum = 0.0;
    if (csv != NULL) fprintf(csv, "case,n,ns\n");
    for (int i = 0; i < SIZES; ++i) {
        StiLinkage *linkage = chain(sizes[i]);
        if (linkage == NULL) return 1;
        times[i] = time_evaluation(linkage, 20000 / sizes[i], &sum);
        printf("chain of %3d bodies: %8.2f us per evaluation, %6.1f ns per body\n", sizes[i],
               1e-3 * times[i], times[i] / sizes[i]);
        if (csv != NULL) fprintf(csv, "chain,%d,%.1f\n", sizes[i], times[i]);
        sti_linkage_destroy(linkage);
    }
    printf("exponent from n = 5 to 500: %.3f\n", log(times[SIZES - 1] / times[0]) / log(100.0));
    for (size_t i = 0; i < sizeof cranks / sizeof cranks[0]; ++i) {
        StiStepFigures figures = {0};
        const double ns = time_step(&cranks[i], &sum, &figures);
        printf("slider-crank, %s in four joints: %.2f us per step, %d load iterations, %d Newton "
               "steps\n",
               cranks[i].name, 1e-3 * ns, figures.load_iterations, figures.load_newton);
        if (csv != NULL) fprintf(csv, "slider-crank %s,3,%.1f\n", cranks[i].name, ns);
    }
    if (csv != NULL) fclose(csv);
    printf("(sum %g)\n", sum);
    return 0;
}
