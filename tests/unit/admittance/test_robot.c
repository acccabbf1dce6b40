// The robot as a body: what the network sees is what the recursions compute.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/stiction.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/scenes/rig.h"

static const StiFrame nowhere = {.q = {1.0, 0.0, 0.0, 0.0}};

static StiLink rod(const char *name, const char *joint, int parent, StiJointType type, StiVec3 axis)
{
    return (StiLink){.name = name,
                     .joint_name = joint,
                     .parent = parent,
                     .joint = type,
                     .placement = {.p = {parent >= 0 ? 0.5 : 0.0, 0.0, 0.0}, .q = nowhere.q},
                     .axis = axis,
                     .mass = 2.0,
                     .centre = {0.2, 0.1, 0.0},
                     .inertia = {0.02, 0.03, 0.04}};
}

static StiRobot *made(const StiLink *links, int count)
{
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(links, count, report);
    assert_non_null(robot);
    sti_report_destroy(report);
    return robot;
}

// A floating base, a turn and a slide: positions and velocities have different places.
static StiRobot *walker(void)
{
    const StiVec3 z = {0.0, 0.0, 1.0}, x = {1.0, 0.0, 0.0};
    const StiLink links[] = {rod("trunk", "free", -1, STI_JOINT_FLOATING, z),
                             rod("hip", "hip", 0, STI_JOINT_REVOLUTE, z),
                             rod("leg", "slide", 1, STI_JOINT_PRISMATIC, x)};
    return made(links, 3);
}

static void eval_is_forward_dynamics(void **state)
{
    (void)state;
    StiRobot *robot = walker();
    const StiRobotBody body = {.robot = robot};
    const StiAdmittanceKind *kind = &sti_kind_robot;
    const StiAdmittanceSize size = kind->size(&body);
    assert_int_equal(size.positions, 9);
    assert_int_equal(size.velocities, 8);
    double *workspace = calloc((size_t)size.workspace, sizeof *workspace);
    const StiStage stage = {.gravity = {0.0, 0.0, -9.81}, .workspace = workspace};
    Random random = {3};
    for (int trial = 0; trial < 100; ++trial) {
        double q[9], v[8], tau[8], qdot[9], vdot[8], loads[3], expected[8], rates[9];
        StiWrench wrenches[3], transmitted[3];
        for (int i = 0; i < 9; ++i) q[i] = random_between(&random, -1.0, 1.0);
        for (int i = 0; i < 8; ++i) v[i] = random_between(&random, -1.0, 1.0);
        for (int i = 0; i < 8; ++i) tau[i] = random_between(&random, -1.0, 1.0);
        memset(wrenches, 0, sizeof wrenches);
        wrenches[2].force.y = random_between(&random, -5.0, 5.0);
        kind->move(&body, v, 0.0, q);
        const StiForce uhat = {tau, wrenches};
        assert_int_equal(kind->eval(&body, &stage, q, v, NULL, &uhat, qdot, vdot, loads), STI_OK);
        assert_int_equal(sti_robot_forward(robot, stage.gravity, q, v, tau, wrenches, expected,
                                           transmitted, workspace),
                         STI_OK);
        assert_memory_equal(vdot, expected, sizeof vdot);
        sti_robot_rates(robot, q, v, rates);
        assert_memory_equal(qdot, rates, sizeof qdot);
        assert_near(loads[1], sti_vec3_norm(transmitted[1].force), 1e-12);
        assert_true(loads[2] <=
                    sti_vec3_norm(transmitted[2].force) + 1e-12); // the slide carries less
        assert_near(loads[0], 0.0, 1e-10);                        // nothing holds the base
    }
    free(workspace);
    sti_robot_destroy(robot);
}

static void joints_are_wired_by_their_own_coordinates(void **state)
{
    (void)state;
    StiRobot *robot = walker();
    const double position[9] = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 0.25, -0.5};
    const double velocity[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.75, -1.5};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "walker", &sti_kind_robot,
                                                       &(StiRobotBody){.robot = robot,
                                                                       .positions = 9,
                                                                       .velocities = 8,
                                                                       .position = position,
                                                                       .velocity = velocity});
    const StiWire hip = sti_wire_joint(id, robot, 1), slide = sti_wire_joint(id, robot, 2);
    const StiSpringDamper spring = {.dim = 1, .K = 1.0};
    sti_plan_add_impedance(plan, "hip_spring", &sti_kind_spring_damper, &spring, &hip);
    sti_plan_add_impedance(plan, "slide_spring", &sti_kind_spring_damper, &spring, &slide);
    Rig rig = rig_of(plan);
    StiRecorder *recorder = sti_recorder_create(rig.network);
    assert_int_equal(sti_recorder_begin(recorder, rig.state, NULL, rig.scratch), STI_OK);
    const struct {
        const char *channel;
        double value;
    } expected[] = {{"walker.free.z", 3.0},      {"walker.hip.q", 0.25},
                    {"walker.hip.qd", 0.75},     {"walker.slide.q", -0.5},
                    {"hip_spring.x", 0.25},      {"hip_spring.v", 0.75},
                    {"slide_spring.x", -0.5},    {"slide_spring.v", -1.5},
                    {"slide_spring.force", -0.5}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i)
        assert_true(sti_recorder_value(recorder, sti_network_channel_find(rig.network,
                                                                          expected[i].channel)) ==
                    expected[i].value);
    sti_recorder_destroy(recorder);
    rig_free(&rig);
    sti_robot_destroy(robot);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    StiRobot *robot = walker();
    const double position[3] = {0.0};
    const StiRobotBody short_of = {.robot = robot, .positions = 3, .position = position},
                       none = {0};
    const StiRobotBody *const bodies[] = {&short_of, &none};
    for (int i = 0; i < 2; ++i) {
        StiReport *report = sti_report_create();
        sti_kind_check(&sti_kind_robot.info, bodies[i],
                       &(StiCheck){.report = report, .component = "r"});
        assert_int_equal(sti_report_error_count(report), 1);
        sti_report_destroy(report);
    }
    sti_robot_destroy(robot);
}

// A pendulum whose pin rubs with mu r N on its own load: N = m sqrt((g cos + l w^2)^2 + (..)^2) is
// what the load must be, and the friction in sliding is mu r N against the motion.
static void pin_friction_follows_the_pins_load(void **state)
{
    (void)state;
    const double m = 1.0, l = 1.0, g = 9.81, mu = 0.1, r = 0.05;
    StiLink bob = rod("bob", "pin", -1, STI_JOINT_REVOLUTE, sti_vec3(0.0, 1.0, 0.0));
    bob.mass = m;
    bob.centre = sti_vec3(0.0, 0.0, -l);
    for (int i = 0; i < 3; ++i) bob.inertia[i] = 1e-9;
    StiRobot *robot = made(&bob, 1);
    const double start = 1.0;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-4);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -g));
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                                       &(StiRobotBody){.robot = robot,
                                                                       .positions = 1,
                                                                       .position = &start});
    const StiWire pin = sti_wire_joint(id, robot, 0);
    const StiElasticCoulomb rub = {.dim = 1,
                                   .law = sti_law_times_load(sti_law_coulomb(mu)),
                                   .K = 1000.0,
                                   .B = 1.0};
    const StiElementId friction =
        sti_plan_add_impedance(plan, "rub", &sti_kind_elastic_coulomb, &rub, &pin);
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_load(id, 0), r), friction, 0);
    Rig rig = rig_of(plan);
    for (int k = 0; k < 3000; ++k)
        assert_int_equal(sti_step(rig.network, NULL, rig.state, rig.scratch), STI_OK);
    const StageData *last = &rig.scratch->stages[3];
    const double q = last->x[0], w = last->x[1], a = last->xdot[1];
    const double along = m * (g * cos(q) + l * w * w), across = m * (g * sin(q) + l * a);
    const double N = sqrt(along * along + across * across);
    assert_near(last->loads[0], N, 1e-9);
    assert_near(last->u[0], mu * r * N * (w > 0.0 ? 1.0 : -1.0), 1e-9);
    assert_true(sti_scratch_figures(rig.scratch).load_contraction < 0.1);
    rig_free(&rig);
    sti_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eval_is_forward_dynamics),
        cmocka_unit_test(joints_are_wired_by_their_own_coordinates),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(pin_friction_follows_the_pins_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
