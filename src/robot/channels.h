// Private: what can be recorded of a robot's joints.
#ifndef STICTION_SRC_ROBOT_CHANNELS_H
#define STICTION_SRC_ROBOT_CHANNELS_H

#include "robot/tree.h"

// Names of all channels, "joint0.q", made when the robot is.
bool sti_robot_name_channels(StiRobot *robot);
const StiChannelInfo *sti_joint_channels(StiJointType type);    // positions first, then velocities
bool sti_robot_is_angular(const StiRobot *robot, int velocity); // is it in rad/s?
int sti_robot_channels(const StiRobot *robot, const StiChannelInfo **names);
// Values of one joint, in the order of their names; returns where the next joint's go.
double *sti_robot_observe_joint(const StiRobot *robot, int link, const double *q, const double *v,
                                double *values);

#endif
