// The solver `implicit`: contact forces and friction of joints as unknowns of one regularised problem
// in their mixed space, (19). Cubic in the number of joints. [semi-implicit] II.C
#include <string.h>

#include "solver/paper/regularised.h"

static void read_friction(StiScratch *scratch)
{
    const RegularData *data = regular_data(scratch);
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        if (node->point) continue;
        StiReactionAnswer *answer = &scratch->reactions->answers[node->index];
        *answer = (StiReactionAnswer){.stuck = node->mode == MODE_STICK};
        for (int d = 0; d < node->dim; ++d) answer->r[d] = -data->f[node->row + d];
    }
}

static StiStatus step(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch)
{
    const StiSolverConstants *p = &network->solver_constants;
    const Compliance compliance = sti_compliance(network, p->k_M, p->lambda_M);
    StiStatus status = sti_regular_begin(network, inputs, state, scratch);
    if (status == STI_OK) status = sti_regular_accelerate(network, scratch, false);
    if (status != STI_OK) return status;
    sti_regular_rows(network, scratch, true);
    sti_regular_inertia(network, scratch, compliance.k); // (16)
    sti_regular_solve(network, scratch, compliance);     // (19)-(21)
    read_friction(scratch);
    status = sti_regular_accelerate(network, scratch, true);
    if (status == STI_OK) status = sti_regular_finish(network, state, scratch);
    if (status != STI_OK) return status;
    sti_regular_settle(network, scratch); // (23)(24)
    return sti_step_commit(network, state, scratch, &scratch->stages[0].stage);
}

static void *take(StiArena *arena, const StiNetwork *network, StiScratch *scratch)
{
    (void)scratch;
    return sti_regular_take(arena, network, true);
}

static const char *refuse(const StiNetwork *network, const char **element)
{
    const char *refusal = sti_regular_refuse(network, element);
    for (int i = 0; refusal == NULL && i < network->reaction_count; ++i) {
        *element = network->reactions[i].name;
        if (!network->reactions[i].wire.wire.kind->coordinates)
            refusal = "resolves friction along coordinates of bodies; coupled resolves more";
    }
    return refusal;
}

static const StiExplanation explanation = {
    .equations = "f_M = (f, gamma tau_f),  J_M = (J, 1),\n"
                 "A_M = J_M H^-1 J_M^T h,  c_M = J_M vbar                             (16)\n"
                 "f_M = argmin |A_M f_M + c_M + k_M d_M|^2 + lambda_M |f_M|^2,  f_n >= 0\n"
                 "                                                                    (19)\n"
                 "then (20), (21), and Runge-Kutta-Gill with f_M and inputs held\n"
                 "\n"
                 "in a scene: solver: {name: implicit, k_M, lambda_M}\n"
                 "  k_M: 0.05/step if not given; lambda_M: 1e-8 of A_M's diagonal, squared\n"
                 "  literal: true    forces are cut back (20)(21), nothing is solved again\n",
    .use = "The paper's reference: joints and contacts in one least-squares problem, cubic "
           "in their number. Friction along coordinates of any body.",
    .drift = "No: what sticks is a stiff spring about an anchor, which stays.",
    .source = "[semi-implicit] II.C, with the corrections of docs/equations.md.",
};

const StiSolver sti_solver_implicit = {
    .name = "implicit",
    .summary = "joint friction and contacts as one regularised problem in mixed space; cubic time",
    .contacts = true,
    .refuse = refuse,
    .discrete = sti_regular_discrete,
    .take = take,
    .step = step,
    .explanation = &explanation,
};
