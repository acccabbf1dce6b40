#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "support/random.h"

static void lengths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"1", 1},   {"12x", 2}, {"1.5", 3},  {".5", 2},    {"1.", 2},    {"1.5e-3+", 6},
                 {"1e5", 3}, {"1e", 1},  {"1e+", 1},  {"1E+07", 5}, {"", 0},      {".", 0},
                 {".e5", 0}, {"e5", 0},  {"-1", 0},   {"+1", 0},    {"1.2.3", 3}, {"0x1F", 1},
                 {"inf", 0}, {"nan", 0}, {"1_000", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(scene_number_length(cases[i].text), cases[i].length);
}

static void whole_texts(void **state)
{
    (void)state;
    double value;
    assert_true(scene_number_read("-1.5e3", 6, &value) && value == -1500.0);
    assert_true(scene_number_read("+.5", 3, &value) && value == 0.5);
    assert_true(scene_number_read("12,5", 2, &value) && value == 12.0); // the text may go on
    assert_true(scene_number_read("1e999", 5, &value) && isinf(value));
    assert_true(scene_number_read("1e-999", 6, &value) && value == 0.0);
    static const char *const wrong[] = {"",     "-",   "+",   "1 ", " 1",  "--1",
                                        "0x10", "inf", "nan", "1e", "1,5", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_false(scene_number_read(wrong[i], strlen(wrong[i]), &value));
    assert_false(scene_number_read("0x10", 1, &value)); // strtod would read on
}

// Every finite number that printf writes with 17 digits comes back with the same bits, in every
// locale.
static void numbers_come_back(void **state)
{
    (void)state;
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8"};
    Random random = {1};
    for (int i = 0; i < 30000; ++i) {
        const uint64_t bits = random_bits(&random);
        double number, back;
        char text[40];
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number)) continue;
        setlocale(LC_ALL, "C");
        snprintf(text, sizeof text, "%.17g", number);
        setlocale(LC_ALL, locales[i % 3]); // where it is installed
        assert_true(scene_number_read(text, strlen(text), &back));
        assert_memory_equal(&back, &number, sizeof number);
    }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),
        cmocka_unit_test(whole_texts),
        cmocka_unit_test(numbers_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
