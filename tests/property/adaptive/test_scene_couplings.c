// Random trains of gears, racks and belts against one body that has all their inertia, friction and forces;
// planetary gears against Lagrange's equations; screws and worms against the formulas of the inclined plane.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/random.h"
#include "support/short.h"

enum { MEMBERS = 6, TEXT = 6000 };

typedef struct Text {
    char text[TEXT];
    size_t used;
} Text;

static void put(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->text + text->used, TEXT - text->used, format, arguments);
    va_end(arguments);
    assert_true(text->used < TEXT);
}

static FollowedScene open(const Text *text)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text->text, text->used, "scene.yaml", NULL, messages);
    if (scene == NULL) print_error("%s", text->text);
    followed_open(&run, scene, messages);
    return run;
}

static void go_on(FollowedScene *run)
{
    for (long k = 0; k < run->scene->steps; ++k) followed_step(run);
}

// ---- trains ------------------------------------------------------------------------------------------

typedef struct Train {
    int count, before[MEMBERS]; // each follows one before it
    bool turns[MEMBERS];
    double inertia[MEMBERS], level[MEMBERS], force[MEMBERS], ratio[MEMBERS]; // to the first
    double step_ratio[MEMBERS]; // to the one before: q[before] = step_ratio q
} Train;

static Train random_train(Random *random)
{
    Train train = {.count = 2 + random_below(random, MEMBERS - 1), .turns = {true}, .ratio = {1.0}};
    for (int i = 0; i < train.count; ++i) {
        train.inertia[i] = random_decades(random, 0.1, 3.0);
        train.level[i] = random_below(random, 2) == 0 ? 0.0 : random_between(random, 0.1, 2.0);
        train.force[i] = random_below(random, 2) == 0 ? 0.0 : random_between(random, -4.0, 4.0);
        if (i == 0) continue;
        train.before[i] = random_below(random, i);
        train.turns[i] = !train.turns[train.before[i]] || random_below(random, 3) > 0;
        train.step_ratio[i] = random_decades(random, 0.3, 3.0) * (random_below(random, 2) ? 1 : -1);
        train.ratio[i] = train.ratio[train.before[i]] / train.step_ratio[i];
    }
    train.force[0] = random_between(random, 2.0, 6.0);
    return train;
}

static void put_head(Text *text, const char *method)
{
    put(text, "step: 0.01\nstop: 1\nmethod: %s\nbodies:\n", method);
}

static void put_coupling(Text *text, const Train *train, int i)
{
    const int b = train->before[i];
    if (train->turns[b] == train->turns[i])
        put(text, "  c%d: {kind: gear, between: [m%d, m%d], ratio: %.17g}\n", i, b, i,
            train->step_ratio[i]);
    else if (train->turns[b])
        put(text, "  c%d: {kind: rack, between: [m%d, m%d], radius: %.17g}\n", i, b, i,
            1.0 / train->step_ratio[i]);
    else
        put(text, "  c%d: {kind: timing-belt, between: [m%d, m%d], radii: [1, %.17g]}\n", i, b, i,
            train->step_ratio[i]);
}

static Text coupled(const Train *train, const char *method)
{
    Text text = {.used = 0};
    put_head(&text, method);
    for (int i = 0; i < train->count; ++i)
        put(&text, "  m%d: {kind: %s: %.17g}\n", i, train->turns[i] ? "rotor, inertia" : "point, mass",
            train->inertia[i]);
    put(&text, "elements:\n");
    for (int i = 1; i < train->count; ++i) put_coupling(&text, train, i);
    for (int i = 0; i < train->count; ++i) {
        if (train->level[i] > 0.0)
            put(&text, "  r%d: {kind: friction, on: m%d, model: coulomb, level: %.17g}\n", i, i,
                train->level[i]);
        if (train->force[i] != 0.0)
            put(&text, "  f%d: {kind: force, on: m%d, value: \"%.17g*sin(%d*t)\"}\n", i, i,
                train->force[i], 4 + i);
    }
    return text;
}

static Text reduced(const Train *train, const char *method)
{
    Text text = {.used = 0};
    double inertia = 0.0, level = 0.0;
    for (int i = 0; i < train->count; ++i) {
        inertia += train->inertia[i] * train->ratio[i] * train->ratio[i];
        level += train->level[i] * fabs(train->ratio[i]);
    }
    put_head(&text, method);
    put(&text, "  m0: {kind: rotor, inertia: %.17g}\nelements:\n", inertia);
    if (level > 0.0) put(&text, "  r: {kind: friction, on: m0, model: coulomb, level: %.17g}\n", level);
    put(&text, "  f: {kind: force, on: m0, value: \"0");
    for (int i = 0; i < train->count; ++i)
        put(&text, "+(%.17g)*sin(%d*t)", train->force[i] * train->ratio[i], 4 + i);
    put(&text, "\"}\n");
    return text;
}

static void trains_move_as_one(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double exact;
    } methods[] = {{"cut", 1e-10}, {"rule", 1e-10}, {"{adaptive: dormand-prince, rtol: 1e-9}", 1e-6}};
    const long seeds = steps_or(60, 10);
    for (long seed = 0; seed < seeds; ++seed) {
        Random random = {(uint64_t)seed};
        const Train train = random_train(&random);
        const int k = (int)(seed % 3);
        const Text both[2] = {coupled(&train, methods[k].name), reduced(&train, methods[k].name)};
        FollowedScene runs[2] = {open(&both[0]), open(&both[1])};
        for (int row = 0; row < 100; ++row) {
            followed_step(&runs[0]);
            followed_step(&runs[1]);
            const double q = followed_value(&runs[1], "m0.q"), qd = followed_value(&runs[1], "m0.qd");
            const double off = fabs(followed_value(&runs[0], "m0.q") - q),
                         fast = fabs(followed_value(&runs[0], "m0.qd") - qd);
            if (off > methods[k].exact || fast > 100.0 * methods[k].exact)
                fail_msg("seed %ld, row %d under %s: off by %g and %g\n%s", seed, row,
                         methods[k].name, off, fast, both[0].text);
            for (int i = 1; i < train.count; ++i) {
                char name[16];
                snprintf(name, sizeof name, train.turns[i] ? "m%d.q" : "m%d.x", i);
                const double wanted = train.ratio[i] * followed_value(&runs[0], "m0.q");
                if (fabs(followed_value(&runs[0], name) - wanted) > 1e-12)
                    fail_msg("seed %ld: %s has drifted by %g", seed, name,
                             followed_value(&runs[0], name) - wanted);
                if (qd == 0.0 && row > 0 && followed_value(&runs[0], "m0.qd") == 0.0) {
                    snprintf(name, sizeof name, train.turns[i] ? "m%d.qd" : "m%d.v", i);
                    assert_true(followed_value(&runs[0], name) == 0.0);
                }
            }
        }
        followed_close(&runs[0]);
        followed_close(&runs[1]);
    }
}

// ---- three members -------------------------------------------------------------------------------------

// Constant torques: a = M^-1 (tau + J f), J . a = 0.
static void three_members_follow_lagrange(void **state)
{
    (void)state;
    for (int seed = 0; seed < 40; ++seed) {
        Random random = {(uint64_t)(100 + seed)};
        double I[3], tau[3], J[3], teeth[2], JMJ = 0.0, JMt = 0.0;
        const bool planetary = seed % 2 == 0;
        const double ratio = random_between(&random, 0.5, 4.0);
        for (int i = 0; i < 3; ++i) {
            I[i] = random_decades(&random, 0.05, 5.0);
            tau[i] = random_between(&random, -3.0, 3.0);
        }
        teeth[0] = 12 + random_below(&random, 30);
        teeth[1] = teeth[0] + 10 + random_below(&random, 60);
        J[0] = planetary ? teeth[0] : 1.0;
        J[1] = planetary ? teeth[1] : -0.5 * ratio;
        J[2] = planetary ? -teeth[0] - teeth[1] : -0.5 * ratio;
        for (int i = 0; i < 3; ++i) {
            JMJ += J[i] * J[i] / I[i];
            JMt += J[i] * tau[i] / I[i];
        }
        Text text = {.used = 0};
        put_head(&text, seed % 4 < 2 ? "cut" : "rk4");
        for (int i = 0; i < 3; ++i) put(&text, "  m%d: {kind: rotor, inertia: %.17g}\n", i, I[i]);
        put(&text, "elements:\n");
        if (planetary)
            put(&text, "  g: {kind: planetary, between: [m0, m1, m2], teeth: [%g, %g]}\n", teeth[0],
                teeth[1]);
        else
            put(&text, "  g: {kind: differential, between: [m0, m1, m2], ratio: %.17g}\n", ratio);
        for (int i = 0; i < 3; ++i)
            put(&text, "  t%d: {kind: force, on: m%d, value: %.17g}\n", i, i, tau[i]);
        FollowedScene run = open(&text);
        go_on(&run);
        const double f = -JMt / JMJ;
        assert_true(fabs(followed_value(&run, "g.force") - f) < 1e-12 * (1.0 + fabs(f)));
        for (int i = 0; i < 3; ++i) {
            char name[24];
            snprintf(name, sizeof name, "m%d.q", i);
            const double wanted = 0.5 * (tau[i] + J[i] * f) / I[i];
            if (fabs(followed_value(&run, name) - wanted) > 1e-10 * (1.0 + fabs(wanted)))
                fail_msg("seed %d, %s: %.12g, not %.12g", seed, name, followed_value(&run, name), wanted);
        }
        followed_close(&run);
    }
}

// ---- screws --------------------------------------------------------------------------------------------

typedef struct Screw {
    double inertia, mass, weight, torque, radius, lead_angle, mu;
} Screw;

// Sliding with sign d: the flank's normal force N (of either sign) pushes the nut by N (cos a - d mu s sin a), s the
// sign of N, and the screw back by r N (sin a + d mu s cos a). Returns false if that does not fit.
static bool slides(const Screw *p, double d, double *acceleration)
{
    const double a = p->lead_angle, per_turn = p->radius * tan(a);
    for (int k = 0; k < 2; ++k) {
        const double s = k == 0 ? 1.0 : -1.0;
        const double axial = cos(a) - d * p->mu * s * sin(a), across = sin(a) + d * p->mu * s * cos(a);
        // I A = T - r across N; m per_turn A = axial N - W
        const double N = (p->weight / (p->mass * per_turn) + p->torque / p->inertia) /
                         (axial / (p->mass * per_turn) + p->radius * across / p->inertia);
        *acceleration = (p->torque - p->radius * across * N) / p->inertia;
        if (s * N >= 0.0 && d * *acceleration > 0.0) return true;
    }
    return false;
}

static void screws_are_inclined_planes(void **state)
{
    (void)state;
    int held = 0, slid = 0;
    for (int seed = 0; seed < (int)steps_or(90, 20); ++seed) {
        Random random = {(uint64_t)(500 + seed)};
        Screw p = {.inertia = random_decades(&random, 1e-3, 1e-1),
                   .mass = random_decades(&random, 0.5, 20.0),
                   .radius = random_between(&random, 0.005, 0.05),
                   .lead_angle = random_between(&random, 0.03, 0.5),
                   .mu = random_between(&random, 0.02, 0.35)};
        const bool worm = seed % 3 == 2;
        p.weight = p.mass * random_between(&random, -15.0, 15.0);
        p.torque = random_between(&random, -1.0, 2.0) * fabs(p.weight) * p.radius *
                   tan(p.lead_angle + atan(p.mu));
        double wanted = 0.0;
        const bool up = slides(&p, 1.0, &wanted);
        const bool moves = up || slides(&p, -1.0, &wanted);
        if (!moves) wanted = 0.0;
        const double per_turn = p.radius * tan(p.lead_angle);
        Text text = {.used = 0};
        put_head(&text, seed % 2 == 0 ? "cut" : "rule");
        put(&text, "  s: {kind: rotor, inertia: %.17g}\n", p.inertia);
        // The wheel of a worm: so large that its rim moves as the nut would.
        const double ratio = 7.0, rim = per_turn * ratio;
        if (worm)
            put(&text, "  n: {kind: rotor, inertia: %.17g}\nelements:\n", p.mass * rim * rim);
        else
            put(&text, "  n: {kind: point, mass: %.17g}\nelements:\n", p.mass);
        if (worm)
            put(&text, "  c: {kind: worm, between: [s, n], ratio: %.17g, mu: %.17g, lead_angle: %.17g}\n",
                ratio, p.mu, p.lead_angle);
        else
            put(&text, "  c: {kind: screw, between: [s, n], lead: %.17g, mu: %.17g, radius: %.17g}\n",
                per_turn * 2.0 * acos(-1.0), p.mu, p.radius);
        put(&text, "  w: {kind: force, on: n, value: %.17g}\n", -p.weight * (worm ? rim : 1.0));
        put(&text, "  turn: {kind: force, on: s, value: %.17g}\n", p.torque);
        FollowedScene run = open(&text);
        go_on(&run);
        const double rate = followed_value(&run, "s.qd");
        if (!moves && (rate != 0.0 || followed_value(&run, "s.q") != 0.0))
            fail_msg("seed %d: should hold, moves at %g\n%s", seed, rate, text.text);
        if (fabs(rate - wanted) > 1e-8 * (1.0 + fabs(wanted)))
            fail_msg("seed %d: %.12g rad/s, not %.12g\n%s", seed, rate, wanted, text.text);
        held += !moves;
        slid += moves;
        followed_close(&run);
    }
    assert_true(held > 3 && slid > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trains_move_as_one),
        cmocka_unit_test(three_members_follow_lagrange),
        cmocka_unit_test(screws_are_inclined_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
