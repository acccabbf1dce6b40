// Live runs: turning a parameter keeps the running state, a refused value changes nothing.
#include "view_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "step: 1e-3\n"
                           "stop: 2\n"
                           "bodies:\n"
                           "  block: {kind: point, mass: 1}\n"
                           "elements:\n"
                           "  push: {kind: force, on: block, value: \"3*sin(5*t)\"}\n"
                           "  friction: {kind: friction, on: block, model: finite-time, level: 1}\n"
                           "record: [block.x, energy.dissipated]\n";

static StiScene *load(void)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "live.yaml", NULL, messages);
    assert_int_equal(sti_messages_error_count(messages), 0);
    sti_messages_destroy(messages);
    return scene;
}

static void step(LiveRun *run, int count)
{
    for (int i = 0; i < count; ++i) live_run_step(run);
}

static uint64_t hash(const LiveRun *run) { return sti_state_hash(run->system->session->state); }

static double dissipated(const LiveRun *run) // of the last row
{
    return run->fresh.values[(run->fresh.count - 1) * run->fresh.columns + 2];
}

static void same_value_gives_same_bits(void **unused)
{
    (void)unused;
    StiScene *plain_scene = load(), *turned_scene = load();
    LiveRun plain, turned;
    char why[LIVE_TEXT];
    assert_true(live_run_begin(&plain, plain_scene, false));
    assert_true(live_run_begin(&turned, turned_scene, false));
    step(&plain, 1000);
    for (int i = 0; i < 10; ++i) {
        step(&turned, 100);
        assert_true(live_run_set(&turned, "friction.level", 1.0, why, sizeof why));
    }
    assert_true(hash(&plain) == hash(&turned));
    step(&plain, 1);
    step(&turned, 1);
    assert_true(hash(&plain) == hash(&turned));
    assert_true(dissipated(&plain) > 0.1); // and the sum of it goes on
    assert_float_equal(dissipated(&plain), dissipated(&turned), 1e-12);
    live_run_release(&plain);
    live_run_release(&turned);
    sti_scene_destroy(plain_scene);
    sti_scene_destroy(turned_scene);
}

static void other_value_changes_the_next_step(void **unused)
{
    (void)unused;
    StiScene *scene = load();
    LiveRun run;
    char why[LIVE_TEXT];
    assert_true(live_run_begin(&run, scene, false));
    step(&run, 300);
    const uint64_t before = hash(&run);
    assert_false(live_run_set(&run, "friction.level", -1.0, why, sizeof why));
    assert_non_null(strstr(why, "friction.level"));
    assert_false(live_run_set(&run, "friction.lvl", 1.0, why, sizeof why));
    assert_false(live_run_set(&run, "step", 1e-4, why, sizeof why));
    assert_true(live_run_set(&run, "friction.level", 100.0, why, sizeof why));
    assert_true(hash(&run) == before);
    step(&run, 100);
    assert_int_equal(sti_state_k(run.system->session->state), 400);
    const int number = sti_network_channel_find(run.system->network, "friction.stick");
    assert_true(sti_recorder_value(run.system->session->recorder, number) == 1.0);
    live_run_release(&run);
    sti_scene_destroy(scene);
}

static void ends_and_starts_again(void **unused)
{
    (void)unused;
    StiScene *scene = load();
    LiveRun run;
    char why[LIVE_TEXT];
    assert_true(live_run_begin(&run, scene, false));
    const uint64_t start = hash(&run);
    live_run_pause(&run, true);
    step(&run, 10);
    assert_true(hash(&run) == start);
    live_run_pause(&run, false);
    step(&run, 5000);
    assert_int_equal(run.phase, LIVE_ENDED);
    assert_int_equal(sti_state_k(run.system->session->state), 2000);
    live_run_frame(&run);
    assert_true(run.fresh.count <= 600 && run.history.count == run.fresh.count);
    assert_true(live_run_restart(&run, why, sizeof why));
    assert_true(hash(&run) == start && run.fresh.count == 1 && run.history.count == 0);
    live_run_release(&run);
    sti_scene_destroy(scene);
}

static void forever_has_no_end(void **unused)
{
    (void)unused;
    StiScene *scene = load();
    LiveRun run;
    assert_true(live_run_begin(&run, scene, true));
    step(&run, 3000);
    assert_int_equal(run.phase, LIVE_RUNNING);
    assert_int_equal(sti_state_k(run.system->session->state), 3000);
    assert_true(run.system->pictures.count <= 60);
    live_run_release(&run);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_value_gives_same_bits),
        cmocka_unit_test(other_value_changes_the_next_step),
        cmocka_unit_test(ends_and_starts_again),
        cmocka_unit_test(forever_has_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
