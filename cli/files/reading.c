#include "files/reading.h"

#include <stdlib.h>

#include <stiction/scene.h>

#include "terminal/text.h"

// Expressions may name t (variable 0) and all channels (from 1 on). NULL where one names a channel
// that a changed scene does not have: there is nothing to measure then.
static StiExpression *read_expression(const char *text, const Channels *channels)
{
    char error[256];
    const char **names = take((size_t)channels->count + 1, sizeof *names);
    names[0] = "t";
    for (int i = 0; i < channels->count; ++i) names[i + 1] = channels->names[i];
    StiExpression *expression =
        sti_expression_create(text, names, channels->count + 1, error, sizeof error);
    free(names);
    return expression;
}

bool reading_begin(Reading *reading, const char *text, const Channels *channels)
{
    *reading = (Reading){.channel = channels_find(channels, text)};
    if (reading->channel >= 0) return true;
    reading->expression = read_expression(text, channels);
    if (reading->expression == NULL) return false;
    reading->used = take((size_t)channels->count, sizeof *reading->used);
    reading->values = take((size_t)channels->count + 1, sizeof *reading->values);
    for (int i = 0; i < channels->count; ++i)
        if (sti_expression_uses(reading->expression, i + 1))
            reading->used[reading->used_count++] = i;
    return true;
}

void reading_release(Reading *reading)
{
    if (reading->expression != NULL) sti_expression_destroy(reading->expression);
    free(reading->used);
    free(reading->values);
}

double reading_value(Reading *reading, double t, const StiRecorder *recorder)
{
    if (reading->channel >= 0) return sti_recorder_value(recorder, reading->channel);
    reading->values[0] = t;
    for (int i = 0; i < reading->used_count; ++i)
        reading->values[reading->used[i] + 1] = sti_recorder_value(recorder, reading->used[i]);
    return sti_expression_value(reading->expression, reading->values);
}
