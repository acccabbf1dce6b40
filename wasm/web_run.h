// Private: a run, and texts that become somebody else's.
#ifndef STICTION_WASM_RUN_H
#define STICTION_WASM_RUN_H

#include <stdio.h>

#include "sets.h"
#include "surface.h"
#include "view/view_messages.h"

struct WebRun {
    char *path;
    Sets sets;
    StiMessages *messages;
    bool good; // live has begun
    LiveRun live;
    LiveClock clock;
    char fault[LIVE_TEXT];
};

// A text while it is written; closed, it is complete.
typedef struct Draft {
    char *text;
    size_t length;
    FILE *file;
} Draft;
void draft_open(Draft *draft);
char *draft_close(Draft *draft);

#endif
