// Private: modes of the elastic Coulomb element.
#ifndef STICTION_SRC_IMPEDANCE_ELASTIC_MODES_H
#define STICTION_SRC_IMPEDANCE_ELASTIC_MODES_H

#include "stiction/friction.h"

extern const StiImpedanceModes sti_elastic_modes;

#endif
