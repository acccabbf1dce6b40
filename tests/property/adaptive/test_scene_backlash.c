// Play between two rotors: free flight across the gap, half an oscillation in the flanks, again and again. The
// judge follows the relative motion in closed form.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

typedef struct Play {
    double J[2], ratio, gap, K, B, middle, speed;
} Play;

static Play draw(Random *random, bool damped)
{
    Play p = {.J = {random_decades(random, 1e-4, 1e-2), random_decades(random, 1e-4, 1e-2)},
              .ratio = random_decades(random, 0.3, 3.0) * (random_below(random, 2) ? 1.0 : -1.0),
              .gap = random_between(random, 0.01, 0.05),
              .middle = random_between(random, -0.01, 0.01),
              .speed = random_between(random, 0.5, 2.0) * (random_below(random, 2) ? 1.0 : -1.0)};
    const double mobility = 1.0 / p.J[0] + p.ratio * p.ratio / p.J[1];
    const double omega = random_between(random, 30.0, 90.0); // 1/s: several steps in the flank
    p.K = omega * omega / mobility;
    p.B = damped ? random_between(random, 0.05, 0.8) * 2.0 * sqrt(p.K / mobility) : 0.0;
    return p;
}

static FollowedScene run_of(const Play *p, const char *method)
{
    char text[900];
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    snprintf(
        text, sizeof text,
        "method: %s\nstep: 1e-3\nstop: 1\n"
        "bodies:\n"
        "  a: {kind: rotor, inertia: %.17g, angle: %.17g, velocity: %.17g}\n"
        "  b: {kind: rotor, inertia: %.17g}\n"
        "elements:\n"
        "  mesh: {kind: backlash, between: [a, b], ratio: %.17g, gap: %.17g, stiffness: %.17g, "
        "damping: %.17g, middle: %.17g}\n",
        method, p->J[0], p->middle, p->speed, p->J[1], p->ratio, p->gap, p->K, p->B, p->middle);
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    return run;
}

// x and its rate t after the flank was met with speed v > 0; *letting: when its force ends.
static double in_flank(const Play *p, double v, double t, double *rate, double *letting)
{
    const double mobility = 1.0 / p->J[0] + p->ratio * p->ratio / p->J[1];
    const double decay = 0.5 * p->B * mobility, w = sqrt(p->K * mobility - decay * decay);
    // K x + B xdot = 0 with x = v/w e^(-decay t) sin(w t)
    *letting = (3.14159265358979323846 - atan2(p->B * w, p->K - p->B * decay)) / w;
    *rate = v * exp(-decay * t) * (cos(w * t) - decay / w * sin(w * t));
    return v / w * exp(-decay * t) * sin(w * t);
}

// first - ratio second - middle at time t, from the middle of the gap.
static double relative_at(const Play *p, double t)
{
    double v = fabs(p->speed), side = p->speed > 0.0 ? 1.0 : -1.0, from = 0.0, way = 0.5 * p->gap;
    for (;;) {
        const double reaches = from + way / v;
        if (t <= reaches) return side * (0.5 * p->gap - (reaches - t) * v);
        double rate, letting, after;
        const double now = in_flank(p, v, t - reaches, &rate, &letting);
        if (t - reaches <= letting) return side * (0.5 * p->gap + now);
        const double depth = in_flank(p, v, letting, &after, &letting);
        from = reaches + letting;
        v = -after;
        side = -side;
        way = p->gap + depth;
    }
}

static void flanks_meet_and_part_at_their_times(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"cut",
                                          "{adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}"};
    const int count = (int)steps_or(40, 6);
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 2 * count; ++i) {
        Random random = {.state = 70 + (uint64_t)(i / 2)};
        const Play p = draw(&random, i / 2 % 2 == 1);
        FollowedScene run = run_of(&p, methods[i % 2]);
        for (int k = 1; k <= 500; ++k) {
            followed_step(&run);
            if (k % 50 != 0) continue;
            const double x =
                followed_value(&run, "a.q") - p.ratio * followed_value(&run, "b.q") - p.middle;
            worst[i % 2] = fmax(worst[i % 2], fabs(x - relative_at(&p, 1e-3 * k)) / p.gap);
        }
        const double momentum =
            p.ratio * p.J[0] * followed_value(&run, "a.qd") + p.J[1] * followed_value(&run, "b.qd");
        assert_near(momentum, p.ratio * p.J[0] * p.speed,
                    1e-12 * fabs(p.ratio * p.J[0] * p.speed) + 1e-15);
        assert_true(fabs(sti_recorder_energy(run.recorder).residual) < 1e-12);
        followed_close(&run);
    }
    print_message("off by %g of the gap under cut, %g under error control\n", worst[0], worst[1]);
    assert_true(worst[0] < 2e-5);
    assert_true(worst[1] < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flanks_meet_and_part_at_their_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
