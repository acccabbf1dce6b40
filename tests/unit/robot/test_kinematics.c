#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_tree.h"
#include "robot/recursion.h"

static void advance(const Tree *tree, double h, double *q)
{
    for (int i = 0; i < tree->positions; ++i) q[i] = tree->q[i];
    sti_robot_move(tree->robot, tree->v, h, q);
}

static StiVec3 rate(StiVec3 before, StiVec3 after, double h)
{
    return sti_vec3_scale(1.0 / h, sti_vec3_sub(after, before));
}

static void assert_vec3_near(StiVec3 measured, StiVec3 expected, double tolerance)
{
    assert_near(measured.x, expected.x, tolerance);
    assert_near(measured.y, expected.y, tolerance);
    assert_near(measured.z, expected.z, tolerance);
}

// Velocities against positions before and after, angular ones by the motion of the axes.
static void velocities_are_finite_differences(void **state)
{
    (void)state;
    const double h = 1e-5;
    Random random = {51};
    for (int trial = 0; trial < 100; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 20), any_joint);
        StiFrame now[TREE_MOST], ahead[TREE_MOST], back[TREE_MOST];
        double *q = tree_doubles(tree->positions);
        sti_robot_frames(tree->robot, tree->q, tree->v, now);
        advance(tree, h, q);
        sti_robot_frames(tree->robot, q, tree->v, ahead);
        advance(tree, -h, q);
        sti_robot_frames(tree->robot, q, tree->v, back);
        for (int i = 0; i < tree->links; ++i) {
            const double speed = 1.0 + sti_vec3_norm(now[i].v) + sti_vec3_norm(now[i].w);
            const double tolerance = 1e-9 * speed * speed * speed; // h^2 times the third derivative
            assert_vec3_near(rate(back[i].p, ahead[i].p, 2.0 * h), now[i].v, tolerance);
            const StiVec3 axis = random_vec3(&random, 1.0);
            assert_vec3_near(rate(sti_quat_rotate(back[i].q, axis),
                                  sti_quat_rotate(ahead[i].q, axis), 2.0 * h),
                             sti_vec3_cross(now[i].w, sti_quat_rotate(now[i].q, axis)), tolerance);
        }
        free(q);
        tree_destroy(tree);
    }
}

// The recursions' places lead to the same frames as the way from parent to child.
static void frames_follow_from_places(void **state)
{
    (void)state;
    Random random = {57};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 20), any_joint);
        const RobotMemory m = sti_robot_memory(tree->robot, tree->workspace);
        StiFrame expected[TREE_MOST], measured[TREE_MOST];
        sti_robot_frames(tree->robot, tree->q, tree->v, expected);
        sti_robot_place(tree->robot, tree->q, m.spots, m.axes);
        sti_robot_frames_at(tree->robot, tree->v, m.spots, m.axes, measured);
        for (int i = 0; i < tree->links; ++i) {
            const double speed = 1.0 + sti_vec3_norm(expected[i].v) + sti_vec3_norm(expected[i].w);
            const StiVec3 axis = random_vec3(&random, 1.0);
            assert_vec3_near(measured[i].p, expected[i].p, 1e-13);
            assert_vec3_near(sti_quat_rotate(measured[i].q, axis),
                             sti_quat_rotate(expected[i].q, axis), 1e-13);
            assert_vec3_near(measured[i].v, expected[i].v, 1e-13 * speed);
            assert_vec3_near(measured[i].w, expected[i].w, 1e-13 * speed);
        }
        tree_destroy(tree);
    }
}

static void rates_are_finite_differences_of_moves(void **state)
{
    (void)state;
    const double h = 1e-5;
    Random random = {52};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 20), any_joint);
        double *ahead = tree_doubles(tree->positions), *back = tree_doubles(tree->positions);
        double *qdot = tree_doubles(tree->positions);
        sti_robot_rates(tree->robot, tree->q, tree->v, qdot);
        advance(tree, h, ahead);
        advance(tree, -h, back);
        for (int i = 0; i < tree->positions; ++i)
            assert_near((ahead[i] - back[i]) / (2.0 * h), qdot[i], 1e-9);
        free(ahead), free(back), free(qdot);
        tree_destroy(tree);
    }
}

// At rest every link stands where its placement puts it in its parent.
static void rest_is_the_placement(void **state)
{
    (void)state;
    Random random = {53};
    Tree *tree = random_tree(&random, 60, any_joint);
    StiFrame frames[TREE_MOST];
    double *none = tree_doubles(tree->velocities);
    sti_robot_rest(tree->robot, tree->q);
    sti_robot_frames(tree->robot, tree->q, none, frames);
    for (int i = 0; i < tree->links; ++i) {
        const StiLink *link = &tree->given[i];
        const StiFrame world = {.q = STI_QUAT_IDENTITY};
        const StiFrame *parent = link->parent < 0 ? &world : &frames[link->parent];
        const StiVec3 p = sti_vec3_add(parent->p, sti_quat_rotate(parent->q, link->placement.p));
        const StiVec3 a = random_vec3(&random, 1.0);
        assert_vec3_near(frames[i].p, p, 1e-13);
        assert_vec3_near(sti_quat_rotate(frames[i].q, a),
                         sti_quat_rotate(parent->q, sti_quat_rotate(link->placement.q, a)), 1e-13);
        assert_true(sti_vec3_norm(frames[i].v) == 0.0 && sti_vec3_norm(frames[i].w) == 0.0);
    }
    free(none);
    tree_destroy(tree);
}

// Frame of a single link on the world, its joint placed at (1, 2, 3) and turned by 90 deg about z:
// the joint's x axis is the world's y, its y axis the world's -x.
static StiFrame frame_of(StiJointType joint, StiVec3 axis, const double *q, const double *v)
{
    const double h = sqrt(0.5);
    const StiLink link = {.name = "link",
                          .joint_name = "joint",
                          .parent = -1,
                          .joint = joint,
                          .placement = {.p = {1.0, 2.0, 3.0}, .q = {h, 0.0, 0.0, h}},
                          .axis = axis,
                          .mass = 1.0,
                          .centre = {0.1, 0.0, 0.0},
                          .inertia = {1.0, 1.0, 1.0}};
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    assert_non_null(robot);
    StiFrame frame;
    sti_robot_frames(robot, q, v, &frame);
    sti_robot_destroy(robot);
    return frame;
}

static void joints_move_as_they_are_described(void **state)
{
    (void)state;
    const StiVec3 x = {1.0, 0.0, 0.0}, z = {0.0, 0.0, 2.0};
    const double quarter = 1.57079632679489661923, h = sqrt(0.5);
    const double turn[1] = {quarter}, slide[1] = {0.5}, one[1] = {2.0};
    StiFrame f = frame_of(STI_JOINT_REVOLUTE, z, turn, one);
    assert_vec3_near(f.p, sti_vec3(1.0, 2.0, 3.0), 0.0);
    assert_vec3_near(sti_quat_rotate(f.q, x), sti_vec3(-1.0, 0.0, 0.0), 1e-15);
    assert_vec3_near(f.w, sti_vec3(0.0, 0.0, 2.0), 1e-15);
    f = frame_of(STI_JOINT_PRISMATIC, x, slide, one);
    assert_vec3_near(f.p, sti_vec3(1.0, 2.5, 3.0), 1e-15);
    assert_vec3_near(f.v, sti_vec3(0.0, 2.0, 0.0), 1e-15);
    const double plane[3] = {0.5, 0.25, quarter}, planar_speed[3] = {1.0, 2.0, 3.0};
    f = frame_of(STI_JOINT_PLANAR, z, plane, planar_speed);
    assert_vec3_near(f.p, sti_vec3(0.75, 2.5, 3.0), 1e-15);
    assert_vec3_near(sti_quat_rotate(f.q, x), sti_vec3(-1.0, 0.0, 0.0), 1e-15);
    assert_vec3_near(f.v, sti_vec3(-2.0, 1.0, 0.0), 1e-15);
    assert_vec3_near(f.w, sti_vec3(0.0, 0.0, 3.0), 1e-15);
    // Turned by 90 deg about the joint's x axis; the child's y axis is then the world's z axis.
    const double ball[4] = {h, h, 0.0, 0.0}, spin[3] = {0.0, 2.0, 0.0};
    f = frame_of(STI_JOINT_SPHERICAL, x, ball, spin);
    assert_vec3_near(f.w, sti_vec3(0.0, 0.0, 2.0), 1e-15);
    const double pose[7] = {0.5, 0.25, 0.125, h, h, 0.0, 0.0};
    const double speed[6] = {1.0, 2.0, 3.0, 0.0, 2.0, 0.0};
    f = frame_of(STI_JOINT_FLOATING, x, pose, speed);
    assert_vec3_near(f.p, sti_vec3(0.75, 2.5, 3.125), 1e-15);
    assert_vec3_near(f.v, sti_vec3(-2.0, 1.0, 3.0), 1e-15);
    assert_vec3_near(f.w, sti_vec3(0.0, 0.0, 2.0), 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_finite_differences),
        cmocka_unit_test(frames_follow_from_places),
        cmocka_unit_test(rates_are_finite_differences_of_moves),
        cmocka_unit_test(rest_is_the_placement),
        cmocka_unit_test(joints_move_as_they_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
