// Numbers as text: printf's bytes, whatever the number.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/decimal.h"
#include "support/random.h"
#include "support/short.h"

static void expect_bytes_of_printf(double value)
{
    char text[STI_DECIMAL_SIZE], expected[STI_DECIMAL_SIZE];
    const int length = sti_decimal_write(value, text);
    snprintf(expected, sizeof expected, "%.17g", value);
    assert_string_equal(text, expected);
    assert_int_equal(length, (int)strlen(expected));
}

static double number_of_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void any_bits(void **state)
{
    (void)state;
    Random random = {41};
    for (long i = 0; i < steps_or(1000000, 20000); ++i)
        expect_bytes_of_printf(number_of_bits(random_bits(&random)));
}

// What recordings hold: of the usual sizes, of few digits, steps of time, sums of powers of two (ties), whole numbers.
static void usual_numbers(void **state)
{
    (void)state;
    Random random = {42};
    for (long i = 0; i < steps_or(300000, 5000); ++i) {
        expect_bytes_of_printf(random_between(&random, -10.0, 10.0));
        expect_bytes_of_printf(random_decades(&random, 1e-45, 1e75));
        expect_bytes_of_printf(0.001 * (double)i);
        expect_bytes_of_printf((double)random_below(&random, 100000) /
                               pow(10.0, random_below(&random, 12)));
        expect_bytes_of_printf(
            ldexp((double)(random_bits(&random) >> 11), -random_below(&random, 80)));
        expect_bytes_of_printf((double)(random_bits(&random) >> random_below(&random, 64)));
    }
}

static void around_powers_of_ten_and_two(void **state)
{
    (void)state;
    for (int k = -330; k <= 310; ++k) {
        const double power = pow(10.0, k), two = ldexp(1.0, 3 * k);
        double below = power, above = power;
        for (int i = 0; i < 40; ++i) {
            expect_bytes_of_printf(below), expect_bytes_of_printf(-above);
            below = nextafter(below, 0.0), above = nextafter(above, INFINITY);
        }
        expect_bytes_of_printf(two), expect_bytes_of_printf(nextafter(two, 0.0));
    }
}

static void what_is_no_usual_number(void **state)
{
    (void)state;
    const double values[] = {0.0,       -0.0,    NAN,     -NAN,         INFINITY,
                             -INFINITY, DBL_MIN, DBL_MAX, DBL_TRUE_MIN, DBL_EPSILON};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) expect_bytes_of_printf(values[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_bits),
        cmocka_unit_test(usual_numbers),
        cmocka_unit_test(around_powers_of_ten_and_two),
        cmocka_unit_test(what_is_no_usual_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
