#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scenes/chain.h"
#include "support/scenes/quiet_contacts.h"

// What a scratch keeps from one evaluation to the next (rows, W, factors, the last stage) only saves
// work: a new scratch comes to the same bits.

enum { STEPS = 240, NEW_EVERY = 3 };

typedef struct Run {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
} Run;

static Run run_of(StiPlan *plan)
{
    Run run;
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_method(plan, &sti_method_cut);
    assert_int_equal(sti_plan_compile(plan, NULL, &run.network), STI_OK);
    run.state = sti_state_create(run.network);
    run.scratch = sti_scratch_create(run.network);
    return run;
}

static void release_run(Run *run)
{
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_network_destroy(run->network);
}

static uint64_t step(Run *run)
{
    assert_int_equal(sti_run(run->network, NULL, run->state, run->scratch, 1), STI_OK);
    return sti_state_hash(run->state);
}

static void compare_bits(const char *name, StiPlan *plan)
{
    Run kept = run_of(plan), fresh = run_of(plan);
    for (int k = 0; k < STEPS; ++k) {
        if (k % NEW_EVERY == 0) {
            sti_scratch_destroy(fresh.scratch);
            fresh.scratch = sti_scratch_create(fresh.network);
        }
        const uint64_t bits = step(&kept);
        if (step(&fresh) != bits) fail_msg("%s: other bits in step %d", name, k);
    }
    release_run(&kept);
    release_run(&fresh);
}

static void what_a_scratch_keeps_changes_no_bit(void **state)
{
    (void)state;
    const struct {
        const char *name;
        void (*build)(StiPlan *plan);
    } machines[] = {{"box at rest", box_at_rest},   {"box shaken", box_shaken},
                    {"sliding box", box_slides},    {"tumbling box", box_tumbles},
                    {"rolling sphere", ball_rolls}, {"sliding sphere", ball_slides},
                    {"arm tip slides", arm_slides}, {"quadruped", quadruped_stands}};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
        StiPlan *plan = sti_plan_create();
        machines[i].build(plan);
        compare_bits(machines[i].name, plan);
        sti_plan_destroy(plan);
    }
}

// Passes over long chains begin in the middle where only friction further in has changed.
static void nor_does_it_with_long_chains(void **state)
{
    (void)state;
    static const int lengths[] = {3, 9, 14, 25};
    for (int i = 0; i < 8; ++i) {
        Chain chain = chain_plan(lengths[i / 2], i % 2 == 0 ? 0.0 : 0.05, 1e-3);
        compare_bits("chain", chain.plan);
        sti_plan_destroy(chain.plan);
        sti_robot_destroy(chain.robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_scratch_keeps_changes_no_bit),
                                       cmocka_unit_test(nor_does_it_with_long_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
