// Where many joints of a long chain change at once: friction smoothed to F v/sqrt(v^2 + eps^2) about the
// middle of its bounds and eps made smaller, until it is clear which joints stick (COUPLED 2.5).
#include <math.h>

#include "events/joint_modes.h"

enum { PASSES = 60, SHRINKS = 8 };

// Half the distance of the bounds, and their middle.
static double half(const JointBounds *joint) { return 0.5 * (joint->high - joint->low); }
static double middle(const JointBounds *joint) { return 0.5 * (joint->high + joint->low); }

// As an ordinary slipping axis: level and slope of smooth friction at velocity v with resistance r.
static void soften(JointData *data, int i, double v, double r)
{
    const JointBounds *joint = &data->joints[i];
    const double F = half(joint), root = sqrt(v * v + joint->eps * joint->eps);
    data->friction[i] = (AxisFriction){.mode = AXIS_FORWARD,
                                       .level = F * v / root - middle(joint),
                                       .slope = fmax((F - r * v / root) / root, 0.0),
                                       .at = v};
}

static void choose_eps(const StiNetwork *network, double T, JointData *data)
{
    for (int r = 0; r < network->admittance_count; ++r) {
        const Admittance *a = &network->admittances[r];
        for (int k = 0; a->robot != NULL && k < a->dim; ++k) {
            JointBounds *joint = &data->joints[a->generalized + k];
            const double v = data->ends[a->generalized + k].v;
            if (!joint->sought) continue;
            joint->eps = fmax(fmax(fabs(v), T * half(joint) / data->trials[r].trial[k].D), 1e-300);
            soften(data, a->generalized + k, v, 0.0);
        }
    }
}

// Linearised again at the new velocities; true: the iterate follows, eps may shrink.
static bool soften_again(const StiNetwork *network, JointData *data)
{
    bool follows = true;
    for (int i = 0; i < network->generalized_count; ++i) {
        JointBounds *joint = &data->joints[i];
        if (!joint->sought) continue;
        const double v = data->ends[i].v, F = half(joint);
        const double smooth = F * v / sqrt(v * v + joint->eps * joint->eps);
        joint->resistance = fmax(-F, fmin(middle(joint) - data->ends[i].effort, F));
        if (fabs(joint->resistance - smooth) >= 0.3 * F && F > 0.0) follows = false;
        soften(data, i, v, joint->resistance);
    }
    return follows;
}

static bool guesses_repeat(const StiNetwork *network, JointData *data)
{
    bool repeat = true;
    for (int i = 0; i < network->generalized_count; ++i) {
        JointBounds *joint = &data->joints[i];
        if (!joint->sought) continue;
        const double v = data->ends[i].v;
        const bool stuck = fabs(v) < 3.0 * joint->eps && fabs(joint->resistance) < half(joint);
        const AxisMode mode = stuck ? AXIS_STUCK : v > 0.0 ? AXIS_FORWARD : AXIS_BACKWARD;
        repeat = repeat && mode == joint->guess;
        joint->guess = mode;
    }
    return repeat;
}

static void shrink(const StiNetwork *network, JointData *data)
{
    for (int i = 0; i < network->generalized_count; ++i) data->joints[i].eps *= 0.1;
}

StiStatus sti_joints_smooth(const StiNetwork *network, double T, StiScratch *scratch)
{
    JointData *data = scratch->joints;
    for (int i = 0; i < network->generalized_count; ++i) {
        data->friction[i] = (AxisFriction){.mode = AXIS_FREE};
        data->joints[i].guess = AXIS_FREE;
    }
    StiStatus status = sti_joints_try(network, T, scratch);
    if (status != STI_OK) return status;
    choose_eps(network, T, data);
    for (int pass = 0, shrunk = 0; pass < PASSES && shrunk < SHRINKS; ++pass) {
        status = sti_joints_try(network, T, scratch);
        if (status != STI_OK) return status;
        if (!soften_again(network, data)) continue; // eps must not shrink before it follows
        if (guesses_repeat(network, data)) break;
        shrink(network, data);
        ++shrunk;
    }
    for (int i = 0; i < network->generalized_count; ++i)
        if (data->joints[i].sought) sti_joint_set_mode(data, i, data->joints[i].guess);
    return STI_OK;
}
