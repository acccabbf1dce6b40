// Arms whose joints have dampers, motors and springs that a step of 1 ms does not resolve (a wrist of 2e-5 kg m^2
// with 0.1 N m s/rad and more): the default against `rule` with small steps, extrapolated.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "support/short.h"
#include "unit/network/built.h"

enum { JOINTS = 4, STEPS = 60 };
static const double T = 1e-3;
static const double unresolved = 0.01; // of the way of one step

typedef struct Arm {
    int count;
    StiLink links[JOINTS];
    double dry[JOINTS], viscous[JOINTS], spring[JOINTS], gear[JOINTS];
    double v[JOINTS];
} Arm;

static Arm random_arm(Random *random)
{
    static const char *const names[JOINTS] = {"a", "b", "c", "d"};
    Arm arm = {.count = 1 + random_below(random, JOINTS)};
    for (int i = 0; i < arm.count; ++i) {
        const double J = random_decades(random, 1e-5, 1e-2), m = random_decades(random, 0.05, 2.0);
        arm.links[i] = (StiLink){.name = names[i],
                                 .joint_name = names[i],
                                 .parent = i - 1,
                                 .joint = STI_JOINT_REVOLUTE,
                                 .placement = {.p = {0.0, 0.0, i > 0 ? -0.3 : 0.0}},
                                 .axis = {random_below(random, 2) == 0 ? 0.0 : 0.5, 1.0, 0.0},
                                 .mass = m,
                                 .centre = {0.0, 0.0, i + 1 == arm.count ? 0.0 : -0.1},
                                 .inertia = {J, J, J}};
        arm.dry[i] = random_below(random, 2) == 0 ? 0.0 : random_between(random, 0.0, 0.05);
        arm.viscous[i] = random_decades(random, 1e-3, 10.0);
        arm.spring[i] = random_below(random, 3) == 0 ? random_decades(random, 1.0, 1e3) : 0.0;
        arm.gear[i] = random_below(random, 3) == 0 ? random_decades(random, 1.0, 10.0) : 0.0;
        arm.v[i] = random_between(random, -2.0, 2.0);
    }
    return arm;
}

static void add_elements(StiPlan *plan, const Arm *arm, StiWire wire, int i)
{
    char name[24];
    snprintf(name, sizeof name, "friction%d", i);
    add_rule(plan, name, wire, sti_law_viscous(arm->dry[i], arm->viscous[i]), 0.0);
    snprintf(name, sizeof name, "spring%d", i);
    if (arm->spring[i] > 0.0) add_spring(plan, name, wire, arm->spring[i], 1e-3);
    snprintf(name, sizeof name, "motor%d", i);
    if (arm->gear[i] > 0.0) // as a damper of its back-EMF
        add_spring(plan, name, wire, 0.0, arm->gear[i] * arm->gear[i] * 2.5e-3);
}

// Angles after STEPS steps of T, taken in parts.
static void swing(const Arm *arm, const StiMethod *method, int parts, double *angles)
{
    StiRobot *robot = sti_robot_create(arm->links, arm->count, NULL);
    StiPlan *plan = sti_plan_create();
    assert_non_null(robot);
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                                       &(StiRobotBody){.robot = robot,
                                                                       .velocities = arm->count,
                                                                       .velocity = arm->v});
    for (int i = 0; i < arm->count; ++i) add_elements(plan, arm, sti_wire_joint(id, robot, i), i);
    sti_plan_set_gravity(plan, sti_vec3(1.0, 0.0, -9.81));
    sti_plan_set_step(plan, T / parts);
    sti_plan_set_method(plan, method);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < STEPS * parts; ++k) assert_steps(&built, NULL);
    for (int i = 0; i < arm->count; ++i) angles[i] = position(&built, id)[i];
    release(&built);
    sti_robot_destroy(robot);
}

static double fastest(const Arm *arm)
{
    double most = 0.0;
    for (int i = 0; i < arm->count; ++i) most = fmax(most, fabs(arm->v[i]));
    return most;
}

static void test_arms_with_steep_joints(void **state)
{
    (void)state;
    Random random = {31};
    const long runs = steps_or(60, 6);
    for (long r = 0; r < runs; ++r) {
        const Arm arm = random_arm(&random);
        double here[JOINTS], coarse[JOINTS], fine[JOINTS];
        swing(&arm, r % 2 == 0 ? &sti_method_cut : &sti_method_ark4, 1, here);
        swing(&arm, &sti_method_rule, 100, coarse);
        swing(&arm, &sti_method_rule, 200, fine);
        for (int i = 0; i < arm.count; ++i) {
            const double exact = 2.0 * fine[i] - coarse[i];
            const double doubt = fabs(fine[i] - coarse[i]);
            // A decay that ends within one step is not followed in detail.
            if (!(fabs(here[i] - exact) <= doubt + unresolved * T * fastest(&arm)))
                fail_msg("run %ld, joint %d of %d: %.9g, not %.9g within %.1g rad", r, i, arm.count,
                         here[i], exact, doubt);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arms_with_steep_joints)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
