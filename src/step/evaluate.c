#include "step/evaluate.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"

enum { LOAD_ITERATIONS = 200 };
static const double load_tolerance = 1e-12; // relative

StiStatus sti_step_begin(const StiNetwork *network, const double *inputs, const StiState *state,
                         StiScratch *scratch)
{
    const StiStage stage = {.t = sti_network_time(network, state->k), .k = state->k};
    if (scratch->network != network)
        return sti_fault(scratch, STI_BAD_ARGUMENT, "", "scratch of another network", &stage);
    if (state->layout != network->layout)
        return sti_fault(scratch, STI_LAYOUT_MISMATCH, "", "state", &stage);
    scratch->fault = (StiFault){.status = STI_OK, .component = "", .what = ""};
    scratch->figures = (StiStepFigures){0};
    for (int i = 0; inputs != NULL && i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (source->input >= 0 && !sti_all_finite(inputs + source->input, source->count))
            return sti_fault(scratch, STI_NOT_FINITE, source->name, "input", &stage);
    }
    return STI_OK;
}

StiStatus sti_sources(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                      StageData *now)
{
    for (int i = 0; i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        double *values = now->sources + source->first;
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], now->stage.t, values);
        else
            memcpy(values, inputs != NULL ? inputs + source->input : source->usual,
                   (size_t)source->count * sizeof *values);
        if (!sti_all_finite(values, source->count))
            return sti_fault(scratch, STI_NOT_FINITE, source->name, "function of time", &now->stage);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, now);
    return STI_OK;
}

StiStatus sti_impedances(const StiNetwork *network, const double *s, StiScratch *scratch, StageData *now)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        sti_listen(&e->connections, now);
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        const StiStatus status = e->kind->eval(e->parameters, &now->stage, &xhat, now->y + e->y,
                                               s + e->s, now->u + e->wire.v, now->ydot + e->y);
        if (status != STI_OK) return sti_fault(scratch, status, e->name, "force", &now->stage);
    }
    return STI_OK;
}

StiStatus sti_admittances(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
        const StiStatus status = a->kind->eval(
            a->parameters, &now->stage, now->x + a->q, now->x + a->v, now->ports + a->port, &uhat,
            now->xdot + a->q, now->xdot + a->v, scratch->new_loads + a->load);
        if (status != STI_OK) return sti_fault(scratch, status, a->name, "acceleration", &now->stage);
    }
    return STI_OK;
}

static const char *owner_of_load(const StiNetwork *network, int load)
{
    for (int i = network->admittance_count - 1; i >= 0; --i)
        if (load >= network->admittances[i].load && network->admittances[i].size.loads > 0)
            return network->admittances[i].name;
    return "";
}

bool sti_loads_moved(const StiNetwork *network, StiScratch *scratch, StageData *now, int *iterations,
                     StiStatus *status)
{
    double change = 0.0, size = 0.0;
    int worst = 0;
    for (int i = 0; i < network->load_count; ++i) {
        const double difference = fabs(scratch->new_loads[i] - now->loads[i]);
        if (difference > change) worst = i;
        change = fmax(change, difference);
        size = fmax(size, fmax(fabs(scratch->new_loads[i]), fabs(now->loads[i])));
        now->loads[i] = scratch->new_loads[i];
    }
    if (!network->iterates_loads) return false;
    StiStepFigures *figures = &scratch->figures;
    figures->load_residual = size > 0.0 ? change / size : 0.0;
    if (*iterations > 0 && scratch->load_change > 0.0)
        figures->load_contraction = change / scratch->load_change;
    scratch->load_change = change;
    if (++*iterations > figures->load_iterations) figures->load_iterations = *iterations;
    if (!(change > load_tolerance * size)) return false;
    if (*iterations < LOAD_ITERATIONS && isfinite(change)) return true;
    *status =
        sti_fault(scratch, STI_LOADS_UNSETTLED, owner_of_load(network, worst), "load", &now->stage);
    return false;
}

void sti_settle_impedances(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    StageData *end = &scratch->end;
    bool sensed = false;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->settle == NULL) continue;
        if (!sensed) {
            end->stage = last->stage;
            memcpy(end->x, scratch->next, (size_t)network->x_count * sizeof *end->x);
            memcpy(end->ports, last->ports, (size_t)network->port_count * sizeof *end->ports);
            sti_psi(network, end);
            sensed = true;
        }
        const StiMotion xhat = {.x = end->position + e->wire.x,
                                .v = end->velocity + e->wire.v,
                                .signals = end->ports + e->port};
        e->kind->settle(e->parameters, &end->stage, &xhat, next_y(scratch) + e->y,
                        next_s(scratch) + e->s);
    }
}

// The first component, in the order of evaluation, whose output is not finite.
static StiStatus blame(const StiNetwork *network, StiScratch *scratch, int stages)
{
    for (int r = 0; r < stages; ++r) {
        const StageData *now = &scratch->stages[r];
        for (int i = 0; i < network->impedance_count; ++i) {
            const Impedance *e = &network->impedances[i];
            if (!sti_all_finite(now->u + e->wire.v, e->wire.size.velocities) ||
                !sti_all_finite(now->ydot + e->y, e->size.memory))
                return sti_fault(scratch, STI_NOT_FINITE, e->name, "force", &now->stage);
        }
        for (int i = 0; i < network->admittance_count; ++i) {
            const Admittance *a = &network->admittances[i];
            if (!sti_all_finite(now->xdot + a->q, a->size.positions + a->size.velocities))
                return sti_fault(scratch, STI_NOT_FINITE, a->name, "acceleration", &now->stage);
        }
    }
    for (int i = 0; i < network->reaction_count; ++i)
        if (!sti_all_finite(scratch->reactions.answers[i].r, network->reactions[i].size.dim))
            return sti_fault(scratch, STI_NOT_FINITE, network->reactions[i].name, "reaction",
                             &scratch->stages[0].stage);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!sti_all_finite(scratch->next + a->q, a->size.positions + a->size.velocities))
            return sti_fault(scratch, STI_NOT_FINITE, a->name, "motion", &scratch->stages[0].stage);
    }
    return sti_fault(scratch, STI_NOT_FINITE, "", "memory", &scratch->stages[0].stage);
}

StiStatus sti_step_commit(const StiNetwork *network, StiState *state, StiScratch *scratch, int stages)
{
    if (!sti_all_finite(scratch->next, state->count)) return blame(network, scratch, stages);
    memcpy(state->values, scratch->next, (size_t)state->count * sizeof *state->values);
    ++state->k;
    return STI_OK;
}
