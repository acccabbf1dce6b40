// A trial in which many joints change is not cut at each of them. It is corrected as a whole: the
// friction of each joint acts as in the trial until its own change, and within its limits from there
// on, so that all velocities at the end agree with it.
//
// The correction is linear in the impulses of friction, with the inertia where they act on average.
// It follows the forces that go with velocities, but not those that go with positions, and does not
// know how changes move each other in time: O(h^3) in the velocities.
#include <math.h>
#include <string.h>

#include "step/account.h"
#include "step/joint_modes.h"
#include "step/pieces.h"
#include "step/reactions.h"

enum { MIDDLE = 2, HALVINGS = 40 }; // the stage whose positions are those of the correction

typedef struct Correction {
    const StiNetwork *network;
    StiScratch *scratch;
    PieceData *data;
    JointData *joints;
    double h;
    double first; // change in the trial: from there on all may differ
} Correction;

// ---- changes in the trial --------------------------------------------------------------------------

// How far beyond its limit a stuck joint is at a stage, and which way it would go.
static double excess_at(const Reaction *e, const StageData *stage, double *side)
{
    const double u = stage->u[e->wire.v];
    *side = u < 0.0 ? -1.0 : 1.0;
    return fabs(u) - e->kind->modes->limit(e->parameters, *side, stage->ports + e->port);
}

// Parabola through e0, e1 and em in the middle.
static double parabola(const double e[3], double x)
{
    return e[0] * (1.0 - x) * (1.0 - 2.0 * x) + 4.0 * e[1] * x * (1.0 - x) +
           e[2] * x * (2.0 * x - 1.0);
}

// Where the parabola, positive at its end, becomes positive.
static double first_beyond(const double e[3])
{
    double from = e[1] < 0.0 ? 0.5 : 0.0, to = from + 0.5;
    if (e[0] >= 0.0) return 0.0;
    for (int i = 0; i < HALVINGS; ++i) {
        const double x = 0.5 * (from + to);
        *(parabola(e, x) < 0.0 ? &from : &to) = x;
    }
    return to;
}

static void look_at_stuck(const Correction *c, const Reaction *e, JointChange *change)
{
    const double excess[3] = {excess_at(e, &c->scratch->stages[0], &change->side),
                              excess_at(e, &c->scratch->stages[MIDDLE], &change->side),
                              excess_at(e, &c->data->close, &change->side)};
    change->mode = AXIS_STUCK;
    change->from = 1.0;
    change->excess = 0.0;
    if (!(excess[2] > 0.0)) return; // what only dips beyond its limit is held
    const double from = first_beyond(excess), x = 0.5 * (1.0 + from);
    const double sum = parabola(excess, from) + 4.0 * parabola(excess, x) + excess[2];
    change->from = from;
    change->excess = fmax((1.0 - from) * sum / 6.0, 0.0); // Simpson's rule is exact here
}

// Mean velocity of a slipping joint from its end on, over the whole trial.
static void look_at_slip(const Correction *c, const Reaction *e, double theta, JointChange *change)
{
    const StageData *start = &c->scratch->stages[0], *close = &c->data->close;
    const int v = e->wire.own_v;
    change->mode = c->data->s[e->s + 1] > 0.0 ? AXIS_FORWARD : AXIS_BACKWARD;
    change->from = fmin(theta, 1.0);
    const double x = 0.5 * (1.0 + change->from);
    const double half =
        sti_cubic_between(start->x[v], start->xdot[v], close->x[v], close->xdot[v], c->h, x);
    change->overrun = (1.0 - change->from) * (4.0 * half + close->x[v]) / 6.0;
}

static void look_at_changes(Correction *c)
{
    c->first = 1.0;
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        JointChange *change = &c->joints->changes[e->wire.own_force];
        if (c->data->s[e->s] == STI_STICK)
            look_at_stuck(c, e, change);
        else
            look_at_slip(c, e, c->data->theta[i], change);
        c->first = fmin(c->first, change->from);
    }
    for (int i = 0; i < c->network->reaction_count; ++i) {
        JointChange *change = &c->joints->changes[c->network->reactions[i].wire.own_force];
        const double v = c->data->close.x[c->network->reactions[i].wire.own_v];
        // stopped or torn loose by others: from the first change on, as far as no more is known
        change->share = 1.0 - (change->from < 1.0 ? change->from : c->first);
        if (change->from == 1.0) change->overrun = 0.5 * change->share * v;
    }
}

// ---- bounds ----------------------------------------------------------------------------------------

// Efforts of friction at rest: bounds of sticking, and levels of slip along + and -.
typedef struct Efforts {
    double low, high, forward, backward;
} Efforts;

static Efforts efforts_of(const Reaction *e, const double *signals)
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

static void bound(const Correction *c, const Reaction *e)
{
    const int k = e->wire.own_force;
    const StageData *close = &c->data->close;
    const JointChange *change = &c->joints->changes[k];
    const Efforts f = efforts_of(e, close->ports + e->port);
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

// ---- the problem -----------------------------------------------------------------------------------

// Positions where the impulses of the correction act on average: half way from the changes to the end.
static void place(const Correction *c)
{
    const StiNetwork *n = c->network;
    const StageData *close = &c->data->close;
    double sum = 0.0, *x = c->data->probe.x;
    int count = 0;
    for (int i = 0; i < n->reaction_count; ++i) {
        const JointChange *change = &c->joints->changes[n->reactions[i].wire.own_force];
        sum += 1.0 - change->from;
        count += change->from < 1.0;
    }
    const double back = 0.5 * c->h * sum / fmax(count, 1);
    memcpy(x, close->x, (size_t)n->x_count * sizeof *x);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        double *way = c->joints->shift + a->generalized;
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
    for (int i = 0; i < n->reaction_count; ++i) bound(c, &n->reactions[i]);
}

static void note_efforts(const Correction *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const int k = c->network->reactions[i].wire.own_force;
        c->joints->changes[k].effort = c->joints->ends[k].effort;
        c->joints->changes[k].end = c->joints->friction[k].mode;
    }
}

// How long the effort of the correction has acted on average at the end, as a share of the trial, times it.
static double moment_of(const JointChange *change)
{
    const bool breaks = change->mode == AXIS_STUCK && change->from < 1.0;
    const double grown = breaks ? change->side * change->excess : 0.0; // from nothing at the change
    return change->share * (grown / 3.0 + (change->effort - grown) / 2.0);
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
        const JointChange *change = &joints->changes[k];
        if (change->end != AXIS_STUCK) {
            joints->friction[k] = (AxisFriction){.mode = AXIS_FREE};
            joints->tau[k] = c->h * c->h * moment_of(change);
        } else if (change->mode != AXIS_STUCK) {
            joints->v[k] = c->h * change->overrun;
        }
    }
    const StiStatus status = sti_joints_try(n, 1.0, c->scratch);
    for (int k = 0; k < n->generalized_count; ++k)
        joints->shift[k] = joints->ends[k].v - joints->v[k];
    return status;
}

// What the shift changes in the forces that go with velocities: the integral of that is linear in it.
static void apply_shift(const Correction *c)
{
    const StiNetwork *n = c->network;
    JointData *joints = c->joints;
    const StageData *middle = &c->scratch->stages[MIDDLE];
    set_motion(c);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const RobotTrial *trial = &joints->trials[i];
        double *way = c->data->probe.x + a->v;
        if (a->robot == NULL) continue;
        for (int k = 0; k < a->dim; ++k)
            way[k] = middle->x[a->v + k] + joints->shift[a->generalized + k] / c->h;
        sti_robot_apply(a->robot, n->gravity, middle->x + a->v, trial->spots, trial->axes, NULL,
                        joints->unchanged + a->link);
        sti_robot_apply(a->robot, n->gravity, way, trial->spots, trial->axes, NULL,
                        joints->applied + a->link);
        for (int l = a->link; l < a->link + a->size.links; ++l)
            joints->applied[l] = sti_wrench_sub(joints->applied[l], joints->unchanged[l]);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const int k = n->reactions[i].wire.own_force;
        sti_joint_set_mode(joints, k, joints->changes[k].end);
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
            a->kind->move(a->parameters, c->joints->shift + a->generalized, 1.0,
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
        JointChange *change = &c->joints->changes[k];
        const double moment = c->joints->ends[k].effort / (c->h * c->h);
        if (change->from < 1.0 || change->mode != AXIS_STUCK) continue;
        const double share = 2.0 * moment / change->effort;
        if (share > 0.0 && share < change->share) change->share = share;
        bound(c, e);
    }
}

// First with the modes that the trial itself asks for: that tells for how long others are felt, and what
// the shift of positions changes. Then with the modes that all agree on.
static StiStatus correct(const Correction *c)
{
    set_problem(c);
    StiStatus status = sti_joints_try(c->network, c->h, c->scratch);
    if (status != STI_OK) return status;
    note_efforts(c);
    status = solve_shift(c);
    if (status != STI_OK) return status;
    find_shares(c);
    apply_shift(c);
    const int violations = sti_joints_agree(c->network, c->h, c->scratch, &status);
    if (violations < 0) return status;
    c->scratch->figures.unsettled_joints += violations;
    note_efforts(c);
    take_velocities(c);
    status = solve_shift(c);
    if (status == STI_OK) take_positions(c);
    return status;
}

static bool has_changed(const JointChange *change) { return change->end != change->mode; }

// ---- books -----------------------------------------------------------------------------------------

// The mean over the trial, with the weights of the method.
static void fill_means(const Correction *c, StageData *mean)
{
    const StiNetwork *n = c->network;
    memcpy(mean->x, c->scratch->stages[MIDDLE].x, (size_t)n->x_count * sizeof *mean->x);
    memcpy(mean->ports, c->scratch->stages[MIDDLE].ports,
           (size_t)n->port_count * sizeof *mean->ports);
    memcpy(mean->loads, c->data->close.loads, (size_t)n->load_count * sizeof *mean->loads);
    memset(mean->u, 0, (size_t)n->xhat_velocities * sizeof *mean->u);
    mean->stage = c->data->close.stage;
    for (int r = 0; r < n->pair->stages; ++r)
        for (int i = 0; i < n->xhat_velocities; ++i)
            mean->u[i] += n->pair->b[r] * c->scratch->stages[r].u[i];
}

static double mean_velocity(const Correction *c, int v)
{
    const StiMethod *pair = c->network->pair;
    double mean = 0.0;
    for (int r = 0; r < pair->stages; ++r) mean += pair->b[r] * c->scratch->stages[r].x[v];
    return mean;
}

// Velocities of one of two entries, each for half of the time: twice the way up to the change of each joint,
// and twice the way behind it.
static void set_ways(const Correction *c, bool behind, StageData *mean)
{
    const StiNetwork *n = c->network;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d) {
            const int k = a->generalized + d;
            const JointChange *change = &c->joints->changes[k];
            const double in_trial = mean_velocity(c, a->v + d);
            const double all = in_trial + (a->robot != NULL ? c->joints->shift[k] / c->h : 0.0);
            double before = all;
            if (a->robot != NULL && c->joints->joints[k].sought && has_changed(change))
                before = change->mode == AXIS_STUCK ? 0.0 : in_trial - change->overrun;
            mean->x[a->v + d] = 2.0 * (behind ? all - before : before);
        }
    }
}

static void enter_half(const Correction *c, bool behind, StageData *mean)
{
    set_ways(c, behind, mean);
    sti_psi(c->network, mean);
    sti_phi_all(c->network, mean);
    sti_account_stage(c->network, c->scratch, mean, 0.5 * c->h);
}

// Work of each joint's friction up to its change and behind it, each with its own resistance.
static void enter(const Correction *c)
{
    const StiNetwork *n = c->network;
    StageData *mean = &c->data->probe;
    fill_means(c, mean);
    for (int i = 0; i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        const JointChange *change = &c->joints->changes[wire->own_force];
        if (!has_changed(change)) mean->u[wire->v] -= change->effort;
    }
    enter_half(c, false, mean);
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        const JointChange *change = &c->joints->changes[e->wire.own_force];
        const Efforts f = efforts_of(e, mean->ports + e->port);
        double *u = &mean->u[e->wire.v];
        if (!has_changed(change)) continue;
        const double behind = change->end == AXIS_FORWARD    ? -f.forward
                              : change->end == AXIS_BACKWARD ? -f.backward
                                                             : 0.0;
        // on average over the trial it is *u - effort, and not half of both
        c->data->mean_u[e->wire.v] += c->h / n->step * (0.5 * (*u - behind) - change->effort);
        *u = behind;
    }
    enter_half(c, true, mean);
}

// ---- the whole -------------------------------------------------------------------------------------

static void take_modes(const Correction *c)
{
    for (int i = 0; i < c->network->reaction_count; ++i) {
        const Reaction *e = &c->network->reactions[i];
        const JointChange *change = &c->joints->changes[e->wire.own_force];
        double *mode = c->data->s + e->s;
        if (!has_changed(change)) continue;
        mode[0] = change->end == AXIS_STUCK ? STI_STICK : STI_SLIP;
        if (change->end != AXIS_STUCK) mode[1] = (double)change->end;
        c->data->fresh[i] = true;
        ++c->scratch->figures.events;
    }
}

StiStatus sti_piece_take_together(const StiNetwork *network, StiScratch *scratch, double h)
{
    PieceData *data = &scratch->pieces;
    Correction c = {
        .network = network, .scratch = scratch, .data = data, .joints = &scratch->joints, .h = h};
    look_at_changes(&c);
    const StiStatus status = correct(&c);
    if (status != STI_OK) return status;
    enter(&c);
    take_modes(&c);
    memcpy(data->x, data->x_end, (size_t)(network->x_count + network->y_count) * sizeof *data->x);
    data->t = data->close.stage.t;
    data->rest -= h;
    data->columns_known = data->judged = false;
    return STI_OK;
}
