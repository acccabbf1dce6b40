// Private: power that flows through the wires at one evaluation.
#ifndef STICTION_SRC_NETWORK_POWER_H
#define STICTION_SRC_NETWORK_POWER_H

#include "network/wires.h"

// Of forces on one admittance: along its coordinates, and at its links. v: its velocities.
double sti_power_on(const Admittance *a, const double *generalized, const StiWrench *wrenches,
                    const double *v, const StiFrame *frames);
// The velocities that wires see of an admittance: its own, or those a motion source prescribes.
const double *sti_velocities_of(const Admittance *a, const StageData *stage);
// By drivers inside an admittance.
double sti_power_supplied(const Admittance *a, const StageData *stage);
// Taken up by one impedance; 0 without a wire, or if it only senses.
double sti_power_of_impedance(const Impedance *e, const StageData *stage);
double sti_power_of_reaction(const Reaction *e, const StageData *stage);

#endif
