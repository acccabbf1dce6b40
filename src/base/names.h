// Private: from a name to its number, in constant time however many there are.
#ifndef STICTION_SRC_BASE_NAMES_H
#define STICTION_SRC_BASE_NAMES_H

#include "base/arena.h"

typedef struct StiNamed {
    const char *name; // NULL: a free place; not copied
    int number;
} StiNamed;

// Zero is an empty table. Its memory is the arena's.
typedef struct StiNames {
    StiNamed *places; // a power of two of them, at most half of them taken
    int size, count;
} StiNames;

// The number that goes by this name from now on: an earlier one is kept. Without memory the arena
// says so.
int sti_names_put(StiNames *names, StiArena *arena, const char *name, int number);

// -1: there is none.
int sti_names_find(const StiNames *names, const char *name);

#endif
