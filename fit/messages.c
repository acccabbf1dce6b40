// Messages about places of files, and the word that a misspelt one was meant to be.
#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512 };

void fit_message(StiMessages *messages, StiSeverity severity, const char *file, int line,
                 int column, const char *text, ...)
{
    char what[TEXT], place[TEXT];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(what, sizeof what, text, arguments);
    va_end(arguments);
    if (line == 0)
        snprintf(place, sizeof place, "%s", file);
    else
        snprintf(place, sizeof place, "%s:%d:%d", file, line, column > 0 ? column : 1);
    sti_messages_add(messages, severity, place, what);
}

enum { LONGEST = 64 };

// How many letters to insert, leave out or replace.
static int distance(const char *a, const char *b)
{
    int rows[2][LONGEST + 1], *above = rows[0], *row = rows[1];
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (int j = 0; j <= m; ++j) row[j] = j;
    for (int i = 1; i <= n; ++i) {
        int *swap = above;
        above = row, row = swap;
        row[0] = i;
        for (int j = 1; j <= m; ++j) {
            const int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            const int shorter = (above[j] < row[j - 1] ? above[j] : row[j - 1]) + 1;
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[m];
}

const char *fit_nearest(const char *word, char *const *words, int count)
{
    const char *near = NULL;
    int least = (int)strlen(word) / 2 + 1;
    for (int i = 0; i < count; ++i) {
        const bool part = word[0] != '\0' && strlen(word) >= 3 && strstr(words[i], word) != NULL;
        const int d = part ? 0 : distance(word, words[i]);
        if (d >= least) continue;
        least = d;
        near = words[i];
    }
    return near;
}
