// Private: units as FMI defines them, by powers of base units.
#ifndef STICTION_FMI_UNITS_H
#define STICTION_FMI_UNITS_H

#include <stdbool.h>

enum { BASE_UNITS = 8 };
extern const char *const base_unit_names[BASE_UNITS]; // kg m s A K mol cd rad

typedef struct UnitDefinition {
    int powers[BASE_UNITS];
    double factor;
} UnitDefinition;

// "N m/rad", "1/(rad s)", "kg m^2". False: a word that is no unit known here.
bool unit_define(const char *unit, UnitDefinition *definition);

#endif
