#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "base/names.h"

static void nothing_is_found_in_an_empty_table(void **state)
{
    (void)state;
    assert_int_equal(sti_names_find(&(StiNames){0}, "a"), -1);
}

static void the_first_of_a_name_is_kept(void **state)
{
    (void)state;
    StiArena arena = {0};
    StiNames names = {0};
    assert_int_equal(sti_names_put(&names, &arena, "a", 7), 7);
    assert_int_equal(sti_names_put(&names, &arena, "a", 8), 7);
    assert_int_equal(sti_names_find(&names, "a"), 7);
    assert_int_equal(names.count, 1);
    sti_arena_release(&arena);
}

// Names that differ in one letter, first or last, and their beginnings.
static void thousands_are_told_apart(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char texts[COUNT][24];
    StiArena arena = {0};
    StiNames names = {0};
    for (int i = 0; i < COUNT; ++i) {
        snprintf(texts[i], sizeof texts[i], i % 2 ? "joint%d.q" : "%d.joint", i);
        assert_int_equal(sti_names_put(&names, &arena, texts[i], i), i);
    }
    for (int i = 0; i < COUNT; ++i) assert_int_equal(sti_names_find(&names, texts[i]), i);
    assert_int_equal(sti_names_find(&names, "joint1"), -1);
    assert_int_equal(sti_names_find(&names, ""), -1);
    assert_true(2 * names.count <= names.size);
    sti_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_found_in_an_empty_table),
        cmocka_unit_test(the_first_of_a_name_is_kept),
        cmocka_unit_test(thousands_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
