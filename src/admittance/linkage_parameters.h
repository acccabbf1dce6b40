// Private: the numbers of a linkage as parameters of a plan: "crank.mass", "crank_pin.radius".
#ifndef STICTION_SRC_ADMITTANCE_LINKAGE_PARAMETERS_H
#define STICTION_SRC_ADMITTANCE_LINKAGE_PARAMETERS_H

#include "stiction/linkage.h"

// Plans and networks have linkages of their own, assembled from the numbers of the one they copy.
extern const StiInside sti_linkage_inside;

// Whether the numbers still make a linkage: what cannot be assembled is named, and by how much.
void sti_linkage_check_parameters(const StiLinkageBody *body, const StiCheck *check);

#endif
