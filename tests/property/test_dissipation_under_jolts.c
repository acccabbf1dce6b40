// Friction under random forces that jump: from rest no model gives back what it did not take, with
// any law, and the finite-time rule takes energy in every single step.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "friction_models.h"
#include "support/plan.h"
#include "support/scenes/oblique_mass.h"
#include "support/short.h"
#include "unit/network/built.h"

enum { STEPS = 2000 };

// A mass with one friction element, and as inputs the force on it and the load of its law.
typedef struct Jolted {
    Built built;
    StiRecorder *recorder;
    StiAdmittanceId mass;
    StiElementId friction;
    int dim, force_at, load_at; // load_at < 0: the law does not ask for a load
    double level, inputs[4];
    Random random;
    int left; // steps until the force jumps
} Jolted;

static StiAdmittanceId add_body(StiPlan *plan, int dim, double M)
{
    return sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                   &(StiPointMass){.dim = dim, .mass = M});
}

// Completes a plan that has the body and the friction; the jolts follow from the seed.
static void begin(Jolted *j, StiPlan *plan, bool listens, uint64_t seed)
{
    const StiWire wire = sti_wire_coordinate(j->mass, 0, j->dim);
    add_input_force(plan, "push", "force", wire);
    if (listens) {
        const StiSourceId load = sti_plan_add_input(plan, "load", 1, (const double[]){1.0});
        sti_plan_connect(plan, sti_signal_source(load, 0), j->friction, 0);
    }
    j->built = build_and_destroy(plan);
    j->force_at = sti_network_input(j->built.network, "force");
    j->load_at = sti_network_input(j->built.network, "load");
    j->random = (Random){seed};
    j->left = 0;
    j->inputs[0] = j->inputs[1] = j->inputs[2] = j->inputs[3] = 0.0;
    if (j->load_at >= 0) j->inputs[j->load_at] = 1.0;
    j->recorder = sti_recorder_create(j->built.network);
    assert_int_equal(sti_recorder_begin(j->recorder, j->built.state, j->inputs, j->built.scratch),
                     STI_OK);
}

// One step under a force of up to three times the level, sometimes none, that holds for a while.
static void jolt(Jolted *j)
{
    if (j->left-- == 0) {
        j->left = random_below(&j->random, 60);
        const double size = random_below(&j->random, 4) * j->level;
        for (int i = 0; i < j->dim; ++i)
            j->inputs[j->force_at + i] = random_between(&j->random, -size, size);
        if (j->load_at >= 0) j->inputs[j->load_at] = random_between(&j->random, 0.0, 2.0);
    }
    assert_steps(&j->built, j->inputs);
    assert_int_equal(sti_recorder_follow(j->recorder, j->built.state, j->built.scratch), STI_OK);
}

static void end(Jolted *j)
{
    sti_recorder_destroy(j->recorder);
    release(&j->built);
}

// T u.(v - v')/2 of a step: the ledger of a step with one evaluation takes the mean velocity, the model
// knew that of the start, and it is passive at what it knows.
static double known_beyond_mean(const Jolted *j, const double *before)
{
    static const char *const names[3][3] = {{"friction.force"},
                                            {"friction.fx", "friction.fy"},
                                            {"friction.fx", "friction.fy", "friction.fz"}};
    const StiNetwork *network = j->built.network;
    const double *after = velocity(&j->built, j->mass);
    double power = 0.0;
    for (int i = 0; i < j->dim; ++i) {
        const int channel = sti_network_channel_find(network, names[j->dim - 1][i]);
        power += 0.5 * sti_recorder_value(j->recorder, channel) * (before[i] - after[i]);
    }
    return sti_network_step(network) * power;
}

// The largest fall of what was dissipated below what had been, as a part of all of it.
static double given_back(Jolted *j)
{
    const bool one_evaluation = sti_network_method(j->built.network)->positions_last;
    double most = 0.0, back = 0.0, beyond = 0.0, before[3];
    for (int k = 0; k < STEPS; ++k) {
        memcpy(before, velocity(&j->built, j->mass), (size_t)j->dim * sizeof *before);
        jolt(j);
        if (one_evaluation) beyond += known_beyond_mean(j, before);
        const double now = sti_recorder_dissipated(j->recorder, j->friction) + beyond;
        assert_true(isfinite(now));
        most = fmax(most, now);
        back = fmax(back, most - now);
    }
    assert_true(most > 0.0);
    return back / most;
}

// Passive in any method and at any step that is stable: all that looks ahead, alone.
static bool is_robust(int which, const StiImpedanceKind *kind)
{
    return kind->looks_ahead && which != LEUVEN && which != COMPOUND; // these have explicit parts
}

static double jolted_model(int which, uint64_t seed)
{
    Random random = {seed};
    FrictionModel model;
    Jolted j = {.level = random_decades(&random, 0.1, 10.0)};
    const double K = j.level * random_decades(&random, 1e2, 1e4), w = sqrt(K);
    choose_model(&model, which, &random, j.level, K, j.level / w);
    const bool robust = is_robust(which, model.kind);
    StiPlan *plan = plan_in_stages();
    j.dim = model.dim;
    j.mass = add_body(plan, j.dim, 1.0);
    const StiWire wire = sti_wire_coordinate(j.mass, 0, j.dim);
    j.friction = sti_plan_add_impedance(plan, "friction", model.kind, model.parameters, &wire);
    sti_plan_set_step(plan, (robust ? random_between(&random, 0.05, 0.3) : 0.02) / w);
    sti_plan_set_method(plan, robust ? sti_methods[random_below(&random, 5)] : &sti_method_rk4);
    begin(&j, plan, false, seed);
    const double back = given_back(&j);
    end(&j);
    return back;
}

static void models_give_nothing_back(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(60, 3);
    for (int which = 0; which < MODEL_COUNT; ++which) {
        // Dahl in its stiff form has an error of the method's order; an element of GMS that slips
        // may run ahead of the surface and push
        const double most = which == GMS ? 0.05 : which == DAHL_STIFF ? 1e-6 : 1e-14;
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            const double back = jolted_model(which, seed);
            if (!(back <= most))
                print_error("%s, seed %d: %g\n", model_names[which], (int)seed, back);
            assert_true(back <= most);
        }
    }
}

enum { LAWS = 8 };

// Falling laws fall slowly enough for the steps below: (16b) has one solution. As a coefficient the
// level is multiplied by a load that jumps, too.
static StiLaw law_of(int which, Random *random, double level, bool coefficient)
{
    static double table[8];
    const double numbers[8] = {0.0, 0.5, 1.0, 2.0, level, 1.4 * level, 1.35 * level, 1.5 * level};
    for (int i = 0; i < 8; ++i) table[i] = numbers[i];
    const double viscous = random_decades(random, 0.01, 1.0) * level;
    const StiLaw laws[LAWS] = {
        sti_law_coulomb(level),
        sti_law_viscous(level, viscous),
        sti_law_stribeck(level, 1.3 * level, 3.0, 2.0, viscous),
        sti_law_gear(level, 1.3 * level, 0.3, viscous),
        sti_law_table(table, 4),
        sti_law_tanh(level, 0.1),
        sti_law_stribeck(level, level, 1.0, 0.5, 0.0),
        sti_law_directional(level, 0.4 * level, viscous, 0.1 * viscous),
    };
    return coefficient ? sti_law_times_load(laws[which]) : laws[which];
}

// Friction elements that take any law, in one to three dimensions.
static void any_law_gives_nothing_back(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(12, 2);
    for (int which = 0; which < 3 * LAWS; ++which)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            Random random = {seed};
            Jolted j = {.level = random_decades(&random, 0.3, 3.0)};
            const bool directional = which / 3 == LAWS - 1, coefficient = seed % 2 == 0;
            const StiLaw law = law_of(which / 3, &random, j.level, coefficient);
            const double K = 1e3 * j.level, B = random_between(&random, 0.01, 1.0) * sqrt(K);
            j.dim = directional ? 1 : 1 + random_below(&random, 3);
            StiPlan *plan = plan_in_stages();
            j.mass = add_body(plan, j.dim, 1.0);
            const StiWire wire = sti_wire_coordinate(j.mass, 0, j.dim);
            const StiElasticCoulomb elastic = {.dim = j.dim, .law = law, .K = K, .B = B};
            const StiLinearContinuous continuous = {
                .dim = j.dim, .law = law, .K = K, .B = B, .M = random_below(&random, 2) * 0.01};
            const StiViscousApproximation viscous = {.dim = j.dim, .law = law, .eps = 0.5};
            const StiImpedance choice[3] = {{&sti_kind_elastic_coulomb, &elastic},
                                            {&sti_kind_linear_continuous, &continuous},
                                            {&sti_kind_viscous_approximation, &viscous}};
            const StiImpedance friction = choice[which % 3];
            j.friction =
                sti_plan_add_impedance(plan, "friction", friction.kind, friction.parameters, &wire);
            sti_plan_set_step(plan, random_between(&random, 0.02, 0.2) / sqrt(K));
            sti_plan_set_method(plan, sti_methods[random_below(&random, 5)]);
            begin(&j, plan, coefficient, seed);
            const double back = given_back(&j);
            if (!(back <= 1e-14))
                print_error("%s with %s, %d dimensions, seed %d: %g\n", friction.kind->info.name,
                            law.kind->name, j.dim, (int)seed, back);
            assert_true(back <= 1e-14);
            end(&j);
        }
}

// Inertia in any direction: W = L L^T.
static ObliqueMass random_inertia(Random *random, int dim)
{
    ObliqueMass mass = {.dim = dim};
    double L[3][3] = {{0.0}};
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j <= i; ++j)
            L[i][j] = i == j ? random_decades(random, 0.3, 3.0) : random_between(random, -1.0, 1.0);
    for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
            for (int k = 0; k < dim; ++k) mass.W[i * dim + j] += L[i][k] * L[j][k];
    return mass;
}

// Energy taken in the last step by a resistance that acts with the velocity of the step's end.
static double taken(const Jolted *j, double *before)
{
    const double now = sti_recorder_dissipated(j->recorder, j->friction), change = now - *before;
    *before = now;
    return change;
}

static void the_rule_takes_in_every_step(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(25, 3);
    for (int which = 0; which < LAWS; ++which)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            Random random = {seed};
            Jolted j = {.level = random_decades(&random, 0.3, 3.0)};
            const bool directional = which == LAWS - 1, coefficient = random_below(&random, 2) == 0;
            StiFiniteTime rule = {.dim = directional ? 1 : 1 + random_below(&random, 3),
                                  .law = law_of(which, &random, j.level, coefficient),
                                  .level_static = random_below(&random, 2) * 2.0 * j.level};
            rule.approximate = rule.dim == 1 && random_below(&random, 2) == 0;
            if (directional) rule.level_static = 0.0;
            const ObliqueMass mass = random_inertia(&random, rule.dim);
            ObliqueSlide slide =
                scene_oblique_mass(1e-3, &mass,
                                   (SceneFriction){.reaction = &sti_kind_finite_time,
                                                   .parameters = &rule});
            j.dim = rule.dim;
            j.mass = slide.mass;
            j.friction = slide.friction;
            begin(&j, slide.plan, coefficient, seed);
            double before = 0.0;
            for (int k = 0; k < STEPS; ++k) {
                jolt(&j);
                assert_true(taken(&j, &before) >= 0.0);
            }
            assert_true(before > 0.0);
            end(&j);
        }
}

// Karnopp and Quinn are thresholds: within eps they may push, but not by more than level times eps,
// and a step may carry them through zero by what their level and the force do in it.
static void thresholds_push_no_more_than_they_claim(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(60, 6);
    for (int which = 0; which < 2; ++which)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            Random random = {seed};
            Jolted j = {.dim = 1 + random_below(&random, 3),
                        .level = random_decades(&random, 0.3, 3.0)};
            const double T = 1e-3, eps = 5.0 * T * j.level, force = 3.0 * sqrt(j.dim) * j.level;
            const StiLaw law = sti_law_coulomb(j.level);
            const StiKarnopp karnopp = {.dim = j.dim, .law = law, .eps = eps};
            const StiQuinn quinn = {.dim = j.dim, .law = law, .eps = eps};
            StiPlan *plan = plan_in_stages();
            j.mass = add_body(plan, j.dim, 1.0);
            const StiWire wire = sti_wire_coordinate(j.mass, 0, j.dim);
            j.friction =
                which == 0
                    ? sti_plan_add_reaction(plan, "friction", &sti_kind_karnopp, &karnopp, &wire)
                    : sti_plan_add_reaction(plan, "friction", &sti_kind_quinn, &quinn, &wire);
            begin(&j, plan, false, seed);
            double before = 0.0;
            for (int k = 0; k < STEPS; ++k) {
                jolt(&j);
                assert_true(taken(&j, &before) >= -T * j.level * (eps + T * (j.level + force)));
            }
            assert_true(before > 0.0);
            end(&j);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_give_nothing_back),
        cmocka_unit_test(any_law_gives_nothing_back),
        cmocka_unit_test(the_rule_takes_in_every_step),
        cmocka_unit_test(thresholds_push_no_more_than_they_claim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
