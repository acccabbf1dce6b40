#include "fmu/description.h"

#include <stdlib.h>
#include <string.h>

static int count_lines(const char *text)
{
    int count = 1;
    for (; *text != '\0'; ++text) count += *text == '\n';
    return count;
}

static const char *value_of(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

static bool read_line(Description *d, const char *line)
{
    const char *value;
    if ((value = value_of(line, "token")) != NULL)
        d->token = value;
    else if ((value = value_of(line, "scene")) != NULL)
        d->scene = value;
    else if ((value = value_of(line, "input")) != NULL)
        d->inputs[d->input_count++] = value;
    else if ((value = value_of(line, "output")) != NULL)
        d->outputs[d->output_count++] = value;
    else if ((value = value_of(line, "fixed")) != NULL)
        d->parameters[d->parameter_count++] = (NamedParameter){value, false};
    else if ((value = value_of(line, "tunable")) != NULL)
        d->parameters[d->parameter_count++] = (NamedParameter){value, true};
    else
        return false;
    return true;
}

bool description_read(char *text, Description *description)
{
    Description *d = description;
    const size_t lines = (size_t)count_lines(text);
    *d = (Description){.text = text,
                       .inputs = calloc(lines, sizeof *d->inputs),
                       .outputs = calloc(lines, sizeof *d->outputs),
                       .parameters = calloc(lines, sizeof *d->parameters)};
    bool good = d->inputs != NULL && d->outputs != NULL && d->parameters != NULL;
    for (char *line = text; good && *line != '\0';) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = '\0';
        good = read_line(d, line);
        line = end != NULL ? end + 1 : line + strlen(line);
    }
    if (good && d->token != NULL && d->scene != NULL) return true;
    description_release(d);
    return false;
}

void description_release(Description *description)
{
    free(description->text);
    free(description->inputs);
    free(description->outputs);
    free(description->parameters);
    *description = (Description){0};
}
