// One run of a scene in a process of its own, with a limit of processor time: whatever the engine
// does, the judge gets an answer.
#ifndef STICTION_TESTS_NET_RUN_H
#define STICTION_TESTS_NET_RUN_H

#include "support/random_scene.h"

enum { NET_ROWS = 20 };

typedef enum NetMethod {
    NET_RULE,
    NET_CUT,
    NET_EVENTS,    // error control: explicit, Runge-Kutta
    NET_BDF,       // error control: implicit, multistep
    NET_REFERENCE, // as `stiction reference`
    NET_SEMI_IMPLICIT,
    NET_IMPLICIT,
    NET_METHODS
} NetMethod;
const char *net_method_name(NetMethod method);
bool net_method_adapts(NetMethod method);

typedef enum NetOutcome { NET_REFUSED, NET_FAILED, NET_LATE, NET_CRASHED, NET_DONE } NetOutcome;

typedef struct NetRun {
    NetOutcome outcome;
    char message[400]; // why it is not NET_DONE
    double values[NET_ROWS + 1][SCENE_CHANNELS];
    double energy;    // J, the largest share of the ledger: what its errors are compared with
    double residual;  // J, the largest
    double regained;  // J, the most that dissipation fell in one step
    double numerical; // J, at the end
    double stored, stored_start;
    long unsolved, unsettled, lost, fallbacks; // steps with each
    double seconds;                            // of processor time
} NetRun;

// A scene as text or in a file; channels that the rows take.
typedef struct NetScene {
    const char *text, *path; // one of them
    double step, stop;
    const SceneChannel *channels;
    int channel_count;
} NetScene;

// Steps of the scene's own divided by `finer` (a power of 2). The result is shared memory that the
// next call with the same `run` overwrites.
void net_run(const NetScene *scene, NetMethod method, int finer, double seconds, NetRun *run);
// The channels of a scene in a file, its path in place of the text, and some of its first steps. false:
// it has a grid, or cannot be read.
bool net_scene_of_file(const char *path, RandomScene *scene);
NetRun *net_runs_create(int count);
void net_runs_destroy(NetRun *runs, int count);

#endif
