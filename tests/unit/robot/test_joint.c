#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "robot/joint.h"
#include "support/near.h"
#include "support/random_space.h"

static void assert_orthonormal(const StiVec3 *e, int count)
{
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            assert_near(sti_vec3_dot(e[i], e[j]), i == j ? 1.0 : 0.0, 3e-15);
}

static StiVec3 unit(Random *random)
{
    const StiVec3 a = random_vec3(random, 1.0);
    return sti_vec3_scale(1.0 / sti_vec3_norm(a), a);
}

static void sizes_of_all_types(void **state)
{
    (void)state;
    static const int positions[STI_JOINT_TYPES] = {0, 1, 1, 4, 3, 7};
    static const int velocities[STI_JOINT_TYPES] = {0, 1, 1, 3, 3, 6};
    for (int type = 0; type < STI_JOINT_TYPES; ++type) {
        assert_int_equal(sti_joint_positions(&sti_joints[type]), positions[type]);
        assert_int_equal(sti_joint_velocities(&sti_joints[type]), velocities[type]);
    }
}

// A plane across a coordinate axis has the two axes that follow it.
static void planes_across_coordinate_axes(void **state)
{
    (void)state;
    const StiVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int n = 0; n < 3; ++n) {
        StiVec3 d[3];
        sti_joint_directions(STI_JOINT_PLANAR, STI_QUAT_IDENTITY, axes[n], d);
        for (int k = 0; k < 3; ++k) {
            const StiVec3 off = sti_vec3_sub(d[k], axes[(n + 1 + k) % 3]);
            assert_true(sti_vec3_norm(off) == 0.0);
        }
    }
}

static void planes_lie_across_the_axis(void **state)
{
    (void)state;
    Random random = {71};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiVec3 n = unit(&random);
        StiVec3 d[3];
        sti_joint_directions(STI_JOINT_PLANAR, STI_QUAT_IDENTITY, n, d);
        assert_orthonormal(d, 3);
        assert_near(sti_vec3_dot(sti_vec3_cross(d[0], d[1]), n), 1.0, 1e-14);
    }
}

// Slides are fixed in the parent, behind the placement; turns in the link.
static void slides_turn_with_the_placement(void **state)
{
    (void)state;
    Random random = {72};
    for (int trial = 0; trial < 100; ++trial) {
        const StiVec3 n = unit(&random);
        const StiQuat placement = random_attitude(&random);
        StiVec3 d[6];
        sti_joint_directions(STI_JOINT_PRISMATIC, placement, n, d);
        assert_near(sti_vec3_dot(d[0], sti_quat_rotate(placement, n)), 1.0, 1e-14);
        sti_joint_directions(STI_JOINT_REVOLUTE, placement, n, d);
        assert_true(sti_vec3_norm(sti_vec3_sub(d[0], n)) == 0.0);
        sti_joint_directions(STI_JOINT_FLOATING, placement, n, d);
        assert_orthonormal(d, 3);
        assert_orthonormal(d + 3, 3);
        const StiVec3 x = sti_quat_rotate(placement, sti_vec3(1.0, 0.0, 0.0));
        assert_near(sti_vec3_dot(d[0], x), 1.0, 1e-14);
        assert_true(d[3].x == 1.0 && d[4].y == 1.0 && d[5].z == 1.0);
    }
}

// A hinge's attitude is the placement followed by a rotation about the axis.
static void hinges_turn_about_their_axis(void **state)
{
    (void)state;
    Random random = {73};
    for (int trial = 0; trial < 200; ++trial) {
        const StiVec3 n = unit(&random), a = random_vec3(&random, 1.0);
        const StiQuat placement = random_attitude(&random);
        const double angle = random_between(&random, -10.0, 10.0);
        const StiHinge hinge = {placement,
                                sti_quat_multiply(placement, (StiQuat){0.0, n.x, n.y, n.z})};
        const StiVec3 turned = sti_quat_rotate(sti_hinge_attitude(&hinge, angle), a);
        const StiQuat rotation = sti_quat_exp(sti_vec3_scale(angle, n));
        const StiVec3 expected = sti_quat_rotate(placement, sti_quat_rotate(rotation, a));
        assert_near(sti_vec3_norm(sti_vec3_sub(turned, expected)), 0.0, 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_all_types),
        cmocka_unit_test(planes_across_coordinate_axes),
        cmocka_unit_test(planes_lie_across_the_axis),
        cmocka_unit_test(slides_turn_with_the_placement),
        cmocka_unit_test(hinges_turn_about_their_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
