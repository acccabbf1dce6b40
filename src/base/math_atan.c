// Arcus functions.
#include <math.h>
#include <stdbool.h>

#include "base/math_pair.h"
#include "stiction/elementary.h"

static const StiMathPair HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                         PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// atan r - r for |r| < 0.04
static inline double atan_tail(double r)
{
    const double r2 = r * r, r4 = r2 * r2;
    const double low = -1.0 / 3.0 + r2 * 0.2, high = -1.0 / 7.0 + r2 * (1.0 / 9.0),
                 top = -1.0 / 11.0 + r2 * (1.0 / 13.0);
    return r * r2 * (low + r4 * (high + r4 * top));
}

// atan(y/x) for 0 <= y <= x, both between 2^-500 and 2^500 (y may be 0):
// atan c + atan((y - c x)/(x + c y)) with the nearest c = k/64.
static inline StiMathPair atan_of(double y, double x)
{
    const double quotient = y / x;
    const double shifted = quotient * 64.0 + STI_ROUND_SHIFT,
                 c = (shifted - STI_ROUND_SHIFT) / 64.0;
    const unsigned k = (unsigned)sti_bits(shifted) % 128;
    if (k < 3) {
        const double half = sti_first_half(quotient);
        return (StiMathPair){half, sti_remainder(y, half, x) / x + atan_tail(quotient)};
    }
    const StiMathPair half = sti_halves(x);
    const double r = ((y - c * half.hi) - c * half.lo) / (x + c * y);
    const StiMathPair *base = &sti_math_atan[k];
    return (StiMathPair){base->hi, base->lo + (r + atan_tail(r))};
}

// The same for x = 1, where one division is enough.
static inline StiMathPair atan_below_1(double y)
{
    const double shifted = y * 64.0 + STI_ROUND_SHIFT, c = (shifted - STI_ROUND_SHIFT) * 0x1p-6;
    const unsigned k = (unsigned)sti_bits(shifted) % 128;
    if (k < 3) return (StiMathPair){y, atan_tail(y)};
    const double r = (y - c) / (1.0 + c * y);
    const StiMathPair *base = &sti_math_atan[k];
    return (StiMathPair){base->hi, base->lo + (r + atan_tail(r))};
}

static inline StiMathPair less(StiMathPair a, StiMathPair b) // |a| >= |b|
{
    const StiMathPair hi = sti_quick_sum(a.hi, -b.hi);
    return (StiMathPair){hi.hi, hi.lo + (a.lo - b.lo)};
}

// atan of size > 1 as pi/2 - atan(1/size). 1/size with its remainder, like a quotient.
static double atan_above_1(double size)
{
    if (size >= 0x1p60) return HALF_PI.hi;
    const double inverse = 1.0 / size;
    const double shifted = inverse * 64.0 + STI_ROUND_SHIFT,
                 c = (shifted - STI_ROUND_SHIFT) * 0x1p-6;
    const unsigned k = (unsigned)sti_bits(shifted) % 128;
    const StiMathPair *base = &sti_math_atan[k], half = sti_halves(size);
    const double r = ((1.0 - c * half.hi) - c * half.lo) / (size + c);
    const StiMathPair main = sti_quick_sum(HALF_PI.hi, -base->hi);
    return main.hi + (main.lo + ((HALF_PI.lo - base->lo) - (r + atan_tail(r))));
}

double sti_atan(double x)
{
    const double size = fabs(x);
    if (!(size <= 1.0)) return isnan(x) ? x : copysign(atan_above_1(size), x);
    if (size < 0x1p-27) return x;
    const StiMathPair value = atan_below_1(size);
    return copysign(value.hi + value.lo, x);
}

// ---- the angle of a vector --------------------------------------------------------------------

// Zeros and infinities: multiples of pi/4.
static double angle_of_edges(double y, double x)
{
    if (isnan(x) || isnan(y)) return NAN;
    const bool left = signbit(x);
    if (isinf(y)) {
        const double angle = isinf(x) ? (left ? 1.5 * HALF_PI.hi : 0.5 * HALF_PI.hi) : HALF_PI.hi;
        return copysign(angle, y);
    }
    if (x == 0.0 && y != 0.0) return copysign(HALF_PI.hi, y);
    return copysign(left ? PI.hi : 0.0, y); // y is 0, or x infinite
}

// y/x of so different sizes that the angle is one quotient, or a multiple of pi/2.
static double angle_of_extremes(double y, double x)
{
    if (fabs(y) > fabs(x)) return copysign(HALF_PI.hi, y);
    return x > 0.0 ? y / x : copysign(PI.hi, y);
}

double sti_atan2(double y, double x)
{
    const double up = fabs(y), along = fabs(x);
    const double large = up > along ? up : along, small = up > along ? along : up;
    if (!(large < INFINITY) || small == 0.0 || isnan(y) || isnan(x)) return angle_of_edges(y, x);
    const int64_t of_large = (int64_t)(sti_bits(large) >> 52),
                  of_small = (int64_t)(sti_bits(small) >> 52);
    if (of_large - of_small > 64) return angle_of_extremes(y, x);
    // Away from numbers whose products would be too large or too small.
    const double scale = of_large > 1400 ? 0x1p-512 : of_large < 600 ? 0x1p+600 : 1.0;
    StiMathPair angle = atan_of(small * scale, large * scale);
    if (up > along) angle = less(HALF_PI, angle);
    if (x < 0.0) angle = less(PI, angle);
    return copysign(angle.hi + angle.lo, y);
}

// ---- asin, acos -------------------------------------------------------------------------------

// (asin x - x)/x for z = x^2 <= 1/4
static inline double asin_tail(double z)
{
    const double p0 = 0x1.5555555555556p-3, p1 = 0x1.3333333332ecap-4, p2 = 0x1.6db6db6e31f13p-5,
                 p3 = 0x1.f1c71c1db0623p-6, p4 = 0x1.6e8bb1c8209a2p-6, p5 = 0x1.1c4d35cf95421p-6,
                 p6 = 0x1.c9cf07674736ap-7, p7 = 0x1.782651caa6547p-7, p8 = 0x1.52420b04b37bep-7,
                 p9 = 0x1.65a9c4dfcf8b2p-8, p10 = 0x1.1d189408314eep-6, p11 = -0x1.e6aaa8a0a04ccp-7,
                 p12 = 0x1.d72b2bc8155f8p-6;
    const double z2 = z * z, z4 = z2 * z2;
    const double first = (p0 + z * p1) + z2 * (p2 + z * p3),
                 second = (p4 + z * p5) + z2 * (p6 + z * p7),
                 third = (p8 + z * p9) + z2 * (p10 + z * p11);
    return z * (first + z4 * (second + z4 * (third + z4 * p12)));
}

// acos size = 2 asin(root of (1 - size)/2) for 1/2 < size < 1. The first part is a multiple of 2^-51, as is
// PI.hi (HALF_PI.hi of 2^-52): their difference is exact.
static inline StiMathPair acos_beyond_half(double size)
{
    const double square = 2.0 * (1.0 - size), root = sqrt(square), half = sti_first_half(root);
    const double rest = (square - half * half) / (root + half); // root - half without its rounding
    return (StiMathPair){half, rest + root * asin_tail(0.5 * (1.0 - size))};
}

// a - b for b of acos_beyond_half, rounded once
static inline double without(StiMathPair a, StiMathPair b) { return (a.hi - b.hi) + (a.lo - b.lo); }

double sti_asin(double x)
{
    const double size = fabs(x);
    if (size <= 0.5) return size < 0x1p-27 ? x : x + x * asin_tail(x * x);
    if (!(size < 1.0)) return size == 1.0 ? copysign(HALF_PI.hi, x) : NAN;
    return copysign(without(HALF_PI, acos_beyond_half(size)), x);
}

double sti_acos(double x)
{
    const double size = fabs(x);
    if (size <= 0.5) {
        const StiMathPair value = less(HALF_PI, (StiMathPair){x, x * asin_tail(x * x)});
        return value.hi + value.lo;
    }
    if (!(size < 1.0)) return size != 1.0 ? NAN : x > 0.0 ? 0.0 : PI.hi;
    const StiMathPair value = acos_beyond_half(size);
    return x < 0.0 ? without(PI, value) : value.hi + value.lo;
}
