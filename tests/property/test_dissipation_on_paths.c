// No friction model makes energy when it is led round closed paths. Under forces that jump: test_dissipation_under_jolts.c.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "closed_path.h"
#include "friction_models.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/short.h"
#include "unit/network/built.h"

typedef struct Led {
    Built built;
    StiElementId friction;
    StiRecorder *recorder;
} Led;

static void begin(Led *s, StiPlan *plan)
{
    s->built = build_and_destroy(plan);
    s->recorder = sti_recorder_create(s->built.network);
    assert_int_equal(sti_recorder_begin(s->recorder, s->built.state, NULL, s->built.scratch),
                     STI_OK);
}

static void follow(Led *s, long steps)
{
    for (long k = 0; k < steps; ++k) {
        assert_steps(&s->built, NULL);
        assert_int_equal(sti_recorder_follow(s->recorder, s->built.state, s->built.scratch),
                         STI_OK);
    }
}

static void end(Led *s)
{
    sti_recorder_destroy(s->recorder);
    release(&s->built);
}

// Models that look tau ahead are passive in any method, step by step; of explicit ones only the
// method's own error must be small.
static const StiMethod *random_method(Random *random, int which)
{
    const bool ahead = (which >= ELASTIC_COULOMB && which <= MAXWELL_SLIP_DAMPED) ||
                       which == LINEAR_CONTINUOUS || which == LINEAR_CONTINUOUS_WITH_MASS;
    if (ahead) return sti_methods[random_below(random, 5)];
    return random_below(random, 2) == 0 ? &sti_method_rk4 : &sti_method_gill;
}

// Led by a hand once and again round a path so wide that it slides, or so narrow that it only
// bends.
static void dissipated_over_a_round(int which, uint64_t seed, bool wide, double *dissipated,
                                    double *scale)
{
    Random random = {seed};
    FrictionModel model;
    const double level = random_decades(&random, 0.1, 100.0), K = random_decades(&random, 1e3, 1e5);
    const double size = level / K * (wide ? random_between(&random, 3.0, 10.0) : 0.1);
    const double period = random_decades(&random, 0.1, 10.0);
    const long steps = 4000;
    choose_model(&model, which, &random, level, K, 6.0 * size / period);
    const ClosedPath path = closed_path(&random, model.dim, size, period);
    Led s;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId hand = sti_plan_add_motion(plan, "hand", model.dim,
                                                     (StiTimeFunction){.count = 2 * model.dim,
                                                                       .eval = path_motion,
                                                                       .data = &path});
    const StiWire wire = sti_wire_coordinate(hand, 0, model.dim);
    s.friction = sti_plan_add_impedance(plan, "friction", model.kind, model.parameters, &wire);
    sti_plan_set_step(plan, period / (double)steps);
    sti_plan_set_method(plan, random_method(&random, which));
    begin(&s, plan);
    follow(&s, steps);
    const double first = sti_recorder_dissipated(s.recorder, s.friction);
    follow(&s, steps);
    *dissipated = sti_recorder_dissipated(s.recorder, s.friction) - first;
    *scale = level * size;
    end(&s);
}

static void closed_paths_cost_energy(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(15, 2);
    for (int which = 0; which < MODEL_COUNT; ++which)
        for (uint64_t seed = 1; seed <= seeds; ++seed)
            for (int wide = 0; wide < 2; ++wide) {
                double dissipated, scale;
                dissipated_over_a_round(which, seed, wide, &dissipated, &scale);
                const bool good = dissipated >= (wide ? 0.1 : -1e-9) * scale;
                if (!good)
                    print_error("%s, seed %d, %s: %g of %g J\n", model_names[which], (int)seed,
                                wide ? "wide" : "narrow", dissipated, scale);
                assert_true(good);
            }
}

// Reactions on a mass that a hand leads by a spring.
static double dissipated_by_reaction(uint64_t seed, int which, double *scale)
{
    Random random = {seed};
    const int dim = 1 + random_below(&random, 3);
    const double level = random_decades(&random, 0.1, 10.0), K = 100.0, size = 3.0 * level / K,
                 T = 1e-3;
    const ClosedPath path = closed_path(&random, dim, size * 3.0, 4.0);
    const StiLaw law =
        random_below(&random, 2) == 0 ? sti_law_coulomb(level) : sti_law_viscous(level, 0.1);
    StiPlan *plan = plan_in_stages();
    Led s;
    const StiAdmittanceId hand = sti_plan_add_motion(
        plan, "hand", dim, (StiTimeFunction){.count = 2 * dim, .eval = path_motion, .data = &path});
    const StiAdmittanceId mass = sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                                         &(StiPointMass){.dim = dim, .mass = 0.1});
    add_spring(plan, "spring", sti_wire_coordinate_pair(hand, 0, mass, 0, dim), K, 0.5);
    const StiWire wire = sti_wire_coordinate(mass, 0, dim);
    const StiFiniteTime rule = {.dim = dim,
                                .law = law,
                                .level_static = random_below(&random, 2) * 1.3 * level};
    const StiKarnopp karnopp = {.dim = dim, .law = law, .eps = T * level / 0.1};
    const StiQuinn quinn = {.dim = dim, .law = sti_law_coulomb(level), .eps = T * level / 0.1};
    s.friction =
        which == 0   ? sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time, &rule, &wire)
        : which == 1 ? sti_plan_add_reaction(plan, "friction", &sti_kind_karnopp, &karnopp, &wire)
                     : sti_plan_add_reaction(plan, "friction", &sti_kind_quinn, &quinn, &wire);
    sti_plan_set_step(plan, T);
    begin(&s, plan);
    follow(&s, 4000);
    const double first = sti_recorder_dissipated(s.recorder, s.friction);
    follow(&s, 4000);
    const double dissipated = sti_recorder_dissipated(s.recorder, s.friction) - first;
    *scale = level * size;
    end(&s);
    return dissipated;
}

static void reactions_cost_energy(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(60, 6);
    for (int which = 0; which < 3; ++which)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            double scale;
            const double dissipated = dissipated_by_reaction(seed, which, &scale);
            assert_true(dissipated > scale);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_paths_cost_energy),
        cmocka_unit_test(reactions_cost_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
