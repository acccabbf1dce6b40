// A run: its begin, and steps up to a time.
#include "fmu/model.h"
#include "network/network.h"
#include "record/step_part.h"

static const double at_once = 1e-6; // of a step: times that differ by less are the same

static double reached(const Model *model)
{
    return sti_network_time(model->network, sti_state_k(model->state)) + model->offset;
}

bool model_begin(Model *model, bool exchange)
{
    if (!model_observe(model)) return false;
    model->exchange = exchange;
    model->time = sti_network_time(model->network, 0);
    if (exchange) {
        sti_continuous_values(model->state, model->values);
        model->evaluated = false;
        model->piece = sti_continuous_smooth_interval(model->network, model->time);
        sti_continuous_resolve(model->scratch, model->relative, model->absolute,
                               1e-7 * model->span);
        const StiStatus status =
            sti_continuous_start(model->network, model->inputs, model->time, model->piece,
                                 model->values, model->state, model->scratch);
        if (status != STI_OK) return model_failed(model, status);
        model->current = false;
        model->begun = true;
        return model_continue(model);
    }
    model->begun = true;
    return true;
}

static bool changes_modes(const Model *model)
{
    const int s = model->network->s_count;
    if (sti_scratch_figures(model->scratch).events > 0) return true;
    for (int i = 0; i < model->network->reaction_count; ++i) {
        const int at = model->network->reactions[i].s;
        if (at < s && model->state->values[model->state->s + at] !=
                          model->before->values[model->before->s + at])
            return true;
    }
    return false;
}

// The next step, or the part of it that lies before `to`.
static StiStatus step(Model *model, double to)
{
    const int64_t k = sti_state_k(model->state);
    const double T = sti_network_step(model->network),
                 next = sti_network_time(model->network, k + 1);
    const bool ends = next <= to + at_once * T;
    StiStatus status;
    if (ends && model->offset == 0.0) {
        status = sti_step(model->network, model->inputs, model->state, model->scratch);
        if (status == STI_OK && model->recorder != NULL)
            status = sti_recorder_follow(model->recorder, model->state, model->scratch);
        return status;
    }
    const double now = reached(model), length = (ends ? next : to) - now;
    status = sti_step_part(model->network, model->inputs, model->offset, length, ends, model->state,
                           model->scratch, model->recorder, model->before);
    if (status == STI_OK) model->offset = ends ? 0.0 : model->offset + length;
    return status;
}

bool model_advance(Model *model, double to, bool *happened)
{
    if (!model_refresh(model)) return false;
    const double close = at_once * sti_network_step(model->network);
    if (happened != NULL) *happened = false;
    while (to - reached(model) > close) {
        if (happened != NULL) sti_state_copy(model->before, model->state);
        const StiStatus status = step(model, to);
        if (status != STI_OK) {
            model->time = reached(model);
            return model_failed(model, status);
        }
        model->current = false;
        if (happened != NULL && changes_modes(model)) {
            *happened = true;
            break;
        }
    }
    if (!model->current && model->recorder != NULL) model_keep_outputs(model);
    model->current = true;
    model->time = happened != NULL && *happened ? reached(model) : to;
    return true;
}
