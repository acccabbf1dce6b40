// CSV: a header row, then %.17g numbers.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "network/channels.h"
#include "stiction/sink.h"

typedef struct CsvSink {
    FILE *file;
    int columns;
} CsvSink;

static bool write_header(FILE *file, const StiTable *table)
{
    bool good = true;
    for (int i = 0; i < table->column_count; ++i)
        good = fprintf(file, "%s%s", i > 0 ? "," : "", table->columns[i].name) >= 0 && good;
    return fputc('\n', file) != EOF && good;
}

static void *csv_open(const char *path, const StiTable *table)
{
    CsvSink *csv = malloc(sizeof *csv);
    FILE *file = csv != NULL ? fopen(path, "w") : NULL;
    if (file != NULL && write_header(file, table)) {
        *csv = (CsvSink){file, table->column_count};
        return csv;
    }
    const int reason = errno;
    if (file != NULL) {
        fclose(file);
        remove(path);
    }
    free(csv);
    errno = reason;
    return NULL;
}

static bool csv_row(void *sink, const double *values)
{
    enum { NUMBERS = 64 }; // written together
    const CsvSink *csv = sink;
    bool good = true;
    for (int i = 0; i < csv->columns;) {
        char text[NUMBERS * STI_DECIMAL_SIZE], *to = text;
        const int end = csv->columns - i < NUMBERS ? csv->columns : i + NUMBERS;
        for (; i < end; ++i) {
            to += sti_decimal_write(values[i], to);
            *to++ = i + 1 < csv->columns ? ',' : '\n'; // in place of the 0 at the end
        }
        const size_t length = (size_t)(to - text);
        good = fwrite(text, 1, length, csv->file) == length && good;
    }
    return good;
}

static bool csv_flush(void *sink) { return fflush(((CsvSink *)sink)->file) == 0; }

static bool csv_close(void *sink)
{
    CsvSink *csv = sink;
    bool good = ferror(csv->file) == 0;
    good = fclose(csv->file) == 0 && good;
    const int reason = errno;
    free(csv);
    errno = reason;
    return good;
}

const StiSinkKind sti_sink_csv = {
    .table_size = sizeof(StiSinkKind),
    .ending = ".csv",
    .summary = "text, one line for each row",
    .open = csv_open,
    .row = csv_row,
    .flush = csv_flush,
    .close = csv_close,
};

// ---- of a network's channels --------------------------------------------------------------------

struct StiCsv {
    StiSink *sink;
    int count;
    int *channels;
    double *row; // t, then the channels
};

static StiSink *open_sink(const char *path, const StiNetwork *network, const int *channels,
                          int count)
{
    const size_t columns_size = (size_t)count + 1;
    StiColumn *columns = calloc(columns_size, sizeof *columns);
    StiChannel *named = calloc(columns_size, sizeof *named);
    bool good = columns != NULL && named != NULL;
    if (good) columns[0] = (StiColumn){"t", "s"};
    for (int i = 0; good && i < count; ++i) {
        good = sti_network_channel(network, channels[i], &named[i]);
        columns[i + 1] = (StiColumn){named[i].name, named[i].unit};
    }
    const StiTable table = {.columns = columns, .column_count = count + 1};
    StiSink *sink = good ? sti_sink_open(&sti_sink_csv, path, &table) : NULL;
    const int reason = errno;
    free(named);
    free(columns);
    errno = reason;
    return sink;
}

static void release(StiCsv *csv)
{
    const int reason = errno;
    free(csv->channels);
    free(csv->row);
    free(csv);
    errno = reason;
}

StiCsv *sti_csv_open(const char *path, const StiNetwork *network, const int *channels, int count)
{
    StiCsv *csv = calloc(1, sizeof *csv);
    if (csv == NULL) return NULL;
    const size_t size = (size_t)count + 1;
    *csv = (StiCsv){.count = count,
                    .channels = calloc(size, sizeof *csv->channels),
                    .row = calloc(size, sizeof *csv->row)};
    if (csv->channels != NULL && csv->row != NULL) {
        if (count > 0) memcpy(csv->channels, channels, (size_t)count * sizeof *channels);
        csv->sink = open_sink(path, network, channels, count);
    }
    if (csv->sink != NULL) return csv;
    release(csv);
    return NULL;
}

StiStatus sti_csv_row(StiCsv *csv, double t, const StiRecorder *recorder)
{
    csv->row[0] = t;
    for (int i = 0; i < csv->count; ++i)
        csv->row[i + 1] = sti_recorder_value(recorder, csv->channels[i]);
    return sti_sink_row(csv->sink, csv->row);
}

StiStatus sti_csv_flush(StiCsv *csv) { return sti_sink_flush(csv->sink); }

static StiStatus finish(StiCsv *csv, bool complete)
{
    const StiStatus status = sti_sink_close(csv->sink, complete);
    release(csv);
    return status;
}

StiStatus sti_csv_abandon(StiCsv *csv) { return finish(csv, false); }

StiStatus sti_csv_close(StiCsv *csv) { return finish(csv, true); }
