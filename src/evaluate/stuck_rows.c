// Stuck rows that no body holds: W over them, factored, and their forces. Where these are not unique and the
// first choice is beyond a limit, the cone solver says whether others hold.
#include <math.h>
#include <string.h>

#include "law/norm.h"
#include "rows/envelope.h"
#include "rows/least_norm.h"
#include "rows/reaction_cones.h"
#include "evaluate/modes.h"
#include "rows/reactions.h"

enum { REFINEMENTS = 2, SHIFTED_REFINEMENTS = 60 };
// Where joints share a freedom W is singular. What is added to its diagonal is taken back by refinement
// (the solution of the smallest norm); a smaller part would let the rounding of accelerations grow into
// forces, and loads that hear them would never settle.
static const double shift = 1e-2;
static const double refined = 1e-13; // of the accelerations
static const double beyond = 1e-9;   // of a limit

Holding *sti_holding_take(StiArena *arena, const StiNetwork *n)
{
    Holding *holding = sti_arena_take(arena, 1, sizeof *holding);
    if (holding == NULL) return NULL;
    const size_t all = (size_t)n->generalized_count + 1;
    holding->held = sti_arena_take(arena, all, sizeof *holding->held);
    holding->any = sti_arena_take(arena, (size_t)n->admittance_count + 1, sizeof *holding->any);
    holding->memory = sti_arena_numbers(arena, n->memory_count);
    holding->taken = sti_arena_numbers(arena, n->generalized_count);
    holding->rate = sti_arena_numbers(arena, n->row_count);
    holding->lambda = sti_arena_numbers(arena, n->row_count);
    holding->left = sti_arena_numbers(arena, n->row_count);
    holding->Wx = sti_arena_numbers(arena, n->row_count);
    return holding;
}

static bool factor_chosen(const StiNetwork *network, StiScratch *scratch, int count)
{
    const ReactionData *data = scratch->reactions;
    scratch->holding->singular = !sti_envelope_factor_shifted(network, data, count, 0.0);
    return !scratch->holding->singular || sti_envelope_factor_shifted(network, data, count, shift);
}

int sti_modes_factor(const StiNetwork *network, const double *s, StiScratch *scratch,
                     const StageData *now)
{
    ReactionData *data = scratch->reactions;
    int culprit = 0;
    sti_modes_hold_coordinates(network, s, scratch);
    if (scratch->holding->outside == 0) return 0;
    for (int i = 0; i < network->reaction_count; ++i)
        data->chosen[i] = s[network->reactions[i].s] == STI_STICK && !network->reactions[i].held;
    const StiStatus status =
        sti_response_prepare(network, now, scratch->holding->held, &data->response, &culprit);
    if (status != STI_OK) {
        sti_fault(scratch, status, network->admittances[culprit].name, "inertia", &now->stage);
        return -1;
    }
    sti_reaction_blocks(network, scratch, now, data->chosen);
    const int count = sti_envelope_choose(network, data);
    return factor_chosen(network, scratch, count) ? count : 0;
}

// W x over the chosen rows.
static void multiply_chosen(const StiNetwork *network, const ReactionData *data, int count,
                            const double *x, double *Wx)
{
    memset(Wx, 0, (size_t)count * sizeof *Wx);
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        const int d = data->rows[p] - e->row;
        for (int i = 0; i < e->neighbour_count; ++i) {
            const int place = data->place[sti_neighbour(e, i)];
            const int dim = network->reactions[sti_neighbour(e, i)].size.dim;
            const double *W = data->W + sti_neighbour_block(e, i);
            for (int k = 0; place >= 0 && k < dim; ++k) Wx[p] += W[d * dim + k] * x[place + k];
        }
    }
}

// lambda of least norm, whatever the limits are.
void sti_modes_solve_freely(const StiNetwork *network, const StiScratch *scratch, int count)
{
    const ReactionData *data = scratch->reactions;
    const double *rate = scratch->holding->rate;
    double *left = scratch->holding->left, *Wx = scratch->holding->Wx;
    double *lambda = scratch->holding->lambda;
    memset(lambda, 0, (size_t)count * sizeof *lambda);
    double size = 0.0, most = INFINITY;
    for (int p = 0; p < count; ++p) size = fmax(size, fabs(rate[p]));
    for (int i = 0; i <= REFINEMENTS || (i < SHIFTED_REFINEMENTS && most > refined * size); ++i) {
        multiply_chosen(network, data, count, lambda, Wx);
        most = 0.0;
        for (int p = 0; p < count; ++p) {
            left[p] = rate[p] - Wx[p];
            most = fmax(most, fabs(left[p]));
        }
        sti_envelope_solve(data, count, left);
        for (int p = 0; p < count; ++p) lambda[p] += left[p];
    }
}

void sti_modes_solve(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     int count)
{
    const Holding *holding = scratch->holding;
    if (!holding->singular ||
        !sti_shares_hold(network, scratch, now, count, holding->rate, holding->lambda))
        sti_modes_solve_freely(network, scratch, count);
}

// Is every resistance within its limit? Limits go where the cone solver looks for them.
static bool is_within(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                      int count, const double *r)
{
    const ReactionData *data = scratch->reactions;
    bool within = true;
    for (int p = 0, node = 0; p < count; ++node) {
        const Reaction *e = &network->reactions[data->owner[p]];
        const int dim = e->size.dim;
        const double direction = sti_direction(dim, r + p);
        const double limit = e->kind->modes->limit(e->parameters, direction, now->ports + e->port);
        if (scratch->cones->room > 0) scratch->cones->limit[node] = limit;
        within = within && sti_norm(dim, r + p) <= (1.0 + beyond) * limit;
        p += dim;
    }
    return within;
}

void sti_modes_ease(const StiNetwork *network, StiScratch *scratch, const StageData *now, int count)
{
    Holding *holding = scratch->holding;
    const ReactionCones *cones = scratch->cones;
    if (is_within(network, scratch, now, count, holding->lambda)) return;
    if (!sti_reaction_cones_ask(network, scratch, count, 1.0, holding->rate)) return;
    for (int p = 0, node = 0; p < count; p += cones->nodes[node++].dim)
        if (cones->modes[node] != STI_BLOCK_STICK) return;
    if (!is_within(network, scratch, now, count, cones->r)) return;
    memcpy(holding->lambda, cones->r, (size_t)count * sizeof *holding->lambda);
    holding->at_ease = true;
}
