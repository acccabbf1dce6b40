// A scene that runs, with its recorder. Include after cmocka.h.
#ifndef STICTION_TESTS_SUPPORT_LIVE_SCENE_H
#define STICTION_TESTS_SUPPORT_LIVE_SCENE_H

#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"

typedef struct LiveScene {
    StiScene *scene;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
} LiveScene;

// Takes the scene.
static inline LiveScene live_scene_open(StiScene *scene)
{
    assert_non_null(scene);
    const LiveScene live = {.scene = scene,
                            .state = sti_state_create(scene->network),
                            .scratch = sti_scratch_create(scene->network),
                            .recorder = sti_recorder_create(scene->network)};
    assert_int_equal(sti_recorder_begin(live.recorder, live.state, NULL, live.scratch), STI_OK);
    return live;
}

static inline void live_scene_close(LiveScene *live)
{
    sti_recorder_destroy(live->recorder);
    sti_scratch_destroy(live->scratch);
    sti_state_destroy(live->state);
    sti_scene_destroy(live->scene);
}

// So many steps; the recorder follows the last.
static inline void live_scene_go(LiveScene *live, int64_t steps)
{
    assert_int_equal(sti_run(live->scene->network, NULL, live->state, live->scratch, steps),
                     STI_OK);
    assert_int_equal(sti_recorder_follow(live->recorder, live->state, live->scratch), STI_OK);
}

static inline double live_scene_value(const LiveScene *live, const char *channel)
{
    const int number = sti_network_channel_find(live->scene->network, channel);
    assert_true(number >= 0);
    return sti_recorder_value(live->recorder, number);
}

#endif
