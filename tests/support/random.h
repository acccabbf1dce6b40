// Repeatable random numbers for tests (splitmix64).
#ifndef STICTION_TESTS_RANDOM_H
#define STICTION_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

typedef struct Random { uint64_t state; } Random;

static inline uint64_t random_bits(Random *random)
{
    uint64_t z = (random->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static inline double random_between(Random *random, double low, double high)
{
    return low + (high - low) * (double)(random_bits(random) >> 11) * 0x1p-53;
}
// Uniform in the logarithm; 0 < low < high.
static inline double random_decades(Random *random, double low, double high)
{
    return exp(random_between(random, log(low), log(high)));
}
static inline int random_below(Random *random, int count)
{
    return (int)(random_bits(random) % (uint64_t)count);
}

#endif
