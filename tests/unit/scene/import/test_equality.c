// Equalities and tendons of MJCF: random loops stay closed and keep their energy, a welded body moves as a part of
// the link does, a tendon ends as long as its actuator says.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/network.h"
#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "stiction/urdf.h"
#include "support/near.h"
#include "support/random.h"

static StiScene *scene_of(const char *text)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "m.xml", NULL, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_message("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

// Runs a scene and leaves the positions of its robot; returns the energy that the method made, J.
static double run(const StiScene *scene, int steps, double *q, int most)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiFound found;
    assert_true(sti_scene_find(scene, scene->robots[0].name, &found));
    assert_int_equal(sti_recorder_begin(recorder, state, NULL, scratch), STI_OK);
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(sti_run(scene->network, NULL, state, scratch, 1), STI_OK);
        assert_int_equal(sti_recorder_follow(recorder, state, scratch), STI_OK);
    }
    const double *positions = sti_state_positions(state, scene->network, found.body);
    for (int i = 0; i < most; ++i) q[i] = positions[i];
    const double made = sti_recorder_energy(recorder).numerical;
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return made;
}

static StiFrame frame_of(const StiScene *scene, const double *q, const char *name)
{
    const StiUrdf *urdf = scene->robots[0].urdf;
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    static const double still[32];
    StiFrame frames[16], found = {.p = {NAN, NAN, NAN}};
    sti_robot_frames(robot, q, still, frames);
    for (int i = 0; i < urdf->count; ++i)
        if (strcmp(urdf->links[i].name, name) == 0) found = frames[i];
    sti_robot_destroy(robot);
    sti_report_destroy(report);
    return found;
}

static StiVec3 point_of(const StiScene *scene, const double *q, const char *name, StiVec3 point)
{
    const StiFrame at = frame_of(scene, q, name);
    return sti_vec3_add(at.p, sti_quat_rotate(at.q, point));
}

static void body(char **at, Random *random, const char *name, const char *joint)
{
    double r[12];
    for (int i = 0; i < 12; ++i) r[i] = random_between(random, -1.0, 1.0);
    *at += sprintf(*at,
                   "<body name='%s' pos='%.17g %.17g %.17g' euler='%.17g %.17g %.17g'>%s"
                   "<inertial pos='%.17g %.17g %.17g' mass='%.17g' diaginertia='0.02 0.03 0.04'/>",
                   name, 0.3 * r[0], 0.3 * r[1], 0.3 * r[2], r[3], r[4], r[5], joint, 0.1 * r[6],
                   0.1 * r[7], 0.1 * r[8], 1.5 + r[9]);
}

// A ball joint, hinges and a slide from the world, closed against the world: four velocities are left of seven.
static char *open_chain(char *at, unsigned seed)
{
    Random random = {seed};
    at += sprintf(at, "<mujoco model='m'><compiler angle='radian'/><worldbody>");
    body(&at, &random, "a", "<joint type='ball' name='ball' pos='0.05 0 0.02'/>");
    body(&at, &random, "b", "<joint name='j1' axis='1 0.5 0' ref='0.3'/>");
    body(&at, &random, "c", "<joint name='j2' axis='0 1 0.3' pos='0 0.1 0'/>");
    body(&at, &random, "d",
         "<joint name='j3' type='slide' axis='0 0.2 1'/><joint name='j4' axis='1 0 0'/>");
    return at;
}

static void loops_stay_closed(void **state)
{
    (void)state;
    enum { POSITIONS = 8, STEPS = 150 };
    const StiVec3 tip = {0.1, -0.2, 0.15};
    for (unsigned seed = 1; seed <= 12; ++seed) {
        char text[4096], *end = open_chain(text, seed);
        double q[POSITIONS], start[POSITIONS], by_sites[POSITIONS], moved = 0.0;
        strcpy(end, "</body></body></body></body></worldbody><equality><connect body1='d' "
                    "anchor='0.1 -0.2 0.15'/>"
                    "</equality></mujoco>");
        StiScene *scene = scene_of(text);
        run(scene, 0, start, POSITIONS);
        const double made = run(scene, STEPS, q, POSITIONS);
        const StiVec3 hook = point_of(scene, start, "d", tip);
        for (int i = 0; i < POSITIONS; ++i) moved = fmax(moved, fabs(q[i] - start[i]));
        assert_true(moved > 1e-3); // it swings
        assert_true(sti_vec3_norm(sti_vec3_sub(point_of(scene, q, "d", tip), hook)) < 1e-10);
        assert_true(fabs(made) < 1e-6);
        sti_scene_destroy(scene);
        // The same by sites, the world's first.
        sprintf(
            end,
            "<site name='tip' pos='0.1 -0.2 0.15'/></body></body></body></body><site name='hook' "
            "pos='%.17g %.17g %.17g'/></worldbody><equality><connect site1='hook' "
            "site2='tip'/></equality></mujoco>",
            hook.x, hook.y, hook.z);
        scene = scene_of(text);
        run(scene, STEPS, by_sites, POSITIONS);
        for (int i = 0; i < POSITIONS; ++i) assert_true(fabs(by_sites[i] - q[i]) < 1e-9);
        sti_scene_destroy(scene);
    }
}

#define BAR "<inertial pos='0 0 0.1' mass='0.5' diaginertia='0.01 0.01 0.01'/>"

// A planar four-bar on a heavy foot that tilts by next to nothing: along its normal next to nothing moves, and that
// equation repeats others. The motion does not depend on such a tilt.
static void planar_loops_in_space(void **state)
{
    (void)state;
    double level[4] = {0.0};
    for (int i = 0; i < 12; ++i) {
        char text[2048];
        double q[4];
        const double tilt = i > 0 ? pow(10.0, -i - 2) : 0.0;
        sprintf(text,
                "<mujoco model='m'><compiler angle='radian'/><worldbody><body name='foot' euler='0 "
                "%.17g %.17g'>"
                "<joint name='tilt' axis='0 1 0' armature='1e3'/>"
                "<inertial pos='0 0 0' mass='100' diaginertia='10 10 10'/>"
                "<body name='a' euler='0.3 0 0'><joint name='j1' axis='1 0 0'/>" BAR
                "<body name='b' pos='0 0 0.2' euler='0.9 0 0'><joint name='j2' axis='1 0 0'/>" BAR
                "</body></body>"
                "<body name='c' pos='0 0.3 0' euler='0.1 0 0'><joint name='j3' axis='1 0 0'/>" BAR
                "</body></body></worldbody>"
                "<equality><connect body1='b' body2='c' anchor='0 0 0.25'/></equality></mujoco>",
                tilt, -0.7 * tilt);
        StiScene *scene = scene_of(text);
        const double made = run(scene, 300, q, 4);
        assert_true(fabs(made) < 1e-8);
        for (int k = 0; k < 4; ++k) {
            if (i == 0) level[k] = q[k];
            assert_true(fabs(q[k] - level[k]) < 1e-9 + 3.0 * tilt);
        }
        sti_scene_destroy(scene);
    }
    assert_true(fabs(level[1]) > 0.01); // it moves
}

#define LOAD "<inertial pos='0.02 0.03 0' mass='2' diaginertia='0.02 0.03 0.04'/></body>"

// Two links; the end of the text so far.
static char *arm(char *at, unsigned seed)
{
    Random random = {seed};
    at += sprintf(at, "<mujoco model='m'><compiler angle='radian'/><worldbody>");
    body(&at, &random, "a", "<joint name='j1' axis='1 0.5 0'/>");
    body(&at, &random, "b", "<joint name='j2' axis='0 1 0.3'/>");
    return at;
}

// A load as a part of the last link, and the same load as a free body that is welded to it.
static void welded_is_fixed(void **state)
{
    (void)state;
    enum { STEPS = 150 };
    for (unsigned seed = 1; seed <= 12; ++seed) {
        char text[4096], *end = arm(text, seed);
        double start[9], q[9], welded[9];
        strcpy(end, "<body name='c' pos='0.1 0.2 0.3' euler='0.4 0.5 0.6'>" LOAD
                    "</body></body></worldbody></mujoco>");
        StiScene *scene = scene_of(text);
        run(scene, 0, start, 2);
        run(scene, STEPS, q, 2);
        const StiFrame c = frame_of(scene, start, "c");
        sti_scene_destroy(scene);
        sprintf(end,
                "</body></body><body name='c' pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g "
                "%.17g'><freejoint/>" LOAD
                "</worldbody><equality><weld body1='b' body2='c'/></equality></mujoco>",
                c.p.x, c.p.y, c.p.z, c.q.w, c.q.x, c.q.y, c.q.z);
        scene = scene_of(text);
        run(scene, STEPS, welded, 9);
        for (int i = 0; i < 2; ++i) assert_true(fabs(welded[i] - q[i]) < 1e-7);
        sti_scene_destroy(scene);
        // Elsewhere in the file: relpose says where it belongs.
        strcpy(end, "</body></body><body name='c'><freejoint/>" LOAD
                    "</worldbody><equality><weld body1='b' "
                    "body2='c' relpose='0.1 0.2 0.3 0.6 0 0.8 0'/></equality></mujoco>");
        scene = scene_of(text);
        run(scene, STEPS, q, 9);
        const StiFrame b = frame_of(scene, q, "b"), at = frame_of(scene, q, "c");
        const StiVec3 held = sti_vec3_add(b.p, sti_quat_rotate(b.q, sti_vec3(0.1, 0.2, 0.3)));
        const StiVec3 x = {1.0, 0.0, 0.0},
                      turned = sti_quat_rotate((StiQuat){0.6, 0.0, 0.8, 0.0}, x);
        assert_true(sti_vec3_norm(sti_vec3_sub(held, at.p)) < 1e-10);
        assert_true(sti_vec3_norm(sti_vec3_sub(sti_quat_rotate(b.q, turned),
                                               sti_quat_rotate(at.q, x))) < 1e-10);
        sti_scene_destroy(scene);
    }
}

static void tendons_end_as_long_as_they_are_told(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 8; ++i) {
        const double c1 = random_between(&random, 0.2, 1.0), c2 = random_between(&random, 0.2, 1.0);
        const double slope = random_between(&random, 0.5, 2.0),
                     offset = random_between(&random, -0.2, 0.2);
        char text[2048];
        sprintf(text,
                "<mujoco model='m'><option gravity='0 0 0'/><worldbody>"
                "<body name='a'><joint name='j1' damping='0.5'/><inertial pos='0 0 0' mass='1' "
                "diaginertia='0.01 0.01 0.01'/></body>"
                "<body name='b' pos='1 0 0'><joint name='j2'/><inertial pos='0 0 0' mass='1' "
                "diaginertia='0.01 0.01 0.01'/></body>"
                "</worldbody><tendon><fixed name='t'><joint joint='j1' coef='%.17g'/><joint "
                "joint='j2' coef='%.17g'/></fixed></tendon>"
                "<equality><joint joint1='j2' joint2='j1' polycoef='%.17g %.17g 0 0 0'/></equality>"
                "<actuator><position name='u' tendon='t' kp='20' kv='1'/></actuator>"
                "<keyframe><key name='k' ctrl='0.6'/></keyframe></mujoco>",
                c1, c2, offset, slope);
        StiMessages *messages = sti_messages_create();
        const StiSceneOptions options = {.variant = "k"};
        StiScene *scene = sti_scene_read(text, strlen(text), "m.xml", &options, messages);
        assert_non_null(scene);
        double q[2];
        run(scene, 4000, q, 2);
        assert_true(fabs(q[1] - slope * q[0] - offset) < 1e-12);
        assert_true(fabs(c1 * q[0] + c2 * q[1] - 0.6) < 1e-6);
        sti_messages_destroy(messages);
        sti_scene_destroy(scene);
    }
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *equality, *said;
    } cases[] = {{"<connect body1='nobody' anchor='0 0 0'/>", "there is no body 'nobody'"},
                 {"<connect site1='here'/>", "there is no site 'here'"},
                 {"<weld body2='a'/>", "<weld> needs body1"},
                 {"<connect body1='a' anchor='0 0 x'/>", "anchor"},
                 {"<joint joint1='none'/>", "names a joint that is not there"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[1024];
        sprintf(text,
                "<mujoco><worldbody><body name='a'><joint/><inertial pos='0 0 0' mass='1' "
                "diaginertia='1 1 1'/>"
                "</body></worldbody><equality>%s</equality></mujoco>",
                cases[i].equality);
        StiMessages *messages = sti_messages_create();
        assert_null(sti_scene_read(text, strlen(text), "m.xml", NULL, messages));
        bool said = false;
        for (int k = 0; k < sti_messages_count(messages); ++k)
            said = said || strstr(sti_messages_at(messages, k)->text, cases[i].said) != NULL;
        if (!said) print_message("not said: %s\n", cases[i].said);
        assert_true(said);
        sti_messages_destroy(messages);
    }
}

// Axes that point the other way are perpendicular where they should be, too: no weld.
static void half_a_turn_is_refused(void **state)
{
    (void)state;
    static const char *const attitudes[] = {"0, 1, 0, 0", "0, 0, 1, 0", "0, 0, 0, 1"};
    for (int i = 0; i < 3; ++i) {
        char text[512];
        sprintf(text,
                "stop: 1\nbodies: {b: {kind: rigid, mass: 1, inertia: [1, 1, 1], attitude: [%s]}}\n"
                "elements: {w: {kind: loop, type: fixed, on: b, at: [0, 0, 0]}}\n",
                attitudes[i]);
        StiMessages *messages = sti_messages_create();
        assert_null(sti_scene_read(text, strlen(text), "s.yaml", NULL, messages));
        assert_non_null(strstr(sti_messages_at(messages, 0)->text, "half a turn off"));
        sti_messages_destroy(messages);
    }
}

// A four-bar linkage of hinges about y whose sites for the last pin are `apart` out of their common plane.
static StiScene *four_bar(double apart, StiMessages *messages)
{
    static const char inertial[] =
        "<inertial pos='0 0 0.1' mass='1' diaginertia='0.01 0.01 0.01'/>";
    char text[2048];
    snprintf(text, sizeof text,
             "<mujoco model='m'><option gravity='3 0 -9.81'/><worldbody><body name='a'>"
             "<joint name='ja' axis='0 1 0'/>%s"
             "<body name='b' pos='0 0 0.3'><joint name='jb' axis='0 1 0'/>%s"
             "<site name='pb' pos='0.4 0 0.05'/></body></body>"
             "<body name='c' pos='0.5 0 0'><joint name='jc' axis='0 1 0'/>%s"
             "<site name='pc' pos='-0.1 %.17g 0.35'/></body></worldbody>"
             "<equality><connect site1='pb' site2='pc'/></equality></mujoco>",
             inertial, inertial, inertial, apart);
    return sti_scene_read(text, strlen(text), "m.xml", NULL, messages);
}

// Out of the plane nothing can move: what numbers have lost by rounding is allowed and named, more is refused.
static void rounded_loops_run(void **state)
{
    (void)state;
    const double apart[] = {0.0, 2e-9, 3e-8, 5e-7, 1e-5, 1e-3};
    double exact[3] = {0.0};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; ++i) {
        StiMessages *messages = sti_messages_create();
        StiScene *scene = four_bar(apart[i], messages);
        bool said = false;
        for (int k = 0; k < sti_messages_count(messages); ++k)
            said = said || strstr(sti_messages_at(messages, k)->text, "do not fit") != NULL;
        assert_true(said == (apart[i] > 0.0 && apart[i] < 1e-6));
        assert_true((scene != NULL) == (apart[i] < 1e-6));
        if (scene != NULL) {
            double q[3], start[3];
            run(scene, 0, start, 3);
            run(scene, 300, q, 3);
            const StiVec3 b = point_of(scene, q, "b", sti_vec3(0.4, 0.0, 0.05)),
                          c = point_of(scene, q, "c", sti_vec3(-0.1, apart[i], 0.35));
            assert_true(fabs(q[0] - start[0]) > 1e-2);
            assert_true(sti_vec3_norm(sti_vec3_sub(b, c)) <= 4.0 * apart[i] + 1e-12);
            if (apart[i] == 0.0) memcpy(exact, q, sizeof exact);
            for (int k = 0; k < 3; ++k) assert_near(q[k], exact[k], 10.0 * apart[i] + 1e-12);
        }
        sti_scene_destroy(scene);
        sti_messages_destroy(messages);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_stay_closed),
                                       cmocka_unit_test(planar_loops_in_space),
                                       cmocka_unit_test(welded_is_fixed),
                                       cmocka_unit_test(tendons_end_as_long_as_they_are_told),
                                       cmocka_unit_test(what_is_wrong_is_said),
                                       cmocka_unit_test(half_a_turn_is_refused),
                                       cmocka_unit_test(rounded_loops_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
