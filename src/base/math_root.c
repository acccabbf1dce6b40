#include <math.h>

#include "base/math_pair.h"
#include "stiction/elementary.h"

// The cube root of m in [1, 8): a polynomial good to 0.4 %, Halley's step to 2^-24, of which 26
// bits are kept, so that the square is exact, and a last step of the same kind.
static double root_of_mantissa(double m)
{
    double t =
        0x1.4ecb7ee28e2bbp-1 +
        m * (0x1.a612e6bf7887cp-2 +
             m * (-0x1.166aa5a8ad33cp-4 + m * (0x1.ca0ace5bab84ep-8 - m * 0x1.2e387317adddep-12)));
    const double cube = t * t * t;
    t = t * ((cube + 2.0 * m) / (2.0 * cube + m));
    t = sti_first_half(t);
    const double other = m / (t * t);
    return t + t * ((other - t) / (2.0 * t + other));
}

double sti_cbrt(double x)
{
    const double size = fabs(x);
    if (!(size > 0.0) || !(size < INFINITY)) return x;
    const double normal = size < 0x1p-1022 ? size * 0x1p54 : size;
    const uint64_t bits = sti_bits(normal);
    const int64_t exponent =
        (int64_t)(bits >> 52) - 1023 + 1077 - (normal == size ? 0 : 54); // >= 0
    const double m =
        sti_from_bits((bits & 0x000fffffffffffffu) | (uint64_t)(1023 + exponent % 3) << 52);
    return copysign(root_of_mantissa(m) * sti_power_of_two(exponent / 3 - 359), x);
}

// The root of a sum of two squares, without loss, and one step of Newton.
static inline double root_of_squares(double x, double y) // x >= y
{
    const StiMathPair xx = sti_square(x), yy = sti_square(y), sum = sti_quick_sum(xx.hi, yy.hi);
    const double root = sqrt(sum.hi), half = sti_first_half(root);
    return half + ((sum.hi - half * half) + (sum.lo + (xx.lo + yy.lo))) / (root + half);
}

double sti_hypot(double x, double y)
{
    const double a = fabs(x), b = fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    if (large < 0x1p500 && small > 0x1p-400) return root_of_squares(large, small);
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return NAN;
    if (small <= large * 0x1p-54) return large + small;
    if (large > 1.0) return root_of_squares(large * 0x1p-600, small * 0x1p-600) * 0x1p600;
    return root_of_squares(large * 0x1p700, small * 0x1p700) * 0x1p-700;
}
