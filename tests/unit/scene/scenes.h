// Scenes from text, and what becomes of them. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENE_SCENES_H
#define STICTION_TESTS_SCENE_SCENES_H

#include <stdio.h>
#include <string.h>

#include "stiction/record.h"
#include "stiction/scene.h"
#include "support/near.h"

static inline void print_messages(const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        print_error("%s:%d:%d: %s\n", m->file, m->line, m->column, m->text);
    }
}

// A scene that must load; notes and warnings are allowed.
static inline StiScene *good_scene_with(const char *text, const StiSceneOptions *options)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", options, messages);
    if (scene == NULL) print_messages(messages);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

static inline StiScene *good_scene(const char *text) { return good_scene_with(text, NULL); }

// Reads a scene and leaves its messages, to be destroyed.
static inline StiMessages *messages_of(const char *text, bool loads)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    if ((scene != NULL) != loads) print_messages(messages);
    assert_int_equal(scene != NULL, loads);
    sti_scene_destroy(scene);
    return messages;
}

// There are exactly so many messages, and the first is this one, at this place.
static inline void assert_message(const char *text, bool loads, int count, int line, int column,
                                  const char *first)
{
    StiMessages *messages = messages_of(text, loads);
    if (sti_messages_count(messages) != count) print_messages(messages);
    assert_int_equal(sti_messages_count(messages), count);
    const StiMessage *m = sti_messages_at(messages, 0);
    if (count > 0) {
        assert_string_equal(m->text, first);
        assert_int_equal(m->line, line);
        assert_int_equal(m->column, column);
    }
    sti_messages_destroy(messages);
}

static inline double parameter(const StiScene *scene, const char *path)
{
    double value = NAN;
    if (sti_plan_get(scene->plan, path, &value) != STI_OK) print_error("no parameter %s\n", path);
    assert_int_equal(sti_plan_get(scene->plan, path, &value), STI_OK);
    return value;
}

static inline bool has_parameter(const StiScene *scene, const char *path)
{
    double value;
    return sti_plan_get(scene->plan, path, &value) == STI_OK;
}

// A channel after so many steps.
static inline double channel_after(const StiScene *scene, int steps, const char *channel)
{
    const int number = sti_network_channel_find(scene->network, channel);
    if (number < 0) print_error("no channel %s\n", channel);
    assert_true(number >= 0);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    assert_int_equal(sti_recorder_begin(recorder, state, NULL, scratch), STI_OK);
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(sti_run(scene->network, NULL, state, scratch, 1), STI_OK);
        assert_int_equal(sti_recorder_follow(recorder, state, scratch), STI_OK);
    }
    const double value = sti_recorder_value(recorder, number);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return value;
}

static inline double channel_at_start(const StiScene *scene, const char *channel)
{
    return channel_after(scene, 0, channel);
}

#endif
