// Where joints' modes do not agree after several trials: a straight way from a problem that the present
// modes solve to the one that is asked for. Every bound that is violated gets slack, which goes to zero
// along the way; the first joint that runs out of its own changes its mode, and the way goes on from
// there. H is positive definite, so each change leads on (parametric principal pivoting), and there are
// about as many as modes that differ.
#include <math.h>

#include "events/joint_modes.h"

enum { LEAST_PIVOTS = 100 };

// How far a joint is from the end of its mode, and which mode would follow; INFINITY: it has none.
static double margin(const JointBounds *joint, AxisMode mode, double v, double effort,
                     AxisMode *next)
{
    if (mode == AXIS_FREE) return INFINITY;
    *next = AXIS_STUCK;
    if (mode != AXIS_STUCK) return (double)mode * v;
    const double forward = effort - joint->low, backward = joint->high - effort;
    *next = forward < backward ? AXIS_FORWARD : AXIS_BACKWARD;
    return fmin(forward, backward);
}

static double margin_on_way(const JointData *data, int i, AxisMode *next)
{
    const JointBounds *joint = &data->joints[i];
    return margin(joint, data->friction[i].mode, joint->v, joint->effort, next);
}

// Slack beyond what is lacking is the same for all efforts, and for all velocities: the worst run out first.
static void start(const StiNetwork *network, JointData *data)
{
    double most[2] = {0.0, 0.0}; // lacking of those that slip, of those that stick
    AxisMode next;
    for (int i = 0; i < network->generalized_count; ++i) {
        JointBounds *joint = &data->joints[i];
        double *of_all = &most[data->friction[i].mode == AXIS_STUCK];
        joint->v = data->ends[i].v;
        joint->effort = data->ends[i].effort;
        joint->slack = fmax(-margin_on_way(data, i, &next), 0.0);
        *of_all = fmax(*of_all, joint->slack);
    }
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].slack > 0.0)
            data->joints[i].slack += most[data->friction[i].mode == AXIS_STUCK];
}

// The first joint that runs out of margin between here and the end of the way; *share: where.
static int first_to_change(const StiNetwork *network, const JointData *data, double *share,
                           AxisMode *mode)
{
    int first = -1;
    *share = 1.0;
    for (int i = 0; i < network->generalized_count; ++i) {
        const JointBounds *joint = &data->joints[i];
        AxisMode next = AXIS_FREE, here;
        if (joint->violated == AXIS_FREE) continue;
        const double end =
            margin(joint, data->friction[i].mode, data->ends[i].v, data->ends[i].effort, &next);
        const double begin = fmax(margin_on_way(data, i, &here) + joint->slack, 0.0);
        const double at = end < 0.0 ? begin / (begin - end) : 1.0;
        if (first >= 0 && !(at < *share)) continue;
        *share = at;
        *mode = next;
        first = i;
    }
    return first;
}

static void go_to(const StiNetwork *network, double share, JointData *data)
{
    for (int i = 0; i < network->generalized_count; ++i) {
        JointBounds *joint = &data->joints[i];
        joint->v += share * (data->ends[i].v - joint->v);
        joint->effort += share * (data->ends[i].effort - joint->effort);
        joint->slack *= 1.0 - share;
    }
}

static void change(JointData *data, int i, AxisMode mode)
{
    AxisMode next;
    sti_joint_set_mode(data, i, mode);
    data->joints[i].slack = fmax(-margin_on_way(data, i, &next), 0.0);
}

int sti_joints_pivot(const StiNetwork *network, double T, StiScratch *scratch, StiStatus *status)
{
    JointData *data = scratch->joints;
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].sought) sti_joint_set_mode(data, i, data->joints[i].best);
    const int pivots = LEAST_PIVOTS + 2 * network->generalized_count;
    for (int pivot = 0;; ++pivot) {
        AxisMode mode = AXIS_FREE;
        double share;
        *status = sti_joints_try(network, T, scratch);
        if (*status != STI_OK) return -1;
        const int violations = sti_joints_check(network, T, data);
        if (violations == 0 || pivot == pivots) return violations;
        if (pivot == 0) start(network, data);
        const int who = first_to_change(network, data, &share, &mode);
        go_to(network, share, data);
        change(data, who, mode);
    }
}
