// Random carts, two-wheel robots and cars with a differential against their equations of motion: rolling, spinning, locked, held.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/random.h"
#include "support/short.h"

enum { STEPS = 100, SIZE = 4000 };
static const double g = 9.81, end = 1e-3 * STEPS;

typedef struct Car {
    double slope, mc, mw, I, r, h, lf, lr, half, mu;
    double m, ga, gn, A, D; // D: moment of the weight about the point below the chassis
} Car;

// Steep enough to matter, flat enough that no axle lifts.
static Car random_car(Random *random)
{
    Car c = {.slope = random_between(random, -0.25, 0.25),
             .mc = random_between(random, 5.0, 50.0),
             .r = random_between(random, 0.05, 0.2),
             .lf = random_between(random, 0.3, 0.6),
             .lr = random_between(random, 0.3, 0.6),
             .half = random_between(random, 0.2, 0.4),
             .mu = random_between(random, 0.5, 0.9)};
    c.mw = c.mc * random_between(random, 0.02, 0.1);
    c.I = c.mw * c.r * c.r * random_between(random, 0.3, 0.9);
    c.h = c.r + random_between(random, 0.0, 0.1);
    c.m = c.mc + 4.0 * c.mw;
    c.ga = g * sin(c.slope), c.gn = g * cos(c.slope);
    c.A = c.mc * c.h + 4.0 * c.mw * c.r;
    c.D = c.lf * c.m * c.gn - 2.0 * c.mw * (c.lf - c.lr) * c.gn;
    return c;
}

static int write_car(const Car *c, char *text)
{
    return snprintf(
        text, SIZE,
        "stop: %g\ngravity: [%.17g, 0, %.17g]\nbodies:\n  car:\n    kind: robot\n    links:\n"
        "      - {name: chassis, joint: free, type: floating, at: [0, 0, %.17g], mass: %.17g, "
        "inertia: [%.17g, %.17g, %.17g]}\n"
        "      - {repeat: 4, name: \"wheel{i}\", joint: \"axle{i}\", parent: chassis, axis: [0, 1, "
        "0], at: [\"i < 2 ? %.17g : %.17g\", "
        "\"(i == 0 || i == 2 ? 1 : -1)*%.17g\", %.17g], mass: %.17g, inertia: [%.17g, %.17g, "
        "%.17g], shapes: {kind: sphere, radius: %.17g}}\n",
        end, -c->ga, -c->gn, c->h, c->mc, 0.05 * c->mc, 0.06 * c->mc, 0.08 * c->mc, c->lf, -c->lr,
        c->half, c->r - c->h, c->mw, 0.6 * c->I, c->I, 0.6 * c->I, c->r);
}

static StiScene *read_scene(const char *text)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    if (scene == NULL) fail_msg("%s\n%s", sti_messages_at(messages, 0)->text, text);
    sti_messages_destroy(messages);
    return scene;
}

// Values of the channels at the end of the run.
static void run(const char *text, const char *const *channels, int count, double *values)
{
    StiScene *scene = read_scene(text);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, scene->steps), STI_OK);
    for (int i = 0; i < count; ++i)
        values[i] = *sti_state_edit_channel(state, scene->network,
                                            sti_network_channel_find(scene->network, channels[i]));
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
}

static const char *const channels[] = {"car.free.vx", "car.free.x", "car.axle2.qd", "car.free.y"};

static void assert_motion(int seed, const char *text, double a, double w, double place_too)
{
    double v[4];
    run(text, channels, 4, v);
    const double expected[] = {a * end, 0.5 * a * end * end, w * end, 0.0};
    for (int i = 0; i < 4; ++i)
        if ((i != 1 || place_too > 0.0) &&
            !(fabs(v[i] - expected[i]) <= 1e-8 * (1.0 + fabs(expected[i]))))
            fail_msg("seed %d: %s is %.15g, not %.15g\n%s", seed, channels[i], v[i], expected[i],
                     text);
}

// Torque M at each rear wheel up to which they roll.
static double holding_torque(const Car *c)
{
    const double J = c->m + 4.0 * c->I / (c->r * c->r), L = c->lf + c->lr,
                 C = (c->A + 4.0 * c->I / c->r) * c->mu / (L * J),
                 w = 2.0 * c->I / (c->r * c->r * J);
    return 0.5 * c->r * (c->mu * (c->A * c->ga + c->D) / L - c->m * c->ga * (C + w)) /
           (1.0 - C - w);
}

static void carts(void **state)
{
    (void)state;
    const int count = (int)steps_or(24, 8);
    for (int seed = 0; seed < count; ++seed) {
        Random random = {(uint64_t)seed};
        const Car c = random_car(&random);
        char text[SIZE];
        const int used = write_car(&c, text), way = seed % 4;
        const double most = holding_torque(&c), I2 = 2.0 * c.I / (c.r * c.r);
        const double share =
            way == 0 ? random_between(&random, 0.1, 0.99) : random_between(&random, 1.01, 2.0);
        const double M = way < 2 ? share * most : 0.0, brake = way < 2 ? 0.0 : 10.0 * c.m * g * c.r;
        const double mu = way == 3 ? 0.3 * fabs(tan(c.slope)) : c.mu;
        snprintf(text + used, SIZE - (size_t)used,
                 "elements:\n  road: {kind: contact, on: [{repeat: 4, item: \"car.wheel{i}\"}], "
                 "plane: {}, mu: %.17g}\n"
                 "  motor: {kind: force, on: [car.axle2, car.axle3], value: %.17g}\n"
                 "  brake: {kind: friction, on: [{repeat: 4, item: \"car.axle{i}\"}], model: "
                 "coulomb, level: %.17g}\n",
                 mu, M, brake);
        const double B = c.A + 2.0 * c.I / c.r, me = c.m + I2,
                     N = (c.D + 2.0 * M + c.A * c.ga - B * c.m * c.ga / me) /
                         (c.lf + c.lr + c.r * c.mu - B * c.mu / me);
        const double rolling = (2.0 * M / c.r - c.m * c.ga) / (c.m + 2.0 * I2),
                     spinning = (c.mu * N - c.m * c.ga) / me;
        if (way == 0) assert_motion(seed, text, rolling, rolling / c.r, 1.0);
        if (way == 1) assert_motion(seed, text, spinning, (M - 0.5 * c.r * c.mu * N) / c.I, 1.0);
        if (way == 2) assert_motion(seed, text, 0.0, 0.0, 1.0);
        if (way == 3) assert_motion(seed, text, copysign(mu * c.gn, c.slope) - c.ga, 0.0, 1.0);
    }
}

static void solve(int n, double *Q, double *b)
{
    for (int i = 0; i < n; ++i) {
        int p = i;
        for (int k = i; k < n; ++k)
            if (fabs(Q[k * n + i]) > fabs(Q[p * n + i])) p = k;
        for (int k = 0; k < n; ++k) {
            const double q = Q[i * n + k];
            Q[i * n + k] = Q[p * n + k], Q[p * n + k] = q;
        }
        const double y = b[i];
        b[i] = b[p], b[p] = y;
        for (int k = 0; k < n; ++k) {
            if (k == i) continue;
            const double f = Q[k * n + i] / Q[i * n + i];
            for (int j = 0; j < n; ++j) Q[k * n + j] -= f * Q[i * n + j];
            b[k] -= f * b[i];
        }
    }
    for (int i = 0; i < n; ++i) b[i] /= Q[i * n + i];
}

// Engine, differential; the left rear wheel on ice or not. Coupled bodies run under rule: places are of order 1.
static void cars_with_differentials(void **state)
{
    (void)state;
    const int count = (int)steps_or(16, 6);
    for (int seed = 0; seed < count; ++seed) {
        Random random = {(uint64_t)(seed + 1000)};
        const Car c = random_car(&random);
        char text[SIZE];
        const bool ice = seed % 2;
        const double i = random_between(&random, 2.0, 6.0),
                     J = c.I * random_between(&random, 0.1, 0.5), mu = ice ? 0.05 : c.mu,
                     M = (ice ? 0.3 : 0.9) * holding_torque(&c) * 2.0 / i, L = c.lf + c.lr, r = c.r,
                     I = c.I;
        int used = write_car(&c, text);
        used += snprintf(text + used, SIZE - (size_t)used,
                         "  engine: {kind: rotor, inertia: %.17g}\n", J);
        snprintf(
            text + used, SIZE - (size_t)used,
            "elements:\n  road: {kind: contact, on: [car.wheel0, car.wheel1, car.wheel3], plane: "
            "{}, mu: %.17g}\n"
            "  shoulder: {kind: contact, on: car.wheel2, plane: {}, mu: %.17g}\n  throttle: {kind: "
            "force, on: engine, value: %.17g}\n"
            "  gear: {kind: differential, between: [engine, car.axle2, car.axle3], ratio: %.17g}\n",
            c.mu, mu, M, i);
        const double a = (i * M / r - c.m * c.ga) / (c.m + 4.0 * I / (r * r) + i * i * J / (r * r));
        double Q[25] = {0,
                        I,
                        -1,
                        r * mu / 2,
                        0,
                        I / r,
                        0,
                        -1,
                        0,
                        r,
                        c.m + 2 * I / (r * r),
                        0,
                        0,
                        -mu / 2,
                        -1,
                        J * i / (2 * r),
                        J * i / 2,
                        2 / i,
                        0,
                        0,
                        -(c.A + 3 * I / r),
                        -I,
                        0,
                        L,
                        0};
        double b[5] = {0, 0, -c.m * c.ga, M, c.A * c.ga + c.D};
        solve(5, Q, b);
        assert_motion(seed, text, ice ? b[0] : a, ice ? b[1] : a / r, 0.0);
    }
}

// Its path is a circle.
static void robots_on_two_wheels(void **state)
{
    (void)state;
    const int count = (int)steps_or(12, 4);
    for (int seed = 0; seed < count; ++seed) {
        Random random = {(uint64_t)(seed + 2000)};
        const double mc = random_between(&random, 3.0, 10.0),
                     mw = random_between(&random, 0.2, 0.8), r = random_between(&random, 0.04, 0.1),
                     I = 0.5 * mw * r * r, J = random_between(&random, 0.05, 0.3),
                     s = random_between(&random, 0.1, 0.25), m = mc + 2.0 * mw,
                     left = random_between(&random, -0.1, 0.1) * m * g * r,
                     right = random_between(&random, -0.1, 0.1) * m * g * r;
        const double a = (left + right) / r / (m + 2.0 * I / (r * r)),
                     b = (right - left) * s / r /
                         (J + 1.2 * I + 2.0 * mw * s * s + 2.0 * I * s * s / (r * r)),
                     angle = 0.5 * b * end * end;
        char text[SIZE];
        snprintf(
            text, SIZE,
            "stop: %g\ngravity: [0, 0, -9.81]\nbodies:\n  car:\n    kind: robot\n    links:\n"
            "      - {name: chassis, joint: free, type: floating, at: [0, 0, 0.12], mass: %.17g, "
            "inertia: [0.2, 0.2, %.17g], "
            "shapes: [{kind: sphere, radius: 0.02, at: [-0.2, 0, -0.1]}, {kind: sphere, radius: "
            "0.02, at: [0.2, 0, -0.1]}]}\n"
            "      - {repeat: 2, name: \"wheel{i}\", joint: \"axle{i}\", parent: chassis, axis: "
            "[0, 1, 0], at: [0, \"(1 - 2*i)*%.17g\", %.17g], "
            "mass: %.17g, inertia: [%.17g, %.17g, %.17g], shapes: {kind: sphere, radius: %.17g}}\n"
            "elements:\n  road: {kind: contact, on: [car.wheel0, car.wheel1], plane: {}, mu: 0.9}\n"
            "  caster: {kind: contact, on: car.chassis, plane: {}, mu: 0}\n"
            "  motors: {kind: force, on: [car.axle0, car.axle1], value: [%.17g, %.17g]}\n",
            end, mc, J, s, r - 0.12, mw, 0.6 * I, I, 0.6 * I, r, left, right);
        static const char *const names[] = {"car.free.x", "car.free.y", "car.free.wz",
                                            "car.axle1.qd"};
        const double expected[] = {a / b * sin(angle), a / b * (1.0 - cos(angle)), b * end,
                                   (a + b * s) * end / r};
        double v[4];
        run(text, names, 4, v);
        for (int i = 0; i < 4; ++i)
            if (!(fabs(v[i] - expected[i]) <= 1e-8 * (1.0 + fabs(expected[i]))))
                fail_msg("seed %d: %s is %.15g, not %.15g\n%s", seed, names[i], v[i], expected[i],
                         text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carts),
        cmocka_unit_test(cars_with_differentials),
        cmocka_unit_test(robots_on_two_wheels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
