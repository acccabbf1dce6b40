// Private: which joints of robots stick, which slip and where to, all at once: the efforts of their
// friction within given bounds and the velocities (or accelerations) that follow agree. One trial is
// one articulated recursion, so nothing here is denser than linear in the number of links.
#ifndef STICTION_SRC_EVENTS_JOINT_MODES_H
#define STICTION_SRC_EVENTS_JOINT_MODES_H

#include "scratch/scratch.h"

// Do bodies that are robots hold all reactions of the network, and are these all its modes?
bool sti_joints_apply(const StiNetwork *network);
void sti_joints_take(StiArena *arena, const StiNetwork *network, JointData *data);

// Spots and axes of all robots at these positions.
void sti_joints_place(const StiNetwork *network, const double *x, JointData *data);
// From the modes and bounds of data->joints: modes under which every effort is within its bounds and no
// joint slips against its own sense; ends holds velocities and efforts. Returns how many joints violate
// this when the trials are used up, nearly always 0; -1: a robot's inertia has no factor.
int sti_joints_agree(const StiNetwork *network, double T, StiScratch *scratch, StiStatus *status);
// One trial with the modes as they are.
StiStatus sti_joints_try(const StiNetwork *network, double T, StiScratch *scratch);
// After it: which joints are not content, and how many.
int sti_joints_check(const StiNetwork *network, double T, JointData *data);
// A guess of the modes of many joints: friction smoothed, less and less (joint_smooth.c).
StiStatus sti_joints_smooth(const StiNetwork *network, double T, StiScratch *scratch);
// From the best modes so far one joint at a time, on a straight way to the solution (joint_pivots.c).
int sti_joints_pivot(const StiNetwork *network, double T, StiScratch *scratch, StiStatus *status);
void sti_joint_set_mode(JointData *data, int joint, AxisMode mode);

// Modes of joints at rest by the accelerations there, where many break loose together: sets s and released;
// now: evaluated, and to be evaluated again.
StiStatus sti_joints_at_rest(const StiNetwork *network, double *s, StiScratch *scratch,
                             const StageData *now);

#endif
