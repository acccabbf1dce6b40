#include "random.h"

static uint64_t finalise(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t study_mix(uint64_t seed, uint64_t value)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);
    return finalise(finalise(seed + golden) ^ (value + golden));
}

double study_uniform(uint64_t seed, uint64_t run, uint64_t dimension)
{
    const uint64_t bits = study_mix(study_mix(seed, dimension), run) >> 11;
    return ((double)bits + 0.5) * 0x1p-53;
}

// Eight rounds of a Feistel network permute the numbers below a power of 4; with four, small ones are not even.
static uint64_t scramble(uint64_t seed, int half_bits, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << half_bits) - 1;
    uint64_t left = x >> half_bits, right = x & mask;
    for (uint64_t round = 0; round < 8; ++round) {
        const uint64_t next = left ^ (study_mix(study_mix(seed, round), right) & mask);
        left = right;
        right = next;
    }
    return left << half_bits | right;
}

// What lands beyond count is scrambled again until it does not: on average below 4 times.
uint64_t study_permute(uint64_t seed, uint64_t count, uint64_t place)
{
    int half_bits = 1;
    while (half_bits < 31 && UINT64_C(1) << (2 * half_bits) < count) ++half_bits;
    do place = scramble(seed, half_bits, place);
    while (place >= count);
    return place;
}
