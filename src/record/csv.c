// CSV: a header row, then %.17g numbers. The file has its final name only when it is complete.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network/channels.h"

struct StiCsv {
    FILE *file;
    char *path, *partial;
    int count;
    int channels[];
};

static void release(StiCsv *csv)
{
    free(csv->path);
    free(csv->partial);
    free(csv);
}

static bool write_header(const StiCsv *csv, const StiNetwork *network)
{
    bool good = fputs("t", csv->file) >= 0;
    for (int i = 0; i < csv->count; ++i) {
        StiChannel channel;
        good = good && sti_network_channel(network, csv->channels[i], &channel) &&
               fprintf(csv->file, ",%s", channel.name) > 0;
    }
    return fputc('\n', csv->file) != EOF && good;
}

StiCsv *sti_csv_open(const char *path, const StiNetwork *network, const int *channels, int count)
{
    StiCsv *csv = calloc(1, sizeof *csv + (size_t)count * sizeof csv->channels[0]);
    if (csv == NULL) return NULL;
    const size_t length = strlen(path) + 1;
    csv->count = count;
    memcpy(csv->channels, channels, (size_t)count * sizeof csv->channels[0]);
    csv->path = malloc(length);
    csv->partial = malloc(length + strlen(".partial"));
    if (csv->path != NULL && csv->partial != NULL) {
        memcpy(csv->path, path, length);
        snprintf(csv->partial, length + strlen(".partial"), "%s.partial", path);
        csv->file = fopen(csv->partial, "w");
    }
    if (csv->file == NULL || !write_header(csv, network)) {
        if (csv->file != NULL) {
            fclose(csv->file);
            remove(csv->partial);
        }
        release(csv);
        return NULL;
    }
    return csv;
}

StiStatus sti_csv_row(StiCsv *csv, double t, const StiRecorder *recorder)
{
    bool good = fprintf(csv->file, "%.17g", t) > 0;
    for (int i = 0; i < csv->count; ++i)
        good = fprintf(csv->file, ",%.17g", sti_recorder_value(recorder, csv->channels[i])) > 0 &&
               good;
    return fputc('\n', csv->file) != EOF && good ? STI_OK : STI_FILE_ERROR;
}

StiStatus sti_csv_flush(StiCsv *csv) { return fflush(csv->file) == 0 ? STI_OK : STI_FILE_ERROR; }

StiStatus sti_csv_abandon(StiCsv *csv)
{
    const bool good = fclose(csv->file) == 0;
    release(csv);
    return good ? STI_OK : STI_FILE_ERROR;
}

StiStatus sti_csv_close(StiCsv *csv)
{
    bool good = ferror(csv->file) == 0;
    good = fclose(csv->file) == 0 && good;
    good = good && rename(csv->partial, csv->path) == 0;
    release(csv);
    return good ? STI_OK : STI_FILE_ERROR;
}
