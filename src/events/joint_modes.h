// Private: which joints of robots stick, which slip and where to, all at once: the efforts of their
// friction within given bounds and the velocities (or accelerations) that follow agree. One trial is
// one articulated recursion, so nothing here is denser than linear in the number of links.
#ifndef STICTION_SRC_EVENTS_JOINT_MODES_H
#define STICTION_SRC_EVENTS_JOINT_MODES_H

#include "robot/trial.h"
#include "scratch/scratch.h"

// A joint whose mode is sought together with all others. Efforts along +; forces that are
// not friction of these joints are in tau.
typedef struct JointBounds {
    int reaction;             // -1: no friction here
    int parent;               // the next joint on the way to the root, -1: none
    bool sought;              // its mode is; else it is free
    double low, high;         // efforts that sticking may have
    double forward, backward; // efforts of slip along +, and along -
    AxisMode sense;           // of slip whose effort depends on its velocity; then ...
    double slope, at;         // ... how, and the velocity of the effort above
    AxisMode violated;        // the mode it should have; AXIS_FREE: it is content
    double excess;            // how much it is violated, as an effort
    double eps, resistance;   // of smoothed friction
    AxisMode guess, best;     // by smoothed friction; of the trial with the fewest violations
    double v, effort, slack;  // on the way of joint_pivots.c
    bool weaker;              // than a neighbour that breaks loose in the same sense
} JointBounds;

// Laid out like the generalized forces, unless it says otherwise.
typedef struct JointData {
    bool applies;       // robots hold all that has modes in this network
    RobotTrial *trials; // by admittance; those of robots are used
    JointBounds *joints;
    AxisFriction *friction;
    AxisEnd *ends;
    double *v, *tau;
    double *placed;     // spots and axes of the robots, as bodies prepare them
    StiWrench *applied; // by link
    uint64_t seen[64];
    int seen_count, fewest;
} JointData;

// Do bodies that are robots hold all reactions of the network, and are these all its modes?
bool sti_joints_apply(const StiNetwork *network);
JointData *sti_joints_take(StiArena *arena, const StiNetwork *network);

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
