// Files under a preliminary name. What looks complete is complete.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "stiction/draft.h"
#include "stiction/sink.h"

struct StiSink {
    const StiSinkKind *kind;
    void *inside;
    bool failed, flushed;
    StiDraft *draft;
    char *path;
};

StiSink *sti_sink_open(const StiSinkKind *kind, const char *path, const StiTable *table)
{
    if (kind->table_size != sizeof *kind) { // compiled with other headers
        errno = EINVAL;
        return NULL;
    }
    StiSink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) return NULL;
    sink->kind = kind;
    sink->path = malloc(strlen(path) + 1);
    if (sink->path != NULL) strcpy(sink->path, path);
    sink->draft = sink->path != NULL ? sti_draft_open(path) : NULL;
    const StiLocale locale = sti_locale_begin();
    if (sink->draft != NULL) sink->inside = kind->open(sti_draft_name(sink->draft), table);
    sti_locale_end(locale);
    if (sink->inside != NULL) return sink;
    const int reason = errno;
    if (sink->draft != NULL) sti_draft_close(sink->draft, STI_DRAFT_REMOVED);
    free(sink->path);
    free(sink);
    errno = reason;
    return NULL;
}

const char *sti_sink_draft(const StiSink *sink) { return sti_draft_name(sink->draft); }

static StiStatus report_failure(StiSink *sink, bool good)
{
    sink->failed = sink->failed || !good;
    return good ? STI_OK : STI_FILE_ERROR;
}

StiStatus sti_sink_row(StiSink *sink, const double *values)
{
    const StiLocale locale = sti_locale_begin();
    const bool good = sink->kind->row(sink->inside, values);
    sti_locale_end(locale);
    return report_failure(sink, good);
}

StiStatus sti_sink_flush(StiSink *sink)
{
    const StiLocale locale = sti_locale_begin();
    const bool good = sink->kind->flush(sink->inside);
    sink->flushed = true;
    sti_locale_end(locale);
    return report_failure(sink, good);
}

// Same run, same bytes: when it was flushed depends on the clock. Without room for it the file is as it was.
static StiDraft *rewrite(const StiSink *sink)
{
    StiDraft *draft = sti_draft_open(sink->path);
    if (draft == NULL || sink->kind->rewrite(sink->inside, sti_draft_name(draft))) return draft;
    sti_draft_close(draft, STI_DRAFT_REMOVED);
    return NULL;
}

StiStatus sti_sink_close(StiSink *sink, bool complete)
{
    const StiLocale locale = sti_locale_begin();
    const bool shows = complete && sink->flushed && !sink->failed && sink->kind->rewrite != NULL;
    StiDraft *again = shows ? rewrite(sink) : NULL;
    const bool good = sink->kind->close(sink->inside) && !sink->failed;
    sti_locale_end(locale);
    const int reason = errno;
    if (again != NULL) {
        sti_draft_close(good ? sink->draft : again, STI_DRAFT_REMOVED);
        if (good) sink->draft = again;
    }
    const StiStatus renamed =
        sti_draft_close(sink->draft, good && complete ? STI_DRAFT_COMPLETE : STI_DRAFT_KEPT);
    free(sink->path);
    free(sink);
    if (!good) errno = reason;
    return good ? renamed : STI_FILE_ERROR;
}
