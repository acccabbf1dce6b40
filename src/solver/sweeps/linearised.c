// All reactions at once, each linearised where it is: Newton's method for what sweeps are slow at.
#include <math.h>

#include "algebra/cholesky.h"
#include "rows/envelope.h"
#include "solver/sweeps/sweeps.h"

static const double difference = 1e-7; // of vbar
static const double softness =
    1e-7; // of 1/(T W): a resistance at a constant level hardly gives way

enum { DIM = STI_REACTION_DIM_MAX };

static StiStatus ask(const StiNetwork *network, const StiScratch *scratch, int i,
                     const StiReactionProblem *problem, StiReactionAnswer *answer)
{
    const Reaction *e = &network->reactions[i];
    *answer = (StiReactionAnswer){.r = {0.0}};
    return e->kind->resolve(e->parameters, problem, scratch->reactions->s + e->s, answer);
}

// D = dr/dvbar by differences away from rest, where no kink is; symmetric, because r follows from a
// potential.
static bool resistance_slope(const StiNetwork *network, const StiScratch *scratch, int i,
                             StiReactionProblem problem, const StiReactionAnswer *here, double *D)
{
    const int dim = problem.dim;
    double vbar[DIM], size = 0.0;
    for (int d = 0; d < dim; ++d) size = fmax(size, fabs(problem.vbar[d]));
    for (int d = 0; d < dim; ++d) {
        StiReactionAnswer beside;
        const double h = copysign(difference * size, problem.vbar[d]);
        for (int k = 0; k < dim; ++k) vbar[k] = problem.vbar[k] + (k == d ? h : 0.0);
        StiReactionProblem moved = problem;
        moved.vbar = vbar;
        if (ask(network, scratch, i, &moved, &beside) != STI_OK) return false;
        for (int k = 0; k < dim; ++k) D[k * dim + d] = (beside.r[k] - here->r[k]) / h;
    }
    for (int d = 0; d < dim; ++d)
        for (int k = 0; k < d; ++k) D[d * dim + k] = 0.5 * (D[d * dim + k] + D[k * dim + d]);
    return true;
}

// What keeps a reaction as it is: a block so stiff that its resistance does not move.
static void hold(int dim, double stiff, double *own, double *wanted)
{
    for (int d = 0; d < dim * dim; ++d) own[d] = d % (dim + 1) == 0 ? stiff : 0.0;
    for (int d = 0; d < dim; ++d) wanted[d] = 0.0;
}

// own = D^-1/T, the own block of the linear system; wanted = own times the change that the reaction
// would make alone. A stuck reaction has D = (T W)^-1.
static void linearise(const StiNetwork *network, const StiScratch *scratch, int i, double *own,
                      double *wanted)
{
    const Reaction *e = &network->reactions[i];
    const ReactionData *data = scratch->reactions;
    const int dim = e->size.dim;
    double vbar[DIM], D[DIM * DIM], W_most = 0.0;
    const StiReactionProblem problem = sti_local_problem(network, scratch, i, vbar);
    const double T = problem.T;
    for (int d = 0; d < dim; ++d) W_most = fmax(W_most, problem.W[d * dim + d]);
    StiReactionAnswer here;
    const bool silent = e->reads_load && scratch->loads_unknown;
    const bool answered = !silent && ask(network, scratch, i, &problem, &here) == STI_OK;
    if (answered && here.stuck) {
        for (int d = 0; d < dim * dim; ++d) own[d] = problem.W[d];
        for (int d = 0; d < dim; ++d) wanted[d] = data->rate[e->row + d] / T;
        return;
    }
    bool sloped =
        answered && W_most > 0.0 && resistance_slope(network, scratch, i, problem, &here, D);
    for (int d = 0; sloped && d < dim; ++d) D[d * dim + d] += softness / (T * W_most);
    sloped = sloped && sti_cholesky_factor(dim, D);
    if (!sloped) {
        hold(dim, W_most > 0.0 ? W_most / softness : 1.0, own, wanted);
        return;
    }
    for (int d = 0; d < dim; ++d) {
        double column[DIM] = {0.0};
        column[d] = 1.0 / T;
        sti_cholesky_solve(dim, D, column);
        for (int k = 0; k < dim; ++k) own[k * dim + d] = column[k];
        wanted[d] = (here.r[d] - data->answers[i].r[d]) / T;
    }
    sti_cholesky_solve(dim, D, wanted);
}

bool sti_solve_linearised(const StiNetwork *network, StiScratch *scratch)
{
    const ReactionData *data = scratch->reactions;
    for (int i = 0; i < network->reaction_count; ++i) {
        const int row = network->reactions[i].row;
        data->chosen[i] = true;
        linearise(network, scratch, i, sti_sweeps(scratch)->own + DIM * row,
                  sti_sweeps(scratch)->correction + row);
    }
    const int count = sti_envelope_choose(network, data);
    if (!sti_envelope_factor(network, data, count, sti_sweeps(scratch)->own)) return false;
    sti_envelope_solve(data, count, sti_sweeps(scratch)->correction);
    sti_apply_correction(network, scratch, count);
    return true;
}
