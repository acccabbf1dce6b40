// What a step of the method `cut` costs: the cases of the peers beside the rule, and how it grows with the
// links of a chain. Steps of 1 ms; least of several runs, microseconds per step.
// Usage: bench_cut [results.csv]
#include "timing.h"

#include <math.h>
#include <stdio.h>

#include "peers/stiction/world.h"

enum { REPETITIONS = 15, FEW_REPETITIONS = 5 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_cut: %s\n", what);
    exit(1);
}

// ---- machines --------------------------------------------------------------------------------------

static void add_friction(StiPlan *plan, int number, StiWire wire, double level, bool elastic)
{
    char name[24];
    snprintf(name, sizeof name, "friction%03d", number);
    if (elastic)
        sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb,
                               &(StiElasticCoulomb){.dim = 1,
                                                    .law = sti_law_coulomb(level),
                                                    .K = 1e4 * level,
                                                    .B = 20.0 * level},
                               &wire);
    else
        sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(level)}, &wire);
}

// A case of the peers, as the comparison with them builds it.
static StiPlan *case_plan(PeerCase which)
{
    World world = {.task = {.which = which}};
    StiPlan *plan = sti_plan_create();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -case_gravity_of(which)));
    stiction_machines[which](plan, &world);
    return plan;
}

// A chain of the peers' rods. Without gravity every second joint is stiff enough to stick while the others
// turn: no mode ends. With gravity the chain falls from the horizontal, and many joints stick and slip.
static StiPlan *chain_plan(int n, bool elastic, bool falls)
{
    StiLink *links = calloc((size_t)n, sizeof *links);
    double *v = calloc((size_t)n, sizeof *v);
    char(*names)[16] = calloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "link%d", i);
        links[i] = stiction_chain_rod(i, names[i]);
        v[i] = falls || i % 2 == 0 ? 0.0 : i % 4 == 1 ? 0.02 : -0.02;
    }
    StiRobot *robot = sti_robot_create(links, n, NULL);
    StiPlan *plan = sti_plan_create();
    if (robot == NULL) fail("a robot is wrong");
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, falls ? -case_gravity : 0.0));
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "robot", &sti_kind_robot,
                                &(StiRobotBody){.robot = robot, .velocities = n, .velocity = v});
    for (int i = 0; i < n; ++i) {
        const double level = falls ? chain_level : i % 2 == 0 ? 1e4 : 1e-3;
        add_friction(plan, i, sti_wire_joint(body, robot, i), level, elastic);
    }
    sti_robot_destroy(robot); // the plan has its own
    free(links), free(v), free(names);
    return plan;
}

// Rods of 0.1 m and 0.1 kg that break loose: released from the horizontal, 0.01 N m in each joint.
static StiPlan *breaking_plan(int n)
{
    StiLink *links = calloc((size_t)n, sizeof *links);
    char(*names)[16] = calloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "link%d", i);
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i > 0 ? 0.1 : 0.0, 0.0, 0.0}},
                             .axis = {0.0, 1.0, 0.0},
                             .mass = 0.1,
                             .centre = {0.05, 0.0, 0.0},
                             .inertia = {1e-6, 0.001 / 12.0, 0.001 / 12.0}};
    }
    StiRobot *robot = sti_robot_create(links, n, NULL);
    StiPlan *plan = sti_plan_create();
    if (robot == NULL) fail("a robot is wrong");
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "robot", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    for (int i = 0; i < n; ++i) add_friction(plan, i, sti_wire_joint(body, robot, i), 0.01, false);
    sti_robot_destroy(robot); // the plan has its own
    free(links), free(names);
    return plan;
}

// A pile: masses in a row, friction on the ground and between neighbours.
static StiPlan *pile_plan(int n, bool elastic)
{
    StiPlan *plan = sti_plan_create();
    StiAdmittanceId last = {-1};
    for (int i = 0; i < n; ++i) {
        char name[16];
        snprintf(name, sizeof name, "mass%03d", i);
        const StiAdmittanceId mass = sti_plan_add_admittance(
            plan, name, &sti_kind_point_mass,
            &(StiPointMass){.dim = 1, .mass = 1.0, .velocity = {i % 2 == 0 ? 1.0 : 0.9}});
        add_friction(plan, i,
                     i == 0 ? sti_wire_coordinate(mass, 0, 1)
                            : sti_wire_coordinate_pair(mass, 0, last, 0, 1),
                     1.0, elastic);
        last = mass;
    }
    return plan;
}

// ---- times -----------------------------------------------------------------------------------------

typedef struct Cost {
    double mean, worst; // us
    long events, fallbacks, together;
} Cost;

static Cost run_once(const StiNetwork *network, StiState *state, StiScratch *scratch, int steps,
                     bool each)
{
    Cost cost = {0};
    double begin = timing_processor_nanoseconds();
    const double start = begin;
    for (int k = 0; k < steps; ++k) {
        if (sti_run(network, NULL, state, scratch, 1) != STI_OK) fail("a step failed");
        if (!each) continue;
        const double end = timing_processor_nanoseconds();
        cost.worst = fmax(cost.worst, 1e-3 * (end - begin));
        begin = end;
        cost.events += sti_scratch_figures(scratch).events;
        cost.fallbacks += sti_scratch_figures(scratch).fallbacks;
        cost.together += sti_scratch_figures(scratch).together;
    }
    cost.mean = 1e-3 * (timing_processor_nanoseconds() - start) / steps;
    return cost;
}

// Destroys the plan. warm: steps before, not measured.
static Cost measure(StiPlan *plan, const StiMethod *method, int warm, int steps, bool each)
{
    StiNetwork *network;
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_method(plan, method);
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) fail("a plan does not compile");
    sti_plan_destroy(plan);
    StiState *start = sti_state_create(network), *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    if (sti_run(network, NULL, start, scratch, warm) != STI_OK) fail("a step failed");
    Cost least = {.mean = INFINITY, .worst = INFINITY}; // the others were disturbed
    const int repetitions = each ? FEW_REPETITIONS : REPETITIONS;
    for (int r = 0; r < repetitions; ++r) {
        sti_state_copy(state, start);
        const Cost cost = run_once(network, state, scratch, steps, each);
        const double mean = fmin(least.mean, cost.mean), worst = fmin(least.worst, cost.worst);
        least = cost;
        least.mean = mean;
        least.worst = worst;
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_state_destroy(start);
    sti_network_destroy(network);
    return least;
}

static void measure_cases(FILE *csv)
{
    static const struct {
        const char *name;
        PeerCase which;
        int steps;
    } cases[] = {{"stuck joint", CASE_CREEP_JOINT, 2000},
                 {"spring-pull", CASE_SPRING_PULL, 4000},
                 {"two-link arm", CASE_TWO_LINK, 6000},
                 {"six-axis arm", CASE_ARM, 500}};
    printf("%-14s %8s %8s %8s\n", "us/step", "euler", "cut", "ratio");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double rule =
            measure(case_plan(cases[i].which), &sti_method_euler, 0, cases[i].steps, false).mean;
        const double cut =
            measure(case_plan(cases[i].which), &sti_method_cut, 0, cases[i].steps, false).mean;
        printf("%-14s %8.3f %8.3f %8.2f\n", cases[i].name, rule, cut, cut / rule);
        if (csv != NULL) fprintf(csv, "%s,1,%g\n", cases[i].name, cut);
    }
}

static void measure_growth(FILE *csv)
{
    static const int sizes[] = {5, 10, 20, 50, 100};
    static const char *const names[] = {"chain, rigid", "chain, elastic", "pile, rigid",
                                        "pile, elastic"};
    enum { SIZES = sizeof sizes / sizeof sizes[0], WARM = 50, STEPS = 32 };
    printf("\nus/step     n:");
    for (int i = 0; i < SIZES; ++i) printf("%9d", sizes[i]);
    printf("  exponent 5 to 100, 20 to 100\n");
    for (int kind = 0; kind < 4; ++kind) {
        double times[SIZES];
        printf("%-14s", names[kind]);
        for (int i = 0; i < SIZES; ++i) {
            StiPlan *plan =
                kind < 2 ? chain_plan(sizes[i], kind == 1, false) : pile_plan(sizes[i], kind == 3);
            times[i] = measure(plan, &sti_method_cut, WARM, STEPS, false).mean;
            printf("%9.2f", times[i]);
            fflush(stdout);
            if (csv != NULL) fprintf(csv, "\"%s\",%d,%g\n", names[kind], sizes[i], times[i]);
        }
        printf("  %.2f, %.2f\n", log(times[SIZES - 1] / times[0]) / log(20.0),
               log(times[SIZES - 1] / times[2]) / log(5.0));
    }
}

static void measure_falling(void)
{
    static const int sizes[] = {5, 10, 20, 50, 100};
    printf("\nfalling chains, 500 steps of 1 ms\n%-9s %4s %10s %10s %8s %9s\n", "", "n", "us/step",
           "worst", "events", "fallbacks");
    for (int elastic = 0; elastic < 2; ++elastic)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            const Cost cost =
                measure(chain_plan(sizes[i], elastic == 1, true), &sti_method_cut, 0, 500, true);
            printf("%-9s %4d %10.2f %10.2f %8ld %9ld\n", elastic ? "elastic" : "rigid", sizes[i],
                   cost.mean, cost.worst, cost.events, cost.fallbacks);
        }
}

// Many joints change in one step: how that grows, beside the rule.
static void measure_breaking(FILE *csv)
{
    static const int sizes[] = {10, 20, 50, 100, 200, 500, 1000};
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    double times[SIZES];
    printf("\nchains that break loose, 300 steps of 1 ms\n%5s %10s %10s %7s %10s %8s %9s\n", "n",
           "euler", "cut", "ratio", "worst", "events", "together");
    for (int i = 0; i < SIZES; ++i) {
        const int n = sizes[i];
        const double rule = measure(breaking_plan(n), &sti_method_euler, 0, 300, true).mean;
        const Cost cut = measure(breaking_plan(n), &sti_method_cut, 0, 300, true);
        times[i] = cut.mean;
        printf("%5d %10.2f %10.2f %7.2f %10.2f %8ld %9ld\n", n, rule, cut.mean, cut.mean / rule,
               cut.worst, cut.events, cut.together);
        fflush(stdout);
        if (csv != NULL) fprintf(csv, "breaking chain,%d,%g\n", n, cut.mean);
    }
    printf("exponent %.2f\n", log(times[SIZES - 1] / times[0]) / log(100.0));
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (csv != NULL) fprintf(csv, "case,n,microseconds\n");
    measure_cases(csv);
    measure_growth(csv);
    measure_falling();
    measure_breaking(csv);
    if (csv != NULL) fclose(csv);
    return 0;
}
