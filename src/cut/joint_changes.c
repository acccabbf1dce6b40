// The correction of a trial in which many joints change.
#include "cut/joint_changes.h"

#include <math.h>
#include <string.h>

#include "rows/reactions.h"

// ---- the problem -----------------------------------------------------------------------------------

// Positions where the impulses of the correction act on average: half way from the changes to the end.
static void place(const Correction *c)
{
    const StiNetwork *n = c->network;
    const StageData *close = &c->data->close;
    double sum = 0.0, *x = c->data->probe.x;
    int count = 0;
    for (int i = 0; i < n->reaction_count; ++i) {
        const double likely = fmin(c->data->theta[i], c->data->likely[i]);
        sum += fmax(1.0 - likely, 0.0);
        count += likely < 1.0;
    }
    const double back = 0.5 * c->h * sum / fmax(count, 1);
    memcpy(x, close->x, (size_t)n->x_count * sizeof *x);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        double *way = c->data->shift + a->generalized;
        if (a->robot == NULL) continue;
        for (int k = 0; k < a->dim; ++k)
            way[k] = close->x[a->v + k] - 0.5 * back * close->xdot[a->v + k];
        a->kind->move(a->parameters, way, -back, x + a->q);
    }
    sti_joints_place(n, x, c->joints);
}

// Velocities at the end of the trial, which nothing but the correction changes.
static void set_motion(const Correction *c)
{
    const StiNetwork *n = c->network;
    JointData *joints = c->joints;
    memset(joints->tau, 0, (size_t)n->generalized_count * sizeof *joints->tau);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        if (a->robot != NULL)
            memcpy(joints->v + a->generalized, c->data->x_end + a->v,
                   (size_t)a->dim * sizeof *joints->v);
        joints->trials[i].marked = false;
    }
}

static void set_problem(const Correction *c)
{
    const StiNetwork *n = c->network;
    JointData *joints = c->joints;
    place(c);
    set_motion(c);
    memset(joints->applied, 0, (size_t)n->link_count * sizeof *joints->applied);
    for (int k = 0; k < n->generalized_count; ++k) {
        joints->joints[k].sought = false;
        sti_joint_set_mode(joints, k, AXIS_FREE);
    }
    for (int i = 0; i < n->reaction_count; ++i) sti_joint_begin(c, &n->reactions[i]);
}

// False: modes are others than those noted before.
static bool note_efforts(const Correction *c)
{
    bool same = true;
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const int k = c->network->reactions[i].wire.own_force;
        JointChange *change = &c->data->changes[k];
        same = same && change->end == c->joints->friction[k].mode;
        change->effort = c->joints->ends[k].effort;
        change->end = c->joints->friction[k].mode;
    }
    return same;
}

// How long the effort of the correction has acted on average at the end, as a share of the trial, times it.
static double moment_of(const JointChange *change)
{
    const bool breaks = change->mode == AXIS_STUCK && change->from < 1.0;
    const double excess = breaks ? change->side * change->excess : 0.0;
    const double moment = breaks ? change->side * change->moment : 0.0;
    return moment + 0.5 * change->share * (change->effort - excess);
}

// The same problem for displacements, with the modes known. What has come to rest takes back its overrun.
static StiStatus solve_shift(const Correction *c)
{
    const StiNetwork *n = c->network;
    JointData *joints = c->joints;
    memset(joints->v, 0, (size_t)n->generalized_count * sizeof *joints->v);
    memset(joints->applied, 0, (size_t)n->link_count * sizeof *joints->applied);
    for (int i = 0; i < n->admittance_count; ++i) joints->trials[i].marked = false;
    for (int i = 0; i < n->reaction_count; ++i) {
        const int k = n->reactions[i].wire.own_force;
        const JointChange *change = &c->data->changes[k];
        if (change->end != AXIS_STUCK) {
            joints->friction[k] = (AxisFriction){.mode = AXIS_FREE};
            joints->tau[k] = c->h * c->h * moment_of(change);
        } else if (change->mode != AXIS_STUCK) {
            joints->v[k] = c->h * change->overrun;
        }
    }
    const StiStatus status = sti_joints_try(n, 1.0, c->scratch);
    for (int k = 0; k < n->generalized_count; ++k)
        c->data->shift[k] = joints->ends[k].v - joints->v[k];
    return status;
}

// What the shift changes in the forces that go with velocities: the integral of that is linear in it.
static void apply_shift(const Correction *c)
{
    const StiNetwork *n = c->network;
    JointData *joints = c->joints;
    const StageData *middle = &c->scratch->stages[STI_MIDDLE];
    set_motion(c);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const RobotTrial *trial = &joints->trials[i];
        double *way = c->data->probe.x + a->v;
        if (a->robot == NULL) continue;
        for (int k = 0; k < a->dim; ++k)
            way[k] = middle->x[a->v + k] + c->data->shift[a->generalized + k] / c->h;
        sti_robot_apply(a->robot, n->gravity, middle->x + a->v, trial->spots, trial->axes, NULL,
                        c->data->unchanged + a->link);
        sti_robot_apply(a->robot, n->gravity, way, trial->spots, trial->axes, NULL,
                        joints->applied + a->link);
        for (int l = a->link; l < a->link + a->size.links; ++l)
            joints->applied[l] = sti_wrench_sub(joints->applied[l], c->data->unchanged[l]);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const int k = n->reactions[i].wire.own_force;
        sti_joint_set_mode(joints, k, c->data->changes[k].end);
    }
}

static void take_velocities(const Correction *c)
{
    for (int i = 0; i < c->network->admittance_count; ++i) {
        const Admittance *a = &c->network->admittances[i];
        for (int k = 0; a->robot != NULL && k < a->dim; ++k)
            c->data->x_end[a->v + k] = c->joints->ends[a->generalized + k].v;
    }
}

static void take_positions(const Correction *c)
{
    for (int i = 0; i < c->network->admittance_count; ++i) {
        const Admittance *a = &c->network->admittances[i];
        if (a->robot != NULL)
            a->kind->move(a->parameters, c->data->shift + a->generalized, 1.0,
                          c->data->x_end + a->q);
    }
}

// A joint that does not change by itself feels the changes of others for this part of the trial: its effort
// holds both the impulse and the moment that it takes to stay as it is.
static void find_shares(const Correction *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const int k = e->wire.own_force;
        JointChange *change = &c->data->changes[k];
        const double moment = c->joints->ends[k].effort / (c->h * c->h);
        if (change->from < 1.0 || change->mode != AXIS_STUCK) continue;
        const double share = 2.0 * moment / change->effort;
        if (share > 0.0 && share < change->share) change->share = share;
        sti_joint_bound(c, e);
    }
}

// First one change after the other: that shows when they are, for how long others are felt, and what the
// shift of positions changes. Then with the modes that all agree on.
static StiStatus correct(const Correction *c)
{
    set_problem(c);
    StiStatus status = sti_joints_sweep(c);
    if (status != STI_OK) return status;
    note_efforts(c);
    status = solve_shift(c);
    if (status != STI_OK) return status;
    find_shares(c);
    apply_shift(c);
    const int violations = sti_joints_agree(c->network, c->h, c->scratch, &status);
    if (violations < 0) return status;
    c->scratch->figures.unsettled_joints += violations;
    const bool same = note_efforts(c);
    take_velocities(c);
    if (!same) status = solve_shift(c);
    if (status == STI_OK) take_positions(c);
    return status;
}

// ---- the whole -------------------------------------------------------------------------------------

static void take_modes(const Correction *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const JointChange *change = sti_change_of(c, e);
        double *mode = c->data->s + e->s;
        if (!sti_has_changed(change)) continue;
        mode[0] = change->end == AXIS_STUCK ? STI_STICK : STI_SLIP;
        if (change->end != AXIS_STUCK) mode[1] = (double)change->end;
        c->data->fresh[i] = true;
        ++c->scratch->figures.events;
    }
}

StiStatus sti_substep_take_together(const StiNetwork *network, StiScratch *scratch, double h)
{
    SubstepData *data = scratch->substep;
    const Correction c = {
        .network = network, .scratch = scratch, .data = data, .joints = scratch->joints, .h = h};
    const StiStatus status = correct(&c);
    if (status != STI_OK) return status;
    sti_joints_enter(&c);
    take_modes(&c);
    memcpy(data->x, data->x_end, (size_t)(network->x_count + network->y_count) * sizeof *data->x);
    data->t = data->close.stage.t;
    data->rest -= h;
    data->columns_known = data->judged = false;
    return STI_OK;
}
