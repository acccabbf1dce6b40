// Private: what a search has found, descent after descent. A search is the same each time, so that one that was
// interrupted goes on by taking what it had found in place of searching for it again.
#ifndef STICTION_FIT_JOURNAL_H
#define STICTION_FIT_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Journal {
    const double *numbers; // entries, each after its length; NULL: nothing is known
    int64_t count, at;
    void (*keep)(void *context, const double *entry, int count); // NULL: nothing is kept
    void *context;
} Journal;

// False: there is no further entry of this length; what follows in the file is not used either.
bool journal_replay(Journal *journal, double *entry, int count);
void journal_keep(const Journal *journal, const double *entry, int count);

#endif
