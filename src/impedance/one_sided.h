// Private: a spring K and a damper B that push and never pull, with the modes fixed. Shared by soft contacts and
// joint limits. Two modes, each a number: is it beyond its end, and does it push there? With a damper it lets go
// before it is back.
#ifndef STICTION_SRC_IMPEDANCE_ONE_SIDED_H
#define STICTION_SRC_IMPEDANCE_ONE_SIDED_H

#include "stiction/stage.h"

enum { STI_LET_GO = 0, STI_PUSHES = 1 };

// d: how far it is pressed in, below 0: the gap; v and vdot: its rates.
typedef struct OneSided {
    double K, B;
    double d, v, vdot;
} OneSided;

double sti_one_sided_force(const OneSided *p); // while it pushes, not clipped
StiMargin sti_one_sided_margin_beyond(const OneSided *p, double scale);
StiMargin sti_one_sided_margin_of_force(const OneSided *p, bool pushes);
// Where it comes to its end, from inside: does it push?
bool sti_one_sided_begins(const OneSided *p);
// A margin that does not end.
static const StiMargin sti_endless = {.g = 1.0, .scale = 1.0};

#endif
