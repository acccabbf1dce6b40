// Numbers that fit, lines that break, words that are near.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "terminal/text.h"

static void numbers_fit_and_lose_no_more_than_they_must(void **state)
{
    (void)state;
    char text[NUMBER_SIZE];
    assert_string_equal(text_number(text, 0.0, 12), "0");
    assert_string_equal(text_number(text, 2.0212366, 12), "2.0212366");
    assert_string_equal(text_number(text, 0.155395863, 12), "0.155395863");
    assert_string_equal(text_number(text, NAN, 12), "-");
    Random random = {7};
    for (int i = 0; i < 10000; ++i) {
        const double sign = random_below(&random, 2) == 0 ? 1.0 : -1.0;
        const double value = sign * random_decades(&random, 1e-30, 1e30);
        text_number(text, value, 12);
        assert_true(strlen(text) <= 12);
        assert_true(fabs(strtod(text, NULL) - value) <= 1e-5 * fabs(value));
    }
}

static void the_nearest_word_is_found(void **state)
{
    (void)state;
    static const char *const words[] = {"run",     "check",     "list",
                                        "explain", "reproduce", "elastic-coulomb"};
    assert_string_equal(text_nearest("rnu", words, 6), "run");
    assert_string_equal(text_nearest("chekc", words, 6), "check");
    assert_string_equal(text_nearest("Reproduse", words, 6), "reproduce");
    assert_string_equal(text_nearest("elastic_colomb", words, 6), "elastic-coulomb");
    assert_string_equal(text_nearest("elas", words, 6), "elastic-coulomb");
    assert_null(text_nearest("frobnicate", words, 6));
    assert_null(text_nearest("run", words, 0));
}

static void any_word_is_nearest_to_itself(void **state)
{
    (void)state;
    static const char *const words[] = {"a", "ab", "abc", "abcd", "abdc", "bacd"};
    for (int i = 0; i < 6; ++i) assert_string_equal(text_nearest(words[i], words, 6), words[i]);
}

// Lines of at most 80 columns, every word once, in order.
static void wrapping_keeps_the_words(void **state)
{
    (void)state;
    static const char text[] = "one two three four five six seven eight nine ten eleven twelve "
                               "thirteen fourteen fifteen sixteen "
                               "seventeen eighteen nineteen twenty\ntwenty-one twenty-two";
    for (int indent = 0; indent < 70; ++indent) {
        char printed[4096] = "";
        FILE *file = fmemopen(printed, sizeof printed, "w");
        assert_non_null(file);
        fprintf(file, "%*s", indent, "");
        text_wrap(file, indent, text);
        fclose(file);
        char words[256], copy[256];
        words[0] = '\0';
        snprintf(copy, sizeof copy, "%s", text);
        for (char *word = strtok(printed, " \n"); word != NULL; word = strtok(NULL, " \n"))
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s",
                     words[0] != '\0' ? " " : "", word);
        for (char *c = copy; *c != '\0'; ++c)
            if (*c == '\n') *c = ' ';
        assert_string_equal(words, copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_fit_and_lose_no_more_than_they_must),
        cmocka_unit_test(the_nearest_word_is_found),
        cmocka_unit_test(any_word_is_nearest_to_itself),
        cmocka_unit_test(wrapping_keeps_the_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
