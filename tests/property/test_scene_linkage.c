// Linkages over long times: constraints do not drift, what is jammed stays, friction never drives, and
// the energy account closes with the order of the method.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/short.h"

static LiveScene open_run(const char *name, const char *const *sets, int count)
{
    char path[512];
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.sets = sets, .set_count = count};
    snprintf(path, sizeof path, "%s/%s/scene.yaml", SOURCE_DIR, name);
    StiScene *scene = sti_scene_load(path, &options, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    return live_scene_open(scene);
}

// Gap of the pins of the four-bar, from the recorded positions alone.
static double gap(LiveScene *run)
{
    const double x1 = live_scene_value(run, "crank.x"), y1 = live_scene_value(run, "crank.y"),
                 t1 = live_scene_value(run, "crank.angle");
    const double x2 = live_scene_value(run, "coupler.x"), y2 = live_scene_value(run, "coupler.y"),
                 t2 = live_scene_value(run, "coupler.angle");
    const double x3 = live_scene_value(run, "rocker.x"), y3 = live_scene_value(run, "rocker.y"),
                 t3 = live_scene_value(run, "rocker.angle");
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
    static const char *const sets[] = {"friction.model=dahl", "friction.stiffness=1000",
                                       "friction.stiff=true", "step=1e-2"};
    const int turns = (int)steps_or(1000, 20);
    LiveScene run = open_run("scenes/four-bar", sets, 4);
    for (int turn = 0; turn < turns; ++turn) {
        live_scene_go(&run, 200); // 2 s: one turn
        assert_near(gap(&run), 0.0, 1e-10);
    }
    assert_near(live_scene_value(&run, "a.q"), 1.57079632679489662 + 6.28318530717958648 * turns,
                1e-9);
    live_scene_close(&run);
}

static void a_jammed_wedge_stays(void **state)
{
    (void)state;
    LiveScene run = open_run("scenes/wedge", NULL, 0);
    const int64_t steps = steps_or(100000, 10000); // a million in the extended tier
    live_scene_go(&run, steps);
    assert_true(live_scene_value(&run, "wedge.x") == 0.0);
    assert_true(live_scene_value(&run, "follower.y") == 0.1);
    assert_true(live_scene_value(&run, "base.friction.stick") == 1.0);
    live_scene_close(&run);
}

static void friction_never_drives(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    LiveScene run = open_run("scenes/four-bar", NULL, 0);
    for (int i = 0; i < 200; ++i) {
        live_scene_go(&run, 10);
        for (int k = 0; k < 4; ++k) {
            char channel[64];
            snprintf(channel, sizeof channel, "%s.friction.force", names[k]);
            const double f = live_scene_value(&run, channel);
            snprintf(channel, sizeof channel, "%s.friction.v", names[k]);
            assert_true(f * live_scene_value(&run, channel) >= -1e-12);
            snprintf(channel, sizeof channel, "%s.load", names[k]);
            assert_true(fabs(f) <= 0.1 * live_scene_value(&run, channel) * (1.0 + 1e-9));
        }
    }
    live_scene_close(&run);
}

// What the method itself gains or loses shrinks with its order: 16 times for half the step of RK4.
static void the_account_closes_with_the_order(void **state)
{
    (void)state;
    double numerical[2];
    for (int i = 0; i < 2; ++i) {
        const char *const sets[] = {"friction.model=lugre", "friction.stiffness=1",
                                    "friction.damping=0", "friction.stiff=false",
                                    i == 0 ? "step=2e-2" : "step=1e-2"};
        LiveScene run = open_run("scenes/four-bar", sets, 5);
        for (int k = 0; k < (i == 0 ? 60 : 120); ++k) live_scene_go(&run, 1);
        numerical[i] = fabs(sti_recorder_energy(run.recorder).numerical);
        live_scene_close(&run);
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
        const char *const sets[] = {"mechanism.drift=baumgarte",
                                    i == 0 ? "step=4e-3" : "step=2e-3"};
        LiveScene run = open_run("scenes/four-bar", sets, 2);
        for (int k = 0; k < (i == 0 ? 500 : 1000); ++k) live_scene_go(&run, 1);
        const StiEnergy energy = sti_recorder_energy(run.recorder);
        numerical[i] = fabs(energy.numerical);
        work[i] = energy.work;
        assert_near(energy.residual, 0.0, 1e-11);
        assert_true(gap(&run) < 1e-3);
        live_scene_close(&run);
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
    LiveScene run = open_run("scenes/four-bar", NULL, 0);
    double lost = 0.0, supplied = 0.0;
    for (int k = 0; k < 2000; ++k) { // one turn
        double sum = 0.0;
        live_scene_go(&run, 1);
        for (int i = 0; i < 4; ++i) sum += live_scene_value(&run, losses[i]);
        assert_near(live_scene_value(&run, "mechanism.loss"), sum, 1e-12);
        lost += 1e-3 * sum;
        supplied += 1e-3 * live_scene_value(&run, "motor.power");
    }
    const double work = sti_recorder_energy(run.recorder).work;
    const double friction =
        sti_recorder_energy(run.recorder).dissipated - live_scene_value(&run, "work.dissipated");
    assert_near(lost, friction, 2e-3 * friction);
    assert_near(supplied, work, 2e-3 * work);
    live_scene_close(&run);
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
