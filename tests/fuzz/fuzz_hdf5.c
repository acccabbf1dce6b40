// HDF5 files of any content (columns of any type, size and layout, units of any kind), made by HDF5 itself: its
// own reading of broken files is not ours to test. What is read is within what was asked for.
#include <hdf5.h>
#include <string.h>

#include "memory_file.h"
#include "stiction/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes {
    const uint8_t *data;
    size_t size, at;
} Bytes;

static unsigned next(Bytes *bytes)
{
    return bytes->at < bytes->size ? bytes->data[bytes->at++] : 0;
}

static hid_t any_type(Bytes *bytes)
{
    const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT,
                           H5T_C_S1,          H5T_IEEE_F64BE,   H5T_STD_I8LE};
    return types[next(bytes) % (sizeof types / sizeof types[0])];
}

static hid_t any_space(Bytes *bytes, bool *empty)
{
    const unsigned rank = next(bytes) % 4;
    const hsize_t exponent = next(bytes) % 62,
                  any[3] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
    hsize_t size[3] = {exponent < 12 ? exponent : (hsize_t)1 << exponent, next(bytes), 1};
    *empty = exponent >= 12 || rank > 1;
    return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple((int)rank, size, any);
}

static void add_unit(Bytes *bytes, hid_t dataset)
{
    const unsigned kind = next(bytes) % 4;
    if (kind == 0) return;
    const hid_t scalar = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    if (kind == 1) H5Tset_size(text, H5T_VARIABLE);
    if (kind == 2) H5Tset_size(text, 7);
    const hid_t attribute = H5Acreate2(dataset, "units", kind == 3 ? H5T_NATIVE_INT : text, scalar,
                                       H5P_DEFAULT, H5P_DEFAULT);
    const char *value = "m/s";
    const char fixed[8] = "rad/s";
    const int number = 3;
    if (attribute >= 0)
        H5Awrite(attribute, kind == 3 ? H5T_NATIVE_INT : text,
                 kind == 1   ? (const void *)&value
                 : kind == 2 ? (const void *)fixed
                             : &number);
    if (attribute >= 0) H5Aclose(attribute);
    H5Tclose(text);
    H5Sclose(scalar);
}

static void add_dataset(Bytes *bytes, hid_t place, const char *name)
{
    bool empty;
    const hid_t type = any_type(bytes), space = any_space(bytes, &empty);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[3] = {(hsize_t)1 << (next(bytes) % 28), 1, 1};
    if (H5Sget_simple_extent_ndims(space) > 0)
        H5Pset_chunk(layout, H5Sget_simple_extent_ndims(space), chunk);
    const hid_t dataset = H5Dcreate2(place, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
    static const double values[16];
    const hsize_t some = 16;
    if (dataset >= 0 && !empty && H5Sget_simple_extent_npoints(space) >= 16 && chunk[0] <= 4096 &&
        H5Tget_class(type) == H5T_FLOAT) {
        const hid_t here = H5Screate_simple(1, &some, NULL), there = H5Dget_space(dataset);
        const hsize_t start = 0;
        H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &some, NULL);
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values);
        H5Sclose(there);
        H5Sclose(here);
    }
    if (dataset >= 0) {
        add_unit(bytes, dataset);
        H5Dclose(dataset);
    }
    H5Pclose(layout);
    H5Sclose(space);
}

static void make_file(Bytes *bytes, const char *name)
{
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) abort();
    if (next(bytes) % 4 != 0) add_dataset(bytes, file, "t");
    const unsigned how = next(bytes) % 8;
    if (how == 0) add_dataset(bytes, file, "channels"); // not a group
    if (how > 1) {
        const hid_t group = H5Gcreate2(file, "channels", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (unsigned i = 0; i < next(bytes) % 6; ++i) {
            char column[16];
            snprintf(column, sizeof column, "c%u", i);
            if (next(bytes) % 5 == 0)
                H5Lcreate_soft("/nowhere", group, column, H5P_DEFAULT, H5P_DEFAULT);
            else
                add_dataset(bytes, group, column);
        }
        H5Gclose(group);
    }
    H5Fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 4096 };
    static double values[MOST + 1];
    Bytes bytes = {data, size, 0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const char *name = memory_file(data, 0);
    make_file(&bytes, name);
    StiHdf5 *file = sti_hdf5_open(name);
    for (int i = 0; file != NULL && i < sti_hdf5_columns(file); ++i) {
        const int64_t rows = sti_hdf5_rows(file), count = rows < MOST ? rows : MOST;
        if (sti_hdf5_column(file, i).name == NULL || sti_hdf5_column(file, i).unit == NULL) abort();
        values[count] = 42.0;
        sti_hdf5_read_part(file, i, rows - count, count, values);
        if (values[count] != 42.0) abort();
        if (sti_hdf5_read_part(file, i, rows, 1, values) == STI_OK) abort();
    }
    sti_hdf5_close(file);
    remove(name);
    return 0;
}
