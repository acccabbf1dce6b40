#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../../support/random.h"
#include "stiction/elementary.h"

typedef struct Value {
    int function;
    double x, y, hi, lo;
} Value;

#include "math_values.h"

typedef struct Case {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} Case;

// In the order of scripts/make-math-values.
static const Case cases[] = {
    {.name = "sin", .one = sti_sin},     {.name = "cos", .one = sti_cos},
    {.name = "tan", .one = sti_tan},     {.name = "asin", .one = sti_asin},
    {.name = "acos", .one = sti_acos},   {.name = "atan", .one = sti_atan},
    {.name = "exp", .one = sti_exp},     {.name = "expm1", .one = sti_expm1},
    {.name = "sinh", .one = sti_sinh},   {.name = "cosh", .one = sti_cosh},
    {.name = "tanh", .one = sti_tanh},   {.name = "log", .one = sti_log},
    {.name = "log10", .one = sti_log10}, {.name = "log1p", .one = sti_log1p},
    {.name = "cbrt", .one = sti_cbrt},   {.name = "pow", .two = sti_pow},
    {.name = "hypot", .two = sti_hypot}, {.name = "atan2", .two = sti_atan2},
};

enum { CASES = sizeof cases / sizeof cases[0], VALUES = sizeof values / sizeof values[0] };

static double call(const Case *function, double x, double y)
{
    return function->one != NULL ? function->one(x) : function->two(x, y);
}

static double last_place(double x)
{
    const double size = fabs(x);
    return size < 0x1p-1022 ? 0x1p-1074 : nextafter(size, INFINITY) - size;
}

static void errors_are_below_one_last_place(void **state)
{
    (void)state;
    double worst[CASES] = {0.0};
    for (int i = 0; i < VALUES; ++i) {
        const Value *v = &values[i];
        const double got = call(&cases[v->function], v->x, v->y);
        const double error = fabs((got - v->hi) - v->lo) / last_place(v->hi);
        if (!(error < 0.75))
            fail_msg("%s(%a, %a) is %a, %g ulp off", cases[v->function].name, v->x, v->y, got,
                     error);
        worst[v->function] = fmax(worst[v->function], error);
    }
    for (int i = 0; i < CASES; ++i) printf("%-6s %.3f ulp\n", cases[i].name, worst[i]);
    assert_true(VALUES > 3000);
}

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

// C17, annex F; the C library knows it, too.
static void edges_are_those_of_the_standard(void **state)
{
    (void)state;
    static double (*const library[])(double) = {sin,  cos,  tan,  asin, acos,  atan,  exp, expm1,
                                                sinh, cosh, tanh, log,  log10, log1p, cbrt};
    static double (*const library_of_two[])(double, double) = {pow, hypot, atan2};
    const double edge[] = {0.0,   1.0,   INFINITY, 2.0,   3.0,    0x1p-1074, 1e-310, 1e308,
                           0.5,   NAN,   1e10,     720.0, 0x1p53, 0x1.8p53,  800.0,  711.0,
                           711.9, 709.9, -708.5,   1e300, 1.5,    0x1p60,    1e-20,  0x1p-1022};
    enum { EDGES = 2 * sizeof edge / sizeof edge[0] };
    for (int i = 0; i < EDGES; ++i) {
        const double x = i % 2 ? -edge[i / 2] : edge[i / 2];
        for (int f = 0; f < 15; ++f) {
            const double a = cases[f].one(x), b = library[f](x);
            if (!same(a, b) && !(fabs(a - b) <= 2.0 * last_place(b)))
                fail_msg("%s(%a) is %a, not %a", cases[f].name, x, a, b);
        }
        for (int j = 0; j < EDGES; ++j) {
            const double y = j % 2 ? -edge[j / 2] : edge[j / 2];
            for (int f = 15; f < CASES; ++f) {
                const double a = cases[f].two(x, y), b = library_of_two[f - 15](x, y);
                if (!same(a, b) && !(fabs(a - b) <= 2.0 * last_place(b)))
                    fail_msg("%s(%a, %a) is %a, not %a", cases[f].name, x, y, a, b);
            }
        }
    }
}

static void exact_values_are_exact(void **state)
{
    (void)state;
    for (int i = -300; i <= 300; ++i) assert_true(sti_pow(2.0, i) == ldexp(1.0, i));
    for (int i = 0; i <= 22; ++i) {
        assert_true(sti_log10(pow(10.0, i)) == i);
        assert_true(sti_cbrt((double)i * i * i) == i);
        assert_true(sti_pow(i, 2.0) == (double)i * i);
    }
    assert_true(sti_exp(0.0) == 1.0 && sti_cos(0.0) == 1.0 && sti_log(1.0) == 0.0);
    assert_true(sti_hypot(3.0, 4.0) == 5.0);
}

static void sine_and_cosine_together_have_the_same_bits(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 100000; ++i) {
        const double x = random_decades(&random, 1e-12, 1e12);
        double s, c;
        sti_sincos(x, &s, &c);
        assert_true(same(s, sti_sin(x)) && same(c, sti_cos(x)));
        assert_true(fabs(s * s + c * c - 1.0) < 4e-16);
        assert_true(same(sti_sin(-x), -s) && same(sti_cos(-x), c));
    }
}

// Where tables and series meet, values go on without a step back.
static void monotonous_functions_stay_so(void **state)
{
    (void)state;
    static double (*const rising[])(double) = {sti_exp,   sti_expm1, sti_sinh, sti_tanh, sti_log,
                                               sti_log1p, sti_cbrt,  sti_atan, sti_asin};
    Random random = {4};
    for (int i = 0; i < 200000; ++i) {
        const double x = random_decades(&random, 1e-3, 1.0), next = nextafter(x, 2.0);
        for (size_t f = 0; f < sizeof rising / sizeof rising[0]; ++f)
            assert_true(!(rising[f](next) < rising[f](x)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_below_one_last_place),
        cmocka_unit_test(edges_are_those_of_the_standard),
        cmocka_unit_test(exact_values_are_exact),
        cmocka_unit_test(sine_and_cosine_together_have_the_same_bits),
        cmocka_unit_test(monotonous_functions_stay_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
