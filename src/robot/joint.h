// Private: every joint is up to three slides along axes fixed in the parent, followed by one
// rotation: none, an angle about an axis, or a quaternion. So each velocity is a slide or a turn
// along one direction at the link's origin, and a joint with several of them is a row of such axes
// in the same place.
#ifndef STICTION_SRC_ROBOT_JOINT_H
#define STICTION_SRC_ROBOT_JOINT_H

#include "stiction/robot.h"

// Attitude of a link in its parent's axes as a function of an angle h/2: c cos + s sin.
typedef struct StiHinge {
    StiQuat c, s;
} StiHinge;

// The rotating part of a joint; q, v: its own entries.
typedef struct StiRotation {
    int positions, velocities;
    StiQuat (*attitude)(const StiHinge *hinge, const double *q);
    void (*rest)(double *q);
    void (*move)(const double *v, double T, double *q);
    void (*rates)(const double *q, const double *v, double *qdot);
} StiRotation;

typedef struct StiJoint {
    const char *name, *summary;
    int slides;
    bool axis; // the user must give one
    const StiRotation *rotation;
} StiJoint;

// One row per StiJointType.
extern const StiJoint sti_joints[STI_JOINT_TYPES];

static inline int sti_joint_positions(const StiJoint *joint)
{
    return joint->slides + joint->rotation->positions;
}
static inline int sti_joint_velocities(const StiJoint *joint)
{
    return joint->slides + joint->rotation->velocities;
}

// Directions of the joint's velocities: slides in the parent's axes, turns in the link's axes.
// axis: of unit length.
void sti_joint_directions(StiJointType type, StiQuat placement, StiVec3 axis, StiVec3 *directions);

static inline StiQuat sti_hinge_attitude(const StiHinge *hinge, double angle)
{
    double c, s;
    sti_sincos(0.5 * angle, &s, &c);
    const StiQuat C = hinge->c, S = hinge->s;
    return (StiQuat){c * C.w + s * S.w, c * C.x + s * S.x, c * C.y + s * S.y, c * C.z + s * S.z};
}

#endif
