#include "files/table_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/formats.h>

#include "files/format.h"
#include "command/load.h"
#include "terminal/progress.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

struct TableFile {
    StiSink *sink;
    char *path;
    int64_t rows;
    double due; // s, of clock_now: the next flush
    int reason; // errno of the first failure
};

static const double flush_interval = 0.5; // s: what SIGKILL may lose
static const double flush_share =
    0.2; // of the time, at most: thousands of columns take seconds in HDF5

static StiSink *open_sink(const char *path, const StiTable *table)
{
    if (load_is_folder(path)) {
        errno = EISDIR;
        return NULL;
    }
    sti_hdf5_stay_away_from_exit();
    return sti_sink_open(format_of(path), path, table);
}

TableFile *table_file_open(const char *path, const StiTable *table)
{
    if (!format_is_good(path, true)) return NULL;
    StiSink *sink = open_sink(path, table);
    if (sink == NULL) {
        terminal_error("cannot write %s: %s", path, strerror(errno));
        return NULL;
    }
    TableFile *file = take(1, sizeof *file);
    *file = (TableFile){.sink = sink,
                        .path = text_new("%s", path),
                        .due = clock_now() + flush_interval};
    return file;
}

static bool judge(TableFile *table, StiStatus status)
{
    if (status != STI_OK && table->reason == 0) table->reason = errno;
    return status == STI_OK;
}

bool table_file_look_after(TableFile *table, double now)
{
    if (now < table->due) return true;
    const bool good = judge(table, sti_sink_flush(table->sink));
    const double end = clock_now(), took = end - now;
    table->due = end + fmax(flush_interval, took / flush_share - took);
    return good;
}

bool table_file_row(TableFile *table, const double *values)
{
    ++table->rows;
    return judge(table, sti_sink_row(table->sink, values));
}

int64_t table_file_rows(const TableFile *table) { return table->rows; }

bool table_file_close(TableFile *table, bool complete, const char *extent)
{
    char *draft = text_new("%s", sti_sink_draft(table->sink));
    const bool good = judge(table, sti_sink_close(table->sink, complete));
    if (!good) {
        terminal_error("cannot write %s: %s", table->path, strerror(table->reason));
        fprintf(stderr, "What reached the disk is in %s\n", draft);
    } else if (!complete)
        fprintf(stderr, "The rows so far (%lld%s) are in %s\n", (long long)table->rows, extent,
                draft);
    free(draft);
    free(table->path);
    free(table);
    return good;
}
