// Subjects of `stiction explain` that are no single kind, method or solver, and the papers behind the texts.
#ifndef STICTION_CLI_TOPICS_H
#define STICTION_CLI_TOPICS_H

#include <stiction/kind.h>

typedef struct Topic {
    const char *kind, *name, *summary;
    StiExplanation explanation;
} Topic;
const Topic *topic_find(const char *name); // NULL if there is none
const Topic *topic_at(int number);         // NULL past the last

// The paper behind a key such as "fixed-step".
typedef struct Paper {
    const char *key, *text;
} Paper;
extern const Paper papers[]; // key NULL after the last

#endif
