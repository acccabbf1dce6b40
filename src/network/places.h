// Private: places where shapes may touch, known when a plan compiles.
#ifndef STICTION_SRC_NETWORK_PLACES_H
#define STICTION_SRC_NETWORK_PLACES_H

#include "network/network.h"

// Numbers of features that come and go: what, which of a, which of b, sense.
enum { STI_CORNER_OF_A = 1, STI_CORNER_OF_B, STI_EDGES_CROSS };
static inline uint32_t sti_feature(int what, int a, int b, int negative)
{
    return (uint32_t)what << 28 | (uint32_t)a << 12 | (uint32_t)b << 1 | (uint32_t)negative;
}

// All pairs of shapes of a contact that may touch, in order, from {0, 0} on. False past the last.
bool sti_contact_next_pair(const Contact *contact, StiPair *pair);

// Why a contact cannot be followed in continuous time; NULL if it can. cut: places may come and go.
const char *sti_contact_not_followed(const StiNetwork *network, const Contact *contact, bool cut);

// Fills network->places; false if memory ran out.
bool sti_network_find_places(StiNetwork *network, bool cut);

#endif
