// Saved, restored and continued: the same bits as never having stopped. And a network with other
// parameters takes over a running state.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "every_kind.h"

static void step_scene(Built *built, long k)
{
    double inputs[SCENE_INPUTS];
    scene_inputs(k, inputs);
    assert_steps(built, inputs);
}

// Saved and loaded into another network of the same plan after every hundred steps.
static void restoring_changes_nothing(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Built without = build_and_destroy(every_kind(reactions, NULL));
        Built with = build_and_destroy(every_kind(reactions, NULL));
        for (long k = 0; k < 2000; ++k) {
            if (k % 100 == 50) {
                assert_int_equal(sti_state_save(with.state, "running.state"), STI_OK);
                release(&with);
                Random random = {(uint64_t)k};
                with = build_and_destroy(every_kind(reactions, &random));
                assert_int_equal(sti_state_load(with.state, "running.state"), STI_OK);
            }
            step_scene(&without, k);
            step_scene(&with, k);
            assert_true(sti_state_hash(with.state) == sti_state_hash(without.state));
            assert_int_equal(sti_state_k(with.state), k + 1);
        }
        release(&without);
        release(&with);
    }
    remove("running.state");
}

static void a_copy_goes_on_alike(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Built built = build_and_destroy(every_kind(reactions, NULL));
        StiState *copy = sti_state_create(built.network);
        StiScratch *scratch = sti_scratch_create(built.network);
        for (long k = 0; k < 300; ++k) step_scene(&built, k);
        assert_int_equal(sti_state_copy(copy, built.state), STI_OK);
        for (long k = 300; k < 900; ++k) {
            double inputs[SCENE_INPUTS];
            scene_inputs(k, inputs);
            step_scene(&built, k);
            assert_int_equal(sti_run(built.network, inputs, copy, scratch, 1), STI_OK);
            assert_true(sti_state_hash(copy) == sti_state_hash(built.state));
        }
        sti_scratch_destroy(scratch);
        sti_state_destroy(copy);
        release(&built);
    }
}

// Every numeric parameter may change between two steps: the layout stays, and the state goes on
// from where it is.
static void other_parameters_adopt_a_running_state(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        StiPlan *plan = every_kind(reactions, NULL);
        Built first = build(plan);
        StiParameter parameter;
        int changed = 0;
        for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
            if (parameter.value == 0.0) continue; // what is not there may stay away
            if (strstr(parameter.path, "share") || strstr(parameter.path, "alpha"))
                continue; // tied to 1
            assert_int_equal(sti_plan_set(plan, parameter.path, 1.001 * parameter.value), STI_OK);
            ++changed;
        }
        sti_plan_set(plan, "step", 5e-4);
        assert_true(changed > 80);
        Built second = build_and_destroy(plan);
        assert_true(sti_network_layout(first.network) == sti_network_layout(second.network));
        for (long k = 0; k < 200; ++k) step_scene(&first, k);
        const uint64_t handed_over = sti_state_hash(first.state);
        assert_int_equal(sti_state_copy(second.state, first.state), STI_OK);
        assert_true(sti_state_hash(second.state) == handed_over);
        for (long k = 200; k < 400; ++k) { // and back and forth, state and all
            step_scene(&first, k);
            step_scene(&second, k);
        }
        assert_true(sti_state_hash(first.state) != sti_state_hash(second.state));
        assert_int_equal(sti_run(first.network, NULL, second.state, first.scratch, 10), STI_OK);
        // the scratch belongs to its network
        assert_int_equal(sti_run(second.network, NULL, second.state, first.scratch, 1),
                         STI_BAD_ARGUMENT);
        release(&first);
        release(&second);
    }
}

// Changing a parameter and changing it back gives the network of before.
static void a_change_can_be_undone(void **state)
{
    (void)state;
    StiPlan *plan = every_kind(true, NULL);
    Built before = build(plan);
    double level = NAN;
    assert_int_equal(sti_plan_get(plan, "rule.level", &level), STI_OK);
    assert_int_equal(sti_plan_set(plan, "rule.level", 0.1), STI_OK);
    assert_int_equal(sti_plan_set(plan, "rule.level", level), STI_OK);
    Built after = build_and_destroy(plan);
    for (long k = 0; k < 500; ++k) {
        step_scene(&before, k);
        step_scene(&after, k);
        assert_true(sti_state_hash(before.state) == sti_state_hash(after.state));
    }
    release(&before);
    release(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restoring_changes_nothing),
        cmocka_unit_test(a_copy_goes_on_alike),
        cmocka_unit_test(other_parameters_adopt_a_running_state),
        cmocka_unit_test(a_change_can_be_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
