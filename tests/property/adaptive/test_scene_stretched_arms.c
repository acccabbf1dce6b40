// Arms of two links whose tip slides on the floor while they pass their stretched pose: there both signs of friction
// give a positive normal force and the same motion. The default and error control go on, and agree.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/last_values.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

enum { TEXT = 3000 };

// Angles of the links from the vertical, the tip on the floor and moving along it. False: out of reach.
static bool write_arm(Random random, const char *method, char *text)
{
    const double a = random_between(&random, 0.25, 0.5), b = random_between(&random, 0.25, 0.5);
    const double height = random_between(&random, 0.35, 0.75) * (a + b);
    const double side = random_below(&random, 2) == 0 ? 1.0 : -1.0;
    const double elbow = random_between(&random, 0.05, 0.3) * side;
    const double reach = sqrt(a * a + b * b + 2.0 * a * b * cos(elbow));
    if (height >= reach) return false;
    const double q = (random_below(&random, 2) == 0 ? 1.0 : -1.0) * acos(height / reach) -
                     atan2(b * sin(elbow), a + b * cos(elbow));
    const double closing = -random_between(&random, 1.0, 3.0) * side;
    const double rate = -b * sin(q + elbow) * closing / (a * sin(q) + b * sin(q + elbow));
    if (fabs(rate) > 20.0) return false;
    snprintf(text, TEXT,
             "stop: 0.25\nmethod: %s\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n    kind: robot\n    links:\n"
             "      - {name: u, joint: s, at: [0, 0, %.17g], axis: [0, -1, 0], mass: %.17g, "
             "centre: [0, 0, %.17g], inertia: [0.01, 0.01, 0.001]}\n"
             "      - {name: f, joint: e, at: [0, 0, %.17g], axis: [0, -1, 0], mass: %.17g, "
             "centre: [0, 0, %.17g], inertia: [0.01, 0.01, 0.001]}\n"
             "    joints: {s: {position: %.17g, velocity: %.17g}, e: {position: %.17g, velocity: %.17g}}\n"
             "elements:\n  tip: {kind: contact, on: arm.f, at: [0, 0, %.17g], plane: {}, mu: %.17g}\n",
             method, height, random_between(&random, 0.5, 2.0), -0.5 * a, -a,
             random_between(&random, 0.5, 2.0), -0.5 * b, q, rate, elbow, closing, -b,
             random_between(&random, 0.05, 0.4));
    return true;
}

static void arms_pass_their_stretched_pose(void **unused)
{
    (void)unused;
    char text[TEXT];
    int tried = 0;
    for (uint64_t i = 0; i < (uint64_t)steps_or(45, 5); ++i) {
        const Random random = {700 + i};
        if (!write_arm(random, "cut", text)) continue;
        const LastValues cut = last_values(text);
        write_arm(random, "{adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}", text);
        const LastValues exact = last_values(text);
        assert_near(last_values_apart(&cut, &exact), 0.0, 1e-6);
        ++tried;
    }
    assert_true(tried > (int)steps_or(20, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arms_pass_their_stretched_pose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
