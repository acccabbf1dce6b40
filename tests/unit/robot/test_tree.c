#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "random_tree.h"

// The user's order counts for links, positions and velocities, however the tree is sorted.
static void keeps_the_given_order(void **state)
{
    (void)state;
    static const int positions[STI_JOINT_TYPES] = {0, 1, 1, 4, 3, 7};
    static const int velocities[STI_JOINT_TYPES] = {0, 1, 1, 3, 3, 6};
    Random random = {91};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 80), any_joint);
        int q = 0, v = 0;
        assert_int_equal(sti_robot_links(tree->robot), tree->links);
        for (int i = 0; i < tree->links; ++i) {
            const StiLink *given = &tree->given[i], *link = sti_robot_link(tree->robot, i);
            assert_string_equal(link->name, given->name);
            assert_true(link->name != given->name); // a copy
            assert_int_equal(link->parent, given->parent);
            assert_memory_equal(link->inertia, given->inertia, sizeof given->inertia);
            assert_int_equal(sti_robot_joint_position(tree->robot, i), q);
            assert_int_equal(sti_robot_joint_velocity(tree->robot, i), v);
            assert_int_equal(sti_robot_find_joint(tree->robot, given->joint_name), i);
            q += positions[given->joint];
            v += velocities[given->joint];
        }
        assert_int_equal(sti_robot_positions(tree->robot), q);
        assert_int_equal(sti_robot_velocities(tree->robot), v);
        assert_int_equal(sti_robot_find_joint(tree->robot, "link0"), -1); // a link, not a joint
        tree_destroy(tree);
    }
}

// The same robot with its links in another order moves in the same way.
static void order_of_links_does_not_matter(void **state)
{
    (void)state;
    Random random = {92};
    for (int trial = 0; trial < 20; ++trial) {
        Tree *tree = random_tree(&random, 30, any_joint);
        StiLink turned[30];
        for (int i = 0; i < 30; ++i) {
            turned[29 - i] = tree->given[i];
            const int parent = tree->given[i].parent;
            turned[29 - i].parent = parent < 0 ? -1 : 29 - parent;
        }
        StiRobot *other = sti_robot_create(turned, 30, NULL);
        double *q = tree_doubles(tree->positions), *v = tree_doubles(tree->velocities);
        double *tau = tree_doubles(tree->velocities), *vdot = tree_doubles(tree->velocities);
        for (int i = 0; i < 30; ++i) {
            const int a = sti_robot_joint_position(tree->robot, i);
            const int b = sti_robot_joint_position(other, 29 - i);
            const int c = sti_robot_joint_velocity(tree->robot, i);
            const int d = sti_robot_joint_velocity(other, 29 - i);
            const int end = i < 29 ? sti_robot_joint_position(tree->robot, i + 1) : tree->positions;
            const int last =
                i < 29 ? sti_robot_joint_velocity(tree->robot, i + 1) : tree->velocities;
            for (int k = 0; k < end - a; ++k) q[b + k] = tree->q[a + k];
            for (int k = 0; k < last - c; ++k)
                v[d + k] = tree->v[c + k], tau[d + k] = tree->tau[c + k];
        }
        sti_robot_forward(other, tree->gravity, q, v, tau, NULL, vdot, NULL, tree->workspace);
        sti_robot_forward(tree->robot, tree->gravity, tree->q, tree->v, tree->tau, NULL, tree->vdot,
                          NULL, tree->workspace);
        const double scale = largest(tree->vdot, tree->velocities);
        for (int i = 0; i < 30; ++i) {
            const int c = sti_robot_joint_velocity(tree->robot, i);
            const int d = sti_robot_joint_velocity(other, 29 - i);
            const int last =
                i < 29 ? sti_robot_joint_velocity(tree->robot, i + 1) : tree->velocities;
            for (int k = 0; k < last - c; ++k)
                assert_near(vdot[d + k], tree->vdot[c + k], 1e-11 * scale);
        }
        sti_robot_destroy(other);
        free(q), free(v), free(tau), free(vdot);
        tree_destroy(tree);
    }
}

// A robot that cannot move at all is one, too.
static void all_fixed(void **state)
{
    (void)state;
    StiLink links[2] = {{.name = "base", .joint_name = "foot", .parent = -1, .mass = 2.0},
                        {.name = "table", .joint_name = "bolt", .parent = 0, .mass = 3.0}};
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    assert_non_null(robot);
    assert_int_equal(sti_robot_positions(robot), 0);
    assert_int_equal(sti_robot_velocities(robot), 0);
    double none[1] = {0.0}, workspace[128];
    assert_true(sti_robot_workspace(robot) <= 128);
    StiWrench loads[2];
    const StiStatus status = sti_robot_forward(robot, sti_vec3(0.0, 0.0, -10.0), none, none, none,
                                               NULL, none, loads, workspace);
    assert_int_equal(status, STI_OK);
    assert_near(loads[0].force.z, 50.0, 1e-14);
    assert_near(loads[1].force.z, 30.0, 1e-14);
    sti_robot_destroy(robot);
}

static void destroy_takes_null(void **state)
{
    (void)state;
    sti_robot_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_given_order),
        cmocka_unit_test(order_of_links_does_not_matter),
        cmocka_unit_test(all_fixed),
        cmocka_unit_test(destroy_takes_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
