#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "text/messages.h"
#include "support/random.h"

static const char *const words[] = {
    "friction", "stiffness", "damping", "stribeck_speed", "spring-damper", "mass", "position",
    "velocity", "mu",        "x"};
enum { WORDS = sizeof words / sizeof words[0] };

static void misspelt_words_find_their_word(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"frictoin", "friction"},
        {"fricton", "friction"},
        {"ffriction", "friction"},
        {"Friction", "friction"},
        {"FRICTION", "friction"},
        {"stifness", "stiffness"},
        {"stiffnes", "stiffness"},
        {"dampign", "damping"},
        {"damp", "damping"},
        {"stribeck-speed", "stribeck_speed"},
        {"StribeckSpeed", "stribeck_speed"},
        {"spring_damper", "spring-damper"},
        {"springdamper", "spring-damper"},
        {"mas", "mass"},
        {"maas", "mass"},
        {"pos", "position"},
        {"velocty", "velocity"},
        {"velicoty", "velocity"},
        {"m", "mu"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        const char *nearest = scene_nearest(pairs[i][0], words, WORDS);
        if (nearest == NULL) print_error("nothing is near %s\n", pairs[i][0]);
        assert_non_null(nearest);
        assert_string_equal(nearest, pairs[i][1]);
    }
}

static void far_words_find_none(void **state)
{
    (void)state;
    static const char *const far[] = {"",       "y",  "zz",    "tension",       "fr",
                                      "banana", "po", "speed", "frictionless_x"};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; ++i) {
        const char *nearest = scene_nearest(far[i], words, WORDS);
        if (nearest != NULL) print_error("%s is near %s\n", nearest, far[i]);
        assert_null(nearest);
    }
    assert_null(scene_nearest("friction", NULL, 0));
}

static void the_nearest_of_several_wins(void **state)
{
    (void)state;
    static const char *const similar[] = {"block_one", "block_two", "block", "blocks"};
    assert_string_equal(scene_nearest("blok", similar, 4), "block");
    assert_string_equal(scene_nearest("block", similar, 4), "block");
    assert_string_equal(scene_nearest("block-tow", similar, 4), "block_two");
    assert_string_equal(scene_nearest("blockx", similar, 4), "blocks"); // of the same length
    assert_string_equal(scene_nearest("block_", similar + 2, 2), "blocks");
}

// Up to a third of the letters wrong, at most three: found. Words beyond 64 letters are left alone.
static void one_slip_is_always_found(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 20000; ++i) {
        char word[80], wrong[80];
        const int length = 3 + random_below(&random, 60);
        for (int j = 0; j < length; ++j) word[j] = (char)('a' + random_below(&random, 26));
        word[length] = '\0';
        strcpy(wrong, word);
        const int slips = length < 9 ? 1 : length / 3 < 3 ? length / 3 : 3;
        for (int j = 0; j < slips; ++j) wrong[random_below(&random, length)] = '!';
        const char *const list[] = {"q", word};
        assert_ptr_equal(scene_nearest(wrong, list, 2), word);
    }
    char giant[100000];
    memset(giant, 'a', sizeof giant - 1);
    giant[sizeof giant - 1] = '\0';
    const char *const list[] = {giant, "aaa"};
    assert_null(scene_nearest(giant, list, 2));
    assert_string_equal(scene_nearest("aaa", list, 2), "aaa");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_words_find_their_word),
        cmocka_unit_test(far_words_find_none),
        cmocka_unit_test(the_nearest_of_several_wins),
        cmocka_unit_test(one_slip_is_always_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
