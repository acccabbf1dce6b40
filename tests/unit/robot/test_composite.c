#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dense.h"
#include "random_tree.h"

// Column k: what inverse dynamics asks for a unit acceleration, beyond what rest asks for.
static void columns_are_torques_of_unit_accelerations(void **state)
{
    (void)state;
    Random random = {31};
    for (int trial = 0; trial < 40; ++trial) {
        Tree *tree =
            random_tree(&random, trial == 0 ? 100 : 1 + random_below(&random, 40), any_joint);
        const int n = tree->velocities;
        const StiVec3 weightless = {0.0, 0.0, 0.0};
        double *H = tree_doubles(n * n), *none = tree_doubles(n), *unit = tree_doubles(n);
        double *column = tree_doubles(n);
        sti_robot_mass_matrix(tree->robot, tree->q, H, tree->workspace);
        const double scale = largest(H, n * n);
        for (int k = 0; k < n; ++k) {
            unit[k] = 1.0;
            sti_robot_inverse(tree->robot, weightless, tree->q, none, unit, NULL, column, NULL,
                              tree->workspace);
            unit[k] = 0.0;
            for (int i = 0; i < n; ++i) assert_near(H[i * n + k], column[i], 1e-14 * scale);
            for (int i = 0; i < n; ++i) assert_true(H[i * n + k] == H[k * n + i]);
        }
        free(H), free(none), free(unit), free(column);
        tree_destroy(tree);
    }
}

static void quadratic_form_is_the_kinetic_energy(void **state)
{
    (void)state;
    Random random = {32};
    for (int trial = 0; trial < 100; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 50), any_joint);
        const int n = tree->velocities;
        const StiVec3 weightless = {0.0, 0.0, 0.0};
        double *H = tree_doubles(n * n), *p = tree_doubles(n), twice = 0.0;
        sti_robot_mass_matrix(tree->robot, tree->q, H, tree->workspace);
        dense_times(n, H, tree->v, p);
        for (int k = 0; k < n; ++k) twice += tree->v[k] * p[k];
        const double energy =
            sti_robot_energy(tree->robot, weightless, tree->q, tree->v, tree->workspace);
        assert_near(energy, 0.5 * twice, 1e-12 * energy);
        free(H), free(p);
        tree_destroy(tree);
    }
}

// Axes on different branches do not feel each other.
static void branches_are_not_coupled(void **state)
{
    (void)state;
    Random random = {33};
    StiLink links[3];
    for (int i = 0; i < 3; ++i) links[i] = random_link(&random, STI_JOINT_REVOLUTE);
    links[0].parent = -1;
    links[1].parent = links[2].parent = 0;
    links[0].name = links[0].joint_name = "trunk";
    links[1].name = links[1].joint_name = "left";
    links[2].name = links[2].joint_name = "right";
    StiRobot *robot = sti_robot_create(links, 3, NULL);
    const double q[3] = {0.1, 0.2, 0.3};
    double H[9], workspace[256];
    assert_true(sti_robot_workspace(robot) <= 256);
    sti_robot_mass_matrix(robot, q, H, workspace);
    assert_true(H[5] == 0.0 && H[7] == 0.0);
    assert_true(H[1] != 0.0 && H[2] != 0.0);
    sti_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_torques_of_unit_accelerations),
        cmocka_unit_test(quadratic_form_is_the_kinetic_energy),
        cmocka_unit_test(branches_are_not_coupled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
