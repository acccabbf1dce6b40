// Private: tables of the elementary functions, made by scripts/make-math-tables. A value is the sum
// of hi, the nearest double or one with zeros at its end, and lo.
#ifndef STICTION_SRC_BASE_MATH_TABLES_H
#define STICTION_SRC_BASE_MATH_TABLES_H

#include <stdint.h>

typedef struct StiMathPair {
    double hi, lo;
} StiMathPair;

// Index i holds the z whose bits, less those of 0.6875 + 1/512, begin with i after the exponent.
typedef struct StiMathLog {
    double c, inverse; // c: the middle; 1/c
    double hi, lo;     // ln c; hi is a multiple of 2^-42
} StiMathLog;

// The same intervals; that around 1 has c = 1, so that logarithms near 0 keep all their digits.
typedef struct StiMathPower {
    double inverse; // 1/c, 8 bits, so that z/c - 1 is a double
    double hi, lo;  // ln c, as before
} StiMathPower;

typedef struct StiMathSine {
    double hi, lo;
    double near; // -1, 0 or 1: the nearest whole number
    double rest; // value - near
} StiMathSine;

extern const StiMathPair sti_math_exp[128];    // 2^(j/128)
extern const StiMathLog sti_math_log[128];     //
extern const StiMathPower sti_math_power[128]; //
extern const StiMathSine sti_math_sine[128];   // sin(k pi/64)
extern const StiMathPair sti_math_tan[32];     // tan(k pi/64), from k = 16 on tan((k - 32) pi/64)
extern const StiMathPair sti_math_atan[65];    // atan(k/64)
extern const uint32_t sti_math_inverse_pi[40]; // 64/pi, the whole part first

#endif
