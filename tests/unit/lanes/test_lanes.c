// Random chains, several variants of each side by side: every row of every run has the bits of the run alone.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../network/built.h"
#include "lanes/lanes.h"
#include "support/chains.h"
#include "support/short.h"

enum { SETS = 30, STEPS = 400 };

typedef struct Alone {
    Built built;
    StiRecorder *recorder;
} Alone;

static Alone make(uint64_t seed, uint64_t variant, ChainWaves *waves)
{
    Alone alone = {.built = build_and_destroy(chain_plan(seed, variant, waves))};
    alone.recorder = sti_recorder_create(alone.built.network);
    assert_non_null(alone.recorder);
    return alone;
}

static void drop(Alone *alone)
{
    sti_recorder_destroy(alone->recorder);
    release(&alone->built);
}

static void follow(Alone *alone)
{
    assert_steps(&alone->built, NULL);
    assert_int_equal(sti_recorder_follow(alone->recorder, alone->built.state, alone->built.scratch),
                     STI_OK);
}

// How many steps of all runs were taken together. every: rows are looked at so often.
static int compare(uint64_t seed, int count, int every)
{
    ChainWaves waves;
    Alone alone[STI_LANES];
    const StiNetwork *networks[STI_LANES];
    int together = 0;
    for (int i = 0; i < count; ++i) {
        alone[i] = make(seed, 1000 * seed + (uint64_t)i, &waves);
        networks[i] = alone[i].built.network;
    }
    StiLanes *lanes = sti_lanes_create(networks, count);
    if (!sti_lanes_apply(networks[0])) assert_null(lanes);
    if (lanes != NULL) sti_lanes_begin(lanes);
    for (int i = 0; lanes != NULL && i < count; ++i) {
        assert_int_equal(sti_recorder_begin(alone[i].recorder, alone[i].built.state, NULL,
                                            alone[i].built.scratch),
                         STI_OK);
        assert_same_channels(networks[i], sti_lanes_recorder(lanes, i), alone[i].recorder);
    }
    for (int k = 1; lanes != NULL && k <= STEPS; ++k) {
        sti_lanes_step(lanes);
        for (int i = 0; i < count; ++i) {
            follow(&alone[i]);
            assert_int_equal(sti_lanes_status(lanes, i), STI_OK);
            together += lanes->runs[i].taken;
            if (k % every != 0) continue;
            assert_int_equal(sti_state_hash(sti_lanes_state(lanes, i)),
                             sti_state_hash(alone[i].built.state));
            assert_same_channels(networks[i], sti_lanes_recorder(lanes, i), alone[i].recorder);
        }
    }
    sti_lanes_destroy(lanes);
    for (int i = 0; i < count; ++i) drop(&alone[i]);
    return together;
}

static void every_run_has_its_own_bits(void **state)
{
    (void)state;
    const int sets = (int)steps_or(SETS, 5);
    int64_t together = 0, all = 0;
    for (int set = 0; set < sets; ++set) {
        const int count = 1 + set % STI_LANES;
        const int taken = compare(900 + (uint64_t)set, count, set % 3 == 0 ? 37 : 1);
        together += taken;
        all += taken > 0 ? count * STEPS : 0;
    }
    print_message("%lld of %lld steps together\n", (long long)together, (long long)all);
    assert_true(all > 0 && together > all / 2);
}

static void others_are_refused(void **state)
{
    (void)state;
    ChainWaves waves, other;
    Alone a = make(900, 1, &waves), b = make(901, 1, &waves), c = make(900, 1, &other);
    const StiNetwork *shapes[2] = {a.built.network, b.built.network};
    const StiNetwork *sources[2] = {a.built.network, c.built.network};
    assert_null(sti_lanes_create(shapes, 2));
    assert_null(sti_lanes_create(sources, 2));
    assert_null(sti_lanes_create(shapes, 0));
    drop(&a);
    drop(&b);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_run_has_its_own_bits),
                                       cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
