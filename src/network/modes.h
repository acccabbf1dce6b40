// Private: can a method that cuts the step where modes end run this network?
#ifndef STICTION_SRC_NETWORK_MODES_H
#define STICTION_SRC_NETWORK_MODES_H

#include "network/network.h"

// Reports what stands in the way; else chooses the pair of numbers for its pieces.
bool sti_network_check_modes(StiNetwork *network, StiReport *report);

// Elements that it runs without modes, and what that costs.
void sti_network_note_kinks(const StiNetwork *network, StiReport *report);

// Under a method that keeps no modes: what is read but not used.
void sti_network_note_modes(const StiNetwork *network, StiReport *report);

// Marks reactions that are dampers (Reaction.damper).
void sti_network_mark_dampers(StiNetwork *network);

#endif
