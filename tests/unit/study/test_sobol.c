#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sobol.h"
#include "support/near.h"

// The first points of the first dimensions, as the literature lists them.
static void first_points_are_sobols(void **state)
{
    (void)state;
    static const double x[8] = {0.0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875};
    static const double y[8] = {0.0, 0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875};
    for (uint32_t i = 0; i < 8; ++i) {
        assert_true(study_sobol_bits(i, 0) * 0x1p-32 == x[i]);
        // The usual order of points is Gray's: the same set in each block of a power of two.
        int found = 0;
        for (uint32_t k = 0; k < 8; ++k) found += study_sobol_bits(i, 1) * 0x1p-32 == y[k];
        assert_int_equal(found, 1);
    }
}

// In each dimension any 2^m points from a multiple of 2^m on have one in each of 2^m strips, scrambled too.
static void strips_have_one_point_each(void **state)
{
    (void)state;
    enum { COUNT = 256 };
    for (int dimension = 0; dimension < STUDY_SOBOL_DIMENSIONS; ++dimension)
        for (uint32_t first = 0; first < 4 * COUNT; first += COUNT) {
            char plain[COUNT] = {0}, scrambled[COUNT] = {0};
            for (uint32_t i = first; i < first + COUNT; ++i) {
                ++plain[study_sobol_bits(i, dimension) >> 24];
                ++scrambled[(int)(study_sobol(5, i, dimension) * COUNT)];
            }
            for (int i = 0; i < COUNT; ++i) {
                assert_int_equal(plain[i], 1);
                assert_int_equal(scrambled[i], 1);
            }
        }
}

// The mean of a smooth function of six variables: far better than 1/sqrt(n), and without bias over seeds.
static void integrals_converge_fast(void **state)
{
    (void)state;
    enum { DIMENSIONS = 6, COUNT = 4096, SEEDS = 20 };
    double worst = 0.0, sum = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        double mean = 0.0;
        for (uint32_t i = 0; i < COUNT; ++i) {
            double product = 1.0;
            for (int d = 0; d < DIMENSIONS; ++d)
                product *= 1.0 + 0.5 * (study_sobol(seed, i, d) - 0.5);
            mean += product / COUNT;
        }
        worst = fmax(worst, fabs(mean - 1.0));
        sum += (mean - 1.0) / SEEDS;
    }
    // Random points have an error of 0.36 / sqrt(4096) = 5.6e-3.
    assert_true(worst < 2e-4);
    assert_near(sum, 0.0, 4e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_points_are_sobols),
        cmocka_unit_test(strips_have_one_point_each),
        cmocka_unit_test(integrals_converge_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
