// Articulated bodies with stuck, slipping and free axes, and the pushes carried along to the root.
#include "robot/trial.h"

#include <math.h>
#include <string.h>

void sti_trial_branches(const StiRobot *robot, int *size)
{
    for (int i = 0; i < robot->count; ++i) size[i] = 1;
    for (int i = robot->count - 1; i >= 0; --i)
        if (robot->links[i].order.parent >= 0) size[robot->links[i].order.parent] += size[i];
}

void sti_trial_route(RobotTrial *trial, const int *size)
{
    const int count = trial->robot->count;
    trial->marked = false;
    for (int i = count - 1, first = trial->pair_count; i >= 0; --i) {
        const int passing = first;
        while (first > 0 && trial->pushes[2 * (first - 1)].link == i) --first;
        // The branch ends where its next neighbour begins.
        const int beside = i + size[i];
        const int last = beside < count ? trial->ranges[beside].first : trial->pair_count;
        trial->ranges[i] = (PushRange){first, passing, last};
    }
}

static inline StiWrench column_of_turn(const StiArticulatedInertia *I, StiVec3 s)
{
    return (StiWrench){.force = sti_mat3_transposed_times(I->B, s),
                       .moment = sti_sym3_times(I->J, s)};
}

static inline StiWrench column_of_slide(const StiArticulatedInertia *I, StiVec3 s)
{
    return (StiWrench){.force = sti_sym3_times(I->M, s), .moment = sti_mat3_times(I->B, s)};
}

// Falling friction can outweigh the inertia: then its level stays what it is (COUPLED 2.6).
static const double steep = 1e-6; // of the inertia: what falling friction has to leave
static inline double slip_axis(RobotTrial *trial, const AxisFriction *friction, double v,
                               AxisTrial *axis)
{
    const double s = (double)friction->mode;
    axis->slope = friction->slope;
    const bool outweighs = !(axis->D + trial->T * axis->slope > steep * axis->D);
    if (outweighs || (trial->level && axis->slope < 0.0)) {
        axis->slope = 0.0;
        ++trial->steep;
    }
    axis->u -= s * friction->level + axis->slope * (v - friction->at);
    return 1.0 / (axis->D + trial->T * axis->slope);
}

// The effort that is left for an axis and what it does alone.
static inline void load_axis(RobotTrial *trial, int k, double from_links, AxisTrial *axis)
{
    const AxisFriction *friction = &trial->friction[k];
    const double v = trial->v[k];
    axis->u = trial->tau[k] + from_links;
    axis->scale = fabs(trial->tau[k]) + fabs(from_links);
    if (friction->mode == AXIS_STUCK) {
        axis->mobility = 0.0;
        axis->y = v == 0.0 ? 0.0 : -v / trial->T;
        return;
    }
    axis->mobility =
        friction->mode == AXIS_FREE ? 1.0 / axis->D : slip_axis(trial, friction, v, axis);
    axis->y = axis->u * axis->mobility;
}

// 1 for the pushes of a pair that are efforts on this very axis.
static StiDouble2 efforts(const Push *pushes, int k)
{
    return (StiDouble2){pushes[0].axis == k ? 1.0 : 0.0, pushes[1].axis == k ? 1.0 : 0.0};
}

// W += moved z^T
static inline void add_product(PushRange range, const StiDouble2 *moved, const StiDouble2 *z,
                               int stride, StiDouble2 *W)
{
    StiDouble2 *upper = W + 2 * (size_t)range.first * (size_t)stride, *lower = upper + stride;
    for (int a = range.first; a < range.last; ++a, upper += 2 * stride, lower += 2 * stride)
        for (int b = range.first; b <= a; ++b) {
            upper[b] += moved[a][0] * z[b];
            lower[b] += moved[a][1] * z[b];
        }
}

// An axis as the pushes that pass it see it.
typedef struct PassedAxis {
    int k;
    bool turn;
    bool hands_over; // it is the last of its joint: then they go on to the parent's origin
    bool ends;       // at the world: nothing more is needed of them
    StiVec3 s, d;
} PassedAxis;

// What the pushes that pass do to an axis, and what it leaves of them.
static inline void push_axis(const RobotTrial *trial, PushRange range, PassedAxis at, StiDouble2 *W,
                             StiDouble2 *c)
{
    const AxisTrial *axis = &trial->trial[at.k];
    const StiWrench U = axis->U;
    const double mobility = axis->mobility, y = axis->y;
    StiDouble2 *z = trial->Y + (size_t)at.k * (size_t)trial->pair_count;
    StiDouble2 *moved = trial->moved, *W_size = trial->W_size;
    StiWrench2 *pairs = trial->P;
    for (int a = range.first; a < range.last; ++a) {
        StiWrench2 P = pairs[a];
        z[a] = at.turn ? sti_double2_dot(at.s, P.mx, P.my, P.mz)
                       : sti_double2_dot(at.s, P.fx, P.fy, P.fz);
        if (trial->axis_pushes) z[a] += efforts(&trial->pushes[2 * a], at.k);
        c[a] += y * z[a];
        moved[a] = mobility * z[a];
        W_size[a] += mobility * sti_wrench2_square(&P);
        if (at.ends) continue;
        sti_wrench2_less(&P, moved[a], &U);
        if (at.hands_over) sti_wrench2_shift(&P, at.d);
        pairs[a] = P;
    }
    add_product(range, moved, z, trial->pair_count, W);
}

// The same where it is stuck: then it takes nothing from them.
static inline void push_stuck_axis(const RobotTrial *trial, PushRange range, PassedAxis at,
                                   StiDouble2 *c)
{
    const double y = trial->trial[at.k].y;
    StiDouble2 *z = trial->Y + (size_t)at.k * (size_t)trial->pair_count;
    StiWrench2 *pairs = trial->P;
    for (int a = range.first; a < range.last; ++a) {
        StiWrench2 P = pairs[a];
        z[a] = at.turn ? sti_double2_dot(at.s, P.mx, P.my, P.mz)
                       : sti_double2_dot(at.s, P.fx, P.fy, P.fz);
        if (trial->axis_pushes) z[a] += efforts(&trial->pushes[2 * a], at.k);
        c[a] += y * z[a];
        if (!at.hands_over) continue;
        sti_wrench2_shift(&P, at.d);
        pairs[a] = P;
    }
}

static inline int pass_joint(RobotTrial *trial, int i, StiArticulatedInertia *I, StiWrench *p,
                             StiDouble2 *W, StiDouble2 *c)
{
    const RobotLink *link = &trial->robot->links[i];
    const PushRange range = trial->ranges[i];
    const bool root = link->order.parent < 0;
    for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
        AxisTrial *axis = &trial->trial[k];
        const bool turn = k >= link->v + link->slides, last = k == link->v;
        const PassedAxis at = {
            k, turn, last && !root, last && root, trial->axes[k].s, trial->spots[i].d};
        axis->U = turn ? column_of_turn(I, at.s) : column_of_slide(I, at.s);
        axis->D = sti_robot_along(turn, at.s, axis->U) + trial->robot->armature[k];
        if (!(axis->D > 0.0)) return k; // also where it is not a number
        load_axis(trial, k, sti_robot_along(turn, at.s, *p), axis);
        if (axis->mobility != 0.0)
            push_axis(trial, range, at, W, c);
        else
            push_stuck_axis(trial, range, at, c);
        if (at.ends) break;
        if (axis->mobility != 0.0)
            *I = sti_articulated_less(*I, axis->U, sti_wrench_scale(axis->mobility, axis->U));
        if (axis->y != 0.0) *p = sti_wrench_add_scaled(*p, -axis->y, axis->U);
    }
    return -1;
}

// Pushes start at their links; those that only pass have come from further out.
static inline void start_pushes(const RobotTrial *trial, PushRange range, StiDouble2 *c)
{
    static const StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    for (int a = range.first; a < range.passing; ++a) {
        const Push *one = &trial->pushes[2 * a], *other = one + 1;
        c[a] = trial->W_size[a] = (StiDouble2){0.0, 0.0};
        const StiWrench *w = one->wrench != NULL ? one->wrench : &none;
        const StiWrench *o = other->wrench != NULL ? other->wrench : &none;
        trial->P[a] = (StiWrench2){{w->force.x, o->force.x},   {w->force.y, o->force.y},
                                   {w->force.z, o->force.z},   {w->moment.x, o->moment.x},
                                   {w->moment.y, o->moment.y}, {w->moment.z, o->moment.z}};
    }
}

// Where a joint has no axis that hands them over.
static inline void shift_pushes(const RobotTrial *trial, int i)
{
    const StiVec3 d = trial->spots[i].d;
    for (int a = trial->ranges[i].first; a < trial->ranges[i].last; ++a)
        sti_wrench2_shift(&trial->P[a], d);
}

static inline Carried carried_add(const Carried *a, const Carried *b)
{
    return (Carried){sti_articulated_add(a->I, b->I), sti_wrench_add(a->p, b->p)};
}

typedef struct MarkParts {
    StiDouble2 *W, *c, *W_size, *P;
} MarkParts;

static MarkParts parts_of(const TrialMark *mark, size_t m)
{
    StiDouble2 *c = mark->pairs + 2 * m * m;
    return (MarkParts){mark->pairs, c, c + m, c + 2 * m};
}

static void leave_mark(const RobotTrial *trial, int i, const Carried *carried, const StiDouble2 *W,
                       const StiDouble2 *c)
{
    const size_t m = (size_t)trial->pair_count;
    TrialMark *mark = &trial->marks[i / STI_TRIAL_STRIDE];
    const MarkParts to = parts_of(mark, m);
    mark->carried = *carried;
    memcpy(to.W, W, 2 * m * m * sizeof *W);
    memcpy(to.c, c, m * sizeof *c);
    memcpy(to.W_size, trial->W_size, m * sizeof *to.W_size);
    memcpy(to.P, trial->P, m * sizeof *trial->P);
}

static void return_to_mark(const RobotTrial *trial, int i, Carried *carried, StiDouble2 *W,
                           StiDouble2 *c)
{
    const size_t m = (size_t)trial->pair_count;
    const TrialMark *mark = &trial->marks[i / STI_TRIAL_STRIDE];
    const MarkParts from = parts_of(mark, m);
    *carried = mark->carried;
    memcpy(W, from.W, 2 * m * m * sizeof *W);
    memcpy(c, from.c, m * sizeof *c);
    memcpy(trial->W_size, from.W_size, m * sizeof *from.W_size);
    memcpy(trial->P, from.P, m * sizeof *trial->P);
}

static bool same_friction(const AxisFriction *a, const AxisFriction *b)
{
    return a->mode == b->mode && a->level == b->level && a->slope == b->slope && a->at == b->at;
}

// The link where the pass must begin: the outermost whose friction has changed, or the mark beyond it.
static int first_link(const RobotTrial *trial)
{
    const StiRobot *robot = trial->robot;
    int i = robot->count - 1;
    if (!trial->marked) return i;
    for (; i > 0; --i) {
        const RobotLink *link = &robot->links[i];
        bool same = true;
        for (int k = link->v; k < link->v + link->velocities; ++k)
            same = same && same_friction(&trial->friction[k], &trial->used[k]);
        if (!same) break;
    }
    i |= STI_TRIAL_STRIDE - 1;
    return i < robot->count - 1 ? i : robot->count - 1;
}

static int pass_to_root(RobotTrial *trial, StiDouble2 *W, StiDouble2 *c)
{
    const StiRobot *robot = trial->robot;
    const StiArticulatedInertia none = {.J = {.xx = 0.0}};
    Carried waiting[STI_TREE_SLOTS], carried;
    const int first = first_link(trial);
    const size_t pairs = (size_t)trial->pair_count;
    if (first < robot->count - 1)
        return_to_mark(trial, first, &carried, W, c);
    else
        memset(W, 0, 2 * pairs * pairs * sizeof *W);
    trial->steep = 0;
    trial->marked = false;
    for (int i = first; i >= 0; --i) {
        const TreeOrder *order = &robot->links[i].order;
        if (trial->marks != NULL && i % STI_TRIAL_STRIDE == STI_TRIAL_STRIDE - 1 && i < first)
            leave_mark(trial, i, &carried, W, c);
        if (order->leaf) {
            carried.I = sti_articulated_add_rigid(none, trial->spots[i].inertia);
            carried.p = trial->applied[order->link];
        } else {
            carried.I = sti_articulated_add_rigid(carried.I, trial->spots[i].inertia);
            carried.p = sti_wrench_add(carried.p, trial->applied[order->link]);
        }
        if (order->keep != STI_TREE_NONE) carried = carried_add(&carried, &waiting[order->keep]);
        start_pushes(trial, trial->ranges[i], c);
        const int stopped = pass_joint(trial, i, &carried.I, &carried.p, W, c);
        if (stopped >= 0) return stopped;
        if (order->parent < 0) continue; // the world needs nothing
        if (robot->links[i].velocities == 0) shift_pushes(trial, i);
        carried.I = sti_articulated_shift(carried.I, trial->spots[i].d);
        carried.p = sti_wrench_shift(carried.p, trial->spots[i].d);
        if (order->slot == STI_TREE_PREVIOUS) continue;
        waiting[order->slot] = order->last ? carried : carried_add(&waiting[order->slot], &carried);
    }
    trial->marked = trial->marks != NULL;
    for (int k = 0; trial->marked && k < robot->velocities; ++k)
        trial->used[k] = trial->friction[k];
    return -1;
}

// With the slopes of friction the inertia that an axis hands on may be negative, and so may be what
// the next one finds: that many axes together have no unique answer. Without falling slopes H is
// positive definite.
int sti_trial_inward(RobotTrial *trial, StiDouble2 *W, StiDouble2 *c)
{
    trial->level = false;
    int stopped = pass_to_root(trial, W, c);
    if (stopped < 0) return -1;
    trial->level = true;
    trial->marked = false;
    stopped = pass_to_root(trial, W, c);
    trial->marked = false;
    return stopped;
}

static inline void reload_joint(RobotTrial *trial, int i, StiWrench *p, StiDouble2 *c)
{
    const RobotLink *link = &trial->robot->links[i];
    const PushRange range = trial->ranges[i];
    for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
        AxisTrial *axis = &trial->trial[k];
        const bool turn = k >= link->v + link->slides;
        const StiDouble2 *z = trial->Y + (size_t)k * (size_t)trial->pair_count;
        load_axis(trial, k, sti_robot_along(turn, trial->axes[k].s, *p), axis);
        for (int a = range.first; a < range.last; ++a) c[a] += axis->y * z[a];
        if (axis->y != 0.0) *p = sti_wrench_add_scaled(*p, -axis->y, axis->U);
    }
}

void sti_trial_reload(RobotTrial *trial, StiDouble2 *c)
{
    const StiRobot *robot = trial->robot;
    StiWrench waiting[STI_TREE_SLOTS], p;
    memset(c, 0, (size_t)trial->pair_count * sizeof *c);
    for (int i = robot->count - 1; i >= 0; --i) {
        const TreeOrder *order = &robot->links[i].order;
        const StiWrench own = trial->applied[order->link];
        p = order->leaf ? own : sti_wrench_add(p, own);
        if (order->keep != STI_TREE_NONE) p = sti_wrench_add(p, waiting[order->keep]);
        reload_joint(trial, i, &p, c);
        if (order->parent < 0) continue;
        p = sti_wrench_shift(p, trial->spots[i].d);
        if (order->slot == STI_TREE_PREVIOUS) continue;
        waiting[order->slot] = order->last ? p : sti_wrench_add(waiting[order->slot], p);
    }
}

static inline double pushed(const RobotTrial *trial, PushRange range, int k, const StiDouble2 *f)
{
    const StiDouble2 *Y = trial->Y + (size_t)k * (size_t)trial->pair_count;
    StiDouble2 sum = {0.0, 0.0};
    for (int a = range.first; a < range.last; ++a) sum += Y[a] * f[a];
    return sum[0] + sum[1];
}

// Friction at the velocity that it leads to.
static inline double slip_effort(const AxisFriction *friction, double slope, double v)
{
    if (friction->mode == AXIS_FREE) return 0.0;
    return -((double)friction->mode * friction->level + slope * (v - friction->at));
}

// Returns the axis' acceleration; e: what its neighbours further in ask of it.
static inline double end_axis(const RobotTrial *trial, int k, double from_pushes, double e,
                              AxisEnd *end)
{
    const AxisTrial *axis = &trial->trial[k];
    const double u = axis->u + from_pushes;
    end->scale = axis->scale + fabs(from_pushes) + fabs(e);
    if (trial->friction[k].mode == AXIS_STUCK) {
        end->v = 0.0;
        end->effort = e + axis->D * axis->y - u;
        return axis->y;
    }
    const double vdot = (u - e) * axis->mobility;
    end->v = trial->v[k] + trial->T * vdot;
    end->effort = slip_effort(&trial->friction[k], axis->slope, end->v);
    return vdot;
}

static inline void add_axis(const RobotTrial *trial, int k, bool turn, double vdot, StiTwist *da)
{
    const StiVec3 s = trial->axes[k].s;
    if (turn)
        da->w = sti_vec3_add_scaled(da->w, vdot, s);
    else
        da->v = sti_vec3_add_scaled(da->v, vdot, s);
}

void sti_trial_outward(const RobotTrial *trial, const StiDouble2 *f, AxisEnd *ends)
{
    const StiRobot *robot = trial->robot;
    StiTwist waiting[STI_TREE_SLOTS], da = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    waiting[0] = da; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        if (link->order.slot != STI_TREE_PREVIOUS) da = waiting[link->order.slot];
        da = sti_twist_shift(da, trial->spots[i].d);
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            const double e = sti_wrench_power(trial->trial[k].U, da);
            const double vdot =
                end_axis(trial, k, pushed(trial, trial->ranges[i], k, f), e, &ends[k]);
            if (vdot != 0.0) add_axis(trial, k, k >= link->v + link->slides, vdot, &da);
        }
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = da;
    }
}

void sti_trial_respond(const RobotTrial *trial, const StiDouble2 *f, double *vdot)
{
    const StiRobot *robot = trial->robot;
    StiTwist waiting[STI_TREE_SLOTS], da = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    waiting[0] = da; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        if (link->order.slot != STI_TREE_PREVIOUS) da = waiting[link->order.slot];
        da = sti_twist_shift(da, trial->spots[i].d);
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            const AxisTrial *axis = &trial->trial[k];
            vdot[k] = 0.0;
            if (axis->mobility == 0.0) continue;
            const double u = pushed(trial, trial->ranges[i], k, f);
            vdot[k] = axis->mobility * (u - sti_wrench_power(axis->U, da));
            add_axis(trial, k, k >= link->v + link->slides, vdot[k], &da);
        }
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = da;
    }
}
