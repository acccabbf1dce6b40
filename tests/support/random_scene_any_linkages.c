// Planar linkages: open chains, closed loops, driven or pushed, rubbing under the loads of their joints.
// A mirror leaves them alone: they lie in a plane of their own.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

enum { KEYS = 700, TEXT = SCENE_LINE - 200 };

typedef struct Loop {
    int number;
    double crank, rod;     // m
    double angle, x;       // of the crank, and where the rod ends on the line of the slider
    double mass;
} Loop;

static void rub_joint(RandomScene *scene, Random *random, int number, int i, const char *joint)
{
    char keys[KEYS];
    draft_friction(scene, 1.0, draft_one_in(random, 2), false, keys, sizeof keys);
    draft_element(scene, draft_numbered(scene, "rub", number, i), "{%s, on: %s}", keys,
                  draft_name(scene, joint));
}

static void write_crank(RandomScene *scene, const Loop *loop, bool driven, double rate)
{
    const int n = loop->number;
    const double c = loop->crank, r = loop->rod, lean = asin(-c * sin(loop->angle) / r);
    char text[TEXT], driver[120] = "";
    char crank[48], rod[48], piston[48];
    snprintf(crank, sizeof crank, "%s", draft_name(scene, draft_numbered(scene, "crank", n, 0)));
    snprintf(rod, sizeof rod, "%s", draft_name(scene, draft_numbered(scene, "rod", n, 0)));
    snprintf(piston, sizeof piston, "%s", draft_name(scene, draft_numbered(scene, "piston", n, 0)));
    if (driven)
        snprintf(driver, sizeof driver, ", drivers: {%s: {on: %s, value: \"%.9g + %.9g*t\"}}",
                 draft_name(scene, draft_numbered(scene, "engine", n, 0)),
                 draft_name(scene, draft_numbered(scene, "main", n, 0)), loop->angle, rate);
    snprintf(text, sizeof text,
             "{kind: linkage, bodies: {%s: {mass: %.9g, inertia: %.9g, position: [%.9g, %.9g], angle: "
             "%.9g}, %s: {mass: %.9g, inertia: %.9g, position: [%.9g, %.9g], angle: %.9g}, %s: {mass: "
             "%.9g, inertia: 0.01, position: [%.9g, 0]}}, joints: {%s: {type: revolute, on: %s, at: "
             "[%.9g, 0], radius: 0.01}, %s: {type: revolute, between: [%s, %s], at: [[%.9g, 0], [%.9g, "
             "0]], radius: 0.01}, %s: {type: revolute, between: [%s, %s], at: [[0, 0], [%.9g, 0]], "
             "radius: 0.01}, %s: {type: prismatic, on: %s, length: 0.1}}%s}",
             crank, loop->mass, loop->mass * c * c / 12.0, 0.5 * c * cos(loop->angle),
             0.5 * c * sin(loop->angle), loop->angle, rod, loop->mass, loop->mass * r * r / 12.0,
             c * cos(loop->angle) + 0.5 * r * cos(lean), 0.5 * c * sin(loop->angle), lean, piston,
             2.0 * loop->mass, loop->x, draft_name(scene, draft_numbered(scene, "main", n, 0)), crank,
             -0.5 * c, draft_name(scene, draft_numbered(scene, "pin", n, 0)), rod, crank, -0.5 * r,
             0.5 * c, draft_name(scene, draft_numbered(scene, "wrist", n, 0)), piston, rod, 0.5 * r,
             draft_name(scene, draft_numbered(scene, "guide", n, 0)), piston, driver);
    draft_body(scene, draft_numbered(scene, "linkage", n, 0), "%s", text);
}

void draft_add_linkage(RandomScene *scene, Random *random, int number)
{
    static const char *const joints[] = {"main", "pin", "wrist", "guide"};
    Loop loop = {.number = number,
                 .crank = random_between(random, 0.05, 0.15),
                 .rod = random_between(random, 0.3, 0.6),
                 .angle = random_between(random, 0.3, 2.8),
                 .mass = random_decades(random, 0.1, 10.0)};
    const double rise = loop.crank * sin(loop.angle);
    loop.x = loop.crank * cos(loop.angle) + sqrt(loop.rod * loop.rod - rise * rise);
    const bool driven = draft_one_in(random, 2);
    write_crank(scene, &loop, driven, random_between(random, 1.0, 30.0));
    draft_channel(scene, draft_numbered(scene, "piston", number, 0), "x", ROLE_PLACE, 1.0);
    for (int i = 0; i < 4; ++i)
        if (draft_one_in(random, 2))
            rub_joint(scene, random, number, i, draft_numbered(scene, joints[i], number, 0));
    if (!driven)
        draft_element(scene, draft_numbered(scene, "push", number, 0),
                      "{kind: force, on: %s, value: [%s, 0, 0]}",
                      draft_name(scene, draft_numbered(scene, "piston", number, 0)),
                      draft_function(scene, random, 30.0 * loop.mass));
    if (draft_one_in(random, 2))
        draft_element(scene, draft_numbered(scene, "spring", number, 0),
                      "{kind: spring-damper, on: %s, %s}",
                      draft_name(scene, draft_numbered(scene, "guide", number, 0)),
                      draft_spring(scene, random, loop.mass));
}
