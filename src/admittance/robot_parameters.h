// Private: the numbers of a robot as parameters of a plan: "link1.mass", "joint0.armature".
#ifndef STICTION_SRC_ADMITTANCE_ROBOT_PARAMETERS_H
#define STICTION_SRC_ADMITTANCE_ROBOT_PARAMETERS_H

#include "stiction/robot.h"

// Plans and networks have robots of their own, made from the numbers of the one they copy.
extern const StiInside sti_robot_inside;

// Whether the numbers still make a robot.
void sti_robot_check_parameters(const StiRobotBody *body, const StiCheck *check);

#endif
