// A channel, or an expression of channels and t, read row by row.
#ifndef STICTION_CLI_READING_H
#define STICTION_CLI_READING_H

#include <stiction/scene.h>

#include "report/channels.h"

typedef struct Reading {
    int channel; // -1: the expression
    StiExpression *expression;
    int *used; // channels that it names
    int used_count;
    double *values; // t, then all channels; only the used ones are kept up to date
} Reading;

// False where the text names a channel that there is not.
bool reading_begin(Reading *reading, const char *text, const Channels *channels);
void reading_release(Reading *reading);
double reading_value(Reading *reading, double t, const StiRecorder *recorder);

#endif
