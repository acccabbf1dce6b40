// Private: places where shapes may touch, known when a plan compiles.
#ifndef STICTION_SRC_NETWORK_PLACES_H
#define STICTION_SRC_NETWORK_PLACES_H

#include "network/network.h"

// Why a contact cannot be followed in continuous time; NULL if it can.
const char *sti_contact_not_followed(const StiNetwork *network, const Contact *contact);

// Fills network->places; false if memory ran out.
bool sti_network_find_places(StiNetwork *network);

#endif
