// Rows for display: what is kept was recorded, and no extreme is lost.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "report/json.h"
#include "report/report_rows.h"

enum { COLUMNS = 4, ROWS = 50000 };

static void signal_row(int64_t i, double row[COLUMNS])
{
    const double t = 1e-3 * (double)i;
    row[0] = t;
    row[1] = sin(7.0 * t) + (i == 31234 ? 5.0 : 0.0); // one peak in one row
    row[2] = cos(300.0 * t);
    row[3] = i == 123 ? NAN : (double)(i % 997 == 0);
}

static Rows filled(bool full)
{
    Rows rows = rows_create(COLUMNS, full);
    double row[COLUMNS];
    for (int64_t i = 0; i < ROWS; ++i) {
        signal_row(i, row);
        rows_add(&rows, row);
    }
    return rows;
}

static void least_and_greatest(const Rows *rows, int column, double *least, double *greatest)
{
    *least = INFINITY;
    *greatest = -INFINITY;
    for (int64_t i = 0; i < rows->count; ++i) {
        *least = fmin(*least, rows->values[i * COLUMNS + column]);
        *greatest = fmax(*greatest, rows->values[i * COLUMNS + column]);
    }
}

static void thinned_rows_are_recorded_rows(void **state)
{
    (void)state;
    Rows rows = filled(false);
    rows_thin(&rows, 3000);
    assert_in_range(rows.count, 1000, 3000);
    assert_int_equal(rows.seen, ROWS);
    for (int64_t i = 0; i < rows.count; ++i) {
        double row[COLUMNS];
        const int64_t k = (int64_t)round(1e3 * rows.values[i * COLUMNS]);
        signal_row(k, row);
        if (k != 123) assert_memory_equal(row, rows.values + i * COLUMNS, sizeof row);
        if (i > 0) assert_true(rows.values[i * COLUMNS] > rows.values[(i - 1) * COLUMNS]);
    }
    assert_true(rows.values[0] == 0.0);
    assert_true(rows.values[(rows.count - 1) * COLUMNS] == 1e-3 * (ROWS - 1));
    rows_release(&rows);
}

static void no_extreme_is_lost(void **state)
{
    (void)state;
    Rows all = filled(true), rows = filled(false);
    rows_thin(&rows, 500);
    for (int column = 1; column < COLUMNS; ++column) {
        double least, greatest, kept_least, kept_greatest;
        least_and_greatest(&all, column, &least, &greatest);
        least_and_greatest(&rows, column, &kept_least, &kept_greatest);
        assert_true(least == kept_least && greatest == kept_greatest);
    }
    rows_release(&all);
    rows_release(&rows);
}

static void full_rows_stay(void **state)
{
    (void)state;
    Rows rows = filled(true);
    rows_thin(&rows, 10);
    assert_int_equal(rows.count, ROWS);
    rows_release(&rows);
}

// More rows than are kept in memory: the buffer thins itself and goes on.
static void endless_recordings_stay_small(void **state)
{
    (void)state;
    enum { WIDE = 2000 };
    Rows rows = rows_create(WIDE, false);
    double *row = calloc(WIDE, sizeof *row);
    assert_non_null(row);
    for (int i = 0; i < 9000; ++i) {
        row[0] = i;
        row[1] = i == 777 ? -3.0 : 0.0;
        rows_add(&rows, row);
    }
    assert_true(rows.capacity <= 4000000 / WIDE);
    assert_int_equal(rows.seen, 9000);
    bool found = false;
    for (int64_t i = 0; i < rows.count; ++i) found = found || rows.values[i * WIDE + 1] == -3.0;
    assert_true(found);
    free(row);
    rows_release(&rows);
}

static void check_json(void (*write)(FILE *), const char *expected)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    write(file);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
}

static void write_text(FILE *file) { json_text(file, "a\"b\\</script>\n\x7f"); }
static void write_bytes(FILE *file) { json_bytes(file, "light wor", 8); }
static void write_numbers(FILE *file)
{
    json_numbers(file, (const double[]){0.1, 1.0 / 3.0, NAN, -1e300, 5e-324}, 5);
}

static void json_is_safe_inside_a_page(void **state)
{
    (void)state;
    check_json(write_text, "\"a\\u0022b\\u005c\\u003c/script\\u003e\\u000a\\u007f\"");
    check_json(write_bytes, "\"bGlnaHQgd28=\"");
    check_json(write_numbers, "[0.1,0.33333333333333331,null,-1e+300,4.94066e-324]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thinned_rows_are_recorded_rows),
        cmocka_unit_test(no_extreme_is_lost),
        cmocka_unit_test(full_rows_stay),
        cmocka_unit_test(endless_recordings_stay_small),
        cmocka_unit_test(json_is_safe_inside_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
