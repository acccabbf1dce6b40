// Ten thousand steps of every kind of component allocate nothing. This program counts by standing
// in for the allocator of the C library, whose own functions do the work.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "determinism/every_kind.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static volatile long calls;

void *malloc(size_t size)
{
    ++calls;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    ++calls;
    return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size)
{
    ++calls;
    return __libc_realloc(block, size);
}
void free(void *block)
{
    ++calls;
    __libc_free(block);
}

static void the_counter_counts(void **state)
{
    (void)state;
    const long before = calls;
    char *volatile block = malloc(10);
    block = realloc(block, 20);
    free(block);
    block = calloc(2, 10);
    free(block);
    assert_int_equal(calls - before, 5);
}

static long calls_in_steps(bool reactions, const StiMethod *method, int *failed)
{
    StiPlan *plan = every_kind(reactions, NULL);
    if (!reactions) sti_plan_set_method(plan, method);
    Built built = build_and_destroy(plan);
    const long before = calls;
    for (long k = 0; k < 10000; ++k) {
        double inputs[SCENE_INPUTS];
        scene_inputs(k, inputs);
        if (k % 1000 == 999) inputs[0] = NAN; // a step that fails does not allocate either
        *failed += sti_run(built.network, inputs, built.state, built.scratch, 1) != STI_OK;
    }
    const long during = calls - before;
    release(&built);
    return during;
}

static void steps_allocate_nothing(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        int failed = 0;
        assert_int_equal(calls_in_steps(false, sti_methods[i], &failed), 0);
        assert_int_equal(failed, 10);
    }
}

static void steps_with_reactions_allocate_nothing(void **state)
{
    (void)state;
    int failed = 0;
    assert_int_equal(calls_in_steps(true, NULL, &failed), 0);
    assert_int_equal(failed, 10);
}

// Recording stands outside the step; following a run allocates nothing all the same.
static void following_a_run_allocates_nothing(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Built built = build_and_destroy(every_kind(reactions, NULL));
        StiRecorder *recorder = sti_recorder_create(built.network);
        assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
        const long before = calls;
        double sum = 0.0;
        for (int k = 0; k < 1000; ++k) {
            sti_run(built.network, NULL, built.state, built.scratch, 1);
            sti_recorder_follow(recorder, built.state, built.scratch);
            for (int channel = 0; channel < 20; ++channel)
                sum += sti_recorder_value(recorder, channel);
        }
        const long during = calls - before;
        assert_true(isfinite(sum));
        assert_int_equal(during, 0);
        sti_recorder_destroy(recorder);
        release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counter_counts),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(steps_with_reactions_allocate_nothing),
        cmocka_unit_test(following_a_run_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
