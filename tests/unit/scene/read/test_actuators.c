// Motors, controllers, limits and gear losses of scenes: the numbers of [semi-implicit], and the
// same bits as a network built by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"
#include "stiction/actuator.h"
#include "stiction/reaction.h"
#include "stiction/robot.h"
#include "support/plan.h"

// One motor unit of [semi-implicit], EQUATIONS 5.1: rotor and link about z, no gravity.
#define MOTOR \
    "torque_constant: 2.58e-2, resistance: 2.36, gear_ratio: 120, rated_voltage: 24, " \
    "rotor_inertia: 7.03e-6"
static const char unit[] =
    "stop: 1\n"
    "bodies:\n"
    "  arm: {kind: robot, links: [{name: rod, joint: turn, mass: 1, inertia: [1e-4, 1e-4, "
    "1.213e-4]}],\n"
    "        joints: {turn: {velocity: 0.5}}}\n"
    "elements:\n"
    "  motor: {kind: dc-motor, on: arm.turn, voltage: 2, " MOTOR "}\n";

static const double inertia = 1.213e-4;

static StiScene *unit_with(const char *set)
{
    return good_scene_with(unit, &(StiSceneOptions){.sets = &set, .set_count = 1});
}

// E = 1.31186 N m/V and D = 4.0615 N m s/rad (EQUATIONS 5, all digits given) by what the motor does.
static void joint_side_numbers_of_the_paper(void **state)
{
    (void)state;
    StiScene *moving = good_scene(unit), *at_rest = unit_with("arm.joints.turn.velocity=0");
    const double stall = -channel_at_start(at_rest, "motor.force");
    const double turning = -channel_at_start(moving, "motor.force");
    assert_near(stall / 2.0, 1.31186, 5e-6);            // E
    assert_near((stall - turning) / 0.5, 4.0615, 5e-5); // D
    // The acceleration of the first step tells the inertia: rotor and link.
    StiScene *euler = unit_with("method=euler"), *pushed = unit_with("motor.voltage=24");
    const double gained = channel_after(euler, 1, "arm.turn.qd") - 0.5;
    assert_near(turning * 1e-3 / gained - inertia, 0.101232, 1e-9);
    assert_true(channel_at_start(pushed, "motor.voltage") == 24.0);
    sti_scene_destroy(moving);
    sti_scene_destroy(at_rest);
    sti_scene_destroy(euler);
    sti_scene_destroy(pushed);
}

static void the_rated_voltage_limits(void **state)
{
    (void)state;
    StiScene *scene = unit_with("motor.voltage=\"-30 - t\"");
    assert_true(channel_at_start(scene, "motor.voltage") == -24.0);
    sti_scene_destroy(scene);
}

// Says of the armature, and of nothing else.
static void rotors_are_reported(void **state)
{
    (void)state;
    assert_message(unit, true, 1, 6, 133,
                   "motor: gear_ratio^2 rotor_inertia = 0.101232 kg m^2 is added to the armature "
                   "of arm.turn");
}

static const char controlled[] =
    "stop: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  arm: {kind: robot, links: [{joint: turn, axis: [0, 1, 0], mass: 1, centre: [0, 0, -0.2], "
    "inertia: [0.01, 0.01, 0.01]}]}\n"
    "elements:\n"
    "  motor: {kind: dc-motor, on: arm.turn, voltage: pid, " MOTOR "}\n"
    "  pid: {kind: pid, on: arm.turn, target: 0.5, target_rate: 0.1, kp: 100, ki: 50, kd: 3, "
    "limit: 20, integral_limit: 5, period: 2e-3}\n"
    "  loss: {kind: gear-loss, on: arm.turn, torque: motor, mu_avg: 0.2, mu_dif: 0.1, presliding: "
    "1e-3}\n"
    "  stop: {kind: joint-limit, on: arm.turn, lower: -0.3, upper: 0.3, stiffness: 1000, damping: "
    "1}\n";

static void give_constants(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

static void connect_constant(StiPlan *plan, const double *value, StiElementId element, int input)
{
    const StiTimeFunction function = {.count = 1, .eval = give_constants, .data = value};
    const StiSourceId source = sti_plan_add_time_function(plan, NULL, function);
    sti_plan_connect(plan, sti_signal_source(source, 0), element, input);
}

static StiNetwork *by_hand(const StiRobot *robot)
{
    static const double target = 0.5, rate = 0.1;
    StiPlan *plan = plan_in_stages();
    StiNetwork *network = NULL;
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    const StiAdmittanceId arm =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    const StiWire turn = sti_wire_joint(arm, robot, 0);
    const StiDcMotor motor = {.K_M = 2.58e-2, .R = 2.36, .gamma = 120.0, .voltage = 24.0};
    const StiPid pid = {.K_P = 100.0,
                        .K_I = 50.0,
                        .K_D = 3.0,
                        .limit = 20.0,
                        .integral_limit = 5.0,
                        .period = 2e-3};
    const StiGearLoss loss = {.mu_avg = 0.2, .mu_dif = 0.1, .h = 1e-3};
    const StiJointLimit stop = {.lower = -0.3, .upper = 0.3, .K = 1000.0, .B = 1.0};
    const StiElementId drive =
        sti_plan_add_impedance(plan, "motor", &sti_kind_dc_motor, &motor, &turn);
    const StiElementId control = sti_plan_add_impedance(plan, "pid", &sti_kind_pid, &pid, &turn);
    const StiElementId gear =
        sti_plan_add_impedance(plan, "loss", &sti_kind_gear_loss, &loss, &turn);
    sti_plan_add_impedance(plan, "stop", &sti_kind_joint_limit, &stop, &turn);
    connect_constant(plan, &target, control, 0);
    connect_constant(plan, &rate, control, 1);
    sti_plan_connect(plan, sti_signal_force(control, 0), drive, 0);
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_force(drive, 0), -1.0), gear, 0);
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    sti_plan_destroy(plan);
    return network;
}

static uint64_t hash_after(const StiNetwork *network, int steps)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    assert_int_equal(sti_run(network, NULL, state, scratch, steps), STI_OK);
    const uint64_t hash = sti_state_hash(state);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return hash;
}

static void same_bits_as_a_network_built_by_hand(void **state)
{
    (void)state;
    StiLink rod = {.name = "link0",
                   .joint_name = "turn",
                   .parent = -1,
                   .joint = STI_JOINT_REVOLUTE,
                   .placement = {.q = {1.0, 0.0, 0.0, 0.0}},
                   .axis = {0.0, 1.0, 0.0},
                   .mass = 1.0,
                   .centre = {0.0, 0.0, -0.2},
                   .inertia = {0.01, 0.01, 0.01},
                   .armature = 120.0 * 120.0 * 7.03e-6};
    StiRobot *robot = sti_robot_create(&rod, 1, NULL);
    assert_non_null(robot);
    StiNetwork *network = by_hand(robot);
    StiScene *scene = good_scene(controlled);
    assert_true(sti_network_layout(network) == sti_network_layout(scene->network));
    assert_true(hash_after(network, 500) == hash_after(scene->network, 500));
    assert_true(channel_after(scene, 500, "stop.touching") == 1.0); // all of them took part
    assert_true(channel_after(scene, 500, "loss.force") != 0.0);
    sti_scene_destroy(scene);
    sti_network_destroy(network);
    sti_robot_destroy(robot);
}

static void settings_reach_every_key(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "pid.kp=7",         "pid.period=4e-3", "pid.limit=3",           "motor.gear_ratio=10",
        "loss.mu_dif=0.05", "stop.lower=-1",   "motor.rated_voltage=12"};
    StiScene *scene = good_scene_with(controlled, &(StiSceneOptions){.sets = sets, .set_count = 7});
    assert_true(parameter(scene, "pid.kp") == 7.0);
    assert_true(parameter(scene, "pid.period") == 4e-3);
    assert_true(parameter(scene, "pid.limit") == 3.0);
    assert_true(parameter(scene, "motor.gear_ratio") == 10.0);
    assert_true(parameter(scene, "loss.mu_dif") == 0.05);
    assert_true(parameter(scene, "stop.lower") == -1.0);
    assert_true(parameter(scene, "motor.rated_voltage") == 12.0);
    sti_scene_destroy(scene);
}

// A servo's gains are before the gear ratio: the same motion from a motor and a pid with gains times it.
static void a_servo_is_a_motor_under_a_pid(void **state)
{
    (void)state;
    static const char body[] = "stop: 1\nbodies: {a: {kind: point, mass: 0.2}}\nelements:\n";
    static const char rest[] = "torque_constant: 0.02, resistance: 2, gear_ratio: 8";
    char one[600], two[600];
    snprintf(one, sizeof one,
             "%s  m: {kind: servo, on: a, %s, target: 0.5, kp: 2, ki: 4, kd: 0.5, period: 2e-3}\n",
             body, rest);
    snprintf(two, sizeof two,
             "%s  m: {kind: dc-motor, on: a, %s, voltage: c}\n"
             "  c: {kind: pid, on: a, target: 0.5, kp: 16, ki: 32, kd: 4, period: 2e-3}\n",
             body, rest);
    StiScene *servo = good_scene(one), *pair = good_scene(two);
    assert_true(channel_after(servo, 300, "a.x") == channel_after(pair, 300, "a.x")); // 8 is 2^3
    assert_true(channel_after(pair, 300, "a.x") > 0.01);
    sti_scene_destroy(servo);
    sti_scene_destroy(pair);
}

// Each motor of a list takes the controller at its own place; a controlled force is one, too.
static void partners_stand_at_the_same_place(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "bodies:\n"
        "  arm: {kind: robot, chain: {links: 2, length: 1, mass: 1}, joints: {joint1: {position: "
        "0.5}}}\n"
        "elements:\n"
        "  torque: {kind: force, on: [arm.joint0, arm.joint1], value: hold}\n"
        "  hold: {kind: pid, on: [arm.joint1, arm.joint0], target: 1, kp: 10, period: 1e-3}\n"
        "  loss: {kind: gear-loss, on: arm.joint1, torque: torque, mu_avg: 0.5, presliding: 1}\n");
    assert_true(channel_at_start(scene, "arm.joint0.torque.force") == -10.0);
    assert_true(channel_at_start(scene, "arm.joint1.torque.force") == -5.0);
    assert_true(channel_at_start(scene, "arm.joint1.hold.error") == 0.5);
    sti_scene_destroy(scene);
}

// Defaults from the joint; the element's own numbers come first.
static void limits_come_from_the_joint(void **state)
{
    (void)state;
    StiScene *scene =
        good_scene("stop: 1\n"
                   "bodies:\n"
                   "  arm: {kind: robot, links: [{joint: turn, mass: 1, inertia: [1, 1, 1], "
                   "limits: [-1, 2]}]}\n"
                   "elements:\n"
                   "  both: {kind: joint-limit, on: arm.turn, stiffness: 10}\n"
                   "  upper: {kind: joint-limit, on: arm.turn, stiffness: 10, upper: 3}\n");
    assert_true(parameter(scene, "both.lower") == -1.0 && parameter(scene, "both.upper") == 2.0);
    assert_true(parameter(scene, "upper.lower") == -1.0 && parameter(scene, "upper.upper") == 3.0);
    sti_scene_destroy(scene);
}

// A controller's wire applies nothing, and the account of energy does not know it.
static void a_controller_alone_moves_nothing(void **state)
{
    (void)state;
    StiScene *scene = good_scene("stop: 1\n"
                                 "bodies: {a: {kind: point, mass: 1, velocity: 2}}\n"
                                 "elements:\n"
                                 "  c: {kind: pid, on: a, target: 9, kp: 16, period: 1e-3}\n");
    assert_true(channel_after(scene, 100, "a.v") == 2.0);
    assert_true(channel_after(scene, 100, "energy.work") == 0.0);
    assert_true(channel_after(scene, 100, "energy.dissipated") == 0.0);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joint_side_numbers_of_the_paper),
        cmocka_unit_test(the_rated_voltage_limits),
        cmocka_unit_test(rotors_are_reported),
        cmocka_unit_test(same_bits_as_a_network_built_by_hand),
        cmocka_unit_test(settings_reach_every_key),
        cmocka_unit_test(a_servo_is_a_motor_under_a_pid),
        cmocka_unit_test(partners_stand_at_the_same_place),
        cmocka_unit_test(limits_come_from_the_joint),
        cmocka_unit_test(a_controller_alone_moves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
