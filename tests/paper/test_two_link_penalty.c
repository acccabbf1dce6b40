// Simulation III of [modular]: the two-link arm with penalty joints, EQUATIONS 3.3, against the
// numbers of the same arm in reduced coordinates, EQUATIONS 3.2.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/runge_kutta.h"
#include "support/scenes/rig.h"
#include "support/scenes/two_link_arm.h"

static TwoLinkArm arm_with(double T, double Kp)
{
    const StiPenaltyJoint joint = {.Kp = Kp, .Bp = 300.0, .Kr = 1000.0, .Br = 1.0};
    const StiElasticCoulomb friction = {.dim = 1,
                                        .law = sti_law_coulomb(0.5),
                                        .K = 5000.0,
                                        .B = 1.0};
    return scene_two_link_arm(T, &joint,
                              (SceneFriction){.impedance = &sti_kind_elastic_coulomb,
                                              .parameters = &friction});
}

static StiFrame link_of(const Rig *rig, const TwoLinkArm *arm, int i)
{
    const double *q = rig_x(rig, arm->links[i]);
    return (StiFrame){.p = {q[0], q[1], q[2]}, .q = {q[3], q[4], q[5], q[6]}};
}

// Relative to the link before; no joint turns by more than pi here.
static double joint_angle(const Rig *rig, const TwoLinkArm *arm, int i)
{
    const StiQuat before = i == 0 ? STI_QUAT_IDENTITY : link_of(rig, arm, 0).q;
    const StiQuat turn = sti_quat_multiply(sti_quat_conjugate(before), link_of(rig, arm, i).q);
    return 2.0 * atan2(turn.z, turn.w);
}

static double joint_gap(const Rig *rig, const TwoLinkArm *arm, int i)
{
    const StiVec3 half = {0.5 * two_link_length, 0.0, 0.0};
    const StiFrame link = link_of(rig, arm, i);
    const StiVec3 base = sti_vec3_sub(link.p, sti_quat_rotate(link.q, half));
    if (i == 0) return sti_vec3_norm(base);
    const StiFrame before = link_of(rig, arm, 0);
    return sti_vec3_norm(
        sti_vec3_sub(base, sti_vec3_add(before.p, sti_quat_rotate(before.q, half))));
}

static void run_until(const Rig *rig, double t)
{
    rig_run(rig, lround(t / sti_network_step(rig->network)) - sti_state_k(rig->state));
}

// The same arm in reduced coordinates, by hand: x = (theta, omega, e). EQUATIONS 3.2
static void reduced_arm(const void *unused, double t, double tau, const double *x, double *xdot)
{
    (void)unused;
    const double a = 1.0 / 12.0, b = 0.025, d = 1.0 / 60.0, c = cos(x[1]), s = sin(x[1]);
    const double *w = x + 2, *e = x + 4;
    const StiElasticCoulomb friction = {.dim = 1,
                                        .law = sti_law_coulomb(0.5),
                                        .K = 5000.0,
                                        .B = 1.0};
    double torque[2], f[2];
    two_link_torque_0(NULL, NULL, t, &torque[0]);
    two_link_torque_1(NULL, NULL, t, &torque[1]);
    for (int i = 0; i < 2; ++i)
        sti_elastic_coulomb(&friction, tau, NULL, &w[i], &e[i], &f[i], &xdot[4 + i]);
    const double h0 = torque[0] - f[0] + b * s * (2.0 * w[0] * w[1] + w[1] * w[1]);
    const double h1 = torque[1] - f[1] - b * s * w[0] * w[0];
    const double H00 = a + 2.0 * b * c, H01 = d + b * c, determinant = H00 * d - H01 * H01;
    xdot[0] = w[0];
    xdot[1] = w[1];
    xdot[2] = (d * h0 - H01 * h1) / determinant;
    xdot[3] = (H00 * h1 - H01 * h0) / determinant;
}

static void agrees_with_reduced_coordinates(void **unused)
{
    (void)unused;
    const double T = 1e-4;
    const TwoLinkArm arm = arm_with(T, 1e6);
    Rig rig = rig_of(arm.plan);
    double reduced[6] = {0.0}, gap = 0.0, difference = 0.0;
    for (int k = 0; k < 50000; ++k) {
        runge_kutta_step(reduced_arm, NULL, 6, k * T, T, reduced);
        rig_step(&rig);
        for (int i = 0; i < 2; ++i) {
            gap = fmax(gap, joint_gap(&rig, &arm, i));
            difference = fmax(difference, fabs(joint_angle(&rig, &arm, i) - reduced[i]));
        }
        if (k == 29999) {
            assert_near(joint_angle(&rig, &arm, 0), 0.00667, 5e-6);
            assert_near(joint_angle(&rig, &arm, 1), 1.00132, 5e-6);
        }
        if (k == 39999) {
            assert_near(joint_angle(&rig, &arm, 0), 0.63117, 5e-6);
            assert_near(joint_angle(&rig, &arm, 1), 2.30119, 5e-6);
        }
    }
    assert_near(difference, 0.0, 3e-5);
    assert_near(gap, 0.0, 2e-6);
    rig_free(&rig);
}

static double joint_rate(const Rig *rig, const TwoLinkArm *arm, int i)
{
    const double *w = rig_v(rig, arm->links[i]); // about z, which all links share
    return w[5] - (i == 0 ? 0.0 : rig_v(rig, arm->links[0])[5]);
}

static double anchor(const Rig *rig, const TwoLinkArm *arm, int i)
{
    return joint_angle(rig, arm, i) - *rig_y(rig, arm->frictions[i]);
}

// The main motion is over when a joint first turns back: at 4.435 and 4.0995 s in reduced
// coordinates. Then the shaking moves the anchors a little until 4.7 s, and never again.
static void stops_and_holds(void **unused)
{
    (void)unused;
    const TwoLinkArm arm = arm_with(1e-4, 1e6);
    Rig rig = rig_of(arm.plan);
    double stop[2] = {0.0};
    run_until(&rig, 4.0);
    while (rig_time(&rig) < 5.0) {
        rig_step(&rig);
        for (int i = 0; i < 2; ++i)
            if (stop[i] == 0.0 && joint_rate(&rig, &arm, i) <= 0.0) stop[i] = rig_time(&rig);
    }
    assert_near(stop[0], 4.435, 2e-4);
    assert_near(stop[1], 4.0995, 2e-4);
    const double anchors[2] = {anchor(&rig, &arm, 0), anchor(&rig, &arm, 1)};
    double lowest[2] = {4.0, 4.0}, highest[2] = {-4.0, -4.0};
    for (int k = 0; k < (rig_short() ? 10000 : 1000000); ++k) {
        rig_step(&rig);
        for (int i = 0; i < 2; ++i) {
            lowest[i] = fmin(lowest[i], joint_angle(&rig, &arm, i));
            highest[i] = fmax(highest[i], joint_angle(&rig, &arm, i));
        }
    }
    for (int i = 0; i < 2; ++i) {
        assert_near(highest[i] - lowest[i], 6e-5, 5e-6);
        assert_near(anchor(&rig, &arm, i), anchors[i], 1e-12);
    }
    rig_free(&rig);
}

static void lugre_drifts(void **unused)
{
    (void)unused;
    const StiPenaltyJoint joint = {.Kp = 1e6, .Bp = 300.0, .Kr = 1000.0, .Br = 1.0};
    const StiLuGre friction = {.law = sti_law_coulomb(0.5), .sigma0 = 5000.0, .sigma1 = 1.0};
    const TwoLinkArm arm =
        scene_two_link_arm(1e-4, &joint,
                           (SceneFriction){.impedance = &sti_kind_lugre, .parameters = &friction});
    Rig rig = rig_of(arm.plan);
    run_until(&rig, 5.0);
    const double angles[2] = {joint_angle(&rig, &arm, 0), joint_angle(&rig, &arm, 1)};
    run_until(&rig, 8.0);
    for (int i = 0; i < 2; ++i) assert_near(joint_angle(&rig, &arm, i) - angles[i], 0.02, 0.003);
    rig_free(&rig);
}

// Gaps are inverse to the stiffness; what they do to the angles falls with them.
static void the_difference_falls_with_the_stiffness(void **unused)
{
    (void)unused;
    double gap[3], elbow[3];
    for (int i = 0; i < 3; ++i) {
        const TwoLinkArm arm = arm_with(5e-5, 1e5 * pow(10.0, i));
        Rig rig = rig_of(arm.plan);
        run_until(&rig, 3.99);
        gap[i] = joint_gap(&rig, &arm, 0);
        elbow[i] = joint_angle(&rig, &arm, 1);
        rig_free(&rig);
    }
    assert_near(gap[0] / gap[1], 10.0, 0.1);
    assert_near(gap[1] / gap[2], 10.0, 0.1);
    assert_near(elbow[0], elbow[2], 2e-5);
    assert_near(elbow[1], elbow[2], 2e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_reduced_coordinates),
        cmocka_unit_test(stops_and_holds),
        cmocka_unit_test(lugre_drifts),
        cmocka_unit_test(the_difference_falls_with_the_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
