// Private: what is said about many parts of a file, gathered into one message for each kind of thing.
#ifndef STICTION_SCENE_GATHERED_H
#define STICTION_SCENE_GATHERED_H

#include "base/arena.h"
#include "text/messages.h"

typedef struct GatheredGroup GatheredGroup;

typedef struct Gathered {
    StiArena *arena;
    StiMessages *messages;
    GatheredGroup *first, *last;
} Gathered;

// what: a constant text, "left out: meshes"; equal texts make one message, at the first mark, which ends
// with the names. size: how much each matters; those of the largest size are named.
void gather(Gathered *gathered, StiSeverity severity, Mark mark, const char *what, const char *name,
            double size);
// One message for each group: "WHAT: a, b, c and 12 more".
void gathered_say(const Gathered *gathered);

#endif
