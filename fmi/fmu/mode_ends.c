// Modes that end at an event. FMI does not tell which indicator passed zero, nor does every importer stop exactly
// where it did: margins at the moment decide.
#include <float.h>
#include <math.h>
#include <string.h>

#include "fmu/exchange.h"

enum { ROUNDS = 16 };
static const double look_ahead = 1e-7; // of the run, for rates that only differences give
static const double close = 1e-10;     // of the run: what ends within that ends now
static const double together = 1e-9;   // of a limit: loads so close to it reach it together

static int modes(const Model *model) { return model->variables.indicator_count; }

static StiStatus look(Model *model)
{
    StiStatus status =
        model_margins_at(model, model->time, model->values, model->rates, model->margins);
    bool missing = false;
    for (int i = 0; i < modes(model); ++i) missing = missing || isnan(model->margins[i].rate);
    if (status != STI_OK || !missing) return status;
    const double length = look_ahead * model->span,
                 dt = model->time + length < model->piece.to ? length : -length;
    for (int i = 0; i < model->variables.state_count; ++i)
        model->ahead[i] = model->values[i] + dt * model->rates[i];
    status = model_margins_at(model, model->time + dt, model->ahead, NULL, model->later);
    for (int i = 0; i < modes(model); ++i)
        if (isnan(model->margins[i].rate))
            model->margins[i].rate = (model->later[i].g - model->margins[i].g) / dt;
    return status;
}

static bool is_stuck(const Model *model, int i)
{
    return sti_continuous_mode(model->network, model->state, i) == STI_STICK;
}

// first: the importer may have stopped for this one.
static int find_ended(Model *model, bool first)
{
    const double moment = close * model->span + 16.0 * DBL_EPSILON * fabs(model->time);
    int found = 0;
    for (int i = 0; i < modes(model); ++i) {
        const StiMargin *margin = &model->margins[i];
        const double z = margin->g + (first ? model->lifts[i] : 0.0);
        const bool passed =
            first ? z <= 0.0 && model->before_step[i] > 0.0 : z < -1e-9 * margin->scale;
        const bool due = first && margin->rate < 0.0 && z <= -margin->rate * moment;
        const bool joins =
            is_stuck(model, i) && margin->rate < 0.0 && margin->g < together * margin->scale;
        model->ended[i] = (passed && !(margin->rate > 0.0 && !first)) || due || joins;
        found += model->ended[i];
    }
    return found;
}

// Slip in a plane comes to rest a moment after its margin is gone: the way of that moment is added.
static void go_to_stops(Model *model)
{
    double left = 0.0;
    for (int i = 0; i < modes(model); ++i)
        if (model->ended[i]) left = fmax(left, model->margins[i].left);
    for (int i = 0; left > 0.0 && i < model->variables.state_count; ++i)
        model->values[i] += left * model->rates[i];
}

static StiStatus turn(Model *model, bool *changed)
{
    return sti_continuous_turn(model->network, model->inputs, model->time, model->piece,
                               model->ended, model->values, model->state, model->scratch, changed);
}

// Where several reach their limits together only a moment later shows which was let go the wrong way: it would
// slip against its own direction.
static bool find_wrong_ways(Model *model)
{
    const double dt = look_ahead * model->span;
    bool any = false;
    if (!(model->time + dt < model->piece.to) ||
        model_margins_at(model, model->time, model->values, model->rates, model->margins) != STI_OK)
        return false;
    for (int i = 0; i < model->variables.state_count; ++i)
        model->ahead[i] = model->values[i] + dt * model->rates[i];
    if (model_margins_at(model, model->time + dt, model->ahead, NULL, model->later) != STI_OK)
        return false;
    for (int i = 0; i < modes(model); ++i) {
        const double against = -model->later[i].rate;
        model->wrong[i] = model->ended[i] &&
                          sti_continuous_mode(model->network, model->state, i) == STI_SLIP &&
                          against > 0.0 && fabs(model->margins[i].g) <= against * dt &&
                          model->margins[i].rate < against;
        any = any || model->wrong[i];
    }
    return any;
}

// Again without those; what goes the wrong way even then is held. Where that does not fit, it was right at first.
static StiStatus turn_without_wrong(Model *model)
{
    bool changed;
    sti_state_copy(model->state, model->modes_before);
    for (int i = 0; i < modes(model); ++i) model->ended[i] = model->ended[i] && !model->wrong[i];
    StiStatus status = turn(model, &changed);
    for (int i = 0; i < modes(model); ++i) model->ended[i] = model->ended[i] || model->wrong[i];
    if (status != STI_OK) {
        sti_state_copy(model->state, model->modes_before);
        return turn(model, &changed);
    }
    if (find_wrong_ways(model))
        for (int i = 0; i < modes(model); ++i)
            if (model->wrong[i]) sti_continuous_hold(model->network, model->state, i);
    return status;
}

StiStatus model_end_modes(Model *model)
{
    StiStatus status = STI_OK;
    bool changed = true;
    for (int round = 0; round < ROUNDS && changed && status == STI_OK; ++round) {
        status = look(model);
        const int found = status == STI_OK ? find_ended(model, round == 0) : 0;
        if (found == 0) break;
        go_to_stops(model);
        sti_state_copy(model->modes_before, model->state);
        status = turn(model, &changed);
        if (status == STI_OK && changed && found > 1 && find_wrong_ways(model))
            status = turn_without_wrong(model);
    }
    return status;
}
