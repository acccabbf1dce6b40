// Point masses, guided blocks and rigid bodies, with what acts on them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

enum { KEYS = 700 };

// In space; one and two dimensions are coordinates of their own that no mirror turns.
static const char *place_of(RandomScene *scene, Random *random, int dimensions)
{
    const double x = random_between(random, -1.0, 1.0), y = random_between(random, -1.0, 1.0),
                 z = random_between(random, -1.0, 1.0);
    if (dimensions == 3) return draft_vector(scene, x, y, z);
    char *text = scene->buffers[scene->next_buffer++ % 32];
    if (dimensions == 2)
        snprintf(text, sizeof scene->buffers[0], "[%.9g, %.9g]", x, y);
    else
        snprintf(text, sizeof scene->buffers[0], "[%.9g]", x);
    return text;
}

static void rub_mass(RandomScene *scene, Random *random, const char *element, const char *target,
                     double mass, bool planar)
{
    char keys[KEYS];
    draft_friction(scene, mass, draft_one_in(random, 4), planar, keys, sizeof keys);
    const bool of_load = strstr(keys, ", mu: ") != NULL;
    draft_element(scene, element, "{%s, %s%s}", keys, target,
                  of_load ? ", load: \"4 + 2*sin(20*t)\"" : "");
}

static void push_mass(RandomScene *scene, Random *random, const char *element, const char *name,
                      double mass)
{
    char own[40], place[48], speed[48];
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    snprintf(place, sizeof place, "%s.x", own);
    snprintf(speed, sizeof speed, "%s.v", own);
    const char *value = draft_one_in(random, 2)
                            ? draft_function(scene, random, 20.0 * mass)
                            : draft_feedback(scene, random, 10.0 * mass, place, speed);
    draft_element(scene, element, "{kind: force, on: %s, value: %s}", own, value);
}

static void lead_mass(RandomScene *scene, Random *random, int number, const char *name)
{
    const char *hand = draft_numbered(scene, "hand", number, 0);
    draft_body(scene, hand, "{kind: motion, x: %s}", draft_path(scene, random, 0.3));
    draft_element(scene, draft_numbered(scene, "lead", number, 0),
                  "{kind: spring-damper, %s, between: [%s, %s]}",
                  draft_spring(scene, random, 1.0), draft_name(scene, hand),
                  draft_name(scene, name));
}

// Masses in a row on springs of any stiffness, some of them rubbing, some driven.
void draft_add_masses(RandomScene *scene, Random *random, int number)
{
    const int count = 1 + random_below(random, 4), dimensions = 1 + random_below(random, 3);
    char name[40], target[120], before[40] = "";
    for (int i = 0; i < count; ++i) {
        const double mass = random_decades(random, 1e-2, 1e2);
        snprintf(name, sizeof name, "%s", draft_numbered(scene, "mass", number, i));
        const char *position = place_of(scene, random, dimensions);
        const char *velocity = place_of(scene, random, dimensions);
        draft_body(scene, name,
                   "{kind: point, dimensions: %d, mass: %.9g, position: %s, velocity: %s}",
                   dimensions, mass, position, velocity);
        if (dimensions != 2)
            draft_channel(scene, name, "x", ROLE_PLACE, dimensions == 3 ? -1.0 : 1.0);
        const bool tied = before[0] != '\0' && !draft_one_in(random, 3);
        if (tied)
            snprintf(target, sizeof target, "between: [%s, %s]", draft_name(scene, name),
                     draft_name(scene, before));
        else
            snprintf(target, sizeof target, "on: %s", draft_name(scene, name));
        if (tied || draft_one_in(random, 2))
            draft_element(scene, draft_numbered(scene, "spring", number, i),
                          "{kind: spring-damper, %s, %s}", draft_spring(scene, random, mass),
                          target);
        if (!draft_one_in(random, 3))
            rub_mass(scene, random, draft_numbered(scene, "rub", number, i), target, mass,
                     dimensions > 1);
        if (dimensions == 1 && draft_one_in(random, 2))
            push_mass(scene, random, draft_numbered(scene, "push", number, i), name, mass);
        snprintf(before, sizeof before, "%s", name);
    }
    if (dimensions == 1 && draft_one_in(random, 2)) lead_mass(scene, random, number, name);
}

// A block on a slope, rubbing under the load of its own guide.
void draft_add_guided(RandomScene *scene, Random *random, int number)
{
    char keys[KEYS], name[40], own[48];
    const double slope = random_between(random, -1.0, 1.0), turn = random_between(random, -3.0, 3.0);
    const double mass = random_decades(random, 1e-2, 1e2);
    snprintf(name, sizeof name, "%s", draft_numbered(scene, "block", number, 0));
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    draft_body(scene, name, "{kind: guided-block, mass: %.9g, axis: %s, velocity: %.9g}", mass,
               draft_vector(scene, cos(slope) * cos(turn), cos(slope) * sin(turn), sin(slope)),
               random_between(random, -1.0, 1.0));
    draft_channel(scene, name, "x", ROLE_PLACE, 1.0);
    draft_friction(scene, mass, true, false, keys, sizeof keys);
    draft_element(scene, draft_numbered(scene, "rub", number, 0), "{%s, on: %s%s%s%s}", keys, own,
                  strstr(keys, ", mu: ") != NULL ? ", load: " : "",
                  strstr(keys, ", mu: ") != NULL ? own : "",
                  strstr(keys, ", mu: ") != NULL ? ".load" : "");
    if (draft_one_in(random, 2))
        draft_element(scene, draft_numbered(scene, "spring", number, 0),
                      "{kind: spring-damper, %s, on: %s}", draft_spring(scene, random, mass), own);
    if (draft_one_in(random, 2))
        push_mass(scene, random, draft_numbered(scene, "push", number, 0), name, mass);
}

static void tie_rigid(RandomScene *scene, Random *random, int number, const char *own, double mass)
{
    const char *spring = draft_spring(scene, random, mass);
    const double x = random_between(random, -0.1, 0.1);
    draft_element(scene, draft_numbered(scene, "cord", number, 0),
                  "{kind: spring-damper, on: %s, at: %s, anchor: %s, %s}", own,
                  draft_vector(scene, x, 0.05, 0.02), draft_vector(scene, x, 0.05, 1.021), spring);
}

static void hinge_rigid(RandomScene *scene, Random *random, int number, const char *own,
                        double mass)
{
    const double K = mass * random_decades(random, 1e2, 1e5), B = 0.2 * sqrt(mass * K);
    const char *hinge = draft_numbered(scene, "hinge", number, 0);
    draft_element(scene, hinge,
                  "{kind: penalty-joint, on: %s, frame_a: {position: %s}, frame_b: {position: %s}, "
                  "stiffness: %.9g, damping: %.9g, angular_stiffness: %.9g, angular_damping: %.9g}",
                  own, draft_vector(scene, 0.1, 0.0, 0.0), draft_vector(scene, 0.1, 0.0, 1.0), K, B,
                  0.01 * K, 0.01 * B);
    char keys[KEYS];
    do draft_friction(scene, 0.01 * mass, false, false, keys, sizeof keys);
    while (strstr(keys, "directional") != NULL); // a mirror turns the hinge round
    draft_element(scene, draft_numbered(scene, "rub", number, 0), "{%s, on: %s}", keys,
                  draft_name(scene, hinge));
}

// A rigid body on a cord, on a hinge of springs, on a soft floor, or flying.
void draft_add_rigid(RandomScene *scene, Random *random, int number)
{
    char name[40], own[48];
    const double mass = random_decades(random, 1e-2, 1e2), size = random_between(random, 0.1, 0.4);
    const double inertia = mass * size * size / 6.0;
    snprintf(name, sizeof name, "%s", draft_numbered(scene, "solid", number, 0));
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    const char *velocity = place_of(scene, random, 3);
    const char *rate = draft_axial(scene, random_between(random, -4.0, 4.0), 1.0, -2.0);
    const int story = random_below(random, 4);
    draft_body(scene, name,
               "{kind: rigid, mass: %.9g, inertia: [%.9g, %.9g, %.9g], position: %s, velocity: %s, "
               "angular_velocity: %s}",
               mass, inertia, 1.3 * inertia, 0.8 * inertia, draft_vector(scene, 0.0, 0.0, 1.0),
               velocity, rate);
    draft_watch_rigid(scene, name);
    if (story == 0) tie_rigid(scene, random, number, own, mass);
    if (story == 1) hinge_rigid(scene, random, number, own, mass);
    if (story == 2)
        draft_element(scene, draft_numbered(scene, "floor", number, 0),
                      "{kind: contact, on: %s, shape: sphere, radius: %.9g, plane: {point: [0, 0, "
                      "%.9g], normal: [0, 0, 1]}, %s, mu: %.9g}",
                      own, size, 0.9 - size, draft_spring(scene, random, mass),
                      random_between(random, 0.0, 1.0));
    if (draft_one_in(random, 2))
        draft_element(scene, draft_numbered(scene, "push", number, 0),
                      "{kind: force, on: %s, value: [0, %s, 3]}", own,
                      draft_function(scene, random, 5.0 * mass));
}
