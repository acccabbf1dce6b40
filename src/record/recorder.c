#include "record/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cut/account.h"
#include "cut/substep.h"
#include "evaluate/evaluate.h"
#include "stiction/continuous.h"
#include "law/norm.h"

StiRecorder *sti_recorder_create(const StiNetwork *network)
{
    StiRecorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) return NULL;
    StiArena *arena = &recorder->arena;
    recorder->network = network;
    recorder->trial = sti_state_create(network);
    sti_stage_take(arena, network, &recorder->row);
    recorder->resistances = sti_arena_numbers(arena, network->row_count);
    recorder->start = sti_arena_numbers(arena, sti_continuous_count(network));
    recorder->s = sti_arena_numbers(arena, network->s_count);
    recorder->workspace = sti_arena_numbers(arena, network->workspace_count);
    recorder->values = sti_arena_numbers(arena, sti_network_largest_observation(network));
    for (int i = 0; i < 2; ++i) sti_stage_take(arena, network, &recorder->ends[i]);
    recorder->ports_before = sti_arena_numbers(arena, network->port_count);
    recorder->ledger.absorbed_by_impedance = sti_arena_numbers(arena, network->impedance_count);
    recorder->ledger.absorbed_by_reaction = sti_arena_numbers(arena, network->reaction_count);
    recorder->ledger.absorbed_by_contact = sti_arena_numbers(arena, network->contact_count);
    if (network->method->cuts) sti_account_take(arena, network, &recorder->account);
    recorder->readings =
        sti_arena_take(arena, (size_t)network->contact_count + 1, sizeof *recorder->readings);
    recorder->ledger.stored_in_impedance = sti_arena_numbers(arena, network->impedance_count);
    recorder->ledger.stored_in_impedance_start = sti_arena_numbers(arena, network->impedance_count);
    recorder->ledger.stored_in_contact = sti_arena_numbers(arena, network->contact_count);
    recorder->ledger.stored_in_contact_start = sti_arena_numbers(arena, network->contact_count);
    if (arena->failed || recorder->trial == NULL) {
        sti_recorder_destroy(recorder);
        return NULL;
    }
    return recorder;
}

void sti_recorder_destroy(StiRecorder *recorder)
{
    if (recorder == NULL) return;
    sti_state_destroy(recorder->trial);
    sti_arena_release(&recorder->arena);
    free(recorder);
}

// State, sources and the motion of all wires at time t.
static void look(StiRecorder *recorder, const StiState *state, double t, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    StageData *row = &recorder->row;
    const StageData *first = &scratch->stages[0];
    row->stage = first->stage;
    row->stage.t = t;
    row->stage.k = state->k;
    memcpy(row->x, state->values, (size_t)n->x_count * sizeof *row->x);
    memcpy(row->y, state->values + state->y, (size_t)n->y_count * sizeof *row->y);
    memcpy(recorder->s, state->values + state->s, (size_t)n->s_count * sizeof *recorder->s);
    for (int i = 0; i < n->contact_count; ++i)
        recorder->ledger.stored_in_contact[i] =
            sti_contact_stored(&n->contacts[i], recorder->s + n->contacts[i].s);
    memcpy(row->loads, state->values + state->loads, (size_t)n->load_count * sizeof *row->loads);
    memcpy(row->sources, first->sources, (size_t)n->source_values * sizeof *row->sources);
    memcpy(row->ports, first->ports, (size_t)n->port_count * sizeof *row->ports);
    for (int i = 0; i < n->source_count; ++i) {
        const Source *source = &n->sources[i];
        if (source->function.eval != NULL)
            source->function.eval(source->function.data, scratch->workspaces[i], row->stage.t,
                                  row->sources + source->first);
    }
    for (int i = 0; i < n->admittance_count; ++i) sti_listen(&n->admittances[i].connections, row);
    sti_psi(n, row);
}

// The same where the step was cut: means over all substep.
static void take_forces_of_substeps(StiRecorder *recorder, const SubstepData *substep,
                                    bool first_only)
{
    const StiNetwork *n = recorder->network;
    const double *u = first_only ? substep->first_u : recorder->account.mean_u;
    const double *loads = first_only ? substep->first_loads : recorder->account.mean_loads;
    memcpy(recorder->row.u, u, (size_t)n->xhat_velocities * sizeof *u);
    memcpy(recorder->row.loads, loads, (size_t)n->load_count * sizeof *loads);
    for (int i = 0; i < n->reaction_count; ++i)
        memcpy(recorder->resistances + n->reactions[i].row, u + n->reactions[i].wire.v,
               (size_t)n->reactions[i].size.dim * sizeof *u);
}

// The forces of the step: weighted with b over the stages, or of the first stage alone.
static void take_forces(StiRecorder *recorder, const StiScratch *scratch, bool first_only)
{
    const StiNetwork *n = recorder->network;
    if (n->contact_count > 0) sti_contacts_read(n, scratch->contacts, recorder->readings);
    if (n->method->cuts && scratch->works.given) {
        sti_account_read(n, scratch, &recorder->account);
        take_forces_of_substeps(recorder, scratch->substep, first_only);
        return;
    }
    const bool one = first_only || n->resolves;
    for (int i = 0; i < n->xhat_velocities; ++i) {
        double sum = one ? scratch->stages[0].u[i] : 0.0;
        for (int r = 0; !one && r < n->method->stages; ++r)
            sum += n->method->b[r] * scratch->stages[r].u[i];
        recorder->row.u[i] = sum;
    }
    for (int i = 0; i < n->reaction_count; ++i)
        memcpy(recorder->resistances + n->reactions[i].row, scratch->reactions->answers[i].r,
               (size_t)n->reactions[i].size.dim * sizeof(double));
}

// Loads under smooth forces, reactions and contacts together. Steps in which nothing listens to a
// load leave them to the reader. The ledger has left reactions and contacts in the row.
static void take_loads(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    const StageData *start = &scratch->stages[0];
    StageData *row = &recorder->row;
    if (!n->resolves || n->iterates_loads || n->load_count == 0) return;
    if (scratch->works.given && n->place_count == 0) return;
    StiStage stage = start->stage;
    stage.workspace = recorder->workspace;
    if (scratch->works.given) { // where contacts are followed, all forces stand in the stage
        memset(row->generalized, 0, (size_t)n->generalized_count * sizeof *row->generalized);
        memset(row->wrenches, 0, (size_t)n->link_count * sizeof *row->wrenches);
    }
    for (int i = 0; i < n->generalized_count; ++i) row->generalized[i] += start->generalized[i];
    for (int i = 0; i < n->link_count; ++i)
        row->wrenches[i] =
            (StiWrench){.moment = sti_vec3_add(row->wrenches[i].moment, start->wrenches[i].moment),
                        .force = sti_vec3_add(row->wrenches[i].force, start->wrenches[i].force)};
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const StiForce uhat = {row->generalized + a->generalized, row->wrenches + a->link};
        if (a->size.loads > 0)
            a->kind->eval(a->parameters, &stage, start->x + a->q, start->x + a->v,
                          start->ports + a->port, &uhat, row->xdot + a->q, row->xdot + a->v,
                          row->loads + a->load);
    }
}

static void clear(const StiNetwork *n, Ledger *ledger)
{
    memset(ledger->absorbed_by_impedance, 0, (size_t)n->impedance_count * sizeof(double));
    memset(ledger->absorbed_by_reaction, 0, (size_t)n->reaction_count * sizeof(double));
    memset(ledger->absorbed_by_contact, 0, (size_t)n->contact_count * sizeof(double));
    ledger->work_of_motions = ledger->work_on_bodies = 0.0;
}

// Where the forces of row 0 come from: in continuous time from the modes at the start, else from a step that is
// then forgotten; where it is cut, from the moment at which it begins. *looked: the trial has the modes there.
static StiStatus try_start(StiRecorder *recorder, const StiState *state, const double *inputs,
                           StiScratch *scratch, bool *looked)
{
    const StiNetwork *n = recorder->network;
    StiState *trial = recorder->trial;
    const double t = sti_network_time(n, trial->k);
    *looked = true;
    if (n->method->continuous)
        return sti_continuous_start(n, inputs, t, sti_continuous_smooth_interval(n, t),
                                    recorder->start, trial, scratch);
    StiStatus status = sti_run(n, inputs, trial, scratch, 1);
    if (status == STI_OK && n->method->cuts) {
        status = sti_state_copy(trial, state);
        if (status != STI_OK ||
            sti_step_cut_look(n, inputs, recorder->start, trial, scratch) == STI_OK)
            return status;
        status = sti_state_copy(trial, state); // the step has an answer, the moment has none
        if (status == STI_OK) status = sti_run(n, inputs, trial, scratch, 1);
    }
    *looked = false;
    return status;
}

// Who sticks at the start: what is at rest, or a closed point that does not slide, and stays so in the step that
// was tried. Models with a band of speeds for rest have decided there.
static void take_modes_at_start(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    const double *tried = recorder->trial->values + recorder->trial->s;
    if (recorder->row.stage.k > 0) return;
    sti_modes_at_start(n, &recorder->row, recorder->s);
    for (int i = 0; i < n->reaction_count; ++i)
        if (n->reactions[i].kind->level == NULL || recorder->s[n->reactions[i].s] == STI_STICK)
            recorder->s[n->reactions[i].s] = tried[n->reactions[i].s];
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        if (!point->sticks) recorder->readings[point->contact].stick = 0.0;
    }
}

StiStatus sti_recorder_begin(StiRecorder *recorder, const StiState *state, const double *inputs,
                             StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    bool looked = false;
    StiStatus status = sti_state_copy(recorder->trial, state);
    if (status == STI_OK) {
        sti_continuous_values(state, recorder->start);
        status = try_start(recorder, state, inputs, scratch, &looked);
    }
    if (status != STI_OK) return status;
    const bool continuous = n->method->continuous;
    look(recorder, continuous && recorder->trial->k == state->k ? recorder->trial : state,
         sti_network_time(n, state->k), scratch);
    if (n->load_count > 0)
        memcpy(recorder->row.loads, scratch->stages[0].loads,
               (size_t)n->load_count * sizeof(double));
    take_forces(recorder, scratch, true);
    if (looked)
        memcpy(recorder->s, recorder->trial->values + recorder->trial->s,
               (size_t)n->s_count * sizeof *recorder->s);
    else
        take_modes_at_start(recorder, scratch);
    sti_ledger_follow(recorder, scratch);
    take_loads(recorder, scratch);
    clear(n, &recorder->ledger);
    sti_ledger_weigh(recorder, true);
    sti_runaway_begin(recorder);
    return STI_OK;
}

StiStatus sti_recorder_sample_event(StiRecorder *recorder, const StiState *state, double t,
                                    const StiScratch *scratch)
{
    if (scratch->network != recorder->network) return STI_BAD_ARGUMENT;
    if (state->layout != recorder->network->layout) return STI_LAYOUT_MISMATCH;
    look(recorder, state, t, scratch);
    take_forces(recorder, scratch, true);
    return STI_OK;
}

StiStatus sti_recorder_follow(StiRecorder *recorder, const StiState *state,
                              const StiScratch *scratch)
{
    if (scratch->network != recorder->network) return STI_BAD_ARGUMENT;
    if (state->layout != recorder->network->layout) return STI_LAYOUT_MISMATCH;
    memcpy(recorder->ports_before, recorder->row.ports,
           (size_t)recorder->network->port_count * sizeof(double));
    look(recorder, state, sti_network_time(recorder->network, state->k), scratch);
    recorder->integrator = scratch->figures.integrator;
    take_forces(recorder, scratch, false);
    sti_ledger_follow(recorder, scratch);
    take_loads(recorder, scratch);
    sti_ledger_follow_drivers(recorder, scratch);
    sti_ledger_weigh(recorder, false);
    sti_runaway_look(recorder, state->k);
    return STI_OK;
}

static double observe_body(const StiRecorder *recorder, const ChannelPlace *place)
{
    const Admittance *a = &recorder->network->admittances[place->component];
    const StageData *row = &recorder->row;
    a->kind->observe(a->parameters, row->x + a->q, row->x + a->v, row->ports + a->port,
                     recorder->values);
    return recorder->values[place->index];
}

static double observe_impedance(const StiRecorder *recorder, const ChannelPlace *place)
{
    const Impedance *e = &recorder->network->impedances[place->component];
    const StageData *row = &recorder->row;
    const StiMotion xhat = {.x = row->position + e->wire.x,
                            .v = row->velocity + e->wire.v,
                            .signals = row->ports + e->port};
    e->kind->observe(e->parameters, &row->stage, &xhat, row->y + e->y, recorder->s + e->s,
                     row->u + e->wire.v, recorder->values);
    return recorder->values[place->index];
}

static double energy_value(const StiRecorder *recorder, int index)
{
    const StiEnergy e = sti_recorder_energy(recorder);
    const double values[] = {e.work,       e.stored,    e.stored_start,
                             e.dissipated, e.numerical, e.residual};
    return values[index];
}

static double integrator_value(const StiRecorder *recorder, int index)
{
    const StiIntegratorFigures *f = &recorder->integrator;
    const double values[] = {f->steps, f->failures, f->evaluations, f->events};
    return values[index];
}

static const Wire *wire_of(const StiNetwork *network, const ChannelPlace *place)
{
    return place->role == STI_REACTION ? &network->reactions[place->component].wire
                                       : &network->impedances[place->component].wire;
}

static const double *force_of(const StiRecorder *recorder, const ChannelPlace *place)
{
    const StiNetwork *n = recorder->network;
    return place->role == STI_REACTION ? recorder->resistances + n->reactions[place->component].row
                                       : recorder->row.u + n->impedances[place->component].wire.v;
}

static double reading_of(const StiRecorder *recorder, const ChannelPlace *place)
{
    const ContactReading *r = &recorder->readings[place->component];
    const double values[] = {r->fn,       r->ft,       r->depth,    r->stick,    r->v[0],
                             r->v[1],     r->v[2],     r->points,   r->impulse,  r->place[0],
                             r->place[1], r->place[2], r->force[0], r->force[1], r->force[2]};
    return values[place->index];
}

double sti_recorder_value(const StiRecorder *recorder, int channel)
{
    if (channel < 0 || channel >= recorder->network->channel_count) return NAN;
    const StiNetwork *n = recorder->network;
    const ChannelPlace *place = &recorder->network->channels[channel].place;
    const StageData *row = &recorder->row;
    const int i = place->index;
    switch (place->type) {
    case CHANNEL_BODY:
        return observe_body(recorder, place);
    case CHANNEL_LOAD:
        return row->loads[n->admittances[place->component].load + i];
    case CHANNEL_SOURCE:
        return row->sources[n->sources[place->component].first + i];
    case CHANNEL_FORCE:
        return force_of(recorder, place)[i];
    case CHANNEL_FORCE_NORM:
        return sti_norm(wire_of(n, place)->size.velocities, force_of(recorder, place));
    case CHANNEL_VELOCITY:
        return row->velocity[wire_of(n, place)->v + i];
    case CHANNEL_DISPLACEMENT:
        return row->position[wire_of(n, place)->x + i];
    case CHANNEL_OWN:
        return observe_impedance(recorder, place);
    case CHANNEL_MEMORY:
        return row->y[n->impedances[place->component].y + i];
    case CHANNEL_STICK:
        return recorder->s[n->reactions[place->component].s] == 0.0 ? 1.0 : 0.0;
    case CHANNEL_CONTACT:
        return reading_of(recorder, place);
    case CHANNEL_DISSIPATED:
        return sti_recorder_dissipated_at(recorder, place->role, place->component);
    case CHANNEL_ENERGY:
        return energy_value(recorder, i);
    case CHANNEL_INTEGRATOR:
        return integrator_value(recorder, i);
    }
    return NAN;
}
