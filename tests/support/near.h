// Comparison of numbers with a message that shows them. Include after cmocka.h.
#ifndef STICTION_TESTS_NEAR_H
#define STICTION_TESTS_NEAR_H

#include <math.h>

static inline void near_or_fail(double measured, double expected, double tolerance, const char *what,
                                const char *file, int line)
{
    if (fabs(measured - expected) <= tolerance) return;
    print_error("%s = %.17g, expected %.17g within %g (off by %g)\n", what, measured, expected,
                tolerance, measured - expected);
    _fail(file, line);
}
#define assert_near(measured, expected, tolerance) \
    near_or_fail((measured), (expected), (tolerance), #measured, __FILE__, __LINE__)

#endif
