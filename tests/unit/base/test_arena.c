#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdalign.h>
#include <string.h>

#include "base/arena.h"
#include "support/random.h"

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    Random random = {1};
    StiArena arena = {0};
    for (int i = 0; i < 300; ++i) {
        const size_t count = (size_t)random_below(&random, 50),
                     size = (size_t)random_below(&random, 9);
        unsigned char *bytes = sti_arena_take(&arena, count, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
        for (size_t j = 0; j < count * size; ++j) assert_int_equal(bytes[j], 0);
        if (count * size > 0) memset(bytes, 0xff, count * size);
    }
    assert_int_equal(arena.failed, 0);
    sti_arena_release(&arena);
}

static void pieces_do_not_overlap(void **state)
{
    (void)state;
    StiArena arena = {0};
    unsigned char *pieces[100];
    for (int i = 0; i < 100; ++i) {
        pieces[i] = sti_arena_take(&arena, 7, 1);
        memset(pieces[i], i, 7);
    }
    for (int i = 0; i < 100; ++i)
        for (int j = 0; j < 7; ++j) assert_int_equal(pieces[i][j], i);
    sti_arena_release(&arena);
}

static void copies_are_independent(void **state)
{
    (void)state;
    StiArena arena = {0};
    double numbers[3] = {1.0, 2.0, 3.0};
    char name[] = "block";
    const double *copy = sti_arena_copy(&arena, numbers, sizeof numbers);
    const char *text = sti_arena_text(&arena, name);
    numbers[1] = 0.0;
    name[0] = 'c';
    assert_true(copy[0] == 1.0 && copy[1] == 2.0 && copy[2] == 3.0);
    assert_string_equal(text, "block");
    assert_non_null(sti_arena_copy(&arena, NULL, 0)); // nothing to copy is no failure
    assert_int_equal(arena.failed, 0);
    sti_arena_release(&arena);
}

// count * size beyond what can be addressed must not wrap round to a small block.
static void overflow_is_a_failure(void **state)
{
    (void)state;
    const size_t half = SIZE_MAX / 2 + 1;
    const struct {
        size_t count, size;
    } sizes[] = {{SIZE_MAX, 1}, {half, 2}, {2, half}, {SIZE_MAX / 8, 9}, {SIZE_MAX - 8, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        StiArena arena = {0};
        assert_null(sti_arena_take(&arena, sizes[i].count, sizes[i].size));
        assert_int_equal(arena.failed, 1);
        sti_arena_release(&arena);
    }
}

// Whoever builds asks once at the end: a later success must not hide an earlier failure.
static void failure_is_remembered(void **state)
{
    (void)state;
    StiArena arena = {0};
    sti_arena_take(&arena, SIZE_MAX, 2);
    assert_non_null(sti_arena_take(&arena, 1, 8));
    assert_int_equal(arena.failed, 1);
    sti_arena_release(&arena);
}

static void release_leaves_an_empty_arena(void **state)
{
    (void)state;
    StiArena arena = {0};
    sti_arena_take(&arena, 1, 8);
    sti_arena_release(&arena);
    assert_null(arena.blocks);
    assert_non_null(sti_arena_take(&arena, 1, 8));
    sti_arena_release(&arena);
    sti_arena_release(&arena);
}

static void count_release(void *object) { ++*(int *)object; }

static void what_is_entrusted_is_released_once(void **state)
{
    (void)state;
    StiArena arena = {0};
    int *inside = sti_arena_take(&arena, 1, sizeof *inside), outside = 0;
    sti_arena_entrust(&arena, &outside, count_release);
    sti_arena_entrust(&arena, inside, count_release); // its memory is still there by then
    assert_int_equal(outside, 0);
    sti_arena_release(&arena);
    assert_int_equal(outside, 1);
    sti_arena_release(&arena);
    assert_int_equal(outside, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(copies_are_independent),
        cmocka_unit_test(overflow_is_a_failure),
        cmocka_unit_test(failure_is_remembered),
        cmocka_unit_test(release_leaves_an_empty_arena),
        cmocka_unit_test(what_is_entrusted_is_released_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
