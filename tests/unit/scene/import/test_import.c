// What model files become: couplings, actuators, keyframes, references, classes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/import.h"
#include "stiction/network.h"
#include "stiction/step.h"
#include "stiction/urdf.h"
#include "support/near.h"

static char *imported(const char *text, const char *path)
{
    StiMessages *messages = sti_messages_create();
    char *scene = sti_import_text(text, strlen(text), path, NULL, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_message("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    return scene;
}

static StiScene *loaded_from(const char *text, const char *path)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), path, NULL, messages);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) print_message("no '%s' in\n%s\n", part, text);
    assert_non_null(strstr(text, part));
}

#define INERTIAL "<inertial pos='0 0 0.1' mass='1' diaginertia='0.01 0.01 0.01'/>"

static void classes_hold_where_nothing_else_is_said(void **state)
{
    (void)state;
    char *scene = imported(
        "<mujoco model='m'><compiler angle='degree'/><default><joint damping='0.5'/>"
        "<default class='a'><joint frictionloss='2' range='-90 90'/>"
        "<default class='b'><joint damping='0.25'/></default></default></default><worldbody>"
        "<body name='one' childclass='a'>" INERTIAL "<joint name='j1'/>"
        "<body name='two'>" INERTIAL "<joint name='j2' class='b' frictionloss='3'/></body></body>"
        "<body name='three'>" INERTIAL "<joint name='j3'/></body></worldbody></mujoco>",
        "m.xml");
    assert_non_null(scene);
    has(scene, "friction: {kind: friction, model: coulomb, on: [m.j1], level: 2, viscous: 0.5}");
    has(scene, "friction_2: {kind: friction, model: coulomb, on: [m.j2], level: 3, viscous: 0.25}");
    has(scene, "damping: {kind: spring-damper, on: [m.j3], damping: 0.5}");
    has(scene, "limits: [-1.5707963267948966, 1.5707963267948966]");
    free(scene);
}

static void actuators_have_inputs_of_their_names(void **state)
{
    (void)state;
    char *scene = imported(
        "<mujoco model='m'><worldbody><body name='b'>" INERTIAL "<joint name='j'/></body></worldbody>"
        "<actuator><position name='servo' joint='j' kp='50' kv='2' forcerange='-3 4' gear='10'/>"
        "<motor name='torque' joint='j' gear='2'/><velocity name='wheel' joint='j' kv='5'/></actuator>"
        "<keyframe><key name='home' qpos='0.5' ctrl='0.5 1 2'/></keyframe></mujoco>",
        "m.xml");
    assert_non_null(scene);
    has(scene, "  servo: {value: 0}");
    has(scene, "servo_actuator: {kind: actuator, on: m.j, command: servo, gain: 50, stiffness: 50, "
               "damping: 2, gear_ratio: 10, lower: -3, upper: 4}");
    has(scene, "torque_actuator: {kind: actuator, on: m.j, command: torque, gear_ratio: 2}");
    has(scene, "wheel_actuator: {kind: actuator, on: m.j, command: wheel, gain: 5, damping: 5}");
    has(scene, "\"bodies.m.joints.j.position\": 0.5");
    has(scene, "\"inputs.wheel.value\": 2");
    free(scene);
}

static void keyframes_without_an_attitude_have_none(void **state)
{
    (void)state;
    char *scene = imported("<mujoco model='m'><worldbody><body name='b'>" INERTIAL
                           "<freejoint name='j'/></body></worldbody><keyframe>"
                           "<key name='k' qpos='1 2 3 0 0 0 0'/><key name='l' qpos='1 2 3 0 2 0 0'/>"
                           "</keyframe></mujoco>",
                           "m.xml");
    assert_non_null(scene);
    has(scene, "\"bodies.m.joints.j.position\": [1, 2, 3, 1, 0, 0, 0]");
    has(scene, "\"bodies.m.joints.j.position\": [1, 2, 3, 0, 1, 0, 0]");
    free(scene);
}

// A coordinate that is 0.3 in the pose of the file, with a spring that is slack at 0.1.
static void references_move_the_zero_of_a_joint(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco model='m'><compiler angle='radian'/><worldbody><body name='b' pos='1 0 0'>" INERTIAL
        "<joint name='j' axis='0 1 0' ref='0.3' springref='0.1' stiffness='4'/></body></worldbody></mujoco>";
    char *scene = imported(text, "m.xml");
    assert_non_null(scene);
    has(scene, "spring: {kind: spring-damper, on: [m.j], stiffness: 4, rest: 0.1");
    has(scene, "j: {position: 0.3}");
    free(scene);
    StiScene *loaded = loaded_from(text, "m.xml");
    const StiUrdf *urdf = loaded->robots[0].urdf;
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    StiFrame frame;
    sti_robot_frames(robot, (double[1]){0.3}, (double[1]){0.0}, &frame);
    assert_near(frame.q.w, 1.0, 1e-15); // as in the file
    assert_near(frame.p.x, 1.0, 1e-15);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
    sti_scene_destroy(loaded);
}

// A finger that mimics another keeps to it, by the scene of a model and by urdf: of a scene.
static void mimics_follow(void **state)
{
    (void)state;
    static const char text[] =
        "<robot name='hand'><link name='palm'/>"
        "<link name='a'><inertial><origin xyz='0.1 0 0'/><mass value='1'/><inertia ixx='.01' iyy='.01' "
        "izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<link name='b'><inertial><origin xyz='0.2 0 0'/><mass value='0.5'/><inertia ixx='.01' iyy='.01' "
        "izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='ja' type='continuous'><parent link='palm'/><child link='a'/><axis xyz='0 1 0'/></joint>"
        "<joint name='jb' type='continuous'><parent link='palm'/><child link='b'/><axis xyz='0 1 0'/>"
        "<mimic joint='ja' multiplier='-0.5' offset='0.2'/></joint></robot>";
    StiScene *scene = loaded_from(text, "hand.urdf");
    StiState *now = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, now, scratch, 300), STI_OK);
    StiFound a, b;
    assert_true(sti_scene_find(scene, "hand.ja", &a) && sti_scene_find(scene, "hand.jb", &b));
    const double *q = sti_state_positions(now, scene->network, a.body);
    assert_true(fabs(q[a.position]) > 0.01); // it moves
    assert_near(q[b.position], -0.5 * q[a.position] + 0.2, 1e-10);
    sti_scratch_destroy(scratch);
    sti_state_destroy(now);
    sti_scene_destroy(scene);
}

static void other_texts_are_scenes(void **state)
{
    (void)state;
    assert_false(sti_is_model("stop: 1", 7));
    assert_true(sti_is_model("\xef\xbb\xbf <robot/>", 12));
    assert_true(sti_is_model("\n<?xml version='1.0'?>", 22));
    assert_false(sti_is_model("", 0));
}

#define ROTOR(joint, gear)                                                                                  \
    "<transmission name='t'><type>simple</type><joint name='" joint "'/><actuator name='m'>" gear             \
    "<drake:rotor_inertia value='0.0002'/></actuator></transmission>"

// n^2 J, by the gear that says most; dynamics come first, and what names no joint that moves is said.
static void rotors_behind_gears_are_armatures(void **state)
{
    (void)state;
    static const struct {
        const char *transmission, *armature;
    } cases[] = {{ROTOR("j", "<mechanicalReduction>1</mechanicalReduction><drake:gear_ratio value='50'/>"), "armature: 0.5"},
                 {ROTOR("j", "<mechanicalReduction>-10</mechanicalReduction>"), "armature: 0.02"},
                 {ROTOR("j", ""), "armature: 0.0002"},
                 {ROTOR("k", ""), "armature: 7"},
                 {ROTOR("none", ""), NULL},
                 {"<transmission><joint name='j'/><actuator><mechanicalReduction>9</mechanicalReduction></actuator></transmission>", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[2048];
        const bool other = i == 3;
        sprintf(text, "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' "
                      "iyy='1' iyz='0' izz='1'/></inertial></link><joint name='%s' type='continuous'><parent link='a'/>"
                      "<child link='b'/>%s</joint>%s</robot>",
                other ? "k" : "j", other ? "<dynamics armature='7'/>" : "", cases[i].transmission);
        char *scene = imported(text, "r.urdf");
        if (cases[i].armature != NULL)
            has(scene, cases[i].armature);
        else
            assert_null(strstr(scene, "armature"));
        free(scene);
    }
}

// Three axes that all but meet turn a point mass, but not about the line to it; two do. A point on a rod stays one.
static void points_become_balls_where_they_must(void **state)
{
    (void)state;
    for (int axes = 1; axes <= 3; ++axes) {
        char text[1024] = "<mujoco model='m'><worldbody><body name='head'>", *at = text + strlen(text);
        for (int i = 0; i < axes; ++i)
            at += sprintf(at, "<joint name='j%d' pos='%g 0 0' axis='%s'/>", i, 1e-7 * i, i == 0 ? "1 0 0" : i == 1 ? "0 1 0" : "0 0 1");
        strcpy(at, "<inertial pos='0.1 0.2 0.3' mass='1.5' diaginertia='0 0 0'/></body></worldbody></mujoco>");
        char *scene = imported(text, "m.xml");
        const char *inertia = strstr(scene, "inertia: [");
        assert_true((inertia != NULL) == (axes == 3));
        // 2/5 m r^2 with 4/3 pi r^3 1000 kg/m^3 = m
        const double r = cbrt(1.5 * 3.0 / (4.0 * 3.141592653589793 * 1000.0));
        if (inertia != NULL) assert_true(fabs(strtod(inertia + 10, NULL) / (0.4 * 1.5 * r * r) - 1.0) < 1e-12);
        free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotors_behind_gears_are_armatures),
        cmocka_unit_test(points_become_balls_where_they_must),
        cmocka_unit_test(classes_hold_where_nothing_else_is_said),
        cmocka_unit_test(actuators_have_inputs_of_their_names),
        cmocka_unit_test(keyframes_without_an_attitude_have_none),
                                       cmocka_unit_test(references_move_the_zero_of_a_joint),
        cmocka_unit_test(mimics_follow),
        cmocka_unit_test(other_texts_are_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
