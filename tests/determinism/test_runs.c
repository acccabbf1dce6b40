// Same network, same inputs: same bits. However often it runs, whoever else uses the scratch, and whatever failed.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "every_case.h"

static void same_bits_again(const EveryCase *c, const uint64_t *hashes)
{
    Built built = every_built(c, 0);
    for (int k = 0; k < every_steps(); ++k) {
        every_step(&built);
        assert_true(sti_state_hash(built.state) == hashes[k]);
    }
    release(&built);
}

static void repeated_runs_give_the_same_bits(void **state)
{
    (void)state;
    for_every_case(same_bits_again);
}

// Two states in turns on one scratch, thrown away now and then: it holds nothing that matters.
static void same_bits_with_shared_scratch(const EveryCase *c, const uint64_t *hashes)
{
    enum { BEHIND = 50 };
    Built built = every_built(c, 0);
    StiState *first = built.state, *late = sti_state_create(built.network);
    for (int k = 0; k < every_steps(); ++k) {
        every_step(&built);
        assert_true(sti_state_hash(first) == hashes[k]);
        built.state = late;
        if (k >= BEHIND) every_step(&built);
        if (k >= BEHIND) assert_true(sti_state_hash(late) == hashes[k - BEHIND]);
        built.state = first;
        if (k % 97 > 0) continue;
        sti_scratch_destroy(built.scratch);
        built.scratch = sti_scratch_create(built.network);
        assert_non_null(built.scratch);
    }
    sti_state_destroy(late);
    release(&built);
}

static void a_scratch_holds_nothing_that_matters(void **state)
{
    (void)state;
    for_every_case(same_bits_with_shared_scratch);
}

static void same_bits_after_failures(const EveryCase *c, const uint64_t *hashes)
{
    const double bad[2][EVERY_INPUTS] = {{1e308, 1e308}, {NAN, 0.0}};
    Built built = every_built(c, 0);
    for (int k = 0; k < every_steps(); ++k) {
        if (k % 7 == 3)
            assert_int_equal(sti_run(built.network, bad[k % 2], built.state, built.scratch, 1),
                             STI_NOT_FINITE);
        every_step(&built);
        assert_true(sti_state_hash(built.state) == hashes[k]);
    }
    release(&built);
}

static void a_failed_step_leaves_no_trace(void **state)
{
    (void)state;
    for_every_case(same_bits_after_failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_runs_give_the_same_bits),
        cmocka_unit_test(a_scratch_holds_nothing_that_matters),
        cmocka_unit_test(a_failed_step_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
