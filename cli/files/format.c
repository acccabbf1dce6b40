#include "files/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <stiction/formats.h>

#include "terminal/terminal.h"

typedef struct Format {
    const char *ending;
    const StiSinkKind *kind;
} Format;

static const Format formats[] = {
    {".csv", &sti_sink_csv},
    {".h5", &sti_sink_hdf5},
    {".hdf5", &sti_sink_hdf5},
    {".mcap", &sti_sink_mcap},
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

bool format_has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

const StiSinkKind *format_of(const char *path)
{
    for (int i = 0; i < FORMATS; ++i)
        if (format_has_ending(path, formats[i].ending)) return formats[i].kind;
    return NULL;
}

static void list_formats(void)
{
    for (int i = 0; i < FORMATS; ++i)
        fprintf(stderr, "  %-6s %s\n", formats[i].ending, formats[i].kind->summary);
}

bool format_is_good(const char *path, bool over_time)
{
    if (path == NULL) return true;
    const StiSinkKind *kind = format_of(path);
    if (kind == NULL) {
        terminal_error("cannot infer the format from '%s'; it must end in one of these:", path);
        list_formats();
        return false;
    }
    if (kind->over_time && !over_time) {
        terminal_error("%s: a table of runs has no time: write it to .csv or .h5", path);
        return false;
    }
    return true;
}
