#include <math.h>
#include <stdbool.h>

#include "base/math_exp.h"
#include "stiction/elementary.h"

static const double LN2_HI = 0x1.62e42fefa38p-1, LN2_LO = 0x1.ef35793c7673p-45; // hi: 42 bits

// A number as 2^k c (1 + a + b): a has 26 bits, so that its square is exact, and
// where c is 1 it is 0 or larger than b.
typedef struct Cut {
    double k;
    const StiMathLog *c;
    double a, b;
} Cut;

// Positive and normal.
static inline Cut cut(uint64_t bits)
{
    const uint64_t first = 0x3fe6000000000000u + ((uint64_t)1 << 44); // 0.6875 + 1/512
    const uint64_t over = bits - first;
    const StiMathLog *c = &sti_math_log[(over >> 45) & 127];
    const int64_t k = (int64_t)over >> 52;
    const double z = sti_from_bits(bits - (over & 0xfff0000000000000u)),
                 hi = (double)(float)z; // 24 bits
    return (Cut){(double)k, c, hi * c->inverse - 1.0, (z - hi) * c->inverse};
}

// ln(1 + r) - r + r^2/2 over r^3, |r| < 0.006
static inline double tail(double r, double r2)
{
    return (1.0 / 3.0 - r * 0.25) + r2 * ((0.2 - r * (1.0 / 6.0)) + r2 * (1.0 / 7.0));
}

// ln x for what is not positive, finite and normal; subnormals are left.
static bool has_plain_log(double x, double *value)
{
    if (x > 0.0 && x < INFINITY) return false;
    *value = x == 0.0 ? -INFINITY : x < 0.0 ? NAN : x;
    return true;
}

static inline bool is_normal(uint64_t bits) // and positive
{
    return bits - 0x0010000000000000u < 0x7ff0000000000000u - 0x0010000000000000u;
}

// Positive and finite.
static inline Cut cut_any(uint64_t bits)
{
    if (is_normal(bits)) return cut(bits);
    Cut small = cut(sti_bits(sti_from_bits(bits) * 0x1p52));
    small.k -= 52.0;
    return small;
}

static inline StiMathPair log_of(Cut x)
{
    const StiMathPair r_pair = sti_quick_sum(x.a, x.b);
    const double r = r_pair.hi, r2 = r * r;
    const StiMathPair hi = sti_quick_sum(x.k * LN2_HI + x.c->hi, r);
    const double lo = (x.k * LN2_LO + x.c->lo) + (hi.lo + r_pair.lo);
    return (StiMathPair){hi.hi, lo + r2 * (r * tail(r, r2) - 0.5)};
}

double sti_log(double x)
{
    double value;
    const uint64_t bits = sti_bits(x);
    if (is_normal(bits)) {
        const StiMathPair log = log_of(cut(bits));
        return log.hi + log.lo;
    }
    if (has_plain_log(x, &value)) return value;
    const StiMathPair log = log_of(cut_any(bits));
    return log.hi + log.lo;
}

double sti_log1p(double x)
{
    if (fabs(x) < 0x1p-8) return x == 0.0 ? x : x + x * x * (x * tail(x, x * x) - 0.5);
    if (!(x > -1.0)) return x == -1.0 ? -INFINITY : NAN;
    if (x == INFINITY) return x;
    const StiMathPair sum = sti_sum(1.0, x);
    Cut parts = cut(sti_bits(sum.hi));
    if (parts.k < 64.0) parts.b += sum.lo * parts.c->inverse * sti_power_of_two((int64_t)-parts.k);
    const StiMathPair log = log_of(parts);
    return log.hi + log.lo;
}

// To about 2^-66 of its size; lo is below 2^-20 of hi.
static inline StiMathPair log_pair(Cut x)
{
    const double r = x.a + x.b, r2 = r * r;
    const StiMathPair first = sti_quick_sum(x.k * LN2_HI + x.c->hi, x.a),
                      second = sti_quick_sum(first.hi, -0.5 * x.a * x.a),
                      third = sti_quick_sum(second.hi, x.b);
    const double cubic = r * r2 * (tail(r, r2) + r2 * r2 * (r * -0.125 + r2 * (1.0 / 9.0)));
    const double small = (x.k * LN2_LO + x.c->lo) + (first.lo + second.lo + third.lo) +
                         (cubic - x.b * (x.a + 0.5 * x.b));
    return (StiMathPair){third.hi, small};
}

double sti_log10(double x)
{
    const double factor = 0x1.bcb7b1526e50ep-2, factor_hi = 0x1.bcb7b1p-2, // 25 bits
        factor_lo = 0x1.49b9438ca9aaep-28;
    double value;
    const uint64_t bits = sti_bits(x);
    if (!is_normal(bits) && has_plain_log(x, &value)) return value;
    const StiMathPair natural = log_of(cut_any(bits));
    const double half = sti_first_half(natural.hi);
    return half * factor_hi + (half * factor_lo + ((natural.hi - half) + natural.lo) * factor);
}

// ---- powers -----------------------------------------------------------------------------------

static bool is_whole(double y) { return y == floor(y); }

static bool is_odd(double y) { return fabs(y) < 0x1p53 && is_whole(y) && !is_whole(0.5 * y); }

// Zero, infinity or NaN as base or exponent.
static double power_of_edges(double x, double y)
{
    if (y == 0.0 || x == 1.0) return 1.0;
    if (isnan(x) || isnan(y)) return NAN;
    if (isinf(y)) {
        if (x == -1.0) return 1.0;
        return (fabs(x) > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    const double size = (fabs(x) > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    return is_odd(y) ? copysign(size, x) : size;
}

// exp(y ln x) for x = the cut number, 2^-70 <= |y| <= 2^70
static inline double power_of_cut(Cut x, double y)
{
    const StiMathPair log = log_pair(x), exponent = sti_halves(y);
    const double half = sti_first_half(log.hi), main = half * exponent.hi;
    const double more = half * exponent.lo + ((log.hi - half) + log.lo) * y;
    int64_t k;
    if (fabs(main) < 708.0) {
        const StiMathPair value = sti_exp_parts(main, more, &k);
        return (value.hi + value.lo) * sti_power_of_two(k);
    }
    if (!(main < 710.0)) return INFINITY;
    if (!(main > -746.0)) return 0.0;
    const StiMathPair value = sti_exp_parts(main, more, &k);
    return sti_scale_pair(value, k);
}

// Positive and finite x, finite y.
static double power_of_size(double x, double y)
{
    if (fabs(y) < 0x1p-70) return 1.0;
    // Beyond 2^70 all powers are infinite or 0, but those of 1.
    return power_of_cut(cut_any(sti_bits(x)), fabs(y) > 0x1p70 ? copysign(0x1p70, y) : y);
}

double sti_pow(double x, double y)
{
    const uint64_t size = sti_bits(y) & 0x7fffffffffffffffu, least = (uint64_t)(1023 - 70) << 52,
                   span = (uint64_t)140 << 52;
    if (is_normal(sti_bits(x)) && size - least < span) return power_of_cut(cut(sti_bits(x)), y);
    if (x > 0.0 && x < INFINITY && isfinite(y)) return power_of_size(x, y);
    if (x == 0.0 || !isfinite(x) || !isfinite(y)) return power_of_edges(x, y);
    if (!is_whole(y)) return NAN;
    const double positive = power_of_size(-x, y);
    return is_odd(y) ? -positive : positive;
}
