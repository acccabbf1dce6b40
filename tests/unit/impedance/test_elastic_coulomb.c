#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "dithered_mass.h"
#include "judged.h"
#include "led_element.h"
#include "stiction/friction.h"
#include "turned.h"

enum { LAWS = 5 };

// Any law with one slip speed only: what falls, falls more slowly than the damper B grows.
static StiLaw random_law(Random *random, int dim, double level, double B)
{
    switch (random_below(random, dim > 1 ? LAWS - 1 : LAWS)) {
    case 0:
        return sti_law_coulomb(level);
    case 1:
        return sti_law_viscous(level, random_decades(random, 1e-3, 1e3));
    case 2:
        return sti_law_stribeck(level, 1.5 * level, fmax(level / B, 1e-3), 2.0, 0.1 * B);
    case 3:
        return sti_law_tanh(level, random_decades(random, 1e-3, 1.0));
    default:
        return sti_law_directional(level, 2.0 * level, 0.5, 2.0);
    }
}

static StiElasticCoulomb random_element(Random *random, int dim)
{
    const double level = random_decades(random, 0.01, 100.0), B = random_decades(random, 0.1, 1e3);
    return (StiElasticCoulomb){.dim = dim,
                               .law = random_law(random, dim, level, B),
                               .K = random_decades(random, 1e2, 1e7),
                               .B = B};
}

// A motion and memory at which the element sticks or slips, both often.
static void random_motion(Random *random, const StiElasticCoulomb *p, double tau, double *v,
                          double *e)
{
    random_vector(random, p->dim, 2.0 * p->law.p[0] / (p->B + tau * p->K), v);
    random_vector(random, p->dim, p->law.p[0] / p->K, e);
}

static void stick_is_exact(void **state)
{
    (void)state;
    Random random = {1};
    int stuck = 0, slipped = 0;
    for (int i = 0; i < 100000; ++i) {
        const StiElasticCoulomb p = random_element(&random, 1 + random_below(&random, 3));
        const double tau = random_decades(&random, 1e-5, 1e-2), Z = p.B + tau * p.K;
        double v[3], e[3], f[3], edot[3], trial[3];
        random_motion(&random, &p, tau, v, e);
        for (int j = 0; j < p.dim; ++j) trial[j] = Z * v[j] + p.K * e[j];
        const bool sticks = sti_elastic_coulomb(&p, tau, NULL, v, e, f, edot);
        const double direction = p.dim > 1 ? 0.0 : copysign(1.0, trial[0]);
        const double level = sti_law_level(&p.law, 0.0, direction, NULL);
        assert_int_equal(sticks, length(p.dim, trial) <= level);
        for (int j = 0; sticks && j < p.dim; ++j) assert_true(edot[j] == v[j] && f[j] == trial[j]);
        *(sticks ? &stuck : &slipped) += 1;
    }
    assert_true(stuck > 10000 && slipped > 10000);
}

// Slipping: |f| is the level at the slider's speed, along its velocity, and spring and damper carry
// the same force: f = K (e + tau edot) + B edot.                                 [modular] (16)
static void slip_has_the_level_at_the_slip_speed(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100000; ++i) {
        const StiElasticCoulomb p = random_element(&random, 1 + random_below(&random, 3));
        const double tau = random_decades(&random, 1e-5, 1e-2), Z = p.B + tau * p.K;
        double v[3], e[3], f[3], edot[3], slip[3];
        random_motion(&random, &p, tau, v, e);
        if (sti_elastic_coulomb(&p, tau, NULL, v, e, f, edot)) continue;
        double along = 0.0;
        for (int j = 0; j < p.dim; ++j) {
            slip[j] = v[j] - edot[j];
            along += slip[j] * f[j];
            const double carried = p.K * (e[j] + tau * edot[j]) + p.B * edot[j];
            assert_near(carried, f[j], 1e-13 * (length(p.dim, f) + p.K * length(p.dim, e)));
        }
        const double speed = length(p.dim, slip), direction = p.dim > 1 ? 0.0 : copysign(1.0, f[0]);
        const double level = sti_law_level(&p.law, speed, direction, NULL);
        // Rounding of the slip speed, which is a difference, seen through the slope of the law.
        const double slope = fabs(sti_law_slope(&p.law, speed, direction, NULL));
        const double scale = length(p.dim, v) + (level + p.K * length(p.dim, e)) / Z;
        assert_near(length(p.dim, f), level, 1e-13 * level + 4e-15 * slope * scale);
        assert_near(along, speed * length(p.dim, f), 1e-14 * scale * level);
    }
}

static void force_turns_with_motion_and_memory(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 50000; ++i) {
        const int dim = 2 + random_below(&random, 2);
        const StiElasticCoulomb p = random_element(&random, dim);
        const double tau = random_decades(&random, 1e-5, 1e-2), Z = p.B + tau * p.K;
        const StiQuat q = random_turn(&random, dim);
        double v[3], e[3], f[3], edot[3], v2[3], e2[3], f2[3], edot2[3], expected[3];
        random_motion(&random, &p, tau, v, e);
        turn(q, dim, v, v2);
        turn(q, dim, e, e2);
        sti_elastic_coulomb(&p, tau, NULL, v, e, f, edot);
        sti_elastic_coulomb(&p, tau, NULL, v2, e2, f2, edot2);
        const double scale = Z * length(dim, v) + p.K * length(dim, e);
        turn(q, dim, f, expected);
        for (int j = 0; j < dim; ++j) assert_near(f2[j], expected[j], 4e-15 * scale);
        turn(q, dim, edot, expected);
        for (int j = 0; j < dim; ++j) assert_near(edot2[j], expected[j], 8e-15 * scale / Z);
    }
}

static void motion_along_one_axis_is_the_same_in_any_dimension(void **state)
{
    (void)state;
    Random random = {4};
    for (int i = 0; i < 10000; ++i) {
        StiElasticCoulomb p = random_element(&random, 3);
        double v[3] = {0}, e[3] = {0}, f[3], edot[3], f1, edot1;
        const int axis = random_below(&random, 3);
        v[axis] = random_between(&random, -1.0, 1.0);
        e[axis] = random_between(&random, -1.0, 1.0) * p.law.p[0] / p.K;
        const bool stuck = sti_elastic_coulomb(&p, 1e-3, NULL, v, e, f, edot);
        p.dim = 1;
        assert_int_equal(sti_elastic_coulomb(&p, 1e-3, NULL, &v[axis], &e[axis], &f1, &edot1),
                         stuck);
        for (int j = 0; j < 3; ++j) assert_near(f[j], j == axis ? f1 : 0.0, 1e-14 * fabs(f1));
        for (int j = 0; j < 3; ++j)
            assert_near(edot[j], j == axis ? edot1 : 0.0, 1e-14 * (fabs(edot1) + fabs(f1)));
    }
}

static void every_euler_step_dissipates_whatever_its_length(void **state)
{
    (void)state;
    Random random = {5};
    for (int i = 0; i < 300; ++i) {
        StiElasticCoulomb p = random_element(&random, 1 + random_below(&random, 3));
        if (i % 4 == 0) p.B = 0.0;
        const double T = random_decades(&random, 1e-6, 1.0);
        double e[3] = {0}, v[3], f[3], edot[3];
        const StiMotion xhat = {.v = v};
        for (int k = 0; k < 300; ++k) {
            random_vector(&random, p.dim, 2.0 * p.law.p[0] / (p.B + T * p.K), v);
            sti_elastic_coulomb(&p, T, NULL, v, e, f, edot);
            double work = 0.0, turnover = 0.0;
            const double before = sti_kind_elastic_coulomb.stored(&p, &xhat, e);
            for (int j = 0; j < p.dim; ++j) {
                work += T * f[j] * v[j];
                turnover += T * fabs(f[j] * v[j]);
                e[j] += T * edot[j];
            }
            const double after = sti_kind_elastic_coulomb.stored(&p, &xhat, e);
            assert_true(work - (after - before) >= -1e-14 * (turnover + before + after));
        }
    }
}

static void closed_paths_dissipate_in_continuous_time(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < 300; ++i) {
        StiElasticCoulomb p = random_element(&random, 1 + random_below(&random, 3));
        const double period = random_decades(&random, 1e-2, 1e2);
        p.B = p.K * random_decades(&random, period / 2000.0, period); // the steps below resolve B/K
        p.law = random_law(&random, p.dim, p.law.p[0], p.B);
        const double reach = p.law.p[0] / p.K * random_decades(&random, 0.1, 10.0);
        const ClosedPath path = random_path(&random, p.dim, reach, period);
        double e[3];
        random_vector(&random, p.dim, p.law.p[0] / p.K, e);
        const StiImpedance element = {&sti_kind_elastic_coulomb, &p};
        const Round round = lead_round(&element, NULL, &path, 4000, e);
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work - round.stored > 0.0);
    }
}

// EQUATIONS 2.6, and [modular] (14).
static void without_a_damper_it_clips_the_deflection(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(10.0), .K = 1e4};
    Random random = {7};
    const double T = 1e-3;
    double e = 0.0, clipped = 0.0, f, edot;
    for (int k = 0; k < 100000; ++k) {
        const double v = random_between(&random, -1.0, 1.0);
        sti_elastic_coulomb(&p, T, NULL, &v, &e, &f, &edot);
        e += T * edot;
        clipped = fmax(-1e-3, fmin(1e-3, clipped + T * v));
        assert_near(e, clipped, 1e-13);
        assert_near(f, 1e4 * clipped, 1e-9);
    }
}

static void with_a_damper_it_is_the_discrete_model(void **state)
{
    (void)state;
    const double K = 1e4, B = 100.0, F = 10.0, T = 1e-3;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(F), .K = K, .B = B};
    Random random = {8};
    double e = 0.0, e14 = 0.0, f, edot;
    for (int k = 0; k < 100000; ++k) {
        const double v = random_between(&random, -0.2, 0.2);
        sti_elastic_coulomb(&p, T, NULL, &v, &e, &f, &edot);
        e += T * edot;
        const double f14 = fmax(-F, fmin(F, (B + T * K) * v + K * e14));
        e14 = (B * e14 + T * f14) / (B + T * K);
        assert_near(e, e14, 1e-13);
        assert_near(f, f14, 1e-9);
    }
}

static void a_ramp_breaks_away_on_time(void **state)
{
    (void)state;
    const double v = 0.05, K = 1e4, B = 100.0, F = 10.0, T = 1e-5;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(F), .K = K, .B = B};
    double e = 0.0, f, edot, breakaway = 0.0;
    for (int k = 0; k < 30000; ++k) {
        const double before = e;
        if (sti_elastic_coulomb(&p, T, NULL, &v, &e, &f, &edot)) breakaway = (k + 1) * T;
        e += T * edot;
        assert_true(e >= before && e <= F / K * (1.0 + 1e-15));
    }
    assert_near(breakaway, (F - B * v) / (K * v), 1.5 * T);
    assert_near(e, F / K, 1e-15);
    assert_true(f == F);
}

static void without_step_and_damper_there_is_no_limit(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(10.0), .K = 1e4};
    const double v = 0.1, e = 0.0;
    double u, ydot;
    const StiMotion xhat = {.v = &v};
    const StiStage still = {.tau = 0.0}, stage = {.tau = 1e-6};
    assert_int_equal(sti_kind_elastic_coulomb.eval(&p, &still, &xhat, &e, NULL, &u, &ydot),
                     STI_NO_CONTINUOUS_LIMIT);
    assert_int_equal(sti_kind_elastic_coulomb.eval(&p, &stage, &xhat, &e, NULL, &u, &ydot), STI_OK);
}

static void lost_load_lets_go(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 2,
                                 .law = sti_law_times_load(sti_law_coulomb(0.5)),
                                 .K = 1e4,
                                 .B = 10.0};
    const double v[2] = {0.0, 0.0}, e[2] = {3e-4, 4e-4}, load = 12.0, no_load = 0.0, T = 1e-3;
    double f[2], edot[2];
    assert_int_equal(sti_kind_elastic_coulomb.size(&p).signals, 1);
    assert_true(sti_elastic_coulomb(&p, T, &load, v, e, f, edot));
    assert_near(length(2, f), 5.0, 1e-14);
    assert_false(sti_elastic_coulomb(&p, T, &no_load, v, e, f, edot));
    assert_true(f[0] == 0.0 && f[1] == 0.0);
    assert_near(edot[0] / e[0], -1e4 / (10.0 + T * 1e4),
                1e-9); // the spring relaxes into its damper
}

static void holds_under_dither_as_published(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(0.5), .K = 5000.0, .B = 1.0};
    DitheredMass mass = papers_dither(&sti_kind_elastic_coulomb, &p);
    dither(&mass, 5000); // it starts with a jump, slips, and rings down
    assert_true(anchor(&mass) > 1e-4);
    assert_true(anchor_drift(&mass, dither_steps()) <= 5e-17);
    assert_true(sti_kind_elastic_coulomb.holds);
}

static void kind_says_what_the_function_does(void **state)
{
    (void)state;
    const StiElasticCoulomb p = {.dim = 2, .law = sti_law_coulomb(10.0), .K = 1e4, .B = 100.0};
    const StiImpedanceSize size = sti_kind_elastic_coulomb.size(&p);
    assert_int_equal(size.velocities, 2);
    assert_int_equal(size.memory, 2);
    assert_int_equal(size.positions, 0);

    Random random = {9};
    const StiStage stage = {.tau = 1e-3};
    for (int i = 0; i < 1000; ++i) {
        double v[2], e[2], f[2], edot[2], u[2], ydot[2], stick, Z[4];
        random_motion(&random, &p, stage.tau, v, e);
        const StiMotion xhat = {.v = v};
        const bool stuck = sti_elastic_coulomb(&p, stage.tau, NULL, v, e, f, edot);
        sti_kind_elastic_coulomb.eval(&p, &stage, &xhat, e, NULL, u, ydot);
        sti_kind_elastic_coulomb.observe(&p, &stage, &xhat, e, NULL, u, &stick);
        assert_true(stick == (double)stuck);
        for (int j = 0; j < 2; ++j) assert_true(u[j] == f[j] && ydot[j] == edot[j]);
        sti_kind_elastic_coulomb.tangent(&p, &stage, &xhat, e, NULL, Z);
        for (int j = 0; stuck && j < 2; ++j)
            assert_near(Z[2 * j] * v[0] + Z[2 * j + 1] * v[1], f[j] - p.K * e[j], 1e-13);
    }
}

static void parameters_are_addressable_and_checked(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_elastic_coulomb.info;
    const StiElasticCoulomb good = {.dim = 2, .law = sti_law_coulomb(10.0), .K = 1e4, .B = 100.0};
    StiElasticCoulomb p = good;
    assert_accepted(info, &p);
    assert_ptr_equal(sti_kind_find(info, &p, "stiffness"), &p.K);
    assert_ptr_equal(sti_kind_find(info, &p, "damping"), &p.B);
    assert_ptr_equal(sti_kind_find(info, &p, "level"), &p.law.p[0]);
    p.K = 0.0;
    assert_refused(info, &p, "stiffness");
    p = good;
    p.B = -1.0;
    assert_refused(info, &p, "damping");
    p = good;
    p.dim = 4;
    assert_int_equal(judge(info, &p, 1e-3, false).errors, 1);
    p = good;
    p.law.kind = NULL;
    assert_refused(info, &p, "law");
}

static void a_level_that_falls_too_fast_is_warned_about(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_elastic_coulomb.info;
    // Falls by at most 0.858 (Fs - Fc)/vs = 42.9 N s/m.
    StiElasticCoulomb p = {.dim = 1,
                           .law = sti_law_stribeck(10.0, 15.0, 0.1, 2.0, 0.0),
                           .K = 1e4,
                           .B = 35.0};
    const Verdict verdict = judge(info, &p, 7e-4, false);
    assert_int_equal(verdict.errors, 0);
    assert_int_equal(verdict.findings, 1);
    assert_string_equal(verdict.last.parameter, "damping");
    assert_int_equal(judge(info, &p, 9e-4, false).findings, 0);
    p.B = 43.0;
    assert_int_equal(judge(info, &p, 1e-9, false).findings, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stick_is_exact),
        cmocka_unit_test(slip_has_the_level_at_the_slip_speed),
        cmocka_unit_test(force_turns_with_motion_and_memory),
        cmocka_unit_test(motion_along_one_axis_is_the_same_in_any_dimension),
        cmocka_unit_test(every_euler_step_dissipates_whatever_its_length),
        cmocka_unit_test(closed_paths_dissipate_in_continuous_time),
        cmocka_unit_test(without_a_damper_it_clips_the_deflection),
        cmocka_unit_test(with_a_damper_it_is_the_discrete_model),
        cmocka_unit_test(a_ramp_breaks_away_on_time),
        cmocka_unit_test(without_step_and_damper_there_is_no_limit),
        cmocka_unit_test(lost_load_lets_go),
        cmocka_unit_test(holds_under_dither_as_published),
        cmocka_unit_test(kind_says_what_the_function_does),
        cmocka_unit_test(parameters_are_addressable_and_checked),
        cmocka_unit_test(a_level_that_falls_too_fast_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
