// Private: one trial of the solver `coupled`: axes of a robot stick, slip or are free, and forces
// push on it. One pass to the root gives what the pushes feel, one pass back gives the velocities
// and the efforts that hold the stuck axes. All in the caller's memory, all in linear time.
//
// Everything is told relative to the motion with all joint accelerations 0 (sti_robot_apply): then
// no products of velocities remain here, and J vdot is the acceleration of a push's point without
// Jdot v.
#ifndef STICTION_SRC_ROBOT_TRIAL_H
#define STICTION_SRC_ROBOT_TRIAL_H

#include "robot/recursion.h"

typedef enum AxisMode {
    AXIS_BACKWARD = -1, // slips along -
    AXIS_STUCK = 0,
    AXIS_FORWARD = 1, // slips along +
    AXIS_FREE = 2     // no friction
} AxisMode;

// Friction of a slipping axis, linearised: level + slope (speed - at) against the motion.
typedef struct AxisFriction {
    AxisMode mode;
    double level; // N or N m, >= 0
    double slope; // d level/d speed at `at`
    double at;    // velocity (with its sign) that level belongs to
} AxisFriction;

// A unit force on the robot: a wrench about the origin of a link, world axes, or an effort of 1 on
// an axis (then there is no wrench and the link is the axis' own).
typedef struct Push {
    int link; // sorted
    int axis; // -1: the wrench
    const StiWrench *wrench;
} Push;

// What the pass to the root leaves behind for the way back.
typedef struct AxisTrial {
    StiWrench U;
    double D;        // inertia, with armature, without friction's slope
    double mobility; // 1/(D + T slope); 0 where it is stuck
    double slope;    // of friction, as far as it was used
    double u;        // effort that is left for the axis, pushes excluded
    double y;        // acceleration by u alone
    double scale;    // of the terms in u before they cancel
} AxisTrial;

// The pushes with a way through a link are neighbours, because links are sorted depth first.
typedef struct PushRange {
    int first, last; // last excluded
} PushRange;

// What hangs on a link, on its way to the parent.
typedef struct Carried {
    StiArticulatedInertia I;
    StiWrench p; // what acts on the link so far
} Carried;

// A pass to the root as it stood before one of the links: where friction only changes further in,
// the next pass goes on from here. Chains only; every STI_TRIAL_STRIDE links.
enum { STI_TRIAL_STRIDE = 8 };
typedef struct TrialMark {
    Carried carried;
    double *numbers; // W, c, W_size and P: push_count^2 + 8 push_count of them
} TrialMark;

typedef struct RobotTrial {
    const StiRobot *robot;
    double T;
    const double *v;              // at the start of the step
    const double *tau;            // efforts on the axes
    const StiWrench *applied;     // by sti_robot_apply
    const AxisFriction *friction; // one per axis
    const LinkSpot *spots;
    const JointAxis *axes; // only s is read
    const Push *pushes;    // ascending links
    int push_count;
    PushRange *ranges;  // one per sorted link
    AxisTrial *trial;   // one per axis
    double *Y;          // velocities x push_count: effort on an axis per push
    double *z;          // push_count
    double *P;          // 6 x push_count: fx of all wrenches, fy, fz, then their moments
    bool axis_pushes;   // some pushes are efforts
    double *W_size;     // push_count: terms of the diagonal of W if every P had its full effect
    int steep;          // axes whose falling friction was taken as constant: D + T slope <= 0
    TrialMark *marks;   // (links + STRIDE - 1)/STRIDE of them; NULL: every pass is complete
    AxisFriction *used; // friction of the last pass, one per axis; only with marks
    bool marked;        // the last pass left its marks
} RobotTrial;

// Which pushes go through which link; size: links in the branch of each sorted link.
void sti_trial_route(RobotTrial *trial, const int *size);
// Links in the branch that begins at each sorted link, itself included.
void sti_trial_branches(const StiRobot *robot, int *size);

// To the root. W (push_count x push_count, lower triangle) and c (push_count) are filled with
// accelerations: of the pushes' points per force, and without the pushes. Returns -1, or the axis
// that nothing opposes.
int sti_trial_inward(RobotTrial *trial, double *W, double *c);

// What an axis ends with under the forces f of the pushes.
typedef struct AxisEnd {
    double v;      // velocity at the end of the step; 0 by assignment where it is stuck
    double effort; // of friction, along +: what sticking needs, or what slipping gives
    double scale;  // of the terms that it is the difference of
} AxisEnd;
void sti_trial_outward(const RobotTrial *trial, const double *f, AxisEnd *ends);

// Accelerations by the pushes alone, stuck axes held.
void sti_trial_respond(const RobotTrial *trial, const double *f, double *vdot);

#endif
