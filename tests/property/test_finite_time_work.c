// The finite-time rule never does positive work, in networks of up to twelve masses that rub on the
// ground and on each other, with random laws, static levels and forces.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/plan.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "contact/points.h"
#include "rows/reactions.h"
#include "unit/network/built.h"

enum { MASSES = 12 };

typedef struct Crowd {
    Built built;
    int dim, masses;
    double mass[MASSES];
    StiAdmittanceId ids[MASSES];
    double inputs[2 * MASSES];
} Crowd;

// Falling laws fall slowly enough for the step and the masses: then (16b) has one solution.
static StiLaw random_law(Random *random, int dim, double level)
{
    static const double table[6] = {0.0, 0.5, 2.0, 1.0, 0.999, 1.1};
    switch (random_below(random, dim == 1 ? 5 : 4)) {
    case 0:
        return sti_law_coulomb(level);
    case 1:
        return sti_law_viscous(level, random_decades(random, 0.1, 100.0));
    case 2:
        return sti_law_stribeck(level, 1.2 * level, 2.0 * level, 2.0, 0.1);
    case 3:
        return sti_law_table(table, 3);
    default:
        return sti_law_directional(level, 0.5 * level, 0.1, 1.0);
    }
}

static void add_rubbing(StiPlan *plan, const Crowd *c, Random *random, int number, bool grounded)
{
    const int a = random_below(random, c->masses), b = random_below(random, c->masses + 1) - 1;
    const bool ground = b < 0 || b == a;
    if (ground && !grounded) return;
    const double level = random_decades(random, 0.1, 100.0);
    const StiLaw law = random_law(random, c->dim, level);
    const bool held = random_below(random, 2) == 0 && law.kind != &sti_law_kind_directional;
    char name[24];
    snprintf(name, sizeof name, "f%02d", number);
    add_rule(plan, name,
             sti_wire_coordinate_pair(c->ids[a], 0, ground ? (StiAdmittanceId){-1} : c->ids[b], 0,
                                      c->dim),
             law, held ? 1.5 * fmax(level, 1.0) : 0.0);
}

static Crowd random_crowd(Random *random, bool grounded)
{
    StiPlan *plan = plan_in_stages();
    Crowd c = {.dim = 1 + random_below(random, 2), .masses = 2 + random_below(random, MASSES - 1)};
    const int reactions = 1 + random_below(random, 2 * c.masses);
    char name[24];
    for (int i = 0; i < c.masses; ++i) {
        c.mass[i] = random_decades(random, 0.1, 10.0);
        StiPointMass body = {.dim = c.dim, .mass = c.mass[i]};
        for (int d = 0; d < c.dim; ++d) body.velocity[d] = random_between(random, -1.0, 1.0);
        snprintf(name, sizeof name, "m%02d", i);
        c.ids[i] = sti_plan_add_admittance(plan, name, &sti_kind_point_mass, &body);
    }
    for (int i = 0; i < reactions; ++i) add_rubbing(plan, &c, random, i, grounded);
    add_rule(plan, "f", sti_wire_coordinate_pair(c.ids[0], 0, c.ids[1], 0, c.dim),
             sti_law_coulomb(1.0), 0.0);
    for (int i = 0; i < c.masses; ++i) {
        char input[24];
        snprintf(name, sizeof name, "push%02d", i);
        snprintf(input, sizeof input, "input%02d", i);
        add_input_force(plan, name, input, sti_wire_coordinate(c.ids[i], 0, c.dim));
    }
    sti_plan_set_step(plan, 1e-3);
    c.built = build_and_destroy(plan);
    return c;
}

static double kinetic_energy(const Crowd *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->masses; ++i)
        for (int d = 0; d < c->dim; ++d)
            sum += 0.5 * c->mass[i] * velocity(&c->built, c->ids[i])[d] *
                   velocity(&c->built, c->ids[i])[d];
    return sum;
}

// Of coordinate d at one end of a wire, from the state itself.
static double end_velocity(const Crowd *c, const StiEnd *end, int d)
{
    if (end->admittance < 0) return 0.0;
    return c->built.state
        ->values[c->built.network->admittances[end->admittance].v + end->place + d];
}

// T r.v with the velocity at the end of the step, for each reaction.
static void assert_no_positive_work(const Crowd *c)
{
    const StiNetwork *n = c->built.network;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        const StiReactionAnswer *answer = &c->built.scratch->reactions->answers[i];
        double power = 0.0;
        for (int d = 0; d < e->size.dim; ++d) {
            const double v =
                end_velocity(c, &e->wire.wire.a, d) - end_velocity(c, &e->wire.wire.b, d);
            power += answer->r[d] * v;
            if (answer->stuck) assert_true(v == 0.0);
        }
        assert_true(power >= 0.0); // a resistance along v takes energy out
    }
}

static void random_forces(Crowd *c, Random *random, double size)
{
    for (int i = 0; i < c->masses * c->dim; ++i) c->inputs[i] = random_between(random, -size, size);
}

static void no_reaction_ever_pushes(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(1000, 40);
    long stuck = 0, slipping = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random = {seed};
        Crowd c = random_crowd(&random, true);
        for (int k = 0; k < 60; ++k) {
            if (k % 10 == 0) random_forces(&c, &random, k == 0 ? 0.0 : 50.0);
            assert_steps(&c.built, c.inputs);
            assert_no_positive_work(&c);
            for (int i = 0; i < c.built.network->reaction_count; ++i)
                *(c.built.scratch->reactions->answers[i].stuck ? &stuck : &slipping) += 1;
        }
        release(&c.built);
    }
    assert_true(stuck > 20 * (long)seeds && slipping > 20 * (long)seeds);
}

// Left alone, the masses only lose energy.
static void energy_never_rises(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(1000, 40);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random = {seed};
        Crowd c = random_crowd(&random, true);
        const double start = kinetic_energy(&c);
        double last = start;
        for (int k = 0; k < 60; ++k) {
            assert_steps(&c.built, NULL);
            const double now = kinetic_energy(&c);
            assert_true(now <= last + 1e-14 * start);
            last = now;
        }
        release(&c.built);
    }
}

static void momentum(const Crowd *c, double *sum)
{
    for (int d = 0; d < c->dim; ++d) {
        sum[d] = 0.0;
        for (int i = 0; i < c->masses; ++i)
            sum[d] += c->mass[i] * velocity(&c->built, c->ids[i])[d];
    }
}

// What rubs only on each other keeps its momentum, and gets what forces give.
static void momentum_is_kept_by_internal_reactions(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(1000, 40);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random = {seed};
        Crowd c = random_crowd(&random, false);
        double expected[2], now[2], size = 1e-3;
        momentum(&c, expected);
        for (int i = 0; i < c.masses; ++i) size += c.mass[i];
        for (int k = 0; k < 60; ++k) {
            if (k % 10 == 0) random_forces(&c, &random, 50.0);
            assert_steps(&c.built, c.inputs);
            momentum(&c, now);
            for (int d = 0; d < c.dim; ++d) {
                for (int i = 0; i < c.masses; ++i) expected[d] += 1e-3 * c.inputs[i * c.dim + d];
                assert_near(now[d], expected[d], 1e-13 * size);
            }
        }
        release(&c.built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_reaction_ever_pushes),
        cmocka_unit_test(energy_never_rises),
        cmocka_unit_test(momentum_is_kept_by_internal_reactions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
