// Solvers: how reactions and contacts are resolved within a step. A plan names one, or none: then
// `coupled` where there are contacts or joints of robots with reactions, else `sweeps`.
#ifndef STICTION_SOLVER_H
#define STICTION_SOLVER_H

#include <stdbool.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiSolver StiSolver;

STI_API extern const StiSolver sti_solver_sweeps; // block Gauss-Seidel over reactions of any kind
STI_API extern const StiSolver
    sti_solver_coupled; // exact cones for joints and contacts together, energy never added

// The papers' own: [semi-implicit] III, and II.C. Friction and contact forces are held over
// Runge-Kutta-Gill stages; what sticks is elastic, and does not creep.
STI_API extern const StiSolver sti_solver_semi_implicit, sti_solver_implicit;

// Constants of the papers' own solvers. Sticking rows are asked for the velocity -k d that takes
// their displacement d back, and forces cost lambda f^2. The other solvers need none.
typedef struct StiSolverConstants {
    double k_q;      // 1/s, joints of semi-implicit; usual 0
    double lambda_q; // (rad/(s N m))^2 on the motor's side of the gear; usual 0
    double k_v;      // 1/s, contacts of semi-implicit; below 0, usual: 0.05 per step
    double lambda_v; // (m/(s N))^2; below 0, usual: 1e-8 of the square of each diagonal number of A
    double k_M, lambda_M; // the same for all rows of implicit
    bool literal; // the papers' rule: forces beyond a limit are cut back, the others stay as they are
} StiSolverConstants;
STI_API StiSolverConstants sti_solver_constants(void); // the usual ones

// By its name; NULL: there is none.
STI_API const StiSolver *sti_solver_find(const char *name);
// By number from 0 on; NULL past the last.
STI_API const StiSolver *sti_solver_at(int number);
STI_API const char *sti_solver_name(const StiSolver *solver);
STI_API const char *sti_solver_summary(const StiSolver *solver);
STI_API const struct StiExplanation *sti_solver_explanation(const StiSolver *solver); // kind.h

#ifdef __cplusplus
}
#endif
#endif
