// The network as an ordinary differential equation: one evaluation at tau = 0.
#include "stiction/continuous.h"

#include <math.h>
#include <string.h>

#include "network/places.h"
#include "network/power.h"
#include "continuous/continuous.h"
#include "events/rest.h"
#include "rows/reactions.h"
#include "evaluate/touches.h"
#include "events/touch_events.h"

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
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        const char *lack = e->kind->modes != NULL && e->kind->modes->unsupported_reason != NULL
                               ? e->kind->modes->unsupported_reason(e->parameters)
                               : NULL;
        if (lack == NULL) continue;
        status = STI_NO_CONTINUOUS_LIMIT;
        sti_report_add(report, STI_ERROR, e->name, "", NAN, "%s needs %s in continuous time",
                       e->kind->info.name, lack);
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (e->kind->modes != NULL) continue;
        status = STI_NO_CONTINUOUS_LIMIT;
        sti_report_add(report, STI_ERROR, e->name, "", NAN,
                       "%s is made for a fixed step: its force depends on the step, and it has no "
                       "modes of stick and slip; finite-time (the physics of Coulomb) has",
                       e->kind->info.name);
    }
    for (int i = 0; i < network->contact_count; ++i) {
        const char *lack = sti_contact_not_followed(network, &network->contacts[i], false);
        if (lack == NULL) continue;
        status = STI_NO_CONTINUOUS_LIMIT;
        sti_report_add(report, STI_ERROR, network->contacts[i].name, "", NAN, "%s", lack);
    }
    return status;
}

// How many breaks lie at or before t; they rise.
static int breaks_until(const StiTimeFunction *function, double t)
{
    int low = 0, high = function->break_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (function->breaks[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Breaks that are as good as here lie behind: those of a jump come in pairs where rounding hides its moment.
StiSmoothInterval sti_continuous_smooth_interval(const StiNetwork *network, double t)
{
    static const double here = 1e-9; // of the step
    StiSmoothInterval piece = STI_ALL_TIME;
    for (int i = 0; i < network->source_count; ++i) {
        const StiTimeFunction *function = &network->sources[i].function;
        const int next = breaks_until(function, t + here * network->step);
        if (next > 0) piece.from = fmax(piece.from, function->breaks[next - 1]);
        if (next < function->break_count) piece.to = fmin(piece.to, function->breaks[next]);
    }
    return piece;
}

// Inputs at the ends of a piece are those inside.
void sti_continuous_limit_to(StiScratch *scratch, StiSmoothInterval piece)
{
    scratch->smooth_from = isfinite(piece.from) ? nextafter(piece.from, INFINITY) : piece.from;
    scratch->smooth_to = isfinite(piece.to) ? nextafter(piece.to, -INFINITY) : piece.to;
}

static void begin_stage(const StiNetwork *network, const StiState *state, double t,
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

// Without modes: one evaluation as in a step, at tau = 0.
static StiStatus evaluate_smooth(const StiNetwork *network, const double *inputs,
                                 const StiState *state, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    int iterations = 0;
    StiStatus status = sti_sources(network, inputs, scratch, now);
    if (status != STI_OK) return status;
    sti_psi(network, now); // (13d)
    do {
        status = sti_impedances(network, state->values + state->s, scratch, now); // (22)
        if (status != STI_OK) return status;
        sti_phi(network, now);                           // (13f)
        status = sti_admittances(network, scratch, now); // (13g)
    } while (status == STI_OK && sti_loads_moved(network, scratch, now, &iterations, &status));
    return status;
}

static bool moves_by_itself(const StiNetwork *network, const StiEnd *end)
{
    return end->admittance < 0 || !network->admittances[end->admittance].kind->prescribed;
}

// What is stuck is not accelerated: coordinates by assignment, so that rounding does not add up.
static void rest_exactly(const StiNetwork *network, const double *s, StiScratch *scratch)
{
    StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const StiWire *wire = &e->wire.wire;
        scratch->reactions->answers[i].stuck = s[e->s] == STI_STICK &&
                                               moves_by_itself(network, &wire->a) &&
                                               moves_by_itself(network, &wire->b);
    }
    if (network->reaction_count > 0) sti_assign_stuck(network, scratch, now->ports, now->xdot);
}

static StiStatus follow_departures(const StiNetwork *network, const double *inputs,
                                   const StiState *state, StiScratch *scratch)
{
    const StiStatus status = sti_continuous_know_inertia(network, scratch);
    if (status != STI_OK) return status;
    memcpy(scratch->rest->turned, state->values + state->s,
           (size_t)network->s_count * sizeof(double));
    return sti_modes_turn(network, inputs, scratch->rest->turned, scratch, &scratch->stages[0]);
}

StiStatus sti_continuous_rates(const StiNetwork *network, const double *inputs,
                               const StiState *state, double t, StiSmoothInterval piece,
                               const double *values, StiScratch *scratch, double *rates)
{
    StageData *now = &scratch->stages[0];
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    if (status != STI_OK) return status;
    begin_stage(network, state, t, values, scratch);
    sti_continuous_limit_to(scratch, piece);
    status = sti_mode_count(network) > 0 || scratch->touches->count > 0
                 ? sti_modes_evaluate(network, inputs, state->values + state->s, scratch, now)
                 : evaluate_smooth(network, inputs, state, scratch);
    if (status == STI_OK && sti_modes_departing(network, state->values + state->s) > 0)
        status = follow_departures(network, inputs, state, scratch);
    sti_continuous_limit_to(scratch, STI_ALL_TIME);
    if (status != STI_OK) return status;
    rest_exactly(network, state->values + state->s, scratch);
    if (rates == NULL) return STI_OK;
    memcpy(rates, now->xdot, (size_t)network->x_count * sizeof *rates);
    memcpy(rates + network->x_count, now->ydot, (size_t)network->y_count * sizeof *rates);
    return STI_OK;
}

int sti_continuous_power_count(const StiNetwork *network)
{
    return network->impedance_count + network->reaction_count + 2 * network->admittance_count +
           sti_contact_books(network->contact_count);
}

void sti_continuous_powers(const StiNetwork *network, const StiScratch *scratch, double *powers)
{
    const StageData *now = &scratch->stages[0];
    for (int i = 0; i < network->impedance_count; ++i)
        *powers++ = sti_power_of_impedance(&network->impedances[i], now);
    for (int i = 0; i < network->reaction_count; ++i)
        *powers++ = sti_power_of_reaction(&network->reactions[i], now);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        *powers++ = sti_power_on(a, now->generalized, now->wrenches, sti_velocities_of(a, now),
                                 now->frames);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        *powers++ = sti_power_supplied(&network->admittances[i], now);
    sti_touches_powers(network, scratch->touches, powers);
}

static void keep_works(const StiNetwork *network, const double *works, Works *kept)
{
    kept->given = true;
    memcpy(kept->absorbed_by_impedance, works, (size_t)network->impedance_count * sizeof *works);
    works += network->impedance_count;
    memcpy(kept->absorbed_by_reaction, works, (size_t)network->reaction_count * sizeof *works);
    works += network->reaction_count;
    memcpy(kept->on_body, works, (size_t)network->admittance_count * sizeof *works);
    works += network->admittance_count;
    memcpy(kept->supplied, works, (size_t)network->admittance_count * sizeof *works);
    works += network->admittance_count;
    memcpy(kept->absorbed_by_contact, works,
           (size_t)sti_contact_books(network->contact_count) * sizeof *works);
}

static void keep_impacts(const StiNetwork *network, const StiScratch *scratch, Works *kept)
{
    const ImpactData *impacts = scratch->impacts;
    for (int i = 0; i < sti_contact_books(network->contact_count); ++i) {
        kept->absorbed_by_contact[i] += impacts->lost[i];
        impacts->lost[i] = 0.0;
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        kept->on_body[i] += impacts->gained[i];
        impacts->gained[i] = 0.0;
    }
}

StiStatus sti_continuous_accept(const StiNetwork *network, const double *inputs,
                                const double *values, const double *works, StiState *state,
                                StiScratch *scratch, bool *settled)
{
    const double t = sti_network_time(network, state->k + 1);
    StageData *now = &scratch->stages[0];
    StiStatus status =
        sti_continuous_rates(network, inputs, state, t, STI_ALL_TIME, values, scratch, NULL);
    if (status != STI_OK) return status;
    memcpy(scratch->next, state->values, (size_t)state->count * sizeof *scratch->next);
    memcpy(scratch->next, values, (size_t)sti_continuous_count(network) * sizeof *values);
    memcpy(next_loads(scratch), now->loads, (size_t)network->load_count * sizeof *now->loads);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities > 0)
            a->kind->move(a->parameters, scratch->next + a->v, 0.0, scratch->next + a->q);
    }
    if (scratch->touches->count > 0)
        status = sti_touches_hold(network, state->values + state->s, scratch, now, scratch->next);
    if (status != STI_OK) return status;
    if (network->reaction_count > 0) {
        if (scratch->touches->count == 0)
            status = sti_modes_hold(network, state->values + state->s, scratch, now, scratch->next);
        sti_continuous_take_answers(network, state->values + state->s, scratch);
        if (status != STI_OK) return status;
    }
    if (works != NULL) keep_works(network, works, &scratch->works);
    if (scratch->touches->count > 0) keep_impacts(network, scratch, &scratch->works);
    sti_settle_impedances(network, scratch, now);
    *settled = memcmp(next_s(scratch), state->values + state->s,
                      (size_t)network->s_count * sizeof(double)) != 0;
    if (scratch->touches->count > 0)
        sti_touches_read(network, scratch, network->step, next_s(scratch));
    return sti_step_commit(network, state, scratch, &now->stage);
}

void sti_continuous_resolve(StiScratch *scratch, double relative, double absolute, double moment)
{
    scratch->relative = relative;
    scratch->absolute = absolute;
    scratch->moment = moment;
}

void sti_continuous_set_figures(StiScratch *scratch, StiIntegratorFigures figures)
{
    scratch->figures.integrator = figures;
}

StiStatus sti_continuous_fail(StiScratch *scratch, StiStatus status, const char *component,
                              const char *what, double t, int64_t k)
{
    return sti_fault(scratch, status, component, what, &(StiStage){.t = t, .k = k});
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

// A sample travels as a ratio of memories that are zero at the start. It does not change until the
// next one: to an implicit method nothing depends on these memories, which would be singular.
static void forget_sample(const StiNetwork *network, bool *depends, const Impedance *e)
{
    const int count = sti_continuous_count(network), y = network->x_count + e->y;
    for (int i = 0; e->kind->samples && i < count; ++i)
        for (int j = y; j < y + e->size.memory; ++j) depends[i * count + j] = false;
}

// The turns that a wire counts follow its bodies; nothing follows them.
static void mark_turns(const StiNetwork *network, bool *depends, const Wire *wire)
{
    if (wire->turned < 0) return;
    mark_body(network, depends, network->x_count + wire->turned, 1, wire->wire.a.admittance);
    mark_body(network, depends, network->x_count + wire->turned, 1, wire->wire.b.admittance);
}

void sti_continuous_pattern(const StiNetwork *network, bool *depends)
{
    const size_t count = (size_t)sti_continuous_count(network);
    // Values without power go anywhere, and what is stuck together moves together.
    bool listens =
        network->iterates_loads || network->reaction_count > 0 || network->contact_count > 0;
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
    for (int i = 0; i < network->impedance_count; ++i)
        mark_turns(network, depends, &network->impedances[i].wire);
    for (int i = 0; i < network->reaction_count; ++i)
        mark_turns(network, depends, &network->reactions[i].wire);
    for (int i = 0; i < network->impedance_count; ++i)
        forget_sample(network, depends, &network->impedances[i]);
}
