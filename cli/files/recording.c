#include "files/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/formats.h>

#include "command/command.h"
#include "files/csv_file.h"
#include "files/format.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// CSV has no units; that of time is known.
static int read_csv(const char *path, bool full, Recording *recording)
{
    CsvFile csv;
    const int code = csv_file_read(path, full, &csv);
    recording->count = csv.count;
    recording->names = csv.names;
    recording->rows = csv.rows;
    recording->units = take((size_t)csv.count + 1, sizeof *recording->units);
    for (int i = 0; i < csv.count; ++i)
        recording->units[i] = text_new("%s", strcmp(csv.names[i], "t") == 0 ? "s" : "");
    return code;
}

static void take_names(const StiHdf5 *file, Recording *recording)
{
    recording->count = sti_hdf5_columns(file);
    recording->names = take((size_t)recording->count, sizeof *recording->names);
    recording->units = take((size_t)recording->count, sizeof *recording->units);
    for (int i = 0; i < recording->count; ++i) {
        const StiColumn column = sti_hdf5_column(file, i);
        recording->names[i] = text_new("%s", column.name);
        recording->units[i] = text_new("%s", column.unit);
        text_make_printable(recording->names[i]);
        text_make_printable(recording->units[i]);
    }
}

enum { BLOCK = 1024 }; // rows that are read together

static bool take_rows(const StiHdf5 *file, bool full, Recording *recording)
{
    const int64_t rows = sti_hdf5_rows(file);
    const size_t columns = (size_t)recording->count;
    double *values = take(columns * BLOCK, sizeof *values), *row = take(columns, sizeof *row);
    bool good = true;
    recording->rows = rows_create(recording->count, full);
    for (int64_t first = 0; good && first < rows; first += BLOCK) {
        const int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        for (int i = 0; good && i < recording->count; ++i)
            good = sti_hdf5_read_part(file, i, first, count, values + i * BLOCK) == STI_OK;
        for (int64_t k = 0; good && k < count; ++k) {
            for (int i = 0; i < recording->count; ++i) row[i] = values[i * BLOCK + k];
            rows_add(&recording->rows, row);
        }
    }
    free(row);
    free(values);
    return good;
}

static int read_hdf5(const char *path, bool full, Recording *recording)
{
    StiHdf5 *file = sti_hdf5_open(path);
    if (file == NULL) {
        terminal_error("cannot read %s: %s", path,
                       errno != 0 ? strerror(errno) : "it is no HDF5 recording");
        return CODE_FILE;
    }
    take_names(file, recording);
    const bool good = take_rows(file, full, recording);
    sti_hdf5_close(file);
    if (good && recording->rows.count > 0) return CODE_GOOD;
    terminal_error(good ? "%s has no rows" : "cannot read %s: it is damaged", path);
    return good ? CODE_BAD_INPUT : CODE_FILE;
}

static bool is_hdf5(const char *path)
{
    return format_has_ending(path, ".h5") || format_has_ending(path, ".hdf5") ||
           format_has_ending(path, ".h5.partial") || format_has_ending(path, ".hdf5.partial");
}

int recording_read(const char *path, bool full, Recording *recording)
{
    *recording = (Recording){.path = path};
    if (format_has_ending(path, ".mcap")) {
        terminal_error("%s: MCAP files are not read; record to .h5 or .csv", path);
        return CODE_BAD_INPUT;
    }
    return is_hdf5(path) ? read_hdf5(path, full, recording) : read_csv(path, full, recording);
}

void recording_release(Recording *recording)
{
    for (int i = 0; i < recording->count; ++i) {
        free(recording->names[i]);
        free(recording->units[i]);
    }
    free(recording->names);
    free(recording->units);
    rows_release(&recording->rows);
}

char *recording_name(const char *path)
{
    static const char *const endings[] = {".partial", ".csv", ".h5", ".hdf5"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i) {
        const size_t tail = strlen(endings[i]);
        if (length > tail && strncmp(name + length - tail, endings[i], tail) == 0) length -= tail;
    }
    return text_new("%.*s", (int)length, name);
}
