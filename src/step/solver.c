// The solvers by name, and the step that calls the network's own.
#include "network/solver.h"

#include <string.h>

#include "cut/substep.h"

static const StiSolver *const solvers[] = {&sti_solver_coupled, &sti_solver_semi_implicit,
                                          &sti_solver_implicit, &sti_solver_sweeps};

const StiSolver *sti_solver_at(int number)
{
    const int count = sizeof solvers / sizeof solvers[0];
    return number >= 0 && number < count ? solvers[number] : NULL;
}

const StiSolver *sti_solver_find(const char *name)
{
    const StiSolver *solver;
    for (int i = 0; (solver = sti_solver_at(i)) != NULL; ++i)
        if (strcmp(solver->name, name) == 0) return solver;
    return NULL;
}

const char *sti_solver_name(const StiSolver *solver) { return solver->name; }

const char *sti_solver_summary(const StiSolver *solver) { return solver->summary; }

StiStatus sti_step_reactions(const StiNetwork *network, const double *inputs, StiState *state,
                             StiScratch *scratch)
{
    if (network->method->cuts) return sti_step_cut(network, inputs, state, scratch);
    return network->solver->step(network, inputs, state, scratch);
}
