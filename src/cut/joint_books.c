// The books of a trial that is corrected: each joint's friction works up to its change and behind it.
#include <string.h>

#include "cut/account.h"
#include "cut/joint_changes.h"

// The mean over the trial, with the weights of the method.
static void fill_means(const Correction *c, StageData *mean)
{
    const StiNetwork *n = c->network;
    memcpy(mean->x, c->scratch->stages[STI_MIDDLE].x, (size_t)n->x_count * sizeof *mean->x);
    memcpy(mean->ports, c->scratch->stages[STI_MIDDLE].ports,
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
            const JointChange *change = &c->data->changes[k];
            const double in_trial = mean_velocity(c, a->v + d);
            const double all = in_trial + (a->robot != NULL ? c->data->shift[k] / c->h : 0.0);
            double before = all;
            if (a->robot != NULL && c->joints->joints[k].sought && sti_has_changed(change))
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
void sti_joints_enter(const Correction *c)
{
    const StiNetwork *n = c->network;
    StageData *mean = &c->data->probe;
    fill_means(c, mean);
    for (int i = 0; i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        const JointChange *change = &c->data->changes[wire->own_force];
        if (!sti_has_changed(change)) mean->u[wire->v] -= change->effort;
    }
    enter_half(c, false, mean);
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        const JointChange *change = &c->data->changes[e->wire.own_force];
        const Efforts f = sti_joint_efforts(e, mean->ports + e->port);
        double *u = &mean->u[e->wire.v];
        if (!sti_has_changed(change)) continue;
        const double behind = change->end == AXIS_FORWARD    ? -f.forward
                              : change->end == AXIS_BACKWARD ? -f.backward
                                                             : 0.0;
        // on average over the trial it is *u - effort, and not half of both
        c->data->mean_u[e->wire.v] += c->h / n->step * (0.5 * (*u - behind) - change->effort);
        *u = behind;
    }
    enter_half(c, true, mean);
}
