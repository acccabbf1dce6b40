#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random.h"
#include "support/near.h"

static void permutations_hit_every_place_once(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 100, 255, 256, 257, 1000, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
        for (uint64_t seed = 0; seed < 5; ++seed) {
            int hits[MOST] = {0};
            for (uint64_t i = 0; i < counts[c]; ++i) {
                const uint64_t to = study_permute(seed, counts[c], i);
                assert_true(to < counts[c]);
                ++hits[to];
            }
            for (uint64_t i = 0; i < counts[c]; ++i) assert_int_equal(hits[i], 1);
        }
}

// Where each place goes should be any place, equally often over seeds.
static void permutations_are_even(void **state)
{
    (void)state;
    enum { COUNT = 7, SEEDS = 7000 };
    for (uint64_t from = 0; from < COUNT; ++from) {
        double chi = 0.0;
        int hits[COUNT] = {0};
        for (uint64_t seed = 0; seed < SEEDS; ++seed) ++hits[study_permute(seed, COUNT, from)];
        for (int i = 0; i < COUNT; ++i)
            chi += (hits[i] - SEEDS / COUNT) * (hits[i] - SEEDS / COUNT) / (double)(SEEDS / COUNT);
        assert_true(chi < 22.5); // 99.9 % of chi squared with 6 degrees of freedom
    }
}

// Moments of uniform numbers, and none of the usual correlations between neighbours.
static void uniform_numbers_are_uniform(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double mean = 0.0, square = 0.0, neighbours = 0.0, dimensions = 0.0;
    for (uint64_t i = 0; i < COUNT; ++i) {
        const double u = study_uniform(7, i, 0) - 0.5;
        assert_true(u > -0.5 && u < 0.5);
        mean += u;
        square += u * u;
        neighbours += u * (study_uniform(7, i + 1, 0) - 0.5);
        dimensions += u * (study_uniform(7, i, 1) - 0.5);
    }
    assert_near(mean / COUNT, 0.0, 4.0 * 0.2887 / sqrt(COUNT));
    assert_near(square / COUNT, 1.0 / 12.0, 4.0 * 0.0745 / sqrt(COUNT));
    assert_near(neighbours / COUNT, 0.0, 4.0 / 12.0 / sqrt(COUNT));
    assert_near(dimensions / COUNT, 0.0, 4.0 / 12.0 / sqrt(COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_hit_every_place_once),
        cmocka_unit_test(permutations_are_even),
        cmocka_unit_test(uniform_numbers_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
