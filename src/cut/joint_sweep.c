// In which order joints change within a trial, and when. Each change moves the velocities of the others from
// there on, evenly, so one trial of the recursion per change shows when the next joint comes to rest. Joints
// that are torn loose by others wait: they have to be found together (sti_joints_agree).
#include <math.h>

#include "cut/joint_changes.h"

enum { FOLLOWED = 4, HALVINGS = 40 }; // later changes do not move the others
static const double at_end = 1e-6;    // of the trial

// How far a joint is from its change at x, as moved by the changes so far; negative: beyond.
static double left_at(const Correction *c, const Reaction *e, double side, double now, double x)
{
    const JointChange *change = sti_change_of(c, e);
    if (change->mode == AXIS_STUCK) return -sti_joint_excess(c, e, side, x);
    const double moved = change->moved + change->rate * (x - now);
    return (double)change->mode * (sti_joint_velocity(c, e, x) + moved);
}

// Lowers *first to where the joint changes, if that is before.
static bool changes_before(const Correction *c, const Reaction *e, double side, double now,
                           double *first)
{
    double from = now, to = *first;
    if (!(left_at(c, e, side, now, to) < 0.0)) return false;
    if (!(left_at(c, e, side, now, from) > 0.0)) {
        from = 0.5 * (now + to); // just released it is at its beginning, else at its end
        if (!(left_at(c, e, side, now, from) > 0.0)) {
            *first = now;
            return true;
        }
    }
    for (int i = 0; i < HALVINGS; ++i) {
        const double x = 0.5 * (from + to);
        *(left_at(c, e, side, now, x) < 0.0 ? &to : &from) = x;
    }
    *first = to;
    return true;
}

// The next joint that changes, -1: none does; *at: where, *side: which way, if it sticks.
static int next_change(const Correction *c, double now, double *at, double *side)
{
    int next = -1;
    *at = 1.0;
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const JointChange *change = sti_change_of(c, e);
        const double s = c->data->close.u[e->wire.v] < 0.0 ? -1.0 : 1.0;
        if (change->from < 1.0 || !changes_before(c, e, s, now, at)) continue;
        *side = s;
        next = i;
    }
    return *at < 1.0 - at_end ? next : -1;
}

// Motion and impulses up to there.
static void advance(const Correction *c, double time)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        JointChange *change = sti_change_of(c, &c->network->reactions[i]);
        change->way += time * (change->moved + 0.5 * time * change->rate);
        change->moved += time * change->rate;
    }
}

// From here on, evenly, to what the trial of the recursion ends with.
static void redirect(const Correction *c, double now)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        JointChange *change = sti_change_of(c, e);
        const AxisEnd *end = &c->joints->ends[e->wire.own_force];
        const double left = 1.0 - now;
        change->rate = (end->v - c->joints->v[e->wire.own_force] - change->moved) / left;
    }
}

// What comes to rest and cannot stick goes the other way.
static bool must_turn(const Correction *c, int k)
{
    const JointBounds *joint = &c->joints->joints[k];
    const double effort = c->joints->ends[k].effort;
    if (c->joints->friction[k].mode != AXIS_STUCK) return false;
    if (effort >= joint->low && effort <= joint->high) return false;
    sti_joint_set_mode(c->joints, k, effort < joint->low ? AXIS_FORWARD : AXIS_BACKWARD);
    return true;
}

// Modes and velocities with one more change.
static StiStatus follow(const Correction *c, int changed, double now)
{
    StiStatus status;
    do {
        status = sti_joints_try(c->network, c->h, c->scratch);
    } while (status == STI_OK && must_turn(c, changed));
    if (status == STI_OK) redirect(c, now);
    return status;
}

StiStatus sti_joints_sweep(const Correction *c)
{
    double now = 0.0, at, side = 0.0;
    int count = 0;
    StiStatus status = STI_OK;
    for (int next; status == STI_OK && (next = next_change(c, now, &at, &side)) >= 0; ++count) {
        const Reaction *e = &c->network->reactions[next];
        advance(c, at - now);
        now = at;
        sti_joint_change_at(c, e, now, side);
        if (count < FOLLOWED) status = follow(c, e->wire.own_force, now);
    }
    if (status == STI_OK && (count == 0 || count > FOLLOWED))
        status = sti_joints_try(c->network, c->h, c->scratch);
    // the others stay as they are until something moves them: from the first change on
    double first = 1.0;
    for (int i = 0; i < c->network->reaction_count; ++i)
        first = fmin(first, sti_change_of(c, &c->network->reactions[i])->from);
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        JointChange *change = sti_change_of(c, e);
        if (change->from < 1.0) continue;
        change->share = 1.0 - first;
        change->overrun = 0.5 * change->share * c->data->close.x[e->wire.own_v];
    }
    return status;
}
