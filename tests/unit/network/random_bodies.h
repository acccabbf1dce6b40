// Bodies of all kinds joined at random by wires of all kinds. Include after cmocka.h.
#ifndef STICTION_TESTS_RANDOM_BODIES_H
#define STICTION_TESTS_RANDOM_BODIES_H

#include <stdio.h>

#include "built.h"
#include "support/random.h"

enum { BODIES_MOST = 8 };

static inline StiVec3 random_vec3(Random *random, double size)
{
    return sti_vec3(random_between(random, -size, size), random_between(random, -size, size),
                    random_between(random, -size, size));
}

static inline StiFrame random_frame(Random *random)
{
    return (StiFrame){.p = random_vec3(random, 0.5), .q = sti_quat_exp(random_vec3(random, 3.0))};
}

// A point mass in space or a rigid body.
static inline StiAdmittanceId add_free_body(StiPlan *plan, const char *name, Random *random)
{
    const double m = random_decades(random, 0.1, 10.0);
    if (random_below(random, 2) == 0)
        return sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                       &(StiPointMass){.dim = 3, .mass = m});
    return sti_plan_add_admittance(
        plan, name, &sti_kind_rigid_body,
        &(StiRigidBody){.mass = m, .inertia = {0.8 * m, m, 1.1 * m, 0.1 * m, -0.2 * m, 0.05 * m}});
}

// The same, or a block on a guide.
static inline StiAdmittanceId add_random_body(StiPlan *plan, const char *name, Random *random)
{
    if (random_below(random, 3) > 0) return add_free_body(plan, name, random);
    return sti_plan_add_admittance(
        plan, name, &sti_kind_guided_block,
        &(StiGuidedBlock){.mass = random_decades(random, 0.1, 10.0),
                          .axis = {1.0, random_between(random, -1.0, 1.0), 0.5}});
}

// b may be the ground (index -1). One, two or three velocities.
static inline StiWire random_wire(Random *random, StiAdmittanceId a, StiAdmittanceId b)
{
    const StiVec3 on_a = random_vec3(random, 0.5), on_b = random_vec3(random, 0.5);
    const int dim = 1 + random_below(random, 3);
    switch (random_below(random, 4)) {
    case 0:
        return sti_wire_coordinate_pair(a, 0, b, 0, 1);
    case 1:
        return b.number < 0 ? sti_wire_point(a, 0, on_a, on_b, dim)
                           : sti_wire_point_pair(a, 0, on_a, b, 0, on_b, dim);
    case 2:
        return sti_wire_hinge(a, 0, random_frame(random), b, 0, random_frame(random));
    default:
        return b.number < 0 ? sti_wire_sphere_plane(a, 0, on_a, 0.1, on_b, sti_vec3(0.1, 0.2, 1.0))
                           : sti_wire_on_link(sti_wire_sphere_plane(a, 0, on_a, 0.1, on_b,
                                                                    sti_vec3(0.1, 0.2, 1.0)),
                                              b, 0);
    }
}

static inline int velocities_of(const StiWire *wire) { return wire->kind->size(wire).velocities; }

#endif
