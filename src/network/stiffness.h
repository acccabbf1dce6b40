// Private: warnings about elements that the step cannot carry, and laws that it makes ambiguous.
#ifndef STICTION_SRC_NETWORK_STIFFNESS_H
#define STICTION_SRC_NETWORK_STIFFNESS_H

#include "network/network.h"

// One element behind a wire: a spring K and a damper B against an inertia 1/W.
typedef struct StiffElement {
    double K, B, W;
    bool looks_ahead; // its force uses tau
    bool memory;      // its spring is memory (integrated with the stage's velocity), not position
    bool implicit;    // pairs take it implicitly
} StiffElement;

// Spectral radius of one step of length T; the second form belongs to networks with reactions.
double sti_stiff_radius(const StiMethod *method, const StiffElement *element, double T);
double sti_stiff_radius_reactions(const StiffElement *element, double T);

StiStatus sti_network_check_stiffness(const StiNetwork *network, StiReport *report);

#endif
