// Private: friction on single coordinates, which a body can take into its own factors.
#ifndef STICTION_SRC_NETWORK_HOLDING_H
#define STICTION_SRC_NETWORK_HOLDING_H

#include "network/network.h"

// Marks bodies that hold and add, and the reactions and impedances on them.
void sti_network_mark_holding(StiNetwork *network);

#endif
