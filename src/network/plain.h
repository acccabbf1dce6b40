// Private: wires on coordinates of one body that forces move, against the world, are lists of numbers.
#ifndef STICTION_SRC_NETWORK_PLAIN_H
#define STICTION_SRC_NETWORK_PLAIN_H

#include "network/network.h"

// Is this wire one? Then it knows its own places.
void sti_wire_look_for_plain(const StiNetwork *network, Wire *wire);
// Lists the numbers of all such wires.
void sti_network_list_plain(StiNetwork *network);

#endif
