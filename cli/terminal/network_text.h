// The compiled network in words.
#ifndef STICTION_CLI_NETWORK_TEXT_H
#define STICTION_CLI_NETWORK_TEXT_H

#include "report/channels.h"

void network_print(const StiNetwork *network, const Channels *channels);

#endif
