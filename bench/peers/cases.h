// The physical cases, each described once; every adapter builds its model from these numbers. SI
// units; the ground is the plane z = 0 unless a case says otherwise.
#ifndef STICTION_PEERS_CASES_H
#define STICTION_PEERS_CASES_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PeerCase {
    CASE_CREEP_BOX,     // a box that is pulled below its friction limit
    CASE_CREEP_JOINT,   // a hinge with dry friction, loaded below its limit
    CASE_SPRING_PULL,   // a block pulled by a spring; stops and must stay
    CASE_ZERO_CROSSING, // a block whose velocity crosses zero under a force above its friction
    CASE_TWO_LINK,      // two-link arm, torques that end below the friction
    CASE_CHAIN,         // n links with joint friction, the last one on two contacts
    CASE_ROLLING,       // a sphere that slips until it rolls
    CASE_SLIDING_BOX,   // a box pulled with 1.5 times its friction
    CASE_PINCH,         // a capsule held between two fingers by friction
    CASE_ARM,           // six-axis arm with joint friction, no contact
    CASES
} PeerCase;

// What an adapter reads out of its world.
enum { PEER_VALUES = 12 };
// creep box, sliding box: x, y, z of the centre       creep joint: angle, rate
// spring pull, zero crossing: x, v                    two-link: q0, q1, v0, v1
// chain: angles and rates of the first joints, chain_read() of them; rolling: x, y, z, vx, vy, vz
// pinch: x, y, z of the capsule                       arm: q0 ... q5, v0 ... v5

static const double case_gravity = 9.81;
static const double case_pi = 3.14159265358979323846;

// ---- boxes: 1 kg, 0.2 x 0.2 x 0.1 m, on the ground --------------------------------------------
static const double box_mass = 1.0, box_mu = 0.5;
static const double box_half[3] = {0.1, 0.1, 0.05};
static inline double box_inertia(int axis)
{
    const double *h = box_half;
    const double all = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
    return box_mass * (all - h[axis] * h[axis]) / 3.0;
}
// Along x, at the centre: at most 4.5 N of 4.905 N.
static inline double creep_box_force(double t) { return 3.0 + 1.5 * sin(2.0 * case_pi * 5.0 * t); }
// Along the angle of the task, at the centre. The box slides with mu g/2: 1.22625 m in 1 s, and does
// not tip: friction moves the middle of its pressure by 0.025 m.
static inline double sliding_box_force(void) { return 1.5 * box_mu * box_mass * case_gravity; }

// ---- a hinge about z, no gravity ------------------------------------------------------------------
static const double joint_inertia = 1.0, joint_level = 10.0; // kg m^2, N m
static inline double creep_joint_torque(double t)
{
    return 6.0 + 3.0 * sin(2.0 * case_pi * 5.0 * t);
}

// ---- a block on a straight guide, dry friction of 10 N, no gravity --------------------------------
static const double block_mass = 1.0, block_level = 10.0;
static const double pull_stiffness = 90.0; // N/m
static inline double pull_hand(double t) { return 2.0 * fmin(t, 2.0); }
static inline double pull_force(double t, double x) { return pull_stiffness * (pull_hand(t) - x); }
static const double crossing_velocity = -0.13, crossing_force = 40.0;
static inline double block_force(PeerCase which, double t, double x)
{
    return which == CASE_SPRING_PULL ? pull_force(t, x) : crossing_force;
}
static inline double block_velocity(PeerCase which)
{
    return which == CASE_SPRING_PULL ? 0.0 : crossing_velocity;
}

// ---- two uniform rods of 1 kg and 0.5 m in the horizontal plane, along x at the start ------------
static const double arm2_mass = 1.0, arm2_length = 0.5, arm2_level = 0.5;
static const double arm2_thin = 2e-4; // kg m^2 about the own axis; does not matter
static inline double arm2_inertia(void) { return arm2_mass * arm2_length * arm2_length / 12.0; }
// Ramps up to 0.52 N m, then shakes between 0.192 and 0.480 N m, below the 0.5 N m of friction.
static inline double arm2_torque(int joint, double t)
{
    if (t < 4.0) return fmin(0.52, 0.3 * t);
    return 0.336 + 0.144 * (joint == 0 ? sin(100.0 * t) : cos(100.0 * t));
}

// ---- n boxes of 1 kg, 0.3 x 0.04 x 0.04 m, a chain along x from the origin ----------------------
// Joints turn about y. Two spheres on the last link touch the plane z = -0.03; links do not touch.
static const double chain_mass = 1.0, chain_length = 0.3, chain_width = 0.04, chain_level = 0.05;
static const double chain_radius = 0.03, chain_mu = 0.5;
static const double chain_spheres[2] = {0.02, 0.28}; // along the last link
static inline int chain_read(int links) { return links < 6 ? links : 6; }
static inline double chain_inertia(int axis)
{
    const double a = chain_width * chain_width, b = chain_length * chain_length;
    return chain_mass * (axis == 0 ? a + a : a + b) / 12.0;
}

// ---- a sphere, launched along the ground without spin --------------------------------------------
static const double ball_mass = 0.3, ball_radius = 0.2, ball_mu = 0.1, ball_speed = 2.0;
static inline double ball_inertia(void) { return 0.4 * ball_mass * ball_radius * ball_radius; }

// ---- a capsule between two fingers ----------------------------------------------------------------
// Axis along y; fingers are boxes on guides along x that press with 10 N each; 2 x 10 N x 0.5 holds
// 0.2 kg five times over.
static const double capsule_mass = 0.2, capsule_radius = 0.03, capsule_half = 0.05, pinch_mu = 0.5;
static const double finger_mass = 0.2, finger_force = 10.0, pinch_height = 0.5;
static const double finger_half[3] = {0.01, 0.1, 0.05};
// Cylinder and two half spheres of the same density.
static inline double capsule_inertia(int axis)
{
    const double r = capsule_radius, h = 2.0 * capsule_half;
    const double cylinder = case_pi * r * r * h, ball = 4.0 / 3.0 * case_pi * r * r * r;
    const double mc = capsule_mass * cylinder / (cylinder + ball), mb = capsule_mass - mc;
    if (axis == 1) return 0.5 * mc * r * r + 0.4 * mb * r * r;
    return mc * (h * h / 12.0 + r * r / 4.0) + mb * (0.4 * r * r + 0.25 * h * h + 0.375 * h * r);
}

// ---- six-axis arm: examples/robots/six_axis.urdf in numbers ---------------------------------------
// Straight at the start. Not all simulators know inertias of rotors behind gears, so that every link
// carries its rotor's as a ball would (the same about all axes).
enum { ARM_AXES = 6 };
typedef struct ArmLink {
    const char *name;
    double place[3]; // of the joint in the parent
    int turned;      // the joint's axes are turned by 90 degrees about y
    int about_z;     // the joint turns about z, else about y
    double mass, centre[3], inertia[3], rotor, level;
} ArmLink;
static const ArmLink arm_links[ARM_AXES] = {
    {"turn", {0, 0, 0.16}, 0, 1, 3.6, {0, 0, 0.01}, {0.00912, 0.00912, 0.00648}, 1.0, 11.2},
    {"lift", {0, 0.07, 0}, 1, 0, 7.8, {0, 0.06, 0.2}, {0.12608, 0.12608, 0.011798}, 1.0, 12.4},
    {"elbow", {0, -0.01, 0.425}, 0, 0, 2.4, {0, 0, 0.17}, {0.031635, 0.031635, 0.00243}, 0.6, 7.3},
    {"pitch", {0, 0, 0.392}, 1, 0, 1.2, {0, 0.045, 0}, {0.00148, 0.00096, 0.00148}, 0.08, 1.6},
    {"yaw", {0, 0.093, 0}, 0, 1, 1.2, {0, 0, 0.045}, {0.00148, 0.00148, 0.00096}, 0.08, 1.5},
    {"roll",
     {0, 0, 0.095},
     0,
     0,
     0.25,
     {0, 0.02, 0},
     {0.0001099, 0.00015313, 0.0001099},
     0.06,
     1.1},
};
static inline double arm_inertia(int link, int axis)
{
    return arm_links[link].inertia[axis] + arm_links[link].rotor;
}
// Gravity acts; these torques shake every joint to and fro through stick and slip.
static inline double arm_torque(int joint, double t)
{
    return 3.0 * arm_links[joint].level * sin(100.0 * t * (1.0 + 0.1 * joint));
}
// Quarter turns about y so far (-> axes of the link: x' = (c, 0, -s), z' = (s, 0, c)), and the origin
// of the link in the world at the start, for simulators without reduced coordinates.
static inline void arm_start(int link, double p[3], double *c, double *s)
{
    *c = 1.0, *s = 0.0, p[0] = p[1] = p[2] = 0.0;
    for (int i = 0; i <= link; ++i) {
        const double *at = arm_links[i].place, old = *c;
        p[0] += *c * at[0] + *s * at[2];
        p[1] += at[1];
        p[2] += -*s * at[0] + *c * at[2];
        if (arm_links[i].turned) *c = -*s, *s = old;
    }
}

// ---- loads, the same for everyone -----------------------------------------------------------------
static inline int case_loaded_joints(PeerCase which)
{
    return which == CASE_ARM        ? ARM_AXES
           : which == CASE_TWO_LINK ? 2
           : which == CASE_CREEP_JOINT || which == CASE_SPRING_PULL || which == CASE_ZERO_CROSSING
               ? 1
               : 0;
}
// N m, or N on the block, whose position is x.
static inline double case_joint_load(PeerCase which, int joint, double t, double x)
{
    if (which == CASE_ARM) return arm_torque(joint, t);
    if (which == CASE_TWO_LINK) return arm2_torque(joint, t);
    return which == CASE_CREEP_JOINT ? creep_joint_torque(t) : block_force(which, t, x);
}
static inline int case_pulls_a_box(PeerCase which)
{
    return which == CASE_CREEP_BOX || which == CASE_SLIDING_BOX;
}
// N, along the angle of the task, at the centre.
static inline double case_pull(PeerCase which, double t)
{
    return which == CASE_CREEP_BOX ? creep_box_force(t) : sliding_box_force();
}

// Mass that moves; adapters report what their simulator says, and the runner compares.
static inline double case_mass(PeerCase which, int links)
{
    switch (which) {
    case CASE_CREEP_BOX:
    case CASE_SLIDING_BOX:
        return box_mass;
    case CASE_CREEP_JOINT:
        return 1.0;
    case CASE_SPRING_PULL:
    case CASE_ZERO_CROSSING:
        return block_mass;
    case CASE_TWO_LINK:
        return 2.0 * arm2_mass;
    case CASE_CHAIN:
        return links * chain_mass;
    case CASE_ROLLING:
        return ball_mass;
    case CASE_PINCH:
        return capsule_mass + 2.0 * finger_mass;
    default:
        return 3.6 + 7.8 + 2.4 + 1.2 + 1.2 + 0.25;
    }
}
static inline double case_gravity_of(PeerCase which)
{
    return which == CASE_CREEP_JOINT || which == CASE_SPRING_PULL || which == CASE_ZERO_CROSSING ||
                   which == CASE_TWO_LINK
               ? 0.0
               : case_gravity;
}

#ifdef __cplusplus
}
#endif
#endif
