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
    int last = trial->push_count;
    trial->marked = trial->axis_pushes = false;
    for (int a = 0; a < trial->push_count; ++a)
        trial->axis_pushes = trial->axis_pushes || trial->pushes[a].axis >= 0;
    for (int i = trial->robot->count - 1, first = last; i >= 0; --i) {
        while (first > 0 && trial->pushes[first - 1].link >= i) --first;
        // The branch ends where its next neighbour begins.
        const int beside = i + size[i];
        last = beside < trial->robot->count ? trial->ranges[beside].first : trial->push_count;
        trial->ranges[i] = (PushRange){first, last};
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
static inline double slip_axis(RobotTrial *trial, const AxisFriction *friction, double v,
                               AxisTrial *axis)
{
    const double s = (double)friction->mode;
    axis->slope = friction->slope;
    if (!(axis->D + trial->T * axis->slope > 0.0)) {
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

// The wrenches of the pushes from `first` on, component by component: so the loops over pushes work
// on neighbours in memory. No two of these overlap.
typedef struct Columns {
    double *fx, *fy, *fz, *mx, *my, *mz;
} Columns;

static inline Columns columns_from(const RobotTrial *trial, int first)
{
    const int m = trial->push_count;
    double *P = trial->P + first;
    return (Columns){P, P + m, P + 2 * m, P + 3 * m, P + 4 * m, P + 5 * m};
}

// z = s.P
static inline void work_along(int count, StiVec3 s, const double *restrict x,
                              const double *restrict y, const double *restrict z,
                              double *restrict along)
{
    for (int a = 0; a < count; ++a) along[a] = s.x * x[a] + s.y * y[a] + s.z * z[a];
}

// Pushes that are efforts on this very axis.
static void add_efforts(const Push *pushes, int count, int k, double *z)
{
    for (int a = 0; a < count; ++a)
        if (pushes[a].axis == k) z[a] += 1.0;
}

// P -= U z/D, and what the diagonal of W would be if every P had its full effect.
static inline void take_off(int count, double mobility, const StiWrench *U,
                            const double *restrict moved, double *restrict size,
                            double *restrict fx, double *restrict fy, double *restrict fz,
                            double *restrict mx, double *restrict my, double *restrict mz)
{
    for (int a = 0; a < count; ++a) {
        size[a] += mobility * ((fx[a] * fx[a] + fy[a] * fy[a] + fz[a] * fz[a]) +
                               (mx[a] * mx[a] + my[a] * my[a] + mz[a] * mz[a]));
        fx[a] -= moved[a] * U->force.x;
        fy[a] -= moved[a] * U->force.y;
        fz[a] -= moved[a] * U->force.z;
        mx[a] -= moved[a] * U->moment.x;
        my[a] -= moved[a] * U->moment.y;
        mz[a] -= moved[a] * U->moment.z;
    }
}

static inline void add_to_row(int count, double moved, const double *restrict z,
                              double *restrict row)
{
    for (int b = 0; b < count; ++b) row[b] += moved * z[b];
}

// What the pushes that pass do to an axis, and what it leaves of them.
static inline void push_axis(RobotTrial *trial, PushRange range, int k, bool turn, StiVec3 s,
                             const AxisTrial *axis, double *W, double *c)
{
    const int first = range.first, count = range.last - first;
    const size_t m = (size_t)trial->push_count;
    const Columns P = columns_from(trial, first);
    double *z = trial->Y + (size_t)k * m + first, *moved = trial->z;
    work_along(count, s, turn ? P.mx : P.fx, turn ? P.my : P.fy, turn ? P.mz : P.fz, z);
    if (trial->axis_pushes) add_efforts(trial->pushes + first, count, k, z);
    if (axis->y != 0.0) add_to_row(count, axis->y, z, c + first);
    if (axis->mobility == 0.0) return;
    for (int a = 0; a < count; ++a) moved[a] = z[a] * axis->mobility;
    for (int a = 0; a < count; ++a)
        add_to_row(a + 1, moved[a], z, W + (size_t)(first + a) * m + first);
    take_off(count, axis->mobility, &axis->U, moved, trial->W_size + first, P.fx, P.fy, P.fz, P.mx,
             P.my, P.mz);
}

static inline int pass_joint(RobotTrial *trial, int i, StiArticulatedInertia *I, StiWrench *p,
                             double *W, double *c)
{
    const RobotLink *link = &trial->robot->links[i];
    const PushRange range = trial->ranges[i];
    for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
        AxisTrial *axis = &trial->trial[k];
        const bool turn = k >= link->v + link->slides;
        const StiVec3 s = trial->axes[k].s;
        axis->U = turn ? column_of_turn(I, s) : column_of_slide(I, s);
        axis->D = sti_robot_along(turn, s, axis->U) + trial->robot->armature[k];
        if (!(axis->D > 0.0)) return k; // also where it is not a number
        load_axis(trial, k, sti_robot_along(turn, s, *p), axis);
        if (range.last > range.first) push_axis(trial, range, k, turn, s, axis, W, c);
        if (axis->mobility != 0.0)
            *I = sti_articulated_less(*I, axis->U, sti_wrench_scale(axis->mobility, axis->U));
        if (axis->y != 0.0) *p = sti_wrench_add_scaled(*p, -axis->y, axis->U);
    }
    return -1;
}

// Pushes start at their links; those that only pass have come from further out.
static inline void start_pushes(RobotTrial *trial, int i)
{
    const StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    for (int a = trial->ranges[i].first; a < trial->ranges[i].last; ++a) {
        if (trial->pushes[a].link != i) break;
        const StiWrench *wrench = trial->pushes[a].wrench;
        const Columns P = columns_from(trial, a);
        if (wrench == NULL) wrench = &none;
        *P.fx = wrench->force.x, *P.fy = wrench->force.y, *P.fz = wrench->force.z;
        *P.mx = wrench->moment.x, *P.my = wrench->moment.y, *P.mz = wrench->moment.z;
    }
}

static inline void shift_columns(int count, StiVec3 d, const double *restrict fx,
                                 const double *restrict fy, const double *restrict fz,
                                 double *restrict mx, double *restrict my, double *restrict mz)
{
    for (int a = 0; a < count; ++a) {
        mx[a] += d.y * fz[a] - d.z * fy[a];
        my[a] += d.z * fx[a] - d.x * fz[a];
        mz[a] += d.x * fy[a] - d.y * fx[a];
    }
}

static inline void shift_pushes(RobotTrial *trial, int i)
{
    const PushRange range = trial->ranges[i];
    const Columns P = columns_from(trial, range.first);
    shift_columns(range.last - range.first, trial->spots[i].d, P.fx, P.fy, P.fz, P.mx, P.my, P.mz);
}

static inline Carried carried_add(const Carried *a, const Carried *b)
{
    return (Carried){sti_articulated_add(a->I, b->I), sti_wrench_add(a->p, b->p)};
}

static void clear(const RobotTrial *trial, double *W, double *c)
{
    const size_t m = (size_t)trial->push_count;
    memset(W, 0, m * m * sizeof *W);
    memset(c, 0, m * sizeof *c);
    memset(trial->W_size, 0, m * sizeof *trial->W_size);
}

typedef struct MarkParts {
    double *W, *c, *W_size, *P;
} MarkParts;

static MarkParts parts_of(const TrialMark *mark, size_t m)
{
    double *numbers = mark->numbers;
    return (MarkParts){numbers, numbers + m * m, numbers + m * m + m, numbers + m * m + 2 * m};
}

static void leave_mark(const RobotTrial *trial, int i, const Carried *carried, const double *W,
                       const double *c)
{
    const size_t m = (size_t)trial->push_count;
    TrialMark *mark = &trial->marks[i / STI_TRIAL_STRIDE];
    const MarkParts to = parts_of(mark, m);
    mark->carried = *carried;
    memcpy(to.W, W, m * m * sizeof *W);
    memcpy(to.c, c, m * sizeof *c);
    memcpy(to.W_size, trial->W_size, m * sizeof *to.W_size);
    memcpy(to.P, trial->P, 6 * m * sizeof *to.P);
}

static void return_to_mark(const RobotTrial *trial, int i, Carried *carried, double *W, double *c)
{
    const size_t m = (size_t)trial->push_count;
    const TrialMark *mark = &trial->marks[i / STI_TRIAL_STRIDE];
    const MarkParts from = parts_of(mark, m);
    *carried = mark->carried;
    memcpy(W, from.W, m * m * sizeof *W);
    memcpy(c, from.c, m * sizeof *c);
    memcpy(trial->W_size, from.W_size, m * sizeof *from.W_size);
    memcpy(trial->P, from.P, 6 * m * sizeof *from.P);
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

int sti_trial_inward(RobotTrial *trial, double *W, double *c)
{
    const StiRobot *robot = trial->robot;
    const Carried none = {.I = {.J = {.xx = 0.0}}};
    Carried waiting[STI_TREE_SLOTS], carried = none;
    const int first = first_link(trial);
    if (first < robot->count - 1)
        return_to_mark(trial, first, &carried, W, c);
    else
        clear(trial, W, c);
    trial->steep = 0;
    trial->marked = false;
    for (int i = first; i >= 0; --i) {
        const TreeOrder *order = &robot->links[i].order;
        if (trial->marks != NULL && i % STI_TRIAL_STRIDE == STI_TRIAL_STRIDE - 1 && i < first)
            leave_mark(trial, i, &carried, W, c);
        if (order->leaf) carried = none;
        carried.I = sti_articulated_add_rigid(carried.I, trial->spots[i].inertia);
        carried.p = sti_wrench_add(carried.p, trial->applied[order->link]);
        if (order->keep != STI_TREE_NONE) carried = carried_add(&carried, &waiting[order->keep]);
        start_pushes(trial, i);
        const int stopped = pass_joint(trial, i, &carried.I, &carried.p, W, c);
        if (stopped >= 0) return stopped;
        if (order->parent < 0) continue; // the world needs nothing
        shift_pushes(trial, i);
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

static inline double pushed(const RobotTrial *trial, PushRange range, int k, const double *f)
{
    const double *Y = trial->Y + (size_t)k * (size_t)trial->push_count;
    double even = 0.0, odd = 0.0;
    int a = range.first;
    for (; a + 2 <= range.last; a += 2) {
        even += Y[a] * f[a];
        odd += Y[a + 1] * f[a + 1];
    }
    return even + odd + (a < range.last ? Y[a] * f[a] : 0.0);
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

void sti_trial_outward(const RobotTrial *trial, const double *f, AxisEnd *ends)
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

void sti_trial_respond(const RobotTrial *trial, const double *f, double *vdot)
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
