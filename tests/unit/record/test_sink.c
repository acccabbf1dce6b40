#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stiction/sink.h"

static const StiColumn columns[] = {{"t", "s"}, {"block.v", "m/s"}};
static const StiTable table = {.columns = columns, .column_count = 2};

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file != NULL) fclose(file);
    return file != NULL;
}

static void assert_text(const char *path, const char *expected)
{
    char text[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void write_rows(StiSink *sink)
{
    assert_non_null(sink);
    assert_int_equal(sti_sink_row(sink, (const double[]){0.0, 0.1}), STI_OK);
    assert_int_equal(sti_sink_row(sink, (const double[]){1e-3, -0.0}), STI_OK);
    assert_int_equal(sti_sink_flush(sink), STI_OK);
}

static const char rows[] = "t,block.v\n0,0.10000000000000001\n0.001,-0\n";

static void a_file_takes_its_name_when_it_is_complete(void **state)
{
    (void)state;
    remove("a.csv");
    StiSink *sink = sti_sink_open(&sti_sink_csv, "a.csv", &table);
    write_rows(sink);
    assert_text("a.csv.partial", rows); // flushed
    assert_false(is_there("a.csv"));
    assert_int_equal(sti_sink_close(sink, true), STI_OK);
    assert_text("a.csv", rows);
    assert_false(is_there("a.csv.partial"));
}

static void an_earlier_file_stays_until_then(void **state)
{
    (void)state;
    FILE *file = fopen("b.csv", "w");
    assert_non_null(file);
    fputs("earlier", file);
    fclose(file);
    StiSink *sink = sti_sink_open(&sti_sink_csv, "b.csv", &table);
    write_rows(sink);
    assert_int_equal(sti_sink_close(sink, false), STI_OK);
    assert_text("b.csv", "earlier");
    assert_text("b.csv.partial", rows);
}

static void failures_have_a_reason(void **state)
{
    (void)state;
    assert_null(sti_sink_open(&sti_sink_csv, "nowhere/c.csv", &table));
    assert_int_equal(errno, ENOENT);
}

// A format of one's own, which fails when it is told to.
typedef struct Failing {
    bool row, closed;
} Failing;
static Failing failing;

static void *open_failing(const char *path, const StiTable *about)
{
    (void)path, (void)about;
    return &failing;
}

static bool row_failing(void *sink, const double *values)
{
    (void)values;
    errno = ENOSPC;
    return !((Failing *)sink)->row;
}

static bool flush_failing(void *sink)
{
    (void)sink;
    return true;
}

static bool close_failing(void *sink)
{
    ((Failing *)sink)->closed = true;
    return true;
}

static void a_row_that_failed_keeps_the_file_from_its_name(void **state)
{
    (void)state;
    const StiSinkKind kind = {.table_size = sizeof(StiSinkKind), .ending = ".none",
                              .open = open_failing,
                              .row = row_failing,
                              .flush = flush_failing,
                              .close = close_failing};
    FILE *file = fopen("d.none.partial", "w");
    assert_non_null(file);
    fclose(file);
    failing = (Failing){.row = true};
    StiSink *sink = sti_sink_open(&kind, "d.none", &table);
    assert_non_null(sink);
    assert_int_equal(sti_sink_row(sink, (const double[]){0, 0}), STI_FILE_ERROR);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(sti_sink_close(sink, true), STI_FILE_ERROR);
    assert_true(failing.closed);
    assert_false(is_there("d.none"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_takes_its_name_when_it_is_complete),
        cmocka_unit_test(an_earlier_file_stays_until_then),
        cmocka_unit_test(failures_have_a_reason),
        cmocka_unit_test(a_row_that_failed_keeps_the_file_from_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
