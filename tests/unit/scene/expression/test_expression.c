#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/scene.h"
#include "support/near.h"
#include "support/random.h"

static const char *const names[] = {"t",       "block.x",      "hand.x", "pull",
                                    "mass0.x", "left-wheel.x", "_k",     "sin"};
static const double values[] = {0.5, 2.0, -3.0, 7.0, 1.5, 11.0, 4.0, 0.25};
enum { NAMES = sizeof names / sizeof names[0] };

static double value_of(const char *text)
{
    char error[500];
    StiExpression *expression = sti_expression_create(text, names, NAMES, error, sizeof error);
    if (expression == NULL) print_error("%s: %s\n", text, error);
    assert_non_null(expression);
    assert_string_equal(error, "");
    const double value = sti_expression_value(expression, values);
    sti_expression_destroy(expression);
    return value;
}

static const double pi = 3.14159265358979323846;

static void operators_and_functions(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1", 1},
        {"-1.5e-3", -1.5e-3},
        {".5", 0.5},
        {"1.", 1},
        {"+3", 3},
        {" 1\n+\t2 ", 3},
        {"1 + 2*3", 7},
        {"(1 + 2)*3", 9},
        {"2^3^2", 512},
        {"-2^2", -4},
        {"2^-1", 0.5},
        {"2*-3", -6},
        {"7 - 2 - 1", 4},
        {"8/4/2", 1},
        {"2*+3", 6},
        {"1 - -1", 2},
        {"1 < 2", 1},
        {"2 <= 2", 1},
        {"1 > 2", 0},
        {"2 >= 3", 0},
        {"2 == 2", 1},
        {"2 != 2", 0},
        {"1 && 0", 0},
        {"1 || 0", 1},
        {"1 || 0 && 0", 1},
        {"0.1 && 0.2", 1},
        {"0.5 || 0", 1},
        {"0.5 ? 1 : 2", 1},
        {"t && 0.2", 1},
        {"1 < 2 && 3 < 4", 1},
        {"(1 < 2) == 1", 1},
        {"1 ? 2 : 3", 2},
        {"0 ? 2 : 3", 3},
        {"0 ? 1 : 0 ? 2 : 3", 3},
        {"1 ? 0 ? 1 : 2 : 3", 2},
        {"t < 2 ? 2 : 0", 2},
        {"1 < 0 ? 1 : 2 < 3", 1},
        {"pi", pi},
        {"sin(1)", sin(1)},
        {"cos(1)", cos(1)},
        {"tan(1)", tan(1)},
        {"asin(0.5)", asin(0.5)},
        {"acos(0.5)", acos(0.5)},
        {"atan(2)", atan(2)},
        {"atan2(1, -2)", atan2(1, -2)},
        {"sinh(1)", sinh(1)},
        {"cosh(1)", cosh(1)},
        {"tanh(1)", tanh(1)},
        {"exp(2)", exp(2)},
        {"ln(3)", log(3)},
        {"log10(1000)", 3},
        {"sqrt(2)", sqrt(2)},
        {"abs(-3)", 3},
        {"sign(-2)", -1},
        {"sign(0)", 0},
        {"sign(5)", 1},
        {"min(3)", 3},
        {"min(3, 1, 2)", 1},
        {"max(3, 1, 7)", 7},
        {"rint(2.5)", 2},
        {"rint(-1.7)", -2},
        {"clamp(5, 0, 2)", 2},
        {"clamp(-5, 0, 2)", 0},
        {"clamp(1, 0, 2)", 1},
        {"step(-1e-300)", 0},
        {"step(0)", 1},
        {"step(3)", 1},
        {"t", 0.5},
        {"block.x - hand.x", 5},
        {"mass0.x*_k", 6},
        {"sin", 0.25},
        {"sin(sin)", sin(0.25)},
        {"pull*min(t, 2)", 3.5},
        {"3 + 1.5*sin(2*pi*5*t)", 3 + 1.5 * sin(2 * pi * 5 * 0.5)},
        {"max (1 , t)", 1},
        {"((((t))))", 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double value = value_of(cases[i].text);
        if (value != cases[i].value) print_error("%s = %.17g\n", cases[i].text, value);
        assert_near(value, cases[i].value, 1e-15 * fabs(cases[i].value));
    }
}

static void nan_and_infinity_come_through(void **state)
{
    (void)state;
    assert_true(isinf(value_of("1/0")) && value_of("1/0") > 0);
    assert_true(isinf(value_of("-1/(t - t)")) && value_of("-1/(t - t)") < 0);
    static const char *const nans[] = {"0/0",         "sqrt(-t)",         "ln(-1)",
                                       "asin(2)",     "sign(0/0)",        "step(0/0)",
                                       "min(0/0, 1)", "min(1, 0/0, 2)",   "max(1, 0/0)",
                                       "max(0/0, t)", "clamp(0/0, 0, 1)", "abs(0/0)"};
    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; ++i) {
        if (!isnan(value_of(nans[i]))) print_error("%s\n", nans[i]);
        assert_true(isnan(value_of(nans[i])));
    }
}

static void used_names_are_known(void **state)
{
    (void)state;
    char error[200];
    StiExpression *e =
        sti_expression_create("hand.x + sin(t) - hand.x", names, NAMES, error, sizeof error);
    for (int i = -1; i < NAMES + 1; ++i)
        assert_int_equal(sti_expression_uses(e, i), i == 0 || i == 2);
    sti_expression_destroy(e);
    e = sti_expression_create("2*pi", NULL, 0, error, sizeof error);
    assert_false(sti_expression_uses(e, 0));
    assert_near(sti_expression_value(e, NULL), 2 * pi, 0);
    sti_expression_destroy(e);
    sti_expression_destroy(NULL);
}

// Values are read anew at every call, from the caller's array, which is never written.
static void evaluation_follows_the_values(void **state)
{
    (void)state;
    char error[200];
    StiExpression *e = sti_expression_create("block.x*10 + t", names, NAMES, error, sizeof error);
    StiExpression *other = sti_expression_create("t - block.x", names, NAMES, error, sizeof error);
    Random random = {5};
    for (int i = 0; i < 1000; ++i) {
        double x[NAMES], before[NAMES];
        for (int j = 0; j < NAMES; ++j) before[j] = x[j] = random_between(&random, -5, 5);
        assert_near(sti_expression_value(e, x), x[1] * 10 + x[0], 0);
        assert_near(sti_expression_value(other, x), x[0] - x[1], 0);
        assert_memory_equal(x, before, sizeof x);
    }
    sti_expression_destroy(e);
    sti_expression_destroy(other);
}

// Random formulas, written with as few brackets as the precedences allow, and their value in C.

typedef struct Writer {
    Random random;
    char text[3000];
    size_t length;
} Writer;

static void put(Writer *w, const char *text)
{
    if (w->length + strlen(text) + 1 > sizeof w->text) return;
    strcpy(w->text + w->length, text);
    w->length += strlen(text);
}

static double put_formula(Writer *w, int precedence, int depth);

enum { CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, PRIMARY };

static double put_primary(Writer *w, int depth)
{
    char number[40];
    const int kind = random_below(&w->random, depth > 0 ? 4 : 2);
    if (kind == 0) {
        snprintf(number, sizeof number, "%.3f", random_between(&w->random, 0.1, 4));
        put(w, number);
        return strtod(number, NULL);
    }
    if (kind == 1) {
        const int usable[] = {0, 1, 2, 3, 4, 6};
        const int name = usable[random_below(&w->random, 6)];
        put(w, names[name]);
        return values[name];
    }
    static const struct {
        const char *name;
        double (*f)(double);
    } functions[] = {{"sin", sin}, {"cos", cos}, {"tanh", tanh}, {"atan", atan}, {"abs", fabs}};
    const int f = random_below(&w->random, 5);
    put(w, functions[f].name);
    put(w, "(");
    const double x = put_formula(w, CHOICE, depth - 1);
    put(w, ")");
    return functions[f].f(x);
}

static double put_binary(Writer *w, int precedence, int depth)
{
    static const char *const symbols[][2] = {
        [OR] = {" || ", " || "}, [AND] = {" && ", "&&"},   [COMPARISON] = {"<", " >= "},
        [SUM] = {" + ", "-"},    [PRODUCT] = {"*", " / "}, [POWER] = {"^", " ^ "}};
    const int which = random_below(&w->random, 2);
    const bool nests_left = precedence != POWER && precedence != COMPARISON;
    const double a = put_formula(w, precedence + !nests_left, depth - 1);
    put(w, symbols[precedence][which]);
    const double b = put_formula(w, precedence == POWER ? SIGN : precedence + 1, depth - 1);
    switch (precedence) {
    case OR:
        return a != 0 || b != 0;
    case AND:
        return a != 0 && b != 0;
    case COMPARISON:
        return which ? a >= b : a < b;
    case SUM:
        return which ? a - b : a + b;
    case PRODUCT:
        return which ? a / b : a * b;
    default:
        return pow(a, b);
    }
}

static double put_formula(Writer *w, int precedence, int depth)
{
    const int kind = depth > 0 ? random_below(&w->random, PRIMARY + 1) : PRIMARY;
    const bool brackets = kind < precedence;
    double value;
    if (brackets) put(w, "(");
    if (kind == PRIMARY) {
        value = put_primary(w, depth);
    } else if (kind == SIGN) {
        put(w, "-");
        value = -put_formula(w, POWER, depth - 1);
    } else if (kind == CHOICE) {
        const double condition = put_formula(w, OR, depth - 1);
        put(w, " ? ");
        const double yes = put_formula(w, CHOICE, depth - 1);
        put(w, ":");
        const double no = put_formula(w, CHOICE, depth - 1);
        value = condition != 0 ? yes : no;
    } else {
        value = put_binary(w, kind, depth);
    }
    if (brackets) put(w, ")");
    return value;
}

static void random_formulas_have_their_value(void **state)
{
    (void)state;
    Writer w = {.random = {11}};
    int finite = 0;
    for (int i = 0; i < 20000; ++i) {
        w.length = 0;
        const double expected = put_formula(&w, CHOICE, 4);
        const double value = value_of(w.text);
        if (isnan(expected) || isinf(expected) || fabs(expected) > 1e15) continue;
        ++finite;
        if (fabs(value - expected) > 1e-9 * (1 + fabs(expected))) print_error("%s\n", w.text);
        assert_near(value, expected, 1e-9 * (1 + fabs(expected)));
    }
    assert_true(finite > 15000);
}

// Whatever is written: an expression that has a value, or an error.
static void mutants_never_break_it(void **state)
{
    (void)state;
    static const char *const pieces[] = {"t",   "block.x", "sin(", "max(",        "(",     ")",
                                         ",",   "+",       "-",    "*",           "/",     "^",
                                         "<",   "<=",      "==",   "!=",          "=",     "&&",
                                         "||",  "?",       ":",    "1",           "2.5e3", ".",
                                         "e",   " ",       "pi",   "\"",          "\xc3",  "\x01",
                                         "0x1", "_",       "1e",   "clamp(1,2,3)"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    Writer w = {.random = {77}};
    int good = 0;
    for (int i = 0; i < 20000; ++i) {
        w.length = 0;
        if (i % 2 == 0) put_formula(&w, CHOICE, 3);
        for (int j = 1 + random_below(&w.random, i % 2 == 0 ? 3 : 8); j > 0; --j) {
            const char *piece = pieces[random_below(&w.random, PIECES)];
            const size_t at = (size_t)random_below(&w.random, (int)w.length + 1),
                         added = strlen(piece);
            memmove(w.text + at + added, w.text + at, w.length - at);
            memcpy(w.text + at, piece, added);
            w.length += added;
        }
        w.text[w.length] = '\0';
        char error[300];
        StiExpression *e = sti_expression_create(w.text, names, NAMES, error, sizeof error);
        assert_int_equal(e == NULL, error[0] != '\0');
        if (strstr(error, "cannot be evaluated") != NULL) print_error("%s: %s\n", w.text, error);
        assert_null(strstr(error, "cannot be evaluated"));
        if (e != NULL) sti_expression_value(e, values);
        good += e != NULL;
        sti_expression_destroy(e);
    }
    assert_true(good > 500 && good < 19500);
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    const char *before = setlocale(LC_ALL, NULL);
    char kept[200];
    snprintf(kept, sizeof kept, "%s", before);
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"};
    for (int i = 0; i < 3; ++i) { // those that are installed
        if (setlocale(LC_ALL, locales[i]) == NULL) continue;
        assert_near(value_of("1.5 + 2.25e1"), 24, 0);
    }
    setlocale(LC_ALL, kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_and_functions),
        cmocka_unit_test(nan_and_infinity_come_through),
        cmocka_unit_test(used_names_are_known),
        cmocka_unit_test(evaluation_follows_the_values),
        cmocka_unit_test(random_formulas_have_their_value),
        cmocka_unit_test(mutants_never_break_it),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
