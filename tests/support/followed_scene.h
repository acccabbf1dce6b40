// A scene followed row by row, by its adaptive method or its steps. Include after cmocka.h.
#ifndef STICTION_TESTS_SUPPORT_FOLLOWED_SCENE_H
#define STICTION_TESTS_SUPPORT_FOLLOWED_SCENE_H

#include "stiction/adaptive.h"
#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"

typedef struct FollowedScene {
    StiScene *scene;
    StiAdaptive *adaptive; // NULL: steps
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
} FollowedScene;

// Takes the scene and the messages.
static inline void followed_open(FollowedScene *run, StiScene *scene, StiMessages *messages)
{
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        print_error("%s\n", sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    *run = (FollowedScene){.scene = scene,
                           .state = sti_state_create(scene->network),
                           .scratch = sti_scratch_create(scene->network),
                           .recorder = sti_recorder_create(scene->network)};
    if (scene->adaptive != NULL) {
        run->adaptive = sti_adaptive_create(scene->network, scene->adaptive, NULL);
        assert_non_null(run->adaptive);
    }
    assert_int_equal(sti_recorder_begin(run->recorder, run->state, NULL, run->scratch), STI_OK);
}

static inline void followed_close(FollowedScene *run)
{
    sti_adaptive_destroy(run->adaptive);
    sti_recorder_destroy(run->recorder);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_scene_destroy(run->scene);
}

static inline void followed_step(FollowedScene *run)
{
    const StiStatus status = run->adaptive != NULL
                                 ? sti_adaptive_step(run->adaptive, NULL, run->state, run->scratch)
                                 : sti_run(run->scene->network, NULL, run->state, run->scratch, 1);
    assert_int_equal(status, STI_OK);
    sti_recorder_follow(run->recorder, run->state, run->scratch);
}

static inline double followed_value(const FollowedScene *run, const char *channel)
{
    const int number = sti_network_channel_find(run->scene->network, channel);
    assert_true(number >= 0);
    return sti_recorder_value(run->recorder, number);
}

#endif
