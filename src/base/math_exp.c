#include "base/math_exp.h"

#include <math.h>

#include "stiction/elementary.h"

double sti_scale_pair(StiMathPair value, int64_t k)
{
    if (k > 1024) return INFINITY;
    if (k > 1022) return (value.hi + value.lo) * 2.0 * sti_power_of_two(k - 1);
    if (k > -1022 || (k == -1022 && value.hi + value.lo >= 1.0))
        return (value.hi + value.lo) * sti_power_of_two(k);
    if (k < -1200) return 0.0;
    // Beside 1 the last place is that of subnormals beside 2^-1022: so the sum rounds there.
    const double scale = sti_power_of_two(k + 1022);
    const StiMathPair sum = sti_sum(1.0, value.hi * scale);
    return ((sum.hi + (sum.lo + value.lo * scale)) - 1.0) * 0x1p-1022;
}

double sti_exp(double x)
{
    if (!(fabs(x) < 708.0)) { // the result may leave the normal numbers
        if (isnan(x)) return x;
        if (x > 710.0) return INFINITY;
        if (x < -746.0) return 0.0;
        int64_t k;
        const StiMathPair value = sti_exp_parts(x, &k);
        return sti_scale_pair(value, k);
    }
    int64_t k;
    const StiMathPair value = sti_exp_parts(x, &k);
    return (value.hi + value.lo) * sti_power_of_two(k);
}

// x + x^2/2 + x^3 P(x) for |x| <= 0.25
static double expm1_series(double x)
{
    const double p0 = 0x1.5555555555555p-3, p1 = 0x1.55555555554b4p-5, p2 = 0x1.11111111110dfp-7,
                 p3 = 0x1.6c16c16d23f39p-10, p4 = 0x1.a01a01a0bfa62p-13, p5 = 0x1.a019f27bf31e8p-16,
                 p6 = 0x1.71de310450957p-19, p7 = 0x1.2835b8ece4a58p-22, p8 = 0x1.aec7b4155fbf9p-26;
    const double x2 = x * x, x4 = x2 * x2;
    const double low = (p0 + x * p1) + x2 * (p2 + x * p3),
                 high = (p4 + x * p5) + x2 * (p6 + x * p7) + x4 * p8;
    return x + (0.5 * x2 + x * x2 * (low + x4 * high));
}

double sti_expm1(double x)
{
    if (fabs(x) <= 0.25) return x == 0.0 ? x : expm1_series(x);
    if (!(x < 700.0)) return isnan(x) ? x : sti_exp(x);
    if (x < -40.0) return -1.0;
    int64_t k;
    const StiMathPair value = sti_exp_parts(x, &k);
    const double scale = sti_power_of_two(k);
    const StiMathPair less = sti_sum(value.hi * scale, -1.0);
    return less.hi + (less.lo + value.lo * scale);
}

// exp(|x|)/2 and its inverse's quarter, for 0 <= x < 708: the parts of the hyperbolic functions.
typedef struct Halves {
    StiMathPair grown;
    double shrunk;
} Halves;

static inline Halves exp_halves(double x)
{
    int64_t k;
    const StiMathPair value = sti_exp_parts(x, &k);
    const double scale = sti_power_of_two(k - 1), back = sti_power_of_two(-k - 1);
    const double inverse = 1.0 / (value.hi + value.lo);
    return (Halves){{value.hi * scale, value.lo * scale}, inverse * back};
}

static double exp_half(double x) // where exp(x) itself may overflow
{
    int64_t k;
    if (!(x < 712.0)) return x;
    const StiMathPair value = sti_exp_parts(x, &k);
    return sti_scale_pair(value, k - 1);
}

// x + x^3 P(x^2) for |x| <= 1
static double sinh_series(double x)
{
    const double p0 = 0x1.5555555555555p-3, p1 = 0x1.1111111111111p-7, p2 = 0x1.a01a01a01a001p-13,
                 p3 = 0x1.71de3a556f96cp-19, p4 = 0x1.ae6456792a77fp-26, p5 = 0x1.612467ccb2260p-33,
                 p6 = 0x1.ae777c36fd5b6p-41, p7 = 0x1.99f0806c2628dp-49;
    const double z = x * x, z2 = z * z;
    const double low = (p0 + z * p1) + z2 * (p2 + z * p3),
                 high = (p4 + z * p5) + z2 * (p6 + z * p7);
    return x + x * z * (low + z2 * z2 * high);
}

double sti_sinh(double x)
{
    const double size = fabs(x);
    if (size <= 1.0) return x == 0.0 ? x : sinh_series(x);
    if (!(size < 708.0))
        return isnan(x) ? x : copysign(size < 712.0 ? exp_half(size) : INFINITY, x);
    const Halves part = exp_halves(size);
    return copysign(part.grown.hi + (part.grown.lo - part.shrunk), x);
}

double sti_cosh(double x)
{
    const double size = fabs(x);
    if (!(size < 708.0)) return isnan(x) ? x : size < 712.0 ? exp_half(size) : INFINITY;
    const Halves part = exp_halves(size);
    if (size > 1.0) return part.grown.hi + (part.grown.lo + part.shrunk);
    const StiMathPair sum = sti_quick_sum(part.grown.hi, part.shrunk);
    return sum.hi + (sum.lo + part.grown.lo);
}

// x + x^3 P(x^2) for |x| <= 0.25
static double tanh_series(double x)
{
    const double p0 = -0x1.5555555555555p-2, p1 = 0x1.1111111111110p-3, p2 = -0x1.ba1ba1ba1b41ep-5,
                 p3 = 0x1.664f488245e56p-6, p4 = -0x1.226e350f0cce6p-7, p5 = 0x1.d6d39755b2859p-9,
                 p6 = -0x1.7d971c140d5d9p-10, p7 = 0x1.33cf3deecb286p-11,
                 p8 = -0x1.bff153c36cb39p-13;
    const double z = x * x, z2 = z * z, z4 = z2 * z2;
    const double low = (p0 + z * p1) + z2 * (p2 + z * p3),
                 high = (p4 + z * p5) + z2 * (p6 + z * p7) + z4 * p8;
    return x + x * z * (low + z4 * high);
}

// 1 - 2/(exp(2x) + 1), the quotient with its remainder
double sti_tanh(double x)
{
    const double size = fabs(x);
    if (size <= 0.25) return x == 0.0 ? x : tanh_series(x);
    if (!(size < 20.0)) return isnan(x) ? x : copysign(1.0, x);
    int64_t k;
    const StiMathPair value = sti_exp_parts(2.0 * size, &k);
    const double scale = sti_power_of_two(k);
    const StiMathPair grown = sti_quick_sum(value.hi * scale, value.lo * scale),
                      below = sti_quick_sum(grown.hi, 1.0);
    const double inverse = 1.0 / below.hi, share = sti_first_half(2.0 * inverse);
    const double more = sti_remainder(2.0, share, below.hi) - share * (below.lo + grown.lo);
    const StiMathPair rest = sti_quick_sum(1.0, -share);
    return copysign(rest.hi + (rest.lo - more * inverse), x);
}
