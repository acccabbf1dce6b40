#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stiction/scene.h"
#include "support/near.h"

static const char *const names[] = {"t",       "block.x",      "hand.x", "pull",
                                    "mass0.x", "left-wheel.x", "_k",     "sin"};
static const double values[] = {0.5, 2.0, -3.0, 7.0, 1.5, 11.0, 4.0, 0.25};
enum { NAMES = sizeof names / sizeof names[0] };

static void broken_expressions_have_helpful_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "the expression is empty (character 1)"},
        {"  ", "the expression is empty (character 1)"},
        {"1 +", "a value is missing at the end (character 4)"},
        {"-", "a value is missing at the end (character 2)"},
        {"1 * / 2", "a value is missing before '/' (character 5)"},
        {"2 ** 3", "a value is missing before '*' (character 4)"},
        {"2 t", "an operator is missing before 't' (character 3)"},
        {"2t", "an operator is missing before 't' (character 2)"},
        {"1.2.3", "an operator is missing before '.3' (character 4)"},
        {"t(2)", "an operator is missing before '(' (character 2)"},
        {"(1)(2)", "an operator is missing before '(' (character 4)"},
        {"(1 + 2", "this '(' is not closed (character 1)"},
        {"1 + sin(2", "this '(' is not closed (character 8)"},
        {"1 + 2)", "this ')' closes nothing (character 6)"},
        {"()", "a value is missing before ')' (character 2)"},
        {"sin()", "a value is missing before ')' (character 5)"},
        {"sin(1, 2)", "sin takes 1 argument, not 2 (character 4)"},
        {"atan2(1)", "atan2 takes 2 arguments, not 1 (character 6)"},
        {"clamp(1, 2)", "clamp takes 3 arguments, not 2 (character 6)"},
        {"max(1,)", "a value is missing before ')' (character 7)"},
        {"0,5", "a ',' only separates arguments of functions; decimals are written with a point "
                "(character 2)"},
        {"1 ? 2", "a ':' is missing: write a ? b : c (character 6)"},
        {"max(1 ? 2, 3)", "a ':' is missing: write a ? b : c (character 10)"},
        {"1 : 2", "this ':' has no '?' before it: write a ? b : c (character 3)"},
        {"1 ? (2 : 3)", "this ':' has no '?' before it: write a ? b : c (character 8)"},
        {"t = 3", "'=' would assign: write == to compare (character 3)"},
        {"t += 3", "'=' would assign: write == to compare (character 4)"},
        {"t == = 3", "'=' would assign: write == to compare (character 6)"},
        {"1 & 2", "write && for \"and\" (character 3)"},
        {"1 | 2", "write || for \"or\" (character 3)"},
        {"!t", "write x == 0 for \"not x\" (character 1)"},
        {"5 % 2", "there is no operator '%': write mod(x, y) (character 3)"},
        {"[1]", "only round brackets group (character 1)"},
        {"\"text\"", "there is no text in expressions (character 1)"},
        {"t \xe2\x88\x92 1", "'\xe2\x88\x92' cannot stand in an expression (character 3)"},
        {"1 # 2", "'#' cannot stand in an expression (character 3)"},
        {"--1", "two signs follow each other: put the second into brackets (character 2)"},
        {"2 - + - 1", "two signs follow each other: put the second into brackets (character 7)"},
        {"0 < t < 1", "two comparisons follow each other: write a < b && b < c (character 7)"},
        {"1e999", "this number is too large (character 1)"},
        {"blok.x", "'blok.x' is not known here; did you mean 'block.x'? (character 1)"},
        {"2*Pull", "'Pull' is not known here; did you mean 'pull'? (character 3)"},
        {"tahn(1)", "'tahn' is not known here; did you mean 'tanh'? (character 1)"},
        {"PI", "'PI' is not known here; did you mean 'pi'? (character 1)"},
        {"_pi", "'_pi' is not known here; did you mean 'pi'? (character 1)"},
        {"quux + 1", "'quux' is not known here (character 1)"},
        {"cos + 1", "'cos' is a function: write its arguments in brackets (character 1)"},
        {"log(2)", "'log' is not known here: write ln(x) or log10(x) (character 1)"},
        {"e^2", "'e' is not known here: write exp(1) (character 1)"},
        {"rnd()", "'rnd' is not known here (character 1)"},
        {"1 + left-wheel.x",
         "'left-wheel.x' cannot be used in expressions, where '-' means minus: a name of letters, "
         "digits, '_' and '.' can (character 5)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char error[500] = "";
        StiExpression *expression =
            sti_expression_create(cases[i].text, names, NAMES, error, sizeof error);
        if (expression != NULL) print_error("accepted: %s\n", cases[i].text);
        assert_null(expression);
        assert_string_equal(error, cases[i].message);
        char small[10]; // cut, never beyond its end
        assert_null(sti_expression_create(cases[i].text, names, NAMES, small, sizeof small));
        assert_memory_equal(small, error, 9);
        assert_null(sti_expression_create(cases[i].text, names, NAMES, NULL, 0));
    }
}

static void sizes_are_limited(void **state)
{
    (void)state;
    char text[5000] = "", error[200];
    while (strlen(text) < 3990) strcat(text, "t+");
    strcat(text, "t");
    StiExpression *e = sti_expression_create(text, names, NAMES, error, sizeof error);
    assert_non_null(e); // 1996 times 0.5
    assert_near(sti_expression_value(e, values), 0.5 * (double)(strlen(text) / 2 + 1), 1e-9);
    sti_expression_destroy(e);
    while (strlen(text) < 4001) strcat(text, "1");
    assert_null(sti_expression_create(text, names, NAMES, error, sizeof error));
    assert_string_equal(error, "the expression is longer than 4000 characters (character 4001)");
    for (int depth = 64; depth <= 65; ++depth) {
        char nested[200] = "";
        for (int i = 0; i < depth; ++i) strcat(nested, "(");
        strcat(nested, "1");
        for (int i = 0; i < depth; ++i) strcat(nested, ")");
        e = sti_expression_create(nested, names, NAMES, error, sizeof error);
        assert_int_equal(e != NULL, depth == 64);
        sti_expression_destroy(e);
    }
    assert_string_equal(error, "more than 64 brackets in each other (character 65)");
}

// Many distinct names, some of them long.
static void many_and_long_names(void **state)
{
    (void)state;
    char long_names[300][200], text[5000] = "0", error[200];
    const char *list[300];
    double x[300];
    for (int i = 0; i < 300; ++i) {
        snprintf(long_names[i], sizeof long_names[i], "n%d", i);
        if (i == 299) memset(long_names[i] + 3, 'x', 180), long_names[i][183] = '\0';
        list[i] = long_names[i];
        x[i] = i;
        strcat(strcat(text, "+"), list[i]);
    }
    StiExpression *e = sti_expression_create(text, list, 300, error, sizeof error);
    assert_non_null(e);
    assert_near(sti_expression_value(e, x), 299 * 150, 0);
    sti_expression_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_expressions_have_helpful_messages),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(many_and_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
