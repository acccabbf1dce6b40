// Private: everything that can be wrong with a plan is found here, before anything is built.
#ifndef STICTION_SRC_NETWORK_VALIDATE_H
#define STICTION_SRC_NETWORK_VALIDATE_H

#include "network/plan.h"

// Adds findings; true if there is no error.
bool sti_plan_validate(const StiPlan *plan, StiReport *report, StiArena *arena);

// How many coordinates wires may address on an admittance: its velocities, or those it prescribes.
int sti_admittance_dim(const StiAdmittanceKind *kind, const StiAdmittanceSize *size);

#endif
