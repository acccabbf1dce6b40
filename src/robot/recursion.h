// Private: the passes over a tree that the public functions are made of. Spots are sorted like the
// links; axes and wrenches have the user's order of velocities and links.
#ifndef STICTION_SRC_ROBOT_RECURSION_H
#define STICTION_SRC_ROBOT_RECURSION_H

#include "robot/tree.h"

// A link in world axes. Only doubles here and in JointAxis: they lie in the caller's memory.
typedef struct LinkSpot {
    StiVec3 d;               // from the parent's origin to its own
    StiQuat attitude;        // link axes to world axes
    StiRigidInertia inertia; // about its own origin
} LinkSpot;

// One velocity: direction s of its slide or turn. Factored: inertia D against it, and U/D, the
// wrench about the link's origin that its unit acceleration asks for, over D.
typedef struct JointAxis {
    StiVec3 s;
    StiWrench V;     // U/D
    double mobility; // 1/D; 0 where it is locked
} JointAxis;

// A caller's memory, cut into pieces.
typedef struct RobotMemory {
    LinkSpot *spots;
    JointAxis *axes;    // spots and axes are what prepare writes
    StiWrench *applied; // one per link
    StiWrench *loads;   // one per link
} RobotMemory;

RobotMemory sti_robot_memory(const StiRobot *robot, double *doubles);

// Spots and directions of the axes at q.
void sti_robot_place(const StiRobot *robot, const double *q, LinkSpot *spots, JointAxis *axes);

// Frames of the links (user's order) at these places, moving with v.
void sti_robot_frames_at(const StiRobot *robot, const double *v, const LinkSpot *spots,
                         const JointAxis *axes, StiFrame *links);

// The motion at v with all accelerations of joints 0 (and the base falling upwards, -g) needs
// wrenches; applied is what the external ones (NULL: none) have left after them.
void sti_robot_apply(const StiRobot *robot, StiVec3 gravity, const double *v, const LinkSpot *spots,
                     const JointAxis *axes, const StiWrench *external, StiWrench *applied);

// The same, and the accelerations of the links in that motion, without the base's: Jdot v. NULL: not
// wanted.
void sti_robot_apply_biased(const StiRobot *robot, StiVec3 gravity, const double *v,
                            const LinkSpot *spots, const JointAxis *axes, const StiWrench *external,
                            StiWrench *applied, StiTwist *bias);

// Fills in V and mobility. Returns the first velocity that nothing opposes, or -1: all is well.
int sti_robot_factor(const StiRobot *robot, const LinkSpot *spots, const bool *locked,
                     const double *added, JointAxis *axes);

// H^-1 (tau + J^T applied); applied may be NULL.
void sti_robot_solve(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                     const double *tau, const StiWrench *applied, double *vdot);

// The same, and what the joints then transmit: in one pass instead of sti_robot_transmit's two.
void sti_robot_solve_loaded(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                            const double *tau, const StiWrench *applied, double *vdot,
                            StiWrench *loads);

// Both after sti_robot_factor, in one pass to the root; loads may be NULL.
int sti_robot_factor_and_solve(const StiRobot *robot, const LinkSpot *spots, const bool *locked,
                               const double *tau, const StiWrench *applied, JointAxis *axes,
                               double *vdot, StiWrench *loads);

// Needs of the single links become those of all that hangs on them: what their joints transmit.
void sti_robot_collect(const StiRobot *robot, const LinkSpot *spots, StiWrench *loads);

// Wrenches that the joints transmit at accelerations vdot.
void sti_robot_transmit(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                        const double *vdot, const StiWrench *applied, StiWrench *loads);

// Efforts of the drives that go with these accelerations and loads, rotors included.
void sti_robot_efforts(const StiRobot *robot, const JointAxis *axes, const double *vdot,
                       const StiWrench *loads, double *tau);
// Locked velocities: what tau has beyond the effort that the loads ask for; 0 for the others.
void sti_robot_take(const StiRobot *robot, const JointAxis *axes, const bool *locked,
                    const StiWrench *loads, const double *tau, double *taken);

// The inertia of each link becomes that of all that hangs on it, its joints held.
void sti_robot_compose(const StiRobot *robot, LinkSpot *spots);

// The column of the inertia that an axis sees: I S.
static inline StiWrench sti_robot_column(StiRigidInertia I, bool turn, StiVec3 s)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    return sti_rigid_times(I, turn ? (StiTwist){s, none} : (StiTwist){none, s});
}

// The part of a wrench that works on an axis: S.f
static inline double sti_robot_along(bool turn, StiVec3 s, StiWrench f)
{
    return sti_vec3_dot(s, turn ? f.moment : f.force);
}

#endif
