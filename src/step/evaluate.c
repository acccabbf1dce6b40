#include "step/evaluate.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"

enum { LOAD_ITERATIONS = 1000 };            // enough for a contraction factor of 0.97
static const double load_tolerance = 1e-12; // relative
enum { LOAD_STALLS = 4 };                   // so often may a change that is below
static const double load_noise = 1e-9;      // this not shrink to
static const double load_stall = 0.999;     // this before it counts as rounding
static const double load_divergence = 1e12; // of the first change

// A new state does not know its loads yet; nor does one whose loads were all zero.
static bool loads_are_unknown(const StiNetwork *network, const StiState *state)
{
    for (int i = 0; i < network->load_count; ++i)
        if (state->values[state->loads + i] != 0.0) return false;
    return network->iterates_loads;
}

StiStatus sti_step_begin(const StiNetwork *network, bool reactions, const double *inputs,
                         const StiState *state, StiScratch *scratch)
{
    const StiStage stage = {.t = sti_network_time(network, state->k), .k = state->k};
    if (scratch->network != network)
        return sti_fault(scratch, STI_BAD_ARGUMENT, "", "scratch of another network", &stage);
    if (network->resolves != reactions)
        return sti_fault(scratch, STI_BAD_ARGUMENT, "",
                         reactions ? "network without reactions" : "network with reactions",
                         &stage);
    if (state->layout != network->layout)
        return sti_fault(scratch, STI_LAYOUT_MISMATCH, "", "state", &stage);
    scratch->fault = (StiFault){.status = STI_OK, .component = "", .what = ""};
    scratch->figures = (StiStepFigures){0};
    scratch->works.given = false;
    scratch->gave_up = false;
    memcpy(scratch->start_loads, state->values + state->loads,
           (size_t)network->load_count * sizeof *scratch->start_loads);
    scratch->loads_unknown = loads_are_unknown(network, state);
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
    const double t = fmin(fmax(now->stage.t, scratch->smooth_from), scratch->smooth_to);
    for (int i = 0; i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        double *values = now->sources + source->first;
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], t, values);
        else
            memcpy(values, inputs != NULL ? inputs + source->input : source->usual,
                   (size_t)source->count * sizeof *values);
        if (!sti_all_finite(values, source->count))
            return sti_fault(scratch, STI_NOT_FINITE, source->name, "function of time",
                             &now->stage);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, now);
    return STI_OK;
}

void sti_sources_again(const StiNetwork *network, const StageData *from, StageData *now)
{
    memcpy(now->sources, from->sources, (size_t)network->source_values * sizeof *now->sources);
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, now);
}

static void keep_silent(const Impedance *e, StageData *now)
{
    memset(now->u + e->wire.v, 0, (size_t)e->wire.size.velocities * sizeof *now->u);
    memset(now->ydot + e->y, 0, (size_t)e->size.memory * sizeof *now->ydot);
}

StiStatus sti_impedances(const StiNetwork *network, const double *s, StiScratch *scratch,
                         StageData *now)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->reads_load && scratch->loads_unknown) {
            keep_silent(e, now);
            continue;
        }
        sti_listen(&e->connections, now);
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        double *u = now->u + e->wire.v;
        StiStatus status = e->kind->eval(e->parameters, &now->stage, &xhat, now->y + e->y, s + e->s,
                                         u, now->ydot + e->y);
        if (status == STI_OK && !sti_all_finite(u, e->wire.size.velocities))
            status = STI_NOT_FINITE;
        if (status != STI_OK) return sti_fault(scratch, status, e->name, "force", &now->stage);
    }
    return STI_OK;
}

// Is what an admittance answered finite?
static StiStatus judge(StiScratch *scratch, const StageData *now, const Admittance *a,
                       StiStatus status)
{
    if (status == STI_OK && !sti_all_finite(scratch->new_loads + a->load, a->size.loads))
        return sti_fault(scratch, STI_NOT_FINITE, a->name, "load", &now->stage);
    if (status == STI_OK &&
        !sti_all_finite(now->xdot + a->q, a->size.positions + a->size.velocities))
        status = STI_NOT_FINITE;
    return status == STI_OK ? STI_OK
                            : sti_fault(scratch, status, a->name, "acceleration", &now->stage);
}

static StiStatus evaluate(const StiNetwork *network, StiScratch *scratch, StageData *now, int i)
{
    const Admittance *a = &network->admittances[i];
    const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
    const StiStatus status = a->kind->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                                           now->ports + a->port, &uhat, now->xdot + a->q,
                                           now->xdot + a->v, scratch->new_loads + a->load);
    return judge(scratch, now, a, status);
}

static StiStatus evaluate_held(const StiNetwork *network, StiScratch *scratch, StageData *now,
                               int i)
{
    const Admittance *a = &network->admittances[i];
    const Holding *holding = &scratch->holding;
    const StiForce uhat = {now->generalized + a->generalized,
                           a->posed ? now->wrenches + a->link : NULL};
    const StiStatus status =
        a->kind->hold->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                            now->ports + a->port, &uhat,
                            holding->any[i] ? holding->held + a->generalized : NULL,
                            holding->memory + a->memory, now->xdot + a->q, now->xdot + a->v,
                            scratch->new_loads + a->load, holding->taken + a->generalized);
    return judge(scratch, now, a, status);
}

StiStatus sti_admittances_held(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        status = network->admittances[i].holds ? evaluate_held(network, scratch, now, i)
                                               : evaluate(network, scratch, now, i);
    return status;
}

StiStatus sti_admittances(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        status = evaluate(network, scratch, now, i);
    return status;
}

StiStatus sti_admittances_but_robots(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i)
        if (network->admittances[i].robot == NULL) status = evaluate(network, scratch, now, i);
    return status;
}

bool sti_loads_moved(const StiNetwork *network, StiScratch *scratch, StageData *now,
                     int *iterations, StiStatus *status)
{
    double change = 0.0, size = 0.0;
    int worst = 0;
    if (!network->iterates_loads) { // for the record only
        memcpy(now->loads, scratch->new_loads, (size_t)network->load_count * sizeof *now->loads);
        return false;
    }
    for (int i = 0; i < network->load_count; ++i) {
        const double heard = network->heard[i] ? 1.0 : 0.0; // others are for the record only
        const double difference = heard * fabs(scratch->new_loads[i] - now->loads[i]);
        if (difference > change) worst = i;
        change = fmax(change, difference);
        size = fmax(size, heard * fmax(fabs(scratch->new_loads[i]), fabs(now->loads[i])));
        now->loads[i] = scratch->new_loads[i];
    }
    if (scratch->gave_up) return false; // these loads were chosen, not found
    if (scratch->loads_unknown) {       // these are the first; now those who listen join in
        scratch->loads_unknown = false;
        return true;
    }
    StiStepFigures *figures = &scratch->figures;
    figures->load_residual = size > 0.0 ? change / size : 0.0;
    if (*iterations == 0) scratch->first_load_change = change;
    if (*iterations > 0 && scratch->load_change > 0.0)
        figures->load_contraction = change / scratch->load_change;
    if (*iterations == 0) scratch->load_growths = scratch->load_stalls = 0;
    const bool small = change <= load_noise * size;
    if (*iterations > 0) {
        scratch->load_growths += !small && change > scratch->load_change;
        // forces that stuck joints share are known to rounding only
        scratch->load_stalls += small && change > load_stall * scratch->load_change;
    }
    scratch->load_change = change;
    if (++*iterations > figures->load_iterations) figures->load_iterations = *iterations;
    // Loads that vanish are compared with those they came from.
    if (!(change > load_tolerance * fmax(size, 1e-3 * scratch->first_load_change)) ||
        scratch->load_stalls > LOAD_STALLS) {
        if (scratch->load_growths > 2) *status = sti_loads_suspect(network, scratch, now, worst);
        return false;
    }
    if (*iterations < LOAD_ITERATIONS && change <= load_divergence * scratch->first_load_change)
        return true;
    return sti_loads_given_up(network, scratch, now, worst, status);
}

void sti_signals_at_end(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    StageData *end = &scratch->end;
    // The last stage of a step that is cut saw inputs before a break; samples are taken after it.
    const bool anew =
        network->method->cuts || last->stage.t != sti_network_time(network, last->stage.k + 1);
    end->stage = last->stage;
    end->stage.t = sti_network_time(network, last->stage.k + 1);
    memcpy(end->sources, last->sources, (size_t)network->source_values * sizeof *end->sources);
    memcpy(end->loads, last->loads, (size_t)network->load_count * sizeof *end->loads);
    memcpy(end->u, last->u, (size_t)network->xhat_velocities * sizeof *end->u);
    for (int i = 0; anew && i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], end->stage.t,
                                  end->sources + source->first);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        sti_listen(&network->admittances[i].connections, end);
    for (int i = 0; i < network->impedance_count; ++i)
        sti_listen(&network->impedances[i].connections, end);
}

// Motion and signals at the end of the step.
static void look_at_end(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    sti_signals_at_end(network, scratch, last);
    memcpy(scratch->end.x, scratch->next, (size_t)network->x_count * sizeof *scratch->end.x);
    sti_psi(network, &scratch->end);
}

void sti_settle_impedances(const StiNetwork *network, StiScratch *scratch, const StageData *last)
{
    StageData *end = &scratch->end;
    bool sensed = false;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->settle == NULL) continue;
        if (!sensed) look_at_end(network, scratch, last);
        sensed = true;
        const StiMotion xhat = {.x = end->position + e->wire.x,
                                .v = end->velocity + e->wire.v,
                                .signals = end->ports + e->port};
        e->kind->settle(e->parameters, &end->stage, &xhat, next_y(scratch) + e->y,
                        next_s(scratch) + e->s);
    }
}

// Forces and accelerations were finite: a memory's rate was not, or a sum overflowed.
static StiStatus blame(const StiNetwork *network, StiScratch *scratch, const StiStage *stage)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!sti_all_finite(next_y(scratch) + e->y, e->size.memory) ||
            !sti_all_finite(next_s(scratch) + e->s, e->size.discrete))
            return sti_fault(scratch, STI_NOT_FINITE, e->name, "memory", stage);
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!sti_all_finite(scratch->next + a->q, a->size.positions + a->size.velocities))
            return sti_fault(scratch, STI_NOT_FINITE, a->name, "motion", stage);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!sti_all_finite(next_s(scratch) + e->s, e->size.discrete))
            return sti_fault(scratch, STI_NOT_FINITE, e->name, "memory", stage);
    }
    return sti_fault(scratch, STI_NOT_FINITE, "", "state", stage);
}

StiStatus sti_step_commit(const StiNetwork *network, StiState *state, StiScratch *scratch,
                          const StiStage *stage)
{
    if (!sti_all_finite(scratch->next, state->count)) return blame(network, scratch, stage);
    memcpy(state->values, scratch->next, (size_t)state->count * sizeof *state->values);
    ++state->k;
    return STI_OK;
}
