// Friction by what a bearing carries: forces across and along the axis and moments across it, each with
// its own radius. A turntable about z, against closed forms.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "unit/scene/scenes.h"

static const double m = 2.0, g = 9.81, c = 0.3, Iz = 0.05, mu = 0.1;

// bearing: its keys; offset: of the centre of mass.
static StiScene *turntable(const char *bearing, double offset, double w0, const char *friction)
{
    char text[900];
    snprintf(text, sizeof text,
             "stop: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "bodies:\n"
             "  table:\n"
             "    kind: robot\n"
             "    links: [{joint: pivot, mass: 2, centre: [%g, 0, 0], inertia: [0.03, 0.03, 0.05], "
             "%s}]\n"
             "    joints: {pivot: {velocity: %g}}\n"
             "elements:\n"
             "  rub: {kind: friction, on: table.pivot, model: coulomb, mu: 0.1%s}\n",
             offset, bearing, w0, friction);
    return good_scene(text);
}

static double speed_after_a_second(const char *bearing, double offset, double w0,
                                   const char *friction)
{
    StiScene *scene = turntable(bearing, offset, w0, friction);
    const double w = channel_after(scene, 1000, "table.pivot.qd");
    sti_scene_destroy(scene);
    return w;
}

static void an_axial_load_rubs_at_its_radius(void **state)
{
    (void)state;
    assert_near(speed_after_a_second("axial_radius: 0.02", 0.0, 1.0, ""),
                1.0 - mu * 0.02 * m * g / Iz, 1e-12);
    assert_near(speed_after_a_second("radial_radius: 0.02", 0.0, 1.0, ""), 1.0, 1e-12);
    assert_near(speed_after_a_second("armature: 0", 0.0, 1.0, ", radius: 0.02"),
                1.0 - mu * 0.02 * m * g / Iz, 1e-12);
}

static void a_moment_rubs_by_its_ratio(void **state)
{
    (void)state;
    const double I = Iz + m * c * c;
    assert_near(speed_after_a_second("moment_ratio: 0.2", c, 1.0, ""),
                1.0 - mu * 0.2 * m * g * c / I, 1e-12);
}

// F = m c sqrt(w^4 + wdot^2), so wdot = -a sqrt(w^4 + wdot^2), w = w0/(1 + b w0 t), b = a/sqrt(1 - a^2).
static void a_radial_load_grows_with_speed(void **state)
{
    (void)state;
    const double I = Iz + m * c * c, a = mu * 0.05 * m * c / I, b = a / sqrt(1.0 - a * a);
    assert_near(speed_after_a_second("radial_radius: 0.05", c, 20.0, ""), 20.0 / (1.0 + b * 20.0),
                1e-9);
}

static void parts_add_up(void **state)
{
    (void)state;
    StiScene *scene =
        turntable("radial_radius: 0.05, axial_radius: 0.02, moment_ratio: 0.4", c, 3.0, "");
    StiChannel load;
    assert_true(sti_network_channel(scene->network,
                                    sti_network_channel_find(scene->network, "table.pivot.load"),
                                    &load));
    assert_string_equal(load.unit, "N m");
    assert_near(parameter(scene, "table.pivot.axial_radius"), 0.02, 0.0);
    const double I = Iz + m * c * c, fixed = 0.02 * m * g + 0.4 * m * g * c;
    const double value = channel_after(scene, 0, "table.pivot.load");
    const double wdot = -mu * value / I;
    assert_near(value, fixed + 0.05 * m * c * sqrt(81.0 + wdot * wdot), 1e-9);
    sti_scene_destroy(scene);
}

// The same disc on a penalty joint that begins with the gap that carries it.
static void a_penalty_joint_has_a_bearing_too(void **state)
{
    (void)state;
    StiScene *scene = good_scene(
        "stop: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  disc: {kind: rigid, mass: 2, inertia: [0.03, 0.03, 0.05], position: [0, 0, -1.962e-5],\n"
        "         angular_velocity: [0, 0, 1]}\n"
        "elements:\n"
        "  pivot: {kind: penalty-joint, on: disc, stiffness: 1e6, damping: 300, axial_radius: "
        "0.02,\n"
        "          radial_radius: 0.03, angular_stiffness: 1000}\n"
        "  rub: {kind: friction, on: pivot, model: coulomb, mu: 0.1}\n");
    assert_near(channel_after(scene, 1000, "disc.wz"), 1.0 - mu * 0.02 * m * g / Iz, 1e-11);
    sti_scene_destroy(scene);
}

static void two_radii_are_one_too_many(void **state)
{
    (void)state;
    assert_message(
        "stop: 1\n"
        "bodies:\n"
        "  table: {kind: robot, chain: {links: 1, length: 1, mass: 1},\n"
        "          joints: {joint0: {axial_radius: 0.1}}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: table.joint0, model: coulomb, mu: 0.1, radius: 1}\n",
        false, 1, 6, 68,
        "rub: the bearing of table.joint0 has radii of its own: leave out 'radius'");
    assert_message(
        "stop: 1\n"
        "bodies:\n"
        "  cart: {kind: robot, links: [{joint: slide, type: prismatic, mass: 1,\n"
        "         axial_radius: 0.1}]}\n",
        false, 1, 4, 10,
        "cart.link0.axial_radius = 0.1: a prismatic joint has no such bearing: it belongs "
        "to revolute joints");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_axial_load_rubs_at_its_radius),
        cmocka_unit_test(a_moment_rubs_by_its_ratio),
        cmocka_unit_test(a_radial_load_grows_with_speed),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_penalty_joint_has_a_bearing_too),
        cmocka_unit_test(two_radii_are_one_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
