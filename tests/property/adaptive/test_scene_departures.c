// Friction in planes and in space that leaves rest: a point of a body that can turn, tips of arms whose
// joints rub too. The default against error control, and against the rule, which shares nothing with
// either but the laws.
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
static const char exactly[] = "{adaptive: adams, rtol: 1e-11, atol: 1e-13}";

// ---- a body that is pulled at its centre and rubs at a point beside it ---------------------------

static LastValues pulled(const char *method, double step, double stop, const char *force,
                         double level, double level_static)
{
    char text[TEXT];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: %.17g\nmethod: %s\nbodies:\n"
             "  b: {kind: rigid, mass: 1, inertia: [0.02, 0.03, 0.02]}\nelements:\n"
             "  pull: {kind: force, on: b, value: %s}\n"
             "  rub: {kind: friction, on: b, at: [0.2, 0.1, 0.05], model: coulomb, level: %.17g, "
             "static: %.17g}\n",
             step, stop, method, force, level, level_static);
    return last_values(text);
}

// Error of `cut` at two steps, and how often modes changed.
static void departs(const char *force, double level, double level_static, double order, double most)
{
    const double stop = 0.6, fine = 1e-3;
    const LastValues exact = pulled(exactly, 0.06, stop, force, level, level_static);
    const LastValues coarse = pulled("cut", 4.0 * fine, stop, force, level, level_static);
    const LastValues cut = pulled("cut", fine, stop, force, level, level_static);
    const double error = last_values_apart(&cut, &exact);
    assert_true(error <= most);
    if (error > 1e-11) assert_true(log2(last_values_apart(&coarse, &exact) / error) >= 2.0 * order);
    assert_true(cut.changes <= 2);
    // the rule, extrapolated from two steps
    const LastValues one = pulled("rule", 4e-5, stop, force, level, level_static);
    const LastValues two = pulled("rule", 2e-5, stop, force, level, level_static);
    LastValues none = two;
    for (int i = 0; i < none.count; ++i) none.x[i] = 2.0 * two.x[i] - one.x[i];
    if (level_static > level) // it lets go at the end of a step, wherever that is
        assert_true(last_values_apart(&cut, &two) < 2e-4);
    else
        assert_true(last_values_apart(&cut, &none) < 3e-6);
}

static void a_point_of_a_body_that_turns_departs_suddenly(void **unused)
{
    (void)unused;
    departs("[\"4+2*t\", \"3*t\", \"1-t\"]", 2.0, 2.0, 2.7, 3e-9);
}

static void and_gently(void **unused)
{
    (void)unused;
    departs("[\"4*t\", \"3*t*t\", 0]", 0.5, 0.5, 2.7, 1e-10);
    departs("[\"4*t\", \"3*t*t\", \"-2*t\"]", 0.5, 0.5, 2.7, 1e-9);
}

static void and_with_a_static_level(void **unused)
{
    (void)unused;
    departs("[\"4*t\", \"3*t*t\", \"-2*t\"]", 0.5, 0.7, 2.7, 1e-8);
}

// Changes do not multiply as the step gets smaller.
static void a_gentle_departure_is_one_change(void **unused)
{
    (void)unused;
    static const char force[] = "[\"4*t\", \"3*t*t\", 0]";
    const double stop = 0.16; // rest ends at 0.1326 s
    for (double step = 8e-3; step > 2e-4; step *= 0.5)
        assert_true(pulled("cut", step, stop, force, 0.5, 0.5).changes <= 2);
}

// ---- arms from rest, friction in all joints and at the tip ---------------------------------------

typedef struct Arm {
    int links;
    char bodies[TEXT], elements[1000];
} Arm;

static void add_level(char *text, size_t size, Random *random, double low, double high)
{
    const double level = random_between(random, low, high);
    const double most =
        level * (random_below(random, 5) < 2 ? random_between(random, 1.0, 1.6) : 1.0);
    snprintf(text, size, "level: %.4f, static: %.4f", level, most);
}

static Arm random_arm(int seed)
{
    Random random = {(uint64_t)seed + 100};
    Arm arm = {.links = 2 + random_below(&random, 3)};
    const bool planar = random_below(&random, 5) < 2;
    double length = 0.0;
    char joints[300] = "", at[300] = "", level[80], tip[80];
    for (int i = 0; i < arm.links; ++i) {
        const double before = length, m = random_between(&random, 0.3, 2.0);
        length = random_between(&random, 0.2, 0.5);
        double axis[3] = {0.0, 1.0, 0.0};
        for (int d = 0; !planar && d < 3; ++d) axis[d] = random_between(&random, -1.0, 1.0);
        char *end = arm.bodies + strlen(arm.bodies);
        snprintf(end, sizeof arm.bodies - (size_t)(end - arm.bodies),
                 "      - {name: l%d, joint: j%d, at: [%.4f, 0, 0], axis: [%.4f, %.4f, %.4f], "
                 "mass: %.4f, centre: [%.4f, 0, 0], inertia: [%.6f, %.6f, %.6f]}\n",
                 i, i, before, axis[0], axis[1], axis[2], m, 0.5 * length,
                 m * length * length / 50.0, m * length * length / 12.0,
                 m * length * length / 12.0);
        snprintf(joints + strlen(joints), sizeof joints - strlen(joints), "%sarm.j%d",
                 i > 0 ? ", " : "", i);
        snprintf(at + strlen(at), sizeof at - strlen(at), "%sj%d: {position: %.4f}",
                 i > 0 ? ", " : "", i, random_between(&random, -1.0, 1.0));
    }
    add_level(level, sizeof level, &random, 0.1, 4.0);
    add_level(tip, sizeof tip, &random, 0.5, 8.0);
    snprintf(arm.bodies + strlen(arm.bodies), sizeof arm.bodies - strlen(arm.bodies),
             "    joints: {%s}\n", at);
    snprintf(arm.elements, sizeof arm.elements,
             "  rub: {kind: friction, on: [%s], model: coulomb, %s}\n"
             "  tip: {kind: friction, on: arm.l%d, at: [%.4f, 0, 0], model: coulomb, %s}\n",
             joints, level, arm.links - 1, length, tip);
    return arm;
}

static LastValues move_arm(const Arm *arm, const char *method, double step)
{
    char text[2 * TEXT];
    snprintf(
        text, sizeof text,
        "step: %.17g\nstop: 0.3\n%s%s\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n    kind: robot\n"
        "    links:\n%selements:\n%s",
        step, method[0] != '\0' ? "method: " : "", method, arm->bodies, arm->elements);
    return last_values(text);
}

// At rest or not, all methods say the same; the errors of the default are of order 3 or better.
static void arms_whose_joints_and_tip_rub_leave_rest(void **unused)
{
    (void)unused;
    int rest = 0, moving = 0;
    const int arms = (int)steps_or(48, 6);
    for (int seed = 0; seed < arms; ++seed) {
        const Arm arm = random_arm(seed);
        const LastValues cut = move_arm(&arm, "", 1e-3), exact = move_arm(&arm, exactly, 0.03);
        const LastValues rule = move_arm(&arm, "rule", 1e-4);
        double fastest = 0.0;
        for (int i = 0; i < arm.links; ++i) fastest = fmax(fastest, fabs(cut.x[arm.links + i]));
        if (fastest == 0.0) {
            ++rest;
            assert_true(last_values_apart(&cut, &exact) == 0.0);
            assert_true(last_values_apart(&cut, &rule) == 0.0);
        } else {
            ++moving;
            if (last_values_apart(&cut, &exact) > 1e-5 || last_values_apart(&rule, &exact) > 0.1)
                print_error("arm %d: cut %.1e, rule %.1e off\n", seed,
                            last_values_apart(&cut, &exact), last_values_apart(&rule, &exact));
            assert_true(last_values_apart(&cut, &exact) <= 1e-5);
            assert_true(last_values_apart(&rule, &exact) <= 0.1);
        }
    }
    assert_true(steps_or(rest, 5) >= 5 && steps_or(moving, 20) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_of_a_body_that_turns_departs_suddenly),
        cmocka_unit_test(and_gently),
        cmocka_unit_test(and_with_a_static_level),
        cmocka_unit_test(a_gentle_departure_is_one_change),
        cmocka_unit_test(arms_whose_joints_and_tip_rub_leave_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
