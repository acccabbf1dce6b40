// 17 digits of a number by one product with a power of ten of 128 bits. Its error is known: where it could change the
// last digit, and beyond 1e-39 ... 1e71, printf decides.
#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal_powers.h"

enum { DIGITS = 17 };
static const uint64_t least = 10000000000000000u, beyond = 100000000000000000u; // of 17 digits
static const uint64_t half = 0x8000000000000000u;

__extension__ typedef unsigned __int128 Wide;

typedef struct Scaled {
    uint64_t whole,
        fraction; // of value 10^q; the fraction in 2^-64, less than 2 of these too small
} Scaled;

// value = mantissa 2^exponent, the highest bit of the mantissa set; value 10^q below 2^64.
static Scaled scale(uint64_t mantissa, int exponent, int q)
{
    const DecimalPower power = sti_decimal_powers[q + DECIMAL_POWER_MOST];
    const int power_exponent = ((q * 217706) >> 16) - 127; // floor(log2 10^q) - 127
    const Wide low = (Wide)mantissa * power.low,
               high = (Wide)mantissa * power.high + (uint64_t)(low >> 64);
    const int shift = -(exponent + power_exponent) -
                      128; // 1 to 63: the product has 191 or 192 bits, the whole 54 to 57
    const uint64_t top = (uint64_t)(high >> 64), next = (uint64_t)high;
    return (Scaled){top >> shift, top << (64 - shift) | next >> shift};
}

// The digits and the exponent of the first of them. False: rounding is not certain.
static bool find_digits(double size, uint64_t *digits, int *ten)
{
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    const uint64_t mantissa =
        bits << 11 | half; // of what is normal; the others are beyond the powers
    const int two = (int)(bits >> 52) - 1023;
    *ten = two * 78913 >> 18; // floor(two log10 2): right, or one too small
    for (;; ++*ten) {
        const int q = DIGITS - 1 - *ten;
        if (q < -DECIMAL_POWER_MOST || q > DECIMAL_POWER_MOST) return false;
        const Scaled scaled = scale(mantissa, two - 63, q);
        if (scaled.whole >= beyond) continue;
        if (scaled.whole < least || (scaled.fraction <= half && scaled.fraction >= half - 2))
            return false;
        *digits = scaled.whole + (scaled.fraction > half);
        break;
    }
    if (*digits == beyond) *digits = least, ++*ten;
    return true;
}

// Without zeros at the end; returns how many are left.
static int write_digits(uint64_t digits, char *text)
{
    for (int i = DIGITS - 1; i >= 0; --i, digits /= 10) text[i] = (char)('0' + digits % 10);
    int count = DIGITS;
    while (count > 1 && text[count - 1] == '0') --count;
    return count;
}

static char *write_exponent(int ten, char *to)
{
    const int size = ten < 0 ? -ten : ten; // at most two digits: the powers end before
    *to++ = 'e';
    *to++ = ten < 0 ? '-' : '+';
    *to++ = (char)('0' + size / 10);
    *to++ = (char)('0' + size % 10);
    return to;
}

// count digits, the first one at 10^ten: as %g lays them out.
static char *lay_out(const char *digits, int count, int ten, char *to)
{
    const bool plain = ten >= -4 && ten < DIGITS;
    const int before = plain && ten >= 0 ? ten + 1 : plain ? 0 : 1; // digits before the point
    if (before == 0) {
        *to++ = '0', *to++ = '.';
        for (int i = -1; i > ten; --i) *to++ = '0';
    }
    for (int i = 0; i < (before > count ? before : count); ++i) {
        if (before > 0 && i == before) *to++ = '.';
        *to++ = i < count ? digits[i] : '0';
    }
    return plain ? to : write_exponent(ten, to);
}

int sti_decimal_write(double value, char *text)
{
    char digits_text[DIGITS], *to = text;
    uint64_t digits;
    int ten;
    if (value == 0.0 || !isfinite(value) || !find_digits(fabs(value), &digits, &ten))
        return snprintf(text, STI_DECIMAL_SIZE, "%.17g", value);
    if (value < 0.0) *to++ = '-';
    to = lay_out(digits_text, write_digits(digits, digits_text), ten, to);
    *to = '\0';
    return (int)(to - text);
}
