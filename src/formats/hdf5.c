// HDF5: one dataset for each column. Rows gather in memory and go out chunk by chunk.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hdf5_reason.h"
#include "stiction/formats.h"

enum {
    LONGEST_CHUNK = 1024, // rows
    SHORTEST_CHUNK = 64,
    MOST_GATHERED = 1 << 21, // numbers that wait in memory, about
    GZIP_LEVEL = 4
};

typedef struct Hdf5Sink {
    hid_t file;
    int columns;
    hid_t *datasets;
    hsize_t chunk_rows;
    double *rows;    // chunk_rows numbers for each column: those of the present chunk
    hsize_t chunk;   // rows before the present chunk
    hsize_t filled;  // of the present chunk
    hsize_t written; // of these
    int reason;      // errno of the first failure; nothing is written after it
    char **names;    // of the datasets, for each column
    void *empty;     // the file before its first row: what is written again begins with it
    size_t empty_size;
} Hdf5Sink;

static bool keep(Hdf5Sink *sink, bool good)
{
    if (!good && sink->reason == 0) sink->reason = sti_hdf5_reason();
    return good;
}

static bool write_attribute(Hdf5Sink *sink, hid_t owner, const char *name, hid_t type,
                            const void *value)
{
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(owner, name, type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = keep(sink, attribute >= 0 && H5Awrite(attribute, type, value) >= 0);
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(scalar);
    return good;
}

static bool write_text(Hdf5Sink *sink, hid_t owner, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    const bool good = write_attribute(sink, owner, name, type, &text);
    H5Tclose(type);
    return good;
}

static bool write_parameters(Hdf5Sink *sink, const StiPlan *plan)
{
    StiParameter parameter;
    if (plan == NULL) return true;
    const hid_t timeless = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(timeless, false);
    const hid_t group = H5Gcreate2(sink->file, "parameters", H5P_DEFAULT, timeless, H5P_DEFAULT);
    H5Pclose(timeless);
    bool good = keep(sink, group >= 0);
    for (int i = 0; good && sti_plan_parameter(plan, i, &parameter); ++i)
        good = write_attribute(sink, group, parameter.path, H5T_NATIVE_DOUBLE, &parameter.value);
    if (group >= 0) H5Gclose(group);
    return good;
}

// Shorter ones where there are many columns, each of which has one in memory.
static hsize_t rows_in_chunk(int columns)
{
    hsize_t rows = LONGEST_CHUNK;
    while (rows > SHORTEST_CHUNK && rows * (hsize_t)columns > MOST_GATHERED) rows /= 2;
    return rows;
}

// Of what is written chunk by chunk nothing needs to be kept.
static hid_t column_access(hsize_t chunk)
{
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 1, chunk * sizeof(double), 1.0);
    return access;
}

// Chunks of a fixed number of rows; the last one is packed only when it is full, so that it stays in
// its place while it grows. What was never written reads as NaN.
static hid_t column_layout(hsize_t chunk)
{
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    const double nothing = NAN;
    H5Pset_obj_track_times(layout, false); // same run, same bytes
    H5Pset_chunk(layout, 1, &chunk);
    H5Pset_chunk_opts(layout, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
    H5Pset_shuffle(layout);
    H5Pset_deflate(layout, GZIP_LEVEL);
    H5Pset_fill_value(layout, H5T_NATIVE_DOUBLE, &nothing);
    return layout;
}

// Remembers the order in which its members were made.
static hid_t create_ordered_group(Hdf5Sink *sink, const char *name)
{
    const hid_t order = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_obj_track_times(order, false);
    H5Pset_link_creation_order(order, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t group = H5Gcreate2(sink->file, name, H5P_DEFAULT, order, H5P_DEFAULT);
    keep(sink, group >= 0);
    H5Pclose(order);
    return group;
}

static bool is_time(const StiTable *table, int i)
{
    return i == 0 && strcmp(table->columns[i].name, "t") == 0;
}

static bool create_columns(Hdf5Sink *sink, const StiTable *table)
{
    const hsize_t none = 0, any = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(1, &none, &any), layout = column_layout(sink->chunk_rows);
    const hid_t access = column_access(sink->chunk_rows);
    const hid_t group = create_ordered_group(sink, "channels");
    bool good = group >= 0;
    for (int i = 0; good && i < table->column_count; ++i) {
        const StiColumn *column = &table->columns[i];
        sink->datasets[i] = H5Dcreate2(is_time(table, i) ? sink->file : group, column->name,
                                       H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, layout, access);
        good = keep(sink, sink->datasets[i] >= 0);
        if (good && column->unit != NULL && column->unit[0] != '\0')
            good = write_text(sink, sink->datasets[i], "units", column->unit);
    }
    if (group >= 0) H5Gclose(group);
    H5Pclose(access);
    H5Pclose(layout);
    H5Sclose(space);
    return good;
}

static hid_t file_access(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110); // what SWMR needs
    H5Pset_file_locking(access, true, true); // but not where the file system knows no locks
    return access;
}

static bool create_file(Hdf5Sink *sink, const char *path, const StiTable *table)
{
    const hid_t access = file_access();
    const hid_t timeless = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(timeless, false);
    sink->file = H5Fcreate(path, H5F_ACC_TRUNC, timeless, access);
    H5Pclose(timeless);
    bool good = keep(sink, sink->file >= 0);
    H5Pclose(access);
    for (int i = 0; good && i < table->note_count; ++i)
        good = write_text(sink, sink->file, table->notes[i].name, table->notes[i].text);
    return good && write_parameters(sink, table->plan) && create_columns(sink, table);
}

static bool keep_memory(Hdf5Sink *sink, const void *memory)
{
    if (memory == NULL && sink->reason == 0) sink->reason = ENOMEM;
    return memory != NULL;
}

static bool keep_name(Hdf5Sink *sink, int column)
{
    const ssize_t length = H5Iget_name(sink->datasets[column], NULL, 0);
    if (!keep(sink, length > 0)) return false;
    char *name = sink->names[column] = malloc((size_t)length + 1);
    return keep_memory(sink, name) &&
           keep(sink, H5Iget_name(sink->datasets[column], name, (size_t)length + 1) > 0);
}

static bool keep_bytes(Hdf5Sink *sink, const char *path)
{
    FILE *file = fopen(path, "rb");
    bool good = file != NULL && fseek(file, 0, SEEK_END) == 0;
    const long size = good ? ftell(file) : -1;
    good = size > 0 && fseek(file, 0, SEEK_SET) == 0;
    sink->empty_size = good ? (size_t)size : 0;
    sink->empty = good ? malloc(sink->empty_size) : NULL;
    if (good && !keep_memory(sink, sink->empty)) good = false;
    good = good && fread(sink->empty, 1, sink->empty_size, file) == sink->empty_size;
    if (!good && sink->reason == 0) sink->reason = errno != 0 ? errno : EIO;
    if (file != NULL) fclose(file);
    return good;
}

// The file as it is without rows is closed, and its bytes are kept.
static bool close_empty(Hdf5Sink *sink, const char *path)
{
    for (int i = 0; i < sink->columns; ++i)
        if (!keep_name(sink, i)) return false;
    for (int i = 0; i < sink->columns; ++i)
        if (!keep(sink, H5Dclose(sink->datasets[i]) >= 0)) return false;
    return keep(sink, H5Fclose(sink->file) >= 0) && keep_bytes(sink, path);
}

// An empty file is opened for rows.
static bool begin_rows(Hdf5Sink *sink, const char *path)
{
    const hid_t whole = file_access(), column = column_access(sink->chunk_rows);
    sink->file = H5Fopen(path, H5F_ACC_RDWR, whole);
    bool good = keep(sink, sink->file >= 0);
    for (int i = 0; good && i < sink->columns; ++i) {
        sink->datasets[i] = H5Dopen2(sink->file, sink->names[i], column);
        good = keep(sink, sink->datasets[i] >= 0);
    }
    H5Pclose(column);
    H5Pclose(whole);
    return good && keep(sink, H5Fstart_swmr_write(sink->file) >= 0);
}

// ---- rows ---------------------------------------------------------------------------------------

static bool write_column(Hdf5Sink *sink, int column)
{
    const hsize_t start = sink->chunk + sink->written, end = sink->chunk + sink->filled;
    const hsize_t count = end - start;
    if (H5Dset_extent(sink->datasets[column], &end) < 0) return keep(sink, false);
    const hid_t there = H5Dget_space(sink->datasets[column]);
    const hid_t here = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &count, NULL);
    const double *rows = sink->rows + (hsize_t)column * sink->chunk_rows + sink->written;
    const bool good = keep(sink, H5Dwrite(sink->datasets[column], H5T_NATIVE_DOUBLE, here, there,
                                          H5P_DEFAULT, rows) >= 0);
    H5Sclose(here);
    H5Sclose(there);
    return good;
}

static bool write_rows(Hdf5Sink *sink)
{
    for (int i = 0; sink->written < sink->filled && i < sink->columns; ++i)
        if (!write_column(sink, i)) return false;
    sink->written = sink->filled;
    return true;
}

static bool finish_chunk(Hdf5Sink *sink)
{
    if (!write_rows(sink)) return false;
    sink->chunk += sink->chunk_rows;
    sink->filled = sink->written = 0;
    return true;
}

// The first column last: as long as it is, so many rows are whole.
static bool flush_columns(Hdf5Sink *sink)
{
    for (int i = sink->columns - 1; i >= 0; --i)
        if (!keep(sink, H5Dflush(sink->datasets[i]) >= 0)) return false;
    return true;
}

static bool check_written(const Hdf5Sink *sink)
{
    if (sink->reason != 0) errno = sink->reason;
    return sink->reason == 0;
}

static bool hdf5_row(void *inside, const double *values)
{
    Hdf5Sink *sink = inside;
    if (sink->reason != 0) return check_written(sink);
    for (int i = 0; i < sink->columns; ++i)
        sink->rows[(hsize_t)i * sink->chunk_rows + sink->filled] = values[i];
    if (++sink->filled < sink->chunk_rows) return true;
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    finish_chunk(sink);
    sti_hdf5_silence_end(silence);
    return check_written(sink);
}

static bool hdf5_flush(void *inside)
{
    Hdf5Sink *sink = inside;
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    if (sink->reason == 0 && write_rows(sink)) flush_columns(sink);
    sti_hdf5_silence_end(silence);
    return check_written(sink);
}

// After a failure HDF5's own objects are left behind: to close them writes, what then arrives is
// chance, and the file would be worse for it.
static bool close_all(Hdf5Sink *sink)
{
    for (int i = 0; sink->reason == 0 && i < sink->columns; ++i)
        keep(sink, H5Dclose(sink->datasets[i]) >= 0);
    if (sink->reason == 0) keep(sink, H5Fclose(sink->file) >= 0);
    return sink->reason == 0;
}

static bool release(Hdf5Sink *sink)
{
    close_all(sink);
    for (int i = 0; sink->names != NULL && i < sink->columns; ++i) free(sink->names[i]);
    free(sink->names);
    free(sink->empty);
    const bool good = sink->reason == 0;
    const int reason = good ? errno : sink->reason;
    free(sink->datasets);
    free(sink->rows);
    free(sink);
    errno = reason;
    return good;
}

static bool hdf5_close(void *inside)
{
    Hdf5Sink *sink = inside;
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    if (sink->reason == 0) write_rows(sink);
    const bool good = release(sink);
    sti_hdf5_silence_end(silence);
    return good;
}

// ---- the same rows in another file --------------------------------------------------------------

static bool write_empty(Hdf5Sink *copy, const char *path)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(copy->empty, 1, copy->empty_size, file) == copy->empty_size;
    good = (file == NULL || fclose(file) == 0) && good;
    if (!good) copy->reason = errno != 0 ? errno : EIO;
    return good;
}

static bool read_column(Hdf5Sink *from, int column, hsize_t start, hsize_t count, double *rows)
{
    const hid_t there = H5Dget_space(from->datasets[column]);
    const hid_t here = H5Screate_simple(1, &count, NULL);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &count, NULL);
    const bool good = keep(from, H5Dread(from->datasets[column], H5T_NATIVE_DOUBLE, here, there,
                                         H5P_DEFAULT, rows) >= 0);
    H5Sclose(here);
    H5Sclose(there);
    return good;
}

// Chunk after chunk, by the calls that a file takes which is never flushed.
static bool copy_rows(Hdf5Sink *from, Hdf5Sink *copy)
{
    const hsize_t total = from->chunk + from->filled;
    for (hsize_t at = 0; at < total; at += copy->chunk_rows) {
        copy->filled = total - at < copy->chunk_rows ? total - at : copy->chunk_rows;
        for (int i = 0; i < copy->columns; ++i)
            if (!read_column(from, i, at, copy->filled, copy->rows + (hsize_t)i * copy->chunk_rows))
                return false;
        if (!(copy->filled == copy->chunk_rows ? finish_chunk : write_rows)(copy)) return false;
    }
    return true;
}

static bool hdf5_rewrite(void *inside, const char *path)
{
    Hdf5Sink *sink = inside;
    if (sink->reason != 0) return check_written(sink);
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    Hdf5Sink copy = *sink; // its rows are in the file, so that their memory is free
    bool good = write_rows(sink);
    copy.chunk = copy.filled = copy.written = 0;
    copy.datasets = calloc((size_t)sink->columns, sizeof *copy.datasets);
    good = good && keep_memory(&copy, copy.datasets) && write_empty(&copy, path) &&
           begin_rows(&copy, path) && copy_rows(sink, &copy) && close_all(&copy);
    if (!good) errno = copy.reason != 0 ? copy.reason : sink->reason;
    free(copy.datasets);
    sti_hdf5_silence_end(silence);
    return good;
}

static void *hdf5_open(const char *path, const StiTable *table)
{
    Hdf5Sink *sink = calloc(1, sizeof *sink);
    if (sink == NULL) return NULL;
    const size_t columns = (size_t)table->column_count;
    sink->columns = table->column_count;
    sink->datasets = calloc(columns, sizeof *sink->datasets);
    sink->chunk_rows = rows_in_chunk(table->column_count);
    sink->rows = calloc(columns * sink->chunk_rows, sizeof *sink->rows);
    sink->names = calloc(columns, sizeof *sink->names);
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    if (sink->datasets == NULL || sink->rows == NULL || sink->names == NULL) sink->reason = ENOMEM;
    const bool good = sink->reason == 0 && create_file(sink, path, table) &&
                      close_empty(sink, path) && begin_rows(sink, path);
    const bool made = sink->file > 0;
    if (!good) {
        release(sink);
        const int reason = errno;
        if (made) remove(path);
        errno = reason;
    }
    sti_hdf5_silence_end(silence);
    return good ? sink : NULL;
}

// Nothing else of HDF5 may come before: it would register its exit handler.
void sti_hdf5_stay_away_from_exit(void) { H5dont_atexit(); }

const StiSinkKind sti_sink_hdf5 = {
    .table_size = sizeof(StiSinkKind),
    .ending = ".h5",
    .summary = "HDF5, compressed, with units; for h5py and MATLAB",
    .open = hdf5_open,
    .row = hdf5_row,
    .flush = hdf5_flush,
    .rewrite = hdf5_rewrite,
    .close = hdf5_close,
};
