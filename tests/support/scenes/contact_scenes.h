// Boxes, spheres and chains on a plane, for the solver `coupled`. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_CONTACT_SCENES_H
#define STICTION_TESTS_SCENES_CONTACT_SCENES_H

#include <math.h>
#include <stdio.h>

#include "support/scenes/chain.h"
#include "support/scenes/rig.h"

static inline StiRigidBody box_body(double mass, StiVec3 half, StiVec3 at)
{
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return (
        StiRigidBody){.mass = mass,
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

#endif
