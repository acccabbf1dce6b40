// Simulation I of [modular]: a sphere thrown along a soft plane slides, then rolls.
#ifndef STICTION_TESTS_SCENES_ROLLING_SPHERE_H
#define STICTION_TESTS_SCENES_ROLLING_SPHERE_H

#include "stiction/stiction.h"
#include "support/plan.h"

typedef struct RollingSphere {
    StiPlan *plan;
    StiAdmittanceId sphere;
    StiElementId contact;
} RollingSphere;

static const double rolling_sphere_mass = 0.3, rolling_sphere_radius = 0.2, rolling_sphere_mu = 0.1,
                    rolling_sphere_gravity = 9.8, rolling_sphere_throw = 2.0,
                    rolling_sphere_K = 1e7;

// height: of the centre, at the start.
static inline RollingSphere scene_rolling_sphere(double T, double height)
{
    const double M = rolling_sphere_mass, R = rolling_sphere_radius, J = 0.4 * M * R * R;
    const StiRigidBody ball = {.mass = M,
                               .inertia = {J, J, J},
                               .position = {0.0, 0.0, height},
                               .velocity = {rolling_sphere_throw, 0.0, 0.0}};
    const StiSoftContact soft = {.points = 1,
                                 .K = rolling_sphere_K,
                                 .B = 10.0,
                                 .mu = rolling_sphere_mu};
    RollingSphere scene = {.plan = plan_in_stages()};
    sti_plan_set_step(scene.plan, T);
    sti_plan_set_method(scene.plan, &sti_method_rk4);
    sti_plan_set_gravity(scene.plan, sti_vec3(0.0, 0.0, -rolling_sphere_gravity));
    scene.sphere = sti_plan_add_admittance(scene.plan, "sphere", &sti_kind_rigid_body, &ball);
    const StiWire wire = sti_wire_sphere_plane(scene.sphere, 0, sti_vec3(0.0, 0.0, 0.0), R,
                                               sti_vec3(0.0, 0.0, 0.0), sti_vec3(0.0, 0.0, 1.0));
    scene.contact =
        sti_plan_add_impedance(scene.plan, "contact", &sti_kind_soft_contact, &soft, &wire);
    return scene;
}

// At rest on its spring: p_z = R - M g/K.
static inline double rolling_sphere_rest_height(void)
{
    return rolling_sphere_radius - rolling_sphere_mass * rolling_sphere_gravity / rolling_sphere_K;
}

#endif
