// The solvers by name, and which of them suits a network. This registry is all that the network
// knows of them.
#include "network/solver.h"

#include <math.h>
#include <string.h>

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

const StiExplanation *sti_solver_explanation(const StiSolver *solver)
{
    return solver->explanation;
}

bool sti_reaction_of_joint(const StiNetwork *network, const Reaction *reaction)
{
    const StiWire *wire = &reaction->wire.wire;
    return wire->kind->coordinates && reaction->size.dim == 1 && wire->a.admittance >= 0 &&
           network->admittances[wire->a.admittance].robot != NULL && wire->b.admittance < 0;
}

StiSolverConstants sti_solver_constants(void)
{
    return (StiSolverConstants){.k_v = -1.0, .lambda_v = -1.0, .k_M = -1.0, .lambda_M = -1.0};
}

static bool wants_coupled(const StiNetwork *network)
{
    if (network->contact_count > 0) return true;
    const char *element;
    if (sti_solver_coupled.refuse(network, &element) != NULL) return false;
    for (int i = 0; i < network->reaction_count; ++i)
        if (sti_reaction_of_joint(network, &network->reactions[i])) return true;
    return false;
}

bool sti_network_choose_solver(StiNetwork *network, const StiSolver *wanted, StiReport *report)
{
    const StiSolver *suits = wants_coupled(network) ? &sti_solver_coupled : &sti_solver_sweeps;
    const StiSolver *solver = network->solver = wanted != NULL ? wanted : suits;
    const char *element = "";
    const char *refusal = solver->refuse != NULL ? solver->refuse(network, &element) : NULL;
    if (refusal != NULL)
        sti_report_add(report, STI_ERROR, element, "solver", NAN, "%s: %s", solver->name, refusal);
    if (network->contact_count > 0 && !solver->contacts)
        sti_report_add(report, STI_ERROR, network->contacts[0].name, "solver", NAN,
                       "%s does not resolve contacts; coupled does", solver->name);
    return refusal == NULL && (network->contact_count == 0 || solver->contacts);
}
