// Private: which reactions feel each other.
#ifndef STICTION_SRC_NETWORK_COUPLINGS_H
#define STICTION_SRC_NETWORK_COUPLINGS_H

#include "network/network.h"

// Fills the neighbours of every reaction, and the sizes of W and of the envelope of its factor.
void sti_network_couple(StiNetwork *network);

#endif
