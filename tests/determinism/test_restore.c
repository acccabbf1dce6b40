// Saved, restored, copied and continued: the same bits as never having stopped.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "every_case.h"

static const char path[] = "paused.state";

// Saved at a moment, forgotten, and loaded into a state of a network that was declared in another order.
static void same_bits_after_pauses(const EveryCase *c, const uint64_t *hashes)
{
    Built built = every_built(c, 0);
    for (int k = 0; k < every_steps(); ++k) {
        if (k % 60 == 0) {
            assert_int_equal(sti_state_save(built.state, path), STI_OK);
            release(&built);
            built = every_built(c, (uint64_t)k);
            for (int i = 0; i < 3; ++i) every_step(&built); // to be forgotten
            assert_int_equal(sti_state_load(built.state, path), STI_OK);
            assert_int_equal(sti_state_k(built.state), k);
        }
        every_step(&built);
        assert_true(sti_state_hash(built.state) == hashes[k]);
    }
    release(&built);
    remove(path);
}

static void a_pause_changes_no_bit(void **state)
{
    (void)state;
    for_every_case(same_bits_after_pauses);
}

static void same_bits_of_a_copy(const EveryCase *c, const uint64_t *hashes)
{
    Built built = every_built(c, 0), other = every_built(c, 0);
    const int half = every_steps() / 2;
    for (int k = 0; k < half; ++k) every_step(&built);
    assert_int_equal(sti_state_copy(other.state, built.state), STI_OK);
    assert_true(sti_state_hash(other.state) == hashes[half - 1]);
    for (int k = half; k < every_steps(); ++k) {
        every_step(&other);
        assert_true(sti_state_hash(other.state) == hashes[k]);
    }
    assert_true(sti_state_hash(built.state) == hashes[half - 1]);
    release(&built);
    release(&other);
}

static void a_copy_goes_on_alike(void **state)
{
    (void)state;
    for_every_case(same_bits_of_a_copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_changes_no_bit),
        cmocka_unit_test(a_copy_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
