// Live runs: turning a parameter keeps the running state, a refused value changes nothing.
#include "view/view_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "command/load.h"

static const char file[] = "view_run.yaml";
static const char text[] =
    "step: 1e-3\n"
    "stop: 2\n"
    "parameters: {amplitude: 3, level: \"amplitude/3\"}\n"
    "bodies:\n"
    "  block: {kind: point, mass: 1}\n"
    "elements:\n"
    "  push: {kind: force, on: block, value: \"amplitude*sin(5*t)\"}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: level}\n"
    "record: [block.x, energy.dissipated]\n";

static int write_scene(void **unused)
{
    (void)unused;
    FILE *scene = fopen(file, "w");
    if (scene == NULL) return -1;
    fputs(text, scene);
    return fclose(scene);
}

static int remove_scene(void **unused)
{
    (void)unused;
    return remove(file);
}

static void begin(LiveRun *run, bool forever)
{
    const StiSceneOptions options = {0};
    const LiveScene scene = {.now = load_quietly(file, &options), .path = file};
    assert_non_null(scene.now);
    assert_true(live_run_begin(run, &scene, forever));
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
    LiveRun plain, turned;
    char why[LIVE_TEXT];
    begin(&plain, false);
    begin(&turned, false);
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
}

static void other_value_changes_the_next_step(void **unused)
{
    (void)unused;
    LiveRun run;
    char why[LIVE_TEXT];
    begin(&run, false);
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
}

static void ends_and_starts_again(void **unused)
{
    (void)unused;
    LiveRun run;
    char why[LIVE_TEXT];
    begin(&run, false);
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
}

static double value(const LiveRun *run, const char *path)
{
    double value = NAN;
    assert_true(live_scene_get(&run->scene, path, &value));
    return value;
}

// The scene is read anew: expressions follow, numbers that were turned stay, and so does the running state.
static void names_of_the_scene_are_turned(void **unused)
{
    (void)unused;
    LiveRun run, turned;
    StiParameter first;
    char why[LIVE_TEXT];
    begin(&run, false);
    begin(&turned, false);
    assert_true(live_scene_parameter(&run.scene, 0, &first));
    assert_string_equal(first.path, "parameters.amplitude");
    assert_true(first.value == 3.0);
    step(&run, 300);
    step(&turned, 300);
    assert_true(live_run_set(&turned, "parameters.amplitude", 3.0, why, sizeof why));
    step(&run, 300);
    step(&turned, 300);
    assert_true(hash(&run) == hash(&turned));
    assert_true(live_run_set(&turned, "block.mass", 2.0, why, sizeof why));
    const uint64_t before = hash(&turned);
    assert_true(live_run_set(&turned, "parameters.amplitude", 6.0, why, sizeof why));
    assert_true(hash(&turned) == before);
    assert_true(value(&turned, "friction.level") == 2.0 && value(&turned, "block.mass") == 2.0);
    assert_true(value(&turned, "parameters.level") == 2.0);
    assert_false(live_run_set(&turned, "parameters.amplitude", -6.0, why, sizeof why));
    assert_non_null(strstr(why, "friction"));
    assert_false(live_run_set(&turned, "parameters.amplitud", 1.0, why, sizeof why));
    assert_true(value(&turned, "parameters.amplitude") == 6.0 && hash(&turned) == before);
    step(&turned, 1);
    live_run_release(&run);
    live_run_release(&turned);
}

static void forever_has_no_end(void **unused)
{
    (void)unused;
    LiveRun run;
    begin(&run, true);
    step(&run, 3000);
    assert_int_equal(run.phase, LIVE_RUNNING);
    assert_int_equal(sti_state_k(run.system->session->state), 3000);
    assert_true(run.system->pictures.count <= 60);
    live_run_release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_value_gives_same_bits),
        cmocka_unit_test(other_value_changes_the_next_step),
        cmocka_unit_test(ends_and_starts_again),
        cmocka_unit_test(names_of_the_scene_are_turned),
        cmocka_unit_test(forever_has_no_end),
    };
    return cmocka_run_group_tests(tests, write_scene, remove_scene);
}
