// Bodies on the ground: feet, wheels, stacks, boxes that are pushed.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

static const double g = 9.81, pi = 3.14159265358979323846;

static void under_gravity(RandomScene *scene) { draft_head(scene, "gravity: [0, 0, -9.81]\n"); }

static void stays(RandomScene *scene, int body)
{
    for (int i = 3; i < 9; ++i) draft_fact(scene, body + i, scene->stop, 0.0, FACT_HOLDS);
}

// Forces at places (x, y) that carry a load whose moments about the middle are mx (sum of f x) and
// my, of least norm: they are affine in the place. false: some would pull.
static bool affine_loads(int count, double (*places)[2], double load, double mx, double my,
                         double *loads)
{
    double a[3][4] = {{0}};
    for (int i = 0; i < count; ++i) {
        const double row[3] = {1.0, places[i][0], places[i][1]};
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) a[j][k] += row[j] * row[k];
    }
    a[0][3] = load, a[1][3] = mx, a[2][3] = my;
    for (int p = 0; p < 3; ++p) // positive definite: no pivoting
        for (int j = 0; j < 3; ++j) {
            const double share = a[j][p] / a[p][p];
            for (int k = p; k < 4 && j != p; ++k) a[j][k] -= share * a[p][k];
        }
    bool push = true;
    for (int i = 0; i < count; ++i) {
        loads[i] =
            a[0][3] / a[0][0] + a[1][3] / a[1][1] * places[i][0] + a[2][3] / a[2][2] * places[i][1];
        push = push && loads[i] > 0.02 * load / count;
    }
    return push;
}

// A table on 3 to 6 spheres, pushed at the level of the floor below or above its limit.
void draft_make_feet(RandomScene *scene, Random *random)
{
    const int legs = 3 + random_below(random, 4);
    const double m = random_decades(random, 1.0, 20.0), h = random_between(random, 0.05, 0.15),
                 r = 0.02;
    const double mu = random_between(random, 0.2, 0.8), along = random_between(random, -pi, pi);
    const bool above = random_below(random, 2) == 0;
    const double share =
        above ? random_between(random, 1.05, 1.6) : random_between(random, 0.0, 0.95);
    const double d[2] = {cos(along), sin(along)}, F = share * mu * m * g;
    double places[6][2], loads[6];
    under_gravity(scene);
    draft_body(scene, "table",
               "{kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: %s}", m,
               0.02 * m, 0.03 * m, 0.04 * m, draft_vector(scene, 0.0, 0.0, h));
    const int table = draft_watch_rigid(scene, "table");
    int first = 0;
    for (int i = 0; i < legs; ++i) {
        char leg[8];
        const double angle = (i + random_between(random, -0.25, 0.25)) * 2.0 * pi / legs;
        const double way = random_between(random, 0.2, 0.4);
        places[i][0] = way * cos(angle), places[i][1] = way * sin(angle);
        snprintf(leg, sizeof leg, "leg%d", i);
        draft_element(
            scene, leg,
            "{kind: contact, on: %s, shape: {kind: sphere, radius: %.17g, at: %s}, mu: %.17g}",
            draft_name(scene, "table"), r, draft_vector(scene, places[i][0], places[i][1], r - h),
            mu);
        const int fn = draft_watch_contact(scene, leg, mu);
        if (i == 0) first = fn;
    }
    draft_element(scene, "push", "{kind: force, on: %s, at: %s, value: %s}",
                  draft_name(scene, "table"), draft_vector(scene, 0.0, 0.0, -h),
                  draft_vector(scene, F * d[0], F * d[1], 0.0));
    const double a = above ? F / m - mu * g : 0.0, T = scene->stop;
    for (int i = 0; i < 2; ++i)
        draft_fact(scene, table + i, T, 0.5 * a * T * T * d[i], above ? FACT_TENDS : FACT_HOLDS);
    draft_fact(scene, table + 8, T, 0.0, FACT_HOLDS);
    if (!above) stays(scene, table);
    // near the limit a foot with little load may not take its share of the push
    const bool unique = above || share < 0.25;
    if (affine_loads(legs, places, m * g, -h * m * a * d[0], -h * m * a * d[1], loads) && unique)
        for (int i = 0; i < legs; ++i) draft_fact(scene, first + 3 * i, T, loads[i], FACT_HOLDS);
}

static void add_wheel(char *links, size_t size, RandomScene *scene, int i, double x, double y,
                      double z, double m, double r, double wide)
{
    const double I = 0.5 * m * r * r;
    char shape[300];
    if (wide > 0.0)
        snprintf(shape, sizeof shape,
                 "[{kind: cylinder, radius: %.17g, length: %.17g, attitude: %s}]", r, wide,
                 draft_attitude(scene, pi / 2.0, 0.0, 0.0));
    else
        snprintf(shape, sizeof shape, "[{kind: sphere, radius: %.17g}]", r);
    snprintf(links + strlen(links), size - strlen(links),
             ", {name: wheel%d, joint: axle%d, parent: body, type: revolute, axis: %s, at: %s, "
             "mass: %.17g, "
             "inertia: [%.17g, %.17g, %.17g], shapes: %s}",
             i, i, draft_axial(scene, 0.0, 1.0, 0.0), draft_vector(scene, x, y, z), m, I, I, I,
             shape);
}

// Four wheels, the rear ones driven; the axles are parallel to y, so the cart goes along x and is its
// own mirror image in y.
void draft_make_cart(RandomScene *scene, Random *random)
{
    const double M = random_decades(random, 3.0, 20.0), m = random_between(random, 0.2, 1.0);
    const double r = random_between(random, 0.08, 0.12), lx = random_between(random, 0.25, 0.4);
    const double ly = random_between(random, 0.15, 0.3), mu = random_between(random, 0.4, 0.9);
    const double wide = random_below(random, 2) == 0 ? 0.0 : random_between(random, 0.02, 0.05);
    const double I = 0.5 * m * r * r, all = M + 4.0 * m, rise = random_between(random, 0.0, 0.05);
    const double pull = random_between(random, 0.1, 0.6) * mu * all * g / 4.0; // of a rear wheel
    const double a = 2.0 * pull / (all + 2.0 * I / (r * r)), torque = r * pull + I * a / r,
                 T = scene->stop;
    char links[SCENE_LINE] = "";
    under_gravity(scene);
    snprintf(links, sizeof links,
             "{name: body, joint: base, type: floating, at: %s, mass: %.17g, inertia: [%.17g, "
             "%.17g, %.17g]}",
             draft_vector(scene, 0.0, 0.0, r + rise), M, 0.02 * M, 0.04 * M, 0.05 * M);
    for (int i = 0; i < 4; ++i)
        add_wheel(links, sizeof links, scene, i, i < 2 ? lx : -lx, i % 2 == 0 ? ly : -ly, -rise, m,
                  r, wide);
    draft_body(scene, "cart", "{kind: robot, links: [%s]}", links);
    const int x = draft_channel(scene, "cart", "base.x", ROLE_PLACE, -1.0);
    const int y = draft_channel(scene, "cart", "base.y", ROLE_PLACE, 1.0);
    const int wz = draft_channel(scene, "cart", "base.wz", ROLE_SPEED, -1.0);
    // sum of x f: heights and spin of what is accelerated
    const double moment = -(M * (r + rise) + 4.0 * m * r + 4.0 * I / r) * a;
    for (int i = 0; i < 4; ++i) {
        char road[16];
        snprintf(road, sizeof road, "road%d", i);
        draft_element(scene, road, "{kind: contact, on: %s.wheel%d, mu: %.17g}",
                      draft_name(scene, "cart"), i, mu);
        const int fn = draft_watch_contact(scene, road, mu);
        draft_fact(scene, fn, T, all * g / 4.0 + (i < 2 ? 1.0 : -1.0) * moment / (4.0 * lx),
                   FACT_TENDS);
        draft_fact(scene, fn + 2, T, 1.0, FACT_HOLDS);
        if (i < 2) continue;
        char drive[8];
        snprintf(drive, sizeof drive, "drive%d", i);
        draft_element(scene, drive, "{kind: force, on: %s.axle%d, value: %.17g}",
                      draft_name(scene, "cart"), i, torque);
    }
    draft_fact(scene, x, T, 0.5 * a * T * T, FACT_TENDS);
    draft_fact(scene, y, T, 0.0, FACT_HOLDS);
    draft_fact(scene, wz, T, 0.0, FACT_HOLDS);
}

// Boxes on each other; the top one may be pushed at its sole, below or above its limit.
void draft_make_stack(RandomScene *scene, Random *random)
{
    const int boxes = 2 + random_below(random, 4), story = random_below(random, 3);
    const double mu = random_between(random, 0.2, 0.6), T = scene->stop = 0.25;
    double wide = random_between(random, 0.4, 0.5), z = 0.0, masses[5], height = 0.0, all = 0.0;
    int first = 0;
    under_gravity(scene);
    for (int i = 0; i < boxes; ++i) {
        char box[8], below[8], seat[8];
        snprintf(box, sizeof box, "box%d", i), snprintf(below, sizeof below, "box%d", i - 1);
        snprintf(seat, sizeof seat, "seat%d", i);
        masses[i] = random_between(random, 0.5, 2.0), all += masses[i];
        height = random_between(random, 0.05, 0.15), wide *= random_between(random, 0.8, 1.0);
        draft_body(scene, box,
                   "{kind: rigid, mass: %.17g, shape: box, size: [%.17g, %.17g, %.17g], position: "
                   "%s, attitude: %s}",
                   masses[i], wide, 0.9 * wide, height,
                   draft_vector(scene, 0.0, 0.0, z + height / 2.0),
                   draft_attitude(scene, 0.0, 0.0, random_between(random, -0.3, 0.3)));
        z += height;
        if (i == 0)
            draft_element(scene, seat, "{kind: contact, on: %s, mu: %.17g}", draft_name(scene, box),
                          mu);
        else
            draft_element(scene, seat, "{kind: contact, between: [%s, %s], mu: %.17g}",
                          draft_name(scene, box), draft_name(scene, below), mu);
        const int body = draft_watch_rigid(scene, box);
        draft_watch_contact(scene, seat, mu);
        if (i == 0) first = body;
    }
    const int top = boxes - 1, stride = 12; // a body's channels and those of its seat
    const double m = masses[top], along = random_between(random, -pi, pi),
                 d[2] = {cos(along), sin(along)};
    const double F = story == 0 ? 0.0
                                : mu * m * g *
                                      (story == 1 ? random_between(random, 0.3, 0.95)
                                                  : random_between(random, 1.1, 1.5));
    char name[8];
    snprintf(name, sizeof name, "box%d", top);
    if (story > 0) // in world axes, below the centre: no axis of the box is needed
        draft_element(scene, "push", "{kind: force, on: %s, at: %s, value: %s}",
                      draft_name(scene, name), draft_vector(scene, 0.0, 0.0, -height / 2.0),
                      draft_vector(scene, F * d[0], F * d[1], 0.0));
    for (int i = 0; i < boxes; ++i) {
        const int body = first + stride * i;
        draft_fact(scene, body + 9, T, all * g, FACT_HOLDS);
        all -= masses[i];
        if (story < 2 || i < top) stays(scene, body);
    }
    const double a = story == 2 ? F / m - mu * g : 0.0;
    for (int i = 0; i < 2 && story == 2; ++i)
        draft_fact(scene, first + stride * top + i, T, 0.5 * a * T * T * d[i], FACT_TENDS);
}

// Upright boxes in a row along x; the first leans and falls against the next. All is its own mirror
// image in y.
void draft_make_dominoes(RandomScene *scene, Random *random)
{
    const int count = 3 + random_below(random, 5);
    const double thick = random_between(random, 0.015, 0.03),
                 wide = random_between(random, 0.04, 0.08);
    const double high = random_between(random, 0.1, 0.15), lean = 1.5 * atan(thick / high);
    // from one to the next: the first leans, and does not reach the second yet
    const double gap = thick + high * (sin(lean) + random_between(random, 0.02, 0.3));
    const double mu = random_between(random, 0.15, 0.5);
    // turned about its lower edge on the side of the others
    const double x0 = 0.5 * (thick - thick * cos(lean) + high * sin(lean));
    const double z0 = 0.5 * (thick * sin(lean) + high * cos(lean));
    under_gravity(scene);
    for (int i = 0; i < count; ++i) {
        char name[8];
        snprintf(name, sizeof name, "tile%d", i);
        draft_body(scene, name,
                   "{kind: rigid, mass: 0.05, shape: box, size: [%.17g, %.17g, %.17g], "
                   "position: %s, attitude: %s}",
                   thick, wide, high,
                   draft_vector(scene, i == 0 ? x0 : i * gap, 0.0, i == 0 ? z0 : high / 2.0),
                   draft_attitude(scene, 0.0, i == 0 ? lean : 0.0, 0.0));
        draft_fact(scene, draft_watch_rigid(scene, name) + 1, scene->stop, 0.0, FACT_HOLDS);
    }
    draft_element(scene, "floor", "{kind: contact, among: all, plane: {}, mu: %.17g}", mu);
    draft_watch_contact(scene, "floor", mu);
}

static int add_pushed_box(RandomScene *scene, Random *random, double share)
{
    const double m = random_decades(random, 0.3, 10.0), mu = random_between(random, 0.2, 0.7);
    const double a0 = random_between(random, 0.15, 0.3), b0 = random_between(random, 0.15, 0.3);
    // high ones, but no higher than friction at the sole could tip
    const double most = fmin(0.3, 0.8 * fmin(a0, b0) / mu);
    const double size[3] = {a0, b0, random_between(random, 0.3 * most, most)};
    const double along = random_between(random, -pi, pi), F = share * mu * m * g, T = scene->stop;
    const double d[2] = {cos(along), sin(along)};
    const double at =
        random_below(random, 2) == 0 ? 0.0 : -size[2] / 2.0; // its centre, or its sole
    under_gravity(scene);
    draft_body(scene, "box",
               "{kind: rigid, mass: %.17g, shape: box, size: [%.17g, %.17g, %.17g], position: %s, "
               "attitude: %s}",
               m, size[0], size[1], size[2], draft_vector(scene, 0.0, 0.0, size[2] / 2.0),
               draft_attitude(scene, 0.0, 0.0,
                              random_below(random, 2) == 0 ? 0.0
                                                           : random_between(random, -0.7, 0.7)));
    draft_element(scene, "floor", "{kind: contact, on: %s, mu: %.17g}", draft_name(scene, "box"),
                  mu);
    char value[200];
    const double swing =
        share < 1.0 && random_below(random, 2) == 0 ? random_between(random, 0.1, 0.5) : 0.0;
    const double mirror = scene->version == SCENE_MIRRORED ? -1.0 : 1.0,
                 w = random_between(random, 5.0, 40.0);
    snprintf(value, sizeof value,
             "[\"%.17g*(1 - %.17g*sin(%.17g*t)^2)\", \"%.17g*(1 - %.17g*sin(%.17g*t)^2)\", 0]",
             mirror * F * d[0], swing, w, F * d[1], swing, w);
    draft_element(scene, "push", "{kind: force, on: %s, at: %s, value: %s}",
                  draft_name(scene, "box"), draft_vector(scene, 0.0, 0.0, at), value);
    const int box = draft_watch_rigid(scene, "box"), fn = draft_watch_contact(scene, "floor", mu);
    draft_fact(scene, fn, T, m * g, FACT_HOLDS);
    draft_fact(scene, fn + 2, T, share < 1.0 ? 1.0 : 0.0, FACT_HOLDS);
    draft_fact(scene, fn + 2, T / 2.0, share < 1.0 ? 1.0 : 0.0, FACT_HOLDS);
    const double a = share > 1.0 ? F / m - mu * g : 0.0;
    for (int i = 0; i < 2; ++i)
        draft_fact(scene, box + i, T, 0.5 * a * T * T * d[i],
                   share > 1.0 ? FACT_TENDS : FACT_HOLDS);
    if (share < 1.0) stays(scene, box);
    return box;
}

void draft_make_pushed_below(RandomScene *scene, Random *random)
{
    add_pushed_box(scene, random, random_between(random, 0.6, 0.98));
}

void draft_make_pushed_above(RandomScene *scene, Random *random)
{
    add_pushed_box(scene, random, random_between(random, 1.02, 2.0));
}

// A box lies on a fixed slope that falls in any direction, or on a wedge that lies on the floor.
void draft_make_slope(RandomScene *scene, Random *random)
{
    const bool loose = random_below(random, 3) == 0;
    const double s = random_between(random, 0.1, 0.6), T = scene->stop;
    const double yaw = loose ? 0.0 : random_between(random, -pi, pi);
    const bool holds = loose || random_below(random, 2) == 0;
    const double mu =
        tan(s) * (holds ? random_between(random, 1.05, 1.6) : random_between(random, 0.2, 0.9));
    const double m = random_decades(random, 0.3, 5.0), h = random_between(random, 0.05, 0.1);
    const double n[3] = {sin(s) * cos(yaw), sin(s) * sin(yaw), cos(s)}; // of the slope, upwards
    const double down[3] = {cos(s) * cos(yaw), cos(s) * sin(yaw), -sin(s)};
    const double raise = loose ? 0.4 : 0.0; // where the face passes x = 0
    under_gravity(scene);
    draft_body(scene, "box",
               "{kind: rigid, mass: %.17g, shape: box, size: [0.2, 0.16, %.17g], position: %s, "
               "attitude: %s}",
               m, h, draft_vector(scene, h / 2.0 * n[0], h / 2.0 * n[1], raise + h / 2.0 * n[2]),
               draft_attitude(scene, -s * sin(yaw), s * cos(yaw), 0.0));
    const int box = draft_watch_rigid(scene, "box");
    if (loose) {
        const double M = random_between(random, 2.0, 10.0), run = 0.3, lift = run * tan(s);
        draft_body(scene, "wedge",
                   "{kind: rigid, mass: %.17g, inertia: [%.17g, %.17g, %.17g], position: %s, "
                   "shapes: [{kind: hull, vertices: [%s, %s, %s, %s, %s, %s, %s, %s]}]}",
                   M, 0.03 * M, 0.03 * M, 0.03 * M, draft_vector(scene, 0.0, 0.0, 0.2),
                   draft_vector(scene, -run, -0.2, -0.2), draft_vector(scene, run, -0.2, -0.2),
                   draft_vector(scene, -run, 0.2, -0.2), draft_vector(scene, run, 0.2, -0.2),
                   draft_vector(scene, -run, -0.2, 0.2 + lift),
                   draft_vector(scene, run, -0.2, 0.2 - lift),
                   draft_vector(scene, -run, 0.2, 0.2 + lift),
                   draft_vector(scene, run, 0.2, 0.2 - lift));
        draft_element(scene, "floor", "{kind: contact, on: %s, mu: %.17g}",
                      draft_name(scene, "wedge"), mu);
        draft_element(scene, "seat", "{kind: contact, between: [%s, %s], mu: %.17g}",
                      draft_name(scene, "box"), draft_name(scene, "wedge"), mu);
        stays(scene, draft_watch_rigid(scene, "wedge"));
        draft_fact(scene, draft_watch_contact(scene, "floor", mu), T, (M + m) * g, FACT_HOLDS);
    } else {
        draft_element(scene, "seat",
                      "{kind: contact, on: %s, mu: %.17g, plane: {point: [0, 0, 0], normal: %s}}",
                      draft_name(scene, "box"), mu, draft_vector(scene, n[0], n[1], n[2]));
    }
    const int fn = draft_watch_contact(scene, "seat", mu);
    draft_fact(scene, fn, T, m * g * cos(s), FACT_HOLDS);
    draft_fact(scene, fn + 1, T, m * g * (holds ? sin(s) : mu * cos(s)), FACT_HOLDS);
    draft_fact(scene, fn + 2, T, holds ? 1.0 : 0.0, FACT_HOLDS);
    const double a = holds ? 0.0 : g * (sin(s) - mu * cos(s));
    for (int i = 0; i < 2 && !holds; ++i)
        draft_fact(scene, box + i, T, h / 2.0 * n[i] + 0.5 * a * T * T * down[i], FACT_TENDS);
    if (holds) stays(scene, box);
}
