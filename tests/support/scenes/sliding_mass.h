// A point mass on a surface with friction, in 1, 2 or 3 dimensions, pushed by a force and held by a
// spring to the origin, where they are given.
#ifndef STICTION_TESTS_SCENES_SLIDING_MASS_H
#define STICTION_TESTS_SCENES_SLIDING_MASS_H

#include "support/plan.h"
#include "support/scenes/friction.h"

typedef struct SlidingMass {
    StiPlan *plan;
    StiAdmittanceId mass;
    StiElementId friction;
} SlidingMass;

static inline SlidingMass scene_sliding_mass(double T, const StiPointMass *mass,
                                             SceneFriction friction)
{
    SlidingMass scene = {.plan = friction.reaction != NULL ? plan_under_rule() : plan_in_stages()};
    sti_plan_set_step(scene.plan, T);
    scene.mass = sti_plan_add_admittance(scene.plan, "mass", &sti_kind_point_mass, mass);
    scene.friction = scene_add_friction(scene.plan, "friction", friction,
                                        sti_wire_coordinate(scene.mass, 0, mass->dim));
    return scene;
}

static inline void sliding_mass_spring(const SlidingMass *scene, int dim, double K)
{
    const StiWire wire = sti_wire_coordinate(scene->mass, 0, dim);
    sti_plan_add_impedance(scene->plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = dim, .K = K}, &wire);
}

static inline void sliding_mass_force(const SlidingMass *scene, StiTimeFunction function)
{
    const StiWire wire = sti_wire_coordinate(scene->mass, 0, function.count);
    sti_plan_add_force(scene->plan, "force", &wire, function.count, function);
}

// A force given as the input "hand" of each step.
static inline void sliding_mass_hand(const SlidingMass *scene, int dim)
{
    const StiWire wire = sti_wire_coordinate(scene->mass, 0, dim);
    const StiElementId force = sti_plan_add_impedance(scene->plan, "push", &sti_kind_force_source,
                                                      &(StiForceSource){dim}, &wire);
    const StiSourceId hand = sti_plan_add_input(scene->plan, "hand", dim, NULL);
    for (int i = 0; i < dim; ++i)
        sti_plan_connect(scene->plan, sti_signal_source(hand, i), force, i);
}

#endif
