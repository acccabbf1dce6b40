// Elementary functions that give the same bits on every processor. Those of a C library may differ
// from one processor to the next, because it chooses among variants with and without fused
// multiply-add; a simulation then ends with other bits on another machine.
//
// Errors are below 1 unit in the last place (ulp), for all arguments; infinities, NaN and signed
// zeros as in C17, annex F. errno is not set, flags of the processor mean nothing. Roots, fabs,
// floor, fmod and the like are exact or rounded correctly in any C library: they are taken from there.
#ifndef STICTION_ELEMENTARY_H
#define STICTION_ELEMENTARY_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

STI_API double sti_sin(double x); // x in rad, of any size
STI_API double sti_cos(double x);
STI_API double sti_tan(double x);
STI_API void sti_sincos(double x, double *sine, double *cosine); // the same bits as one by one

// Angles in rad, from -pi/2 to pi/2; acos from 0 to pi, atan2 from -pi to pi.
STI_API double sti_asin(double x); // NaN beyond -1 to 1
STI_API double sti_acos(double x);
STI_API double sti_atan(double x);
STI_API double sti_atan2(double y, double x);

// Infinite where the result is beyond all numbers.
STI_API double sti_exp(double x);
STI_API double sti_expm1(double x); // exp(x) - 1
STI_API double sti_sinh(double x);
STI_API double sti_cosh(double x);
STI_API double sti_tanh(double x);

// Natural, but for log10; a power of a negative number needs a whole exponent.
STI_API double sti_log(double x);   // NaN below 0
STI_API double sti_log1p(double x); // log(1 + x)
STI_API double sti_log10(double x);
STI_API double sti_pow(double x, double y);

// The real cube root, also of negative numbers.
STI_API double sti_cbrt(double x);
STI_API double sti_hypot(double x, double y); // sqrt(x^2 + y^2), without overflow on the way

#ifdef __cplusplus
}
#endif
#endif
