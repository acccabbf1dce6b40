// Same network, same inputs: same bits. Whatever the order of declaration, however often it runs,
// with one scratch or many, stopped and restored or not.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "every_kind.h"

enum { STEPS = 2000 };

static void step_scene(Built *built, long k)
{
    double inputs[SCENE_INPUTS];
    scene_inputs(k, inputs);
    assert_steps(built, inputs);
}

static void hashes_of(Built *built, uint64_t *hashes)
{
    for (long k = 0; k < STEPS; ++k) {
        step_scene(built, k);
        hashes[k] = sti_state_hash(built->state);
    }
}

static void repeated_runs_have_the_same_bits(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        static uint64_t first[STEPS], again[STEPS];
        for (int run = 0; run < 3; ++run) {
            Built built = build_and_destroy(every_kind(reactions, NULL));
            hashes_of(&built, run == 0 ? first : again);
            for (long k = 0; run > 0 && k < STEPS; ++k) assert_true(first[k] == again[k]);
            release(&built);
        }
        for (long k = 1; k < STEPS; ++k) assert_true(first[k] != first[k - 1]); // something moves
    }
}

static void the_order_of_declaration_does_not_matter(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        static uint64_t plain[STEPS], permuted[STEPS];
        Built built = build_and_destroy(every_kind(reactions, NULL));
        const uint64_t layout = sti_network_layout(built.network);
        hashes_of(&built, plain);
        release(&built);
        for (uint64_t seed = 1; seed <= 10; ++seed) {
            Random random = {seed};
            built = build_and_destroy(every_kind(reactions, &random));
            assert_true(sti_network_layout(built.network) == layout);
            hashes_of(&built, permuted);
            for (long k = 0; k < STEPS; ++k) assert_true(plain[k] == permuted[k]);
            release(&built);
        }
    }
}

// Two states of one network, stepped in turns with one scratch, do not feel each other.
static void states_can_share_a_scratch(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Built built = build_and_destroy(every_kind(reactions, NULL));
        Built alone = build_and_destroy(every_kind(reactions, NULL));
        StiState *other = sti_state_create(built.network);
        sti_state_positions(other, built.network, (StiAdmittanceId){LINE})[0] = 0.5;
        for (long k = 0; k < 500; ++k) {
            double inputs[SCENE_INPUTS];
            scene_inputs(k + 9999, inputs);
            assert_int_equal(sti_run(built.network, inputs, other, built.scratch, 1), STI_OK);
            step_scene(&built, k);
            step_scene(&alone, k);
            assert_true(sti_state_hash(built.state) == sti_state_hash(alone.state));
        }
        sti_state_destroy(other);
        release(&built);
        release(&alone);
    }
}

// A step that fails leaves no trace.
static void a_failed_step_leaves_no_trace(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Built troubled = build_and_destroy(every_kind(reactions, NULL));
        Built calm = build_and_destroy(every_kind(reactions, NULL));
        const double bad[2][SCENE_INPUTS] = {{1e308, 0.0, 0.0}, {0.0, NAN, 0.0}};
        for (long k = 0; k < 500; ++k) {
            if (k % 7 == 3)
                assert_int_equal(sti_run(troubled.network, bad[k % 2], troubled.state,
                                         troubled.scratch, 1),
                                 STI_NOT_FINITE);
            step_scene(&troubled, k);
            step_scene(&calm, k);
            assert_true(sti_state_hash(troubled.state) == sti_state_hash(calm.state));
        }
        release(&troubled);
        release(&calm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_runs_have_the_same_bits),
        cmocka_unit_test(the_order_of_declaration_does_not_matter),
        cmocka_unit_test(states_can_share_a_scratch),
        cmocka_unit_test(a_failed_step_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
