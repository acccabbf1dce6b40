// Simulation III of [modular]: two rods in the horizontal plane, each a rigid body, held by penalty
// joints with friction, and driven by torques that end below the level of the friction.
#ifndef STICTION_TESTS_SCENES_TWO_LINK_ARM_H
#define STICTION_TESTS_SCENES_TWO_LINK_ARM_H

#include "support/plan.h"
#include "support/scenes/friction.h"

typedef struct TwoLinkArm {
    StiPlan *plan;
    StiAdmittanceId links[2];
    StiElementId joints[2], frictions[2];
} TwoLinkArm;

static const double two_link_mass = 0.2, two_link_length = 0.5; // kg, m, each

static inline void two_link_torque(double t, double shaken, double *torque)
{
    *torque = t < 4.0 ? fmin(0.52, 0.3 * t) : 0.336 + 0.144 * shaken;
}
static inline void two_link_torque_0(const void *data, void *workspace, double t, double *torque)
{
    (void)data, (void)workspace;
    two_link_torque(t, sin(100.0 * t), torque); // (28c)
}
static inline void two_link_torque_1(const void *data, void *workspace, double t, double *torque)
{
    (void)data, (void)workspace;
    two_link_torque(t, cos(100.0 * t), torque); // (28d)
}

// Joint i between the tip of link i - 1 (or the origin) and the base of link i.
static inline void two_link_joint(TwoLinkArm *arm, int i, const StiPenaltyJoint *joint,
                                  SceneFriction friction)
{
    static const char *const names[2][3] = {{"shoulder", "shoulder-friction", "shoulder-motor"},
                                            {"elbow", "elbow-friction", "elbow-motor"}};
    const StiAdmittanceId before = i == 0 ? (StiAdmittanceId){-1} : arm->links[i - 1];
    const StiFrame base = {.p = {-0.5 * two_link_length, 0.0, 0.0}, .q = STI_QUAT_IDENTITY};
    const StiFrame tip = {.p = {0.5 * two_link_length, 0.0, 0.0}, .q = STI_QUAT_IDENTITY};
    const StiFrame origin = {.q = STI_QUAT_IDENTITY}, E = i == 0 ? origin : tip;
    const StiWire frames = sti_wire_frame(arm->links[i], 0, base, before, 0, E);
    const StiWire hinge = sti_wire_hinge(arm->links[i], 0, base, before, 0, E);
    arm->joints[i] =
        sti_plan_add_impedance(arm->plan, names[i][0], &sti_kind_penalty_joint, joint, &frames);
    arm->frictions[i] = scene_add_friction(arm->plan, names[i][1], friction, hinge);
    sti_plan_add_force(arm->plan, names[i][2], &hinge, 1,
                       (StiTimeFunction){.count = 1,
                                         .eval = i == 0 ? two_link_torque_0 : two_link_torque_1});
}

static inline TwoLinkArm scene_two_link_arm(double T, const StiPenaltyJoint *joint,
                                            SceneFriction friction)
{
    const double m = two_link_mass, l = two_link_length, J = m * l * l / 12.0;
    TwoLinkArm arm = {.plan = plan_in_stages()};
    sti_plan_set_step(arm.plan, T);
    sti_plan_set_method(arm.plan, &sti_method_rk4);
    for (int i = 0; i < 2; ++i)
        arm.links[i] =
            sti_plan_add_admittance(arm.plan, i == 0 ? "upper-arm" : "forearm",
                                    &sti_kind_rigid_body,
                                    &(StiRigidBody){.mass = m,
                                                    .inertia = {2e-4, J, J},
                                                    .position = {(0.5 + i) * l, 0.0, 0.0}});
    for (int i = 0; i < 2; ++i) two_link_joint(&arm, i, joint, friction);
    return arm;
}

#endif
