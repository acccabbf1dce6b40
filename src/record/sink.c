// Files under a preliminary name. What looks complete is complete.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/sink.h"

struct StiSink {
    const StiSinkKind *kind;
    void *inside;
    bool failed;
    char *path, *partial;
};

static void release(StiSink *sink)
{
    const int reason = errno;
    free(sink->path);
    free(sink->partial);
    free(sink);
    errno = reason;
}

static char *joined(const char *text, const char *ending)
{
    const size_t size = strlen(text) + strlen(ending) + 1;
    char *whole = malloc(size);
    if (whole != NULL) snprintf(whole, size, "%s%s", text, ending);
    return whole;
}

StiSink *sti_sink_open(const StiSinkKind *kind, const char *path, const StiTable *table)
{
    if (kind->table_size != sizeof *kind) { // compiled with other headers
        errno = EINVAL;
        return NULL;
    }
    StiSink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) return NULL;
    *sink = (StiSink){.kind = kind, .path = joined(path, ""), .partial = joined(path, ".partial")};
    if (sink->path != NULL && sink->partial != NULL)
        sink->inside = kind->open(sink->partial, table);
    if (sink->inside != NULL) return sink;
    release(sink);
    return NULL;
}

static StiStatus report_failure(StiSink *sink, bool good)
{
    sink->failed = sink->failed || !good;
    return good ? STI_OK : STI_FILE_ERROR;
}

StiStatus sti_sink_row(StiSink *sink, const double *values)
{
    return report_failure(sink, sink->kind->row(sink->inside, values));
}

StiStatus sti_sink_flush(StiSink *sink)
{
    return report_failure(sink, sink->kind->flush(sink->inside));
}

StiStatus sti_sink_close(StiSink *sink, bool complete)
{
    bool good = sink->kind->close(sink->inside) && !sink->failed;
    if (good && complete) good = rename(sink->partial, sink->path) == 0;
    release(sink);
    return good ? STI_OK : STI_FILE_ERROR;
}
