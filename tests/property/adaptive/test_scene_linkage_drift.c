// Linkages under methods that cut and under error control: constraints do not drift, a driver moves what
// friction cannot hold, and joints that share one freedom come to rest together.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/near.h"
#include "support/scenes/pushed_four_bar.h"
#include "support/short.h"

// The largest gap of the four pins, from the recorded positions alone.
static double gap(const FollowedScene *run)
{
    const char *const bodies[3] = {"crank", "coupler", "rocker"};
    const double half[3] = {0.05, 0.2, 0.125};
    double ends[3][2][2], most = 0.0;
    for (int i = 0; i < 3; ++i) {
        char name[32];
        double p[3];
        static const char *const parts[3] = {"x", "y", "angle"};
        for (int k = 0; k < 3; ++k) {
            snprintf(name, sizeof name, "%s.%s", bodies[i], parts[k]);
            p[k] = followed_value(run, name);
        }
        for (int e = 0; e < 2; ++e) {
            ends[i][e][0] = p[0] + (e == 0 ? -half[i] : half[i]) * cos(p[2]);
            ends[i][e][1] = p[1] + (e == 0 ? -half[i] : half[i]) * sin(p[2]);
        }
    }
    const double pins[4][2] = {{ends[0][0][0], ends[0][0][1]},
                               {ends[1][0][0] - ends[0][1][0], ends[1][0][1] - ends[0][1][1]},
                               {ends[2][1][0] - ends[1][1][0], ends[2][1][1] - ends[1][1][1]},
                               {ends[2][0][0] - 0.4, ends[2][0][1]}};
    for (int i = 0; i < 4; ++i) most = fmax(most, hypot(pins[i][0], pins[i][1]));
    return most;
}

static void turn_the_four_bar(const char *method, const char *const *more, int count, int turns)
{
    const char *sets[8] = {method, "step=2e-2"};
    char path[512];
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    for (int i = 0; i < count; ++i) sets[2 + i] = more[i];
    const StiSceneOptions options = {.sets = sets, .set_count = 2 + count};
    snprintf(path, sizeof path, "%s/scenes/four-bar/scene.yaml", SOURCE_DIR);
    followed_open(&run, sti_scene_load(path, &options, messages), messages);
    double most = 0.0;
    for (int k = 0; k < 100 * turns; ++k) { // 2 s: one turn
        followed_step(&run);
        most = fmax(most, gap(&run));
    }
    assert_near(most, 0.0, 1e-10);
    assert_near(followed_value(&run, "a.q"), 1.57079632679489662 + 6.28318530717958648 * turns,
                1e-9);
    followed_close(&run);
}

static const char *const bristles[] = {"friction.model=dahl", "friction.stiffness=1000",
                                       "friction.stiff=true"};

static void a_hundred_turns_without_drift(void **state)
{
    (void)state;
    const int turns = (int)steps_or(100, 1);
    turn_the_four_bar("method=cut", bristles, 3, turns);
    turn_the_four_bar("method={adaptive: dormand-prince}", bristles, 3, turns);
    turn_the_four_bar("method={adaptive: bdf}", bristles, 3, turns);
}

// The rocker and the coupler turn round twice in each turn: friction changes sides there and does not stick.
static void a_driver_moves_what_rubs(void **state)
{
    (void)state;
    turn_the_four_bar("method=cut", NULL, 0, (int)steps_or(20, 1));
    turn_the_four_bar("method={adaptive: dormand-prince}", NULL, 0, (int)steps_or(10, 1));
    turn_the_four_bar("method={adaptive: ode23, rtol: 1e-5, atol: 1e-7}", NULL, 0, 1);
    turn_the_four_bar("method={adaptive: bdf}", NULL, 0, (int)steps_or(10, 1));
    turn_the_four_bar("method={adaptive: adams}", NULL, 0, (int)steps_or(10, 1));
}

// Until t = 3.4 (in short: 1): the rocker passes its dead centre, all stop and all go again.
static double follow_the_pushed(const char *step, int steps, double *numerical)
{
    const char *const sets[2] = {step, "method=cut"};
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.sets = sets, .set_count = 2};
    followed_open(&run,
                  sti_scene_read(pushed_four_bar, strlen(pushed_four_bar), "pushed.yaml", &options,
                                 messages),
                  messages);
    for (int k = 0; k < steps; ++k) {
        followed_step(&run);
        assert_near(gap(&run), 0.0, 1e-10);
    }
    const double angle = followed_value(&run, "a.q");
    *numerical = fabs(sti_recorder_energy(run.recorder).numerical);
    assert_near(sti_recorder_energy(run.recorder).residual, 0.0, 1e-12);
    followed_close(&run);
    return angle;
}

// The energy account closes with the order of the pieces: 16 times for half the step.
static void joints_of_one_freedom_stop_together(void **state)
{
    (void)state;
    double numerical[2];
    const int steps = (int)steps_or(340, 100);
    const double angle = follow_the_pushed("step=1e-2", steps, &numerical[0]);
    assert_near(follow_the_pushed("step=5e-3", 2 * steps, &numerical[1]), angle, 1e-3);
    assert_true(numerical[1] < 0.1 * numerical[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_turns_without_drift),
        cmocka_unit_test(a_driver_moves_what_rubs),
        cmocka_unit_test(joints_of_one_freedom_stop_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
