// What a scene's places and speeds are at its end, by any method. Include after cmocka.h.
#ifndef STICTION_TESTS_SUPPORT_LAST_VALUES_H
#define STICTION_TESTS_SUPPORT_LAST_VALUES_H

#include <math.h>
#include <string.h>

#include "network/network.h"
#include "support/followed_scene.h"

enum { LAST_VALUES = 64 };

typedef struct LastValues {
    double x[LAST_VALUES]; // positions and velocities of all bodies
    int count;
    long changes; // of stick and slip that were located
} LastValues;

static inline LastValues last_values(const char *text)
{
    FollowedScene run;
    LastValues last = {.count = 0};
    StiMessages *messages = sti_messages_create();
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    for (long k = 0; k < run.scene->steps; ++k) {
        followed_step(&run);
        last.changes += sti_scratch_figures(run.scratch).events;
    }
    last.count = run.scene->network->x_count;
    assert_true(last.count <= LAST_VALUES);
    memcpy(last.x, run.state->values, (size_t)last.count * sizeof *last.x);
    followed_close(&run);
    return last;
}

// The largest difference.
static inline double last_values_apart(const LastValues *a, const LastValues *b)
{
    double most = 0.0;
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; ++i) most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

#endif
