// Private: Sobol's sequence, which fills a cube more evenly than random points do.
#ifndef STICTION_STUDY_SOBOL_H
#define STICTION_STUDY_SOBOL_H

#include <stdint.h>

enum { STUDY_SOBOL_DIMENSIONS = 64, STUDY_SOBOL_BITS = 32 };

// A coordinate of a point, from 0 to 1, both excluded. run: below 2^32. Points are scrambled by the seed (Owen):
// each interval of the sequence stays balanced, and the mean of an integral has no bias.
double study_sobol(uint64_t seed, uint32_t run, int dimension);
// The same without scrambling, as 32 bits after the point.
uint32_t study_sobol_bits(uint32_t run, int dimension);

#endif
