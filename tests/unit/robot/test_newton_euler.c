#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "maximal.h"
#include "random_tree.h"

static StiWrench *wrenches(int count)
{
    StiWrench *wrenches = calloc((size_t)count, sizeof *wrenches);
    assert_non_null(wrenches);
    return wrenches;
}

static void assert_loads_near(const StiWrench *measured, const StiWrench *expected, int links,
                              double relative)
{
    assert_all_near(&measured[0].force.x, &expected[0].force.x, 6 * links, relative);
}

// Every link a free body, every joint rows of constraints: no recursion at all.
static void loads_are_multipliers_of_free_bodies(void **state)
{
    (void)state;
    Random random = {21};
    for (int trial = 0; trial < 300; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, MAXIMAL_LINKS), any_joint);
        StiWrench *loads = wrenches(tree->links), *expected = wrenches(tree->links);
        double *vdot = tree_doubles(tree->velocities);
        tree_forward(tree, loads);
        maximal_solve(tree, vdot, expected);
        assert_all_near(tree->vdot, vdot, tree->velocities, 1e-10);
        assert_loads_near(loads, expected, tree->links, 1e-10);
        free(loads), free(expected), free(vdot);
        tree_destroy(tree);
    }
}

static void both_directions_find_the_same_loads(void **state)
{
    (void)state;
    Random random = {22};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 100), any_joint);
        StiWrench *loads = wrenches(tree->links), *inverse = wrenches(tree->links);
        double *tau = tree_doubles(tree->velocities), *without = tree_doubles(tree->velocities);
        tree_forward(tree, loads);
        sti_robot_inverse(tree->robot, tree->gravity, tree->q, tree->v, tree->vdot, tree->external,
                          tau, inverse, tree->workspace);
        sti_robot_inverse(tree->robot, tree->gravity, tree->q, tree->v, tree->vdot, tree->external,
                          without, NULL, tree->workspace);
        assert_loads_near(loads, inverse, tree->links, 1e-14);
        assert_memory_equal(tau, without, (size_t)tree->velocities * sizeof *tau);
        free(loads), free(inverse), free(tau), free(without);
        tree_destroy(tree);
    }
}

// At rest under gravity a joint carries the weight of all that hangs on it.
static void joints_at_rest_carry_weights(void **state)
{
    (void)state;
    Random random = {23};
    Tree *tree = random_tree(&random, 40, any_joint);
    const int n = tree->velocities;
    StiWrench *loads = wrenches(tree->links);
    double *none = tree_doubles(n), *tau = tree_doubles(n);
    sti_robot_inverse(tree->robot, tree->gravity, tree->q, none, none, NULL, tau, loads,
                      tree->workspace);
    for (int i = 0; i < tree->links; ++i) {
        double mass = 0.0;
        for (int j = 0; j < tree->links; ++j)
            for (int k = j; k >= 0; k = tree->given[k].parent)
                if (k == i) mass += tree->given[j].mass;
        const StiVec3 rest = sti_vec3_add(loads[i].force, sti_vec3_scale(mass, tree->gravity));
        assert_near(sti_vec3_norm(rest), 0.0, 1e-12 * mass * sti_vec3_norm(tree->gravity));
    }
    free(loads), free(none), free(tau);
    tree_destroy(tree);
}

// A force at a fixed link is as good as the same force at its parent.
static void fixed_links_pass_forces_on(void **state)
{
    (void)state;
    Random random = {24};
    StiLink links[2] = {random_link(&random, STI_JOINT_REVOLUTE),
                        random_link(&random, STI_JOINT_FIXED)};
    links[0].parent = -1;
    links[0].name = links[0].joint_name = "arm";
    links[1].name = links[1].joint_name = "tool";
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    double workspace[256];
    assert_true(sti_robot_workspace(robot) <= 256);
    const double q = 0.7, v = -0.4, vdot = 0.2;
    StiFrame frames[2];
    sti_robot_frames(robot, &q, &v, frames);
    StiWrench at_tool[2] = {{.force = {0.0, 0.0, 0.0}}}, at_arm[2] = {{.force = {0.0, 0.0, 0.0}}};
    const StiVec3 force = {1.0, -2.0, 3.0}, gravity = {0.0, 0.0, -9.81};
    sti_wrench_add_force(&at_tool[1], force, sti_vec3(0.0, 0.0, 0.0));
    sti_wrench_add_force(&at_arm[0], force, sti_vec3_sub(frames[1].p, frames[0].p));
    double one, other;
    sti_robot_inverse(robot, gravity, &q, &v, &vdot, at_tool, &one, NULL, workspace);
    sti_robot_inverse(robot, gravity, &q, &v, &vdot, at_arm, &other, NULL, workspace);
    assert_near(one, other, 1e-14 * (1.0 + fabs(one)));
    sti_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_multipliers_of_free_bodies),
        cmocka_unit_test(both_directions_find_the_same_loads),
        cmocka_unit_test(joints_at_rest_carry_weights),
        cmocka_unit_test(fixed_links_pass_forces_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
