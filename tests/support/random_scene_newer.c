// Scenes of the kinds that came later: trains of rotors with gears, belts, losses and play; bodies on surfaces that run,
// with laws, bristles, ellipses and resistance to rolling. A stream of its own: seeds of other scenes stay what they are.
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

static const char *a_coupling(RandomScene *scene, Random *random, const char *a, const char *b)
{
    char *text = scene->buffers[scene->next_buffer++ % 32];
    const size_t room = sizeof scene->buffers[0];
    const double ratio = (draft_one_in(random, 2) ? -1.0 : 1.0) * random_decades(random, 0.2, 5.0);
    const char *crossed = draft_one_in(random, 2) ? "true" : "false";
    switch (random_below(random, 5)) {
    case 0:
        snprintf(text, room, "{kind: gear, between: [%s, %s], ratio: %.9g}", a, b, ratio);
        break;
    case 1:
        snprintf(text, room, "{kind: gear, between: [%s, %s], ratio: %.9g, loss: %.9g}", a, b,
                 ratio, random_between(random, 0.01, 0.6));
        break;
    case 2:
        snprintf(text, room,
                 "{kind: timing-belt, between: [%s, %s], radii: [0.1, %.9g], crossed: %s}", a, b,
                 0.1 * random_decades(random, 0.3, 3.0), crossed);
        break;
    case 3:
        snprintf(text, room,
                 "{kind: belt, between: [%s, %s], radii: [0.1, %.9g], crossed: %s, limit: %.9g}", a,
                 b, 0.1 * random_decades(random, 0.3, 3.0), crossed,
                 random_decades(random, 0.5, 50.0));
        break;
    default:
        snprintf(text, room,
                 "{kind: backlash, between: [%s, %s], ratio: %.9g, gap: %.9g, stiffness: %.9g, "
                 "damping: %.9g}",
                 a, b, ratio, random_decades(random, 1e-4, 0.1), random_decades(random, 1.0, 300.0),
                 random_decades(random, 1e-3, 0.1));
        break;
    }
    return text;
}

static void add_train(RandomScene *scene, Random *random, int number)
{
    const int count = 2 + random_below(random, 3);
    char names[5][40];
    for (int i = 0; i < count; ++i) {
        snprintf(names[i], sizeof names[i], "%s", draft_numbered(scene, "rotor", number, i));
        draft_body(scene, names[i], "{kind: rotor, inertia: %.9g}",
                   random_decades(random, 0.01, 1.0));
        draft_channel(scene, names[i], "q", ROLE_PLACE, 1.0);
        draft_channel(scene, names[i], "qd", ROLE_SPEED, 1.0);
        if (i > 0) {
            char a[40], b[40];
            snprintf(a, sizeof a, "%s", draft_name(scene, names[i - 1]));
            snprintf(b, sizeof b, "%s", draft_name(scene, names[i]));
            draft_element(scene, draft_numbered(scene, "couple", number, i), "%s",
                          a_coupling(scene, random, a, b));
        }
    }
    draft_element(scene, draft_numbered(scene, "torque", number, 0),
                  "{kind: force, on: %s, value: %s}", draft_name(scene, names[0]),
                  draft_function(scene, random, 3.0));
    if (draft_one_in(random, 2))
        draft_element(scene, draft_numbered(scene, "bearing", number, 0),
                      "{kind: friction, on: %s, model: finite-time, level: %.9g}",
                      draft_name(scene, names[count - 1]), random_decades(random, 0.01, 2.0));
}

// Behind the numbers of a contact: its law, or its bristle, or its resistance to turning. Under corners that lift and fall
// LuGre does not always settle (docs/architecture.md, limits): they get elastic-coulomb.
static const char *a_rub(RandomScene *scene, Random *random, double mass, double mu, bool corners)
{
    static const char *const bristles[] = {"elastic-coulomb", "lugre", "elastoplastic"};
    char *text = scene->buffers[scene->next_buffer++ % 32];
    const size_t room = sizeof scene->buffers[0];
    switch (random_below(random, 6)) {
    case 0:
        snprintf(text, room,
                 "mu_static: %.9g, law: {kind: stribeck, stribeck_speed: %.9g, viscous: %.9g}",
                 mu * random_between(random, 1.0, 1.6), random_decades(random, 0.01, 1.0),
                 random_between(random, 0.0, 0.1));
        break;
    case 1:
        snprintf(text, room, "law: {kind: viscous, viscous: %.9g}",
                 random_between(random, 0.0, 0.2));
        break;
    case 2:
        snprintf(text, room, "bristle: {kind: %s, stiffness: %.9g, damping: %.9g}",
                 bristles[corners ? 0 : random_below(random, 3)],
                 mass * random_decades(random, 1e2, 1e6),
                 mass * random_decades(random, 0.1, 100.0));
        break;
    case 3:
        snprintf(text, room, "rolling: %.9g, spinning: %.9g", random_decades(random, 1e-4, 0.05),
                 draft_one_in(random, 2) ? 0.0 : random_decades(random, 1e-4, 0.02));
        break;
    case 4:
        snprintf(text, room, "mu_across: %.9g, along: %s", mu * random_decades(random, 0.3, 3.0),
                 draft_vector(scene, random_between(random, -1.0, 1.0), 1.0, 0.0));
        break;
    default:
        snprintf(text, room, "mu_static: %.9g", mu * random_between(random, 1.0, 1.5));
        break;
    }
    return text;
}

static const char *a_shape(RandomScene *scene, Random *random)
{
    char *text = scene->buffers[scene->next_buffer++ % 32];
    const size_t room = sizeof scene->buffers[0];
    switch (random_below(random, 3)) {
    case 0:
        snprintf(text, room, "{kind: point, at: [0, 0, -0.1]}");
        break;
    case 1:
        snprintf(text, room, "{kind: sphere, radius: 0.1}");
        break;
    default:
        snprintf(text, room, "{kind: box, size: [0.3, 0.3, 0.2]}");
        break;
    }
    return text;
}

// A body that starts on a plane, or drops onto it, and is pushed about.
static void add_rubbing(RandomScene *scene, Random *random, int number)
{
    char name[40], surface[200] = "";
    const double mass = random_decades(random, 0.2, 5.0), mu = random_between(random, 0.05, 0.9);
    snprintf(name, sizeof name, "%s", draft_numbered(scene, "rider", number, 0));
    const char *shape = a_shape(scene, random);
    const char *at = draft_vector(scene, 2.0 * number, 0.0, draft_one_in(random, 3) ? 0.13 : 0.1);
    const char *velocity = draft_vector(scene, random_between(random, -1.0, 1.0),
                                        random_between(random, -1.0, 1.0), 0.0);
    const char *rate = draft_axial(scene, 0.0, 0.0, draft_one_in(random, 2) ? 0.0 : 3.0);
    draft_body(scene, name,
               "{kind: rigid, mass: %.9g, inertia: [%.9g, %.9g, %.9g], position: %s, velocity: %s, "
               "angular_velocity: %s, shapes: [%s]}",
               mass, 0.01 * mass, 0.01 * mass, 0.01 * mass, at, velocity, rate, shape);
    draft_watch_rigid(scene, name);
    if (draft_one_in(random, 2))
        snprintf(surface, sizeof surface, "surface_velocity: %s",
                 draft_vector(scene, random_between(random, -1.0, 1.0),
                              random_between(random, -0.5, 0.5), 0.0));
    draft_element(scene, draft_numbered(scene, "ground", number, 0),
                  "{kind: contact, on: %s, plane: {%s}, mu: %.9g, %s}", draft_name(scene, name),
                  surface, mu, a_rub(scene, random, mass, mu, strstr(shape, "box") != NULL));
    draft_element(scene, draft_numbered(scene, "wind", number, 0),
                  "{kind: force, on: %s, value: [0, %s, 0]}", draft_name(scene, name),
                  draft_path(scene, random, 8.0 * mass));
}

void draft_make_newer(RandomScene *scene, Random *random)
{
    const int count = 1 + random_below(random, 3);
    scene->step = draft_one_in(random, 4) ? 5e-4 : 1e-3;
    scene->stop = 200 * scene->step;
    draft_head(scene, "gravity: [0, 0, -9.81]\n");
    if (draft_one_in(random, 2)) draft_head(scene, "method: rule\n");
    for (int i = 0; i < count; ++i) {
        const bool train = draft_one_in(random, 2);
        scene->touches = scene->touches || !train;
        (train ? add_train : add_rubbing)(scene, random, i);
    }
}
