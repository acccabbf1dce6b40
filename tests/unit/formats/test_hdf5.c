#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stiction/formats.h"

enum { ROWS = 2500, COLUMNS = 3 }; // more than two chunks

static const StiColumn columns[COLUMNS] = {{"t", "s"}, {"b.v", "m/s"}, {"a", NULL}};

static void find_row(int k, double *row)
{
    row[0] = 0.1 * k;
    row[1] = sin((double)k);
    row[2] = k % 7 == 0 ? -0.0 : 1.0 / (k + 1);
}

static void write_file(const char *path, bool complete)
{
    const StiNote note = {"title", "two columns"};
    const StiTable table = {.columns = columns,
                            .column_count = COLUMNS,
                            .notes = &note,
                            .note_count = 1};
    StiSink *sink = sti_sink_open(&sti_sink_hdf5, path, &table);
    assert_non_null(sink);
    for (int k = 0; k < ROWS; ++k) {
        double row[COLUMNS];
        find_row(k, row);
        assert_int_equal(sti_sink_row(sink, row), STI_OK);
        if (k % 700 == 3) assert_int_equal(sti_sink_flush(sink), STI_OK); // amid a chunk
    }
    assert_int_equal(sti_sink_close(sink, complete), STI_OK);
}

static void assert_content(const char *path)
{
    StiHdf5 *file = sti_hdf5_open(path);
    assert_non_null(file);
    assert_int_equal(sti_hdf5_columns(file), COLUMNS);
    assert_int_equal(sti_hdf5_rows(file), ROWS);
    double *values = malloc(ROWS * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < COLUMNS; ++i) {
        const StiColumn column = sti_hdf5_column(file, i);
        assert_string_equal(column.name, columns[i].name);
        assert_string_equal(column.unit, columns[i].unit != NULL ? columns[i].unit : "");
        assert_int_equal(sti_hdf5_read(file, i, values), STI_OK);
        for (int k = 0; k < ROWS; ++k) {
            double row[COLUMNS];
            find_row(k, row);
            assert_memory_equal(&values[k], &row[i], sizeof(double));
        }
    }
    free(values);
    sti_hdf5_close(file);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    remove("whole.h5");
    write_file("whole.h5", true);
    assert_content("whole.h5");
    assert_null(sti_hdf5_open("whole.h5.partial"));
    assert_int_equal(errno, ENOENT);
}

static void an_incomplete_file_keeps_its_preliminary_name(void **state)
{
    (void)state;
    remove("cut.h5");
    write_file("cut.h5", false);
    assert_content("cut.h5.partial");
    assert_null(sti_hdf5_open("cut.h5"));
}

static void a_file_of_one_row(void **state)
{
    (void)state;
    const StiTable table = {.columns = columns, .column_count = COLUMNS};
    const double row[COLUMNS] = {0, 1, 2};
    StiSink *sink = sti_sink_open(&sti_sink_hdf5, "growing.h5", &table);
    assert_non_null(sink);
    assert_int_equal(sti_sink_row(sink, row), STI_OK);
    assert_int_equal(sti_sink_flush(sink), STI_OK);
    assert_int_equal(sti_sink_close(sink, true), STI_OK);
    StiHdf5 *file = sti_hdf5_open("growing.h5");
    assert_non_null(file);
    assert_int_equal(sti_hdf5_rows(file), 1);
    sti_hdf5_close(file);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    FILE *file = fopen("other.h5", "w");
    assert_non_null(file);
    fputs("t,block.x\n0,1\n", file);
    fclose(file);
    assert_null(sti_hdf5_open("other.h5"));
    assert_int_equal(errno, 0);
    const StiTable table = {.columns = columns, .column_count = COLUMNS};
    assert_null(sti_sink_open(&sti_sink_hdf5, "nowhere/out.h5", &table));
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(an_incomplete_file_keeps_its_preliminary_name),
        cmocka_unit_test(a_file_of_one_row),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
