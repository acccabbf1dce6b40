// Trees of links with joints of every type, and what drives, stops and rubs them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

enum { KEYS = 700, MOST_LINKS = 5 };

typedef struct Joint {
    const char *type;
    bool single; // one coordinate: elements may act along it
    double inertia;
} Joint;

static const char *const types[] = {"revolute",  "prismatic", "revolute", "spherical",
                                    "planar",    "floating",  "fixed",    "revolute",
                                    "prismatic", "revolute"};

static size_t write_link(RandomScene *scene, Random *random, int i, Joint *joint, char *text,
                         size_t size)
{
    const double mass = random_decades(random, 0.05, 20.0), length = random_between(random, 0.1, 0.5);
    const double x = random_between(random, -1.0, 1.0), y = random_between(random, -1.0, 1.0),
                 z = random_between(random, 0.2, 1.0);
    const bool polar = strcmp(joint->type, "prismatic") == 0;
    const int parent = random_below(random, i + 1) - 1; // any link above, or the world
    char above[24] = "world", armature[48] = "";
    if (parent >= 0) snprintf(above, sizeof above, "l%d", parent);
    joint->inertia = polar ? mass : mass * length * length / 3.0;
    if (joint->single && draft_one_in(random, 3))
        snprintf(armature, sizeof armature, ", armature: %.9g",
                 joint->inertia * random_decades(random, 1e-3, 10.0));
    const char *at = i == 0 ? draft_vector(scene, 0.0, 0.0, 2.0)
                            : draft_vector(scene, 0.5 * length * x, 0.0, -length);
    const char *axis = polar ? draft_vector(scene, x, y, z) : draft_axial(scene, x, y, z);
    const char *centre = draft_vector(scene, 0.1 * length * y, 0.0, -0.5 * length);
    return (size_t)snprintf(text, size,
                            "%s{name: l%d, joint: j%d, parent: %s, type: %s, axis: %s, at: %s, "
                            "mass: %.9g, centre: %s, inertia: [%.9g, %.9g, %.9g]%s}",
                            i > 0 ? ", " : "", i, i, above, joint->type, axis, at, mass, centre,
                            mass * length * length / 12.0, mass * length * length / 11.0,
                            mass * length * length / 30.0, armature);
}

static void drive_joint(RandomScene *scene, Random *random, int number, int i, const char *joint,
                        double inertia)
{
    const char *control = draft_numbered(scene, "control", number, i);
    const double ratio = random_decades(random, 1.0, 100.0), k = random_decades(random, 1e-3, 0.1),
                 resistance = random_decades(random, 0.1, 10.0);
    const double kp = inertia * random_decades(random, 1.0, 1e3) * resistance / (k * ratio),
                 kd = 0.1 * kp * random_decades(random, 0.01, 1.0);
    const char *target = draft_function(scene, random, 1.0);
    const int every = 1 + random_below(random, 5);
    switch (random_below(random, 4)) {
    case 0:
        draft_element(scene, control,
                      "{kind: pid, on: %s, target: %s, kp: %.9g, ki: %.9g, kd: %.9g, period: %.9g}",
                      joint, target, kp, 0.5 * kp, kd, every * scene->step);
        draft_element(scene, draft_numbered(scene, "motor", number, i),
                      "{kind: dc-motor, on: %s, voltage: %s, torque_constant: %.9g, resistance: "
                      "%.9g, gear_ratio: %.9g, rated_voltage: 24}",
                      joint, draft_name(scene, control), k, resistance, ratio);
        break;
    case 1:
        draft_element(scene, draft_numbered(scene, "servo", number, i),
                      "{kind: servo, on: %s, target: %s, kp: %.9g, ki: %.9g, kd: %.9g, period: "
                      "%.9g, torque_constant: %.9g, resistance: %.9g, gear_ratio: %.9g, "
                      "rated_voltage: 48}",
                      joint, target, kp / ratio, 0.0, kd / ratio, every * scene->step, k,
                      resistance, ratio);
        break;
    case 2:
        draft_element(scene, draft_numbered(scene, "motor", number, i),
                      "{kind: dc-motor, on: %s, voltage: %s, torque_constant: %.9g, resistance: "
                      "%.9g, gear_ratio: %.9g}",
                      joint, draft_function(scene, random, 24.0), k, resistance, ratio);
        draft_element(scene, draft_numbered(scene, "teeth", number, i),
                      "{kind: gear-loss, on: %s, torque: %s, mu_avg: 0.1, mu_dif: %.9g, "
                      "presliding: %.9g}",
                      joint, draft_name(scene, draft_numbered(scene, "motor", number, i)),
                      random_between(random, 0.0, 0.1), random_decades(random, 1e-4, 0.1));
        break;
    default: {
        char place[80], speed[80];
        snprintf(place, sizeof place, "%s.q", joint);
        snprintf(speed, sizeof speed, "%s.qd", joint);
        draft_element(scene, draft_numbered(scene, "push", number, i),
                      "{kind: force, on: %s, value: %s}", joint,
                      draft_one_in(random, 2)
                          ? draft_function(scene, random, 20.0 * inertia)
                          : draft_feedback(scene, random, 10.0 * inertia, place, speed));
    }
    }
}

static void load_joint(RandomScene *scene, Random *random, int number, int i, const char *own,
                       double inertia)
{
    char joint[64], keys[KEYS];
    snprintf(joint, sizeof joint, "%s.j%d", own, i);
    if (!draft_one_in(random, 4)) {
        draft_friction(scene, inertia, draft_one_in(random, 3), false, keys, sizeof keys);
        draft_element(scene, draft_numbered(scene, "rub", number, i), "{%s, on: %s%s}", keys, joint,
                      strstr(keys, ", mu: ") != NULL ? ", radius: 0.02" : "");
    }
    if (draft_one_in(random, 3)) drive_joint(scene, random, number, i, joint, inertia);
    if (draft_one_in(random, 4))
        draft_element(scene, draft_numbered(scene, "stop", number, i),
                      "{kind: joint-limit, on: %s, lower: -0.1, upper: 0.2, %s}", joint,
                      draft_spring(scene, random, inertia));
    if (draft_one_in(random, 4))
        draft_element(scene, draft_numbered(scene, "coil", number, i),
                      "{kind: spring-damper, on: %s, %s}", joint,
                      draft_spring(scene, random, inertia));
}

void draft_add_robot(RandomScene *scene, Random *random, int number)
{
    char links[SCENE_LINE - 400], start[400] = "", name[40], own[48];
    const int count = 1 + random_below(random, MOST_LINKS);
    Joint joints[MOST_LINKS];
    size_t used = 0, begun = 0;
    snprintf(name, sizeof name, "%s", draft_numbered(scene, "robot", number, 0));
    snprintf(own, sizeof own, "%s", draft_name(scene, name));
    for (int i = 0; i < count; ++i) {
        const char *type = types[random_below(random, sizeof types / sizeof types[0])];
        if (i == 0 && strcmp(type, "fixed") == 0) type = "revolute";
        joints[i] = (Joint){.type = type,
                            .single = strcmp(type, "revolute") == 0 || strcmp(type, "prismatic") == 0};
        used += write_link(scene, random, i, &joints[i], links + used, sizeof links - used);
        if (!joints[i].single) continue;
        begun += (size_t)snprintf(start + begun, sizeof start - begun,
                                  "%sj%d: {position: %.9g, velocity: %.9g}", begun > 0 ? ", " : "", i,
                                  random_between(random, -0.5, 0.5),
                                  random_between(random, -1.0, 1.0));
    }
    draft_body(scene, name, "{kind: robot, links: [%s]%s%s%s}", links,
               begun > 0 ? ", joints: {" : "", start, begun > 0 ? "}" : "");
    for (int i = 0; i < count; ++i) {
        char joint[16];
        snprintf(joint, sizeof joint, "j%d", i);
        if (!joints[i].single) continue;
        draft_watch_joint(scene, name, joint);
        load_joint(scene, random, number, i, own, joints[i].inertia);
    }
    if (draft_one_in(random, 4))
        draft_element(scene, draft_numbered(scene, "cord", number, 0),
                      "{kind: spring-damper, on: %s.l%d, at: %s, anchor: %s, stiffness: %.9g, damping: "
                      "%.9g}",
                      own, count - 1, draft_vector(scene, 0.0, 0.0, -0.1),
                      draft_vector(scene, 0.3, 0.1, 0.5), random_decades(random, 0.1, 100.0),
                      random_decades(random, 1e-3, 1.0));
}
