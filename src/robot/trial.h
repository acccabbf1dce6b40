// Private: one trial of the solver `coupled`: axes of a robot stick, slip or are free, and forces
// push on it. One pass to the root gives what the pushes feel, one pass back gives the velocities
// and the efforts that hold the stuck axes. All in the caller's memory, all in linear time.
//
// Everything is relative to the motion with all joint accelerations 0 (sti_robot_apply): then
// no products of velocities remain here, and J vdot is the acceleration of a push's point without
// Jdot v.
#ifndef STICTION_SRC_ROBOT_TRIAL_H
#define STICTION_SRC_ROBOT_TRIAL_H

#include "algebra/double2.h"
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
// an axis (then there is no wrench and the link is the axis' own). Every link has an even number of
// pushes; where one is missing, a push without wrench and axis fills the pair.
typedef struct Push {
    int link;                // sorted
    int axis;                // -1: the wrench
    int row;                 // the caller's; -1: it only fills a pair
    const StiWrench *wrench; // NULL: none
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

// The pairs of pushes with a way through a link are neighbours, because links are sorted depth first.
typedef struct PushRange {
    int first, passing, last; // pairs; from `passing` to before `last` they come from further out
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
    StiDouble2 *pairs; // W, c, W_size and P: pair_count (2 pair_count + 8) of them
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
    int pair_count;        // of pushes, with those that only fill a pair
    PushRange *ranges;     // one per sorted link
    AxisTrial *trial;      // one per axis
    StiDouble2 *Y;         // velocities x pair_count: effort on an axis per push
    StiDouble2 *moved;     // pair_count
    StiWrench2 *P;         // pair_count: what is left of the pushes on their way
    bool axis_pushes;      // some pushes are efforts
    StiDouble2 *W_size;    // pair_count: terms of the diagonal of W if every P had its full effect
    int steep;             // axes whose falling friction was taken as constant
    bool level;            // all falling friction is: H + T slope is not positive definite
    TrialMark *marks;      // (links + STRIDE - 1)/STRIDE of them; NULL: every pass is complete
    AxisFriction *used;    // friction of the last pass, one per axis; only with marks
    bool marked;           // the last pass left its marks
} RobotTrial;

// Room for so many more pushes on a link, among `pushes`, which have room for them and for one that
// fills a pair; the caller writes them. At first pair_count and axis_pushes are 0.
static inline Push *sti_pushes_open(RobotTrial *trial, Push *pushes, int link, int more)
{
    const int count = 2 * trial->pair_count;
    int i = count;
    while (i > 0 && pushes[i - 1].link > link) --i;
    const bool filled = i > 0 && pushes[i - 1].link == link && pushes[i - 1].row < 0;
    const int first = filled ? i - 1 : i, end = (first + more + 1) & ~1;
    for (int a = count - 1; a >= i; --a) pushes[a + end - i] = pushes[a];
    if (end > first + more) pushes[end - 1] = (Push){.link = link, .axis = -1, .row = -1};
    trial->pair_count += (end - i) / 2;
    return &pushes[first];
}
// Which pushes go through which link; size: links in the branch of each sorted link.
void sti_trial_route(RobotTrial *trial, const int *size);
// Links in the branch that begins at each sorted link, itself included.
void sti_trial_branches(const StiRobot *robot, int *size);

// To the root. W (2 pair_count rows of pair_count pairs; of the blocks of 2 x 2 on the diagonal and
// below) and c are filled with accelerations: of the pushes' points per force, and without the pushes.
// Where falling friction outweighs inertia, of an axis or of those further in, the friction of that
// pass is constant. Returns -1, or the axis that nothing opposes.
int sti_trial_inward(RobotTrial *trial, StiDouble2 *W, StiDouble2 *c);
// After that, where only what acts on the robot is other (applied, tau): c, to the last bit as a whole pass
// would leave it. Axes are free or stuck.
void sti_trial_reload(RobotTrial *trial, StiDouble2 *c);

// What an axis ends with under the forces f of the pushes.
typedef struct AxisEnd {
    double v;      // velocity at the end of the step; 0 by assignment where it is stuck
    double effort; // of friction, along +: what sticking needs, or what slipping gives
    double scale;  // of the terms that it is the difference of
} AxisEnd;
void sti_trial_outward(const RobotTrial *trial, const StiDouble2 *f, AxisEnd *ends);

// Accelerations by the pushes alone, stuck axes held.
void sti_trial_respond(const RobotTrial *trial, const StiDouble2 *f, double *vdot);

#endif
