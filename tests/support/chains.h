// Random chains of masses along a line: springs, a hand that moves the first of them, forces, bristles, and friction of
// several laws. What is wired to what comes from one seed, the values of parameters from another.
#ifndef STICTION_TESTS_SUPPORT_CHAINS_H
#define STICTION_TESTS_SUPPORT_CHAINS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/record.h"
#include "support/plan.h"
#include "support/random.h"

enum { CHAIN_MASSES = 4 };

typedef struct Wave {
    double size, frequency, phase;
} Wave;

// The functions of time of a chain, which all its variants share.
typedef struct ChainWaves {
    Wave waves[CHAIN_MASSES + 1];
} ChainWaves;

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

static StiLaw chain_law(Random *shape, Random *values)
{
    const double F = random_between(values, 2.0, 8.0);
    switch (random_below(shape, 3)) {
    case 0:
        return sti_law_coulomb(F);
    case 1:
        return sti_law_viscous(F, random_between(values, 0.1, 2.0));
    default:
        return sti_law_stribeck(F, F * random_between(values, 1.0, 1.5), 0.05, 1.0, 0.3);
    }
}

static void add_chain_elements(StiPlan *plan, Random *shape, Random *values, int i, StiWire ground,
                               StiWire pair)
{
    char name[16];
    snprintf(name, sizeof name, "k%d", i);
    add_spring(plan, name, pair, random_between(values, 20.0, 90.0),
               random_between(values, 0.0, 1.0));
    snprintf(name, sizeof name, "f%d", i);
    if (random_below(shape, 4) > 0) {
        const StiLaw law = chain_law(shape, values);
        add_rule(plan, name, ground, law, random_below(shape, 2) > 0 ? 14.0 : 0.0);
    } else if (random_below(shape, 2) > 0) {
        sti_plan_add_impedance(plan, name, &sti_kind_dahl,
                               &(StiDahl){.law = sti_law_coulomb(3.0),
                                          .K = random_between(values, 200.0, 400.0),
                                          .alpha = 1.0},
                               &ground);
    }
}

static StiPlan *chain_plan(uint64_t seed, uint64_t variant, ChainWaves *waves)
{
    Random shape = {seed}, values = {variant};
    StiPlan *plan = plan_in_stages();
    const int count = 1 + (int)random_below(&shape, CHAIN_MASSES);
    for (int i = 0; i <= count; ++i)
        waves->waves[i] =
            (Wave){random_between(&shape, 2.0, 20.0), random_between(&shape, 3.0, 9.0),
                   random_between(&shape, 0.0, 3.0)};
    waves->waves[count].size *= 0.05;
    StiAdmittanceId before = sti_plan_add_motion(plan, "hand", 1,
                                                 (StiTimeFunction){.count = 2,
                                                                   .eval = hand_at,
                                                                   .data = &waves->waves[count]});
    for (int i = 0; i < count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        const StiAdmittanceId mass = add_mass(plan, name, random_between(&values, 0.5, 2.0));
        const StiWire ground = sti_wire_coordinate(mass, 0, 1);
        const StiWire pair = random_below(&shape, 2) > 0
                                 ? sti_wire_coordinate_pair(before, 0, mass, 0, 1)
                                 : sti_wire_coordinate_pair(mass, 0, before, 0, 1);
        add_chain_elements(plan, &shape, &values, i, ground, pair);
        snprintf(name, sizeof name, "h%d", i);
        if (random_below(&shape, 2) > 0)
            sti_plan_add_force(plan, name, &ground, 1,
                               (StiTimeFunction){.count = 1,
                                                 .eval = wave_at,
                                                 .data = &waves->waves[i]});
        before = mass;
    }
    sti_plan_set_gravity(plan, (StiVec3){random_between(&shape, -3.0, 3.0), -1.0, -9.81});
    sti_plan_set_step(plan, random_between(&shape, 1e-3, 1e-2));
    sti_plan_set_method(plan, &sti_method_cut);
    return plan;
}

static void assert_same_channels(const StiNetwork *network, const StiRecorder *one,
                                 const StiRecorder *other)
{
    StiChannel channel;
    for (int i = 0; sti_network_channel(network, i, &channel); ++i) {
        const double a = sti_recorder_value(one, i), b = sti_recorder_value(other, i);
        if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%s: %.17g, %.17g", channel.name, a, b);
    }
}

#endif
