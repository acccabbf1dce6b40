// Text files that a command writes: they take their name when they are complete.
#ifndef STICTION_CLI_OUTPUT_H
#define STICTION_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include <stiction/draft.h>

typedef struct Output {
    const char *path;
    StiDraft *draft;
    FILE *file;
} Output;

// False after a message.
bool output_open(Output *output, const char *path);
// good: what was to be written was. An exit code, after a message where it is not 0.
int output_close(Output *output, bool good);
void output_abandon(Output *output); // without a word

#endif
