// A scene of any kind: some parts side by side, and what ties them together.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

static ScenePart *const parts[] = {draft_add_masses, draft_add_guided,  draft_add_rigid,
                                   draft_add_robot,  draft_add_linkage, draft_add_touching,
                                   draft_add_robot,  draft_add_masses};
enum { PARTS = sizeof parts / sizeof parts[0], MOST_PARTS = 3 };

static char *a_buffer(RandomScene *scene) { return scene->buffers[scene->next_buffer++ % 32]; }

bool draft_one_in(Random *random, int count) { return random_below(random, count) == 0; }

const char *draft_numbered(RandomScene *scene, const char *name, int part, int item)
{
    char *text = a_buffer(scene);
    snprintf(text, sizeof scene->buffers[0], "%s%d%d", name, part, item);
    return text;
}

const char *draft_spring(RandomScene *scene, Random *random, double inertia)
{
    char *text = a_buffer(scene);
    const double stiffness = inertia * random_decades(random, 1.0, 1e7);
    const double ratio = draft_one_in(random, 3) ? 0.0 : random_decades(random, 1e-3, 3.0);
    snprintf(text, sizeof scene->buffers[0], "stiffness: %.9g, damping: %.9g", stiffness,
             2.0 * ratio * sqrt(inertia * stiffness));
    return text;
}

static const char *jump(RandomScene *scene, Random *random, double a, double b, double c)
{
    char *text = a_buffer(scene);
    const size_t room = sizeof scene->buffers[0];
    switch (random_below(random, 3)) {
    case 0:
        snprintf(text, room, "\"%.9g*step(t - %.9g)\"", a, c);
        break;
    case 1:
        snprintf(text, room, "\"%.9g*noise(%d, %.9g)\"", a, random_below(random, 1000), 10.0 * b);
        break;
    default:
        snprintf(text, room, "\"t < %.9g ? %.9g : %.9g*cos(%.9g*t)\"", c, a, 0.5 * a, b);
        break;
    }
    return text;
}

const char *draft_path(RandomScene *scene, Random *random, double size)
{
    char *text = a_buffer(scene);
    const size_t room = sizeof scene->buffers[0];
    const double a = size * random_between(random, -1.0, 1.0), b = random_decades(random, 0.5, 80.0),
                 c = random_between(random, 0.0, scene->stop);
    switch (random_below(random, 6)) {
    case 0:
        snprintf(text, room, "%.9g", a);
        break;
    case 1:
        snprintf(text, room, "\"%.9g*sin(%.9g*t)\"", a, b);
        break;
    case 2:
        snprintf(text, room, "\"%.9g*min(t, %.9g)/%.9g\"", a, c + 1e-3, scene->stop);
        break;
    case 3:
        snprintf(text, room, "\"%.9g*clamp(sin(%.9g*t), -0.3, 0.6)\"", a, b);
        break;
    case 4:
        snprintf(text, room, "\"%.9g*abs(mod(%.9g*t, 2) - 1)\"", a, b);
        break;
    default:
        snprintf(text, room, "\"%.9g*tanh(3*sin(%.9g*t)) + %.9g*exp(-t)\"", a, b, 0.1 * a);
        break;
    }
    return text;
}

const char *draft_function(RandomScene *scene, Random *random, double size)
{
    const double a = size * random_between(random, -1.0, 1.0), b = random_decades(random, 0.5, 80.0),
                 c = random_between(random, 0.0, scene->stop);
    return draft_one_in(random, 3) ? jump(scene, random, a, b, c) : draft_path(scene, random, size);
}

// What it takes from the motion is passive or bounded.
const char *draft_feedback(RandomScene *scene, Random *random, double size, const char *place,
                           const char *speed)
{
    char *text = a_buffer(scene);
    const size_t room = sizeof scene->buffers[0];
    const double a = size * random_between(random, 0.1, 1.0);
    switch (random_below(random, 4)) {
    case 0:
        snprintf(text, room, "\"-%.9g*tanh(%s)\"", a, speed);
        break;
    case 1:
        snprintf(text, room, "\"%.9g*sin(7*t) - %.9g*sin(%s)\"", a, a, place);
        break;
    case 2:
        snprintf(text, room, "\"-%.9g*%s*abs(%s)/(1 + %s^2)\"", a, speed, speed, speed);
        break;
    default:
        snprintf(text, room, "\"%s > 0.1 ? -%.9g : %.9g\"", place, a, 0.2 * a);
        break;
    }
    return text;
}

// Mirrored scenes keep their gravity: it has no part along x.
static void set_gravity(RandomScene *scene, Random *random)
{
    switch (random_below(random, 4)) {
    case 0:
        return;
    case 1:
        draft_head(scene, "gravity: [0, -9.81, -1]\n");
        return;
    default:
        draft_head(scene, "gravity: [0, 0, -9.81]\n");
        return;
    }
}

void draft_make_any(RandomScene *scene, Random *random)
{
    static const double steps[] = {1e-3, 1e-3, 2e-3, 5e-4, 1e-4, 5e-3};
    const int count = 1 + random_below(random, MOST_PARTS);
    scene->step = steps[random_below(random, sizeof steps / sizeof steps[0])];
    scene->stop = 200 * scene->step;
    set_gravity(scene, random);
    if (random_below(random, 8) == 0) draft_head(scene, "painleve: go-on\n");
    ScenePart *chosen[MOST_PARTS];
    for (int i = 0; i < count; ++i) {
        chosen[i] = parts[random_below(random, PARTS)];
        scene->touches = scene->touches || chosen[i] == draft_add_touching;
    }
    for (int i = 0; i < count; ++i) chosen[i](scene, random, i);
}
