#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "algebra/spatial.h"
#include "support/near.h"
#include "support/random_space.h"

static void assert_vec3(StiVec3 measured, StiVec3 expected, double tolerance)
{
    assert_near(measured.x, expected.x, tolerance);
    assert_near(measured.y, expected.y, tolerance);
    assert_near(measured.z, expected.z, tolerance);
}

static void assert_wrench(StiWrench measured, StiWrench expected, double tolerance)
{
    assert_vec3(measured.force, expected.force, tolerance);
    assert_vec3(measured.moment, expected.moment, tolerance);
}

static StiTwist random_twist(Random *random)
{
    const StiVec3 w = random_vec3(random, 1.0);
    return (StiTwist){w, random_vec3(random, 1.0)};
}

static StiWrench random_wrench(Random *random)
{
    const StiVec3 force = random_vec3(random, 1.0);
    return (StiWrench){force, random_vec3(random, 1.0)};
}

static StiSym3 random_sym3(Random *random)
{
    const StiVec3 diagonal = random_vec3(random, 1.0), beside = random_vec3(random, 1.0);
    return (StiSym3){diagonal.x, diagonal.y, diagonal.z, beside.x, beside.y, beside.z};
}

static StiArticulatedInertia random_articulated(Random *random)
{
    StiArticulatedInertia I = {.J = random_sym3(random), .M = random_sym3(random)};
    I.B.x = random_vec3(random, 1.0);
    I.B.y = random_vec3(random, 1.0);
    I.B.z = random_vec3(random, 1.0);
    return I;
}

// Wrench for an acceleration, as the structure's comment defines it.
static StiWrench times(StiArticulatedInertia I, StiTwist a)
{
    const StiVec3 Bt_w = sti_mat3_transposed_times(I.B, a.w);
    return (StiWrench){.force = sti_vec3_add(Bt_w, sti_sym3_times(I.M, a.v)),
                       .moment = sti_vec3_add(sti_sym3_times(I.J, a.w), sti_mat3_times(I.B, a.v))};
}

// Two masses at r and s, about the origin.
static StiRigidInertia two_masses(double m, StiVec3 r, double n, StiVec3 s)
{
    const StiRigidInertia at_r = {m, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    const StiRigidInertia at_s = {n, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}};
    return sti_rigid_add(sti_rigid_shift(at_r, r), sti_rigid_shift(at_s, s));
}

// Forces that give the points of a body their accelerations, without velocity.
static StiWrench point_forces(double m, StiVec3 r, StiTwist a)
{
    const StiVec3 f = sti_vec3_scale(m, sti_vec3_add(a.v, sti_vec3_cross(a.w, r)));
    return (StiWrench){f, sti_vec3_cross(r, f)};
}

static void matrix_turns_as_the_quaternion(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 1000; ++i) {
        const StiQuat q = random_attitude(&random);
        const StiVec3 a = random_vec3(&random, 1.0);
        assert_vec3(sti_mat3_times(sti_mat3_of_quat(q), a), sti_quat_rotate(q, a), 3e-15);
        assert_vec3(sti_mat3_transposed_times(sti_mat3_of_quat(q), a), sti_quat_unrotate(q, a),
                    3e-15);
    }
}

static void symmetric_rotation(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 1000; ++i) {
        const StiMat3 R = sti_mat3_of_quat(random_attitude(&random));
        const StiSym3 A = random_sym3(&random);
        const StiVec3 a = random_vec3(&random, 1.0);
        const StiVec3 inside = sti_sym3_times(A, sti_mat3_transposed_times(R, a));
        assert_vec3(sti_sym3_times(sti_sym3_rotate(R, A), a), sti_mat3_times(R, inside), 1e-14);
        const StiSym3 D = {A.xx, A.yy, A.zz, 0.0, 0.0, 0.0}, turned = sti_sym3_rotate(R, D);
        const StiSym3 shorter = sti_sym3_rotate_diagonal(R, D);
        assert_memory_equal(&shorter, &turned, sizeof turned);
    }
}

static void rigid_inertia_is_that_of_its_points(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 1000; ++i) {
        const StiVec3 r = random_vec3(&random, 1.0), s = random_vec3(&random, 1.0);
        const StiVec3 d = random_vec3(&random, 1.0);
        const StiTwist a = random_twist(&random);
        const StiRigidInertia I = two_masses(2.0, r, 3.0, s);
        const StiWrench sum = sti_wrench_add(point_forces(2.0, r, a), point_forces(3.0, s, a));
        assert_wrench(sti_rigid_times(I, a), sum, 1e-13);
        const StiRigidInertia moved = two_masses(2.0, sti_vec3_add(r, d), 3.0, sti_vec3_add(s, d));
        assert_wrench(sti_rigid_times(sti_rigid_shift(I, d), a), sti_rigid_times(moved, a), 1e-13);
        const StiQuat q = random_attitude(&random);
        const StiRigidInertia turned =
            two_masses(2.0, sti_quat_rotate(q, r), 3.0, sti_quat_rotate(q, s));
        assert_wrench(sti_rigid_times(sti_rigid_rotate(sti_mat3_of_quat(q), I), a),
                      sti_rigid_times(turned, a), 1e-13);
    }
}

static void shifts_conserve_power(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 1000; ++i) {
        const StiTwist a = random_twist(&random);
        const StiWrench f = random_wrench(&random);
        const StiVec3 d = random_vec3(&random, 2.0);
        assert_near(sti_wrench_power(sti_wrench_shift(f, d), a),
                    sti_wrench_power(f, sti_twist_shift(a, d)), 1e-14);
    }
}

// At the new origin: the acceleration of the old one, its wrench, and that wrench moved.
static void articulated_shift(void **state)
{
    (void)state;
    Random random = {5};
    for (int i = 0; i < 1000; ++i) {
        const StiArticulatedInertia I = random_articulated(&random);
        const StiVec3 d = random_vec3(&random, 1.0);
        const StiTwist a = random_twist(&random);
        const StiWrench expected = sti_wrench_shift(times(I, sti_twist_shift(a, d)), d);
        assert_wrench(times(sti_articulated_shift(I, d), a), expected, 1e-13);
    }
}

static void articulated_sums(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < 1000; ++i) {
        const StiArticulatedInertia I = random_articulated(&random),
                                    K = random_articulated(&random);
        const StiTwist a = random_twist(&random);
        const StiVec3 r = random_vec3(&random, 1.0), s = random_vec3(&random, 1.0);
        const StiRigidInertia body = two_masses(2.0, r, 3.0, s);
        assert_wrench(times(sti_articulated_add(I, K), a), sti_wrench_add(times(I, a), times(K, a)),
                      1e-14);
        assert_wrench(times(sti_articulated_add_rigid(I, body), a),
                      sti_wrench_add(times(I, a), sti_rigid_times(body, a)), 1e-13);
        const StiWrench U = random_wrench(&random), V = sti_wrench_scale(0.3, U);
        const StiWrench less = sti_wrench_scale(sti_wrench_power(V, a), U);
        assert_wrench(times(sti_articulated_less(I, U, V), a), sti_wrench_sub(times(I, a), less),
                      1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_turns_as_the_quaternion),
        cmocka_unit_test(symmetric_rotation),
        cmocka_unit_test(rigid_inertia_is_that_of_its_points),
        cmocka_unit_test(shifts_conserve_power),
        cmocka_unit_test(articulated_shift),
        cmocka_unit_test(articulated_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
