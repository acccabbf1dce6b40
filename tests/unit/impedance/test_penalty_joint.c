#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "assembly.h"
#include "stiction/friction.h"
#include "stiction/spring.h"
#include "support/moving_links.h"
#include "support/near.h"

static const StiImpedanceKind *const kind = &sti_kind_penalty_joint;
static const StiAdmittanceId FIRST = {1}, SECOND = {2};
static const StiPenaltyJoint stiff = {.Kp = 1e4, .Bp = 30.0, .Kr = 100.0, .Br = 1.0};
static const StiPenaltyJoint undamped = {.Kp = 1e4, .Kr = 100.0};

static StiWire random_wire(Random *random)
{
    const StiFrame B = random_frame(random, 1.0), E = random_frame(random, 1.0);
    return sti_wire_frame(FIRST, 0, B, SECOND, 0, E);
}

static void resist(const StiPenaltyJoint *p, const Sensed *s, double *u)
{
    const StiStage stage = {.tau = 0.0};
    const StiMotion xhat = {s->x, s->v, NULL};
    assert_int_equal(kind->eval(p, &stage, &xhat, NULL, NULL, u, NULL), STI_OK);
}

static double stored(const StiPenaltyJoint *p, const Sensed *s)
{
    const StiMotion xhat = {s->x, s->v, NULL};
    return kind->stored(p, &xhat, NULL);
}

static double power(const double *u, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += u[i] * v[i];
    return sum;
}

// EQUATIONS 3.3, written out for frames that are the links themselves.
static void pulls_B_back_to_E(void **state)
{
    (void)state;
    const StiFrame none = {.p = {0.0, 0.0, 0.0}};
    const StiWire wire = sti_wire_frame(FIRST, 0, none, SECOND, 0, none);
    const StiPenaltyJoint p = {.Kp = 2.0, .Bp = 3.0, .Kr = 5.0, .Br = 7.0};
    // B is off by +y, moves by +y, is bent by +x (its z axis towards -y) and bends on.
    const StiFrame B = {.p = {0.0, 0.5, 0.0},
                        .q = sti_quat_exp(sti_vec3(0.25, 0.0, 0.0)),
                        .v = {0.0, 1.0, 0.0},
                        .w = {0.5, 0.0, 0.0}};
    const Sensed s = sense_links(&wire, &B, &GROUND);
    double u[6];
    resist(&p, &s, u);
    const Wrenches on = apply_links(&wire, &B, &GROUND, u);
    assert_near(on.a.force.y, -2.0 * 0.5 - 3.0 * 1.0, 1e-14);
    assert_near(on.a.moment.x, -5.0 * sin(0.25) - 7.0 * 0.5, 1e-14);
    assert_near(stored(&p, &s), 0.25 + 5.0 * (1.0 - cos(0.25)), 1e-15);
}

static void stored_energy_is_the_work_of_the_springs(void **state)
{
    (void)state;
    Random random = {91};
    const double h = 2e-6;
    for (int trial = 0; trial < 500; ++trial) {
        const StiWire wire = random_wire(&random);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const StiFrame a0 = link_after(a, -h), a1 = link_after(a, h);
        const StiFrame b0 = link_after(b, -h), b1 = link_after(b, h);
        const Sensed s = sense_links(&wire, &a, &b);
        const Sensed before = sense_links(&wire, &a0, &b0), after = sense_links(&wire, &a1, &b1);
        double u[6];
        resist(&undamped, &s, u);
        const double rate = (stored(&undamped, &after) - stored(&undamped, &before)) / (2.0 * h);
        assert_near(rate, power(u, s.v), 1e-4);
        assert_true(stored(&undamped, &s) >= 0.0);
    }
}

static void dampers_only_take_energy(void **state)
{
    (void)state;
    Random random = {92};
    const StiPenaltyJoint damper = {.Bp = 30.0, .Br = 1.0};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiWire wire = random_wire(&random);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const Sensed s = sense_links(&wire, &a, &b);
        double u[6];
        resist(&damper, &s, u);
        assert_true(power(u, s.v) >= 0.0);
    }
}

// Frames together, in any attitude, turning against each other about z: nothing resists.
static void the_rotation_about_z_is_free(void **state)
{
    (void)state;
    Random random = {93};
    for (int trial = 0; trial < 500; ++trial) {
        const StiFrame none = {.p = {0.0, 0.0, 0.0}};
        const StiWire wire = sti_wire_frame(FIRST, 0, none, SECOND, 0, none);
        const StiFrame E = random_link(&random);
        StiFrame B = E;
        const double angle = random_between(&random, -3.0, 3.0);
        const double rate = random_between(&random, -9.0, 9.0);
        const StiVec3 z = sti_quat_rotate(E.q, sti_vec3(0.0, 0.0, 1.0));
        B.q = sti_quat_multiply(E.q, sti_quat_exp(sti_vec3(0.0, 0.0, angle)));
        B.w = sti_vec3_add(E.w, sti_vec3_scale(rate, z));
        const Sensed s = sense_links(&wire, &B, &E);
        double u[6];
        resist(&stiff, &s, u);
        for (int i = 0; i < 3; ++i) assert_true(u[i] == 0.0);
        for (int i = 3; i < 6; ++i) assert_near(u[i], 0.0, 1e-13);
        assert_near(stored(&stiff, &s), 0.0, 1e-28);
    }
}

// Bent or not, the moment has no part along zB, so that a hinge beside it carries all of that.
static void no_moment_about_the_axis_of_B(void **state)
{
    (void)state;
    Random random = {94};
    for (int trial = 0; trial < 500; ++trial) {
        const StiWire wire = random_wire(&random);
        const StiFrame a = random_link(&random), b = random_link(&random);
        const Sensed s = sense_links(&wire, &a, &b);
        double u[6];
        resist(&stiff, &s, u);
        const StiQuat qB = {s.x[7], s.x[8], s.x[9], s.x[10]};
        const StiVec3 z = sti_quat_rotate(qB, sti_vec3(0.0, 0.0, 1.0));
        assert_near(sti_vec3_dot(sti_vec3(u[3], u[4], u[5]), z), 0.0, 1e-13);
    }
}

// Frames that agree at the start: Z v is what one step tau along v adds to the force.
static void tangent_is_the_change_of_force_with_velocity(void **state)
{
    (void)state;
    Random random = {95};
    const StiFrame none = {.p = {0.0, 0.0, 0.0}};
    const StiWire wire = sti_wire_frame(FIRST, 0, none, SECOND, 0, none);
    const StiStage stage = {.tau = 1e-6};
    for (int trial = 0; trial < 200; ++trial) {
        StiFrame E = random_link(&random), B = random_link(&random);
        B.p = E.p;
        B.q = E.q;
        const StiFrame B1 = link_after(B, stage.tau), E1 = link_after(E, stage.tau);
        const Sensed here = sense_links(&wire, &B, &E), there = sense_links(&wire, &B1, &E1);
        const StiMotion xhat = {here.x, here.v, NULL};
        double Z[36], u[6];
        kind->tangent(&stiff, &stage, &xhat, NULL, NULL, Z);
        resist(&stiff, &there, u);
        for (int i = 0; i < 6; ++i) {
            double expected = 0.0;
            for (int j = 0; j < 6; ++j) expected += Z[6 * i + j] * here.v[j];
            assert_near(u[i], expected, 5e-5);
        }
    }
}

// Two bars joined end to end, thrown into the air while they turn and the joint is bent and open.
static Assembly two_bars(const StiPenaltyJoint *joint)
{
    const StiRigidBody bar = {.mass = 0.2, .inertia = {2e-4, 4e-3, 4e-3}};
    Assembly bars = {.bodies = 2, .elements = 1, .body = {bar, bar}, .gravity = {0.0, 0.0, -9.8}};
    bars.body[1].position[0] = 0.501;
    bars.body[1].attitude[0] = 1.0;
    bars.body[1].attitude[2] = 0.02;
    bars.body[1].angular_velocity[2] = 4.0;
    bars.body[0].angular_velocity[2] = -3.0;
    bars.body[0].angular_velocity[1] = 0.5;
    bars.body[0].velocity[2] = 1.0;
    const StiFrame tip = {.p = {0.25, 0.0, 0.0}}, base = {.p = {-0.25, 0.0, 0.0}};
    bars.element[0] = (JoinedElement){.impedance = {kind, joint},
                                      .wire = sti_wire_frame(SECOND, 0, base, FIRST, 0, tip)};
    return bars;
}

static double energy_drift(double T)
{
    const Assembly bars = two_bars(&undamped);
    double x[2 * BODY_STATES];
    const int n = assembly_start(&bars, x), steps = (int)lround(0.2 / T);
    const double before = assembly_energy(&bars, x);
    for (int k = 0; k < steps; ++k) assembly_step(&bars, n, k * T, T, x);
    return fabs(assembly_energy(&bars, x) - before);
}

static void without_damping_energy_stays(void **state)
{
    (void)state;
    const double coarse = energy_drift(1e-4), fine = energy_drift(5e-5);
    assert_true(fine < coarse / 14.0);
    assert_near(energy_drift(1e-5), 0.0, 5e-11);
}

static void momentum_stays_but_for_gravity(void **state)
{
    (void)state;
    const Assembly bars = two_bars(&stiff);
    double x[2 * BODY_STATES], start[2 * BODY_STATES];
    const int n = assembly_start(&bars, x);
    assembly_start(&bars, start);
    for (int k = 0; k < 2000; ++k) assembly_step(&bars, n, k * 1e-4, 1e-4, x);
    for (int i = 0; i < 3; ++i) {
        const double sum = x[7 + i] + x[BODY_STATES + 7 + i];
        const double fallen = i == 2 ? 2.0 * 9.8 * 0.2 : 0.0;
        const double expected = start[7 + i] + start[BODY_STATES + 7 + i] - fallen;
        assert_near(sum, expected, 5e-14);
    }
}

static void with_damping_the_gap_closes(void **state)
{
    (void)state;
    const Assembly bars = two_bars(&stiff);
    double x[2 * BODY_STATES];
    const int n = assembly_start(&bars, x);
    double energy = assembly_energy(&bars, x);
    for (int k = 0; k < 5000; ++k) {
        assembly_step(&bars, n, k * 1e-4, 1e-4, x);
        const double now = assembly_energy(&bars, x);
        assert_true(now <= energy + 1e-12);
        energy = now;
    }
    StiFrame links[BODIES_MAX];
    ElementView view;
    assembly_poses(&bars, x, links);
    assembly_view(&bars, links, 0.0, 0, &view);
    // What is left is the stretch under the centrifugal force, about 0.07 N.
    for (int i = 0; i < 3; ++i) assert_near(view.x[i], 0.0, 2e-5);
}

static void motor(double t, double *values) { values[0] = fmin(0.52, 0.3 * t); } // [modular] (28c)

// EQUATIONS 3.3: two rods with frictional, actuated joints. Angles as in reduced coordinates (3.2).
static void an_arm_of_penalty_joints_moves_as_in_reduced_coordinates(void **state)
{
    (void)state;
    const StiAdmittanceId world = {-1};
    const StiRigidBody rod = {.mass = 0.2, .inertia = {2e-4, 0.05 / 12.0, 0.05 / 12.0}};
    const StiFrame base = {.p = {-0.25, 0.0, 0.0}}, tip = {.p = {0.25, 0.0, 0.0}};
    const StiFrame origin = {.p = {0.0, 0.0, 0.0}};
    const StiPenaltyJoint joint = {.Kp = 1e6, .Bp = 300.0, .Kr = 1000.0, .Br = 1.0};
    const StiElasticCoulomb slider = {.dim = 1, .law = sti_law_coulomb(0.5), .K = 5e3, .B = 1.0};
    const StiForceSource torque = {1};
    const StiWire held[2] = {sti_wire_frame(FIRST, 0, base, world, 0, origin),
                             sti_wire_frame(SECOND, 0, base, FIRST, 0, tip)};
    const StiWire turned[2] = {sti_wire_hinge(FIRST, 0, base, world, 0, origin),
                               sti_wire_hinge(SECOND, 0, base, FIRST, 0, tip)};
    Assembly arm = {.bodies = 2, .elements = 6, .body = {rod, rod}};
    for (int i = 0; i < 2; ++i) {
        arm.body[i].position[0] = 0.25 + 0.5 * i;
        arm.element[i] = (JoinedElement){{kind, &joint}, held[i], NULL};
        arm.element[2 + i] = (JoinedElement){{&sti_kind_elastic_coulomb, &slider}, turned[i], NULL};
        arm.element[4 + i] = (JoinedElement){{&sti_kind_force_source, &torque}, turned[i], motor};
    }
    const double expected[2][2] = {{0.00667, 1.00132}, {0.63117, 2.30119}}; // at 3 s and 4 s
    double x[2 * BODY_STATES + 2];
    const int n = assembly_start(&arm, x);
    for (int k = 0; k < 40000; ++k) {
        assembly_step(&arm, n, k * 1e-4, 1e-4, x);
        if (k != 29999 && k != 39999) continue;
        StiFrame links[BODIES_MAX];
        ElementView view;
        assembly_poses(&arm, x, links);
        for (int i = 0; i < 2; ++i) {
            assembly_view(&arm, links, 0.0, 2 + i, &view);
            assert_near(view.x[0], expected[k > 30000][i], 1e-5);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulls_B_back_to_E),
        cmocka_unit_test(stored_energy_is_the_work_of_the_springs),
        cmocka_unit_test(dampers_only_take_energy),
        cmocka_unit_test(the_rotation_about_z_is_free),
        cmocka_unit_test(no_moment_about_the_axis_of_B),
        cmocka_unit_test(tangent_is_the_change_of_force_with_velocity),
        cmocka_unit_test(without_damping_energy_stays),
        cmocka_unit_test(momentum_stays_but_for_gravity),
        cmocka_unit_test(with_damping_the_gap_closes),
        cmocka_unit_test(an_arm_of_penalty_joints_moves_as_in_reduced_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
