// FMUs as controllers, below the program: a loop with friction closed through an FMU against the same loop closed by hand with
// the same delay; damaged archives and packed data, which give errors and nothing worse.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stiction/record.h>

#include "foreign/inflate.h"
#include "import/import.h"
#include "making.h"
#include "support/random.h"

static const char controller[] =
    "step: 1e-3\nstop: 10\n"
    "inputs: {q: {value: 0}, v: {value: 0}, r: {value: 0}}\n"
    "parameters: {kp: %.17g, kd: %.17g}\n"
    "bodies: {dummy: {kind: point, mass: 1}}\n"
    "elements: {pd: {kind: force, on: dummy, value: 'kd*v - kp*(r - q)'}}\n"
    "record: [pd.force]\n";
static const char plant[] =
    "step: 1e-3\nstop: 1\n"
    "inputs: {tau: {value: 0}}\n"
    "bodies: {block: {kind: point, mass: 1}}\n"
    "elements:\n"
    "  control: {kind: fmu, file: pd.fmu, period: %.17g, inputs: {q: block.x, v: block.v, r: t}, "
    "outputs: {tau: pd.force}}\n"
    "  push: {kind: force, on: block, value: %s}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 2}\n"
    "record: [block.x, block.v, friction.force]\n";

static StiScene *plant_with(double period, const char *drive, StiMessages *messages)
{
    char text[1000];
    snprintf(text, sizeof text, plant, period, drive);
    return sti_scene_read(text, strlen(text), "plant.yaml", &(StiSceneOptions){.fmus = true},
                          messages);
}

typedef struct Run {
    StiScene *scene;
    StiState *state;
    StiScratch *scratch;
    double *inputs;
    int drive;
} Run;

static Run run_of(double period, const char *drive)
{
    StiMessages *messages = sti_messages_create();
    Run run = {.scene = plant_with(period, drive, messages)};
    if (run.scene == NULL) print_message("%s\n", sti_messages_at(messages, 0)->text);
    assert_non_null(run.scene);
    sti_messages_destroy(messages);
    run.state = sti_state_create(run.scene->network);
    run.scratch = sti_scratch_create(run.scene->network);
    run.inputs = calloc((size_t)sti_network_input_count(run.scene->network), sizeof *run.inputs);
    run.drive = sti_network_input(run.scene->network, drive);
    return run;
}

static void run_end(Run *run)
{
    free(run->inputs);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_scene_destroy(run->scene);
}

static double channel(const Run *run, const char *name)
{
    return *sti_state_edit_channel(run->state, run->scene->network,
                                   sti_network_channel_find(run->scene->network, name));
}

static void good(const ForeignFmu *foreign, bool so)
{
    if (!so) fail_msg("%s", foreign_fmu_error(foreign));
}

static void compare(int version, int every, double kp, double kd)
{
    char text[1000];
    snprintf(text, sizeof text, controller, kp, kd);
    StiScene *scene = scene_of_text(text);
    make_fmu(scene, "pd.fmu", version);
    sti_scene_destroy(scene);
    Run run = run_of(every * 1e-3, "control.tau"), other = run_of(every * 1e-3, "tau");
    ForeignFmu *foreign = foreign_fmu_create(&run.scene->fmus[0]);
    assert_null(foreign_fmu_error(foreign));
    double held = 0.0, next = 0.0, output;
    for (int k = 0; k < 1000; ++k) {
        const double t = k * 1e-3,
                     seen[3] = {channel(&run, "block.x"), channel(&run, "block.v"), t};
        if (k == 0) good(foreign, foreign_fmu_begin(foreign, 0.0, seen));
        if (k > 0 && k % every == 0) {
            good(foreign, foreign_fmu_step(foreign, (k - every) * 1e-3, every * 1e-3));
            good(foreign, foreign_fmu_outputs(foreign, &output));
            good(foreign, foreign_fmu_set_inputs(foreign, seen));
            run.inputs[run.drive] = output;
        }
        if (k % every == 0) {
            held = next;
            next = kp * (t - channel(&other, "block.x")) - kd * channel(&other, "block.v");
        }
        other.inputs[other.drive] = held;
        assert_int_equal(sti_step(run.scene->network, run.inputs, run.state, run.scratch), STI_OK);
        assert_int_equal(sti_step(other.scene->network, other.inputs, other.state, other.scratch),
                         STI_OK);
        assert_float_equal(channel(&run, "block.x"), channel(&other, "block.x"), 1e-12);
        assert_float_equal(channel(&run, "block.v"), channel(&other, "block.v"), 1e-11);
    }
    assert_true(channel(&run, "block.x") > 0.05); // it moved
    foreign_fmu_destroy(foreign);
    run_end(&run);
    run_end(&other);
}

static void loops_with_friction(void **state)
{
    (void)state;
    Random random = {24};
    for (int trial = 0; trial < 8; ++trial)
        compare(2 + trial % 2, 1 + random_below(&random, 9), random_between(&random, 20.0, 200.0),
                random_between(&random, 0.0, 20.0));
}

static void damaged_archives(void **state)
{
    (void)state;
    enum { TRIALS = 150 };
    char text[1000];
    snprintf(text, sizeof text, controller, 1.0, 1.0);
    StiScene *scene = scene_of_text(text);
    make_fmu(scene, "good.fmu", 3);
    sti_scene_destroy(scene);
    FILE *file = fopen("good.fmu", "rb");
    assert_non_null(file);
    char *bytes = malloc(4000000);
    const size_t length = fread(bytes, 1, 4000000, file);
    fclose(file);
    Random random = {4};
    int refused = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        const int back = random_below(&random, 1200), front = random_below(&random, 4000);
        char *place = trial % 2 == 0 ? bytes + length - 1 - back : bytes + front, kept = *place;
        *place = (char)(kept ^ (1 << random_below(&random, 8)));
        file = fopen("pd.fmu", "wb");
        assert_int_equal(fwrite(bytes, 1, length, file), length);
        fclose(file);
        *place = kept;
        StiMessages *messages = sti_messages_create();
        scene = plant_with(1e-3, "control.tau", messages);
        assert_true((scene == NULL) == (sti_messages_error_count(messages) > 0));
        refused += scene == NULL;
        sti_scene_destroy(scene);
        sti_messages_destroy(messages);
    }
    assert_true(refused > TRIALS / 10);
    free(bytes);
}

static void packed_noise(void **state)
{
    (void)state;
    Random random = {5};
    unsigned char packed[64], out[300];
    for (int trial = 0; trial < 50000; ++trial) {
        const size_t length = (size_t)random_below(&random, (int)sizeof packed);
        for (size_t i = 0; i < length; ++i) packed[i] = (unsigned char)random_below(&random, 256);
        foreign_inflate(packed, length, out, sizeof out);
    }
    // "aaaaaaaaaa" with fixed codes: two literals, and a copy of eight from one back.
    static const unsigned char ten[] = {0x4b, 0x4c, 0x84, 0x01, 0x00};
    assert_true(foreign_inflate(ten, sizeof ten, out, 10));
    assert_memory_equal(out, "aaaaaaaaaa", 10);
    assert_false(foreign_inflate(ten, sizeof ten, out, 9));
    assert_false(foreign_inflate(ten, sizeof ten, out, 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_with_friction),
                                       cmocka_unit_test(damaged_archives),
                                       cmocka_unit_test(packed_noise)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
