#include <math.h>
#include <stdbool.h>

#include "base/math_exp.h"
#include "stiction/elementary.h"

static const double LN2_HI = 0x1.62e42fefa38p-1, LN2_LO = 0x1.ef35793c7673p-45; // hi: 42 bits

// A positive number as 2^k z; i is the place of z in the tables.
typedef struct Cut {
    double k, z;
    unsigned i;
} Cut;

// Positive and normal.
static inline Cut cut(uint64_t bits)
{
    const uint64_t first = 0x3fe6000000000000u + ((uint64_t)1 << 44); // 0.6875 + 1/512
    const uint64_t over = bits - first;
    return (Cut){.k = (double)((int64_t)over >> 52),
                 .z = sti_from_bits(bits - (over & 0xfff0000000000000u)),
                 .i = (unsigned)(over >> 45) & 127};
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

// ln x for what is not positive and finite.
static double log_of_edge(double x) { return x == 0.0 ? -INFINITY : x < 0.0 ? NAN : x; }

// ---- logarithms -------------------------------------------------------------------------------

static const double NEAR_1 = 0x1p-5;

static inline bool is_near_1(uint64_t bits)
{
    const uint64_t first = 0x3fef000000000000u, last = 0x3ff0800000000000u; // 1 - 1/32, 1 + 1/32
    return bits - first <= last - first;
}

// ln(1 + r) - r for |r| <= NEAR_1, to 2^-61 of r
static inline double log_tail_near_1(double r)
{
    const double p1 = 0x1.5555555555521p-2, p2 = -0x1.fffffffffffa0p-3, p3 = 0x1.9999999af751bp-3,
                 p4 = -0x1.5555555695eabp-3, p5 = 0x1.2492357975d4dp-3, p6 = -0x1.ffffdbf0c4765p-4,
                 p7 = 0x1.c7ee28ac92f04p-4, p8 = -0x1.9a59d76189686p-4;
    const double r2 = r * r, r4 = r2 * r2;
    const double low = (p1 + r * p2) + r2 * (p3 + r * p4),
                 high = (p5 + r * p6) + r2 * (p7 + r * p8);
    return r2 * (r * (low + r4 * high) - 0.5);
}

// ln(2^k (z - off)) for numbers not near 1, where r = (z - off)/c - 1 may be rounded: |r| < 0.004.
static inline StiMathPair log_of(Cut x, double off)
{
    const double p1 = 0x1.555555552311bp-2, p2 = -0x1.ffffffffa809ap-3, p3 = 0x1.999b191580b3fp-3,
                 p4 = -0x1.5556a4e1c75e1p-3;
    const StiMathLog *near = &sti_math_log[x.i];
    const double r = ((x.z - near->c) - off) * near->inverse, r2 = r * r;
    const double series = r * ((p1 + r * p2) + r2 * (p3 + r * p4)) - 0.5;
    const StiMathPair sum = sti_quick_sum(x.k * LN2_HI + near->hi, r);
    return (StiMathPair){sum.hi, (sum.lo + (x.k * LN2_LO + near->lo)) + r2 * series};
}

static double log_of_rare(double x)
{
    if (!(x > 0.0 && x < INFINITY)) return log_of_edge(x);
    const StiMathPair log = log_of(cut_any(sti_bits(x)), 0.0);
    return log.hi + log.lo;
}

double sti_log(double x)
{
    const uint64_t bits = sti_bits(x);
    if (is_near_1(bits)) return (x - 1.0) + log_tail_near_1(x - 1.0);
    if (!is_normal(bits)) return log_of_rare(x);
    const StiMathPair log = log_of(cut(bits), 0.0);
    return log.hi + log.lo;
}

double sti_log1p(double x)
{
    if (fabs(x) <= NEAR_1) return x == 0.0 ? x : x + log_tail_near_1(x);
    if (!(x > -1.0 && x < INFINITY)) return x == -1.0 ? -INFINITY : x < -1.0 ? NAN : x;
    const StiMathPair sum = sti_sum(1.0, x);
    const Cut parts = cut(sti_bits(sum.hi));
    const StiMathPair log = log_of(parts, -sum.lo * sti_power_of_two(-(int64_t)parts.k));
    return log.hi + log.lo;
}

double sti_log10(double x)
{
    const double factor = 0x1.bcb7b1526e50ep-2, factor_hi = 0x1.bcb7b1p-2, // 25 bits
        factor_lo = 0x1.49b9438ca9aaep-28;
    StiMathPair natural;
    if (is_near_1(sti_bits(x)))
        natural = (StiMathPair){x - 1.0, log_tail_near_1(x - 1.0)};
    else if (x > 0.0 && x < INFINITY)
        natural = log_of(cut_any(sti_bits(x)), 0.0);
    else
        return log_of_edge(x);
    const double half = sti_first_half(natural.hi);
    return half * factor_hi + (half * factor_lo + ((natural.hi - half) + natural.lo) * factor);
}

// ---- powers -----------------------------------------------------------------------------------

// ln of the number to about 2^-66 of its size; lo is below 2^-17 of hi. z/c = 1 + r without loss;
// r = a + b, where a has 26 bits, so that its square is exact, and is 0 for z nearest to 1.
static inline StiMathPair log_pair(Cut x)
{
    const double p0 = 0x1.5555555555558p-2, p1 = -0x1.0000000000003p-2, p2 = 0x1.99999996d1161p-3,
                 p3 = -0x1.55555552d4120p-3, p4 = 0x1.24956e79d54bep-3, p5 = -0x1.0002d4ccd9755p-3;
    const StiMathPower *near = &sti_math_power[x.i];
    const double z = sti_from_bits((sti_bits(x.z) + 0x4000000u) & 0xfffffffff8000000u); // 26 bits
    const double a = z * near->inverse - 1.0, b = (x.z - z) * near->inverse, r = a + b, r2 = r * r;
    const StiMathPair first = sti_quick_sum(x.k * LN2_HI + near->hi, r),
                      second = sti_quick_sum(first.hi, -0.5 * a * a);
    const double series = (p0 + r * p1) + r2 * ((p2 + r * p3) + r2 * (p4 + r * p5));
    const double small =
        (x.k * LN2_LO + near->lo) + (first.lo + second.lo) + (r * r2 * series - b * (a + 0.5 * b));
    return (StiMathPair){second.hi, small};
}

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

// exp(x + more) = 2^k (hi + lo) for |more| < 0.005: one term more than sti_exp_parts.
static inline StiMathPair exp_parts_of_sum(double x, double more, int64_t *k)
{
    const StiExpCut cut = sti_exp_cut(x);
    const double r = cut.r + more, r2 = r * r;
    const double series =
        (0.5 + r * (1.0 / 6.0)) + r2 * ((1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0));
    *k = cut.k;
    return (StiMathPair){cut.power->hi, cut.power->lo + cut.power->hi * (r + r2 * series)};
}

// exp(y ln x) for x = the cut number, 2^-70 <= |y| <= 2^70
static inline double power_of_cut(Cut x, double y)
{
    const StiMathPair log = log_pair(x), exponent = sti_halves(y);
    const double half = sti_first_half(log.hi), main = half * exponent.hi;
    const double more = half * exponent.lo + ((log.hi - half) + log.lo) * y;
    int64_t k;
    if (fabs(main) < 708.0) {
        const StiMathPair value = exp_parts_of_sum(main, more, &k);
        return (value.hi + value.lo) * sti_power_of_two(k);
    }
    if (!(main < 710.0)) return INFINITY;
    if (!(main > -746.0)) return 0.0;
    const StiMathPair value = exp_parts_of_sum(main, more, &k);
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
