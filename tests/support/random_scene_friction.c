// Linkages that hold and turn under their own loads; blocks on springs and belts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

static const double pi = 3.14159265358979323846;

static double mirror(const RandomScene *scene)
{
    return scene->version == SCENE_MIRRORED ? -1.0 : 1.0;
}

// Of a planar linkage: x -> -x, so a direction d becomes pi - d, and angles change sign.
static const char *pair(RandomScene *scene, double x, double y)
{
    char *text = scene->buffers[scene->next_buffer++ % 32];
    snprintf(text, sizeof scene->buffers[0], "[%.17g, %.17g]", mirror(scene) * x, y);
    return text;
}

static double direction(const RandomScene *scene, double angle)
{
    return mirror(scene) > 0.0 ? angle : pi - angle;
}

static void watch_planar(RandomScene *scene, const char *name)
{
    draft_channel(scene, name, "x", ROLE_PLACE, -1.0);
    draft_channel(scene, name, "y", ROLE_PLACE, 1.0);
    draft_channel(scene, name, "angle", ROLE_PLACE, -1.0);
}

static void rub(RandomScene *scene, const char *element, const char *joint, double mu, double sign)
{
    draft_element(scene, element, "{kind: friction, on: %s, model: coulomb, mu: %.17g}",
                  draft_name(scene, joint), mu);
    draft_watch_friction(scene, element, sign, 0.0);
}

// A wedge under a follower that carries a load, well below or beyond the slope at which it holds.
void draft_make_wedge(RandomScene *scene, Random *random)
{
    const double mu = random_between(random, 0.05, 0.3), phi = atan(mu);
    const bool holds = random_below(random, 2) == 0;
    const double slope =
        phi * (holds ? random_between(random, 0.3, 1.8) : random_between(random, 2.6, 4.0));
    const double load = random_decades(random, 200.0, 2000.0), T = scene->stop = 0.2;
    const double m1 = random_between(random, 1.0, 5.0), m2 = random_between(random, 1.0, 5.0);
    draft_head(scene, "gravity: [0, -9.81, 0]\n");
    draft_body(
        scene, "jack",
        "{kind: linkage, bodies: {%s: {mass: %.17g, inertia: 0.01}, %s: {mass: %.17g, inertia: "
        "0.01, position: [0, 0.1]}}, "
        "joints: {%s: {type: prismatic, on: %s, length: 0.4, direction: %.17g}, "
        "%s: {type: prismatic, on: %s, anchor: [0, 0.1], direction: %.17g, length: 0.4}, "
        "%s: {type: slot, between: [%s, %s], at: [[0, -0.05], [0, 0.05]], direction: %.17g}}}",
        draft_name(scene, "wedge"), m1, draft_name(scene, "load"), m2, draft_name(scene, "base"),
        draft_name(scene, "wedge"), direction(scene, 0.0), draft_name(scene, "column"),
        draft_name(scene, "load"), direction(scene, pi / 2.0), draft_name(scene, "face"),
        draft_name(scene, "load"), draft_name(scene, "wedge"), direction(scene, slope));
    draft_element(scene, "push", "{kind: force, on: %s, value: [0, %.17g, 0]}",
                  draft_name(scene, "load"), -load);
    const int wedge = scene->channel_count;
    watch_planar(scene, "wedge");
    watch_planar(scene, "load");
    rub(scene, "rub0", "base", mu, 1.0);
    rub(scene, "rub1", "column", mu, 1.0);
    rub(scene, "rub2", "face", mu, 1.0);
    if (!holds) return;
    draft_fact(scene, wedge, T, 0.0, FACT_HOLDS);
    draft_fact(scene, wedge + 4, T, 0.1, FACT_HOLDS);
    for (int i = 0; i < 3; ++i) draft_fact(scene, wedge + 7 + 2 * i, T, 1.0, FACT_HOLDS);
}

// A rod of a linkage between two points of the start.
static void add_rod(RandomScene *scene, char *text, size_t size, const char *name, double mass,
                    const double a[2], const double b[2])
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    snprintf(text + strlen(text), size - strlen(text),
             "%s%s: {mass: %.17g, inertia: %.17g, position: %s, angle: %.17g}",
             text[0] != '\0' ? ", " : "", draft_name(scene, name), mass,
             mass * length * length / 12.0, pair(scene, (a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0),
             mirror(scene) * atan2(dy, dx));
}

// A four-bar whose crank is driven to and fro, with friction by each pin's own load.
void draft_make_loop(RandomScene *scene, Random *random)
{
    const double crank = random_between(random, 0.08, 0.12),
                 coupler = random_between(random, 0.3, 0.45);
    const double rocker = random_between(random, 0.2, 0.3),
                 base = random_between(random, 0.35, 0.4);
    const double angle = random_between(random, -pi, pi), mu = random_decades(random, 0.02, 0.6);
    const double A[2] = {0.0, 0.0}, B[2] = {crank * cos(angle), crank * sin(angle)},
                 D[2] = {base, 0.0};
    // C: coupler away from B, rocker away from D, above the line between them
    const double dx = D[0] - B[0], dy = D[1] - B[1], far = hypot(dx, dy);
    const double along = (far * far + coupler * coupler - rocker * rocker) / (2.0 * far);
    const double rise = sqrt(fmax(coupler * coupler - along * along, 1e-4));
    const double C[2] = {B[0] + (along * dx - rise * dy) / far,
                         B[1] + (along * dy + rise * dx) / far};
    char rods[SCENE_LINE / 2] = "";
    const double r = 0.01;
    add_rod(scene, rods, sizeof rods, "crank", random_between(random, 0.3, 1.0), A, B);
    add_rod(scene, rods, sizeof rods, "link", random_between(random, 0.3, 1.0), B, C);
    add_rod(scene, rods, sizeof rods, "rocker", random_between(random, 0.3, 1.0), D, C);
    draft_head(scene, "gravity: [0, -9.81, 0]\n");
    draft_body(
        scene, "frame",
        "{kind: linkage, bodies: {%s}, joints: {%s: {type: revolute, on: %s, at: %s, radius: %g}, "
        "%s: {type: revolute, between: [%s, %s], at: [%s, %s], radius: %g}, "
        "%s: {type: revolute, between: [%s, %s], at: [%s, %s], radius: %g}, "
        "%s: {type: revolute, on: %s, at: %s, anchor: %s, radius: %g}}}",
        rods, draft_name(scene, "a0"), draft_name(scene, "crank"), pair(scene, -crank / 2.0, 0.0),
        r, draft_name(scene, "b0"), draft_name(scene, "link"), draft_name(scene, "crank"),
        pair(scene, -coupler / 2.0, 0.0), pair(scene, crank / 2.0, 0.0), r, draft_name(scene, "c0"),
        draft_name(scene, "rocker"), draft_name(scene, "link"), pair(scene, rocker / 2.0, 0.0),
        pair(scene, coupler / 2.0, 0.0), r, draft_name(scene, "d0"), draft_name(scene, "rocker"),
        pair(scene, -rocker / 2.0, 0.0), pair(scene, base, 0.0), r);
    watch_planar(scene, "crank");
    watch_planar(scene, "rocker");
    const double torque = mirror(scene) * random_between(random, 0.5, 3.0),
                 rate = random_between(random, 5.0, 25.0);
    draft_element(scene, "turn", "{kind: force, on: %s, value: \"%.17g*sin(%.17g*t)\"}",
                  draft_name(scene, "a0"), torque, rate);
    draft_element(scene, "work", "{kind: spring-damper, on: %s, damping: %.17g}",
                  draft_name(scene, "d0"), random_between(random, 0.05, 0.5));
    rub(scene, "rub0", "a0", mu, -1.0);
    rub(scene, "rub1", "b0", mu, -1.0);
    rub(scene, "rub2", "c0", mu, -1.0);
    rub(scene, "rub3", "d0", mu, -1.0);
}

// A law of friction that can stick. Levels that differ by direction change places in the mirror.
static void write_law(RandomScene *scene, Random *random, char *text, size_t size, int law,
                      double level)
{
    const double more = random_between(random, 1.05, 1.5), v = random_decades(random, 0.01, 0.2);
    const double other = level * more, plus = mirror(scene) > 0.0 ? level : other;
    switch (law) {
    case 0:
        snprintf(text, size, "model: coulomb, level: %.17g", level);
        break;
    case 1:
        snprintf(text, size, "model: coulomb, level: %.17g, static: %.17g", level, other);
        break;
    case 2:
        snprintf(text, size, "model: coulomb, level: %.17g, static: %.17g, stribeck_speed: %.17g",
                 level, other, v);
        break;
    case 3:
        snprintf(text, size, "model: coulomb, level: %.17g, viscous: %.17g", level, 0.5 * level);
        break;
    case 4:
        snprintf(text, size, "model: coulomb, level: %.17g, level_backward: %.17g", plus,
                 level + other - plus);
        break;
    case 5:
        snprintf(text, size, "model: coulomb, table: [[0, %.17g], [%.17g, %.17g], [2, %.17g]]",
                 other, v, level, 1.2 * level);
        break;
    case 6:
        snprintf(text, size, "model: coulomb, mu: 0.5, load: \"%.17g*(1 + 0.2*sin(9*t))\"",
                 2.0 * level);
        break;
    case 7:
        snprintf(text, size, "model: elastic-coulomb, level: %.17g, stiffness: 2e4, damping: 20",
                 level);
        break;
    default:
        snprintf(text, size,
                 "model: elastic-coulomb, level: %.17g, static: %.17g, stribeck_speed: %.17g, "
                 "stiffness: 2e4, damping: 20",
                 level, other, v);
        break;
    }
}
enum { LAWS = 9 };

// A block on a spring is carried along by a belt until it slips.
void draft_make_belt(RandomScene *scene, Random *random)
{
    const double m = random_decades(random, 0.3, 3.0), k = random_decades(random, 30.0, 300.0);
    const double level = random_between(random, 2.0, 8.0),
                 speed = random_decades(random, 0.05, 0.5);
    const bool given = random_below(random, 2) == 0;
    char law[300], v[60] = "";
    scene->stop = 0.6;
    const int number =
        1 + random_below(random, 2); // falls from static to sliding, at once or by Stribeck
    write_law(scene, random, law, sizeof law, number, level);
    if (given) snprintf(v, sizeof v, ", v: %s", draft_along_x(scene, speed));
    draft_body(scene, "belt", "{kind: motion, x: \"%s*t\"%s}", draft_along_x(scene, speed), v);
    draft_body(scene, "block", "{kind: point, mass: %.17g, velocity: %s}", m,
               draft_along_x(scene, speed));
    draft_element(scene, "anchor",
                  "{kind: spring-damper, on: %s, stiffness: %.17g, damping: %.17g}",
                  draft_name(scene, "block"), k, random_between(random, 0.0, 0.5));
    draft_element(scene, "sole", "{kind: friction, between: [%s, %s], %s}",
                  draft_name(scene, "block"), draft_name(scene, "belt"), law);
    const int x = draft_channel(scene, "block", "x", ROLE_PLACE, -1.0);
    draft_channel(scene, "block", "v", ROLE_SPEED, -1.0);
    const int f = draft_watch_friction(scene, "sole", -1.0, 0.0);
    if (k * speed * 0.3 + 0.5 * speed > 0.98 * level) return; // slips before the middle
    draft_fact(scene, x, 0.3, 0.3 * speed, FACT_TENDS);
    draft_fact(scene, f + 1, 0.3, 1.0, FACT_HOLDS);
}

// Where a block that was let go at x on a spring, against a constant friction, comes to rest; the time it takes.
static double decayed(double x, double k, double m, double level, double *time)
{
    *time = 0.0;
    while (fabs(x) * k > level) {
        x = -x + copysign(2.0 * level / k, x);
        *time += pi * sqrt(m / k);
    }
    return x;
}

// A block on a spring in one or two dimensions, let go, thrown or shaken, under every law that sticks.
void draft_make_spring(RandomScene *scene, Random *random)
{
    const int law = random_below(random, LAWS), story = random_below(random, 3);
    const bool plane = law != 4 && random_below(random, 3) == 0;
    const double m = random_decades(random, 0.3, 3.0), k = random_decades(random, 50.0, 500.0);
    const double level = random_between(random, 1.0, 5.0),
                 x0 = random_between(random, 1.5, 8.0) * level / k;
    const double v0 = story == 1 ? random_between(random, 0.3, 2.0) : 0.0;
    char text[300], place[100], speed[100];
    scene->stop = 0.6;
    write_law(scene, random, text, sizeof text, law, level);
    snprintf(place, sizeof place, plane ? "[%s, %.17g]" : "%s", draft_along_x(scene, x0), 0.4 * x0);
    snprintf(speed, sizeof speed, plane ? "[%s, %.17g]" : "%s", draft_along_x(scene, -v0),
             0.7 * v0);
    draft_body(scene, "block",
               "{kind: point, dimensions: %d, mass: %.17g, position: %s, velocity: %s}",
               plane ? 2 : 1, m, place, speed);
    draft_element(scene, "anchor", "{kind: spring-damper, on: %s, stiffness: %.17g}",
                  draft_name(scene, "block"), k);
    draft_element(scene, "sole", "{kind: friction, on: %s, %s}", draft_name(scene, "block"), text);
    const int x = draft_channel(scene, "block", "x", ROLE_PLACE, -1.0);
    if (plane) draft_channel(scene, "block", "y", ROLE_PLACE, 1.0);
    if (plane) {
        draft_channel(scene, "sole", "force", ROLE_FORCE, 1.0);
        draft_channel(scene, "sole", "stick", ROLE_STICK, 1.0);
    } else {
        draft_watch_friction(scene, "sole", -1.0, 0.0);
    }
    if (story == 2) {
        const double push = random_between(random, 1.0, 3.0) * level * mirror(scene),
                     w = random_between(random, 5.0, 30.0);
        char value[120];
        snprintf(value, sizeof value,
                 plane ? "[\"%.17g*sin(%.17g*t)\", 0]" : "\"%.17g*sin(%.17g*t)\"", push, w);
        draft_element(scene, "shake", "{kind: force, on: %s, value: %s}",
                      draft_name(scene, "block"), value);
    }
    double time;
    const double end = decayed(x0, k, m, level, &time);
    if (law == 0 && story == 0 && !plane && time < 0.95 * scene->stop)
        draft_fact(scene, x, scene->stop, end, FACT_TENDS);
}
