#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"

// Published values of 64-bit FNV-1a: "", "a", "foobar".
static void known_values(void **state)
{
    (void)state;
    assert_true(sti_hash_bytes(STI_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(sti_hash_bytes(STI_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(sti_hash_bytes(STI_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void pieces_give_the_hash_of_the_whole(void **state)
{
    (void)state;
    const uint64_t part = sti_hash_bytes(STI_HASH_START, "foo", 3);
    assert_true(sti_hash_bytes(part, "bar", 3) == sti_hash_bytes(STI_HASH_START, "foobar", 6));
}

// "ab" + "c" and "a" + "bc" are different lists of names.
static void texts_keep_their_ends(void **state)
{
    (void)state;
    const uint64_t one = sti_hash_text(sti_hash_text(STI_HASH_START, "ab"), "c");
    const uint64_t other = sti_hash_text(sti_hash_text(STI_HASH_START, "a"), "bc");
    assert_true(one != other);
}

static void every_bit_counts(void **state)
{
    (void)state;
    double numbers[4] = {1.0, -2.0, 0.0, 3.5};
    const uint64_t before = sti_hash_bytes(STI_HASH_START, numbers, sizeof numbers);
    for (size_t bit = 0; bit < 8 * sizeof numbers; ++bit) {
        ((unsigned char *)numbers)[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_true(sti_hash_bytes(STI_HASH_START, numbers, sizeof numbers) != before);
        ((unsigned char *)numbers)[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(pieces_give_the_hash_of_the_whole),
        cmocka_unit_test(texts_keep_their_ends),
        cmocka_unit_test(every_bit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
