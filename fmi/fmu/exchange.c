// The model as a differential equation with events: an importer integrates, this says rates, how far modes of
// friction and contact are from their ends, and what follows where one ends. Modes stay as they are in between.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/exchange.h"
#include "fmu/model.h"
#include "network/network.h"

static const double drift_allowed = 10.0; // of the tolerances

static int modes(const Model *model) { return model->variables.indicator_count; }
static int count(const Model *model) { return model->variables.state_count; }

bool model_exchange_take(Model *model)
{
    const size_t n = (size_t)count(model) + 1, m = (size_t)modes(model) + 1;
    model->values = calloc(n, sizeof(double));
    model->rates = calloc(n, sizeof(double));
    model->ahead = calloc(n, sizeof(double));
    model->margins = calloc(m, sizeof *model->margins);
    model->later = calloc(m, sizeof *model->later);
    model->lifts = calloc(m, sizeof(double));
    model->before_step = calloc(m, sizeof(double));
    model->ended = calloc(m, sizeof(bool));
    model->wrong = calloc(m, sizeof(bool));
    model->modes_before = sti_state_create(model->network);
    return model->values != NULL && model->rates != NULL && model->ahead != NULL &&
           model->margins != NULL && model->later != NULL && model->lifts != NULL &&
           model->before_step != NULL && model->ended != NULL && model->wrong != NULL &&
           model->modes_before != NULL;
}

void model_exchange_release(Model *model)
{
    free(model->values), free(model->rates), free(model->ahead);
    free(model->margins), free(model->later), free(model->lifts), free(model->before_step);
    free(model->ended), free(model->wrong);
    sti_state_destroy(model->modes_before);
    model->values = model->rates = model->ahead = model->lifts = model->before_step = NULL;
    model->margins = model->later = NULL;
    model->ended = model->wrong = NULL;
    model->modes_before = NULL;
}

bool model_set_time(Model *model, double time)
{
    model->evaluated = model->evaluated && time == model->time;
    model->current = model->current && time == model->time;
    model->time = time;
    return true;
}

bool model_set_states(Model *model, const double *values)
{
    for (int i = 0; i < count(model); ++i)
        if (!isfinite(values[i])) {
            snprintf(model->why, sizeof model->why, "state %s is not finite",
                     model->variables.items[model->variables.state_variables[i]].name);
            return false;
        }
    if (memcmp(model->values, values, (size_t)count(model) * sizeof *values) == 0) return true;
    memcpy(model->values, values, (size_t)count(model) * sizeof *values);
    model->evaluated = model->current = false;
    return true;
}

StiStatus model_margins_at(Model *model, double t, const double *values, double *rates,
                           StiMargin *margins)
{
    return sti_continuous_margins(model->network, model->inputs, model->state, t, model->piece,
                                  values, model->scratch, rates, margins);
}

// While a run has not begun: rates under the modes that it would begin with, on a copy.
static StiStatus evaluate_beforehand(Model *model)
{
    const double t = sti_network_time(model->network, 0);
    const StiSmoothInterval piece = sti_continuous_smooth_interval(model->network, t);
    StiStatus status = sti_state_copy(model->before, model->state);
    sti_continuous_values(model->state, model->values);
    if (status == STI_OK)
        status = sti_continuous_start(model->network, model->inputs, t, piece, model->values,
                                      model->before, model->scratch);
    if (status == STI_OK)
        status =
            sti_continuous_margins(model->network, model->inputs, model->before, t, piece,
                                   model->values, model->scratch, model->rates, model->margins);
    return status;
}

bool model_evaluate(Model *model)
{
    if (model->evaluated) return true;
    const StiStatus status = model->begun ? model_margins_at(model, model->time, model->values,
                                                             model->rates, model->margins)
                                          : evaluate_beforehand(model);
    if (status != STI_OK) return model_failed(model, status);
    model->evaluated = true;
    return true;
}

void model_indicators(const Model *model, double *values)
{
    for (int i = 0; i < modes(model); ++i) values[i] = model->margins[i].g + model->lifts[i];
}

// ---- times of events ----------------------------------------------------------------------------

static bool samples(const StiNetwork *network)
{
    for (int i = 0; i < network->impedance_count; ++i)
        if (network->impedances[i].kind->samples) return true;
    return false;
}

static double next_sample(const Model *model)
{
    return samples(model->network) ? sti_network_time(model->network, sti_state_k(model->state) + 1)
                                   : INFINITY;
}

double model_next_event(const Model *model) { return fmin(model->piece.to, next_sample(model)); }

static bool is_due(const Model *model, double t)
{
    return isfinite(t) && t - model->time <= 1e-9 * sti_network_step(model->network);
}

// ---- the constraints of bodies ------------------------------------------------------------------

// Linkages and quaternions, put back where they belong.
static StiStatus put_on_constraints(Model *model, double *values)
{
    for (int i = 0; i < model->network->admittance_count; ++i) {
        const Admittance *a = &model->network->admittances[i];
        if (a->size.velocities > 0 && a->size.positions != a->size.velocities)
            a->kind->move(a->parameters, values + a->v, 0.0, values + a->q);
    }
    return sti_continuous_constrain(model->network, model->inputs, model->state, model->time,
                                    model->piece, values, model->scratch);
}

static bool has_drifted(Model *model)
{
    memcpy(model->ahead, model->values, (size_t)count(model) * sizeof *model->ahead);
    if (put_on_constraints(model, model->ahead) != STI_OK) return true;
    model->evaluated = model->evaluated && !sti_continuous_constrained(model->network);
    for (int i = 0; i < count(model); ++i)
        if (fabs(model->ahead[i] - model->values[i]) >
            drift_allowed * (model->relative * fabs(model->values[i]) + model->absolute))
            return true;
    return false;
}

bool model_step_completed(Model *model, bool *event)
{
    *event = has_drifted(model);
    if (!model_evaluate(model)) return false;
    for (int i = 0; i < modes(model); ++i) {
        const StiMargin *margin = &model->margins[i];
        const double z = margin->g + model->lifts[i];
        *event = *event || z < -fmax(model->relative * margin->scale, model->absolute);
        model->before_step[i] = z;
    }
    model->inputs_jumped = false;
    return true;
}

// ---- events -------------------------------------------------------------------------------------

// After a jump modes are looked at anew; what was stuck until now stands still.
static StiStatus begin_anew(Model *model)
{
    bool changed;
    memset(model->ended, 0, (size_t)modes(model) * sizeof *model->ended);
    StiStatus status = modes(model) == 0
                           ? STI_OK
                           : sti_continuous_turn(model->network, model->inputs, model->time,
                                                 model->piece, model->ended, model->values,
                                                 model->state, model->scratch, &changed);
    model->piece = sti_continuous_smooth_interval(model->network, model->time);
    if (status == STI_OK && modes(model) > 0)
        status = sti_continuous_start(model->network, model->inputs, model->time, model->piece,
                                      model->values, model->state, model->scratch);
    return status;
}

static StiStatus take_samples(Model *model)
{
    bool settled;
    const StiStatus status = sti_continuous_accept(model->network, model->inputs, model->values,
                                                   NULL, model->state, model->scratch, &settled);
    if (status == STI_OK) sti_continuous_values(model->state, model->values);
    return status;
}

static StiStatus handle(Model *model)
{
    StiStatus status = put_on_constraints(model, model->values);
    if (status == STI_OK && modes(model) > 0) status = model_end_modes(model);
    bool jump = model->inputs_jumped || is_due(model, model->piece.to);
    while (status == STI_OK && is_due(model, next_sample(model))) {
        status = take_samples(model);
        jump = true;
    }
    if (status == STI_OK && jump) status = begin_anew(model);
    return status;
}

bool model_event(Model *model, bool *moved)
{
    double *before = malloc(((size_t)count(model) + 1) * sizeof *before);
    if (before == NULL) {
        snprintf(model->why, sizeof model->why, "out of memory");
        return false;
    }
    memcpy(before, model->values, (size_t)count(model) * sizeof *before);
    const StiStatus status = handle(model);
    *moved = memcmp(before, model->values, (size_t)count(model) * sizeof *before) != 0;
    free(before);
    model->inputs_jumped = model->evaluated = model->current = false;
    return status == STI_OK ? model_continue(model) : model_failed(model, status);
}

bool model_continue(Model *model)
{
    static const double noise = 1e-13; // of the scale of a margin
    for (int i = 0; i < modes(model); ++i) model->lifts[i] = 0.0;
    model->evaluated = false;
    if (!model_evaluate(model)) return false;
    for (int i = 0; i < modes(model); ++i) {
        model->lifts[i] = fmax(0.0, noise * model->margins[i].scale - model->margins[i].g);
        model->before_step[i] = model->margins[i].g + model->lifts[i];
    }
    return true;
}

// ---- directional derivatives --------------------------------------------------------------------

static void shift(Model *model, const int *knowns, int known_count, const double *seed, double by)
{
    for (int i = 0; i < known_count; ++i) {
        const Variable *known = &model->variables.items[knowns[i]];
        if (known->role == VARIABLE_INPUT)
            model->inputs[known->number] += by * seed[i];
        else
            model->values[known->state] += by * seed[i];
    }
    model->evaluated = model->current = false;
}

static bool look(Model *model, const int *unknowns, int unknown_count, double sign, double *result)
{
    for (int i = 0; i < unknown_count; ++i) {
        double value;
        if (!model_get(model, unknowns[i], &value)) return false;
        result[i] += sign * value;
    }
    return true;
}

bool model_derivative(Model *model, const int *unknowns, int unknown_count, const int *knowns,
                      int known_count, const double *seed, double *result)
{
    const int inputs = sti_network_input_count(model->network);
    double *kept = malloc((size_t)(count(model) + inputs + 1) * sizeof *kept), largest = 0.0,
           scale = 1.0;
    if (kept == NULL) return false;
    memcpy(kept, model->values, (size_t)count(model) * sizeof *kept);
    memcpy(kept + count(model), model->inputs, (size_t)inputs * sizeof *kept);
    for (int i = 0; i < known_count; ++i) {
        const Variable *known = &model->variables.items[knowns[i]];
        const double at = known->role == VARIABLE_INPUT ? model->inputs[known->number]
                                                        : model->values[known->state];
        if (seed[i] != 0.0) scale = fmax(scale, fabs(at));
        largest = fmax(largest, fabs(seed[i]));
    }
    const double h =
        largest > 0.0 ? 6e-6 * scale / largest : 0.0; // (3 eps)^(1/3): central differences
    bool good = true;
    memset(result, 0, (size_t)unknown_count * sizeof *result);
    for (int side = 1; h > 0.0 && good && side >= -1; side -= 2) {
        shift(model, knowns, known_count, seed, side * h);
        good = look(model, unknowns, unknown_count, side, result);
        memcpy(model->values, kept, (size_t)count(model) * sizeof *kept);
        memcpy(model->inputs, kept + count(model), (size_t)inputs * sizeof *kept);
    }
    for (int i = 0; h > 0.0 && i < unknown_count; ++i) result[i] /= 2.0 * h;
    model->evaluated = model->current = false;
    free(kept);
    return good;
}
