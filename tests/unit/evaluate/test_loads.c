// Friction whose level is mu times a load: the iteration that both steps share.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "network/network.h"
#include "support/painleve.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

enum { ELASTIC, RULE, EXPLICIT };

// A block on a guide along x, pulled by a spring whose other end is at (d, 0, h): along the guide
// it pulls with K (d - x), across it with K h, whatever x is.
typedef struct Pulled {
    Built built;
    StiAdmittanceId block;
    StiElementId friction;
} Pulled;

static const double K = 100.0, mass = 1.0, d = 0.5, h = 0.2, mu = 0.3;

static Pulled pulled_block(int model, double T, double mu_static, double weight)
{
    StiPlan *plan = plan_in_stages();
    Pulled p;
    p.block = sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                                      &(StiGuidedBlock){.mass = mass, .axis = {2.0, 0.0, 0.0}});
    const StiWire pull = sti_wire_point(p.block, 0, sti_vec3(0, 0, 0), sti_vec3(d, 0.0, h), 3);
    const StiWire along = sti_wire_coordinate(p.block, 0, 1);
    const StiLaw law = sti_law_times_load(sti_law_coulomb(mu));
    add_spring(plan, "spring", pull, K, 0.0);
    if (model == ELASTIC)
        p.friction =
            sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb,
                                   &(StiElasticCoulomb){.dim = 1, .law = law, .K = 1e6, .B = 500.0},
                                   &along);
    else
        p.friction = add_rule(plan, "friction", along, law, mu_static);
    sti_plan_connect(plan, sti_signal_load(p.block, 0), p.friction, 0);
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -weight / mass));
    p.built = build_and_destroy(plan);
    return p;
}

// Half swings about d, each shorter by twice the friction level over K, until |d - x| <= level/K.
static double exact_rest(double level)
{
    double swing = d, side = -1.0; // starts at x = 0, left of d
    while (swing > level / K) {
        swing -= 2.0 * level / K;
        side = -side;
        if (swing < 0.0) {
            swing = -swing;
            side = -side;
        }
    }
    return d + side * swing;
}

static void a_pulled_block_swings_and_rests(void **state)
{
    (void)state;
    static const double weights[3] = {0.0, 5.0,
                                      50.0}; // presses against the spring's 20 N, and beyond
    for (int model = ELASTIC; model <= RULE; ++model)
        for (int i = 0; i < 3; ++i) {
            const double load = fabs(K * h - weights[i]), T = 1e-4;
            Pulled p = pulled_block(model, T, 0.0, weights[i]);
            for (int k = 0; k < 30000; ++k) assert_steps(&p.built, NULL);
            const double rest = exact_rest(mu * load), x = *position(&p.built, p.block);
            assert_near(x, rest, 2e-3); // first order in T, and the elastic one gives way by F/K
            if (model == RULE) assert_true(*velocity(&p.built, p.block) == 0.0);
            assert_near(p.built.state->values[p.built.state->loads], load, 1e-12 * load);
            release(&p.built);
        }
}

static double distance_from_rest(int model, double T)
{
    Pulled p = pulled_block(model, T, 0.0, 0.0);
    for (long k = 0; k < lround(3.0 / T); ++k) assert_steps(&p.built, NULL);
    const double error = fabs(*position(&p.built, p.block) - exact_rest(mu * K * h));
    release(&p.built);
    return error;
}

static void the_rest_is_reached_with_the_step(void **state)
{
    (void)state;
    const double coarse = distance_from_rest(RULE, 1e-3), fine = distance_from_rest(RULE, 1e-4);
    assert_true(fine < 0.2 * coarse && coarse < 0.02);
}

// The load does not depend on the friction here: the second look confirms the first.
static void figures_tell_of_the_iteration(void **state)
{
    (void)state;
    for (int model = ELASTIC; model <= RULE; ++model) {
        Pulled p = pulled_block(model, 1e-3, 0.0, 0.0);
        for (int k = 0; k < 10; ++k) {
            assert_steps(&p.built, NULL);
            const StiStepFigures figures = sti_scratch_figures(p.built.scratch);
            assert_in_range(figures.load_iterations, 1, 2);
            assert_true(figures.load_residual <= 1e-12);
            assert_true(figures.load_contraction < 1.0);
        }
        release(&p.built);
    }
    StiPlan *plan = plan_in_stages(); // nobody listens: no iteration
    sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                            &(StiGuidedBlock){.mass = 1.0, .axis = {1.0}});
    Built built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    assert_int_equal(sti_scratch_figures(built.scratch).load_iterations, 0);
    release(&built);
}

// In the very first step the loads are not known yet: sticking must not break for that.
static void static_friction_holds_from_the_first_step_on(void **state)
{
    (void)state;
    // K d = 50 N along, K h = 20 N across: mu 2.4 would let it slip, mu_static 2.6 holds
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block =
        sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                                &(StiGuidedBlock){.mass = mass, .axis = {1.0, 0.0, 0.0}});
    add_spring(plan, "spring", sti_wire_point(block, 0, sti_vec3(0, 0, 0), sti_vec3(d, 0.0, h), 3),
               K, 0.0);
    const StiElementId friction = add_rule(plan, "friction", sti_wire_coordinate(block, 0, 1),
                                           sti_law_times_load(sti_law_coulomb(2.4)), 2.6);
    sti_plan_connect(plan, sti_signal_load(block, 0), friction, 0);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < 100; ++k) {
        assert_steps(&built, NULL);
        assert_true(*velocity(&built, block) == 0.0 && *discrete(&built, friction) == 0.0);
        assert_int_equal(sti_scratch_figures(built.scratch).releases, 0);
    }
    release(&built);
}

// Explicit bristle models divide by the level: a moving block must not be met with a load of zero.
static void bristles_start_with_a_moving_block(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block =
        sti_plan_add_admittance(plan, "block", &sti_kind_guided_block,
                                &(StiGuidedBlock){.mass = 1.0, .axis = {1.0}, .velocity = 2.0});
    const StiWire along = sti_wire_coordinate(block, 0, 1);
    const StiElementId friction = sti_plan_add_impedance(
        plan, "friction", &sti_kind_lugre,
        &(StiLuGre){.law = sti_law_times_load(sti_law_coulomb(0.5)), .sigma0 = 1e4, .sigma1 = 1.0},
        &along);
    sti_plan_connect(plan, sti_signal_load(block, 0), friction, 0);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -10.0));
    sti_plan_set_step(plan, 1e-4);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < 2000; ++k) assert_steps(&built, NULL);
    assert_near(*velocity(&built, block), 2.0 - 0.5 * 10.0 * 0.2,
                1e-3); // less the bristle's first stretch
    release(&built);
}

// mu1 = mu, mu2 = 0: R = (F1 - F2)/(2 cos a (1 + eps q)), q = mu tan(a)/2, eps = sgn(R xd).
typedef struct Rods {
    Built built;
    StiAdmittanceId rods;
} Rods;

static const double rod_angle = 1.0, rod_F1 = 30.0, rod_F2 = -10.0;

static Rods sliding_rods(int model, double q, double v)
{
    StiPlan *plan = plan_in_stages();
    Rods r;
    r.rods =
        sti_plan_add_admittance(plan, "rods", &painleve_kind,
                                &(PainleveRods){.mass = 1.0, .angle = rod_angle, .velocity = v});
    const StiVec3 origin = {0, 0, 0};
    const StiWire first = sti_wire_point(r.rods, 0, origin, origin, 1);
    const StiWire second = sti_wire_point(r.rods, 1, origin, origin, 1);
    const StiLaw law = sti_law_times_load(sti_law_coulomb(2.0 * q / tan(rod_angle)));
    const StiSourceId forces =
        sti_plan_add_input(plan, "forces", 2, (const double[]){rod_F1, rod_F2});
    for (int i = 0; i < 2; ++i) {
        const StiElementId push =
            sti_plan_add_impedance(plan, i ? "push2" : "push1", &sti_kind_force_source,
                                   &(StiForceSource){1}, i ? &second : &first);
        sti_plan_connect(plan, sti_signal_source(forces, i), push, 0);
    }
    const StiElementId friction =
        model == RULE ? add_rule(plan, "friction", first, law, 0.0)
        : model == ELASTIC
            ? sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb,
                                     &(StiElasticCoulomb){.dim = 1, .law = law, .K = 1e7, .B = 1e4},
                                     &first)
            : sti_plan_add_impedance(plan, "friction", &sti_kind_viscous_approximation,
                                     &(StiViscousApproximation){.dim = 1, .law = law, .eps = 1e-3},
                                     &first);
    sti_plan_connect(plan, sti_signal_load(r.rods, 0), friction, 0);
    r.built = build_and_destroy(plan);
    return r;
}

// Below q = 1 there is one solution for either direction, and the iteration contracts by q.
static void below_one_the_loads_settle(void **state)
{
    (void)state;
    static const double qs[] = {0.05, 0.3, 0.6, 0.9, 0.95};
    for (int model = ELASTIC; model <= EXPLICIT; ++model)
        for (size_t i = 0; i < sizeof qs / sizeof qs[0]; ++i)
            for (int backward = 0; backward < 2; ++backward) {
                const double q = qs[i], v = backward ? -50.0 : 50.0;
                Rods r = sliding_rods(model, q, v);
                const double R =
                    (rod_F1 - rod_F2) / (2.0 * cos(rod_angle) * (1.0 + (backward ? -q : q)));
                const double load = fabs(R) * sin(rod_angle), f = 2.0 * q / tan(rod_angle) * load;
                assert_steps(&r.built, NULL);
                const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
                assert_near(r.built.state->values[r.built.state->loads], load, 1e-10 * load);
                assert_near(*velocity(&r.built, r.rods),
                            v + 1e-3 * (rod_F1 + rod_F2 - (backward ? -f : f)) / 2.0, 1e-9);
                assert_true(figures.load_residual <= 1e-12);
                if (model == RULE) {
                    assert_near(figures.load_contraction, q, 0.01);
                    assert_true(figures.load_iterations < 4 - 30.0 / log(q));
                }
                release(&r.built);
            }
}

// Beyond, nothing settles, whether there is no solution (backward) or more than one (forward).
static void beyond_one_the_step_says_so(void **state)
{
    (void)state;
    static const double qs[] = {1.02, 1.5, 4.0, 50.0}, nothing[2] = {0.0, 0.0};
    for (size_t i = 0; i < sizeof qs / sizeof qs[0]; ++i)
        for (int backward = 0; backward < 2; ++backward) {
            Rods r = sliding_rods(EXPLICIT, qs[i], backward ? -50.0 : 50.0);
            const uint64_t before = sti_state_hash(r.built.state);
            const StiStatus status =
                sti_run(r.built.network, NULL, r.built.state, r.built.scratch, 1);
            const StiFault *fault = sti_scratch_fault(r.built.scratch);
            assert_int_equal(status, STI_LOADS_UNSETTLED);
            assert_string_equal(fault->component, "rods");
            assert_string_equal(fault->what, "load");
            assert_near(sti_scratch_figures(r.built.scratch).load_contraction, qs[i], 0.01 * qs[i]);
            assert_true(sti_state_hash(r.built.state) == before);
            assert_steps(&r.built, nothing); // without forces there is no load
            release(&r.built);
        }
}

// Friction that may bring the rods to rest within the step has that way out where sliding has no
// solution: they jam, at a force that is within the level of the load it causes.
static void where_sliding_is_impossible_the_rods_jam(void **state)
{
    (void)state;
    static const double qs[] = {1.5, 4.0};
    for (int i = 0; i < 2; ++i) {
        Rods r = sliding_rods(RULE, qs[i], -50.0);
        assert_steps(&r.built, NULL);
        const double f =
            (-50.0 / 1e-3) * 2.0 + rod_F1 + rod_F2; // resistance that stops both masses
        const double load = fabs(rod_F1 - f - rod_F2) / 2.0 * tan(rod_angle);
        assert_near(*velocity(&r.built, r.rods), 0.0, 1e-12);
        assert_near(r.built.state->values[r.built.state->loads], load, 1e-10 * load);
        assert_true(fabs(f) < 2.0 * qs[i] / tan(rod_angle) * load);
        release(&r.built);
    }
}

// The loads of the last step are where the next one starts. Forces are the same in every step here, so that
// their loads are at once those of the step before.
static void the_state_remembers_the_loads(void **state)
{
    (void)state;
    Rods r = sliding_rods(RULE, 0.8, 50.0);
    assert_steps(&r.built, NULL);
    assert_true(sti_scratch_figures(r.built.scratch).load_iterations > 2);
    assert_steps(&r.built, NULL);
    assert_int_equal(sti_scratch_figures(r.built.scratch).load_iterations, 1);
    release(&r.built);
}

// A contraction by 0.95 would take 540 plain iterations to 1e-12; along one direction two secants are enough.
static void secants_shorten_a_slow_iteration(void **state)
{
    (void)state;
    for (int backward = 0; backward < 2; ++backward) {
        Rods r = sliding_rods(RULE, 0.95, backward ? -50.0 : 50.0);
        assert_steps(&r.built, NULL);
        const StiStepFigures figures = sti_scratch_figures(r.built.scratch);
        assert_in_range(figures.load_iterations, 3, 8);
        assert_near(figures.load_contraction, 0.95, 0.01);
        release(&r.built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulled_block_swings_and_rests),
        cmocka_unit_test(the_rest_is_reached_with_the_step),
        cmocka_unit_test(figures_tell_of_the_iteration),
        cmocka_unit_test(static_friction_holds_from_the_first_step_on),
        cmocka_unit_test(bristles_start_with_a_moving_block),
        cmocka_unit_test(below_one_the_loads_settle),
        cmocka_unit_test(beyond_one_the_step_says_so),
        cmocka_unit_test(where_sliding_is_impossible_the_rods_jam),
        cmocka_unit_test(the_state_remembers_the_loads),
        cmocka_unit_test(secants_shorten_a_slow_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
