// Claims about the network of every kind, under every method it can run with. Include after cmocka.h.
#ifndef STICTION_TESTS_EVERY_CASE_H
#define STICTION_TESTS_EVERY_CASE_H

#include "every_kind.h"
#include "support/short.h"

// What a claim must hold for: impedances under every method that does not cut (test_cut_bits.c), and reactions.
typedef struct EveryCase {
    bool reactions;
    const StiMethod *method;
} EveryCase;

static inline bool every_case(int number, EveryCase *c)
{
    for (int i = 0; sti_methods[i] != NULL; ++i)
        if (!sti_methods[i]->cuts && number-- == 0) {
            *c = (EveryCase){false, sti_methods[i]};
            return true;
        }
    *c = (EveryCase){true, &sti_method_euler};
    return number == 0;
}

static inline StiPlan *every_plan(const EveryCase *c, uint64_t seed)
{
    StiPlan *plan = every_kind(c->reactions, seed);
    sti_plan_set_method(plan, c->method);
    return plan;
}

static inline Built every_built(const EveryCase *c, uint64_t seed)
{
    return build_and_destroy(every_plan(c, seed));
}

enum { EVERY_INPUTS = 2 };

// Inputs that change, the same for every run.
static inline void every_inputs(const StiNetwork *network, int64_t k, double inputs[EVERY_INPUTS])
{
    inputs[sti_network_input(network, "gusts")] = 3.0 * sin(0.01 * (double)k);
    inputs[sti_network_input(network, "torque")] = 2.0 + (double)((k / 100) % 3);
}

static inline void every_step(Built *built)
{
    double inputs[EVERY_INPUTS];
    every_inputs(built->network, sti_state_k(built->state), inputs);
    assert_steps(built, inputs);
}

enum { EVERY_STEPS = 500 };
static inline int every_steps(void) { return (int)steps_or(EVERY_STEPS, 100); }

// The state after each step of an undisturbed run.
static inline void every_hashes(const EveryCase *c, uint64_t hashes[EVERY_STEPS])
{
    Built built = every_built(c, 0);
    assert_int_equal(sti_network_input_count(built.network), EVERY_INPUTS);
    assert_true(sti_network_has_reactions(built.network) == c->reactions);
    for (int k = 0; k < every_steps(); ++k) {
        every_step(&built);
        hashes[k] = sti_state_hash(built.state);
        if (k > 0) assert_true(hashes[k] != hashes[k - 1]); // something moves
    }
    release(&built);
}

typedef void EveryClaim(const EveryCase *c, const uint64_t hashes[EVERY_STEPS]);

static inline void for_every_case(EveryClaim *claim)
{
    static uint64_t hashes[EVERY_STEPS];
    EveryCase c;
    for (int i = 0; every_case(i, &c); ++i) {
        every_hashes(&c, hashes);
        claim(&c, hashes);
    }
}

#endif
