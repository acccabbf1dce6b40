// Machines whose contacts hold, slide or roll on, while nothing else happens; for tests and benchmarks.
#ifndef STICTION_TESTS_SCENES_QUIET_CONTACTS_H
#define STICTION_TESTS_SCENES_QUIET_CONTACTS_H

#include <math.h>
#include <stdio.h>

#include "stiction/stiction.h"

static inline void add_floor(StiPlan *plan, const StiContactShape *shapes, int count, double mu)
{
    const StiContactShape floor = {
        {-1}, 0, sti_shape_plane(sti_vec3(0.0, 0.0, 0.0), sti_vec3(0.0, 0.0, 1.0))};
    sti_plan_add_contact(
        plan, "floor",
        &(StiContact){.a = shapes, .a_count = count, .b = &floor, .b_count = 1, .mu = mu});
}

// 1 kg, 0.2 x 0.2 x 0.1 m, mu 0.5.
static inline StiAdmittanceId add_free_box(StiPlan *plan, StiVec3 w, double height)
{
    const StiVec3 half = {0.1, 0.1, 0.05};
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {0.0042, 0.0042, 0.0067},
                                                .position = {0.0, 0.0, half.z + height},
                                                .angular_velocity = {w.x, w.y, w.z}});
    const StiContactShape box = {body, 0, sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)};
    add_floor(plan, &box, 1, 0.5);
    return body;
}

static inline void box_tumbles(StiPlan *plan) { add_free_box(plan, sti_vec3(9.0, 5.0, 2.0), 0.1); }

// Pulled at its centre along x and a little along y.
static inline void add_box(StiPlan *plan, StiTimeFunction pull)
{
    const StiAdmittanceId body = add_free_box(plan, sti_vec3(0.0, 0.0, 0.0), 0.0);
    const StiWire centre = sti_wire_coordinate(body, 0, 3);
    sti_plan_add_force(plan, "pull", &centre, 3, pull);
}

static inline void pull_weakly(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace, (void)t;
    f[0] = 3.0, f[1] = 1.0, f[2] = 0.0;
}
static inline void pull_and_shake(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    f[0] = 3.0 + 1.5 * sin(30.0 * t), f[1] = 0.5, f[2] = 0.0;
}
static inline void pull_strongly(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace, (void)t;
    f[0] = 7.0, f[1] = 2.0, f[2] = 0.0;
}

static inline void box_at_rest(StiPlan *plan)
{
    add_box(plan, (StiTimeFunction){.count = 3, .eval = pull_weakly});
}
static inline void box_shaken(StiPlan *plan)
{
    add_box(plan, (StiTimeFunction){.count = 3, .eval = pull_and_shake});
}
static inline void box_slides(StiPlan *plan)
{
    add_box(plan, (StiTimeFunction){.count = 3, .eval = pull_strongly});
}

// 0.3 kg, radius 0.2 m, mu 0.1.
static inline void add_ball(StiPlan *plan, double v, double w)
{
    const double radius = 0.2, mass = 0.3, J = 0.4 * mass * radius * radius;
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = mass,
                                                .inertia = {J, J, J},
                                                .position = {0.0, 0.0, radius},
                                                .velocity = {v, 0.5 * v, 0.0},
                                                .angular_velocity = {-0.5 * w, w, 0.0}});
    const StiContactShape ball = {body, 0, sti_shape_sphere(sti_vec3(0.0, 0.0, 0.0), radius)};
    add_floor(plan, &ball, 1, 0.1);
}

static inline void ball_rolls(StiPlan *plan) { add_ball(plan, 2.0, 10.0); }
static inline void ball_slides(StiPlan *plan) { add_ball(plan, 20.0, 0.0); }

static inline StiLink rod(const char *name, int parent, StiVec3 at, StiVec3 axis, StiVec3 along,
                          double mass)
{
    const double length = sti_vec3_norm(along), J = mass * length * length / 12.0;
    return (StiLink){.name = name,
                     .joint_name = name,
                     .parent = parent,
                     .joint = STI_JOINT_REVOLUTE,
                     .placement = {.p = at},
                     .axis = axis,
                     .mass = mass,
                     .centre = sti_vec3_scale(0.5, along),
                     .inertia = {J, J, J},
                     .armature = 0.01};
}

static inline void add_spring(StiPlan *plan, StiAdmittanceId body, const StiRobot *robot, int link,
                              double K, double B, double rest)
{
    char name[24];
    snprintf(name, sizeof name, "spring%d", link);
    const StiWire wire = sti_wire_joint(body, robot, link);
    sti_plan_add_impedance(plan, name, &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = K, .B = B, .rest = {rest}}, &wire);
}

static inline void drive(const void *data, void *workspace, double t, double *f)
{
    (void)workspace, (void)t;
    f[0] = *(const double *)data;
}

// Turns about z with friction in all three joints; springs press its tip, a ball, onto the floor.
static inline void arm_slides(StiPlan *plan)
{
    static const double torque = 6.0;
    static const double q[3] = {0.0, -0.5235987755982988, 1.0471975511965976};
    const double v[3] = {1.0, 0.0, 0.0}, radius = 0.02, length = 0.4;
    const StiVec3 y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0}, x = {length, 0.0, 0.0};
    const double height = radius + length * (sin(q[1]) + sin(q[1] + q[2]));
    const StiLink links[3] = {rod("turn", -1, sti_vec3(0.0, 0.0, height), z,
                                  sti_vec3(0.0, 0.0, -0.1), 2.0),
                              rod("lift", 0, sti_vec3(0.0, 0.0, 0.0), y, x, 1.0),
                              rod("elbow", 1, x, y, x, 1.0)};
    StiRobot *robot = sti_robot_create(links, 3, NULL);
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                                         &(StiRobotBody){.robot = robot,
                                                                         .positions = 3,
                                                                         .velocities = 3,
                                                                         .position = q,
                                                                         .velocity = v});
    const StiContactShape tip = {body, 2, sti_shape_sphere(x, radius)};
    add_floor(plan, &tip, 1, 0.4);
    for (int i = 0; i < 3; ++i) {
        char name[24];
        snprintf(name, sizeof name, "friction%d", i);
        const StiWire wire = sti_wire_joint(body, robot, i);
        sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(0.05)}, &wire);
        if (i > 0) add_spring(plan, body, robot, i, 20.0, 1.0, q[i] + (i == 1 ? 0.2 : 0.1));
    }
    const StiWire turn = sti_wire_joint(body, robot, 0);
    sti_plan_add_force(plan, "motor", &turn, 1,
                       (StiTimeFunction){.count = 1, .eval = drive, .data = &torque});
    sti_robot_destroy(robot); // the plan has its own
}

// A trunk on four legs of two joints, held by springs with dampers; feet are balls.
static inline void quadruped_stands(StiPlan *plan)
{
    enum { LEGS = 4, LINKS = 1 + 2 * LEGS };
    static const char *const names[LEGS][2] = {{"hip0", "knee0"},
                                               {"hip1", "knee1"},
                                               {"hip2", "knee2"},
                                               {"hip3", "knee3"}};
    const StiVec3 y = {0.0, 1.0, 0.0}, down = {0.0, 0.0, -0.25};
    const double radius = 0.03, hip = 0.5, knee = -1.0;
    StiLink links[LINKS] = {{.name = "trunk",
                             .joint_name = "base",
                             .parent = -1,
                             .joint = STI_JOINT_FLOATING,
                             .mass = 10.0,
                             .inertia = {0.1, 0.3, 0.35}}};
    for (int i = 0; i < LEGS; ++i) {
        const StiVec3 at = {i < 2 ? 0.25 : -0.25, i % 2 == 0 ? 0.15 : -0.15, 0.0};
        links[1 + 2 * i] = rod(names[i][0], 0, at, y, down, 0.8);
        links[2 + 2 * i] = rod(names[i][1], 1 + 2 * i, down, y, down, 0.4);
    }
    double q[7 + 2 * LEGS] = {0.0, 0.0, radius + 0.25 * (cos(hip) + cos(hip + knee)), 1.0};
    for (int i = 0; i < LEGS; ++i) q[7 + 2 * i] = hip, q[8 + 2 * i] = knee;
    StiRobot *robot = sti_robot_create(links, LINKS, NULL);
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "quadruped", &sti_kind_robot,
                                                         &(StiRobotBody){.robot = robot,
                                                                         .positions = 7 + 2 * LEGS,
                                                                         .position = q});
    StiContactShape feet[LEGS];
    for (int i = 0; i < LEGS; ++i) {
        feet[i] = (StiContactShape){body, 2 + 2 * i, sti_shape_sphere(down, radius)};
        add_spring(plan, body, robot, 1 + 2 * i, 200.0, 5.0, hip);
        add_spring(plan, body, robot, 2 + 2 * i, 200.0, 5.0, knee);
    }
    add_floor(plan, feet, LEGS, 0.8);
    sti_robot_destroy(robot); // the plan has its own
}

#endif
