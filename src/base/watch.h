// Private: a caller's way to end a step that takes long.
#ifndef STICTION_SRC_BASE_WATCH_H
#define STICTION_SRC_BASE_WATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Watch {
    bool (*interrupted)(void *context); // NULL: never
    void *context;
} Watch;

// watch may be NULL.
static inline bool sti_watch_ends(const Watch *watch)
{
    return watch != NULL && watch->interrupted != NULL && watch->interrupted(watch->context);
}

#endif
