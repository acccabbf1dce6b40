// Boxes, spheres and chains on a plane, for the solver `coupled`. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_CONTACT_SCENES_H
#define STICTION_TESTS_SCENES_CONTACT_SCENES_H

#include <math.h>
#include <stdio.h>

#include "support/scenes/rig.h"

static const double GRAVITY = 9.81;

static inline StiRigidBody box_body(double mass, StiVec3 half, StiVec3 at)
{
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return (StiRigidBody){
        .mass = mass,
        .inertia = {mass * (y + z) / 3.0, mass * (x + z) / 3.0, mass * (x + y) / 3.0},
        .position = {at.x, at.y, at.z}};
}

static inline StiContactShape box_shape(StiAdmittanceId body, StiVec3 half)
{
    return (StiContactShape){body, 0, sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)};
}

// Fixed in the world, through the origin.
static inline StiContactShape ground_shape(StiVec3 normal)
{
    return (StiContactShape){{-1}, 0, sti_shape_plane(sti_vec3(0.0, 0.0, 0.0), normal)};
}

static inline StiElementId contact_between(StiPlan *plan, const char *name, StiContactShape a,
                                           StiContactShape b, double mu)
{
    return sti_plan_add_contact(
        plan, name, &(StiContact){.a = &a, .a_count = 1, .b = &b, .b_count = 1, .mu = mu});
}

// A force 3 + 1.5 sin(2 pi 5 t) N along an angle in the plane.
typedef struct Dither {
    double angle;
} Dither;

static inline void dither_force(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double f = 3.0 + 1.5 * sin(2.0 * 3.14159265358979323846 * 5.0 * t);
    const double angle = ((const Dither *)data)->angle;
    values[0] = f * cos(angle);
    values[1] = f * sin(angle);
    values[2] = 0.0;
}

// T5 of COUPLED.md: a chain laid out horizontally from a fixed pivot along x; joints turn about y,
// with friction of 0.05 N m; two spheres on the last link rest on a plane with mu = 0.5.
enum { CHAIN_MOST = 128 };
typedef struct Chain {
    StiRobot *robot;
    StiAdmittanceId id;
    StiPlan *plan;
} Chain;

static inline StiRobot *chain_robot(int n)
{
    StiLink *links = calloc((size_t)n, sizeof *links);
    char(*names)[2][16] = calloc((size_t)n, sizeof *names);
    const double a = 0.04 * 0.04, b = 0.3 * 0.3;
    for (int i = 0; i < n; ++i) {
        snprintf(names[i][0], sizeof names[i][0], "link%d", i);
        snprintf(names[i][1], sizeof names[i][1], "joint%d", i);
        links[i] = (StiLink){.name = names[i][0],
                             .joint_name = names[i][1],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i > 0 ? 0.3 : 0.0, 0.0, 0.0}},
                             .axis = {0.0, 1.0, 0.0},
                             .mass = 1.0,
                             .centre = {0.15, 0.0, 0.0},
                             .inertia = {(a + a) / 12.0, (a + b) / 12.0, (a + b) / 12.0}};
    }
    StiRobot *robot = sti_robot_create(links, n, NULL);
    free(names);
    free(links);
    return robot;
}

static inline Chain chain_plan(int n, double friction, double T)
{
    Chain chain = {.robot = chain_robot(n), .plan = sti_plan_create()};
    sti_plan_set_step(chain.plan, T);
    sti_plan_set_gravity(chain.plan, sti_vec3(0.0, 0.0, -GRAVITY));
    chain.id = sti_plan_add_admittance(chain.plan, "chain", &sti_kind_robot,
                                       &(StiRobotBody){.robot = chain.robot});
    for (int i = 0; friction > 0.0 && i < n; ++i) {
        char name[24];
        snprintf(name, sizeof name, "friction%03d", i);
        const StiWire wire = sti_wire_joint(chain.id, chain.robot, i);
        sti_plan_add_reaction(chain.plan, name, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(friction)}, &wire);
    }
    const StiContactShape spheres[2] = {
        {chain.id, n - 1, sti_shape_sphere(sti_vec3(0.02, 0.0, 0.0), 0.03)},
        {chain.id, n - 1, sti_shape_sphere(sti_vec3(0.28, 0.0, 0.0), 0.03)}};
    const StiContactShape floor = {
        {-1}, 0, sti_shape_plane(sti_vec3(0.0, 0.0, -0.03), sti_vec3(0.0, 0.0, 1.0))};
    sti_plan_add_contact(
        chain.plan, "floor",
        &(StiContact){.a = spheres, .a_count = 2, .b = &floor, .b_count = 1, .mu = 0.5});
    return chain;
}

#endif
