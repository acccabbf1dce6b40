// Changes of joints in a trial, and the bounds that the correction has from there on.
#include "cut/joint_changes.h"

#include <math.h>

// ---- the trial ---------------------------------------------------------------------------------------

double sti_joint_velocity(const Correction *c, const Reaction *e, double x)
{
    const StageData *start = &c->scratch->stages[0], *close = &c->data->close;
    const int v = e->wire.own_v;
    return sti_cubic_between(start->x[v], start->xdot[v], close->x[v], close->xdot[v], c->h, x);
}

// Parabola through the start, the middle and the end.
double sti_joint_excess(const Correction *c, const Reaction *e, double side, double x)
{
    const StageData *close = &c->data->close;
    const double u0 = c->scratch->stages[0].u[e->wire.v], u1 = close->u[e->wire.v];
    const double um = c->scratch->stages[STI_MIDDLE].u[e->wire.v];
    const double u =
        u0 * (1.0 - x) * (1.0 - 2.0 * x) + 4.0 * um * x * (1.0 - x) + u1 * x * (2.0 * x - 1.0);
    return side * u - e->kind->modes->limit(e->parameters, side, close->ports + e->port);
}

// ---- bounds ----------------------------------------------------------------------------------------

Efforts sti_joint_efforts(const Reaction *e, const double *signals)
{
    const StiReactionModes *modes = e->kind->modes;
    return (Efforts){.low = -modes->limit(e->parameters, 1.0, signals),
                     .high = modes->limit(e->parameters, -1.0, signals),
                     .forward = -modes->level(e->parameters, 0.0, 1.0, signals),
                     .backward = modes->level(e->parameters, 0.0, -1.0, signals)};
}

// What the correction may add, on average over the trial, where friction would be `reference` from the
// change on; offset: what it adds at that.
static void set_bounds(JointBounds *joint, const Efforts *f, double share, double reference,
                       double offset)
{
    joint->low = offset + share * (f->low - reference);
    joint->high = offset + share * (f->high - reference);
    joint->forward = offset + share * (f->forward - reference);
    joint->backward = offset + share * (f->backward - reference);
    joint->sense = AXIS_FREE;
    joint->sought = true;
}

// Slip that goes on follows its law, with half of what the velocity at the end changes.
static void follow_law(const Correction *c, const Reaction *e, AxisMode mode, JointBounds *joint)
{
    const StageData *close = &c->data->close;
    const double s = (double)mode, v = close->x[e->wire.own_v];
    if (e->kind->level == NULL || !(s * v > 0.0)) return;
    const StiReactionLevel level =
        e->kind->level(e->parameters, close->ports + e->port, c->data->s + e->s, s * v, s);
    joint->sense = mode;
    joint->slope = 0.5 * level.slope;
    joint->at = v;
}

void sti_joint_bound(const Correction *c, const Reaction *e)
{
    const int k = e->wire.own_force;
    const StageData *close = &c->data->close;
    const JointChange *change = &c->data->changes[k];
    const Efforts f = sti_joint_efforts(e, close->ports + e->port);
    const bool ends = change->from < 1.0;
    JointBounds *joint = &c->joints->joints[k];
    AxisMode mode = change->mode;
    if (mode != AXIS_STUCK) {
        set_bounds(joint, &f, change->share, mode == AXIS_FORWARD ? f.forward : f.backward, 0.0);
        follow_law(c, e, mode, joint);
        if (ends) mode = AXIS_STUCK;
    } else if (ends) {
        mode = change->side > 0.0 ? AXIS_FORWARD : AXIS_BACKWARD;
        set_bounds(joint, &f, change->share, change->side > 0.0 ? f.low : f.high,
                   change->side * change->excess);
    } else {
        set_bounds(joint, &f, change->share, -close->u[e->wire.v], 0.0);
    }
    sti_joint_set_mode(c->joints, k, mode);
}

void sti_joint_begin(const Correction *c, const Reaction *e)
{
    const double *s = c->data->s + e->s;
    *sti_change_of(c, e) = (JointChange){.mode = s[0] == STI_STICK ? AXIS_STUCK
                                                 : s[1] > 0.0      ? AXIS_FORWARD
                                                                   : AXIS_BACKWARD,
                                         .from = 1.0,
                                         .share = 1.0};
    sti_joint_bound(c, e);
}

// What the trial has beyond the limit of a stuck joint, and how long that has acted at its end.
static void sum_excess(const Correction *c, const Reaction *e, JointChange *change)
{
    const double w = 1.0 - change->from, x = 1.0 - 0.5 * w;
    const double first = sti_joint_excess(c, e, change->side, change->from);
    const double half = sti_joint_excess(c, e, change->side, x);
    const double last = sti_joint_excess(c, e, change->side, 1.0);
    change->excess = w * (first + 4.0 * half + last) / 6.0; // Simpson's rule is exact here
    change->moment = w * (w * first + 2.0 * w * half) / 6.0;
}

void sti_joint_change_at(const Correction *c, const Reaction *e, double from, double side)
{
    JointChange *change = sti_change_of(c, e);
    const double w = 1.0 - from;
    change->from = from;
    change->share = w;
    change->side = side;
    if (change->mode == AXIS_STUCK)
        sum_excess(c, e, change);
    else
        change->overrun =
            w *
                (sti_joint_velocity(c, e, from) + 4.0 * sti_joint_velocity(c, e, 1.0 - 0.5 * w) +
                 sti_joint_velocity(c, e, 1.0)) /
                6.0 -
            change->way;
    sti_joint_bound(c, e);
}
