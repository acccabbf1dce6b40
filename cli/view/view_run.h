// A run that goes on while people watch it and turn its parameters.
#ifndef STICTION_CLI_VIEW_RUN_H
#define STICTION_CLI_VIEW_RUN_H

#include "report/report_rows.h"
#include "view/view_scene.h"
#include "view/view_system.h"

typedef enum LivePhase { LIVE_RUNNING, LIVE_PAUSED, LIVE_ENDED, LIVE_FAILED } LivePhase;

enum { LIVE_TEXT = 512 };

typedef struct LiveRun {
    LiveScene scene;
    bool forever;
    LiveSystem *system;
    LivePhase phase;
    int restarts;
    double *row;
    double *carried; // of energies that add up: what they were when the network was changed last
    Rows fresh;      // since the last frame
    Rows history;    // what was shown so far, within limits
    char fault[LIVE_TEXT];
} LiveRun;

// False after a message. The scene belongs to the run from now on.
bool live_run_begin(LiveRun *run, const LiveScene *scene, bool forever);
void live_run_release(LiveRun *run);
double live_run_time(const LiveRun *run);

void live_run_step(LiveRun *run); // may end the run, or find that it fails
void live_run_pause(LiveRun *run, bool pause);
bool live_run_restart(LiveRun *run, char *why, size_t size);
// Between two steps: a network of the same layout takes the running state over. Where that cannot
// be, nothing changes and the text says why.
bool live_run_set(LiveRun *run, const char *path, double value, char *why, size_t size);
bool live_run_may_set(const char *path); // not what would move the time

// Fresh rows, no more than a frame may have, become part of the history. Call live_run_next after.
void live_run_frame(LiveRun *run);
void live_run_next(LiveRun *run);

#endif
