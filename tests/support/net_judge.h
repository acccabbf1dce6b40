// What a run must fulfil, whatever method made it.
#ifndef STICTION_TESTS_NET_JUDGE_H
#define STICTION_TESTS_NET_JUDGE_H

#include "support/net_run.h"

typedef enum NetJudge {
    JUDGE_APPLIES, // the method takes the scene
    JUDGE_ENDS,    // in time, with status 0 and finite numbers
    JUDGE_SOLVED,  // without a fallback
    JUDGE_CLOSED,  // closed forms
    JUDGE_LIMIT,   // friction within its cone and level
    JUDGE_STICK,   // the same elements stick as under error control
    JUDGE_FORCE,   // the same forces, as the step goes to 0
    JUDGE_MOTION,  // the same motion, as the step goes to 0
    JUDGE_ENERGY,  // the ledger closes; friction and contact give nothing; the method less and less
    JUDGE_MOMENTUM, // where nothing outside acts
    JUDGE_MIRROR,   // the mirrored scene moves as the mirror image
    JUDGE_ORDER,    // neither order of declaration nor names matter
    NET_JUDGES
} NetJudge;
const char *net_judge_name(NetJudge judge);

enum { NET_LEVELS = 4 }; // T, T/2, T/4, T/8

// All runs of one scene.
typedef struct NetCase {
    const char *kind;
    int seed;
    const RandomScene *scene;
    bool from_file; // the scene is the user's: nothing is known but its channels
    NetRun *runs[NET_METHODS][NET_LEVELS];         // adaptive methods: the first only
    NetRun *versions[NET_METHODS][SCENE_VERSIONS]; // at T; not SCENE_PLAIN; NULL: not run
} NetCase;

typedef struct NetVerdict {
    bool asked, holds;
    double excess;    // error over tolerance, where there is a number
    char detail[240]; // why not
} NetVerdict;

NetVerdict net_judge(const NetCase *c, NetMethod method, NetJudge judge);

#endif
