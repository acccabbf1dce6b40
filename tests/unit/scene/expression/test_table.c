#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "expression/table.h"

static void write_bytes(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static const Table *read_text(const char *text, const char *time, const char *column,
                              StiArena *arena, char *error, size_t error_size)
{
    write_bytes("table.csv", text, strlen(text));
    error[0] = '\0';
    const Table *table =
        scene_table_read("table.csv", time, column, false, arena, error, error_size);
    remove("table.csv");
    return table;
}

// What can stand in a CSV file without meaning something else.
static void the_same_table_in_many_spellings(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "t,x\n0,1\n2,-3\n",
        "t,x\n0,1\n2,-3",
        "t,x\r\n0,1\r\n2,-3\r\n",
        "t,x\r0,1\r2,-3\r",
        "\n\nt,x\n\n0,1\n   \n2,-3\n\n\n",
        "\"t\",\"x\"\n\"0\",\"1\"\n\"2\",\"-3\"\n",
        "  t ,\tx \n 0 , 1\n2\t,  -3 \n",
        "\xef\xbb\xbft,x\n0,1\n2,-3\n",
        "t,y,x\n0,text,1\n2,\"a, \"\"b\"\"\",-3\n",
        "t,x,\n0,1,\n2,-3,\n",
        "t,x\n0e0,1.\n+2.0,-.3E1\n",
        "t,,x\n0,,1\n2,,-3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        StiArena arena = {0};
        char error[300];
        const Table *table = read_text(texts[i], NULL, "x", &arena, error, sizeof error);
        assert_string_equal(error, "");
        assert_non_null(table);
        assert_int_equal(table->count, 2);
        assert_true(table->t[0] == 0.0 && table->t[1] == 2.0 && table->x[0] == 1.0 &&
                    table->x[1] == -3.0);
        sti_arena_release(&arena);
    }
}

static void columns_are_found_by_name(void **state)
{
    (void)state;
    const char *text = "a,\"force, N\",\"the \"\"time\"\"\",b\n1,2,3,4\n5,6,7,8\n";
    StiArena arena = {0};
    char error[300];
    const Table *table = read_text(text, "the \"time\"", "force, N", &arena, error, sizeof error);
    assert_non_null(table);
    assert_true(table->t[0] == 3.0 && table->t[1] == 7.0 && table->x[0] == 2.0 &&
                table->x[1] == 6.0);
    table = read_text(text, NULL, "b", &arena, error, sizeof error);
    assert_true(table->t[1] == 5.0 && table->x[1] == 8.0);
    table = read_text(text, NULL, "a", &arena, error, sizeof error); // the time itself
    assert_true(table->t[1] == 5.0 && table->x[1] == 5.0);
    sti_arena_release(&arena);
}

static void broken_tables_have_helpful_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text, *time, *column, *message;
    } cases[] = {
        {"", NULL, "x", "table.csv: the file is empty: a header row and numbers are expected"},
        {"\n \n", NULL, "x", "table.csv: the file is empty: a header row and numbers are expected"},
        {"t,x\n", NULL, "x", "table.csv: there are no rows below the header"},
        {"0,1\n1,2\n", NULL, "x",
         "table.csv:1:1: the first row must name the columns, but this is a number"},
        {"t,force\n0,1\n", NULL, "forec",
         "table.csv: no column is called 'forec'; did you mean 'force'?"},
        {"t,x\n0,1\n", "time", "x",
         "table.csv: no column is called 'time'; the header begins with 't'"},
        {"t;x\n0;1\n", NULL, "x", "table.csv: the fields of a row must be separated by commas"},
        {"t\tx\n0\t1\n", NULL, "x", "table.csv: the fields of a row must be separated by commas"},
        {"t,x,x\n0,1,2\n", NULL, "x", "table.csv: two columns are called 'x'"},
        {"t,x\n0,1\n\n1,two\n", NULL, "x", "table.csv:4:3: 'two' is not a number"},
        {"t,x\n0,1\n1, nan\n", NULL, "x", "table.csv:3:4: 'nan' is not a number"},
        {"t,x\n0,0x1F\n", NULL, "x", "table.csv:2:3: '0x1F' is not a number"},
        {"t,x\n0,1 2\n", NULL, "x", "table.csv:2:3: '1 2' is not a number"},
        {"t,x\n0,\n", NULL, "x", "table.csv:2:3: a number is missing"},
        {"t,x\n0,1e400\n", NULL, "x", "table.csv:2:3: 1e400 is too large"},
        {"t,x\n0\n", NULL, "x", "table.csv:2:1: this row has 1 field, the header has 2"},
        {"t,x\n0,1,5\n", NULL, "x", "table.csv:2:1: this row has 3 fields, the header has 2"},
        {"t,x\n0,1\n1,2\n1,3\n", NULL, "x",
         "table.csv:4:1: times must increase from row to row, but 1 follows 1"},
        {"x,t\n0,1\n1,0.5\n", "t", "x",
         "table.csv:3:3: times must increase from row to row, but 0.5 follows 1"},
        {"t,x\n0,\"1\n2\",3\n", NULL, "x", "table.csv:2:3: this quote is not closed on its line"},
        {"t,x\n0,\"1\"2\n", NULL, "x",
         "table.csv:2:6: a comma is expected after a field in quotes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        StiArena arena = {0};
        char error[300];
        assert_null(
            read_text(cases[i].text, cases[i].time, cases[i].column, &arena, error, sizeof error));
        assert_string_equal(error, cases[i].message);
        char small[5];
        assert_null(
            read_text(cases[i].text, cases[i].time, cases[i].column, &arena, small, sizeof small));
        assert_memory_equal(small, "tabl", 5);
        sti_arena_release(&arena);
    }
}

static void files_that_are_none(void **state)
{
    (void)state;
    StiArena arena = {0};
    char error[300];
    assert_null(scene_table_read("nowhere.csv", NULL, "x", false, &arena, error, sizeof error));
    assert_string_equal(error, "nowhere.csv: No such file or directory");
    assert_null(scene_table_read(".", NULL, "x", false, &arena, error, sizeof error));
    assert_string_equal(error, ".: Is a directory");
    assert_null(scene_table_read("/dev/zero", NULL, "x", false, &arena, error, sizeof error));
    assert_string_equal(error, "/dev/zero: it is a device, not a file");
    remove("pipe.csv");
    assert_int_equal(mkfifo("pipe.csv", 0600), 0); // opening it would wait for ever
    assert_null(scene_table_read("pipe.csv", NULL, "x", false, &arena, error, sizeof error));
    remove("pipe.csv");
    assert_null(scene_table_read("nowhere.csv", NULL, "x", false, &arena, NULL, 0));
    sti_arena_release(&arena);
}

static Table random_table(Random *random, double *t, double *x, int count, bool hold)
{
    double time = random_between(random, -5, 5);
    for (int i = 0; i < count; ++i) {
        t[i] = time;
        x[i] = random_between(random, -10, 10);
        time += random_decades(random, 1e-3, 10);
    }
    return (Table){count, t, x, hold};
}

static void values_by_interpolation(void **state)
{
    (void)state;
    Random random = {4};
    for (int round = 0; round < 500; ++round) {
        double t[40], x[40];
        const int count = 1 + random_below(&random, 40);
        Table table = random_table(&random, t, x, count, false), held = table;
        held.hold = true;
        for (int i = 0; i < count; ++i) { // at the rows, exactly
            assert_near(scene_table_value(&table, t[i]), x[i], 0);
            assert_near(scene_table_value(&held, t[i]), x[i], 0);
        }
        for (int i = 0; i + 1 < count; ++i) { // between them
            const double share = random_between(&random, 0.001, 0.999), gap = t[i + 1] - t[i];
            const double at = t[i] + share * gap;
            const double expected = x[i] + (x[i + 1] - x[i]) * share;
            assert_near(scene_table_value(&table, at), expected, 1e-10);
            assert_near(scene_table_value(&held, at), x[i], 0);
            assert_near(scene_table_value(&held, nextafter(t[i + 1], -INFINITY)), x[i], 0);
        }
        assert_near(scene_table_value(&table, t[0] - 1), x[0], 0);
        assert_near(scene_table_value(&held, -INFINITY), x[0], 0);
        assert_near(scene_table_value(&table, t[count - 1] + 1), x[count - 1], 0);
        assert_near(scene_table_value(&held, INFINITY), x[count - 1], 0);
        assert_true(isnan(scene_table_value(&table, NAN)));
    }
}

static void rates_are_right_derivatives(void **state)
{
    (void)state;
    Random random = {6};
    for (int round = 0; round < 200; ++round) {
        double t[20], x[20];
        const int count = 2 + random_below(&random, 19);
        Table table = random_table(&random, t, x, count, false);
        for (int i = 0; i + 1 < count; ++i) {
            const double slope = (x[i + 1] - x[i]) / (t[i + 1] - t[i]);
            assert_near(scene_table_rate(&table, t[i]), slope, 0);
            assert_near(scene_table_rate(&table, 0.5 * (t[i] + t[i + 1])), slope, 0);
        }
        assert_near(scene_table_rate(&table, t[count - 1]), 0, 0);
        assert_near(scene_table_rate(&table, nextafter(t[0], -INFINITY)), 0, 0);
        table.hold = true;
        assert_near(scene_table_rate(&table, 0.5 * (t[0] + t[1])), 0, 0);
    }
}

static void a_million_rows_are_read_in_a_moment(void **state)
{
    (void)state;
    const long rows = steps_or(1000000, 50000);
    FILE *file = fopen("large.csv", "wb");
    assert_non_null(file);
    fprintf(file, "t,a,x,b\n");
    for (long i = 0; i < rows; ++i)
        fprintf(file, "%.3f,1,%.17g,2\n", (double)i * 1e-3, sin((double)i));
    fclose(file);
    StiArena arena = {0};
    char error[300] = "";
    const clock_t start = clock();
    const Table *table =
        scene_table_read("large.csv", NULL, "x", true, &arena, error, sizeof error);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    remove("large.csv");
    assert_string_equal(error, "");
    assert_int_equal(table->count, rows);
    assert_true(table->hold);
    for (long i = 0; i < rows; i += 997) assert_near(table->x[i], sin((double)i), 0);
    print_message("%ld rows in %.3f s\n", rows, seconds);
    sti_arena_release(&arena);
}

// Whatever stands in a file: increasing times and finite values, or a message.
static void mutants_never_break_it(void **state)
{
    (void)state;
    static const char seed[] =
        "\"time, s\",force,other\n0,1.5,\"a \"\"b\"\"\"\n0.5,-2e3,\n1, 4 ,x\r\n2,5,6\n";
    Random random = {8};
    int good = 0;
    for (int i = 0; i < 3000; ++i) {
        char text[sizeof seed];
        memcpy(text, seed, sizeof seed);
        size_t length = sizeof seed - 1;
        for (int j = random_below(&random, 3); j >= 0; --j) {
            static const char bytes[] = "0123456789.,,\"\"\n\r eE-+\t;x";
            const int byte = random_below(&random, 30);
            text[random_below(&random, (int)length)] =
                byte < 25 ? bytes[byte] : (char)random_below(&random, 256);
        }
        if (random_below(&random, 4) == 0) length = (size_t)random_below(&random, (int)length);
        write_bytes("mutant.csv", text, length);
        StiArena arena = {0};
        char error[200] = "";
        const Table *table =
            scene_table_read("mutant.csv", NULL, "force", false, &arena, error, sizeof error);
        assert_int_equal(table == NULL, error[0] != '\0');
        for (int j = 0; table != NULL && j < table->count; ++j) {
            assert_true(isfinite(table->t[j]) && isfinite(table->x[j]));
            if (j > 0) assert_true(table->t[j] > table->t[j - 1]);
        }
        good += table != NULL;
        sti_arena_release(&arena);
    }
    remove("mutant.csv");
    assert_true(good > 300 && good < 2700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_table_in_many_spellings),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(broken_tables_have_helpful_messages),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(values_by_interpolation),
        cmocka_unit_test(rates_are_right_derivatives),
        cmocka_unit_test(a_million_rows_are_read_in_a_moment),
        cmocka_unit_test(mutants_never_break_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
