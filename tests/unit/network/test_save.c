#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "built.h"
#include "support/plan.h"

static const char path[] = "saved.state";

static Built running(const char *name)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_moving_mass(plan, name, 1.0, 2.0);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    add_spring(plan, "spring", wire, 90.0, 1.0);
    sti_plan_add_impedance(plan, "dahl", &sti_kind_dahl,
                           &(StiDahl){.law = sti_law_coulomb(3.0), .K = 100.0, .alpha = 1.0},
                           &wire);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < 100; ++k) assert_steps(&built, NULL);
    return built;
}

static size_t read_bytes(unsigned char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, room, file);
    fclose(file);
    return count;
}

static void write_bytes(const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void assert_refuses(Built *built, StiStatus first, StiStatus second)
{
    const uint64_t hash = sti_state_hash(built->state);
    const StiStatus status = sti_state_load(built->state, path);
    assert_true(status == first || status == second);
    assert_true(sti_state_hash(built->state) == hash);
}

static void a_loaded_state_has_the_same_bits(void **state)
{
    (void)state;
    Built built = running("block");
    StiState *loaded = sti_state_create(built.network);
    assert_int_equal(sti_state_save(built.state, path), STI_OK);
    assert_int_equal(sti_state_load(loaded, path), STI_OK);
    assert_true(sti_state_hash(loaded) == sti_state_hash(built.state));
    assert_int_equal(sti_state_k(loaded), 100);
    for (int k = 0; k < 100; ++k) {
        assert_steps(&built, NULL);
        assert_int_equal(sti_run(built.network, NULL, loaded, built.scratch, 1), STI_OK);
        assert_true(sti_state_hash(loaded) == sti_state_hash(built.state));
    }
    sti_state_destroy(loaded);
    release(&built);
    remove(path);
}

static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    Built built = running("block");
    unsigned char bytes[1000];
    assert_int_equal(sti_state_save(built.state, path), STI_OK);
    const size_t count = read_bytes(bytes, sizeof bytes);
    assert_in_range(count, 40, sizeof bytes - 1);
    assert_steps(&built, NULL);
    for (size_t i = 0; i < count; ++i) {
        for (int bit = 0; bit < 8; bit += 7) {
            bytes[i] ^= (unsigned char)(1 << bit);
            write_bytes(bytes, count);
            assert_refuses(&built, STI_FILE_ERROR, STI_LAYOUT_MISMATCH);
            bytes[i] ^= (unsigned char)(1 << bit);
        }
    }
    write_bytes(bytes, count);
    assert_int_equal(sti_state_load(built.state, path), STI_OK);
    release(&built);
    remove(path);
}

static void a_file_of_the_wrong_length_is_noticed(void **state)
{
    (void)state;
    Built built = running("block");
    unsigned char bytes[1000] = {0};
    assert_int_equal(sti_state_save(built.state, path), STI_OK);
    const size_t count = read_bytes(bytes, sizeof bytes);
    for (size_t length = 0; length < count; ++length) {
        write_bytes(bytes, length);
        assert_refuses(&built, STI_FILE_ERROR, STI_FILE_ERROR);
    }
    write_bytes(bytes, count + 1);
    assert_refuses(&built, STI_FILE_ERROR, STI_FILE_ERROR);
    release(&built);
    remove(path);
}

static void a_state_of_another_layout_is_refused(void **state)
{
    (void)state;
    Built built = running("block"), other = running("another");
    assert_int_equal(sti_state_save(built.state, path), STI_OK);
    assert_refuses(&other, STI_LAYOUT_MISMATCH, STI_LAYOUT_MISMATCH);
    release(&built);
    release(&other);
    remove(path);
}

static void files_that_cannot_be_are_an_error(void **state)
{
    (void)state;
    Built built = running("block");
    remove(path);
    assert_refuses(&built, STI_FILE_ERROR, STI_FILE_ERROR);
    assert_int_equal(sti_state_save(built.state, "no/such/folder/x"), STI_FILE_ERROR);
    assert_int_equal(sti_state_load(built.state, "no/such/folder/x"), STI_FILE_ERROR);
    release(&built);
}

// A save that fails half-way leaves the file of before.
static void an_old_file_stays_until_the_new_one_is_complete(void **state)
{
    (void)state;
    Built built = running("block");
    const uint64_t saved = sti_state_hash(built.state);
    assert_int_equal(sti_state_save(built.state, path), STI_OK);
    assert_int_not_equal(access("saved.state.partial", F_OK), 0);
    assert_steps(&built, NULL);
    const struct rlimit none = {0, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0); // no room
    assert_int_equal(sti_state_save(built.state, path), STI_FILE_ERROR);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
    assert_int_not_equal(access("saved.state.partial", F_OK), 0);
    assert_int_equal(sti_state_load(built.state, path), STI_OK);
    assert_true(sti_state_hash(built.state) == saved);
    assert_steps(&built, NULL);
    const uint64_t later = sti_state_hash(built.state);
    assert_int_equal(sti_state_save(built.state, path), STI_OK); // over the old one
    assert_steps(&built, NULL);
    assert_int_equal(sti_state_load(built.state, path), STI_OK);
    assert_true(sti_state_hash(built.state) == later);
    release(&built);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_state_has_the_same_bits),
        cmocka_unit_test(every_damaged_byte_is_noticed),
        cmocka_unit_test(a_file_of_the_wrong_length_is_noticed),
        cmocka_unit_test(a_state_of_another_layout_is_refused),
        cmocka_unit_test(files_that_cannot_be_are_an_error),
        cmocka_unit_test(an_old_file_stays_until_the_new_one_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
