// Evaluating an expression does not allocate: it stands inside steps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "stiction/scene.h"

// glibc's own, under other names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *memory, size_t size);

static long allocations;

void *malloc(size_t size)
{
    ++allocations;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    ++allocations;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    ++allocations;
    return __libc_realloc(memory, size);
}

static void values_need_no_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"t", "block.x", "pull"};
    static const char *const texts[] = {
        "1",
        "t",
        "pull*min(t, 2)",
        "t < 2 ? sin(2*pi*t) : clamp(block.x, -1, 1)",
        "block.x > 1 && t < 3 || max(t, pull, block.x, 1, 2, 3) ^ 2 == 4",
        "((((1 + t)*2 + block.x)*3 + pull)*4 + atan2(t, 1))/step(t)",
        "sqrt(-1 - t^2)",
        "1/(t - t)",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char error[200] = "";
        long before = allocations;
        StiExpression *expression = sti_expression_create(texts[i], names, 3, error, sizeof error);
        assert_non_null(expression);
        assert_true(allocations > before); // the counter counts
        before = allocations;
        for (int k = 0; k < 1000; ++k)
            sti_expression_value(expression, (double[]){k * 1e-2, 0.5, 2.0});
        assert_int_equal(allocations, before);
        sti_expression_destroy(expression);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_need_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
