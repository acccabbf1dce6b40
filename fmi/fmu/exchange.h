// Private: between exchange.c and mode_ends.c.
#ifndef STICTION_FMI_EXCHANGE_H
#define STICTION_FMI_EXCHANGE_H

#include "fmu/model.h"

StiStatus model_margins_at(Model *model, double t, const double *values, double *rates,
                           StiMargin *margins);
// Modes whose margins are gone at this moment end, and all that follows from it.
StiStatus model_end_modes(Model *model);

#endif
