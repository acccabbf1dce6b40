// Private: a trial in which many joints change is not cut at each of them. It is corrected as a whole: the
// friction of each joint acts as in the trial until its own change, and within its limits from there on,
// so that all velocities at the end agree with it.
//
// The correction is linear in the impulses of friction, with the inertia where they act on average. It
// follows the forces that go with velocities; what it leaves out is O(h^3) in the velocities.
#ifndef STICTION_SRC_CUT_JOINT_CHANGES_H
#define STICTION_SRC_CUT_JOINT_CHANGES_H

#include "events/joint_modes.h"
#include "cut/substep.h"

typedef struct Correction {
    const StiNetwork *network;
    StiScratch *scratch;
    SubstepData *data;
    JointData *joints;
    double h;
} Correction;

enum { STI_MIDDLE = 2 }; // a stage in the middle of the trial

static inline JointChange *sti_change_of(const Correction *c, const Reaction *e)
{
    return &c->data->changes[e->wire.own_force];
}
static inline bool sti_has_changed(const JointChange *change)
{
    return change->end != change->mode;
}

// Efforts of friction at rest: bounds of sticking, and levels of slip along + and -.
typedef struct Efforts {
    double low, high, forward, backward;
} Efforts;
Efforts sti_joint_efforts(const Reaction *e, const double *signals);

// ---- joint_bounds.c
// In the trial, at a share of it: the velocity of a joint; how far a stuck one is beyond its limit on one side.
double sti_joint_velocity(const Correction *c, const Reaction *e, double x);
double sti_joint_excess(const Correction *c, const Reaction *e, double side, double x);
// Bounds of what the correction adds to the effort of a joint, on average over the trial, and the mode that
// its change leads to; from, share and the rest of its change are known.
void sti_joint_bound(const Correction *c, const Reaction *e);
// Mode in the trial; no change.
void sti_joint_begin(const Correction *c, const Reaction *e);
// The change of a joint at this share of the trial; side: of a stuck joint, which way it goes.
void sti_joint_change_at(const Correction *c, const Reaction *e, double from, double side);

// ---- joint_sweep.c: in which order joints change, and when, if each change moves those that follow
StiStatus sti_joints_sweep(const Correction *c);

// ---- joint_books.c: mean forces, and work
void sti_joints_enter(const Correction *c);

#endif
