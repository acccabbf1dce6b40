// The gear's law against the laws m1 to m6 as they are published, written down a second time.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "stiction/law.h"
#include "support/near.h"
#include "support/random.h"

enum { M1 = 1, M2, M3, M4, M5, M6 };

typedef struct Gear {
    double base, stribeck, speed, alpha, viscous, motor, load, motor_rest, load_rest, motor_quad,
        load_quad;
} Gear;

// Only what the law of that number has.
static Gear random_gear(Random *random, int model)
{
    Gear g = {.base = random_decades(random, 1e-3, 0.1),
              .viscous = random_decades(random, 1e-3, 0.1),
              .speed = random_decades(random, 0.1, 5.0),
              .alpha = random_between(random, 0.5, 2.0)};
    if (model == M2 || model >= M4) g.stribeck = random_decades(random, 1e-3, 0.1);
    if (model >= M3) g.motor = g.load = random_between(random, 0.0, 0.4);
    if (model >= M4) g.motor_rest = g.load_rest = random_between(random, 0.0, 0.4);
    if (model >= M5) g.load = random_between(random, 0.0, 1.5);
    if (model >= M5) g.load_rest = random_between(random, 0.0, 0.4);
    if (model >= M6) g.motor_quad = random_between(random, 0.0, 0.2);
    if (model >= M6) g.load_quad = random_between(random, 0.0, 0.2);
    return g;
}

static StiLaw law_of(const Gear *g)
{
    StiLaw law = sti_law_gear_load(g->base, g->motor, g->load);
    assert_true(sti_law_set(&law, "static", g->base + g->stribeck));
    assert_true(sti_law_set(&law, "stribeck_speed", g->speed));
    assert_true(sti_law_set(&law, "stribeck_exponent", g->alpha));
    assert_true(sti_law_set(&law, "viscous", g->viscous));
    assert_true(sti_law_set(&law, "motor_share_stribeck", g->motor_rest));
    assert_true(sti_law_set(&law, "load_share_stribeck", g->load_rest));
    assert_true(sti_law_set(&law, "motor_quadratic", g->motor_quad));
    assert_true(sti_law_set(&law, "load_quadratic", g->load_quad));
    assert_false(sti_law_set(&law, "eta", 1.0));
    return law;
}

static double published(const Gear *g, int model, double w, double motor, double load)
{
    const double fades = exp(-pow(w / g->speed, g->alpha));
    double f = g->base + g->viscous * w;
    if (model == M2 || model >= M4) f += g->stribeck * fades;
    if (model == M3 || model == M4) f += g->motor * fabs(motor - load);
    if (model == M4) f += g->motor_rest * fabs(motor - load) * fades;
    if (model >= M5) f += fabs(g->motor * motor - g->load * load);
    if (model >= M5) f += fabs(g->motor_rest * motor - g->load_rest * load) * fades;
    const bool opposed = (motor > 0.0) != (load > 0.0);
    if (model >= M6 && opposed && fabs(motor) > fabs(load)) f += g->load_quad * load * load * fades;
    if (model >= M6 && opposed && fabs(motor) < fabs(load))
        f += g->motor_quad * motor * motor * fades;
    return f;
}

static void all_six_laws_are_the_published_ones(void **state)
{
    (void)state;
    Random random = {5};
    for (int i = 0; i < 60000; ++i) {
        const int model = 1 + i % 6;
        const Gear g = random_gear(&random, model);
        const StiLaw law = law_of(&g);
        const double signals[2] = {random_between(&random, -2.0, 2.0),
                                   random_between(&random, -2.0, 2.0)};
        const double w = i % 5 == 0 ? 0.0 : random_decades(&random, 1e-3, 20.0);
        const double expected = published(&g, model, w, signals[0], signals[1]);
        assert_near(sti_law_level(&law, w, 1.0, signals), expected, 1e-13 * expected);
        assert_true(sti_law_level(&law, w, 1.0, signals) == sti_law_level(&law, w, -1.0, signals));
        if (w < 1e-2) continue;
        const double d = 1e-5 * w;
        const double measured = (published(&g, model, w + d, signals[0], signals[1]) -
                                 published(&g, model, w - d, signals[0], signals[1])) /
                                (2.0 * d);
        assert_near(sti_law_slope(&law, w, 1.0, signals), measured, 1e-5 * expected / w);
    }
}

// Where the level falls fastest, for any torques.
static void nowhere_it_falls_more_steeply(void **state)
{
    (void)state;
    Random random = {6};
    for (int i = 0; i < 300; ++i) {
        const Gear g = random_gear(&random, M6);
        const StiLaw law = law_of(&g);
        const double signals[2] = {random_between(&random, -2.0, 2.0),
                                   random_between(&random, -2.0, 2.0)};
        if (g.alpha <= 1.0) continue;
        const double steepest = sti_law_slope(&law, law.kind->steepest(&law), 1.0, signals);
        for (double w = 1e-3; w < 50.0; w *= 1.1)
            assert_true(sti_law_slope(&law, w, 1.0, signals) >= steepest - 1e-12);
    }
}

// Load and scales come before the torques, in this order; they act on dry and viscous parts alone.
static void signals_stand_in_their_order(void **state)
{
    (void)state;
    Random random = {7};
    for (int i = 0; i < 2000; ++i) {
        const Gear g = random_gear(&random, M2);
        const StiLaw plain = law_of(&g);
        StiLaw law = sti_law_scaled(plain, i & 1, i & 2);
        if (i & 4) law = sti_law_times_load(law);
        double signals[5], dry = 1.0, viscosity = 1.0;
        int count = 0;
        if (i & 4) signals[count++] = dry = random_between(&random, 0.1, 3.0);
        if (i & 1) dry *= signals[count++] = random_between(&random, 0.1, 3.0);
        if (i & 2) signals[count++] = viscosity = random_between(&random, 0.1, 3.0);
        signals[count++] = 0.3;
        signals[count++] = -0.2;
        assert_int_equal(sti_law_signals(&law), count);
        const double w = random_decades(&random, 1e-3, 20.0);
        const double fades = exp(-pow(w / g.speed, g.alpha));
        const double expected = (g.base + g.stribeck * fades) * dry + g.viscous * viscosity * w;
        assert_near(sti_law_level(&law, w, 1.0, signals), expected, 1e-13 * expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_six_laws_are_the_published_ones),
        cmocka_unit_test(nowhere_it_falls_more_steeply),
        cmocka_unit_test(signals_stand_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
