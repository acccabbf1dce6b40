// Friction that depends on the speed: the implicit rule [fixed-step] (16b) against its
// approximation (18), EQUATIONS 2.5, and the elastic element with a law, EQUATIONS 2.12.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random.h"
#include "support/scenes/led_element.h"
#include "support/scenes/rig.h"
#include "support/scenes/sliding_mass.h"

static SlidingMass thrown(double T, double M, double v0, StiLaw law, bool approximate)
{
    const StiPointMass mass = {.dim = 1, .mass = M, .velocity = {v0}};
    const StiFiniteTime P = {.dim = 1, .law = law, .approximate = approximate};
    return scene_sliding_mass(T, &mass,
                              (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
}

static double length_of(int dim, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += a[i] * a[i];
    return sqrt(sum);
}

// u + (T/M) s(u) = |a| in one, two and three dimensions, for every law that rises or falls gently.
// u is what remains of |a|, so it is rounded like |a|; a steep law shows that in the sum.
static void implicit_rule_is_solved_to_rounding(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        Random random = {seed};
        const int dim = 1 + random_below(&random, 3);
        const double T = random_decades(&random, 1e-5, 1e-2),
                     g = random_decades(&random, 1e-5, 1e-1);
        const double F = random_decades(&random, 0.1, 100.0),
                     vs = random_decades(&random, 0.01, 1.0);
        const double table[6] = {0.0, vs, 3.0 * vs, F, 1.1 * F, 1.5 * F};
        const StiLaw laws[5] = {
            sti_law_viscous(F, random_decades(&random, 0.01, 1e4)),
            sti_law_stribeck(F, F + 0.3 * vs / g, vs, 1.0, 0.1), // steepest fall 0.3/g
            sti_law_tanh(F, vs),
            sti_law_gear(F, F + 0.3 * vs / g, 1.0 / vs, 1.0),
            sti_law_table(table, 3),
        };
        StiPointMass mass = {.dim = dim, .mass = T / g};
        double a[3];
        for (int i = 0; i < dim; ++i) a[i] = mass.velocity[i] = random_between(&random, -2.0, 2.0);
        const StiFiniteTime P = {.dim = dim, .law = laws[seed % 5]};
        const SlidingMass scene = scene_sliding_mass(
            T, &mass, (SceneFriction){.reaction = &sti_kind_finite_time, .parameters = &P});
        Rig rig = rig_of(scene.plan);
        rig_step(&rig);
        const double *v = rig_v(&rig, scene.mass);
        const double u = length_of(dim, v), size = length_of(dim, a);
        if (u > 0.0) {
            const double s = sti_law_level(&P.law, u, 0.0, NULL);
            const double steep = fabs(sti_law_slope(&P.law, u, 0.0, NULL));
            assert_near((u + g * s) / size, 1.0, 1e-15 * (1.0 + g * steep));
            for (int i = 0; i < dim; ++i) assert_near(v[i] / u, a[i] / size, 1e-14 * size / u);
        } else {
            assert_true(size <= g * sti_law_level(&P.law, 0.0, 0.0, NULL) * (1.0 + 1e-15));
        }
        assert_int_equal(sti_scratch_figures(rig.scratch).several, 0);
        rig_free(&rig);
    }
}

static void viscous_law_has_its_closed_form(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        Random random = {seed};
        const double T = random_decades(&random, 1e-5, 1e-1),
                     M = random_decades(&random, 0.01, 100.0);
        const double F = random_decades(&random, 0.01, 10.0),
                     B = random_decades(&random, 0.01, 1e4);
        const double a = T * F / M * random_between(&random, 1.1, 100.0);
        const SlidingMass scene = thrown(T, M, -a, sti_law_viscous(F, B), false);
        Rig rig = rig_of(scene.plan);
        rig_step(&rig);
        const double u = (a - T * F / M) / (1.0 + T * B / M);
        assert_near(*rig_v(&rig, scene.mass), -u, 1e-15 * a);
        assert_near(rig_resistance(&rig, scene.friction, 0), -(F + B * u), 1e-13 * (F + B * a));
        rig_free(&rig);
    }
}

typedef struct Stop {
    double time, place;
} Stop;

static Stop run_to_stop(double T, bool approximate)
{
    const SlidingMass scene = thrown(T, 1.0, 1.0, sti_law_viscous(10.0, 2.0), approximate);
    Rig rig = rig_of(scene.plan);
    while (*rig_v(&rig, scene.mass) != 0.0) rig_step(&rig);
    const Stop stop = {rig_time(&rig), *rig_x(&rig, scene.mass)};
    rig_free(&rig);
    return stop;
}

// M vdot = -(F + B v): tau = M/B, stop at tau ln(1 + B v0/F).
static void free_deceleration_converges(void **unused)
{
    (void)unused;
    const double time = 0.5 * log(1.2), place = 0.5 * (1.0 - 5.0 * log(1.2));
    assert_near(time, 0.0911608, 5e-8);
    assert_near(place, 0.0441961, 5e-8);
    for (int approximate = 0; approximate <= 1; ++approximate) {
        for (int decade = 3; decade <= (rig_short() ? 5 : 7); ++decade) {
            const double T = pow(10.0, -decade);
            const Stop stop = run_to_stop(T, approximate);
            assert_near(stop.time, time, 1.01 * T);
            assert_near(stop.place, place, 0.51 * T); // half a step of the throw: (v0 - 0) T/2
        }
    }
}

static double speed_after(double time, int steps, bool approximate)
{
    const SlidingMass scene =
        thrown(time / steps, 1.0, 1.0, sti_law_stribeck(5.0, 8.0, 0.3, 2.0, 1.0), approximate);
    Rig rig = rig_of(scene.plan);
    rig_run(&rig, steps);
    const double v = *rig_v(&rig, scene.mass);
    rig_free(&rig);
    return v;
}

static void implicit_and_approximate_differ_in_first_order(void **unused)
{
    (void)unused;
    double last = 0.0;
    for (int steps = 100; steps <= 12800; steps *= 2) {
        const double difference =
            fabs(speed_after(0.1, steps, true) - speed_after(0.1, steps, false));
        assert_true(difference > 0.0);
        if (last > 0.0) assert_near(last / difference, 2.0, 40.0 / steps);
        last = difference;
    }
}

// Beyond T B/M = 1 the approximation reverses the motion, beyond 2 it grows; (16b) does neither.
static void approximation_fails_where_viscosity_is_strong(void **unused)
{
    (void)unused;
    const double T = 1e-3;
    for (int strong = 0; strong <= 1; ++strong) {
        const StiLaw law = sti_law_viscous(1e-3, strong ? 3000.0 : 1500.0);
        const SlidingMass rough = thrown(T, 1.0, 1.0, law, true),
                          good = thrown(T, 1.0, 1.0, law, false);
        Rig a = rig_of(rough.plan), b = rig_of(good.plan);
        rig_step(&a);
        assert_true(*rig_v(&a, rough.mass) < 0.0);
        rig_run(&a, 19);
        if (strong)
            assert_true(fabs(*rig_v(&a, rough.mass)) > 1.0);
        else
            assert_true(fabs(*rig_v(&a, rough.mass)) < 1.0);
        for (int k = 0; k < 20; ++k) {
            const double before = *rig_v(&b, good.mass);
            rig_step(&b);
            assert_true(*rig_v(&b, good.mass) >= 0.0);
            assert_true(*rig_v(&b, good.mass) < before || before == 0.0);
        }
        rig_free(&a);
        rig_free(&b);
    }
}

// A Stribeck slope beyond M/T leaves stick and slip both possible: said when the plan compiles, and
// counted in the step where it happens.
static void several_solutions_are_reported(void **unused)
{
    (void)unused;
    const double T = 1e-2;
    const StiLaw steep = sti_law_stribeck(5.0, 10.0, 0.01, 1.0, 0.0); // slope 500 > M/T = 100
    const SlidingMass ambiguous = thrown(T, 1.0, 0.095, steep, false);
    Rig rig = rig_of(ambiguous.plan);
    assert_int_equal(rig.findings, 1);
    rig_step(&rig);
    assert_int_equal(sti_scratch_figures(rig.scratch).several, 1);
    rig_free(&rig);

    const SlidingMass plain = thrown(1e-3, 1.0, 0.095, steep, false);
    Rig fine = rig_of(plain.plan);
    assert_int_equal(fine.findings, 0);
    for (int k = 0; k < 100; ++k) {
        rig_step(&fine);
        assert_int_equal(sti_scratch_figures(fine.scratch).several, 0);
    }
    rig_free(&fine);
}

// (19) with a law: the level belongs to the speed of the slip, v - edot, not to v.
static void elastic_element_takes_its_level_at_the_slip_speed(void **unused)
{
    (void)unused;
    const double T = 1e-3, K = 1e4;
    for (int dim = 1; dim <= 3; ++dim) {
        const StiElasticCoulomb element = {.dim = dim,
                                           .law = sti_law_stribeck(5.0, 8.0, 0.05, 2.0, 20.0),
                                           .K = K,
                                           .B = 150.0};
        const LedElement scene =
            scene_hand_led_element(T, &sti_method_euler, dim,
                                   (StiImpedance){&sti_kind_elastic_coulomb, &element});
        Rig rig = rig_of(scene.plan);
        Random random = {(uint64_t)dim};
        int slips = 0, sticks = 0;
        double v[3] = {0.0};
        for (int k = 0; k < 5000; ++k) {
            double before[3], slip[3], f[3];
            for (int i = 0; i < dim; ++i) {
                if (k % 20 == 0)
                    v[i] = random_between(&random, -0.3, 0.3) * (k % 3 == 0 ? 0.01 : 1.0);
                before[i] = rig_y(&rig, scene.element)[i];
            }
            rig_step_with(&rig, v);
            for (int i = 0; i < dim; ++i) {
                slip[i] = v[i] - (rig_y(&rig, scene.element)[i] - before[i]) / T;
                f[i] = rig_resistance(&rig, scene.element, i);
            }
            const double w = length_of(dim, slip),
                         level = sti_law_level(&element.law, w, 0.0, NULL);
            if (w > 1e-9)
                assert_near(length_of(dim, f), level, 1e-10 * level);
            else
                assert_true(length_of(dim, f) <= 8.0);
            slips += w > 1e-9;
            sticks += w <= 1e-9;
        }
        assert_true(slips > 500 && sticks > 500);
        rig_free(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(implicit_rule_is_solved_to_rounding),
        cmocka_unit_test(viscous_law_has_its_closed_form),
        cmocka_unit_test(free_deceleration_converges),
        cmocka_unit_test(implicit_and_approximate_differ_in_first_order),
        cmocka_unit_test(approximation_fails_where_viscosity_is_strong),
        cmocka_unit_test(several_solutions_are_reported),
        cmocka_unit_test(elastic_element_takes_its_level_at_the_slip_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
