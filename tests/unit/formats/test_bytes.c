#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "formats/bytes.h"

static void numbers_are_little_endian(void **state)
{
    (void)state;
    Bytes bytes = {0};
    sti_bytes_number(&bytes, 0x0102, 2);
    sti_bytes_number(&bytes, 0x01020304050607ull, 8);
    sti_bytes_text(&bytes, "ab");
    static const unsigned char expected[] = {2, 1, 7, 6, 5, 4, 3, 2, 1, 0, 2, 0, 0, 0, 'a', 'b'};
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
    sti_bytes_number_at(&bytes, 1, 9, 1);
    assert_int_equal(bytes.data[1], 9);
    sti_bytes_release(&bytes);
}

static void json_text_is_quoted(void **state)
{
    (void)state;
    Bytes bytes = {0};
    sti_bytes_json_text(&bytes, "a \"b\" \\ \n \xc3\xbc");
    sti_bytes_add(&bytes, "", 1);
    assert_string_equal((const char *)bytes.data, "\"a \\\"b\\\" \\\\ \\u000a \xc3\xbc\"");
    sti_bytes_release(&bytes);
}

static void json_numbers_have_all_digits(void **state)
{
    (void)state;
    Bytes bytes = {0};
    sti_bytes_json_number(&bytes, 0.1);
    sti_bytes_add(&bytes, " ", 1);
    sti_bytes_json_number(&bytes, -0.0);
    sti_bytes_add(&bytes, " ", 1);
    sti_bytes_json_number(&bytes, NAN);
    sti_bytes_add(&bytes, " ", 1);
    sti_bytes_json_number(&bytes, -INFINITY);
    sti_bytes_add(&bytes, "", 1);
    assert_string_equal((const char *)bytes.data, "0.10000000000000001 -0 null null");
    sti_bytes_release(&bytes);
}

static void bytes_grow(void **state)
{
    (void)state;
    Bytes bytes = {0};
    for (int i = 0; i < 10000; ++i) sti_bytes_number(&bytes, (uint64_t)i, 4);
    assert_int_equal(bytes.size, 40000);
    assert_false(bytes.failed);
    assert_int_equal(bytes.data[4 * 9999] + 256 * bytes.data[4 * 9999 + 1], 9999);
    sti_bytes_release(&bytes);
}

// The check value of the CRC-32 of ISO 3309.
static void crc_of_nine_digits(void **state)
{
    (void)state;
    const CrcTable table = sti_crc_table();
    assert_int_equal(sti_crc(&table, 0, "123456789", 9), 0xcbf43926u);
    assert_int_equal(sti_crc(&table, sti_crc(&table, 0, "1234", 4), "56789", 5), 0xcbf43926u);
    assert_int_equal(sti_crc(&table, 0, "", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_little_endian),    cmocka_unit_test(json_text_is_quoted),
        cmocka_unit_test(json_numbers_have_all_digits), cmocka_unit_test(bytes_grow),
        cmocka_unit_test(crc_of_nine_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
