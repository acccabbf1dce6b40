// Private: everything that can be wrong with a plan is found here, before anything is built.
#ifndef STICTION_SRC_NETWORK_VALIDATE_H
#define STICTION_SRC_NETWORK_VALIDATE_H

#include "network/plan.h"

// Adds findings; true if there is no error.
bool sti_plan_validate(const StiPlan *plan, StiReport *report, StiArena *arena);

// What is checked, where findings go, and memory for the time of checking.
typedef struct StiPlanCheck {
    const StiPlan *plan;
    StiReport *report;
    StiArena *arena;
} StiPlanCheck;

// Of a plan whose components are sound: validate_wires.c; and then whose wires are, too: validate_signals.c.
void sti_plan_check_wires(const StiPlanCheck *v);
void sti_plan_check_signals(const StiPlanCheck *v);

// How many coordinates wires may address on an admittance: its velocities, or those it prescribes.
int sti_admittance_dim(const StiAdmittanceKind *kind, const StiAdmittanceSize *size);

#endif
