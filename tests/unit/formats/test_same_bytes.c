// When rows were flushed does not show in a complete file; and what was flushed is in the file.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/formats.h"
#include "support/random.h"

enum { COLUMNS = 4 };

static const StiColumn columns[COLUMNS] = {
    {"t", "s"}, {"body.v", "m/s"}, {"body.x", "m"}, {"friction.stick", NULL}};

typedef struct File {
    unsigned char *bytes;
    size_t size;
} File;

static File read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    File found = {.size = (size_t)ftell(file)};
    rewind(file);
    found.bytes = malloc(found.size + 1);
    assert_non_null(found.bytes);
    assert_int_equal(fread(found.bytes, 1, found.size, file), found.size);
    fclose(file);
    return found;
}

static uint64_t number_at(const File *file, size_t place, int width)
{
    uint64_t value = 0;
    for (int i = width; i > 0; --i) value = value << 8 | file->bytes[place + (size_t)i - 1];
    return value;
}

// Messages of one topic between two places, as a reader meets them that goes on as long as records are whole.
static int count_messages(const File *file, size_t from, size_t to)
{
    int count = 0;
    while (from + 9 <= to) {
        const int opcode = file->bytes[from];
        const uint64_t length = number_at(file, from + 1, 8);
        const size_t content = from + 9;
        if (length > to - content) break;
        if (opcode == 5) count += number_at(file, content, 2) == 0;
        if (opcode == 6) count += count_messages(file, content + 40, content + length);
        from = content + length;
    }
    return count;
}

static void assert_flushed(const StiSinkKind *kind, const StiSink *sink, int rows)
{
    if (kind != &sti_sink_mcap) return;
    File file = read_file(sti_sink_draft(sink));
    assert_int_equal(count_messages(&file, 8, file.size), rows);
    free(file.bytes);
}

// random: NULL, or flushed at places that it says.
static File write_file(const StiSinkKind *kind, int rows, Random *random)
{
    const StiNote note = {"title", "four columns"};
    const StiTable table = {
        .columns = columns, .column_count = COLUMNS, .notes = &note, .note_count = 1};
    StiSink *sink = sti_sink_open(kind, "same", &table);
    assert_non_null(sink);
    for (int k = 0; k < rows; ++k) {
        const double row[COLUMNS] = {0.001 * k, sin(0.01 * k), 1.0 / (k + 1), k % 100 < 50};
        assert_int_equal(sti_sink_row(sink, row), STI_OK);
        if (random == NULL || random_below(random, 1 + rows / 5) != 0) continue;
        assert_int_equal(sti_sink_flush(sink), STI_OK);
        assert_flushed(kind, sink, k + 1);
    }
    assert_int_equal(sti_sink_close(sink, true), STI_OK);
    return read_file("same");
}

static void flushes_do_not_show(const StiSinkKind *kind)
{
    static const int rows[] = {1, 2, 700, 1024, 2500, 6000};
    Random random = {3};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        File plain = write_file(kind, rows[i], NULL);
        for (int trial = 0; trial < 5; ++trial) {
            File flushed = write_file(kind, rows[i], &random);
            assert_int_equal(flushed.size, plain.size);
            assert_memory_equal(flushed.bytes, plain.bytes, plain.size);
            free(flushed.bytes);
        }
        free(plain.bytes);
    }
    FILE *left = fopen("same.2.partial", "rb");
    assert_null(left);
    remove("same");
}

static void csv(void **state)
{
    (void)state;
    flushes_do_not_show(&sti_sink_csv);
}

static void hdf5(void **state)
{
    (void)state;
    flushes_do_not_show(&sti_sink_hdf5);
}

static void mcap(void **state)
{
    (void)state;
    flushes_do_not_show(&sti_sink_mcap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(csv), cmocka_unit_test(hdf5),
                                       cmocka_unit_test(mcap)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
