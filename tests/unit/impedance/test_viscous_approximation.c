#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "judged.h"
#include "led_element.h"
#include "stiction/friction.h"
#include "turned.h"

static void it_is_a_damper_below_eps_and_the_level_above(void **state)
{
    (void)state;
    const StiViscousApproximation p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.01};
    static const double cases[][2] = {{0.0, 0.0},   {0.001, 1.0}, {-0.005, -5.0}, {0.00999, 9.99},
                                      {0.01, 10.0}, {0.02, 10.0}, {-3.0, -10.0},  {1e-9, 1e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double f;
        sti_viscous_approximation(&p, NULL, &cases[i][0], &f);
        assert_near(f, cases[i][1], 1e-14);
    }
}

static StiViscousApproximation random_approximation(Random *random, int dim)
{
    const double level = random_decades(random, 0.01, 100.0);
    StiViscousApproximation p = {.dim = dim,
                                 .law = sti_law_coulomb(level),
                                 .eps = random_decades(random, 1e-4, 1.0)};
    const int choice = random_below(random, 3);
    if (choice == 1) p.law = sti_law_stribeck(level, 1.5 * level, 0.1, 2.0, 0.2 * level);
    if (choice == 2 && dim == 1) p.law = sti_law_directional(level, 2.0 * level, 0.0, 0.1 * level);
    return p;
}

static void force_lies_along_the_velocity_with_the_level_at_that_speed(void **state)
{
    (void)state;
    Random random = {1};
    for (int i = 0; i < 100000; ++i) {
        const int dim = 1 + random_below(&random, 3);
        const StiViscousApproximation p = random_approximation(&random, dim);
        double v[3], f[3], along = 0.0;
        random_vector(&random, dim, random_decades(&random, 0.01, 100.0) * p.eps, v);
        const double speed = length(dim, v);
        const double direction = dim > 1 ? 0.0 : copysign(1.0, v[0]);
        const double level = sti_law_level(&p.law, speed, direction, NULL);
        sti_viscous_approximation(&p, NULL, v, f);
        const double expected = level * fmin(1.0, speed / p.eps);
        for (int j = 0; j < dim; ++j) along += f[j] * v[j] / speed;
        assert_near(length(dim, f), expected, 1e-14 * expected);
        assert_near(along, expected, 1e-14 * expected); // and never against the motion
    }
}

static void force_turns_with_the_velocity(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100000; ++i) {
        const int dim = 2 + random_below(&random, 2);
        const StiViscousApproximation p = random_approximation(&random, dim);
        const StiQuat q = random_turn(&random, dim);
        double v[3], f[3], turned_v[3], turned_f[3], expected[3];
        random_vector(&random, dim, random_decades(&random, 0.01, 100.0) * p.eps, v);
        turn(q, dim, v, turned_v);
        sti_viscous_approximation(&p, NULL, v, f);
        sti_viscous_approximation(&p, NULL, turned_v, turned_f);
        turn(q, dim, f, expected);
        for (int j = 0; j < dim; ++j) assert_near(turned_f[j], expected[j], 1e-14 * length(dim, f));
    }
}

static void closed_paths_dissipate(void **state)
{
    (void)state;
    Random random = {3};
    for (int i = 0; i < 300; ++i) {
        const int dim = 1 + random_below(&random, 3);
        const StiViscousApproximation p = random_approximation(&random, dim);
        const ClosedPath path =
            random_path(&random, dim, p.eps * random_decades(&random, 0.1, 10.0), 1.0);
        const StiImpedance element = {&sti_kind_viscous_approximation, &p};
        const Round round = lead_round(&element, NULL, &path, 500, NULL);
        assert_true(round.work > 0.0);
        assert_true(round.work == round.turnover); // it takes power at every single moment
        assert_true(round.stored == 0.0);
    }
}

// The reason why the other models exist: a force h below the level F moves it with eps h/F.
static void creeps_by_nature(void **state)
{
    (void)state;
    const StiViscousApproximation p = {.dim = 1, .law = sti_law_coulomb(10.0), .eps = 0.01};
    const double h = 3.0, M = 1.0, T = 1e-4;
    double v = 0.0;
    for (int k = 0; k < 1000; ++k) {
        double f;
        sti_viscous_approximation(&p, NULL, &v, &f);
        v += T * (h - f) / M;
    }
    assert_near(v, 0.01 * h / 10.0, 1e-16);
    assert_false(sti_kind_viscous_approximation.holds);
}

static void level_follows_the_load(void **state)
{
    (void)state;
    const StiViscousApproximation p = {.dim = 2,
                                       .law = sti_law_times_load(sti_law_coulomb(0.5)),
                                       .eps = 0.01};
    const double v[2] = {3.0, 4.0}, load = 20.0, no_load = 0.0;
    double f[2];
    assert_int_equal(sti_kind_viscous_approximation.size(&p).signals, 1);
    sti_viscous_approximation(&p, &load, v, f);
    assert_near(f[0], 6.0, 1e-14);
    assert_near(f[1], 8.0, 1e-14);
    sti_viscous_approximation(&p, &no_load, v, f);
    assert_true(f[0] == 0.0 && f[1] == 0.0);
}

static void kind_says_what_the_function_does(void **state)
{
    (void)state;
    const StiViscousApproximation p = {.dim = 3, .law = sti_law_coulomb(10.0), .eps = 0.01};
    const StiImpedanceSize size = sti_kind_viscous_approximation.size(&p);
    assert_int_equal(size.velocities, 3);
    assert_int_equal(size.memory, 0);
    const double v[3] = {0.001, -0.002, 0.003};
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = v};
    double f[3], u[3], Z[9];
    sti_viscous_approximation(&p, NULL, v, f);
    sti_kind_viscous_approximation.eval(&p, &stage, &xhat, NULL, NULL, u, NULL);
    sti_kind_viscous_approximation.tangent(&p, &stage, &xhat, NULL, NULL, Z);
    for (int i = 0; i < 3; ++i) {
        assert_true(u[i] == f[i]);
        assert_near(Z[3 * i] * v[0] + Z[3 * i + 1] * v[1] + Z[3 * i + 2] * v[2], f[i], 1e-14);
    }
}

static void parameters_are_addressable_and_checked(void **state)
{
    (void)state;
    const StiInfo *info = &sti_kind_viscous_approximation.info;
    StiViscousApproximation p = {.dim = 2, .law = sti_law_coulomb(10.0), .eps = 0.01};
    assert_accepted(info, &p);
    assert_ptr_equal(sti_kind_find(info, &p, "eps"), &p.eps);
    assert_ptr_equal(sti_kind_find(info, &p, "level"), &p.law.p[0]);
    p.eps = 0.0;
    assert_refused(info, &p, "eps");
    p.eps = 0.01;
    p.law = sti_law_directional(1.0, 2.0, 0.0, 0.0);
    assert_refused(info, &p, "law");
    p.dim = 1;
    assert_accepted(info, &p);
    p.dim = 4;
    p.law = sti_law_coulomb(1.0);
    assert_int_equal(judge(info, &p, 0.0, false).errors, 1);
    p = (StiViscousApproximation){.dim = 1, .eps = 0.01};
    assert_refused(info, &p, "law");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_damper_below_eps_and_the_level_above),
        cmocka_unit_test(force_lies_along_the_velocity_with_the_level_at_that_speed),
        cmocka_unit_test(force_turns_with_the_velocity),
        cmocka_unit_test(closed_paths_dissipate),
        cmocka_unit_test(creeps_by_nature),
        cmocka_unit_test(level_follows_the_load),
        cmocka_unit_test(kind_says_what_the_function_does),
        cmocka_unit_test(parameters_are_addressable_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
