// Many steps in one call: what learning, fitting, sweeps and other languages stand on.
#include "record/recorder.h"

// A run of channels of one body takes one observation, which has room in the scratch.
static void read_bodies(const StiNetwork *network, const StiRollout *rollout, const StiState *state,
                        StiScratch *scratch, double *out)
{
    int seen = -1;
    for (int i = 0; i < rollout->channel_count; ++i) {
        const ChannelPlace *place = &network->channels[rollout->channels[i]].place;
        const Admittance *a = &network->admittances[place->component];
        if (place->component != seen)
            a->kind->observe(a->parameters, state->values + a->q, state->values + a->v, NULL,
                             scratch->observed);
        seen = place->component;
        out[i] = scratch->observed[place->index];
    }
}

static void read_row(const StiNetwork *network, const StiRollout *rollout, const StiState *state,
                     StiScratch *scratch, double *out)
{
    if (rollout->recorder == NULL) {
        read_bodies(network, rollout, state, scratch, out);
        return;
    }
    sti_recorder_follow(rollout->recorder, state, scratch);
    for (int i = 0; i < rollout->channel_count; ++i)
        out[i] = sti_recorder_value(rollout->recorder, rollout->channels[i]);
}

// Bodies whose motion follows from signals are read from a recorder, which knows them.
static bool channels_are_sound(const StiNetwork *network, const StiRollout *rollout)
{
    for (int i = 0; i < rollout->channel_count; ++i) {
        const int channel = rollout->channels[i];
        if (channel < 0 || channel >= network->channel_count) return false;
        const ChannelPlace *place = &network->channels[channel].place;
        const bool free_body =
            place->type == CHANNEL_BODY && network->admittances[place->component].size.signals == 0;
        if (!free_body && rollout->recorder == NULL) return false;
    }
    return rollout->recorder == NULL || rollout->recorder->network == network;
}

StiStatus sti_rollout(const StiNetwork *network, const StiRollout *rollout, StiState *state,
                      StiScratch *scratch, int64_t *done)
{
    *done = 0;
    if (rollout->out != NULL && !channels_are_sound(network, rollout)) {
        const StiStage stage = {.t = sti_network_time(network, state->k), .k = state->k};
        return sti_fault(scratch, STI_BAD_ARGUMENT, "", "channels of a rollout", &stage);
    }
    for (; *done < rollout->rows; ++*done) {
        const double *inputs =
            rollout->inputs != NULL ? rollout->inputs + *done * network->input_count : NULL;
        const StiStatus status = sti_step(network, inputs, state, scratch);
        if (status != STI_OK) return status;
        if (rollout->out != NULL)
            read_row(network, rollout, state, scratch,
                     rollout->out + *done * rollout->channel_count);
    }
    return STI_OK;
}
