#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "algebra/symmetric3.h"
#include "support/near.h"
#include "support/random_space.h"
#include "urdf/urdf_reader.h"

static const double HALF_PI = 1.57079632679489661923;

static double away(StiQuat a, StiQuat b)
{
    const double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, sign = dot < 0.0 ? -1.0 : 1.0;
    return fabs(a.w - sign * b.w) + fabs(a.x - sign * b.x) + fabs(a.y - sign * b.y) +
           fabs(a.z - sign * b.z);
}

static void angles_give_the_attitude_back(void **state)
{
    (void)state;
    Random random = {1};
    for (int k = 0; k < 10000; ++k) {
        const StiQuat q = random_attitude(&random);
        double rpy[3];
        urdf_rpy(q, rpy);
        assert_true(fabs(rpy[1]) <= HALF_PI + 1e-15);
        assert_true(away(urdf_quat(rpy), q) <= 2e-15);
    }
}

// Where roll and yaw turn about the same axis, only one of them is known, and nothing is lost.
static void pitch_of_ninety_degrees_loses_no_digits(void **state)
{
    (void)state;
    Random random = {2};
    for (int k = 0; k < 10000; ++k) {
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        const double off = k % 3 == 0 ? 0.0 : random_decades(&random, 1e-17, 1e-3);
        const double roll = random_between(&random, -3.0, 3.0);
        const double given[3] = {roll, sign * (HALF_PI - off), random_between(&random, -3.0, 3.0)};
        double rpy[3];
        urdf_rpy(urdf_quat(given), rpy);
        assert_true(away(urdf_quat(rpy), urdf_quat(given)) <= 2e-15);
        assert_near(rpy[1], given[1], 1e-15);
    }
}

static void no_rotation_is_exactly_zero_angles(void **state)
{
    (void)state;
    double rpy[3] = {1.0, 1.0, 1.0};
    urdf_rpy(STI_QUAT_IDENTITY, rpy);
    assert_true(rpy[0] == 0.0 && rpy[1] == 0.0 && rpy[2] == 0.0);
}

static void unit_vectors_keep_their_bits(void **state)
{
    (void)state;
    Random random = {3};
    for (int k = 0; k < 10000; ++k) {
        const int count = 3 + k % 2;
        double values[4], again[4];
        for (int i = 0; i < count; ++i) values[i] = random_between(&random, -5.0, 5.0);
        const double direction = values[0] / values[1];
        assert_true(urdf_unit(values, count));
        assert_near(values[0] / values[1] / direction, 1.0, 1e-15);
        memcpy(again, values, sizeof again);
        assert_true(urdf_unit(again, count));
        assert_memory_equal(again, values, (size_t)count * sizeof(double));
    }
}

static void nothing_has_no_direction(void **state)
{
    (void)state;
    double zero[3] = {0.0, -0.0, 0.0}, endless[3] = {INFINITY, 0.0, 0.0};
    assert_false(urdf_unit(zero, 3));
    assert_false(urdf_unit(endless, 3));
}

// w . J w is the same in both axes.
static void turned_inertia_has_the_same_energy(void **state)
{
    (void)state;
    Random random = {4};
    for (int k = 0; k < 1000; ++k) {
        const StiQuat q = random_attitude(&random);
        const StiVec3 inner_w = random_vec3(&random, 1.0), outer_w = sti_quat_rotate(q, inner_w);
        double inner[6], outer[6];
        for (int i = 0; i < 6; ++i) inner[i] = random_between(&random, -1.0, 1.0);
        inertia_turn(q, inner, outer);
        assert_near(sti_vec3_dot(outer_w, sti_symmetric3_times(outer, outer_w)),
                    sti_vec3_dot(inner_w, sti_symmetric3_times(inner, inner_w)), 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_give_the_attitude_back),
        cmocka_unit_test(pitch_of_ninety_degrees_loses_no_digits),
        cmocka_unit_test(no_rotation_is_exactly_zero_angles),
        cmocka_unit_test(unit_vectors_keep_their_bits),
        cmocka_unit_test(nothing_has_no_direction),
        cmocka_unit_test(turned_inertia_has_the_same_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
