// Random arches of wedges on a floor, dry: an arch stands where some line of thrust stays within the wedges and within
// the cones of friction in every joint (statics, two unknowns), and falls where there is none. Both as their own mirror images.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include <math.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/random.h"
#include "support/short.h"

enum { WEDGES = 6, TEXT = 20000, CONDITIONS = 4 * WEDGES };
static const double pi = 3.14159265358979323846, g = 9.81, density = 2000.0, half_width = 0.1;

typedef struct Arch {
    int wedges;
    double radius, thickness, mu; // m, of the middle line; m; 1
} Arch;

typedef struct Wedge {
    double x[4], z[4];   // m, corners
    double cx, cz, mass; // m, m, kg
} Wedge;

static Wedge wedge_of(const Arch *arch, int number)
{
    Wedge w = {.mass = 0.0};
    for (int i = 0; i < 4; ++i) {
        const double angle = pi * (number + (i >= 2)) / arch->wedges;
        const double r = arch->radius + (i == 1 || i == 2 ? 0.5 : -0.5) * arch->thickness;
        w.x[i] = r * cos(angle);
        w.z[i] = r * sin(angle);
    }
    double twice = 0.0;
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        const double cross = w.x[i] * w.z[j] - w.x[j] * w.z[i];
        twice += cross;
        w.cx += (w.x[i] + w.x[j]) * cross;
        w.cz += (w.z[i] + w.z[j]) * cross;
    }
    w.cx /= 3.0 * twice;
    w.cz /= 3.0 * twice;
    w.mass = density * 0.5 * twice * 2.0 * half_width;
    return w;
}

// ---- statics -----------------------------------------------------------------------------------

// h H + m M <= most, where H (N) is the push at the crown and M (N m) H times its height.
typedef struct Condition {
    double h, m, most;
} Condition;

// What the joint at the lower side of a wedge asks for. The part above it, up to the crown, is pushed by H at height M/H and
// carries its weights; the joint presses only between its edges (at radii r0, r1) and within its cone.
static int ask_joint(const Arch *arch, int joint, double slack, Condition *c)
{
    const double a = pi * joint / arch->wedges;
    double weight = 0.0, moment = 0.0; // N; N m about x = 0
    for (int k = joint; 2 * k < arch->wedges; ++k) {
        const Wedge w = wedge_of(arch, k);
        const double share = 2 * k + 1 == arch->wedges ? 0.5 : 1.0; // keystone
        weight += share * w.mass * g;
        moment += share * w.mass * g * w.cx;
    }
    const double mu = slack * arch->mu;
    for (int edge = 0; edge < 2; ++edge) {
        const double side = edge == 0 ? -1.0 : 1.0;
        const double r = arch->radius + side * 0.5 * slack * arch->thickness;
        // Moment of the joint's forces about its edge: M - z H + (moment - x weight); >= 0 inside, <= 0 outside.
        c[edge] = (Condition){-side * r * sin(a), side, side * (r * cos(a) * weight - moment)};
        // |V sin a - H cos a| <= mu (H sin a + V cos a)
        c[2 + edge] =
            (Condition){-side * cos(a) - mu * sin(a), 0.0, weight * (mu * cos(a) - side * sin(a))};
    }
    return 4;
}

static bool holds_all(const Condition *c, int count, double h, double m)
{
    for (int i = 0; i < count; ++i) {
        const double left = c[i].h * h + c[i].m * m;
        if (left - c[i].most > 1e-9 * (fabs(c[i].h * h) + fabs(c[i].m * m) + fabs(c[i].most)))
            return false;
    }
    return true;
}

// Whether any line of thrust exists with thickness and mu times slack. The set of (H, M) is bounded: it is empty or has a corner.
static bool statics_holds(const Arch *arch, double slack)
{
    Condition c[CONDITIONS];
    int count = 0;
    for (int joint = 0; 2 * joint <= arch->wedges; ++joint)
        count += ask_joint(arch, joint, slack, c + count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < i; ++j) {
            const double det = c[i].h * c[j].m - c[j].h * c[i].m;
            if (fabs(det) > 1e-12 &&
                holds_all(c, count, (c[i].most * c[j].m - c[j].most * c[i].m) / det,
                          (c[i].h * c[j].most - c[j].h * c[i].most) / det))
                return true;
        }
    return false;
}

// ---- the scene ---------------------------------------------------------------------------------

static int write_wedge(const Arch *arch, int number, char *text, size_t room)
{
    const Wedge w = wedge_of(arch, number);
    const double long_side = arch->radius * pi / arch->wedges;
    const double about_y =
        w.mass * (arch->thickness * arch->thickness + long_side * long_side) / 12.0;
    const double level = about_y + w.mass * half_width * half_width / 3.0;
    int n = snprintf(
        text, room,
        "  w%02d: {kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: [%.17g, 0, "
        "%.17g], shapes: [{kind: hull, vertices: [",
        number, w.mass, level, about_y, level, w.cx, w.cz);
    for (int i = 0; i < 8; ++i)
        n += snprintf(text + n, room - (size_t)n, "%s[%.17g, %.17g, %.17g]", i == 0 ? "" : ", ",
                      w.x[i / 2] - w.cx, i % 2 == 0 ? half_width : -half_width, w.z[i / 2] - w.cz);
    return n + snprintf(text + n, room - (size_t)n, "]}]}\n");
}

static void write_arch(const Arch *arch, const char *method, char *text, size_t room)
{
    int n = snprintf(text, room, "stop: 0.05\n%sgravity: [0, 0, -9.81]\nbodies:\n", method);
    for (int i = 0; i < arch->wedges; ++i) n += write_wedge(arch, i, text + n, room - (size_t)n);
    n += snprintf(text + n, room - (size_t)n, "elements:\n");
    for (int i = 0; i + 1 < arch->wedges; ++i)
        n += snprintf(text + n, room - (size_t)n,
                      "  j%02d: {kind: contact, between: [w%02d, w%02d], mu: %.17g}\n", i, i, i + 1,
                      arch->mu);
    for (int i = 0; i < 2; ++i)
        n += snprintf(text + n, room - (size_t)n,
                      "  f%d: {kind: contact, on: w%02d, plane: {point: [0, 0, 0], normal: [0, 0, "
                      "1]}, mu: %.17g}\n",
                      i, i * (arch->wedges - 1), arch->mu);
    assert_true((size_t)n < room);
}

static double place(const FollowedScene *run, int wedge, char axis)
{
    char name[16];
    snprintf(name, sizeof name, "w%02d.%c", wedge, axis);
    return followed_value(run, name);
}

typedef struct Outcome {
    double moved, off_mirror; // m, the largest
    long troubled;            // steps without an answer
} Outcome;

static Outcome let_go(const Arch *arch, const char *method)
{
    static char text[TEXT];
    FollowedScene run;
    Outcome outcome = {.moved = 0.0};
    StiMessages *messages = sti_messages_create();
    write_arch(arch, method, text, sizeof text);
    followed_open(&run, sti_scene_read(text, strlen(text), "arch.yaml", NULL, messages), messages);
    for (long k = 0; k < run.scene->steps; ++k) {
        followed_step(&run);
        outcome.troubled += sti_scratch_figures(run.scratch).unsolved;
    }
    for (int i = 0; i < arch->wedges; ++i) {
        const Wedge w = wedge_of(arch, i);
        const double x = place(&run, i, 'x'), z = place(&run, i, 'z');
        const int other = arch->wedges - 1 - i;
        outcome.moved = fmax(outcome.moved, hypot(x - w.cx, z - w.cz));
        outcome.off_mirror = fmax(outcome.off_mirror,
                                  hypot(x + place(&run, other, 'x'), z - place(&run, other, 'z')));
    }
    followed_close(&run);
    return outcome;
}

static void arches_stand_or_fall_as_statics_says(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"method: rule\n", ""};
    Random random = {11};
    int stood = 0, fell = 0;
    for (int i = 0; i < steps_or(8, 4); ++i) {
        const Arch arch = {3 + random_below(&random, WEDGES - 3), random_between(&random, 0.3, 0.6),
                           random_between(&random, 0.03, 0.08), random_between(&random, 0.1, 0.8)};
        const bool stands = statics_holds(&arch, 0.97);
        if (!stands && statics_holds(&arch, 1.03)) continue; // too near to say
        stood += stands;
        fell += !stands;
        for (int m = 0; m < 2; ++m) {
            const Outcome is = let_go(&arch, methods[m]);
            if ((stands ? is.moved > 1e-9 : is.moved < 1e-5) || is.off_mirror > 1e-6 ||
                is.troubled > 0)
                fail_msg("arch %d of %d wedges, R %g, t %g, mu %g %s; under %s moved %g m, off its "
                         "mirror image %g, "
                         "unsolved steps %ld",
                         i, arch.wedges, arch.radius, arch.thickness, arch.mu,
                         stands ? "stands" : "falls", m == 0 ? "rule" : "the default", is.moved,
                         is.off_mirror, is.troubled);
        }
    }
    assert_true(stood > 0 && fell > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arches_stand_or_fall_as_statics_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
