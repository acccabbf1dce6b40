// Spheres and wheels that come to roll, and what bounces.
#include <math.h>
#include <stdio.h>

#include "support/random_scene.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static void under_gravity(RandomScene *scene) { draft_head(scene, "gravity: [0, 0, -9.81]\n"); }

// A sphere or an upright wheel is thrown along the floor and comes to roll; or a sphere goes down a slope.
void draft_make_rolling(RandomScene *scene, Random *random)
{
    const int story = random_below(random, 3); // sphere, wheel, slope
    const double m = random_decades(random, 0.1, 5.0), r = random_between(random, 0.05, 0.2);
    const double yaw = random_between(random, -pi, pi), c = cos(yaw), s = sin(yaw), T = scene->stop;
    const double kappa = story == 1 ? 0.5 : 0.4; // I over m r^2
    const double mu = random_between(random, 0.1, 0.5),
                 v = story == 2
                         ? 0.0
                         : random_between(random, 0.3, 0.8) * mu * g * T * (1.0 + 1.0 / kappa);
    const double fall = story == 2 ? random_between(random, 0.1, 0.8) : 0.0;
    const double n[3] = {sin(fall) * c, sin(fall) * s, cos(fall)};
    const char *where = draft_vector(scene, r * n[0], r * n[1], r * n[2]);
    under_gravity(scene);
    if (story == 1) {
        // turned a quarter about x and then by yaw about z: q = (cos, 0, 0, sin)(h, h, 0, 0)
        const double h = sqrt(0.5), w = h * cos(yaw / 2.0), z = h * sin(yaw / 2.0);
        const double mirror = scene->version == SCENE_MIRRORED ? -1.0 : 1.0,
                     wide = random_between(random, 0.02, 0.1);
        const double across = m * (3.0 * r * r + wide * wide) / 12.0;
        draft_body(scene, "ball",
                   "{kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: %s, "
                   "velocity: %s, attitude: [%.17g, %.17g, %.17g, %.17g], shapes: [{kind: "
                   "cylinder, radius: %.17g, length: %.17g}]}",
                   m, across, across, 0.5 * m * r * r, where,
                   draft_vector(scene, v * c, v * s, 0.0), w, w, mirror * z, mirror * z, r, wide);
    } else {
        draft_body(
            scene, "ball",
            "{kind: rigid, mass: %.17g, shape: sphere, radius: %.17g, position: %s, velocity: %s}",
            m, r, where, draft_vector(scene, v * c, v * s, 0.0));
    }
    draft_element(scene, "floor",
                  "{kind: contact, on: %s, mu: %.17g, plane: {point: [0, 0, 0], normal: %s}}",
                  draft_name(scene, "ball"), mu, draft_vector(scene, n[0], n[1], n[2]));
    const int ball = draft_watch_rigid(scene, "ball"), fn = draft_watch_contact(scene, "floor", mu);
    draft_fact(scene, fn, T, m * g * cos(fall), FACT_TENDS);
    if (story == 2) {
        const bool rolls = mu > kappa / (1.0 + kappa) * tan(fall);
        const double a = rolls ? g * sin(fall) / (1.0 + kappa) : g * (sin(fall) - mu * cos(fall));
        draft_fact(scene, ball, T, r * n[0] + 0.5 * a * T * T * cos(fall) * c, FACT_TENDS);
        draft_fact(scene, ball + 1, T, r * n[1] + 0.5 * a * T * T * cos(fall) * s, FACT_TENDS);
        draft_fact(scene, fn + 2, T, rolls ? 1.0 : 0.0, FACT_HOLDS);
        return;
    }
    const double slips = v / (mu * g * (1.0 + 1.0 / kappa)), rolls_at = v / (1.0 + kappa);
    const double way = v * slips - 0.5 * mu * g * slips * slips + rolls_at * (T - slips);
    draft_fact(scene, ball, T, way * c, FACT_TENDS);
    draft_fact(scene, ball + 1, T, way * s, FACT_TENDS);
    draft_fact(scene, ball + 3, T, rolls_at * c, FACT_TENDS);
    draft_fact(scene, ball + 4, T, rolls_at * s, FACT_TENDS);
    draft_fact(scene, fn + 2, T, 1.0, FACT_HOLDS);
}

// Height above the floor of what was let fall from h, after the time t.
static double bounced(double h, double e, double t)
{
    double v = sqrt(2.0 * g * h);
    t -= v / g;
    if (t < 0.0) return h - 0.5 * g * (t + v / g) * (t + v / g);
    for (int i = 0; i < 200; ++i) {
        v *= e;
        if (t <= 2.0 * v / g) return v * t - 0.5 * g * t * t;
        t -= 2.0 * v / g;
    }
    return 0.0;
}

// A point, a sphere or a vertical slider falls and bounces.
void draft_make_bounce(RandomScene *scene, Random *random)
{
    const int story = random_below(random, 3), edge = random_below(random, 4);
    const double h = random_between(random, 0.05, 0.3),
                 r = story == 0 ? 0.0 : random_between(random, 0.02, 0.1);
    const double e = edge < 2 ? edge : random_between(random, 0.0, 1.0),
                 m = random_decades(random, 0.1, 5.0);
    const double T = scene->stop = 0.8;
    char on[40];
    int z;
    under_gravity(scene);
    snprintf(on, sizeof on, "%s%s", draft_name(scene, "ball"), story == 2 ? ".weight" : "");
    if (story == 0)
        draft_body(scene, "ball", "{kind: point, dimensions: 3, mass: %.17g, position: %s}", m,
                   draft_vector(scene, 0.1, 0.0, h));
    else if (story == 1)
        draft_body(scene, "ball",
                   "{kind: rigid, mass: %.17g, shape: sphere, radius: %.17g, position: %s}", m, r,
                   draft_vector(scene, 0.1, 0.0, r + h));
    else
        draft_body(
            scene, "ball",
            "{kind: robot, links: [{name: weight, joint: j, type: prismatic, axis: [0, 0, 1], at: "
            "%s, mass: %.17g, inertia: [1, 1, 1], shapes: [{kind: sphere, radius: %.17g}]}]}",
            draft_vector(scene, 0.1, 0.0, r + h), m, r);
    draft_element(scene, "floor", "{kind: contact, on: %s, mu: 0.3, restitution: %.17g}", on, e);
    z = story == 2 ? draft_watch_joint(scene, "ball", "j")
                   : draft_channel(scene, "ball", "z", ROLE_PLACE, 1.0);
    const double zero = story == 2 ? -h : r;
    draft_watch_contact(scene, "floor", 0.3);
    draft_fact(scene, z, T / 2.0, zero + bounced(h, e, T / 2.0), FACT_TENDS);
    draft_fact(scene, z, T, zero + bounced(h, e, T), FACT_TENDS);
}
