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

// What a pass to the root does: it factors, or reads factors; and gathers forces.
typedef struct Pass {
    JointAxis *factors; // NULL: they are known
    Diagonal diagonal;
    const double *tau;
    const StiWrench *applied; // NULL: nothing
    double *u;                // forces that are left for each axis; NULL: not asked for
} Pass;

// Takes an axis out of the inertia. False where its D is not positive.
static inline bool eliminate(const Diagonal *diagonal, bool turn, bool felt, int k, JointAxis *axis,
                             StiArticulatedInertia *I)
{
    if (diagonal->locked && diagonal->locked[k]) {
        lock(axis);
        return true;
    }
    const StiWrench U = turn ? column_of_turn(*I, axis->s) : column_of_slide(*I, axis->s);
    const double D = sti_robot_along(turn, axis->s, U) + on_diagonal(diagonal, k);
    if (!(D > 0.0)) return false; // also where it is not a number
    axis->mobility = 1.0 / D;
    axis->V = sti_wrench_scale(axis->mobility, U);
    if (felt) *I = sti_articulated_less(*I, U, axis->V);
    return true;
}

// The last velocity first; -1, or its number where nothing opposes it. I: what the link opposes with all that
// hangs on it, p: what acts on it so far.
static inline int pass_joint(const RobotLink *link, const Pass *pass, const JointAxis *axes,
                             StiArticulatedInertia *I, StiWrench *p)
{
    for (int k = link->v + link->velocities - 1; k >= link->v; --k) {
        const bool turn = k >= link->v + link->slides;
        const bool felt = k > link->v || link->order.parent >= 0; // not by the world
        if (pass->factors && !eliminate(&pass->diagonal, turn, felt, k, &pass->factors[k], I))
            return k;
        if (!pass->u) continue;
        pass->u[k] = pass->tau[k] + sti_robot_along(turn, axes[k].s, *p);
        *p = sti_wrench_add_scaled(*p, -pass->u[k], axes[k].V);
    }
    return -1;
}

// Leaves to root. What each caller does not ask for is not compiled into its pass.
static inline int pass_inward(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                              const Pass *pass)
{
    const StiArticulatedInertia no_inertia = {.J = {.xx = 0.0}};
    const StiWrench nothing = {.force = {0.0, 0.0, 0.0}, .moment = {0.0, 0.0, 0.0}};
    StiArticulatedInertia waiting_I[STI_TREE_SLOTS], I;
    StiWrench waiting_p[STI_TREE_SLOTS], p = nothing;
    for (int i = robot->count - 1; i >= 0; --i) {
        const RobotLink *link = &robot->links[i];
        const TreeOrder *order = &link->order;
        if (pass->factors) {
            if (order->leaf) // the last link is one
                I = sti_articulated_add_rigid(no_inertia, spots[i].inertia);
            else
                I = sti_articulated_add_rigid(I, spots[i].inertia);
            if (order->keep != STI_TREE_NONE) I = sti_articulated_add(I, waiting_I[order->keep]);
        }
        if (order->leaf) p = nothing;
        if (pass->applied) p = sti_wrench_add(p, pass->applied[order->link]);
        if (order->keep != STI_TREE_NONE && pass->u) p = sti_wrench_add(p, waiting_p[order->keep]);
        const int stopped = pass_joint(link, pass, axes, &I, &p);
        if (stopped >= 0) return stopped;
        if (order->parent < 0) continue;
        if (pass->factors) I = sti_articulated_shift(I, spots[i].d);
        p = sti_wrench_shift(p, spots[i].d);
        if (order->slot == STI_TREE_PREVIOUS) continue;
        if (pass->factors)
            waiting_I[order->slot] =
                order->last ? I : sti_articulated_add(waiting_I[order->slot], I);
        if (pass->u)
            waiting_p[order->slot] = order->last ? p : sti_wrench_add(waiting_p[order->slot], p);
    }
    return -1;
}

int sti_robot_factor(const StiRobot *robot, const LinkSpot *spots, const bool *locked,
                     const double *added, JointAxis *axes)
{
    const Pass pass = {.factors = axes, .diagonal = {robot->armature, added, locked}};
    return pass_inward(robot, spots, axes, &pass);
}

static void gather(const StiRobot *robot, const LinkSpot *spots, const JointAxis *axes,
                   const double *tau, const StiWrench *applied, double *u)
{
    const Pass pass = {.tau = tau, .applied = applied, .u = u};
    pass_inward(robot, spots, axes, &pass);
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

int sti_robot_factor_and_solve(const StiRobot *robot, const LinkSpot *spots, const bool *locked,
                               const double *tau, const StiWrench *applied, JointAxis *axes,
                               double *vdot, StiWrench *loads)
{
    const Pass pass = {.factors = axes,
                       .diagonal = {robot->armature, NULL, locked},
                       .tau = tau,
                       .applied = applied,
                       .u = vdot};
    const int stopped = pass_inward(robot, spots, axes, &pass);
    if (stopped >= 0) return stopped;
    spread(robot, spots, axes, applied, loads, vdot);
    if (loads) sti_robot_collect(robot, spots, loads);
    return -1;
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
    const int stopped =
        sti_robot_factor_and_solve(robot, m.spots, NULL, tau, m.applied, m.axes, vdot, loads);
    return stopped < 0 ? STI_OK : STI_BAD_ARGUMENT;
}
