// Where many joints of a long chain change at once: friction smoothed to F v/sqrt(v^2 + eps^2) and
// eps made smaller, until it is clear which joints stick (COUPLED 2.5, primal-dual Newton).
#include <math.h>

#include "solver/coupled/coupled.h"

enum { LONG_CHAIN = 16, FIRST_TRIAL = 3, LAST_CALL = 15, PASSES = 60, SHRINKS = 8 };

bool sti_smoothing_pays(const StiNetwork *network, const StiScratch *scratch, int trial,
                        int violations)
{
    const CoupledData *data = coupled_data(scratch);
    int joints = 0;
    for (int r = 0; r < data->set->robot_count; ++r)
        joints += network->admittances[data->set->robots[r].admittance].dim;
    if (joints < LONG_CHAIN) return false;
    return violations > joints / 8 && (trial == FIRST_TRIAL || trial == LAST_CALL);
}

static bool takes_part(const CoupledData *data, int i)
{
    return data->joints[i].reaction >= 0 && !data->joints[i].node;
}

// As an ordinary slipping axis: level and slope of the linearised smooth friction at velocity v with
// resistance r.
static void soften(CoupledData *data, int i, double F, double v, double r)
{
    const double eps = data->smooth[i].eps, root = sqrt(v * v + eps * eps);
    const double slope = fmax((F - r * v / root) / root, 0.0);
    data->set->friction[i] =
        (AxisFriction){.mode = AXIS_FORWARD, .level = F * v / root, .slope = slope, .at = v};
}

static void begin(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < network->generalized_count; ++i) {
        if (!takes_part(data, i)) continue;
        data->set->friction[i] = (AxisFriction){.mode = AXIS_FREE};
        data->smooth[i].mode = AXIS_FREE; // no class yet
    }
}

static void choose_eps(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    for (int r = 0; r < data->set->robot_count; ++r) {
        const Admittance *a = &network->admittances[data->set->robots[r].admittance];
        for (int k = 0; k < a->dim; ++k) {
            const int i = a->generalized + k;
            if (!takes_part(data, i)) continue;
            const double v = data->set->ends[i].v;
            const double F = sti_joint_limit(network, scratch, i, v < 0.0 ? -1.0 : 1.0);
            const double stop = network->step * F / data->set->robots[r].trial.trial[k].D;
            data->smooth[i].eps = fmax(fmax(fabs(v), stop), 1e-300);
            soften(data, i, F, v, 0.0);
        }
    }
}

// Linearised again at the new velocities; true: the iterate follows, eps may shrink.
static bool soften_again(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool follows = true;
    for (int i = 0; i < network->generalized_count; ++i) {
        if (!takes_part(data, i)) continue;
        const double v = data->set->ends[i].v, eps = data->smooth[i].eps;
        const double F = sti_joint_limit(network, scratch, i, v < 0.0 ? -1.0 : 1.0);
        const double r = fmax(-F, fmin(-data->set->ends[i].effort, F));
        const double smooth = F * v / sqrt(v * v + eps * eps);
        data->smooth[i].resistance = r;
        if (fabs(r - smooth) >= 0.3 * F && F > 0.0) follows = false;
        soften(data, i, F, v, r);
    }
    return follows;
}

static AxisMode class_of(const StiNetwork *network, const StiScratch *scratch, int i)
{
    const CoupledData *data = coupled_data(scratch);
    const double v = data->set->ends[i].v,
                 F = sti_joint_limit(network, scratch, i, v < 0.0 ? -1.0 : 1.0);
    if (fabs(v) < 3.0 * data->smooth[i].eps && fabs(data->smooth[i].resistance) < F)
        return AXIS_STUCK;
    return v > 0.0 ? AXIS_FORWARD : AXIS_BACKWARD;
}

static bool classes_repeat(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool repeat = true;
    for (int i = 0; i < network->generalized_count; ++i) {
        if (!takes_part(data, i)) continue;
        const AxisMode mode = class_of(network, scratch, i);
        repeat = repeat && mode == data->smooth[i].mode;
        data->smooth[i].mode = mode;
    }
    return repeat;
}

static void shrink(const StiNetwork *network, CoupledData *data)
{
    for (int i = 0; i < network->generalized_count; ++i) data->smooth[i].eps *= 0.1;
}

static void use_classes(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    for (int i = 0; i < network->generalized_count; ++i) {
        if (!takes_part(data, i)) continue;
        data->set->friction[i] = (AxisFriction){.mode = data->smooth[i].mode};
        sti_joint_linearise(network, scratch, i, data->set->ends[i].v);
    }
}

StiStatus sti_coupled_smooth(const StiNetwork *network, StiScratch *scratch)
{
    begin(network, scratch);
    StiStatus status = sti_coupled_trial(network, scratch);
    if (status != STI_OK) return status;
    choose_eps(network, scratch);
    for (int pass = 0, shrunk = 0; pass < PASSES && shrunk < SHRINKS; ++pass) {
        status = sti_coupled_trial(network, scratch);
        if (status != STI_OK) return status;
        if (!soften_again(network, scratch)) continue; // eps must not shrink before it follows
        if (classes_repeat(network, scratch)) break;
        shrink(network, coupled_data(scratch));
        ++shrunk;
    }
    use_classes(network, scratch);
    return STI_OK;
}
