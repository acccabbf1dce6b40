// Bodies of every shape that fall onto a plane and onto each other.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

enum { MOST_BODIES = 3 };

static const char *shape_of(RandomScene *scene, Random *random, double size)
{
    char *text = scene->buffers[scene->next_buffer++ % 32];
    const size_t room = sizeof scene->buffers[0];
    const double a = size * random_between(random, 0.3, 1.0), b = size * random_between(random, 0.3, 1.0);
    switch (random_below(random, 6)) {
    case 0:
        snprintf(text, room, "{kind: point}");
        break;
    case 1:
        snprintf(text, room, "{kind: sphere, radius: %.9g}", 0.5 * a);
        break;
    case 2:
        snprintf(text, room, "{kind: capsule, radius: %.9g, length: %.9g}", 0.3 * a, b);
        break;
    case 3:
        snprintf(text, room, "{kind: cylinder, radius: %.9g, length: %.9g}", 0.5 * a, b);
        break;
    case 4:
        snprintf(text, room, "{kind: box, size: [%.9g, %.9g, %.9g]}", a, b, 0.5 * (a + b));
        break;
    default: // symmetric about x = 0, so that a mirror keeps it
        snprintf(text, room,
                 "{kind: hull, vertices: [[-%.9g, 0, -%.9g], [%.9g, 0, -%.9g], [0, %.9g, -%.9g], "
                 "[0, 0, %.9g]]}",
                 a, 0.3 * b, a, 0.3 * b, b, 0.3 * b, 0.6 * b);
        break;
    }
    return text;
}

// Far enough above the plane and each other; along z one after the other.
void draft_add_touching(RandomScene *scene, Random *random, int number)
{
    const int count = 1 + random_below(random, MOST_BODIES);
    char names[200] = "", name[40];
    size_t used = 0;
    for (int i = 0; i < count; ++i) {
        const double mass = random_decades(random, 0.1, 10.0), size = random_between(random, 0.1, 0.3);
        const double inertia = 0.1 * mass * size * size;
        snprintf(name, sizeof name, "%s", draft_numbered(scene, "falling", number, i));
        const char *shape = shape_of(scene, random, size);
        const double x = 0.05 * i * random_between(random, -1.0, 1.0) + 3.0 * number;
        const char *at = draft_vector(scene, x, 0.02 * i, 0.31 + 0.65 * i);
        const char *lean = draft_attitude(scene, random_between(random, -0.5, 0.5), 0.2, 0.1);
        const char *velocity = draft_vector(scene, random_between(random, -1.0, 1.0),
                                            0.3, -random_between(random, 0.0, 4.0));
        const char *rate = draft_axial(scene, random_between(random, -2.0, 2.0), 0.5, 0.1);
        draft_body(scene, name,
                   "{kind: rigid, mass: %.9g, inertia: [%.9g, %.9g, %.9g], position: %s, attitude: "
                   "%s, velocity: %s, angular_velocity: %s, shapes: [%s]}",
                   mass, inertia, 1.2 * inertia, 0.9 * inertia, at, lean, velocity, rate, shape);
        draft_watch_rigid(scene, name);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 draft_name(scene, name));
    }
    draft_element(scene, draft_numbered(scene, "touch", number, 0),
                  "{kind: contact, among: [%s], plane: {}, mu: %.9g, restitution: %.9g}", names,
                  random_between(random, 0.0, 1.0),
                  draft_one_in(random, 2) ? 0.0 : random_between(random, 0.0, 1.0));
}
