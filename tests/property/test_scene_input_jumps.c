// Inputs that jump and bend at random: `cut` ends its steps there. Judged by the integral of the same function of
// time, written here without the scene's expressions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

static const double stop = 0.5;

// p sin(q t + r), or p + q t + r t^2
typedef struct Curve {
    bool wave;
    double p, q, r;
} Curve;

static double curve_at(const Curve *c, double t)
{
    return c->wave ? c->p * sin(c->q * t + c->r) : c->p + c->q * t + c->r * t * t;
}

static const char *const forms[] = {
    "rint(%s)",          "floor(%s)",           "sign(%s)",    "step(%s)",    "abs(%s)",
    "mod(%s, %s)",       "clamp(%s, -0.5, %s)", "min(%s, %s)", "max(%s, %s)", "%s < %s ? 1 : -2",
    "%s >= %s ? 3 : 0.5"};
enum { FORMS = sizeof forms / sizeof forms[0], MODULUS = 5, CLAMP = 6 };

typedef struct Input {
    int form;
    Curve a, b;
} Input;

static double input_at(const Input *in, double t)
{
    const double a = curve_at(&in->a, t), b = curve_at(&in->b, t);
    switch (in->form) {
    case 0:
        return rint(a);
    case 1:
        return floor(a);
    case 2:
        return (a > 0.0) - (a < 0.0);
    case 3:
        return a < 0.0 ? 0.0 : 1.0;
    case 4:
        return fabs(a);
    case MODULUS:
        return a - 0.7 * floor(a / 0.7);
    case CLAMP:
        return fmin(fmax(a, -0.5), 0.8);
    case 7:
        return fmin(a, b);
    case 8:
        return fmax(a, b);
    case 9:
        return a < b ? 1.0 : -2.0;
    default:
        return a >= b ? 3.0 : 0.5;
    }
}

static Curve draw(Random *random)
{
    const bool wave = random_below(random, 2) == 0;
    const double p = random_between(random, -3.0, 3.0), q = random_between(random, 2.0, 12.0);
    return (Curve){wave, p, q, wave ? random_between(random, 0.0, 6.0) : -1.3 * q};
}

static void write_curve(const Curve *c, char *text, size_t size)
{
    snprintf(text, size,
             c->wave ? "(%.17g*sin(%.17g*t + %.17g))" : "(%.17g + %.17g*t + (%.17g)*t^2)", c->p,
             c->q, c->r);
}

// Simpson's rule, halved down to rounding where it does not settle: there is a jump or a kink.
static double integral(const Input *in, double a, double b, int depth)
{
    const double h = b - a, c = 0.5 * (a + b), fa = input_at(in, a), fb = input_at(in, b);
    const double fc = input_at(in, c), fl = input_at(in, a + 0.25 * h),
                 fr = input_at(in, a + 0.75 * h);
    const double one = h / 6.0 * (fa + 4.0 * fc + fb);
    const double two = h / 12.0 * (fa + 4.0 * fl + 2.0 * fc + 4.0 * fr + fb);
    if (depth == 0 || fabs(two - one) < 1e-15) return two;
    return integral(in, a, c, depth - 1) + integral(in, c, b, depth - 1);
}

static double speed_at_end(const Input *in, double v0)
{
    char a[200], b[200], value[500], text[900];
    write_curve(&in->a, a, sizeof a);
    write_curve(&in->b, b, sizeof b);
    snprintf(value, sizeof value, forms[in->form], a,
             in->form == MODULUS ? "0.7"
             : in->form == CLAMP ? "0.8"
                                 : b);
    snprintf(text, sizeof text,
             "stop: %.17g\nmethod: cut\nbodies:\n  m: {kind: point, mass: 1, velocity: "
             "%.17g}\nelements:\n"
             "  push: {kind: force, on: m, value: \"%s\"}\n"
             "  rub: {kind: friction, on: m, model: coulomb, level: 2}\n",
             stop, v0, value);
    StiMessages *messages = sti_messages_create();
    LiveScene live =
        live_scene_open(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages));
    sti_messages_destroy(messages);
    live_scene_go(&live, live.scene->steps);
    const double v = live_scene_value(&live, "m.v");
    live_scene_close(&live);
    return v;
}

static void jumps_and_kinks_of_inputs_cost_no_order(void **unused)
{
    (void)unused;
    enum { PIECES = 400 };
    Random random = {21};
    for (int i = 0; i < (int)steps_or(400, 44); ++i) {
        const Input in = {i % FORMS, draw(&random), draw(&random)};
        double pushed = 0.0;
        for (int k = 0; k < PIECES; ++k)
            pushed += integral(&in, stop * k / PIECES, stop * (k + 1) / PIECES, 40);
        assert_near(speed_at_end(&in, 20.0), 20.0 + pushed - 2.0 * stop, 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jumps_and_kinks_of_inputs_cost_no_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
