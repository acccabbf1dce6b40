// Random chains of masses with springs, driven motion, bristles and friction of several laws: with lists and without
// them, each step has the same bits, in state, forces and energies.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../network/built.h"
#include "cut/substep_data.h"
#include "scratch/scratch.h"
#include "stiction/record.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/short.h"

enum { SETS = 40, STEPS = 400, MASSES = 4 };

typedef struct Wave {
    double size, frequency, phase;
} Wave;

typedef struct Chain {
    Wave waves[MASSES + 1];
    Built built;
    StiRecorder *recorder;
} Chain;

static void wave_at(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Wave *w = data;
    values[0] = w->size * sin(w->frequency * t + w->phase);
}

// Place and speed of a hand.
static void hand_at(const void *data, void *workspace, double t, double *values)
{
    const Wave *w = data;
    wave_at(data, workspace, t, values);
    values[1] = w->size * w->frequency * cos(w->frequency * t + w->phase);
}

static StiLaw some_law(Random *random)
{
    const double F = random_between(random, 2.0, 8.0);
    switch (random_below(random, 3)) {
    case 0:
        return sti_law_coulomb(F);
    case 1:
        return sti_law_viscous(F, random_between(random, 0.1, 2.0));
    default:
        return sti_law_stribeck(F, F * random_between(random, 1.0, 1.5), 0.05, 1.0, 0.3);
    }
}

static void add_elements(StiPlan *plan, Random *random, int i, StiWire ground, StiWire pair)
{
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    add_spring(plan, name, pair, random_between(random, 20.0, 90.0),
               random_between(random, 0.0, 1.0));
    snprintf(name, sizeof name, "f%d", i);
    if (random_below(random, 4) > 0)
        add_rule(plan, name, ground, some_law(random), random_below(random, 2) > 0 ? 14.0 : 0.0);
    else if (random_below(random, 2) > 0)
        sti_plan_add_impedance(plan, name, &sti_kind_dahl,
                               &(StiDahl){.law = sti_law_coulomb(3.0), .K = 300.0, .alpha = 1.0},
                               &ground);
}

static void make(Chain *chain, uint64_t seed)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    const int count = 1 + (int)random_below(&random, MASSES);
    for (int i = 0; i <= count; ++i)
        chain->waves[i] =
            (Wave){random_between(&random, 2.0, 20.0), random_between(&random, 3.0, 9.0),
                   random_between(&random, 0.0, 3.0)};
    chain->waves[count].size *= 0.05;
    StiAdmittanceId before = sti_plan_add_motion(plan, "hand", 1,
                                                 (StiTimeFunction){.count = 2,
                                                                   .eval = hand_at,
                                                                   .data = &chain->waves[count]});
    for (int i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        const StiAdmittanceId mass = add_mass(plan, name, random_between(&random, 0.5, 2.0));
        const StiWire ground = sti_wire_coordinate(mass, 0, 1);
        const bool turned = random_below(&random, 2) > 0;
        const StiWire pair = turned ? sti_wire_coordinate_pair(before, 0, mass, 0, 1)
                                    : sti_wire_coordinate_pair(mass, 0, before, 0, 1);
        add_elements(plan, &random, i, ground, pair);
        snprintf(name, sizeof name, "h%d", i);
        if (random_below(&random, 2) > 0)
            sti_plan_add_force(plan, name, &ground, 1,
                               (StiTimeFunction){.count = 1,
                                                 .eval = wave_at,
                                                 .data = &chain->waves[i]});
        before = mass;
    }
    sti_plan_set_step(plan, random_between(&random, 1e-3, 1e-2));
    sti_plan_set_method(plan, &sti_method_cut);
    chain->built = build_and_destroy(plan);
    chain->recorder = sti_recorder_create(chain->built.network);
    assert_non_null(chain->recorder);
    assert_int_equal(sti_recorder_begin(chain->recorder, chain->built.state, NULL,
                                        chain->built.scratch),
                     STI_OK);
}

static void follow(Chain *chain)
{
    assert_steps(&chain->built, NULL);
    assert_int_equal(sti_recorder_follow(chain->recorder, chain->built.state, chain->built.scratch),
                     STI_OK);
}

static void assert_same_channels(const Chain *one, const Chain *other)
{
    StiChannel channel;
    for (int i = 0; sti_network_channel(one->built.network, i, &channel); ++i) {
        const double a = sti_recorder_value(one->recorder, i),
                     b = sti_recorder_value(other->recorder, i);
        if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s: %.17g, %.17g", channel.name, a, b);
    }
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
            follow(&quick);
            follow(&plain);
            assert_int_equal(sti_state_hash(quick.built.state), sti_state_hash(plain.built.state));
            const StiStepFigures a = sti_scratch_figures(quick.built.scratch),
                                 b = sti_scratch_figures(plain.built.scratch);
            assert_int_equal(a.evaluations, b.evaluations);
            assert_int_equal(a.substeps, b.substeps);
            assert_same_channels(&quick, &plain);
            events += a.events;
        }
        sti_recorder_destroy(quick.recorder);
        sti_recorder_destroy(plain.recorder);
        release(&quick.built);
        release(&plain.built);
    }
    assert_true(listed > sets / 2 && events > 10 * sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_change_no_bit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
