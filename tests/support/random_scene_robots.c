// Robots that touch each other or the ground, and joints that hold.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/random_scene.h"

static const double gravity = 9.81;

static void under_gravity(RandomScene *scene) { draft_head(scene, "gravity: [0, 0, -9.81]\n"); }

static void write_link(RandomScene *scene, char *text, size_t size, const char *joint,
                       const char *type, const char *axis, const char *at, double mass,
                       const char *centre, double inertia, const char *shapes)
{
    (void)scene;
    snprintf(text, size,
             "{name: %s_link, joint: %s, type: %s, axis: %s, at: %s, mass: %.17g, centre: %s, "
             "inertia: [%.17g, %.17g, %.17g]%s%s}",
             joint, joint, type, axis, at, mass, centre, inertia, inertia, inertia,
             shapes[0] != '\0' ? ", shapes: " : "", shapes);
}

static const char *ball(RandomScene *scene, char *text, size_t size, double radius, double x,
                        double y, double z)
{
    snprintf(text, size, "[{kind: sphere, radius: %.17g, at: %s}]", radius,
             draft_vector(scene, x, y, z));
    return text;
}

static void add_slider(RandomScene *scene, const char *name, const double axis[3], double way,
                       double mass, double radius, double velocity)
{
    char shapes[200], link[900];
    ball(scene, shapes, sizeof shapes, radius, 0.0, 0.0, 0.0);
    write_link(scene, link, sizeof link, "j", "prismatic",
               draft_vector(scene, axis[0], axis[1], axis[2]),
               draft_vector(scene, way * axis[0], way * axis[1], way * axis[2]), mass,
               draft_vector(scene, 0.0, 0.0, 0.0), 0.4 * mass * radius * radius, shapes);
    draft_body(scene, name, "{kind: robot, links: [%s], joints: {j: {velocity: %.17g}}}", link,
               velocity);
}

// Masses on one line: an impact with restitution, or a push through both while they touch, with or
// without friction in their guides.
void draft_make_sliders(RandomScene *scene, Random *random)
{
    const int story = random_below(random, 3);
    const double turn = random_between(random, -3.0, 3.0);
    const double axis[3] = {cos(turn), sin(turn), 0.0};
    const double m1 = random_decades(random, 0.2, 5.0), m2 = random_decades(random, 0.2, 5.0);
    const double r1 = random_between(random, 0.05, 0.2), r2 = random_between(random, 0.05, 0.2);
    const double e = random_below(random, 3) == 0 ? 1.0 : random_between(random, 0.0, 1.0);
    const double v1 = story == 0 ? random_between(random, 0.5, 2.0) : 0.0;
    const double v2 = story == 0 ? v1 - random_between(random, 0.5, 2.0) : 0.0;
    const double gap = story == 0 ? (v1 - v2) * 0.1637 : 0.0;
    under_gravity(scene);
    add_slider(scene, "aft", axis, 0.0, m1, r1, v1);
    add_slider(scene, "bow", axis, gap + r1 + r2, m2, r2, v2);
    draft_element(scene, "meet",
                  "{kind: contact, between: [%s.j_link, %s.j_link], mu: 0.3, restitution: %.17g}",
                  draft_name(scene, "aft"), draft_name(scene, "bow"), e);
    const int a = draft_watch_joint(scene, "aft", "j"), b = draft_watch_joint(scene, "bow", "j");
    const int meet = draft_watch_contact(scene, "meet", 0.3);
    const double T = scene->stop;
    if (story == 0) {
        const double mean = (m1 * v1 + m2 * v2) / (m1 + m2), share = e * (v1 - v2) / (m1 + m2);
        draft_fact(scene, a + 1, T, mean - m2 * share, FACT_HOLDS);
        draft_fact(scene, b + 1, T, mean + m1 * share, FACT_HOLDS);
        draft_mover(scene, a + 1, m1);
        draft_mover(scene, b + 1, m2);
        return;
    }
    const double level = story == 1 ? 0.0 : random_between(random, 0.5, 3.0);
    const double push = random_between(random, 1.0, 20.0);
    draft_element(scene, "push", "{kind: force, on: %s.j, value: %.17g}", draft_name(scene, "aft"),
                  push);
    if (story == 2) {
        draft_element(scene, "wear0", "{kind: friction, on: %s.j, model: coulomb, level: %.17g}",
                      draft_name(scene, "aft"), level);
        draft_element(scene, "wear1", "{kind: friction, on: %s.j, model: coulomb, level: %.17g}",
                      draft_name(scene, "bow"), level);
    }
    const double past = push - 2.0 * level; // both guides hold back
    const double rate = past > 0.0 ? past / (m1 + m2) : 0.0;
    draft_fact(scene, a, T, 0.5 * rate * T * T, past > 0.0 ? FACT_TENDS : FACT_HOLDS);
    draft_fact(scene, b, T, 0.5 * rate * T * T, past > 0.0 ? FACT_TENDS : FACT_HOLDS);
    if (past > 0.0) draft_fact(scene, meet, T, m2 * rate + level, FACT_HOLDS);
}

// Contact between the same links of the two robots; restitution 0 and 1 are cases of their own.
static void add_meeting(RandomScene *scene, Random *random, const char *link)
{
    const double mu = random_between(random, 0.0, 0.8);
    const int edge = random_below(random, 4);
    const double e = edge < 2 ? edge : random_between(random, 0.0, 1.0);
    draft_element(scene, "meet",
                  "{kind: contact, between: [%s.%s, %s.%s], mu: %.17g, restitution: %.17g}",
                  draft_name(scene, "aft"), link, draft_name(scene, "bow"), link, mu, e);
    draft_watch_contact(scene, "meet", mu);
}

static void add_pendulum(RandomScene *scene, const char *name, double x, double length, double mass,
                         double radius, double angle, double armature)
{
    char shapes[200], link[900];
    ball(scene, shapes, sizeof shapes, radius, 0.0, 0.0, -length);
    write_link(scene, link, sizeof link, "j", "revolute", draft_axial(scene, 0.0, 1.0, 0.0),
               draft_vector(scene, x, 0.0, 1.0), mass, draft_vector(scene, 0.0, 0.0, -length),
               0.4 * mass * radius * radius, shapes);
    draft_body(scene, name,
               "{kind: robot, links: [%s], joints: {j: {position: %.17g, armature: %.17g}}}", link,
               angle, armature);
}

// Two pendulums that swing against each other.
void draft_make_pendulums(RandomScene *scene, Random *random)
{
    const double r1 = random_between(random, 0.03, 0.08), r2 = random_between(random, 0.03, 0.08);
    const double half = 0.5 * (r1 + r2 + random_between(random, 0.0, 0.05));
    under_gravity(scene);
    scene->stop = 0.8;
    for (int i = 0; i < 2; ++i) {
        const double length = random_between(random, 0.3, 0.6),
                     mass = random_decades(random, 0.3, 3.0);
        const double angle = random_between(random, 0.3, 0.9);
        add_pendulum(scene, i == 0 ? "aft" : "bow", i == 0 ? -half : half, length, mass,
                     i == 0 ? r1 : r2, i == 0 ? angle : -angle, 0.0);
        draft_watch_joint(scene, i == 0 ? "aft" : "bow", "j");
    }
    add_meeting(scene, random, "j_link");
}

// An arm of two links in the plane of x and z, its hand at a place; side 1 or -1 is where it comes from.
static void add_arm(RandomScene *scene, Random *random, const char *name, double side,
                    double hand_x, double hand_z, double radius, double armature)
{
    const double l1 = random_between(random, 0.2, 0.4), l2 = random_between(random, 0.2, 0.4);
    const double q1 = side * random_between(random, -0.8, 0.3),
                 q2 = side * random_between(random, 0.3, 1.2);
    // links point away from the base along -side x at q = 0; a turn about y takes x to x cos, -x sin
    const double s = -side, x = s * (l1 * cos(q1) + l2 * cos(q1 + q2));
    const double z = -s * (l1 * sin(q1) + l2 * sin(q1 + q2));
    char shapes[200], upper[900], fore[900];
    const double m1 = random_between(random, 0.5, 2.0), m2 = random_between(random, 0.3, 1.0);
    ball(scene, shapes, sizeof shapes, radius, s * l2, 0.0, 0.0);
    write_link(scene, upper, sizeof upper, "j", "revolute", draft_axial(scene, 0.0, 1.0, 0.0),
               draft_vector(scene, hand_x - x, 0.0, hand_z - z), m1,
               draft_vector(scene, 0.5 * s * l1, 0.0, 0.0), m1 * l1 * l1 / 12.0, "");
    write_link(scene, fore, sizeof fore, "k", "revolute", draft_axial(scene, 0.0, 1.0, 0.0),
               draft_vector(scene, s * l1, 0.0, 0.0), m2,
               draft_vector(scene, 0.5 * s * l2, 0.0, 0.0), m2 * l2 * l2 / 12.0, shapes);
    draft_body(scene, name,
               "{kind: robot, links: [%s, %s], joints: {j: {position: %.17g, armature: %.17g}, k: "
               "{position: %.17g, armature: %.17g}}}",
               upper, fore, q1, armature, q2, armature);
    draft_watch_joint(scene, name, "j");
    draft_watch_joint(scene, name, "k");
}

// Where several joints have static friction above sliding, more than one of them may be the one that
// breaks loose: then there is no one answer, so only one is sticky.
static void brake_arm(RandomScene *scene, Random *random, const char *name, const char *joint,
                      const char *element, bool sticky)
{
    const double level = random_decades(random, 0.05, 2.0),
                 more = random_between(random, 1.05, 1.5);
    const double above = sticky && random_below(random, 2) == 0 ? more : 1.0;
    draft_element(scene, element,
                  "{kind: friction, on: %s.%s, model: coulomb, level: %.17g, static: %.17g}",
                  draft_name(scene, name), joint, level, above * level);
    draft_watch_friction(scene, element, 1.0, above * level);
}

static void add_drive(RandomScene *scene, Random *random, const char *element, const char *arm,
                      double most)
{
    const double torque = random_between(random, -most, most),
                 rate = random_between(random, 3.0, 12.0);
    draft_element(scene, element, "{kind: force, on: %s.j, value: \"%.17g*sin(%.17g*t)\"}",
                  draft_name(scene, arm), torque, rate);
}

// Two arms whose hands are driven against each other, with friction in all joints.
void draft_make_arms(RandomScene *scene, Random *random)
{
    const double radius = random_between(random, 0.02, 0.05);
    const double half = radius + 0.5 * random_between(random, 0.002, 0.02);
    if (random_below(random, 2) == 0) under_gravity(scene);
    add_arm(scene, random, "aft", 1.0, half, 0.0, radius, 0.0);
    const double aside = random_between(random, -0.01, 0.01);
    add_arm(scene, random, "bow", -1.0, -half, aside, radius, 0.0);
    add_meeting(scene, random, "k_link");
    brake_arm(scene, random, "aft", "j", "wear0", true);
    brake_arm(scene, random, "aft", "k", "wear1", false);
    brake_arm(scene, random, "bow", "j", "wear2", false);
    brake_arm(scene, random, "bow", "k", "wear3", false);
    add_drive(scene, random, "drive0", "aft", 4.0);
    add_drive(scene, random, "drive1", "bow", 4.0);
}

// A ball with a wheel inside, which turns about the ball's centre: the centre of mass of both.
static void add_float(RandomScene *scene, Random *random, const char *name, double x, double y,
                      double radius, double velocity)
{
    const double mass = random_decades(random, 0.5, 3.0), wheel = random_between(random, 0.2, 1.0);
    char shapes[200], base[900], inner[900];
    ball(scene, shapes, sizeof shapes, radius, 0.0, 0.0, 0.0);
    write_link(scene, base, sizeof base, "base", "floating", draft_axial(scene, 0.0, 0.0, 1.0),
               draft_vector(scene, x, y, 0.0), mass, draft_vector(scene, 0.0, 0.0, 0.0),
               0.4 * mass * radius * radius, shapes);
    write_link(scene, inner, sizeof inner, "hub", "revolute", draft_axial(scene, 0.6, 0.0, 0.8),
               draft_vector(scene, 0.0, 0.0, 0.0), wheel, draft_vector(scene, 0.0, 0.0, 0.0),
               0.3 * wheel * radius * radius, "");
    draft_body(
        scene, name,
        "{kind: robot, links: [%s, %s], joints: {base: {velocity: [%s, 0, 0, 0, 0, 0]}, hub: "
        "{velocity: %.17g}}}",
        base, inner, draft_along_x(scene, velocity), random_between(random, -5.0, 5.0));
    draft_channel(scene, name, "base.x", ROLE_PLACE, -1.0);
    draft_channel(scene, name, "base.y", ROLE_PLACE, 1.0);
    draft_channel(scene, name, "base.z", ROLE_PLACE, 1.0);
    draft_mover(scene, draft_channel(scene, name, "base.vx", ROLE_SPEED, -1.0), mass + wheel);
    draft_channel(scene, name, "base.wx", ROLE_SPEED, 1.0);
    draft_channel(scene, name, "base.wy", ROLE_SPEED, -1.0);
    draft_channel(scene, name, "base.wz", ROLE_SPEED, -1.0);
    draft_watch_joint(scene, name, "hub");
}

// Two free robots that collide off their centres, with friction at the contact and in their hubs.
void draft_make_floating(RandomScene *scene, Random *random)
{
    const double r1 = random_between(random, 0.05, 0.2), r2 = random_between(random, 0.05, 0.2);
    const double v = random_between(random, 0.5, 2.0), w = v - random_between(random, 0.5, 3.0);
    const double aside = random_between(random, -0.7, 0.7) * (r1 + r2);
    const double reach = sqrt((r1 + r2) * (r1 + r2) - aside * aside);
    add_float(scene, random, "aft", 0.0, 0.0, r1, v);
    add_float(scene, random, "bow", reach + 0.1437 * (v - w), aside, r2, w);
    add_meeting(scene, random, "base_link");
    const double level = random_decades(random, 1e-3, 0.05);
    draft_element(scene, "wear0", "{kind: friction, on: %s.hub, model: coulomb, level: %.17g}",
                  draft_name(scene, "aft"), level);
    draft_watch_friction(scene, "wear0", 1.0, level);
}

// Links in a row with friction in every joint, released under gravity.
void draft_make_chain(RandomScene *scene, Random *random)
{
    const int links = 2 + random_below(random, 5);
    const double length = random_between(random, 0.1, 0.3), mass = random_between(random, 0.1, 1.0);
    const double weight = mass * gravity * length * links;
    const int sticky = random_below(random, 2 * links); // one joint at most
    char body[SCENE_LINE] = "";
    under_gravity(scene);
    for (int i = 0; i < links; ++i) {
        char joint[8], element[8], link[900];
        snprintf(joint, sizeof joint, "j%d", i);
        snprintf(element, sizeof element, "wear%d", i);
        write_link(scene, link, sizeof link, joint, "revolute", draft_axial(scene, 0.0, 1.0, 0.0),
                   draft_vector(scene, i == 0 ? 0.0 : length, 0.0, 0.0), mass,
                   draft_vector(scene, length / 2.0, 0.0, 0.0), mass * length * length / 12.0, "");
        snprintf(body + strlen(body), sizeof body - strlen(body), "%s%s", i > 0 ? ", " : "", link);
    }
    draft_body(scene, "chain", "{kind: robot, links: [%s]}", body);
    for (int i = 0; i < links; ++i) {
        char joint[16], element[16];
        snprintf(joint, sizeof joint, "j%d", i);
        snprintf(element, sizeof element, "wear%d", i);
        draft_watch_joint(scene, "chain", joint);
        const double level = random_decades(random, 0.003, 0.3) * weight;
        const double most = i == sticky ? 1.2 * level : level;
        draft_element(scene, element,
                      "{kind: friction, on: %s.%s, model: coulomb, level: %.17g, static: %.17g}",
                      draft_name(scene, "chain"), joint, level, most);
        draft_watch_friction(scene, element, 1.0, most);
    }
}

// An arm with friction in its joints falls with its hand on the floor.
void draft_make_tip(RandomScene *scene, Random *random)
{
    const double radius = random_between(random, 0.02, 0.05);
    const double drop = random_below(random, 2) == 0 ? 0.0 : random_between(random, 0.002, 0.05);
    under_gravity(scene);
    const double armature = random_between(random, 0.01, 0.1);
    add_arm(scene, random, "arm", 1.0, 0.0, radius + drop, radius, armature);
    const double mu = random_between(random, 0.1, 0.9);
    draft_element(scene, "floor", "{kind: contact, on: %s.k_link, mu: %.17g}",
                  draft_name(scene, "arm"), mu);
    draft_watch_contact(scene, "floor", mu);
    brake_arm(scene, random, "arm", "j", "wear0", true);
    brake_arm(scene, random, "arm", "k", "wear1", false);
    if (random_below(random, 2) == 0) add_drive(scene, random, "drive", "arm", 10.0);
}
