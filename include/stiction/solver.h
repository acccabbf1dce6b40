// Solvers: how reactions and contacts are resolved within a step. A plan names one, or none: then
// `coupled` where there are contacts or joints of robots with reactions, else `sweeps`.
#ifndef STICTION_SOLVER_H
#define STICTION_SOLVER_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiSolver StiSolver;

STI_API extern const StiSolver sti_solver_sweeps; // block Gauss-Seidel over reactions of any kind
STI_API extern const StiSolver
    sti_solver_coupled; // exact cones for joints and contacts together, energy never added

// By its name; NULL: there is none.
STI_API const StiSolver *sti_solver_find(const char *name);
// By number from 0 on; NULL past the last.
STI_API const StiSolver *sti_solver_at(int number);
STI_API const char *sti_solver_name(const StiSolver *solver);
STI_API const char *sti_solver_summary(const StiSolver *solver);

#ifdef __cplusplus
}
#endif
#endif
