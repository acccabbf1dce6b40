// Random robots with friction in their joints, rigid and elastic: a step with stuck joints locked and implicit
// friction on the diagonal is the step with all rows outside the robot, solved densely.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../unit/network/built.h"
#include "network/network.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/short.h"

enum { JOINTS = 6 };

typedef struct Shake {
    int count;
    double size[JOINTS], frequency[JOINTS];
} Shake;

static void shake_at(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Shake *shake = data;
    for (int i = 0; i < shake->count; ++i)
        values[i] = shake->size[i] * sin(shake->frequency[i] * t + i);
}

static StiVec3 random_direction(Random *random)
{
    return sti_vec3(random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0),
                    random_between(random, 0.2, 1.0));
}

static StiRobot *random_robot(Random *random, int n)
{
    StiLink links[JOINTS];
    static const char *const names[JOINTS] = {"a", "b", "c", "d", "e", "f"};
    for (int i = 0; i < n; ++i) {
        const double m = random_between(random, 0.5, 2.0), J = random_between(random, 0.01, 0.1);
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i == 0                         ? -1
                                       : random_below(random, 10) < 7 ? i - 1
                                                                      : random_below(random, i),
                             .joint = random_below(random, 5) == 0 ? STI_JOINT_PRISMATIC
                                                                   : STI_JOINT_REVOLUTE,
                             .placement = {.p = sti_vec3_scale(0.3, random_direction(random))},
                             .axis = random_direction(random),
                             .mass = m,
                             .centre = sti_vec3_scale(0.15, random_direction(random)),
                             .inertia = {J, J, J},
                             .armature = random_below(random, 2) == 0 ? 0.0 : 0.05};
    }
    return sti_robot_create(links, n, NULL);
}

enum { RIGID, ELASTIC, BOTH };

static void add_friction(StiPlan *plan, Random *random, const char *name, StiWire wire, int which)
{
    const double F = random_decades(random, 1.0, 20.0);
    const double FS = random_below(random, 2) == 0 ? 0.0 : F * random_between(random, 1.0, 1.3);
    const bool elastic = which == ELASTIC || (which == BOTH && random_below(random, 2) == 0);
    if (random_below(random, 5) == 0) return;
    if (elastic)
        sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb,
                               &(StiElasticCoulomb){.dim = 1,
                                                    .law = sti_law_coulomb(F),
                                                    .K = 1e4,
                                                    .B = 20.0,
                                                    .level_static = FS},
                               &wire);
    else
        add_rule(plan, name, wire, sti_law_coulomb(F), FS);
}

static Built random_machine(uint64_t seed, int which, Shake *shake)
{
    Random random = {seed};
    const int n = 1 + random_below(&random, JOINTS);
    StiRobot *robot = random_robot(&random, n);
    StiPlan *plan = plan_in_stages();
    double v[JOINTS];
    assert_non_null(robot);
    for (int i = 0; i < n; ++i)
        v[i] = random_below(&random, 2) == 0 ? 0.0 : random_between(&random, -1.0, 1.0);
    const StiAdmittanceId id =
        sti_plan_add_admittance(plan, "robot", &sti_kind_robot,
                                &(StiRobotBody){.robot = robot, .velocities = n, .velocity = v});
    shake->count = n;
    for (int i = 0; i < n; ++i) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        add_friction(plan, &random, name, sti_wire_joint(id, robot, i), which);
        shake->size[i] = random_between(&random, 5.0, 40.0);
        shake->frequency[i] = random_between(&random, 20.0, 100.0);
    }
    const StiWire all = sti_wire_coordinate(id, 0, n);
    sti_plan_add_force(plan, "shake", &all, n,
                       (StiTimeFunction){.count = n, .eval = shake_at, .data = shake});
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_step(plan, 2e-3);
    sti_plan_set_method(plan, &sti_method_cut);
    sti_robot_destroy(robot);
    return build_and_destroy(plan);
}

// All friction from outside, by the response of the robot.
static void make_dense(StiNetwork *n)
{
    for (int i = 0; i < n->admittance_count; ++i)
        n->admittances[i].holds = n->admittances[i].adds = false;
    for (int i = 0; i < n->reaction_count; ++i) n->reactions[i].held = false;
    for (int i = 0; i < n->impedance_count; ++i) n->impedances[i].diagonal = false;
}

static double largest(const double *a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(a[i]));
    return most;
}

static void compare(uint64_t seed, int which, int steps, double *worst, long *events)
{
    Shake shake;
    Built quick = random_machine(seed, which, &shake), dense = random_machine(seed, which, &shake);
    const int numbers = quick.network->x_count + quick.network->y_count;
    make_dense(dense.network);
    // New scratches know of it.
    sti_scratch_destroy(dense.scratch);
    dense.scratch = sti_scratch_create(dense.network);
    for (int k = 0; k < steps; ++k) {
        sti_state_copy(dense.state, quick.state);
        assert_steps(&quick, NULL);
        assert_steps(&dense, NULL);
        const double scale = 1.0 + largest(quick.state->values, numbers);
        for (int i = 0; i < numbers; ++i)
            *worst = fmax(*worst, fabs(quick.state->values[i] - dense.state->values[i]) / scale);
        const StiStepFigures figures = sti_scratch_figures(quick.scratch);
        assert_int_equal(figures.events, sti_scratch_figures(dense.scratch).events);
        *events += figures.events;
    }
    release(&quick);
    release(&dense);
}

static void locked_joints_and_diagonals_give_the_dense_step(void **state)
{
    (void)state;
    const int sets = (int)steps_or(60, 12);
    for (int which = RIGID; which <= BOTH; ++which) {
        double worst = 0.0;
        long events = 0;
        for (int i = 0; i < sets; ++i) compare(1000u + (uint64_t)i, which, 400, &worst, &events);
        print_message("%d: worst difference %.2g, %ld events\n", which, worst, events);
        assert_true(events > 10 * sets);
        assert_true(worst < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locked_joints_and_diagonals_give_the_dense_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
