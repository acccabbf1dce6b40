// Elements that are implicit in substeps (elastic and planar friction, joint limits, steep dampers and springs)
// beside hard contacts: `cut` against error control, and against the rule with small steps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/last_values.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

enum { TEXT = 4000, MOST_RUNS = 100 };
static const char exactly[] = "{adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}";

typedef struct Draft {
    char bodies[TEXT / 2], elements[TEXT / 2];
    double stop;
} Draft;

static const char *scene_of(const Draft *draft, const char *method, double T)
{
    static char text[TEXT + 200];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\ngravity: [0, 0, -9.81]\nmethod: %s\nbodies:\n%selements:\n%s", T,
             draft->stop, method, draft->bodies, draft->elements);
    return text;
}

// ---- an arm whose tip falls on the ground --------------------------------------------------------------

static Draft random_arm(Random *random)
{
    Draft draft = {.stop = 0.25}; // before it folds and its tip jams, where motion is not unique
    const double wrist = random_decades(random, 0.02, 0.3);
    snprintf(draft.bodies, sizeof draft.bodies,
             "  arm:\n    kind: robot\n    links:\n"
             "      - {name: upper, joint: shoulder, axis: [0, 1, 0], mass: 1, centre: [0.15, 0, 0], "
             "inertia: [0.001, 0.008, 0.008]}\n"
             "      - {name: fore, joint: elbow, at: [0.3, 0, 0], axis: [0, 1, 0], mass: 0.5, centre: "
             "[0.1, 0, 0], inertia: [0.001, 0.003, 0.003]}\n"
             "      - {name: hand, joint: wrist, at: [0.2, 0, 0], axis: [0, 1, 0], mass: %.17g, centre: "
             "[0.03, 0, 0], inertia: [1e-3, %.17g, 1e-3]}\n",
             wrist, 1e-3 * wrist);
    static const char *const joints[] = {"arm.shoulder", "arm.elbow", "arm.wrist"};
    const char *joint = joints[random_below(random, 3)];
    char extra[400];
    switch (random_below(random, 4)) {
    case 0:
        snprintf(extra, sizeof extra,
                 "  more: {kind: friction, on: %s, model: coulomb, level: 0, viscous: %.17g}\n", joint,
                 random_decades(random, 0.01, 1.0));
        break;
    case 1:
        snprintf(extra, sizeof extra,
                 "  more: {kind: joint-limit, on: %s, lower: %.17g, upper: %.17g, stiffness: %.17g, "
                 "damping: %.17g}\n",
                 joint, -random_between(random, 0.05, 0.2), random_between(random, 0.05, 0.2),
                 random_decades(random, 10.0, 1e4), random_decades(random, 0.1, 1.0));
        break;
    case 2:
        snprintf(extra, sizeof extra,
                 "  more: {kind: friction, on: %s, model: elastic-coulomb, level: %.17g, stiffness: "
                 "%.17g, damping: %.17g}\n",
                 joint, random_decades(random, 0.01, 0.5), random_decades(random, 1e2, 1e5),
                 random_decades(random, 0.1, 10.0));
        break;
    default:
        snprintf(extra, sizeof extra,
                 "  more: {kind: spring-damper, on: %s, stiffness: %.17g, damping: %.17g}\n", joint,
                 random_decades(random, 1.0, 100.0), random_decades(random, 1e-3, 1.0));
    }
    snprintf(draft.elements, sizeof draft.elements,
             "  ground: {kind: contact, on: arm.fore, at: [0.2, 0, 0], against: {plane: {point: [0, 0, "
             "%.17g]}}, mu: %.17g, restitution: %.17g}\n%s",
             -random_between(random, 0.05, 0.2), random_between(random, 0.05, 0.5),
             random_between(random, 0.0, 0.3), extra);
    return draft;
}

// ---- a box that slides on the ground --------------------------------------------------------------------

static Draft random_box(Random *random)
{
    Draft draft = {.stop = 0.4};
    snprintf(draft.bodies, sizeof draft.bodies,
             "  b: {kind: rigid, mass: 1, shape: box, size: [0.2, 0.2, 0.1], position: [0, 0, 0.05], "
             "velocity: [%.17g, %.17g, 0], angular_velocity: [0, 0, %.17g]}\n",
             random_between(random, -1.0, 1.0), random_between(random, -1.0, 1.0),
             random_between(random, -2.0, 2.0));
    char extra[400];
    const bool elastic = random_below(random, 2) == 0;
    snprintf(extra, sizeof extra,
             "  more: {kind: friction, on: b, at: [%.17g, %.17g, 0.05], model: %s, level: %.17g%s}\n",
             random_between(random, -0.1, 0.1), random_between(random, -0.1, 0.1),
             elastic ? "elastic-coulomb" : "coulomb", random_between(random, 0.1, 1.0),
             elastic ? ", stiffness: 1e4, damping: 20" : "");
    snprintf(draft.elements, sizeof draft.elements,
             "  ground: {kind: contact, on: b, shape: {kind: box, size: [0.2, 0.2, 0.1]}, against: "
             "{plane: {}}, mu: %.17g}\n%s",
             random_between(random, 0.1, 0.5), extra);
    return draft;
}

// ---- judged -----------------------------------------------------------------------------------------------

static double positions_apart(const LastValues *a, const LastValues *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(a->x[i] - b->x[i]));
    return most;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void agree(Draft (*make)(Random *random), int seed, int positions, double median,
                  double most)
{
    Random random = {(uint64_t)seed};
    const long runs = steps_or(24, 4);
    double apart[MOST_RUNS];
    for (long r = 0; r < runs; ++r) {
        const Draft draft = make(&random);
        const LastValues exact = last_values(scene_of(&draft, exactly, 1e-2));
        const LastValues cut = last_values(scene_of(&draft, "cut", 1e-3));
        apart[r] = positions_apart(&cut, &exact, positions);
        if (!(apart[r] <= most)) fail_msg("%g apart:\n%s", apart[r], scene_of(&draft, "cut", 1e-3));
        if (r >= 2) continue;
        const LastValues rule = last_values(scene_of(&draft, "rule", 1e-5));
        assert_true(positions_apart(&rule, &exact, positions) <= 2e-3);
    }
    qsort(apart, (size_t)runs, sizeof *apart, rising);
    const bool few = runs < 20; // of a short run: they have no median to speak of
    if (!few && !(apart[runs / 2] <= median)) fail_msg("median %g", apart[runs / 2]);
}

static void arms_agree_with_error_control(void **unused)
{
    (void)unused;
    agree(random_arm, 31, 3, 1e-6, 1e-3);
}

static void boxes_agree_with_error_control(void **unused)
{
    (void)unused;
    agree(random_box, 32, 7, 1e-7, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_agree_with_error_control),
        cmocka_unit_test(boxes_agree_with_error_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
