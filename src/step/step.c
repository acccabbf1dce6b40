// The modular scheme: Runge-Kutta stages over impedances and admittances, each with its own tau.
#include <string.h>

#include "solver/flight.h"
#include "cut/substep.h"
#include "network/solver.h"

// x, y from the last slopes. [modular] (13b)(13c)
static void trial_state(const StiNetwork *network, const StiState *state, StiScratch *scratch, int r)
{
    const StiMethod *method = network->method;
    StageData *now = &scratch->stages[r];
    const double T = network->step;
    now->stage = (StiStage){.t = network->start + ((double)state->k + method->c[r]) * T,
                            .tau = method->tau[r] * T,
                            .step = T,
                            .k = state->k,
                            .gravity = network->gravity,
                            .workspace = scratch->workspace};
    memcpy(now->x, state->values, (size_t)network->x_count * sizeof *now->x);
    memcpy(now->y, state->values + state->y, (size_t)network->y_count * sizeof *now->y);
    const double *loads = r == 0 ? state->values + state->loads : scratch->stages[r - 1].loads;
    memcpy(now->loads, loads, (size_t)network->load_count * sizeof *now->loads);
    for (int j = 0; j < r; ++j) {
        const double h = T * method->A[r][j];
        if (h == 0.0) continue;
        for (int i = 0; i < network->x_count; ++i) now->x[i] += h * scratch->stages[j].xdot[i];
        for (int i = 0; i < network->y_count; ++i) now->y[i] += h * scratch->stages[j].ydot[i];
    }
}

static void add_slopes(const StiNetwork *network, const StiScratch *scratch, double *x, double *y)
{
    for (int r = 0; r < network->method->stages; ++r) {
        const double h = network->step * network->method->b[r];
        const StageData *stage = &scratch->stages[r];
        for (int i = 0; i < network->x_count; ++i) x[i] += h * stage->xdot[i];
        for (int i = 0; i < network->y_count; ++i) y[i] += h * stage->ydot[i];
    }
}

// y(k+1), x(k+1); quaternions back to unit length.                              (13i)-(13l)
static void advance(const StiNetwork *network, const StiState *state, StiScratch *scratch)
{
    memcpy(scratch->next, state->values, (size_t)state->count * sizeof *scratch->next);
    add_slopes(network, scratch, scratch->next, next_y(scratch));
    const StageData *last = &scratch->stages[network->method->stages - 1];
    memcpy(next_loads(scratch), last->loads, (size_t)network->load_count * sizeof *last->loads);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        double *q = scratch->next + a->q;
        if (network->method->positions_last) {
            memcpy(q, state->values + a->q, (size_t)a->size.positions * sizeof *q);
            a->kind->move(a->parameters, scratch->next + a->v, network->step, q);
        } else if (a->size.positions != a->size.velocities) {
            a->kind->move(a->parameters, scratch->next + a->v, 0.0, q);
        }
    }
}

static StiStatus step_stages(const StiNetwork *network, const double *inputs, StiState *state,
                             StiScratch *scratch)
{
    const int stages = network->method->stages;
    StiStatus status = sti_step_begin(network, inputs, state, scratch);
    for (int r = 0; r < stages && status == STI_OK; ++r) {
        StageData *now = &scratch->stages[r];
        int iterations = 0;
        trial_state(network, state, scratch, r);                                 // (13b)(13c)
        status = sti_sources(network, inputs, scratch, now);
        if (status == STI_OK) sti_psi(network, now);                             // (13d)
        while (status == STI_OK) {
            status = sti_impedances(network, state->values + state->s, scratch, now); // (22)
            sti_phi(network, now);                                               // (13f)
            if (status == STI_OK) status = sti_admittances(network, scratch, now);    // (13g)
            if (status != STI_OK || !sti_loads_moved(network, scratch, now, &iterations, &status)) break;
        }
    }
    if (status != STI_OK) return status;
    advance(network, state, scratch);                                            // (13i)-(13l)
    if (network->method->finite_time) status = sti_fly(network, state, scratch);
    if (status != STI_OK) return status;
    status = sti_constrain(network, state, scratch, &scratch->stages[stages - 1]);
    if (status != STI_OK) return status;
    sti_settle_impedances(network, scratch, &scratch->stages[stages - 1]);
    return sti_step_commit(network, state, scratch, &scratch->stages[stages - 1].stage);
}

StiStatus sti_step(const StiNetwork *network, const double *inputs, StiState *state, StiScratch *scratch)
{
    if (network->method->cuts) return sti_step_cut(network, inputs, state, scratch);
    if (network->method->continuous) {
        const StiStage stage = {.t = sti_network_time(network, state->k), .k = state->k};
        return sti_fault(scratch, STI_BAD_ARGUMENT, "", "network for error control", &stage);
    }
    if (network->resolves) return network->solver->step(network, inputs, state, scratch);
    return step_stages(network, inputs, state, scratch);
}

StiStatus sti_run(const StiNetwork *network, const double *inputs, StiState *state, StiScratch *scratch,
                  int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const StiStatus status = sti_step(network, inputs, state, scratch);
        if (status != STI_OK) return status;
    }
    return STI_OK;
}
