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

int sti_modes_factor(const StiNetwork *network, const double *s, StiScratch *scratch,
                     const StageData *now)
{
    ReactionData *data = &scratch->reactions;
    int culprit = 0;
    sti_modes_hold_coordinates(network, s, scratch);
    if (scratch->holding.outside == 0) return 0;
    for (int i = 0; i < network->reaction_count; ++i)
        data->chosen[i] = s[network->reactions[i].s] == STI_STICK && !network->reactions[i].held;
    const StiStatus status =
        sti_response_prepare(network, now, scratch->holding.held, &data->response, &culprit);
    if (status != STI_OK) {
        sti_fault(scratch, status, network->admittances[culprit].name, "inertia", &now->stage);
        return -1;
    }
    sti_reaction_blocks(network, scratch, now, data->chosen);
    const int count = sti_envelope_choose(network, data);
    data->singular = !sti_envelope_factor_shifted(network, data, count, 0.0);
    return !data->singular || sti_envelope_factor_shifted(network, data, count, shift) ? count : 0;
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

void sti_modes_solve(const StiNetwork *network, const ReactionData *data, int count,
                     const double *rate, double *lambda)
{
    double *left = data->correction, *Wx = data->saved_rate;
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
