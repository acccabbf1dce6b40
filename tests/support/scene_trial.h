// A random scene of any kind (random_scene_make_any) under all judges, in a process of its own, each run with a limit
// of processor time: whatever the engine does, there is an answer.
#ifndef STICTION_TESTS_SCENE_TRIAL_H
#define STICTION_TESTS_SCENE_TRIAL_H

#include "support/random_scene.h"

typedef enum TrialEnd {
    TRIAL_GOOD,
    TRIAL_WARNED, // it went wrong, and reading the scene had warned; with short steps it is right
    TRIAL_TOLD,   // it made energy and stopped by itself, with the body, the time and the cure
    TRIAL_REFUSED, // with a message: a kind that is new, and needs what is not drawn
    TRIAL_BAD,
    TRIAL_ENDS
} TrialEnd;

typedef struct Trial {
    TrialEnd end;
    bool warned;     // before the first step
    char why[500];   // it is not good
    double seconds;  // of processor time
} Trial;

// set: as of --set, after the scene's own keys; NULL: none. trial: shared memory.
void scene_trial(int seed, const char *set, Trial *trial);

typedef struct TrialSums {
    int warned, ends[TRIAL_ENDS];
    double seconds, slowest; // of processor time
} TrialSums;
// Seeds first, first + 1, ... so many, by so many processes side by side; prints those that are not right.
TrialSums scene_trials(int first, int count, int jobs);

#endif
