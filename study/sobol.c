#include "sobol.h"

#include "stiction/study.h"

#include "random.h"

enum { LONGEST = 9 };

// Primitive polynomials, bit by bit, and the first direction numbers: those of S. Joe and F. Y. Kuo, "Constructing
// Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008). Dimension 0 needs none.
static const struct {
    uint16_t polynomial, first[LONGEST];
} directions[STUDY_SOBOL_DIMENSIONS] = {
    {1, {1}},
    {3, {1}},
    {7, {1, 3}},
    {11, {1, 3, 1}},
    {13, {1, 1, 1}},
    {19, {1, 1, 3, 3}},
    {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}},
    {41, {1, 1, 5, 5, 5}},
    {47, {1, 1, 7, 11, 19}},
    {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}},
    {61, {1, 3, 5, 5, 31}},
    {67, {1, 3, 3, 9, 7, 49}},
    {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}},
    {103, {1, 1, 1, 15, 7, 5}},
    {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}},
    {131, {1, 3, 7, 11, 23, 15, 103}},
    {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}},
    {145, {1, 3, 5, 9, 1, 25, 53}},
    {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}},
    {171, {1, 1, 5, 11, 19, 41, 61}},
    {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}},
    {193, {1, 3, 7, 5, 13, 19, 59}},
    {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}},
    {213, {1, 3, 7, 3, 13, 59, 17}},
    {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}},
    {241, {1, 1, 7, 7, 1, 61, 123}},
    {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}},
    {285, {1, 3, 1, 15, 31, 13, 49, 245}},
    {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}},
    {333, {1, 3, 1, 11, 27, 43, 71, 9}},
    {351, {1, 1, 7, 15, 21, 11, 81, 45}},
    {355, {1, 3, 7, 3, 25, 31, 65, 79}},
    {357, {1, 3, 1, 1, 19, 11, 3, 205}},
    {361, {1, 1, 5, 9, 19, 21, 29, 157}},
    {369, {1, 3, 7, 11, 1, 33, 89, 185}},
    {391, {1, 3, 3, 3, 15, 9, 79, 71}},
    {397, {1, 3, 7, 11, 15, 39, 119, 27}},
    {425, {1, 1, 3, 1, 11, 31, 97, 225}},
    {451, {1, 1, 1, 3, 23, 43, 57, 177}},
    {463, {1, 3, 7, 7, 17, 17, 37, 71}},
    {487, {1, 3, 1, 5, 27, 63, 123, 213}},
    {501, {1, 1, 3, 5, 11, 43, 53, 133}},
    {529, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {539, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {545, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {557, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {563, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {601, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {607, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {617, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {623, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {631, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {637, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
};

static int degree_of(unsigned polynomial)
{
    int degree = 0;
    while (polynomial >> (degree + 1) != 0) ++degree;
    return degree;
}

// m[i] = first[i], then by the recurrence m[i] = 2 c1 m[i-1] ^ ... ^ 2^d m[i-d] ^ m[i-d].
static uint32_t direction(uint32_t *m, int i, unsigned polynomial, int degree)
{
    uint32_t value = m[i - degree] ^ (m[i - degree] << degree);
    for (int k = 1; k < degree; ++k)
        if (polynomial >> (degree - k) & 1u) value ^= m[i - k] << k;
    return value;
}

uint32_t study_sobol_bits(uint32_t run, int dimension)
{
    const unsigned polynomial = directions[dimension].polynomial;
    const int degree = degree_of(polynomial);
    uint32_t m[STUDY_SOBOL_BITS], bits = 0;
    for (int i = 0; i < STUDY_SOBOL_BITS && run >> i != 0; ++i) {
        if (dimension == 0)
            m[i] = 1;
        else
            m[i] = i < degree ? directions[dimension].first[i] : direction(m, i, polynomial, degree);
        if (run >> i & 1u) bits ^= m[i] << (STUDY_SOBOL_BITS - 1 - i);
    }
    return bits;
}

// Whether a bit is flipped depends on the bits above it only: that keeps the balance of all intervals.
static uint32_t scramble(uint64_t seed, uint32_t bits)
{
    uint32_t result = 0;
    for (int i = STUDY_SOBOL_BITS - 1; i >= 0; --i) {
        const uint64_t above = i + 1 < STUDY_SOBOL_BITS ? (uint64_t)bits >> (i + 1) : 0;
        const uint32_t flip = (uint32_t)(study_mix(seed + (uint64_t)i, above) >> 63);
        result |= ((bits >> i & 1u) ^ flip) << i;
    }
    return result;
}

double study_sobol(uint64_t seed, uint32_t run, int dimension)
{
    const uint64_t own = study_mix(seed, (uint64_t)dimension);
    return ((double)scramble(own, study_sobol_bits(run, dimension)) + 0.5) * 0x1p-32;
}

double sti_sobol_point(uint64_t seed, uint32_t point, int dimension)
{
    return study_sobol(seed, point, dimension);
}
