// Private: warnings about shapes that overlap where a plan puts them.
#ifndef STICTION_SRC_NETWORK_OVERLAPS_H
#define STICTION_SRC_NETWORK_OVERLAPS_H

#include "network/network.h"

StiStatus sti_network_check_overlaps(const StiNetwork *network, StiReport *report);

#endif
