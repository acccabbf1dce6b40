// Private: adding messages.
#ifndef STICTION_SCENE_MESSAGES_H
#define STICTION_SCENE_MESSAGES_H

#include "stiction/scene.h"

typedef struct Mark {
    const char *file; // lives as long as the messages do: it is copied when a message is added
    int line, column; // from 1
} Mark;

void scene_message(StiMessages *messages, StiSeverity severity, Mark mark, const char *text, ...)
    __attribute__((format(printf, 4, 5)));

// The word that a misspelt one was probably meant to be; NULL if none is near. Case and '-' or '_' count little.
const char *scene_nearest(const char *word, const char *const *words, int count);

// What steers a terminal becomes a blank; lines stay.
void scene_make_harmless(char *text);

#endif
