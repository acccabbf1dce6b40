// Private: sums and products of doubles without loss, as a pair hi + lo (Dekker, Knuth), and bits of
// doubles. All of it rests on rounding to nearest and on -ffp-contract=off.
#ifndef STICTION_SRC_BASE_MATH_PAIR_H
#define STICTION_SRC_BASE_MATH_PAIR_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/math_tables.h"

static inline uint64_t sti_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double sti_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^k for -1022 <= k <= 1023
static inline double sti_power_of_two(int64_t k)
{
    return sti_from_bits((uint64_t)(k + 1023) << 52);
}

// a + b
static inline StiMathPair sti_sum(double a, double b)
{
    const double hi = a + b, part = hi - a;
    return (StiMathPair){hi, (a - (hi - part)) + (b - part)};
}

// a + b for |a| >= |b|
static inline StiMathPair sti_quick_sum(double a, double b)
{
    const double hi = a + b;
    return (StiMathPair){hi, b - (hi - a)};
}

// The first 26 bits of x.
static inline double sti_first_half(double x)
{
    return sti_from_bits(sti_bits(x) & 0xfffffffff8000000u);
}

static inline StiMathPair sti_halves(double x)
{
    const double hi = sti_first_half(x);
    return (StiMathPair){hi, x - hi};
}

// a - half b without loss, for a half of 26 bits that is near a/b
static inline double sti_remainder(double a, double half, double b)
{
    const StiMathPair parts = sti_halves(b);
    return (a - half * parts.hi) - half * parts.lo;
}

// a b
static inline StiMathPair sti_product(double a, double b)
{
    const StiMathPair x = sti_halves(a), y = sti_halves(b);
    const double hi = a * b;
    return (StiMathPair){hi, ((x.hi * y.hi - hi) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

// x^2
static inline StiMathPair sti_square(double x)
{
    const StiMathPair half = sti_halves(x);
    const double hi = x * x;
    return (StiMathPair){hi,
                         ((half.hi * half.hi - hi) + 2.0 * half.hi * half.lo) + half.lo * half.lo};
}

// The nearest whole number, as the last bits of a double: |x| < 2^51.
static const double STI_ROUND_SHIFT = 0x1.8p52;

#endif
