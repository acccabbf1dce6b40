// Private: bodies that couplings and loops join become one body each, an assembly.
#ifndef STICTION_SRC_NETWORK_ASSEMBLE_H
#define STICTION_SRC_NETWORK_ASSEMBLE_H

#include "network/plan.h"

// Where a body of a plan has gone in the assembled one.
typedef struct AssembledBody {
    int body; // of the assembled plan
    int position, velocity, link, load, signal; // its first there
} AssembledBody;

typedef struct Assembled {
    StiPlan plan; // lists in the arena; all else is the given plan's
    AssembledBody *bodies; // by the given plan's index
} Assembled;

// Of a valid plan with constraints; false after a finding, or without memory.
bool sti_plan_assemble(const StiPlan *plan, StiReport *report, StiArena *arena, Assembled *assembled);

// What can be wrong with constraints, before.
void sti_plan_check_constraints(const StiPlan *plan, StiReport *report);

#endif
