// Private: numbers that look random and are functions of what they are for. Nobody has a generator with a
// state, so the parameters of a run do not depend on who computes it, when, or after which other run.
#ifndef STICTION_STUDY_RANDOM_H
#define STICTION_STUDY_RANDOM_H

#include <stdint.h>

// Mixes all bits of both (two rounds of the finaliser of SplitMix64).
uint64_t study_mix(uint64_t seed, uint64_t value);
// From 0 to 1, both excluded; 53 bits.
double study_uniform(uint64_t seed, uint64_t run, uint64_t dimension);
// A permutation of 0 ... count - 1, chosen by the seed: where place goes.
uint64_t study_permute(uint64_t seed, uint64_t count, uint64_t place);

#endif
