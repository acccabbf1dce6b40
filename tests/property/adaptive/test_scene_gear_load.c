// Gears with losses by torque in scenes: self-locking, driving and back-driving against closed forms, and a servo with a
// pendulum against a small integrator of its own, under the rule, cut and error control.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "support/last_values.h"
#include "support/near.h"
#include "support/random.h"

static const char *const methods[] = {"cut", "rule",
                                      "{adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}"};
enum { CUT, RULE, ADAPTIVE, METHODS };

typedef struct Drive {
    double inertia, base, motor_share, load_share, motor, load; // torques along +
} Drive;

static Drive random_drive(Random *random, double lowest_share, double highest_share)
{
    return (Drive){.inertia = random_decades(random, 1e-3, 1.0),
                   .base = random_decades(random, 1e-4, 0.1),
                   .motor_share = random_between(random, 0.05, 0.4),
                   .load_share = random_between(random, lowest_share, highest_share),
                   .load = copysign(random_decades(random, 0.1, 10.0),
                                    random_between(random, -1.0, 1.0))};
}

static LastValues run(const Drive *d, const char *method, double speed, double stop, double T)
{
    char text[1500];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\nmethod: %s\nbodies:\n  m:\n    kind: robot\n    links:\n"
             "      - {joint: j, axis: [0, 0, 1], mass: 1, inertia: [1, 1, %.17g]}\n"
             "    joints: {j: {velocity: %.17g}}\nelements:\n"
             "  motor: {kind: force, on: m.j, value: %.17g}\n"
             "  load: {kind: force, on: m.j, value: %.17g}\n"
             "  gear: {kind: friction, on: m.j, model: coulomb, level: %.17g, motor_share: %.17g,\n"
             "         load_share: %.17g, motor: motor, external: load}\n",
             T, stop, method, d->inertia, speed, d->motor, d->load, d->base, d->motor_share,
             d->load_share);
    return last_values(text);
}

static double level(const Drive *d)
{
    return d->base + fabs(d->motor_share * d->motor - d->load_share * d->load);
}

// A worm gear does not creep: not by one bit, whatever the load, also with a motor that helps a little.
static void a_locked_gear_stays_where_it_is(void **state)
{
    (void)state;
    Random random = {31};
    for (int i = 0; i < 60; ++i) {
        Drive d = random_drive(&random, 1.0, 2.0);
        if (i % 2 == 1) { // still below the level
            const double most = (level(&d) - fabs(d.load)) / (1.0 + d.motor_share);
            d.motor = random_between(&random, 0.0, 0.99) * most * (d.load > 0.0 ? 1.0 : -1.0);
        }
        for (int m = 0; m < METHODS; ++m) {
            const LastValues last = run(&d, methods[m], 0.0, 2.0, 1e-3);
            assert_true(last.x[0] == 0.0 && last.x[1] == 0.0);
        }
    }
}

// From rest the motor drives, or the load drives back: half of a t^2.
static void driving_and_back_driving_are_closed_forms(void **state)
{
    (void)state;
    Random random = {32};
    for (int i = 0; i < 60; ++i) {
        Drive d = random_drive(&random, 0.05, 0.6);
        const double T = 1e-3, stop = 0.5;
        d.motor = -d.load * (i % 2 == 0 ? random_between(&random, 2.5, 5.0)
                                        : random_between(&random, 0.0, 0.1));
        const double push = d.motor + d.load;
        const bool moves = fabs(push) > level(&d);
        const double a = moves ? (push - copysign(level(&d), push)) / d.inertia : 0.0;
        for (int m = 0; m < METHODS; ++m) {
            const LastValues last = run(&d, methods[m], 0.0, stop, T);
            const double ahead =
                m == RULE ? 0.5 * a * stop * T : 0.0; // its positions follow new speeds
            assert_near(last.x[0], 0.5 * a * stop * stop + ahead, 1e-9 * fabs(a));
            assert_near(last.x[1], a * stop, 1e-9 * fabs(a));
        }
    }
}

// A turning gear that locks runs out: I w^2/(2 (F -+ load)), and stays.
static void a_locking_gear_runs_out_and_stays(void **state)
{
    (void)state;
    Random random = {33};
    for (int i = 0; i < 40; ++i) {
        const Drive d = random_drive(&random, 1.05, 2.0);
        const double w =
            0.3 * (level(&d) - fabs(d.load)) / d.inertia; // towards the load or against it
        const double speed = i % 2 == 0 ? w : -w;
        const double against = level(&d) - (speed > 0.0 ? d.load : -d.load);
        const double way = 0.5 * d.inertia * speed * fabs(speed) / against;
        for (int m = 0; m < METHODS; ++m) {
            const LastValues last = run(&d, methods[m], speed, 1.0, 1e-3);
            assert_near(last.x[0], way, (m == RULE ? 2e-3 : 1e-9) * fabs(speed));
            assert_true(last.x[1] == 0.0);
        }
    }
}

// ---- a servo with a pendulum ----------------------------------------------------------------------------

typedef struct Servo {
    double kt, R, inertia, weight; // weight: m g l
    double base, stribeck, speed, alpha, viscous, motor, load, motor_rest, load_rest, motor_quad,
        load_quad;
    double amplitude, frequency, off; // of the voltage, V, rad/s; s
} Servo;

static Servo random_servo(Random *random)
{
    return (Servo){.kt = random_between(random, 0.3, 0.45),
                   .R = random_between(random, 2.5, 4.0),
                   .inertia = random_between(random, 4e-3, 8e-3),
                   .weight = random_between(random, 0.2, 0.6),
                   .base = random_between(random, 0.004, 0.02),
                   .stribeck = random_between(random, 0.0, 0.02),
                   .speed = random_between(random, 0.5, 3.0),
                   .alpha = random_between(random, 1.0, 2.0),
                   .viscous = random_between(random, 0.002, 0.006),
                   .motor = random_between(random, 0.05, 0.3),
                   .load = random_between(random, 0.0, 0.15),
                   .motor_rest = random_between(random, 0.0, 0.1),
                   .load_rest = random_between(random, 0.0, 0.1),
                   .motor_quad = random_between(random, 0.0, 0.1),
                   .load_quad = random_between(random, 0.0, 0.1),
                   .amplitude = random_between(random, 3.0, 7.0),
                   .frequency = random_between(random, 3.0, 8.0)};
}

typedef struct Torques {
    double motor, load;
} Torques;

static Torques torques(const Servo *p, double t, double q, double w)
{
    const double volts = p->amplitude * sin(p->frequency * t);
    return (Torques){p->kt * volts / p->R - p->kt * p->kt * w / p->R, -p->weight * sin(q)};
}

static double friction(const Servo *p, Torques at, double w)
{
    const double fades = exp(-pow(w / p->speed, p->alpha));
    double rest = p->stribeck + fabs(p->motor_rest * at.motor - p->load_rest * at.load);
    if (at.motor * at.load < 0.0)
        rest += fabs(at.motor) > fabs(at.load) ? p->load_quad * at.load * at.load
                                               : p->motor_quad * at.motor * at.motor;
    return p->base + fabs(p->motor * at.motor - p->load * at.load) + rest * fades + p->viscous * w;
}

// One Runge-Kutta step while it slides towards side.
static void slide(const Servo *p, double t, double h, double side, const double from[2],
                  double to[2])
{
    static const double part[] = {0.0, 0.5, 0.5, 1.0};
    double k[4][2];
    for (int s = 0; s < 4; ++s) {
        const double q = from[0] + (s > 0 ? part[s] * h * k[s - 1][0] : 0.0),
                     w = from[1] + (s > 0 ? part[s] * h * k[s - 1][1] : 0.0);
        const Torques at = torques(p, t + part[s] * h, q, w);
        k[s][0] = w;
        k[s][1] = (at.motor + at.load - side * friction(p, at, fmax(side * w, 0.0))) / p->inertia;
    }
    for (int j = 0; j < 2; ++j)
        to[j] = from[j] + h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
}

// How much the torques exceed what rest can carry.
static double excess(const Servo *p, double t, double q)
{
    const Torques at = torques(p, t, q, 0.0);
    return fabs(at.motor + at.load) - friction(p, at, 0.0);
}

// From rest at q = 0 to the time stop, in steps of h that are divided where it stops or lets go.
static void integrate(const Servo *p, double stop, double h, double x[2], int *changes)
{
    double t = 0.0, side = 0.0; // 0: sticks
    x[0] = x[1] = 0.0;
    while (t < stop - 1e-12) {
        double low = 0.0, high = fmin(h, stop - t), to[2] = {x[0], 0.0};
        const double whole = high;
        if (side != 0.0) slide(p, t, high, side, x, to);
        const bool changed = side == 0.0 ? excess(p, t + high, x[0]) > 0.0 : side * to[1] <= 0.0;
        for (int i = 0; changed && i < 60; ++i) {
            const double middle = 0.5 * (low + high);
            double between[2];
            if (side != 0.0) slide(p, t, middle, side, x, between);
            const bool past =
                side == 0.0 ? excess(p, t + middle, x[0]) > 0.0 : side * between[1] <= 0.0;
            *(past ? &high : &low) = middle;
        }
        if (changed && side != 0.0) slide(p, t, high, side, x, to);
        t += changed ? high : whole;
        x[0] = to[0];
        x[1] = to[1];
        if (!changed) continue;
        ++*changes;
        x[1] = 0.0;
        const Torques at = torques(p, t, x[0], 0.0);
        const bool lets_go = excess(p, t, x[0]) > (side == 0.0 ? -1e-9 : 0.0);
        side = lets_go ? copysign(1.0, at.motor + at.load) : 0.0;
    }
}

static LastValues run_servo(const Servo *p, const char *method, double stop, double T)
{
    char text[2500];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\nmethod: %s\ngravity: [0, 0, -1]\nbodies:\n  m:\n    kind: "
             "robot\n"
             "    links:\n      - {joint: j, axis: [0, 1, 0], mass: %.17g, centre: [0, 0, -1],\n"
             "         inertia: [0, 0, 0], armature: %.17g}\nelements:\n"
             "  motor: {kind: dc-motor, on: m.j, torque_constant: %.17g, resistance: %.17g,\n"
             "          voltage: \"%.17g*sin(%.17g*t)\"}\n"
             "  gear: {kind: friction, on: m.j, model: coulomb, level: %.17g, static: %.17g,\n"
             "         stribeck_speed: %.17g, stribeck_exponent: %.17g, viscous: %.17g,\n"
             "         motor_share: %.17g, load_share: %.17g, motor_share_stribeck: %.17g,\n"
             "         load_share_stribeck: %.17g, motor_quadratic: %.17g, load_quadratic: %.17g,\n"
             "         motor: motor, external: \"-%.17g*sin(m.j.q)\"}\n",
             T, stop, method, p->weight, p->inertia, p->kt, p->R, p->amplitude, p->frequency,
             p->base, p->base + p->stribeck, p->speed, p->alpha, p->viscous, p->motor, p->load,
             p->motor_rest, p->load_rest, p->motor_quad, p->load_quad, p->weight);
    return last_values(text);
}

// The pendulum has the inertia of its point of mass, beside that of the rotor.
static void a_servo_agrees_with_an_integrator_of_its_own(void **state)
{
    (void)state;
    Random random = {34};
    int changes = 0;
    for (int i = 0; i < 8; ++i) {
        const Servo p = random_servo(&random);
        Servo whole = p;
        double x[2];
        whole.inertia += p.weight; // mass times length squared, with a length and a gravity of 1
        integrate(&whole, 3.0, 1e-3, x, &changes);
        for (int m = 0; m < METHODS; ++m) {
            const LastValues last = run_servo(&p, methods[m], 3.0, m == RULE ? 1e-4 : 1e-3);
            const double allowed = m == RULE ? 2e-3 : 1e-6;
            assert_near(last.x[0], x[0], allowed);
            assert_near(last.x[1], x[1], 10.0 * allowed);
        }
    }
    assert_true(changes > 20);
}

// ---- laws that listen to a temperature ---------------------------------------------------------------------

// The level falls as it warms up: a block under a constant push lets go at a time that is known.
static void a_temperature_scales_level_and_viscous_part(void **state)
{
    (void)state;
    static const char scene[] =
        "step: 1e-3\nstop: 3\nmethod: %s\ninputs: {temperature: \"20 + 10*t\"}\n"
        "bodies: {m: {kind: point, mass: 2}}\nelements:\n"
        "  push: {kind: force, on: m, value: 3}\n"
        "  rub: {kind: friction, on: m, model: %s, level: 5, %s\n"
        "        level_scale: \"1 - 0.02*(temperature - 20)\"%s}\n";
    for (int m = 0; m < METHODS; ++m) {
        char text[1000];
        snprintf(text, sizeof text, scene, methods[m], "coulomb", "", "");
        // 5 (1 - 0.2 t) = 3 at t = 2; then a = (3 - 5 (1 - 0.2 t))/2 = (t - 2)/2.
        const LastValues dry = last_values(text);
        assert_near(dry.x[1], 0.25, m == RULE ? 1e-3 : 1e-9);
        assert_near(dry.x[0], 1.0 / 12.0, m == RULE ? 1e-3 : 1e-9);
        // With a viscous part 4 (1 + t - 2) = 4 (t - 1): v' = (t - 2)/2 - 2 (t - 1) v.
        snprintf(text, sizeof text, scene, methods[m], "finite-time", "viscous: 4,",
                 ", viscous_scale: \"1 + 0.1*(temperature - 40)\"");
        double v = 0.0;
        for (int k = 0; k < 1000; ++k) { // Runge-Kutta from t = 2 on
            const double h = 1e-3, t = 2.0 + k * h;
#define RATE(t, v) (0.5 * ((t)-2.0) - 2.0 * ((t)-1.0) * (v))
            const double a = RATE(t, v), b = RATE(t + 0.5 * h, v + 0.5 * h * a),
                         c = RATE(t + 0.5 * h, v + 0.5 * h * b), d = RATE(t + h, v + h * c);
            v += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        }
        const LastValues oily = last_values(text);
        assert_near(oily.x[1], v, m == RULE ? 1e-3 : 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_locked_gear_stays_where_it_is),
        cmocka_unit_test(driving_and_back_driving_are_closed_forms),
        cmocka_unit_test(a_locking_gear_runs_out_and_stays),
        cmocka_unit_test(a_servo_agrees_with_an_integrator_of_its_own),
        cmocka_unit_test(a_temperature_scales_level_and_viscous_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
