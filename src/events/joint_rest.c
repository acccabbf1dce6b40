// Many joints at rest that break loose together: who does, and which way, by the accelerations there.
#include <math.h>
#include <string.h>

#include "events/joint_modes.h"
#include "rows/reactions.h"
#include "events/rest.h"

// Efforts without the friction that is sought, and what acts on the links.
static void load(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    JointData *data = scratch->joints;
    const size_t all = (size_t)network->generalized_count;
    memset(data->v, 0, all * sizeof *data->v);
    memcpy(data->tau, now->generalized, all * sizeof *data->tau);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const RobotTrial *trial = &data->trials[i];
        if (a->robot != NULL)
            sti_robot_apply(a->robot, network->gravity, now->x + a->v, trial->spots, trial->axes,
                            a->posed ? now->wrenches + a->link : NULL, data->applied + a->link);
    }
}

// Its bounds at rest; what slips already is part of the forces.
static void seek(const Reaction *e, const StageData *now, JointData *data)
{
    const int k = e->wire.own_force;
    const double *signals = now->ports + e->port;
    const StiReactionModes *modes = e->kind->modes;
    JointBounds *joint = &data->joints[k];
    joint->sought = true;
    joint->low = -modes->limit(e->parameters, 1.0, signals);
    joint->high = modes->limit(e->parameters, -1.0, signals);
    joint->forward = -modes->level(e->parameters, 0.0, 1.0, signals);
    joint->backward = modes->level(e->parameters, 0.0, -1.0, signals);
    joint->sense = AXIS_FREE;
    data->tau[k] += now->u[e->wire.v];
    sti_joint_set_mode(data, k, AXIS_STUCK);
}

static void let_slip(const StiNetwork *network, double *s, StiScratch *scratch)
{
    const JointData *data = scratch->joints;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const AxisMode mode = data->friction[e->wire.own_force].mode;
        if (mode != AXIS_FORWARD && mode != AXIS_BACKWARD) continue;
        s[e->s] = STI_SLIP;
        s[e->s + 1] = (double)mode;
        scratch->rest->released[i] = RELEASED;
    }
}

StiStatus sti_joints_at_rest(const StiNetwork *network, double *s, StiScratch *scratch,
                             const StageData *now)
{
    JointData *data = scratch->joints;
    StiStatus status = STI_OK;
    sti_joints_place(network, now->x, data);
    load(network, scratch, now);
    for (int k = 0; k < network->generalized_count; ++k) {
        data->joints[k].sought = false;
        sti_joint_set_mode(data, k, AXIS_FREE);
    }
    for (int i = 0; i < network->reaction_count; ++i)
        if (s[network->reactions[i].s] == STI_STICK) seek(&network->reactions[i], now, data);
    if (sti_joints_agree(network, 1.0, scratch, &status) >= 0) let_slip(network, s, scratch);
    return status;
}
