// Robots with joint friction and contact under the solver `coupled` (COUPLED 4.2, 4.3).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"
#include "support/scenes/geared_joint.h"

// First joint after 32 ms as in COUPLED 4.3; two other simulators agree to 1e-5.
static void the_chain_falls_as_it_should(void **state)
{
    (void)state;
    const int counts[] = {1, 2, 3, 10, 20, 50, 100};
    const double expected[] = {0.0, 0.0, 0.02387, 0.01961, 0.01958, 0.01951, 0.01938};
    for (int i = 0; i < 7; ++i) {
        Chain chain = chain_plan(counts[i], 0.05, 1e-3);
        Rig rig = rig_of(chain.plan);
        assert_ptr_equal(sti_network_solver(rig.network), &sti_solver_coupled);
        int trials = 0, unsolved = 0, most = 0;
        double power = -1e300;
        for (int k = 0; k < 32; ++k) {
            rig_step(&rig);
            const StiStepFigures f = sti_scratch_figures(rig.scratch);
            trials += f.trials;
            unsolved += f.unsolved + f.unsettled_joints;
            if (f.trials > most) most = f.trials;
            power = fmax(power, f.reaction_power);
        }
        print_message("n %d: q0 %.5f (expected %.5f), trials %.2f most %d, unsolved %d, power %g\n",
                      counts[i], rig_x(&rig, chain.id)[0], expected[i], trials / 32.0, most,
                      unsolved, power);
        assert_true(fabs(rig_x(&rig, chain.id)[0] - expected[i]) < 1.1e-5);
        assert_int_equal(unsolved, 0);
        assert_true(power < 1e-12);
        rig_free(&rig);
        sti_robot_destroy(chain.robot);
    }
}

static void the_chain_comes_to_rest(void **state)
{
    (void)state;
    Chain chain = chain_plan(5, 0.05, 1e-3);
    Rig rig = rig_of(chain.plan);
    double workspace[2048], before = 1e300, rise = 0.0, rest[5];
    int resting = -1, unsolved = 0;
    const int steps = rig_short() ? 6000 : 20000;
    for (int k = 0; k < steps; ++k) {
        rig_step(&rig);
        const double *q = rig_x(&rig, chain.id), *v = rig_v(&rig, chain.id);
        const double E =
            sti_robot_energy(chain.robot, sti_vec3(0.0, 0.0, -GRAVITY), q, v, workspace);
        rise = fmax(rise, E - before);
        before = E;
        unsolved += sti_scratch_figures(rig.scratch).unsolved;
        bool still = true;
        for (int i = 0; i < 5; ++i) still = still && v[i] == 0.0;
        if (still && resting < 0) {
            resting = k;
            for (int i = 0; i < 5; ++i) rest[i] = q[i];
        }
        if (!still) resting = -1;
    }
    print_message("rests from step %d, energy rose by %g at most, unsolved %d\n", resting, rise,
                  unsolved);
    assert_true(resting >= 0 && resting < 4000);
    for (int i = 0; i < 5; ++i) assert_true(rig_x(&rig, chain.id)[i] == rest[i]);
    assert_true(rise < 1e-9);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

// Torques of [modular] (28c,d) on a planar arm of two rods.
static void dither(double t, double shaken, double *torque)
{
    *torque = t < 4.0 ? fmin(0.52, 0.3 * t) : 0.336 + 0.144 * shaken;
}
static void dither_0(const void *data, void *workspace, double t, double *torque)
{
    (void)data, (void)workspace;
    dither(t, sin(100.0 * t), torque);
}
static void dither_1(const void *data, void *workspace, double t, double *torque)
{
    (void)data, (void)workspace;
    dither(t, cos(100.0 * t), torque);
}

static void a_dithered_arm_does_not_drift(void **state)
{
    (void)state;
    const double m = 1.0, l = 0.5, J = m * l * l / 12.0;
    StiLink links[2];
    for (int i = 0; i < 2; ++i)
        links[i] = (StiLink){.name = i == 0 ? "upper" : "fore",
                             .joint_name = i == 0 ? "shoulder" : "elbow",
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i * l, 0.0, 0.0}},
                             .axis = {0.0, 0.0, 1.0},
                             .mass = m,
                             .centre = {0.5 * l, 0.0, 0.0},
                             .inertia = {1e-4, J, J}};
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-4);
    const StiAdmittanceId arm =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    for (int i = 0; i < 2; ++i) {
        const StiWire wire = sti_wire_joint(arm, robot, i);
        sti_plan_add_reaction(plan, i == 0 ? "friction0" : "friction1", &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(0.5)}, &wire);
        sti_plan_add_force(plan, i == 0 ? "torque0" : "torque1", &wire, 1,
                           (StiTimeFunction){.count = 1, .eval = i == 0 ? dither_0 : dither_1});
    }
    Rig rig = rig_of(plan);
    assert_ptr_equal(sti_network_solver(rig.network), &sti_solver_coupled);
    rig_run(&rig, 60000);
    const double q[2] = {rig_x(&rig, arm)[0], rig_x(&rig, arm)[1]};
    print_message("two-link dither: %.5f %.5f\n", q[0], q[1]);
    assert_true(fabs(q[0] - 0.03797) < 6e-6 && fabs(q[1] - 0.67893) < 6e-6);
    rig_run(&rig, rig_short() ? 40000 : 1140000);
    assert_true(rig_x(&rig, arm)[0] == q[0] && rig_x(&rig, arm)[1] == q[1]);
    rig_free(&rig);
    sti_robot_destroy(robot);
}

// A slow push below the static level moves a geared joint by exactly nothing; above it, it breaks
// away at the static level and then slips at the kinetic one.
static void ramp(const void *data, void *workspace, double t, double *torque)
{
    (void)workspace;
    *torque = *(const double *)data * t;
}

static void static_friction_breaks_away_once(void **state)
{
    (void)state;
    static const double rate = 1.0;
    const GearedJoint joint =
        geared_joint(&(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0), .level_static = 1.5},
                     (StiTimeFunction){.count = 1, .eval = ramp, .data = &rate});
    Rig rig = rig_of(joint.plan);
    rig_run(&rig, 1499);
    assert_true(rig_x(&rig, joint.arm)[0] == 0.0);
    assert_true(fabs(rig_resistance(&rig, joint.friction, 0) - 1.499) < 1e-12);
    rig_run(&rig, 2);
    assert_true(rig_v(&rig, joint.arm)[0] > 0.0);
    assert_true(fabs(rig_resistance(&rig, joint.friction, 0) - 1.0) < 1e-12);
    rig_free(&rig);
    sti_robot_destroy(joint.robot);
}

// One joint with a Stribeck law: the same as the finite-time rule alone gives.
static void laws_are_solved_to_the_end(void **state)
{
    (void)state;
    static const double rate = 3.0;
    double q[2];
    const StiFiniteTime friction = {.dim = 1, .law = sti_law_stribeck(1.0, 1.4, 0.05, 2.0, 0.3)};
    for (int i = 0; i < 2; ++i) {
        const GearedJoint joint =
            geared_joint(&friction, (StiTimeFunction){.count = 1, .eval = ramp, .data = &rate});
        sti_plan_set_solver(joint.plan, i == 0 ? &sti_solver_coupled : &sti_solver_sweeps);
        Rig rig = rig_of(joint.plan);
        rig_run(&rig, 2000);
        q[i] = rig_x(&rig, joint.arm)[0];
        rig_free(&rig);
        sti_robot_destroy(joint.robot);
    }
    print_message("Stribeck: %.15g, %.15g\n", q[0], q[1]);
    assert_true(q[0] > 0.1 && fabs(q[0] - q[1]) < 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_falls_as_it_should),
        cmocka_unit_test(the_chain_comes_to_rest),
        cmocka_unit_test(a_dithered_arm_does_not_drift),
        cmocka_unit_test(static_friction_breaks_away_once),
        cmocka_unit_test(laws_are_solved_to_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
