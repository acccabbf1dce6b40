// Random chains: with lists and without them, each step has the same bits, in state, forces and energies.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../network/built.h"
#include "cut/substep_data.h"
#include "scratch/scratch.h"
#include "support/chains.h"
#include "support/short.h"

enum { SETS = 40, STEPS = 400 };

typedef struct Chain {
    ChainWaves waves;
    Built built;
    StiRecorder *recorder;
} Chain;

static void make(Chain *chain, uint64_t seed)
{
    chain->built = build_and_destroy(chain_plan(seed, seed, &chain->waves));
    chain->recorder = sti_recorder_create(chain->built.network);
    assert_non_null(chain->recorder);
    assert_int_equal(sti_recorder_begin(chain->recorder, chain->built.state, NULL,
                                        chain->built.scratch),
                     STI_OK);
}

// As after other inputs or a changed state: what the step before evaluated is not used.
static void forget(Chain *chain) { chain->built.scratch->substep->kept = false; }

static void follow(Chain *chain, bool anew)
{
    if (anew) forget(chain);
    assert_steps(&chain->built, NULL);
    assert_int_equal(sti_recorder_follow(chain->recorder, chain->built.state, chain->built.scratch),
                     STI_OK);
}

static void lists_change_no_bit(void **state)
{
    (void)state;
    int listed = 0, events = 0;
    const int sets = (int)steps_or(SETS, 8);
    for (int set = 0; set < sets; ++set) {
        Chain quick, plain;
        make(&quick, 700 + (uint64_t)set);
        make(&plain, 700 + (uint64_t)set);
        plain.built.scratch->substep->listed = NULL;
        listed += quick.built.scratch->substep->listed != NULL;
        for (int k = 0; k < STEPS; ++k) {
            const bool anew = set % 3 == 1 || (set % 3 == 2 && k % 7 == 0);
            follow(&quick, anew);
            follow(&plain, anew);
            assert_int_equal(sti_state_hash(quick.built.state), sti_state_hash(plain.built.state));
            const StiStepFigures a = sti_scratch_figures(quick.built.scratch),
                                 b = sti_scratch_figures(plain.built.scratch);
            assert_int_equal(a.evaluations, b.evaluations);
            assert_int_equal(a.substeps, b.substeps);
            assert_same_channels(quick.built.network, quick.recorder, plain.recorder);
            events += a.events;
        }
        sti_recorder_destroy(quick.recorder);
        sti_recorder_destroy(plain.recorder);
        release(&quick.built);
        release(&plain.built);
    }
    print_message("%d of %d by lists, %d events\n", listed, sets, events);
    assert_true(listed > sets / 2 && events > 5 * sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
