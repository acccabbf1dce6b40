#include "journal.h"

#include <string.h>

bool journal_replay(Journal *journal, double *entry, int count)
{
    if (journal->numbers == NULL || journal->at >= journal->count) return false;
    const double *next = journal->numbers + journal->at;
    if (next[0] != count || journal->at + 1 + count > journal->count) {
        journal->count = journal->at;
        return false;
    }
    memcpy(entry, next + 1, (size_t)count * sizeof *entry);
    journal->at += 1 + count;
    return true;
}

void journal_keep(const Journal *journal, const double *entry, int count)
{
    if (journal->keep != NULL) journal->keep(journal->context, entry, count);
}
