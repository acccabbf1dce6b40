// Private: the exponential function as its relatives need it.
#ifndef STICTION_SRC_BASE_MATH_EXP_H
#define STICTION_SRC_BASE_MATH_EXP_H

#include "base/math_pair.h"

// exp x = 2^k exp(r) times a power of 2 from the table, 1 to 2: x = (128 k + j) ln 2/128 + r.
typedef struct StiExpCut {
    double r; // |r| < 0.0028
    const StiMathPair *power;
    int64_t k;
} StiExpCut;

static inline StiExpCut sti_exp_cut(double x) // |x| < 1e6
{
    const double per = 0x1.71547652b82fep+7, step_hi = 0x1.62e42fefap-8,
                 step_lo = 0x1.cf79abc9e3b3ap-47;
    const double shifted = x * per + STI_ROUND_SHIFT, n = shifted - STI_ROUND_SHIFT;
    const int64_t whole = (int64_t)(int32_t)sti_bits(shifted);
    return (StiExpCut){.r = (x - n * step_hi) - n * step_lo,
                       .power = &sti_math_exp[whole & 127],
                       .k = whole >> 7};
}

// exp x = 2^k (hi + lo) with hi + lo in about [0.99, 2.01]. The series ends where it is below 2^-60.
static inline StiMathPair sti_exp_parts(double x, int64_t *k)
{
    const StiExpCut cut = sti_exp_cut(x);
    const double r = cut.r, r2 = r * r;
    const double series = (0.5 + r * (1.0 / 6.0)) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0));
    *k = cut.k;
    return (StiMathPair){cut.power->hi, cut.power->lo + cut.power->hi * (r + r2 * series)};
}

// 2^k (hi + lo), rounded once, also where the result is subnormal.
double sti_scale_pair(StiMathPair value, int64_t k);

#endif
