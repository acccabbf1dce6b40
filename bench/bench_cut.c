// What a step of the method `cut` costs: the cases of the peers beside the rule, and how it grows with the
// links of a chain. Least of several runs, microseconds per step.
// Usage: bench_cut [results.csv]
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "peers/cases.h"
#include "stiction/stiction.h"

enum { REPETITIONS = 15 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_cut: %s\n", what);
    exit(1);
}

// ---- machines --------------------------------------------------------------------------------------

typedef struct Machine {
    StiPlan *plan;
    StiAdmittanceId body;
} Machine;

static void joint_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    f[0] = creep_joint_torque(t);
}
static void hand(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = pull_hand(t);
    values[1] = t < 2.0 ? 2.0 : 0.0;
}
static void arm2_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    for (int i = 0; i < 2; ++i) f[i] = arm2_torque(i, t);
}
static void arm_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    for (int i = 0; i < ARM_AXES; ++i) f[i] = arm_torque(i, t);
}

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

static Machine machine_of(const StiLink *links, int count, const double *levels,
                          const double *velocities, bool elastic)
{
    StiRobot *robot = sti_robot_create(links, count, NULL);
    Machine machine = {.plan = sti_plan_create()};
    if (robot == NULL) fail("a robot is wrong");
    sti_plan_set_gravity(machine.plan, sti_vec3(0.0, 0.0, 0.0));
    machine.body = sti_plan_add_admittance(machine.plan, "robot", &sti_kind_robot,
                                           &(StiRobotBody){.robot = robot,
                                                           .velocities = velocities ? count : 0,
                                                           .velocity = velocities});
    for (int i = 0; i < count; ++i)
        add_friction(machine.plan, i, sti_wire_joint(machine.body, robot, i), levels[i], elastic);
    sti_robot_destroy(robot);
    return machine;
}

static Machine joint(void)
{
    const StiLink link = {.name = "wheel",
                          .joint_name = "hinge",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 0.0, 1.0},
                          .mass = 1.0,
                          .inertia = {joint_inertia, joint_inertia, joint_inertia}};
    const Machine machine = machine_of(&link, 1, &joint_level, NULL, false);
    const StiWire wire = sti_wire_coordinate(machine.body, 0, 1);
    sti_plan_add_force(machine.plan, "load", &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = joint_load});
    return machine;
}

static Machine block(void)
{
    static const double stop[] = {2.0};
    Machine machine = {.plan = sti_plan_create()};
    StiPlan *plan = machine.plan;
    machine.body = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                           &(StiPointMass){.dim = 1, .mass = block_mass});
    const StiAdmittanceId end = sti_plan_add_motion(
        plan, "hand", 1,
        (StiTimeFunction){.count = 2, .eval = hand, .breaks = stop, .break_count = 1});
    const StiWire spring = sti_wire_coordinate_pair(machine.body, 0, end, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = pull_stiffness}, &spring);
    add_friction(plan, 0, sti_wire_coordinate(machine.body, 0, 1), block_level, false);
    return machine;
}

static Machine two_link(void)
{
    static const double kinks[] = {0.52 / 0.3, 4.0};
    static const char *const names[] = {"upper", "lower"};
    const double J = arm2_inertia(), levels[2] = {arm2_level, arm2_level};
    StiLink links[2];
    for (int i = 0; i < 2; ++i)
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i * arm2_length, 0.0, 0.0}},
                             .axis = {0.0, 0.0, 1.0},
                             .mass = arm2_mass,
                             .centre = {0.5 * arm2_length, 0.0, 0.0},
                             .inertia = {arm2_thin, J, J}};
    const Machine machine = machine_of(links, 2, levels, NULL, false);
    const StiWire joints = sti_wire_coordinate(machine.body, 0, 2);
    sti_plan_add_force(
        machine.plan, "motors", &joints, 2,
        (StiTimeFunction){.count = 2, .eval = arm2_load, .breaks = kinks, .break_count = 2});
    return machine;
}

static Machine arm(void)
{
    StiLink links[ARM_AXES];
    double levels[ARM_AXES];
    const double turn = sqrt(0.5);
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink *l = &arm_links[i];
        levels[i] = l->level;
        links[i] = (StiLink){.name = l->name,
                             .joint_name = l->name,
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {l->place[0], l->place[1], l->place[2]},
                                           .q = {l->turned ? turn : 1.0, 0.0,
                                                 l->turned ? turn : 0.0, 0.0}},
                             .axis = {0.0, l->about_z ? 0.0 : 1.0, l->about_z ? 1.0 : 0.0},
                             .mass = l->mass,
                             .centre = {l->centre[0], l->centre[1], l->centre[2]},
                             .inertia = {arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)}};
    }
    const Machine machine = machine_of(links, ARM_AXES, levels, NULL, false);
    sti_plan_set_gravity(machine.plan, sti_vec3(0.0, 0.0, -case_gravity));
    const StiWire joints = sti_wire_coordinate(machine.body, 0, ARM_AXES);
    sti_plan_add_force(machine.plan, "motors", &joints, ARM_AXES,
                       (StiTimeFunction){.count = ARM_AXES, .eval = arm_load});
    return machine;
}

// A chain of rods. Without gravity every second joint is stiff enough to stick while the others turn: no
// mode ends. With gravity the chain falls from the horizontal, and many joints stick and slip.
static Machine chain(int n, bool elastic, bool falls)
{
    StiLink *links = calloc((size_t)n, sizeof *links);
    double *levels = calloc((size_t)n, sizeof *levels), *v = calloc((size_t)n, sizeof *v);
    char(*names)[16] = calloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "link%d", i);
        levels[i] = falls ? chain_level : i % 2 == 0 ? 1e4 : 1e-3;
        v[i] = i % 2 == 0 ? 0.0 : i % 4 == 1 ? 0.02 : -0.02;
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i > 0 ? chain_length : 0.0, 0.0, 0.0}},
                             .axis = {0.0, 1.0, 0.0},
                             .mass = chain_mass,
                             .centre = {0.5 * chain_length, 0.0, 0.0},
                             .inertia = {chain_inertia(0), chain_inertia(1), chain_inertia(2)}};
    }
    const Machine machine = machine_of(links, n, levels, falls ? NULL : v, elastic);
    if (falls) sti_plan_set_gravity(machine.plan, sti_vec3(0.0, 0.0, -case_gravity));
    free(links), free(levels), free(v), free(names);
    return machine;
}

// A pile: masses in a row, friction on the ground and between neighbours.
static Machine pile(int n, bool elastic)
{
    Machine machine = {.plan = sti_plan_create()};
    StiAdmittanceId last = {-1};
    for (int i = 0; i < n; ++i) {
        char name[16];
        snprintf(name, sizeof name, "mass%03d", i);
        const StiAdmittanceId mass = sti_plan_add_admittance(
            machine.plan, name, &sti_kind_point_mass,
            &(StiPointMass){.dim = 1, .mass = 1.0, .velocity = {i % 2 == 0 ? 1.0 : 0.9}});
        add_friction(machine.plan, i,
                     i == 0 ? sti_wire_coordinate(mass, 0, 1)
                            : sti_wire_coordinate_pair(mass, 0, last, 0, 1),
                     1.0, elastic);
        last = mass;
    }
    machine.body = last;
    return machine;
}

// Of the processor: others may use the machine, too.
static double processor_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

// ---- times -----------------------------------------------------------------------------------------

typedef struct Cost {
    double mean, worst; // us
    long events, finishes;
} Cost;

static Cost run_once(const StiNetwork *network, StiState *state, StiScratch *scratch, int steps,
                     bool each)
{
    Cost cost = {0};
    double begin = processor_nanoseconds();
    const double start = begin;
    for (int k = 0; k < steps; ++k) {
        if (sti_run(network, NULL, state, scratch, 1) != STI_OK) fail("a step failed");
        if (!each) continue;
        const double end = processor_nanoseconds();
        cost.worst = fmax(cost.worst, 1e-3 * (end - begin));
        begin = end;
        cost.events += sti_scratch_figures(scratch).events;
        cost.finishes += sti_scratch_figures(scratch).finishes;
    }
    cost.mean = 1e-3 * (processor_nanoseconds() - start) / steps;
    return cost;
}

// warm: steps before, not measured.
static Cost measure(Machine machine, const StiMethod *method, double T, int warm, int steps,
                    bool each)
{
    StiNetwork *network;
    sti_plan_set_step(machine.plan, T);
    if (method != NULL) sti_plan_set_method(machine.plan, method);
    if (sti_plan_compile(machine.plan, NULL, &network) != STI_OK) fail("a plan does not compile");
    sti_plan_destroy(machine.plan);
    StiState *start = sti_state_create(network), *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    if (sti_run(network, NULL, start, scratch, warm) != STI_OK) fail("a step failed");
    Cost least = {.mean = INFINITY, .worst = INFINITY}; // the others were disturbed
    for (int r = 0; r < REPETITIONS; ++r) {
        sti_state_copy(state, start);
        const Cost cost = run_once(network, state, scratch, steps, each);
        least = (Cost){fmin(least.mean, cost.mean), fmin(least.worst, cost.worst), cost.events,
                       cost.finishes};
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
        Machine (*build)(void);
        double T;
        int steps;
    } cases[] = {{"stuck joint", joint, 1e-3, 2000},
                 {"spring-pull", block, 1e-3, 4000},
                 {"two-link arm", two_link, 1e-3, 6000},
                 {"six-axis arm", arm, 1e-3, 500}};
    printf("%-14s %8s %8s %8s\n", "us/step", "euler", "cut", "ratio");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double rule =
            measure(cases[i].build(), &sti_method_euler, cases[i].T, 0, cases[i].steps, false).mean;
        const double cut =
            measure(cases[i].build(), &sti_method_cut, cases[i].T, 0, cases[i].steps, false).mean;
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
            const Machine machine =
                kind < 2 ? chain(sizes[i], kind == 1, false) : pile(sizes[i], kind == 3);
            times[i] = measure(machine, &sti_method_cut, 1e-3, WARM, STEPS, false).mean;
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
           "worst", "events", "finishes");
    for (int elastic = 0; elastic < 2; ++elastic)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            const Cost cost =
                measure(chain(sizes[i], elastic == 1, true), &sti_method_cut, 1e-3, 0, 500, true);
            printf("%-9s %4d %10.2f %10.2f %8ld %9ld\n", elastic ? "elastic" : "rigid", sizes[i],
                   cost.mean, cost.worst, cost.events, cost.finishes);
        }
}

int main(int argc, char **argv)
{
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (csv != NULL) fprintf(csv, "case,n,microseconds\n");
    measure_cases(csv);
    measure_growth(csv);
    measure_falling();
    if (csv != NULL) fclose(csv);
    return 0;
}
