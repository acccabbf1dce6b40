// Private: messages of fits.
#ifndef STICTION_FIT_MESSAGES_H
#define STICTION_FIT_MESSAGES_H

#include "stiction/scene.h"

// A message about a place of a file; line and column count from 1, 0: none.
void fit_message(StiMessages *messages, StiSeverity severity, const char *file, int line,
                 int column, const char *text, ...) __attribute__((format(printf, 6, 7)));
// The word that a misspelt one was probably meant to be; NULL if none is near.
const char *fit_nearest(const char *word, char *const *words, int count);

#endif
