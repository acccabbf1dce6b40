// Belts that slip or run crossed, and gears with loss, between two rotors: closed forms.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/live_scene.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static LiveScene live(const char *text) { return live_scene_open(good_scene(text)); }

static const char *const methods[] = {"rule", "cut"};

// Two rotors, their torques and speeds at the start.
typedef struct Pair {
    double J[2], torque[2], w[2];
} Pair;

static Pair random_pair(Random *random)
{
    Pair p;
    for (int i = 0; i < 2; ++i) {
        p.J[i] = random_decades(random, 0.01, 1.0);
        p.torque[i] = random_between(random, -2.0, 2.0);
        p.w[i] = 0.0;
    }
    return p;
}

static LiveScene pair_with(const Pair *p, const char *method, const char *between)
{
    char text[1200];
    snprintf(text, sizeof text,
             "method: %s\nstep: 1e-3\nstop: 1\n"
             "bodies:\n  a: {kind: rotor, inertia: %.17g, velocity: %.17g}\n"
             "  b: {kind: rotor, inertia: %.17g, velocity: %.17g}\n"
             "elements:\n  link: {%s}\n"
             "  ta: {kind: force, on: a, value: %.17g}\n  tb: {kind: force, on: b, value: %.17g}\n",
             method, p->J[0], p->w[0], p->J[1], p->w[1], between, p->torque[0], p->torque[1]);
    return live(text);
}

// The pull that keeps the rims together: a (ta - a f)/Ja = s b (tb + s b f)/Jb, s = -1 where the belt is crossed.
static double pull_of(const Pair *p, const double r[2], double s)
{
    return (r[0] * p->torque[0] / p->J[0] - s * r[1] * p->torque[1] / p->J[1]) /
           (r[0] * r[0] / p->J[0] + r[1] * r[1] / p->J[1]);
}

static void belts_slip_beyond_their_limit(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(60, 12);
    int slid = 0, caught = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 40 + (uint64_t)i};
        Pair p = random_pair(&random);
        const double r[2] = {random_between(&random, 0.02, 0.3),
                             random_between(&random, 0.02, 0.3)};
        const double s = random_below(&random, 2) == 0 ? 1.0 : -1.0;
        if (i % 3 == 2) p.w[0] = random_between(&random, -0.5, 0.5); // rims that must first meet
        const double pull = pull_of(&p, r, s),
                     limit = fabs(pull) * random_between(&random, 0.3, 3.0) + 0.1;
        char between[200];
        snprintf(between, sizeof between,
                 "kind: belt, between: [a, b], radii: [%.17g, %.17g], crossed: %s, limit: %.17g",
                 r[0], r[1], s < 0.0 ? "true" : "false", limit);
        // rims: slip = a wa - s b wb, at a rate that the pull of a slipping belt gives
        const double slip = r[0] * p.w[0] - s * r[1] * p.w[1], side = slip != 0.0 ? slip : pull;
        const double f = fabs(pull) > limit || slip != 0.0 ? (side < 0.0 ? -limit : limit) : pull;
        double alpha[2] = {(p.torque[0] - r[0] * f) / p.J[0],
                           (p.torque[1] + s * r[1] * f) / p.J[1]};
        const double rate = r[0] * alpha[0] - s * r[1] * alpha[1];
        const double meet = slip != 0.0 && slip * rate < 0.0 ? -slip / rate : INFINITY, t = 0.4;
        double w[2] = {p.w[0] + alpha[0] * fmin(t, meet), p.w[1] + alpha[1] * fmin(t, meet)};
        if (meet < t) {
            const double on = fmax(-limit, fmin(limit, pull));
            w[0] += (t - meet) * (p.torque[0] - r[0] * on) / p.J[0];
            w[1] += (t - meet) * (p.torque[1] + s * r[1] * on) / p.J[1];
            ++caught;
        }
        slid += slip == 0.0 && fabs(pull) > limit;
        for (int m = 0; m < 2; ++m) {
            LiveScene l = pair_with(&p, methods[m], between);
            live_scene_go(&l, 400);
            // under rule the step in which rims meet is one with the mean of both pulls
            const double near = m == 0 && meet < t && fabs(pull) > limit
                                    ? 2e-3 * (fabs(alpha[0]) + fabs(alpha[1]))
                                    : 0.0;
            assert_near(live_scene_value(&l, "a.qd"), w[0], 1e-9 + near);
            assert_near(live_scene_value(&l, "b.qd"), w[1], 1e-9 + near);
            live_scene_close(&l);
        }
    }
    print_message("%d slid from rest, %d met, of %d\n", slid, caught, count);
    assert_true(slid > 0 && caught > 0);
}

static void crossed_timing_belts_turn_back(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(20, 4);
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 140 + (uint64_t)i};
        const Pair p = random_pair(&random);
        const double r[2] = {random_between(&random, 0.02, 0.3),
                             random_between(&random, 0.02, 0.3)};
        const double s = i % 2 == 0 ? -1.0 : 1.0, f = pull_of(&p, r, s);
        char between[200];
        snprintf(between, sizeof between,
                 "kind: timing-belt, between: [a, b], radii: [%.17g, %.17g], crossed: %s", r[0],
                 r[1], s < 0.0 ? "true" : "false");
        for (int m = 0; m < 2; ++m) {
            LiveScene l = pair_with(&p, methods[m], between);
            live_scene_go(&l, 500);
            assert_near(live_scene_value(&l, "a.qd"), 0.5 * (p.torque[0] - r[0] * f) / p.J[0],
                        1e-9);
            assert_near(live_scene_value(&l, "b.qd"), 0.5 * (p.torque[1] + s * r[1] * f) / p.J[1],
                        1e-9);
            assert_near(r[0] * live_scene_value(&l, "a.q"), s * r[1] * live_scene_value(&l, "b.q"),
                        1e-12);
            live_scene_close(&l);
        }
    }
}

// A = n B. The teeth give z to A and -n z to B; friction at A is loss |z|. Moving, z follows from two equations; at
// rest B is held by z = tb/n, and A if |ta + tb/n| <= loss |tb/n|: to the last bit.
static void gears_lose_their_share(void **unused)
{
    (void)unused;
    const int count = (int)steps_or(60, 12);
    int held = 0, braked = 0;
    for (int i = 0; i < count; ++i) {
        Random random = {.state = 240 + (uint64_t)i};
        Pair p = random_pair(&random);
        const double n =
            (random_below(&random, 2) == 0 ? -1.0 : 1.0) * random_decades(&random, 0.2, 20.0);
        const double loss = random_between(&random, 0.02, 0.9);
        if (i % 3 == 0) // near what holds
            p.torque[0] = -p.torque[1] / n * (1.0 + loss * random_between(&random, -1.3, 1.3));
        char between[200];
        snprintf(between, sizeof between, "kind: gear, between: [a, b], ratio: %.17g, loss: %.17g",
                 n, loss);
        const double drive = p.torque[0] + p.torque[1] / n;
        const bool holds = fabs(drive) <= loss * fabs(p.torque[1] / n);
        const double way = drive < 0.0 ? -1.0 : 1.0;
        const double load = n * p.torque[1] / p.J[1] - p.torque[0] / p.J[0],
                     sign = load < 0.0 ? -1.0 : 1.0;
        const double z = load / ((1.0 - loss * way * sign) / p.J[0] + n * n / p.J[1]);
        const double alpha = (p.torque[1] - n * z) / p.J[1];
        held += holds;
        braked += !holds && way * sign > 0.0;
        for (int m = 0; m < 2; ++m) {
            LiveScene l = pair_with(&p, methods[m], between);
            live_scene_go(&l, 500);
            const double w = live_scene_value(&l, "b.qd");
            if (holds)
                assert_true(w == 0.0 && live_scene_value(&l, "a.q") == 0.0);
            else if (alpha * n * way > 0.0)
                assert_near(w, 0.5 * alpha, 1e-9 * (1.0 + fabs(alpha)));
            live_scene_close(&l);
        }
    }
    print_message("%d of %d hold, %d driven by their load\n", held, count, braked);
    assert_true(held > 0 && braked > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belts_slip_beyond_their_limit),
        cmocka_unit_test(crossed_timing_belts_turn_back),
        cmocka_unit_test(gears_lose_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
