// One joint behind a gear, with friction and a torque. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_GEARED_JOINT_H
#define STICTION_TESTS_SCENES_GEARED_JOINT_H

#include "support/plan.h"
#include "support/scenes/rig.h"

typedef struct GearedJoint {
    StiPlan *plan;
    StiRobot *robot;
    StiAdmittanceId arm;
    StiElementId friction;
} GearedJoint;

static inline GearedJoint geared_joint(const StiFiniteTime *friction, StiTimeFunction torque)
{
    const StiLink link = {.name = "arm",
                          .joint_name = "joint",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 0.0, 1.0},
                          .mass = 1.0,
                          .inertia = {0.01, 0.01, 0.01},
                          .armature = 0.5};
    GearedJoint joint = {.plan = plan_in_stages(), .robot = sti_robot_create(&link, 1, NULL)};
    joint.arm = sti_plan_add_admittance(joint.plan, "arm", &sti_kind_robot,
                                        &(StiRobotBody){.robot = joint.robot});
    const StiWire wire = sti_wire_joint(joint.arm, joint.robot, 0);
    joint.friction =
        sti_plan_add_reaction(joint.plan, "friction", &sti_kind_finite_time, friction, &wire);
    sti_plan_add_force(joint.plan, "torque", &wire, 1, torque);
    return joint;
}

#endif
