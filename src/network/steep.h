// Private: elements whose slopes (of laws, dampers, springs) are too steep for explicit substeps.
#ifndef STICTION_SRC_NETWORK_STEEP_H
#define STICTION_SRC_NETWORK_STEEP_H

#include "network/network.h"

// Under a method that cuts: where the slopes of all elements together come near to what explicit stages
// carry, the pair of numbers becomes the stiff one and the steep ones among them are marked; nothing
// changes else.
StiStatus sti_network_mark_steep(StiNetwork *network);

#endif
