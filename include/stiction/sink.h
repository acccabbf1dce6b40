// Sinks: where rows of numbers go. A format is a table of verbs; CSV is in the core, HDF5 and MCAP
// are in formats.h.
#ifndef STICTION_SINK_H
#define STICTION_SINK_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiColumn {
    const char *name; // "block.v"
    const char *unit; // "m/s"; "" or NULL: none is known
} StiColumn;

typedef struct StiNote {
    const char *name, *text; // "title", "scene", ...
} StiNote;

// What the rows are. Formats that have no place for something leave it out.
typedef struct StiTable {
    const StiColumn *columns; // a recording's first column is t, in s
    int column_count;
    const StiNote *notes;
    int note_count;
    const StiPlan *plan; // whose parameters are kept; NULL: none
} StiTable;

// A format. Verbs that fail leave the reason in errno. close releases the sink in any case.
typedef struct StiSinkKind {
    size_t table_size; // sizeof(StiSinkKind): another one is refused
    const char *ending; // ".csv"
    const char *summary;
    bool over_time; // needs t as the first column
    void *(*open)(const char *path, const StiTable *table);
    bool (*row)(void *sink, const double *values);
    bool (*flush)(void *sink); // what is there survives the end of the process
    // The same rows once more, to another file, as if nothing had been flushed on the way: where a flush would show
    // in the bytes. NULL: it does not.
    bool (*rewrite)(void *sink, const char *path);
    bool (*close)(void *sink);
} StiSinkKind;

// A header row with the names, then %.17g numbers.
STI_API extern const StiSinkKind sti_sink_csv;

// A file that has a preliminary name (draft.h: PATH.partial) until it is closed as complete: then it takes
// its own, and replaces an earlier one. NULL and STI_FILE_ERROR come with a reason in errno.
typedef struct StiSink StiSink;
// Texts and columns need not outlive the call.
STI_API StiSink *sti_sink_open(const StiSinkKind *kind, const char *path, const StiTable *table);
STI_API const char *sti_sink_draft(const StiSink *sink); // its preliminary name
STI_API StiStatus sti_sink_row(StiSink *sink, const double *values); // one for each column
STI_API StiStatus sti_sink_flush(StiSink *sink);
STI_API StiStatus sti_sink_close(StiSink *sink, bool complete);

#ifdef __cplusplus
}
#endif
#endif
