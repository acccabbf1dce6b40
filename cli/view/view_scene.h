// The scene of a live run under its present values: those of the plan, and the names of the section `parameters`,
// for which the scene is read anew.
#ifndef STICTION_CLI_VIEW_SCENE_H
#define STICTION_CLI_VIEW_SCENE_H

#include <stiction/scene.h>

typedef struct Turned {
    char *path;
    double value;
} Turned;

typedef struct LiveScene {
    StiScene *now;           // its plan holds the present values
    const char *path;        // of the file, and
    StiSceneOptions options; // how it was read first
    Turned *turned;          // each path once, with its last value
    int turned_count;
    bool *follows; // by the plan's parameters: an expression of named ones gives it
    int follows_count;
} LiveScene;

// Which parameters of the plan follow the names of the section: found by turning these, one after the other.
void live_scene_find_followers(LiveScene *scene);
// A parameter of which one moves by moving another.
bool live_scene_follows(const LiveScene *scene, int number);

void live_scene_release(LiveScene *scene);

// The parameter of this number, false past the last: the names of the section, as "parameters.pull", then the plan's.
bool live_scene_parameter(const LiveScene *scene, int number, StiParameter *parameter);
bool live_scene_get(const LiveScene *scene, const char *path, double *value);

// The scene under another value, or NULL and why. Then keep it or give it back; before: the value so far.
StiScene *live_scene_try(const LiveScene *scene, const char *path, double value, char *why,
                         size_t size);
void live_scene_keep(LiveScene *scene, StiScene *tried, const char *path, double value);
void live_scene_give_back(const LiveScene *scene, StiScene *tried, const char *path, double before);

#endif
