// Sine, cosine, tangent: x = n pi/64 + r, a table for n and short series for r.
#include <math.h>
#include <stdbool.h>

#include "base/math_pair.h"
#include "stiction/elementary.h"

// The argument less n pi/64: r + lo, |r| <= pi/128 (or hardly more), n modulo 128.
typedef struct Rest {
    double r, lo;
    unsigned n;
} Rest;

enum { PERIOD = 128, QUARTER = 32 };

// pi/64 in four parts; n times one of the first three is exact for |n| < 2^20 (Cody and Waite).
static inline Rest reduce_small(double x)
{
    const double per = 0x1.45f306dc9c883p+4, first = 0x1.921fb544p-5, second = 0x1.0b4611a6p-39,
                 third = 0x1.3198a2ep-74, fourth = 0x1.b839a252049c1p-109;
    const double shifted = x * per + STI_ROUND_SHIFT, n = shifted - STI_ROUND_SHIFT;
    const unsigned turn = (unsigned)sti_bits(shifted) % PERIOD;
    const double main = x - n * first;
    if (fabs(main) > 0x1p-17) { // far more than n second
        const StiMathPair rest = sti_quick_sum(main, -n * second);
        return (Rest){rest.hi, rest.lo - n * third, turn};
    }
    // Near a multiple of pi/64 what is left must keep its digits.
    const StiMathPair rest = sti_sum(main, -n * second), more = sti_sum(rest.hi, -n * third),
                      all = sti_sum(more.hi, rest.lo);
    return (Rest){all.hi, all.lo + (more.lo - n * fourth), turn};
}

// ---- large arguments --------------------------------------------------------------------------

enum { WORDS = 8, PRODUCT = WORDS + 2, KEPT = 5 };

// m times so many words of 64/pi, the least word first.
static void multiply(uint64_t m, const uint32_t *words, uint32_t product[PRODUCT])
{
    const uint64_t low = m & 0xffffffffu, high = m >> 32;
    uint64_t carry = 0, above = 0; // above: of the word before, times high
    for (int i = 0; i < PRODUCT; ++i) {
        const uint64_t word = i < WORDS ? words[WORDS - 1 - i] : 0, here = low * word;
        const uint64_t sum = (carry & 0xffffffffu) + (here & 0xffffffffu) + (above & 0xffffffffu);
        product[i] = (uint32_t)sum;
        carry = (sum >> 32) + (carry >> 32) + (here >> 32) + (above >> 32);
        above = high * word;
    }
}

static uint32_t word_at(const uint32_t product[PRODUCT], int bit)
{
    const int i = bit / 32, shift = bit % 32;
    const uint64_t next = i + 1 < PRODUCT ? product[i + 1] : 0;
    return (uint32_t)((next << 32 | product[i]) >> shift);
}

// A fraction, of which words are given, times pi/64.
static StiMathPair times_step(const uint32_t fraction[KEPT], bool negative)
{
    const double step_hi = 0x1.921fb54442d18p-5, step_lo = 0x1.1a62633145c07p-59;
    StiMathPair sum = {0.0, 0.0};
    uint64_t carry = 1;
    uint32_t size[KEPT];
    for (int i = KEPT - 1; i >= 0; --i) { // the size: of a negative one all bits turned, and 1 more
        carry += negative ? (uint32_t)~fraction[i] : 0;
        size[i] = negative ? (uint32_t)carry : fraction[i];
        carry >>= 32;
    }
    double unit = negative ? -0x1p-32 : 0x1p-32;
    for (int i = 0; i < KEPT; ++i, unit *= 0x1p-32) {
        const StiMathPair next = sti_sum(sum.hi, size[i] * unit);
        sum = (StiMathPair){next.hi, sum.lo + next.lo};
    }
    const StiMathPair main = sti_product(sum.hi, step_hi);
    return sti_quick_sum(main.hi, main.lo + (sum.hi * step_lo + sum.lo * step_hi));
}

// Payne and Hanek: of x times 64/pi only the words around the point are computed. Those left out
// before are whole turns, those after change the rest by less than 2^-160.
static Rest reduce_large(double x)
{
    const uint64_t bits = sti_bits(fabs(x)), m = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
    const int exponent = (int)(bits >> 52) - 1075; // |x| = m 2^exponent
    const int skipped = exponent >= 7 ? (exponent - 7) / 32 + 1 : 0;
    const int point = 32 * (skipped + WORDS - 1) - exponent; // bits of the product after it
    uint32_t product[PRODUCT], fraction[KEPT];
    multiply(m, sti_math_inverse_pi + skipped, product);
    for (int i = 0; i < KEPT; ++i) fraction[i] = word_at(product, point - 32 * (i + 1));
    const bool up = fraction[0] >> 31;
    const StiMathPair rest = times_step(fraction, up);
    const unsigned n = word_at(product, point) + up;
    if (x > 0.0) return (Rest){rest.hi, rest.lo, n % PERIOD};
    return (Rest){-rest.hi, -rest.lo, (0u - n) % PERIOD};
}

// ---- sums of angles ---------------------------------------------------------------------------

static inline Rest reduce(double x)
{
    if (fabs(x) < 0x1p15) return reduce_small(x);
    return reduce_large(x);
}

// sin r - r and cos r - 1, lo included
typedef struct Series {
    double sine, cosine;
} Series;

static inline Series series_of(Rest x)
{
    const double r = x.r, r2 = r * r;
    const double sine = -1.0 / 6.0 + r2 * (1.0 / 120.0 + r2 * (-1.0 / 5040.0)),
                 cosine = -0.5 + r2 * (1.0 / 24.0 + r2 * (-1.0 / 720.0 + r2 * (1.0 / 40320.0)));
    return (Series){x.lo + r * r2 * sine, r2 * cosine - r * x.lo};
}

// sin(n pi/64 + r) = S + near r + ((C - near) r + C (sin r - r) + S (cos r - 1)), S the table's sine
// and C its cosine. Products that are not small are exact.
static inline StiMathPair turned(const StiMathSine *S, const StiMathSine *C, double r,
                                 Series series)
{
    const StiMathPair main = sti_quick_sum(S->hi, C->near * r); // S is 0, or larger than r
    const double small = C->rest * r + (S->lo + (C->hi * series.sine + S->hi * series.cosine));
    return (StiMathPair){main.hi, main.lo + small};
}

static inline StiMathPair sine_of(Rest x, Series series)
{
    return turned(&sti_math_sine[x.n], &sti_math_sine[(x.n + QUARTER) % PERIOD], x.r, series);
}

static inline StiMathPair cosine_of(Rest x, Series series)
{
    x.n = (x.n + QUARTER) % PERIOD;
    return sine_of(x, series);
}

double sti_sin(double x)
{
    if (!(fabs(x) < INFINITY)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    const Rest rest = reduce(x);
    const StiMathPair sine = sine_of(rest, series_of(rest));
    return sine.hi + sine.lo;
}

double sti_cos(double x)
{
    if (!(fabs(x) < INFINITY)) return NAN;
    const Rest rest = reduce(x);
    const StiMathPair cosine = cosine_of(rest, series_of(rest));
    return cosine.hi + cosine.lo;
}

void sti_sincos(double x, double *sine, double *cosine)
{
    if (!(fabs(x) < INFINITY)) {
        *sine = *cosine = NAN;
        return;
    }
    const Rest rest = reduce(x);
    const Series series = series_of(rest);
    const StiMathPair s = sine_of(rest, series), c = cosine_of(rest, series);
    *sine = fabs(x) < 0x1p-27 ? x : s.hi + s.lo;
    *cosine = c.hi + c.lo;
}

// tan r - r, lo included
static inline double tan_tail(Rest x)
{
    const double p0 = 0x1.5555555555555p-2, p1 = 0x1.1111111115579p-3, p2 = 0x1.ba1b9f90355c3p-5,
                 p3 = 0x1.667c2192275abp-6;
    const double r2 = x.r * x.r;
    return x.lo + x.r * r2 * ((p0 + r2 * p1) + r2 * r2 * (p2 + r2 * p3));
}

// -(1 - T t)/(T + t) for T + t = up, product = T t: a quotient with its remainder.
static inline double tan_beside_pole(StiMathPair up, double product)
{
    const StiMathPair along = sti_quick_sum(-1.0, product);
    const double inverse = 1.0 / (up.hi + up.lo), quotient = sti_first_half(along.hi * inverse);
    const double rest = sti_remainder(along.hi, quotient, up.hi) + (along.lo - quotient * up.lo);
    return quotient + rest * inverse;
}

// T = tan a for the multiple a of pi/64, |a| <= pi/4, and t = tan r give the tangent of the sum:
// (T + t)/(1 - T t) = T + t + T t (T + t)/(1 - T t). A quarter turn on it is the negative inverse.
double sti_tan(double x)
{
    if (!(fabs(x) < INFINITY)) return NAN;
    if (fabs(x) < 0x1p-27) return x;
    const Rest rest = reduce(x);
    const StiMathPair *T = &sti_math_tan[rest.n % QUARTER], sum = sti_quick_sum(T->hi, rest.r);
    const double tail = tan_tail(rest), t = rest.r + tail, product = T->hi * t;
    const StiMathPair up = {sum.hi, sum.lo + (T->lo + tail)};
    if ((rest.n + QUARTER / 2) & QUARTER) return tan_beside_pole(up, product);
    return up.hi + (up.lo + product * (T->hi + t) / (1.0 - product));
}
