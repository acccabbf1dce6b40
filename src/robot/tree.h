// Private: a robot as the recursions see it.
//
// Links are sorted depth first, the child with the largest branch last. So a chain lies in one
// piece and hands its values on in local variables; what a branching link must keep for its later
// children, or collect from them, waits in one of a few slots: every further slot in use belongs to
// a branch less than half as large as the one before, so that there are enough for any number of
// links, and respond needs no memory of its own.
#ifndef STICTION_SRC_ROBOT_TREE_H
#define STICTION_SRC_ROBOT_TREE_H

#include "stiction/robot.h"
#include "algebra/spatial.h"
#include "base/arena.h"
#include "base/names.h"
#include "robot/joint.h"

enum { STI_TREE_SLOTS = 32, STI_TREE_PREVIOUS = -1, STI_TREE_NONE = -1 };

// Where a link stands in the sorted tree.
typedef struct TreeOrder {
    int link;   // as given by the user
    int parent; // sorted, -1: the world
    int slot;   // where its parent waits, or STI_TREE_PREVIOUS: it is the link before
    int keep;   // where it waits for its own later children, or STI_TREE_NONE
    bool leaf;
    bool last; // of its parent's children
} TreeOrder;

typedef struct RobotLink {
    TreeOrder order;
    int q, v;               // first position and velocity in the user's vectors
    int slides, velocities; // of its joint: the slides come first
    StiHinge hinge;         // attitude in the parent's axes
    const StiRotation *rotation;
    StiVec3 shift;           // position in the parent's axes where all slides are 0
    StiRigidInertia inertia; // about the origin, link axes
    bool principal;          // these are principal axes: moments on the diagonal only
} RobotLink;

struct StiRobot {
    StiArena arena;
    int count, positions, velocities;
    StiLink *given;      // the user's links with names of our own
    StiNames joints;     // links by the names of their joints
    int *sorted;         // index in links of each of them
    RobotLink *links;    // sorted
    StiVec3 *directions; // one per velocity: slides in the parent's axes, turns in the link's
    double *armature;    // one per velocity
    const StiChannelInfo *channels;
    const StiChannelInfo *load_channels; // one per link
    int channel_count;
};

// Attitude in the parent's axes; q: of the whole robot. The hinge is by far the most frequent
// rotation, so it is not called through its table.
static inline StiQuat sti_link_attitude(const RobotLink *link, const double *q)
{
    const double *of_rotation = q + link->q + link->slides;
    if (link->velocities == link->slides + 1)
        return sti_hinge_attitude(&link->hinge, of_rotation[0]);
    return link->rotation->attitude(&link->hinge, of_rotation);
}

// Findings, all but cycles and what is known only of the finished robot.
void sti_tree_check(const StiLink *links, int count, StiReport *report);

// Sorts; orders: count entries. False after findings: cycles, or no memory.
bool sti_tree_sort(const StiLink *links, int count, TreeOrder *orders, StiReport *report);

// Finds joints that nothing massive moves with, although no link shows it by itself.
void sti_tree_check_inertia(const StiRobot *robot, double *workspace, StiReport *report);

#endif
