// The network as an ordinary differential equation: one evaluation at tau = 0.
#include "stiction/continuous.h"

#include <math.h>
#include <string.h>

#include "network/power.h"
#include "step/evaluate.h"

int sti_continuous_count(const StiNetwork *network) { return network->x_count + network->y_count; }

void sti_continuous_values(const StiState *state, double *values)
{
    memcpy(values, state->values, (size_t)state->s * sizeof *values); // x and y stand before s
}

StiStatus sti_continuous_check(const StiNetwork *network, StiReport *report)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (e->kind->continuous) continue;
        status = STI_NO_CONTINUOUS_LIMIT;
        sti_report_add(report, STI_ERROR, e->name, "", NAN,
                       "%s has no continuous-time form (it needs the length of a step); a method "
                       "with a fixed step can run it",
                       e->kind->info.name);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        status = STI_NO_CONTINUOUS_LIMIT;
        sti_report_add(report, STI_ERROR, e->name, "", NAN,
                       "%s is set-valued: it needs a step, or stick and slip as modes with events",
                       e->kind->info.name);
    }
    return status;
}

double sti_continuous_next_break(const StiNetwork *network, double t)
{
    double next = INFINITY;
    for (int i = 0; i < network->source_count; ++i) {
        const StiTimeFunction *function = &network->sources[i].function;
        for (int j = 0; j < function->break_count; ++j)
            if (function->breaks[j] > t) next = fmin(next, function->breaks[j]);
    }
    return next;
}

// Inputs at the end of a piece are those from before the jump that ends it.
static double time_of_inputs(double t, double limit)
{
    return t >= limit ? nextafter(limit, -INFINITY) : t;
}

static void set_stage(const StiNetwork *network, const StiState *state, double t,
                      const double *values, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    now->stage = (StiStage){.t = t,
                            .tau = 0.0,
                            .step = network->step,
                            .k = state->k,
                            .gravity = network->gravity,
                            .workspace = scratch->workspace};
    memcpy(now->x, values, (size_t)network->x_count * sizeof *now->x);
    memcpy(now->y, values + network->x_count, (size_t)network->y_count * sizeof *now->y);
    memcpy(now->loads, state->values + state->loads,
           (size_t)network->load_count * sizeof *now->loads);
}

static StiStatus forces_and_rates(const StiNetwork *network, const StiState *state,
                                  StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = STI_OK;
    int iterations = 0;
    do {
        status = sti_impedances(network, state->values + state->s, scratch, now); // (22)
        if (status != STI_OK) return status;
        sti_phi(network, now);                           // (13f)
        status = sti_admittances(network, scratch, now); // (13g)
    } while (status == STI_OK && sti_loads_moved(network, scratch, now, &iterations, &status));
    return status;
}

StiStatus sti_continuous_rates(const StiNetwork *network, const double *inputs,
                               const StiState *state, double t, double limit, const double *values,
                               StiScratch *scratch, double *rates)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = sti_step_begin(network, false, inputs, state, scratch);
    if (status != STI_OK) return status;
    set_stage(network, state, time_of_inputs(t, limit), values, scratch);
    status = sti_sources(network, inputs, scratch, now);
    if (status != STI_OK) return status;
    sti_psi(network, now); // (13d)
    status = forces_and_rates(network, state, scratch);
    if (status != STI_OK || rates == NULL) return status;
    memcpy(rates, now->xdot, (size_t)network->x_count * sizeof *rates);
    memcpy(rates + network->x_count, now->ydot, (size_t)network->y_count * sizeof *rates);
    return STI_OK;
}

int sti_continuous_power_count(const StiNetwork *network)
{
    return network->impedance_count + 2 * network->admittance_count;
}

void sti_continuous_powers(const StiNetwork *network, const StiScratch *scratch, double *powers)
{
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->impedance_count; ++i)
        powers[i] = sti_power_of_impedance(&network->impedances[i], now);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        powers[network->impedance_count + network->admittance_count + i] =
            sti_power_supplied(a, now);
        powers[network->impedance_count + i] = sti_power_on(
            a, now->generalized, now->wrenches, sti_velocities_of(a, now), now->frames);
    }
}

static void keep_works(const StiNetwork *network, const double *works, Works *kept)
{
    kept->given = true;
    memcpy(kept->absorbed_by_impedance, works, (size_t)network->impedance_count * sizeof *works);
    memset(kept->absorbed_by_reaction, 0, (size_t)network->reaction_count * sizeof *works);
    memcpy(kept->on_body, works + network->impedance_count,
           (size_t)network->admittance_count * sizeof *works);
    memcpy(kept->supplied, works + network->impedance_count + network->admittance_count,
           (size_t)network->admittance_count * sizeof *works);
}

StiStatus sti_continuous_accept(const StiNetwork *network, const double *inputs,
                                const double *values, const double *works, StiState *state,
                                StiScratch *scratch, bool *settled)
{
    const double t = sti_network_time(network, state->k + 1);
    StageData *now = &scratch->stages[0];
    StiStatus status =
        sti_continuous_rates(network, inputs, state, t, INFINITY, values, scratch, NULL);
    if (status != STI_OK) return status;
    memcpy(scratch->next, state->values, (size_t)state->count * sizeof *scratch->next);
    memcpy(scratch->next, values, (size_t)sti_continuous_count(network) * sizeof *values);
    memcpy(next_loads(scratch), now->loads, (size_t)network->load_count * sizeof *now->loads);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0)
            a->kind->move(a->parameters, scratch->next + a->v, 0.0, scratch->next + a->q);
    }
    if (works != NULL) keep_works(network, works, &scratch->works);
    sti_settle_impedances(network, scratch, now);
    *settled = memcmp(next_s(scratch), state->values + state->s,
                      (size_t)network->s_count * sizeof(double)) != 0;
    return sti_step_commit(network, state, scratch, &now->stage);
}

void sti_continuous_tell(StiScratch *scratch, StiIntegratorFigures figures)
{
    scratch->figures.integrator = figures;
}

StiStatus sti_continuous_give_up(StiScratch *scratch, StiStatus status, const char *what, double t,
                                 int64_t k)
{
    return sti_fault(scratch, status, "", what, &(StiStage){.t = t, .k = k});
}

// ---- which rate depends on what: bodies on their elements, elements on their bodies ------------

static void mark(bool *depends, int count, int row, int rows, int column, int columns)
{
    for (int i = row; i < row + rows; ++i)
        for (int j = column; j < column + columns; ++j) depends[i * count + j] = true;
}

static void mark_body(const StiNetwork *network, bool *depends, int row, int rows, int admittance)
{
    if (admittance < 0) return;
    const Admittance *a = &network->admittances[admittance];
    const int count = sti_continuous_count(network);
    mark(depends, count, row, rows, a->q, a->size.positions);
    mark(depends, count, row, rows, a->v, a->size.velocities);
}

// One element: what it feels (both bodies, its memory), and who feels it.
static void mark_element(const StiNetwork *network, bool *depends, const Impedance *e)
{
    const int count = sti_continuous_count(network), y = network->x_count + e->y;
    const int ends[2] = {e->wired ? e->wire.wire.a.admittance : -1,
                         e->wired ? e->wire.wire.b.admittance : -1};
    mark(depends, count, y, e->size.memory, y, e->size.memory);
    for (int i = 0; i < 2; ++i) {
        mark_body(network, depends, y, e->size.memory, ends[i]);
        if (ends[i] < 0) continue;
        const Admittance *a = &network->admittances[ends[i]];
        mark(depends, count, a->v, a->size.velocities, y, e->size.memory);
        for (int j = 0; j < 2; ++j) mark_body(network, depends, a->v, a->size.velocities, ends[j]);
    }
}

void sti_continuous_pattern(const StiNetwork *network, bool *depends)
{
    const size_t count = (size_t)sti_continuous_count(network);
    bool listens = network->iterates_loads; // values without power go anywhere
    for (int i = 0; i < network->impedance_count; ++i)
        for (int j = 0; j < network->impedances[i].connections.count; ++j)
            listens = listens || network->impedances[i].connections.items[j].from != FROM_SOURCE;
    memset(depends, listens, count * count * sizeof *depends);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        mark_body(network, depends, a->q, a->size.positions, i);
        mark_body(network, depends, a->v, a->size.velocities, i);
    }
    for (int i = 0; i < network->impedance_count; ++i)
        mark_element(network, depends, &network->impedances[i]);
}
