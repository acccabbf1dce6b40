// Linkages over long times: constraints do not drift, what is jammed stays, friction never drives, and
// the energy account closes with the order of the method.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/near.h"
#include "support/short.h"

typedef struct Run {
    StiScene *scene;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
} Run;

static Run open_run(const char *name, const char *const *sets, int count)
{
    char path[512];
    Run run;
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.sets = sets, .set_count = count};
    snprintf(path, sizeof path, "%s/%s/scene.yaml", SOURCE_DIR, name);
    run.scene = sti_scene_load(path, &options, messages);
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (run.scene == NULL) print_error("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(run.scene);
    run.state = sti_state_create(run.scene->network);
    run.scratch = sti_scratch_create(run.scene->network);
    run.recorder = sti_recorder_create(run.scene->network);
    assert_int_equal(sti_recorder_begin(run.recorder, run.state, NULL, run.scratch), STI_OK);
    return run;
}

static void close_run(Run *run)
{
    sti_recorder_destroy(run->recorder);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_scene_destroy(run->scene);
}

static double value(Run *run, const char *channel)
{
    const int number = sti_network_channel_find(run->scene->network, channel);
    assert_true(number >= 0);
    return sti_recorder_value(run->recorder, number);
}

static void go(Run *run, int64_t steps)
{
    assert_int_equal(sti_run(run->scene->network, NULL, run->state, run->scratch, steps), STI_OK);
    sti_recorder_follow(run->recorder, run->state, run->scratch);
}

// Gap of the pins of the four-bar, from the recorded positions alone.
static double gap(Run *run)
{
    const double x1 = value(run, "crank.x"), y1 = value(run, "crank.y"), t1 = value(run, "crank.angle");
    const double x2 = value(run, "coupler.x"), y2 = value(run, "coupler.y"), t2 = value(run, "coupler.angle");
    const double x3 = value(run, "rocker.x"), y3 = value(run, "rocker.y"), t3 = value(run, "rocker.angle");
    const double gaps[8] = {x1 - 0.05 * cos(t1),
                            y1 - 0.05 * sin(t1),
                            x2 - 0.2 * cos(t2) - x1 - 0.05 * cos(t1),
                            y2 - 0.2 * sin(t2) - y1 - 0.05 * sin(t1),
                            x3 + 0.125 * cos(t3) - x2 - 0.2 * cos(t2),
                            y3 + 0.125 * sin(t3) - y2 - 0.2 * sin(t2),
                            x3 - 0.125 * cos(t3) - 0.4,
                            y3 - 0.125 * sin(t3)};
    double most = 0.0;
    for (int i = 0; i < 8; ++i) most = fmax(most, fabs(gaps[i]));
    return most;
}

static void a_four_bar_turns_without_drift(void **state)
{
    (void)state;
    static const char *const sets[] = {"friction.model=dahl", "friction.stiffness=1000", "friction.stiff=true",
                                       "step=1e-2"};
    const int turns = (int)steps_or(1000, 20);
    Run run = open_run("scenes/four-bar", sets, 4);
    for (int turn = 0; turn < turns; ++turn) {
        go(&run, 200); // 2 s: one turn
        assert_near(gap(&run), 0.0, 1e-10);
    }
    assert_near(value(&run, "a.q"), 1.57079632679489662 + 6.28318530717958648 * turns, 1e-9);
    close_run(&run);
}

static void a_jammed_wedge_stays(void **state)
{
    (void)state;
    Run run = open_run("scenes/wedge", NULL, 0);
    const int64_t steps = steps_or(100000, 10000); // a million in the extended tier
    go(&run, steps);
    assert_true(value(&run, "wedge.x") == 0.0);
    assert_true(value(&run, "follower.y") == 0.1);
    assert_true(value(&run, "base.friction.stick") == 1.0);
    close_run(&run);
}

static void friction_never_drives(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    Run run = open_run("scenes/four-bar", NULL, 0);
    for (int i = 0; i < 200; ++i) {
        go(&run, 10);
        for (int k = 0; k < 4; ++k) {
            char channel[64];
            snprintf(channel, sizeof channel, "%s.friction.force", names[k]);
            const double f = value(&run, channel);
            snprintf(channel, sizeof channel, "%s.friction.v", names[k]);
            assert_true(f * value(&run, channel) >= -1e-12);
            snprintf(channel, sizeof channel, "%s.load", names[k]);
            assert_true(fabs(f) <= 0.1 * value(&run, channel) * (1.0 + 1e-9));
        }
    }
    close_run(&run);
}

// What the method itself gains or loses shrinks with its order: 16 times for half the step of RK4.
static void the_account_closes_with_the_order(void **state)
{
    (void)state;
    double numerical[2];
    for (int i = 0; i < 2; ++i) {
        const char *const sets[] = {"friction.model=lugre", "friction.stiffness=1", "friction.damping=0",
                                    "friction.stiff=false", i == 0 ? "step=2e-2" : "step=1e-2"};
        Run run = open_run("scenes/four-bar", sets, 5);
        for (int k = 0; k < (i == 0 ? 60 : 120); ++k) go(&run, 1);
        numerical[i] = fabs(sti_recorder_energy(run.recorder).numerical);
        close_run(&run);
    }
    assert_true(numerical[1] < 0.1 * numerical[0]);
}

// Baumgarte's correction is no load and no work of a driver: what it does is numerical, and shrinks with the
// square of the step (twice the order of the rule, whose drift it takes back).
static void baumgarte_closes_the_account(void **state)
{
    (void)state;
    double numerical[2], work[2];
    for (int i = 0; i < 2; ++i) {
        const char *const sets[] = {"mechanism.drift=baumgarte", i == 0 ? "step=4e-3" : "step=2e-3"};
        Run run = open_run("scenes/four-bar", sets, 2);
        for (int k = 0; k < (i == 0 ? 500 : 1000); ++k) go(&run, 1);
        const StiEnergy energy = sti_recorder_energy(run.recorder);
        numerical[i] = fabs(energy.numerical);
        work[i] = energy.work;
        assert_near(energy.residual, 0.0, 1e-11);
        assert_true(gap(&run) < 1e-3);
        close_run(&run);
    }
    assert_true(numerical[0] < 1e-4 * work[0]);
    assert_true(numerical[1] < 0.3 * numerical[0]);
    assert_near(work[1], work[0], 1e-4 * work[0]);
}

// The power that joints take is what their friction elements dissipate.
static void losses_are_what_friction_takes(void **state)
{
    (void)state;
    static const char *const losses[] = {"a.loss", "b.loss", "c.loss", "d.loss"};
    Run run = open_run("scenes/four-bar", NULL, 0);
    double lost = 0.0, supplied = 0.0;
    for (int k = 0; k < 2000; ++k) { // one turn
        double sum = 0.0;
        go(&run, 1);
        for (int i = 0; i < 4; ++i) sum += value(&run, losses[i]);
        assert_near(value(&run, "mechanism.loss"), sum, 1e-12);
        lost += 1e-3 * sum;
        supplied += 1e-3 * value(&run, "motor.power");
    }
    const double work = sti_recorder_energy(run.recorder).work;
    const double friction = sti_recorder_energy(run.recorder).dissipated - value(&run, "work.dissipated");
    assert_near(lost, friction, 2e-3 * friction);
    assert_near(supplied, work, 2e-3 * work);
    close_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_turns_without_drift),
        cmocka_unit_test(a_jammed_wedge_stays),
        cmocka_unit_test(friction_never_drives),
        cmocka_unit_test(the_account_closes_with_the_order),
        cmocka_unit_test(baumgarte_closes_the_account),
        cmocka_unit_test(losses_are_what_friction_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
