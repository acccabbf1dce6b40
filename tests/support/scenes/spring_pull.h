// Simulation I of [fixed-step]: a hand moves at 2 m/s for 2 s, then stands, and pulls a block of 1
// kg through a spring of 90 N/m.
#ifndef STICTION_TESTS_SCENES_SPRING_PULL_H
#define STICTION_TESTS_SCENES_SPRING_PULL_H

#include "support/plan.h"
#include "support/scenes/friction.h"

typedef struct SpringPull {
    StiPlan *plan;
    StiAdmittanceId hand, block;
    StiElementId spring, friction;
} SpringPull;

static inline void spring_pull_hand(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * fmin(t, 2.0);
    values[1] = t <= 2.0 ? 2.0 : 0.0;
}

static inline SpringPull scene_spring_pull(double T, SceneFriction friction)
{
    SpringPull scene = {.plan = friction.reaction != NULL ? plan_under_rule() : plan_in_stages()};
    sti_plan_set_step(scene.plan, T);
    scene.hand = sti_plan_add_motion(scene.plan, "hand", 1,
                                     (StiTimeFunction){.count = 2, .eval = spring_pull_hand});
    scene.block = sti_plan_add_admittance(scene.plan, "block", &sti_kind_point_mass,
                                          &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire pull = sti_wire_coordinate_pair(scene.hand, 0, scene.block, 0, 1);
    scene.spring = sti_plan_add_impedance(scene.plan, "spring", &sti_kind_spring_damper,
                                          &(StiSpringDamper){.dim = 1, .K = 90.0}, &pull);
    scene.friction = scene_add_friction(scene.plan, "friction", friction,
                                        sti_wire_coordinate(scene.block, 0, 1));
    return scene;
}

#endif
