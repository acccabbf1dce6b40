// Two rows into an HDF5 and an MCAP file, and the first back again.
#include <stdio.h>

#include <stiction/formats.h>

static int write_file(const StiSinkKind *kind, const char *path)
{
    static const StiColumn columns[] = {{"t", "s"}, {"block.v", "m/s"}};
    const StiTable table = {.columns = columns, .column_count = 2};
    StiSink *sink = sti_sink_open(kind, path, &table);
    if (sink == NULL) return 1;
    for (int i = 0; i < 2; ++i) {
        const double row[] = {i, 2.0 * i};
        if (sti_sink_row(sink, row) != STI_OK) return 1;
    }
    return sti_sink_close(sink, true) != STI_OK;
}

int main(void)
{
    double v[2] = {0};
    if (write_file(&sti_sink_hdf5, "two.h5") || write_file(&sti_sink_mcap, "two.mcap")) return 1;
    StiHdf5 *file = sti_hdf5_open("two.h5");
    if (file == NULL || sti_hdf5_rows(file) != 2 || sti_hdf5_read(file, 1, v) != STI_OK) return 1;
    sti_hdf5_close(file);
    printf("formats: v = %g, %g m/s\n", v[0], v[1]);
    return v[1] != 2.0;
}
