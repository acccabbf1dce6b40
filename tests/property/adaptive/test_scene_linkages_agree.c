// Linkages whose friction follows their loads, up to self-locking: cut steps and events agree, and the
// rule comes nearer to them with its step.
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
#include "support/short.h"

static const char events[] = "method={adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}";

// The knee of a press is pushed to and fro; all its joints hold one freedom.
static const char press[] =
    "step: 1e-3\n"
    "stop: 1\n"
    "parameters: {mu: 0.9, P: 400, w: 10, lean: 0.25}\n"
    "bodies:\n"
    "  press:\n"
    "    kind: linkage\n"
    "    bodies:\n"
    "      upper: {mass: 1, inertia: 0.0033, position: [0.015, -0.1], angle: \"-pi/2 + lean\"}\n"
    "      lower: {mass: 1, inertia: 0.0033, position: [0.015, -0.3], angle: \"-pi/2 - lean\"}\n"
    "      ram: {mass: 2, inertia: 0.01, position: [0, -0.4], angle: \"-pi/2\"}\n"
    "    joints:\n"
    "      frame: {type: revolute, on: upper, at: [-0.1, 0], radius: 0.01}\n"
    "      knee: {type: revolute, between: [lower, upper], at: [[-0.1, 0], [0.1, 0]], radius: "
    "0.01}\n"
    "      foot: {type: revolute, between: [ram, lower], at: [[0, 0], [0.1, 0]], radius: 0.01}\n"
    "      guide: {type: prismatic, on: ram, direction: \"-pi/2\", length: 0.2}\n"
    "elements:\n"
    "  push: {kind: force, on: upper, at: [0.1, 0, 0], value: [\"-P*sin(w*t)\", 0, 0]}\n"
    "  work: {kind: spring-damper, on: guide, stiffness: 1e4, damping: 2000, rest: "
    "\"0.4*cos(lean)\"}\n"
    "  brake: {kind: spring-damper, on: knee, damping: 1}\n"
    "  friction: {kind: friction, on: [frame, knee, foot, guide], model: coulomb, mu: mu}\n";

// A crank under a torque that comes and goes, in gravity.
static const char crank[] =
    "step: 1e-3\n"
    "stop: 1\n"
    "parameters: {mu: 0.9, torque: 15, w: 5, k: 500, a: 1.2, b: \"-asin(sin(a)/3)\"}\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  engine:\n"
    "    kind: linkage\n"
    "    bodies:\n"
    "      crank: {mass: 1, inertia: 0.0033, position: [0.1*cos(a), 0.1*sin(a)], angle: a}\n"
    "      rod: {mass: 0.8, inertia: 0.024, position: [0.2*cos(a) + 0.3*cos(b), 0.1*sin(a)], "
    "angle: b}\n"
    "      piston: {mass: 2, inertia: 0.02, position: [0.2*cos(a) + 0.6*cos(b), 0]}\n"
    "    joints:\n"
    "      main: {type: revolute, on: crank, at: [-0.1, 0], radius: 0.02}\n"
    "      crank_pin: {type: revolute, between: [rod, crank], at: [[-0.3, 0], [0.1, 0]], radius: "
    "0.02}\n"
    "      wrist: {type: revolute, between: [piston, rod], at: [[0, 0], [0.3, 0]], radius: 0.01}\n"
    "      guide: {type: prismatic, on: piston, length: 0.1}\n"
    "elements:\n"
    "  push: {kind: force, on: main, value: \"torque*sin(w*t)\"}\n"
    "  work: {kind: spring-damper, on: guide, stiffness: k, damping: 20, rest: 0.2*cos(a) + "
    "0.6*cos(b)}\n"
    "  friction: {kind: friction, on: [main, crank_pin, wrist, guide], model: coulomb, mu: mu}\n";

enum { ROWS = 1000 };

// The angle of a body in each row; steps: of the method, within a row of 1 ms.
static void follow(const char *text, const char *method, const char *mu, const char *angle,
                   int steps, int rows, double *angles)
{
    char step[32];
    snprintf(step, sizeof step, "step=%.17g", 1e-3 / steps);
    const char *const sets[] = {method, mu, step};
    const StiSceneOptions options = {.sets = sets, .set_count = 3};
    StiMessages *messages = sti_messages_create();
    FollowedScene run;
    followed_open(&run, sti_scene_read(text, strlen(text), "linkage.yaml", &options, messages),
                  messages);
    for (int k = 0; k < rows; ++k) {
        for (int i = 0; i < steps; ++i) followed_step(&run);
        angles[k] = followed_value(&run, angle);
    }
    followed_close(&run);
}

static double furthest(int rows, const double *a, const double *b)
{
    double most = 0.0;
    for (int k = 0; k < rows; ++k) most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

static void compare(const char *text, const char *mu, const char *angle)
{
    static double exact[ROWS], cut[ROWS], rule[ROWS], fine[ROWS];
    const int rows = (int)steps_or(ROWS, 150);
    follow(text, events, mu, angle, 1, rows, exact);
    follow(text, "method=cut", mu, angle, 1, rows, cut);
    follow(text, "method=rule", mu, angle, 1, rows, rule);
    follow(text, "method=rule", mu, angle, 5, rows, fine);
    assert_true(furthest(rows, cut, exact) < 5e-6);
    assert_true(furthest(rows, fine, exact) < 0.25 * furthest(rows, rule, exact));
    assert_true(furthest(rows, cut, exact) < 0.01 * furthest(rows, rule, exact));
}

static void presses(void **state)
{
    (void)state;
    compare(press, "mu=0.1", "upper.angle");
    compare(press, "mu=0.9", "upper.angle");
}

static void cranks(void **state)
{
    (void)state;
    compare(crank, "mu=0.1", "crank.angle");
    compare(crank, "mu=0.9", "crank.angle");
}

// The rod hardly turns where the crank stands upright: its pin holds nothing there, but its friction moves
// the loads of the others. What sticks is shared out all the same, without a thousand iterations.
static double leave_the_middle(const char *mu, int steps)
{
    const char *const sets[] = {"method=cut", mu, "a=1.571",
                                steps == 1 ? "step=1e-3" : "step=2.5e-4"};
    const StiSceneOptions options = {.sets = sets, .set_count = 4};
    StiMessages *messages = sti_messages_create();
    FollowedScene run;
    followed_open(&run, sti_scene_read(crank, strlen(crank), "crank.yaml", &options, messages),
                  messages);
    int slow = 0;
    for (int k = 0; k < 200 * steps; ++k) {
        followed_step(&run);
        slow += sti_scratch_figures(run.scratch).load_iterations > 300;
    }
    assert_true(slow <= 2); // where only some stick
    const double angle = followed_value(&run, "crank.angle");
    followed_close(&run);
    return angle;
}

static void a_crank_leaves_the_middle(void **state)
{
    (void)state;
    assert_near(leave_the_middle("mu=0.1", 1), leave_the_middle("mu=0.1", 4), 2e-5);
    assert_near(leave_the_middle("mu=0.4", 1), leave_the_middle("mu=0.4", 4), 2e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(presses), cmocka_unit_test(cranks),
                                       cmocka_unit_test(a_crank_leaves_the_middle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
