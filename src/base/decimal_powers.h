// Private: powers of ten for decimal.c.
#ifndef STICTION_SRC_BASE_DECIMAL_POWERS_H
#define STICTION_SRC_BASE_DECIMAL_POWERS_H

#include <stdint.h>

enum { DECIMAL_POWER_MOST = 55 };

typedef struct DecimalPower {
    uint64_t high, low;
} DecimalPower;

extern const DecimalPower sti_decimal_powers[2 * DECIMAL_POWER_MOST + 1]; // from 10^-55 on

#endif
