// What an elementary function costs, beside that of the C library. Both run in turns in the same process; the
// quickest of many rounds is shown, because what disturbs only adds.
// Usage: bench_elementary
#include "timing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "stiction/elementary.h"

enum { ROUNDS = 60, CALLS = 20000, ARGUMENTS = 4096 };

typedef struct Case {
    const char *name;
    double (*ours)(double), (*library)(double);
    double (*ours_of_two)(double, double), (*library_of_two)(double, double);
    double from, to, second; // arguments; of two: the other one
} Case;

static const Case cases[] = {
    {"sin", sti_sin, sin, NULL, NULL, -10.0, 10.0, 0.0},
    {"cos", sti_cos, cos, NULL, NULL, -10.0, 10.0, 0.0},
    {"tan", sti_tan, tan, NULL, NULL, -10.0, 10.0, 0.0},
    {"asin", sti_asin, asin, NULL, NULL, -1.0, 1.0, 0.0},
    {"acos", sti_acos, acos, NULL, NULL, -1.0, 1.0, 0.0},
    {"atan", sti_atan, atan, NULL, NULL, -5.0, 5.0, 0.0},
    {"atan2", NULL, NULL, sti_atan2, atan2, -5.0, 5.0, 1.3},
    {"exp", sti_exp, exp, NULL, NULL, -20.0, 20.0, 0.0},
    {"expm1", sti_expm1, expm1, NULL, NULL, -2.0, 2.0, 0.0},
    {"sinh", sti_sinh, sinh, NULL, NULL, -5.0, 5.0, 0.0},
    {"cosh", sti_cosh, cosh, NULL, NULL, -5.0, 5.0, 0.0},
    {"tanh", sti_tanh, tanh, NULL, NULL, -5.0, 5.0, 0.0},
    {"log", sti_log, log, NULL, NULL, 0.0, 20.0, 0.0},
    {"log1p", sti_log1p, log1p, NULL, NULL, -0.5, 5.0, 0.0},
    {"log10", sti_log10, log10, NULL, NULL, 0.0, 20.0, 0.0},
    {"pow", NULL, NULL, sti_pow, pow, 0.0, 20.0, 1.7},
    {"cbrt", sti_cbrt, cbrt, NULL, NULL, -5.0, 5.0, 0.0},
    {"hypot", NULL, NULL, sti_hypot, hypot, -5.0, 5.0, 1.3},
};

static double arguments[ARGUMENTS];

static double sum_of_calls(double (*one)(double), double (*two)(double, double), const Case *c)
{
    double sum = 0.0;
    for (int i = 0; i < CALLS; ++i) {
        const double x = c->from + (c->to - c->from) * arguments[i % ARGUMENTS];
        sum += one != NULL ? one(x) : two(x, c->second);
    }
    return sum;
}

// ns per call
static double time_of(double (*one)(double), double (*two)(double, double), const Case *c)
{
    static volatile double kept;
    const double start = timing_processor_nanoseconds();
    kept = sum_of_calls(one, two, c);
    (void)kept;
    return (timing_processor_nanoseconds() - start) / CALLS;
}

int main(void)
{
    uint64_t bits = 1;
    for (int i = 0; i < ARGUMENTS; ++i) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        arguments[i] = (double)(bits >> 11) * 0x1p-53;
    }
    printf("%-8s %8s %12s %8s\n", "ns/call", "ours", "C library", "ratio");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const Case *c = &cases[i];
        double ours = INFINITY, library = INFINITY;
        for (int k = 0; k < ROUNDS; ++k) {
            ours = fmin(ours, time_of(c->ours, c->ours_of_two, c));
            library = fmin(library, time_of(c->library, c->library_of_two, c));
        }
        printf("%-8s %8.2f %12.2f %8.2f\n", c->name, ours, library, ours / library);
    }
    return EXIT_SUCCESS;
}
