#include "record/step_part.h"

#include <string.h>

#include "cut/substep_data.h"
#include "network/network.h"
#include "scratch/scratch.h"

// What samplers held before the step.
static void restore_samples(const StiNetwork *network, const StiState *before, StiState *state)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->samples)
            memcpy(state->values + state->s + e->s, before->values + before->s + e->s,
                   (size_t)e->size.discrete * sizeof *before->values);
    }
}

// The step has left the motion and the signals of its end.
static void sample(const StiNetwork *network, const StiScratch *scratch, StiState *state)
{
    const StageData *end = &scratch->end;
    StiStage stage = end->stage;
    stage.step = network->step;
    stage.k = state->k - 1;
    stage.t = sti_network_time(network, state->k);
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        const StiMotion xhat = {.x = end->position + e->wire.x,
                                .v = end->velocity + e->wire.v,
                                .signals = end->ports + e->port};
        if (e->kind->samples)
            e->kind->settle(e->parameters, &stage, &xhat, state->values + state->y + e->y,
                            state->values + state->s + e->s);
    }
}

// An evaluation that was kept for a step of another length.
static void forget(StiScratch *scratch)
{
    if (scratch->substep != NULL) scratch->substep->kept = false;
}

StiStatus sti_step_part(StiNetwork *network, const double *inputs, double from, double length,
                        bool ends, StiState *state, StiScratch *scratch, StiRecorder *recorder,
                        StiState *before)
{
    const double T = network->step, start = network->start;
    const int64_t k = state->k;
    StiStatus status = sti_state_copy(before, state);
    if (status != STI_OK) return status;
    forget(scratch);
    network->step = length;
    network->start = sti_network_time(network, 0) + (double)k * (T - length) + from;
    status = sti_step(network, inputs, state, scratch);
    if (status == STI_OK && recorder != NULL)
        status = sti_recorder_follow(recorder, state, scratch);
    network->step = T;
    network->start = start;
    forget(scratch);
    if (status != STI_OK) return status;
    restore_samples(network, before, state);
    if (ends)
        sample(network, scratch, state);
    else
        state->k = k;
    return STI_OK;
}
