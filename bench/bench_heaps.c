// What heaps cost under `rule`: boxes or spheres fall in six layers onto a plane and onto each other and come to
// rest, or a thousand boxes fall far apart and touch nothing. Steps of 1 ms: milliseconds of the processor per
// step, the worst step, points that touch and solves of all of them together per step; summed over the run, groups
// that creep and groups without an answer.
//
//     bench_heaps                    50 to 200 boxes, 500 spheres, 1000 boxes apart; a minute and a half
//     bench_heaps box|sphere|apart N [STEPS]
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stiction/stiction.h>

enum { LAYERS = 6, STEPS = 600 };
static const double half = 0.05, mass = 1.0, step = 1e-3;

static void fail(const char *what)
{
    fprintf(stderr, "bench_heaps: %s\n", what);
    exit(1);
}

typedef enum Bodies { BOXES, SPHERES, APART } Bodies;

// -1 .. 1, the same everywhere
static double draw(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static StiRigidBody body_at(int i, int count, Bodies bodies, unsigned *seed)
{
    const int wide = (int)ceil(sqrt(fmax(1.0, (double)count / LAYERS)));
    const int x = i % wide, y = i / wide % wide, z = i / (wide * wide);
    const double apart = bodies == APART ? 0.5 : 0.13;
    const double inertia = (bodies == SPHERES ? 0.4 : 2.0 / 3.0) * mass * half * half;
    const StiVec3 turn = {0.2 * draw(seed), 0.2 * draw(seed), 0.2 * draw(seed)};
    const StiVec3 at = {apart * x + 0.01 * draw(seed), apart * y + 0.01 * draw(seed),
                        0.08 + apart * z + (bodies == APART ? 10.0 : 0.0)};
    const StiQuat q = sti_quat_exp(turn);
    return (StiRigidBody){.mass = mass,
                          .inertia = {inertia, inertia, inertia},
                          .position = {at.x, at.y, at.z},
                          .attitude = {q.w, q.x, q.y, q.z}};
}

static StiNetwork *build(Bodies bodies, int count)
{
    StiPlan *plan = sti_plan_create();
    StiContactShape *shapes = calloc((size_t)count, sizeof *shapes);
    const StiContactShape ground = {{-1}, 0, sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1))};
    unsigned seed = 7;
    if (plan == NULL || shapes == NULL) fail("no memory");
    sti_plan_set_step(plan, step);
    sti_plan_set_method(plan, &sti_method_rule);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    for (int i = 0; i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        const StiRigidBody body = body_at(i, count, bodies, &seed);
        const StiFrame own = {.q = STI_QUAT_IDENTITY};
        shapes[i].body = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        shapes[i].shape = bodies == SPHERES ? sti_shape_sphere(sti_vec3(0, 0, 0), half)
                                            : sti_shape_box(own, sti_vec3(half, half, half));
    }
    sti_plan_add_contact(
        plan, "ground",
        &(StiContact){.a = shapes, .a_count = count, .b = &ground, .b_count = 1, .mu = 0.5});
    sti_plan_add_contact(plan, "heap", &(StiContact){.a = shapes, .a_count = count, .mu = 0.5});
    StiNetwork *network = NULL;
    if (sti_plan_compile(plan, NULL, &network) != STI_OK) fail("does not compile");
    sti_plan_destroy(plan);
    free(shapes);
    return network;
}

// Sums over a run.
typedef struct Cost {
    double ms, worst, points, solves;
    int soft, unsolved;
} Cost;

static Cost run(Bodies bodies, int count, int steps)
{
    StiNetwork *network = build(bodies, count);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    Cost cost = {.ms = 0.0};
    if (state == NULL || scratch == NULL) fail("no memory");
    for (int k = 0; k < steps; ++k) {
        const double from = timing_processor_nanoseconds();
        if (sti_step(network, NULL, state, scratch) != STI_OK) fail("a step failed");
        const double ms = 1e-6 * (timing_processor_nanoseconds() - from);
        const StiStepFigures figures = sti_scratch_figures(scratch);
        cost.ms += ms / steps;
        cost.worst = fmax(cost.worst, ms);
        cost.points += (double)figures.points / steps;
        cost.solves += (double)figures.block_iterations / steps;
        cost.soft += figures.soft;
        cost.unsolved += figures.unsolved;
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    return cost;
}

static const char *const names[] = {"box", "sphere", "apart"};

static void show(Bodies bodies, int count, int steps)
{
    const Cost cost = run(bodies, count, steps);
    printf("%-7s %6d %9.3f %9.2f %9.1f %8.1f %6d %9d\n", names[bodies], count, cost.ms, cost.worst,
           cost.points, cost.solves, cost.soft, cost.unsolved);
    fflush(stdout);
}

static void show_all(void)
{
    show(BOXES, 50, STEPS);
    show(BOXES, 100, STEPS);
    show(BOXES, 200, STEPS);
    show(SPHERES, 500, STEPS);
    show(APART, 1000, 100);
}

int main(int count, char **words)
{
    printf("%-7s %6s %9s %9s %9s %8s %6s %9s\n", "bodies", "count", "ms/step", "worst", "touches",
           "solves", "soft", "unsolved");
    if (count < 3) {
        show_all();
        return 0;
    }
    for (int i = 0; i < 3; ++i)
        if (strcmp(words[1], names[i]) == 0) {
            show((Bodies)i, atoi(words[2]), count > 3 ? atoi(words[3]) : STEPS);
            return 0;
        }
    fail("box, sphere or apart");
}
