// Reading back what hdf5.c wrote.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hdf5_reason.h"
#include "stiction/formats.h"

enum { LONGEST_CHUNK = 1 << 20 }; // rows

typedef struct Column {
    char *name, *unit;
    hid_t dataset;
} Column;

struct StiHdf5 {
    hid_t file;
    int count, capacity;
    Column *columns;
    hsize_t rows;
    bool failed; // for want of memory
};

static char *copied(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

// "" where there is none.
static char *read_unit(hid_t dataset)
{
    char *text = NULL, *unit = NULL;
    if (H5Aexists(dataset, "units") <= 0) return copied("");
    const hid_t attribute = H5Aopen(dataset, "units", H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    if (H5Tis_variable_str(type) > 0 && H5Aread(attribute, type, &text) >= 0 && text != NULL) {
        unit = copied(text);
        H5free_memory(text);
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return unit != NULL ? unit : copied("");
}

// A file can claim any number of rows; those that were written take room in it. After a killed writer
// there may be fewer than are claimed.
static hsize_t stored_rows(hid_t dataset)
{
    const hid_t layout = H5Dget_create_plist(dataset), space = H5Dget_space(dataset);
    hsize_t rows = 0, chunk = 0, chunks = 0;
    if (H5Pget_layout(layout) != H5D_CHUNKED)
        rows = H5Dget_storage_size(dataset) / sizeof(float);
    else if (H5Pget_chunk(layout, 1, &chunk) == 1 && chunk <= LONGEST_CHUNK &&
             H5Dget_num_chunks(dataset, space, &chunks) >= 0 && chunks <= INT64_MAX / LONGEST_CHUNK)
        rows = chunk * chunks;
    H5Sclose(space);
    H5Pclose(layout);
    return rows;
}

static bool is_column(hid_t dataset, hsize_t *rows)
{
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const bool good = H5Sget_simple_extent_ndims(space) == 1 && H5Tget_class(type) == H5T_FLOAT &&
                      H5Sget_simple_extent_dims(space, rows, NULL) == 1;
    H5Tclose(type);
    H5Sclose(space);
    const hsize_t stored = good ? stored_rows(dataset) : 0;
    if (good && *rows > stored) *rows = stored;
    return good;
}

static bool add_column(StiHdf5 *file, hid_t place, const char *name)
{
    hsize_t rows;
    const hid_t dataset = H5Dopen2(place, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    if (!is_column(dataset, &rows)) {
        H5Dclose(dataset);
        return false;
    }
    if (file->count == file->capacity) {
        const int capacity = 2 * file->capacity + 16;
        Column *more = realloc(file->columns, (size_t)capacity * sizeof *more);
        if (more == NULL) {
            file->failed = true;
            H5Dclose(dataset);
            return false;
        }
        file->columns = more;
        file->capacity = capacity;
    }
    if (file->count == 0 || rows < file->rows) file->rows = rows;
    const Column column = {copied(name), read_unit(dataset), dataset};
    file->columns[file->count++] = column;
    if (column.name == NULL || column.unit == NULL) file->failed = true;
    return true;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    (void)info;
    add_column(context, group, name);
    return 0;
}

// Channels in the order in which they were made, where that was kept; else by name.
static bool find_columns(StiHdf5 *file)
{
    if (H5Lexists(file->file, "t", H5P_DEFAULT) > 0) add_column(file, file->file, "t");
    if (H5Lexists(file->file, "channels", H5P_DEFAULT) <= 0) return file->count > 0;
    const hid_t group = H5Gopen2(file->file, "channels", H5P_DEFAULT);
    if (group < 0) return false;
    if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, visit, file) < 0)
        H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, file);
    H5Gclose(group);
    return file->count > 0;
}

// A file whose writer was killed, or that is still being written, opens as one reader of many only.
static hid_t open_file(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return file >= 0 ? file : H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
}

StiHdf5 *sti_hdf5_open(const char *path)
{
    StiHdf5 *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    file->file = open_file(path);
    int reason = file->file < 0 ? sti_hdf5_reason() : 0;
    if (reason == EIO) reason = 0;
    const bool good = file->file >= 0 && find_columns(file) && !file->failed;
    if (file->failed) reason = ENOMEM;
    sti_hdf5_silence_end(silence);
    if (good) return file;
    sti_hdf5_close(file);
    errno = reason;
    return NULL;
}

void sti_hdf5_close(StiHdf5 *file)
{
    if (file == NULL) return;
    for (int i = 0; i < file->count; ++i) {
        H5Dclose(file->columns[i].dataset);
        free(file->columns[i].name);
        free(file->columns[i].unit);
    }
    if (file->file > 0) H5Fclose(file->file);
    free(file->columns);
    free(file);
}

int sti_hdf5_columns(const StiHdf5 *file) { return file->count; }

StiColumn sti_hdf5_column(const StiHdf5 *file, int column)
{
    return (StiColumn){file->columns[column].name, file->columns[column].unit};
}

int64_t sti_hdf5_rows(const StiHdf5 *file) { return (int64_t)file->rows; }

StiStatus sti_hdf5_read_part(const StiHdf5 *file, int column, int64_t first, int64_t rows,
                             double *values)
{
    const hsize_t start = (hsize_t)first, count = (hsize_t)rows;
    if (rows == 0) return STI_OK;
    if (first < 0 || rows < 0 || start > file->rows || count > file->rows - start)
        return STI_BAD_ARGUMENT;
    const Hdf5Silence silence = sti_hdf5_silence_begin();
    const hid_t there = H5Dget_space(file->columns[column].dataset);
    const hid_t here = H5Screate_simple(1, &count, NULL);
    const bool good = H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                      H5Dread(file->columns[column].dataset, H5T_NATIVE_DOUBLE, here, there,
                              H5P_DEFAULT, values) >= 0;
    H5Sclose(here);
    H5Sclose(there);
    sti_hdf5_silence_end(silence);
    return good ? STI_OK : STI_FILE_ERROR;
}

StiStatus sti_hdf5_read(const StiHdf5 *file, int column, double *values)
{
    return sti_hdf5_read_part(file, column, 0, (int64_t)file->rows, values);
}
