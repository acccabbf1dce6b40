// A robot at rest does not make the step collapse: once it is stuck the step grows to its longest.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network/network.h"
#include "stiction/adaptive.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/near.h"
#include "support/short.h"

enum { JOINTS = 6, ROWS = 200 }; // rows of 0.1 s; the longest step is a tenth of all, 2 s
static const double longest = 2.0;

static const char two_link[] = "chain: {links: 2, length: 0.3, mass: 1, axis: [0, 1, 0], armature: 0.1}";
static const char six_axis[] = "urdf: " SOURCE_DIR "/examples/robots/six_axis.urdf";
static const char rigid[] = "model: coulomb, level: 60";
static const char elastic[] = "model: elastic-coulomb, level: 60, stiffness: 6e4, damping: 60";

typedef struct Rest {
    StiAdaptiveFigures half, all; // at 10 s, at 20 s
    double moved;                 // rad, in the second half
} Rest;

// Under gravity; the joint of this name is shaken, below what friction holds.
static StiScene *make(const char *robot, const char *friction, const char *method, const char *joint,
                      double shake)
{
    char text[1500];
    snprintf(text, sizeof text,
             "step: 0.1\n"
             "stop: 20\n"
             "method: {adaptive: %s, rtol: 1e-8, atol: 1e-10}\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies: {arm: {kind: robot, %s}}\n"
             "elements:\n"
             "  rub: {kind: friction, on: arm.joints, %s}\n"
             "  shake: {kind: force, on: arm.%s, value: \"%g*sin(20*t)\"}\n",
             method, robot, friction, joint, shake);
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "rest.yaml", NULL, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

static Rest follow(StiScene *scene)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiAdaptive *adaptive = sti_adaptive_create(scene->network, scene->adaptive, NULL);
    assert_non_null(adaptive);
    Rest rest = {.moved = 0.0};
    double held[JOINTS] = {0};
    const int joints = scene->network->admittances[0].size.positions;
    for (int k = 0; k < ROWS; ++k) {
        assert_int_equal(sti_adaptive_step(adaptive, NULL, state, scratch), STI_OK);
        if (k == ROWS / 2) rest.half = sti_adaptive_figures(adaptive);
        for (int j = 0; j < joints && j < JOINTS; ++j) {
            if (k == ROWS / 2) held[j] = state->values[j];
            if (k > ROWS / 2) rest.moved = fmax(rest.moved, fabs(state->values[j] - held[j]));
        }
    }
    rest.all = sti_adaptive_figures(adaptive);
    sti_adaptive_destroy(adaptive);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return rest;
}

static long steps_in_second_half(const Rest *rest) { return rest->all.steps - rest->half.steps; }

static void rigid_joints_under_gravity(void **state)
{
    (void)state;
    static const char *const methods[] = {"dormand-prince", "bdf"};
    for (int i = 0; i < 4; ++i) {
        const Rest rest =
            follow(i < 2 ? make(two_link, rigid, methods[i % 2], "joint0", 0.0)
                         : make(six_axis, rigid, methods[i % 2], "turn", 0.0));
        assert_true((double)steps_in_second_half(&rest) <= 10.0 / longest + 1.0);
        assert_true(rest.all.steps <= 30); // from 1e-10 s on it grows tenfold with each step
        assert_int_equal(rest.all.events, 0);
        assert_true(rest.moved == 0.0);
    }
}

// The bristles ring when gravity sets in; when that has died away nothing is left to resolve.
static void elastic_joints_under_gravity(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        const Rest rest = follow(i == 0 ? make(two_link, elastic, "bdf", "joint0", 0.0)
                                        : make(six_axis, elastic, "bdf", "turn", 0.0));
        assert_true((double)steps_in_second_half(&rest) <= 10.0 / longest + 1.0);
        assert_true(rest.moved < 1e-9);
    }
}

// What is shaken is resolved, 32 periods in the second half, by a bounded number of steps each.
static void shaken_joints(void **state)
{
    (void)state;
    for (int i = 0; i < steps_or(2, 1); ++i) {
        const Rest rest = follow(i == 0 ? make(two_link, rigid, "dormand-prince", "joint0", 5.0)
                                        : make(six_axis, rigid, "dormand-prince", "turn", 5.0));
        const double each = (double)steps_in_second_half(&rest) / (10.0 * 20.0 / 6.283185307179586);
        assert_true(each < 30.0); // 8.7 and 24.3
        assert_int_equal(rest.all.events, 0);
        assert_true(rest.moved == 0.0);
    }
    if (steps_or(1, 0) == 0) return;
    const Rest rest = follow(make(two_link, elastic, "bdf", "joint0", 5.0));
    assert_int_equal(rest.all.events, rest.half.events);
    assert_true(steps_in_second_half(&rest) < 200 * 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_joints_under_gravity),
        cmocka_unit_test(elastic_joints_under_gravity),
        cmocka_unit_test(shaken_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
