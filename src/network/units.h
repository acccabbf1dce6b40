// Private: units of what acts about an axis. Kinds give those along a line.
#ifndef STICTION_SRC_NETWORK_UNITS_H
#define STICTION_SRC_NETWORK_UNITS_H

#include "network/plan.h"

// "N s/m" becomes "N m s/rad"; what has no length or force in it stays.
const char *sti_unit_about_axis(const char *unit);

// Does all that a wire of the plan sees turn?
bool sti_plan_wire_turns(const StiPlan *plan, const StiWire *wire);

#endif
