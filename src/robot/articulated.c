// Articulated bodies: factors of H and solutions in linear time. A joint with several velocities is
// eliminated axis by axis, which is the factorisation of its block of D without pivots.
#include "robot/recursion.h"

static inline StiWrench column_of_turn(StiArticulatedInertia I, StiVec3 s)
{
    return (StiWrench){.force = sti_mat3_transposed_times(I.B, s),
                       .moment = sti_sym3_times(I.J, s)};
}

static inline StiWrench column_of_slide(StiArticulatedInertia I, StiVec3 s)
{
    return (StiWrench){.force = sti_sym3_times(I.M, s), .moment = sti_mat3_times(I.B, s)};
}

// What stands on the diagonal beside the bodies. A locked velocity has no mobility and V = 0, as if its
// inertia were infinite: nothing more has to know of it.
typedef struct Diagonal {
    const double *armature, *added;
    const bool *locked;
} Diagonal;

static inline void lock(JointAxis *axis)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    axis->mobility = 0.0;
    axis->V = (StiWrench){.force = none, .moment = none};
}

static inline double on_diagonal(const Diagonal *diagonal, int k)
{
    return diagonal->armature[k] + (diagonal->added ? diagonal->added[k] : 0.0);
}

// The last velocity first; false and its number where D is not positive.
static inline bool eliminate_joint(const RobotLink *link, const Diagonal *diagonal,
                                   StiArticulatedInertia *I, JointAxis *axes, int *stopped)
{
    for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
        const bool turn = k >= link->v + link->slides;
        const StiVec3 s = axes[k].s;
        *stopped = k;
        if (diagonal->locked && diagonal->locked[k]) {
            lock(&axes[k]);
            continue;
        }
        const StiWrench U = turn ? column_of_turn(*I, s) : column_of_slide(*I, s);
        const double D = sti_robot_along(turn, s, U) + on_diagonal(diagonal, k);
        if (!(D > 0.0)) return false; // also where it is not a number
        axes[k].mobility = 1.0 / D;
        axes[k].V = sti_wrench_scale(axes[k].mobility, U);
        if (k == link->v && link->order.parent < 0) return true; // the world feels nothing of it
        *I = sti_articulated_less(*I, U, axes[k].V);
    }
    return true;
}

int sti_robot_factor(const StiRobot *robot, const LinkSpot *spots, const bool *locked,
                     const double *added, JointAxis *axes)
{
    const Diagonal diagonal = {robot->armature, added, locked};
    const StiArticulatedInertia none = {.J = {.xx = 0.0}};
    StiArticulatedInertia waiting[STI_TREE_SLOTS], carried;
    int stopped;
    for (int i = robot->count - 1; i >= 0; --i) {
        const RobotLink *link = &robot->links[i];
        const TreeOrder *order = &link->order;
        if (order->leaf) // the last link is one
            carried = sti_articulated_add_rigid(none, spots[i].inertia);
        else
            carried = sti_articulated_add_rigid(carried, spots[i].inertia);
        if (order->keep != STI_TREE_NONE)
            carried = sti_articulated_add(carried, waiting[order->keep]);
        if (!eliminate_joint(link, &diagonal, &carried, axes, &stopped)) return stopped;
        if (order->parent < 0) continue;
        carried = sti_articulated_shift(carried, spots[i].d);
        if (order->slot == STI_TREE_PREVIOUS) continue;
        waiting[order->slot] =
            order->last ? carried : sti_articulated_add(waiting[order->slot], carried);
    }
    return -1;
}

// Leaves to root: the forces that are left for each axis, u, are kept in vdot.
static void gather(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                   const double *tau, const StiWrench *applied, double *u)
{
    const StiWrench none = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    StiWrench waiting[STI_TREE_SLOTS], p = none; // what acts on the link so far
    for (int i = robot->count - 1; i >= 0; --i) {
        const RobotLink *link = &robot->links[i];
        const TreeOrder *order = &link->order;
        if (order->leaf) p = none;
        if (applied) p = sti_wrench_add(p, applied[order->link]);
        if (order->keep != STI_TREE_NONE) p = sti_wrench_add(p, waiting[order->keep]);
        for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
            u[k] = tau[k] + sti_robot_along(k >= link->v + link->slides, axes[k].s, p);
            p = sti_wrench_add_scaled(p, -u[k], axes[k].V);
        }
        if (order->parent < 0) continue;
        p = sti_wrench_shift(p, spots[i].d);
        if (order->slot == STI_TREE_PREVIOUS) continue;
        waiting[order->slot] = order->last ? p : sti_wrench_add(waiting[order->slot], p);
    }
}

// Root to leaves: u becomes the acceleration. needs (NULL: not asked for): what each link then needs beyond
// what is applied to it.
static inline void spread(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                          const StiWrench *applied, StiWrench *needs, double *u)
{
    StiTwist waiting[STI_TREE_SLOTS], da = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    waiting[0] = da; // the world
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        if (link->order.slot != STI_TREE_PREVIOUS) da = waiting[link->order.slot];
        da = sti_twist_shift(da, spots[i].d);
        for (int k = link->v; k < link->v + link->velocities; ++k) {
            u[k] = axes[k].mobility * u[k] - sti_wrench_power(axes[k].V, da);
            if (k < link->v + link->slides)
                da.v = sti_vec3_add_scaled(da.v, u[k], axes[k].s);
            else
                da.w = sti_vec3_add_scaled(da.w, u[k], axes[k].s);
        }
        if (needs)
            needs[link->order.link] =
                sti_wrench_sub(sti_rigid_times(spots[i].inertia, da), applied[link->order.link]);
        if (link->order.keep != STI_TREE_NONE) waiting[link->order.keep] = da;
    }
}

void sti_robot_solve(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                     const double *tau, const StiWrench *applied, double *vdot)
{
    gather(robot, spots, axes, tau, applied, vdot);
    spread(robot, spots, axes, NULL, NULL, vdot);
}

void sti_robot_solve_loaded(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                            const double *tau, const StiWrench *applied, double *vdot,
                            StiWrench *loads)
{
    gather(robot, spots, axes, tau, applied, vdot);
    spread(robot, spots, axes, applied, loads, vdot);
    sti_robot_collect(robot, spots, loads);
}

StiStatus sti_robot_prepare(const StiRobot *robot, const double *q, const bool *locked,
                            const double *added, double *prepared)
{
    const RobotMemory memory = sti_robot_memory(robot, prepared);
    sti_robot_place(robot, q, memory.spots, memory.axes);
    const int stopped = sti_robot_factor(robot, memory.spots, locked, added, memory.axes);
    return stopped < 0 ? STI_OK : STI_BAD_ARGUMENT;
}

void sti_robot_respond(const StiRobot *robot, const double *prepared, const double *tau,
                       const StiWrench *external, double *dv)
{
    const LinkSpot *spots = (const void *)prepared;
    const JointAxis *axes = (const void *)(spots + robot->count);
    sti_robot_solve(robot, spots, axes, tau, external, dv);
}

StiStatus sti_robot_forward(const StiRobot *robot, StiVec3 gravity, const double *q,
                            const double *v, const double *tau, const StiWrench *external,
                            double *vdot, StiWrench *loads, double *workspace)
{
    const RobotMemory m = sti_robot_memory(robot, workspace);
    sti_robot_place(robot, q, m.spots, m.axes);
    sti_robot_apply(robot, gravity, v, m.spots, m.axes, external, m.applied);
    if (sti_robot_factor(robot, m.spots, NULL, NULL, m.axes) >= 0) return STI_BAD_ARGUMENT;
    if (loads)
        sti_robot_solve_loaded(robot, m.spots, m.axes, tau, m.applied, vdot, loads);
    else
        sti_robot_solve(robot, m.spots, m.axes, tau, m.applied, vdot);
    return STI_OK;
}
