// Steps of whole scenes do not allocate: those of the repository under the methods that they get, cut
// with its events, contacts, linkages and robots among them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stiction/scene.h"
#include "stiction/stiction.h"
#include "support/allocations.h"

enum { STEPS = 300 };

// What took part.
static int cut, events, contacts, linkages, robots, runs;

static void see(const StiNetwork *network)
{
    StiComponent component;
    cut += sti_network_method(network)->cuts;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        contacts += component.role == STI_CONTACT;
        linkages += strcmp(component.kind, "linkage") == 0;
        robots += strcmp(component.kind, "robot") == 0;
    }
    ++runs;
}

static void step_without_allocations(const char *path, const StiNetwork *network)
{
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    StiRecorder *recorder = sti_recorder_create(network);
    assert_int_equal(sti_recorder_begin(recorder, state, NULL, scratch), STI_OK);
    int channel = 0;
    double out[STEPS];
    StiRollout rollout = {
        .rows = 1, .channels = &channel, .channel_count = 1, .out = out, .recorder = recorder};
    int64_t done;
    const long before = calls;
    for (int k = 0; k < STEPS; ++k) {
        if (sti_rollout(network, &rollout, state, scratch, &done) != STI_OK)
            break; // scenes that end so
        events += sti_scratch_figures(scratch).events;
    }
    if (calls != before) print_error("%s: %ld allocations\n", path, calls - before);
    assert_true(calls == before);
    see(network);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
}

static void scenes_allocate_nothing(void **unused)
{
    (void)unused;
    static const char *const scenes[] = {
        "scenes/floating-base",
        "scenes/four-bar",
        "scenes/six-axis-arm",
        "scenes/slider-crank",
        "scenes/toggle-press",
        "scenes/two-link-arm",
        "scenes/wedge",
        "papers/order/contact-arm",
        "papers/order/contact-bounce",
        "papers/order/contact-rolling",
        "papers/order/contact-lift",
        "papers/order/contact-box",
        "papers/order/spring-pull",
        "papers/order/reversals",
        "papers/modular/rolling-sphere",
    };
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        StiMessages *messages = sti_messages_create();
        char path[600];
        snprintf(path, sizeof path, SOURCE_DIR "/%s/scene.yaml", scenes[i]);
        StiScene *scene = sti_scene_load(path, NULL, messages);
        if (scene == NULL) print_error("%s cannot be read\n", scenes[i]);
        assert_non_null(scene);
        if (scene->adaptive == NULL) step_without_allocations(scenes[i], scene->network);
        sti_scene_destroy(scene);
        sti_messages_destroy(messages);
    }
    assert_true(runs > 5 && cut > 0 && events > 0 && contacts > 0 && linkages > 0 && robots > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
