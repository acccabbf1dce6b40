// Stuck rows that no body holds: W over them, factored, and their forces.
#include <math.h>
#include <string.h>

#include "rows/envelope.h"
#include "evaluate/modes.h"
#include "rows/reactions.h"

enum { REFINEMENTS = 2, SHIFTED_REFINEMENTS = 60 };
// Where joints share a freedom W is singular. What is added to its diagonal is taken back by refinement
// (the solution of the smallest norm); a smaller part would let the rounding of accelerations grow into
// forces, and loads that hear them would never settle.
static const double shift = 1e-2;
static const double refined = 1e-13; // of the accelerations

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
    scratch->holding->singular = !sti_envelope_factor_shifted(network, data, count, 0.0);
    return !scratch->holding->singular || sti_envelope_factor_shifted(network, data, count, shift)
               ? count
               : 0;
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
            const int place = data->place[e->neighbours[i].reaction];
            const int dim = network->reactions[e->neighbours[i].reaction].size.dim;
            const double *W = data->W + e->neighbours[i].block;
            for (int k = 0; place >= 0 && k < dim; ++k) Wx[p] += W[d * dim + k] * x[place + k];
        }
    }
}

void sti_modes_solve(const StiNetwork *network, const StiScratch *scratch, int count)
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
