#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_tree.h"

static StiVec3 point_at(const Tree *tree, const double *q, int link, StiVec3 point)
{
    StiFrame frames[TREE_MOST];
    sti_robot_frames(tree->robot, q, tree->v, frames);
    return sti_vec3_add(frames[link].p, sti_quat_rotate(frames[link].q, point));
}

static double *moved(const Tree *tree, int k, double h)
{
    double *q = tree_doubles(tree->positions), *v = tree_doubles(tree->velocities);
    for (int i = 0; i < tree->positions; ++i) q[i] = tree->q[i];
    v[k] = 1.0;
    sti_robot_move(tree->robot, v, h, q);
    free(v);
    return q;
}

static void columns_are_finite_differences(void **state)
{
    (void)state;
    const double h = 1e-5; // error h^2 and 1e-16/h: about 1e-10
    Random random = {41};
    for (int trial = 0; trial < 60; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 20), any_joint);
        const int n = tree->velocities, link = random_below(&random, tree->links);
        const StiVec3 point = random_vec3(&random, 1.0);
        double *J = tree_doubles(3 * n);
        sti_robot_point_jacobian(tree->robot, tree->q, link, point, J, tree->workspace);
        for (int k = 0; k < n; ++k) {
            double *ahead = moved(tree, k, h), *back = moved(tree, k, -h);
            const StiVec3 step =
                sti_vec3_sub(point_at(tree, ahead, link, point), point_at(tree, back, link, point));
            assert_near(J[k], step.x / (2.0 * h), 1e-8);
            assert_near(J[n + k], step.y / (2.0 * h), 1e-8);
            assert_near(J[2 * n + k], step.z / (2.0 * h), 1e-8);
            free(ahead), free(back);
        }
        free(J);
        tree_destroy(tree);
    }
}

static void velocities_of_points_are_J_v(void **state)
{
    (void)state;
    Random random = {42};
    for (int trial = 0; trial < 100; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 60), any_joint);
        const int n = tree->velocities, link = random_below(&random, tree->links);
        const StiVec3 point = random_vec3(&random, 1.0);
        double *J = tree_doubles(3 * n), velocity[3] = {0.0, 0.0, 0.0};
        StiFrame frames[TREE_MOST];
        sti_robot_frames(tree->robot, tree->q, tree->v, frames);
        sti_robot_point_jacobian(tree->robot, tree->q, link, point, J, tree->workspace);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < n; ++k) velocity[i] += J[i * n + k] * tree->v[k];
        const StiVec3 expected =
            sti_frame_velocity_at(&frames[link], sti_quat_rotate(frames[link].q, point));
        const double size = 1.0 + sti_vec3_norm(expected);
        assert_near(velocity[0], expected.x, 1e-12 * size);
        assert_near(velocity[1], expected.y, 1e-12 * size);
        assert_near(velocity[2], expected.z, 1e-12 * size);
        free(J);
        tree_destroy(tree);
    }
}

// A force at the point works on the joints as J^T says.
static void transpose_carries_forces(void **state)
{
    (void)state;
    Random random = {43};
    for (int trial = 0; trial < 100; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 60), any_joint);
        const int n = tree->velocities, link = random_below(&random, tree->links);
        const StiVec3 point = random_vec3(&random, 1.0), f = random_vec3(&random, 5.0);
        double *J = tree_doubles(3 * n), *with = tree_doubles(n), *without = tree_doubles(n);
        StiFrame frames[TREE_MOST];
        sti_robot_frames(tree->robot, tree->q, tree->v, frames);
        sti_robot_point_jacobian(tree->robot, tree->q, link, point, J, tree->workspace);
        const StiVec3 none = {0.0, 0.0, 0.0};
        for (int i = 0; i < tree->links; ++i) tree->external[i] = (StiWrench){none, none};
        sti_wrench_add_force(&tree->external[link], f, sti_quat_rotate(frames[link].q, point));
        sti_robot_inverse(tree->robot, none, tree->q, tree->vdot, tree->vdot, NULL, without, NULL,
                          tree->workspace);
        sti_robot_inverse(tree->robot, none, tree->q, tree->vdot, tree->vdot, tree->external, with,
                          NULL, tree->workspace);
        const double size = 1.0 + largest(with, n);
        for (int k = 0; k < n; ++k)
            assert_near(without[k] - with[k], J[k] * f.x + J[n + k] * f.y + J[2 * n + k] * f.z,
                        1e-13 * size);
        free(J), free(with), free(without);
        tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_finite_differences),
        cmocka_unit_test(velocities_of_points_are_J_v),
        cmocka_unit_test(transpose_carries_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
