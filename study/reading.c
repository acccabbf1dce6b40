// A channel, or an expression of channels and t, read row by row.
#include <stdlib.h>

#include "stiction/measure.h"

struct StiReading {
    int channel; // -1: the expression
    StiExpression *expression;
    int *used; // channels that it names
    int used_count;
    double *values; // t, then all channels; only the used ones are kept up to date
};

static int count_channels(const StiNetwork *network)
{
    StiChannel channel;
    int count = 0;
    while (sti_network_channel(network, count, &channel)) ++count;
    return count;
}

// Expressions may name t (variable 0) and all channels (from 1 on).
static StiExpression *read_expression(const StiNetwork *network, int count, const char *text)
{
    char error[256];
    StiChannel *channels = calloc((size_t)count + 1, sizeof *channels);
    const char **names = calloc((size_t)count + 1, sizeof *names);
    StiExpression *expression = NULL;
    if (channels != NULL && names != NULL) {
        names[0] = "t";
        for (int i = 0; i < count; ++i) {
            sti_network_channel(network, i, &channels[i]);
            names[i + 1] = channels[i].name;
        }
        expression = sti_expression_create(text, names, count + 1, error, sizeof error);
    }
    free(names);
    free(channels);
    return expression;
}

static bool begin_expression(StiReading *reading, const StiNetwork *network, const char *text)
{
    const int count = count_channels(network);
    reading->expression = read_expression(network, count, text);
    reading->used = calloc((size_t)count + 1, sizeof *reading->used);
    reading->values = calloc((size_t)count + 1, sizeof *reading->values);
    if (reading->expression == NULL || reading->used == NULL || reading->values == NULL)
        return false;
    for (int i = 0; i < count; ++i)
        if (sti_expression_uses(reading->expression, i + 1))
            reading->used[reading->used_count++] = i;
    return true;
}

StiReading *sti_reading_create(const StiNetwork *network, const char *text)
{
    StiReading *reading = calloc(1, sizeof *reading);
    if (reading == NULL) return NULL;
    reading->channel = sti_network_channel_find(network, text);
    if (reading->channel >= 0 || begin_expression(reading, network, text)) return reading;
    sti_reading_destroy(reading);
    return NULL;
}

void sti_reading_destroy(StiReading *reading)
{
    if (reading == NULL) return;
    if (reading->expression != NULL) sti_expression_destroy(reading->expression);
    free(reading->used);
    free(reading->values);
    free(reading);
}

double sti_reading_value(StiReading *reading, double t, const StiRecorder *recorder)
{
    if (reading->channel >= 0) return sti_recorder_value(recorder, reading->channel);
    reading->values[0] = t;
    for (int i = 0; i < reading->used_count; ++i)
        reading->values[reading->used[i] + 1] = sti_recorder_value(recorder, reading->used[i]);
    return sti_expression_value(reading->expression, reading->values);
}
