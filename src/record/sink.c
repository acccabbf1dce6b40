// Files under a preliminary name. What looks complete is complete.
#include <errno.h>
#include <stdlib.h>

#include "base/locale.h"
#include "stiction/draft.h"
#include "stiction/sink.h"

struct StiSink {
    const StiSinkKind *kind;
    void *inside;
    bool failed;
    StiDraft *draft;
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
    sink->draft = sti_draft_open(path);
    const StiLocale locale = sti_locale_begin();
    if (sink->draft != NULL) sink->inside = kind->open(sti_draft_name(sink->draft), table);
    sti_locale_end(locale);
    if (sink->inside != NULL) return sink;
    const int reason = errno;
    if (sink->draft != NULL) sti_draft_close(sink->draft, STI_DRAFT_REMOVED);
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
    sti_locale_end(locale);
    return report_failure(sink, good);
}

StiStatus sti_sink_close(StiSink *sink, bool complete)
{
    const StiLocale locale = sti_locale_begin();
    const bool good = sink->kind->close(sink->inside) && !sink->failed;
    sti_locale_end(locale);
    const int reason = errno;
    const StiStatus renamed =
        sti_draft_close(sink->draft, good && complete ? STI_DRAFT_COMPLETE : STI_DRAFT_KEPT);
    free(sink);
    if (!good) errno = reason;
    return good ? renamed : STI_FILE_ERROR;
}
