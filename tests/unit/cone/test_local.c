// One node by itself, through the block: the secular equation to rounding, singular K included.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_block.h"
#include "support/short.h"

static BlockCase p;

// W = J J^T with `rank` columns.
static void start_node(Random *random, StiBlockKind kind, int dim, int rank, double limit)
{
    double J[3][6];
    block_case_start(&p);
    block_case_add(&p, kind, dim, limit);
    for (int a = 0; a < dim; ++a)
        for (int k = 0; k < rank; ++k) J[a][k] = random_between(random, -1.0, 1.0);
    for (int a = 0; a < dim; ++a) {
        p.c[a] = 0.0;
        for (int k = 0; k < rank; ++k) p.c[a] += J[a][k] * (k % 2 == 0 ? 1.0 : -0.7);
        for (int b = 0; b < dim; ++b) {
            p.W[a * dim + b] = 0.0;
            for (int k = 0; k < rank; ++k) p.W[a * dim + b] += J[a][k] * J[b][k];
        }
    }
}

static void any_single_node_is_solved_to_rounding(void **state)
{
    (void)state;
    Random random = {.state = 5};
    int modes[3] = {0};
    for (long n = 0; n < steps_or(30000, 1000); ++n) {
        const StiBlockKind kind = n % 2 == 0 ? STI_BLOCK_CONTACT : STI_BLOCK_FRICTION;
        const int dim = 1 + random_below(&random, 3), rank = 1 + random_below(&random, 6);
        start_node(&random, kind, dim, rank, random_decades(&random, 1e-2, 2.0));
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        assert_int_equal(p.answer.iterations, 0);
        const BlockVerdict verdict = block_case_judge(&p);
        assert_true(verdict.violation <= 1e-11 * verdict.scale);
        assert_true(verdict.power <= 0.0);
        ++modes[p.mode[0]];
    }
    assert_true(modes[STI_BLOCK_OPEN] > 0 && modes[STI_BLOCK_STICK] > 0 &&
                modes[STI_BLOCK_SLIDE] > 0);
}

// Unequal W across the slip: f opposes v, not c. With W = diag(1, 4), F = 1, c = (3, 12): along
// f(s) = -c/(W + s); the answer is checked by its own equations.
static void friction_opposes_the_slip_that_remains(void **state)
{
    (void)state;
    block_case_start(&p);
    block_case_add(&p, STI_BLOCK_FRICTION, 2, 1.0);
    const double W[4] = {1.0, 0.0, 0.0, 4.0};
    memcpy(p.W, W, sizeof W);
    p.c[0] = 3.0;
    p.c[1] = 12.0;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_near(p.f[0] * p.f[0] + p.f[1] * p.f[1], 1.0, 4e-15);
    assert_near(p.f[0] * p.v[1] - p.f[1] * p.v[0], 0.0, 1e-14);
    assert_near(p.v[0], 3.0 + p.f[0], 1e-15);
    assert_near(p.v[1], 12.0 + 4.0 * p.f[1], 4e-15);
    assert_true(p.f[0] < 0.0 && p.f[1] < 0.0);
}

// A pendulum that stands with its tip on the ground: one coordinate moves tangent and normal, which
// stops both; the tangent's part of c is then pure rounding (COUPLED, pitfall 3).
static void the_normal_alone_stops_one_coordinate(void **state)
{
    (void)state;
    block_case_start(&p);
    block_case_add(&p, STI_BLOCK_CONTACT, 3, 0.4);
    const double J[3] = {0.3, 0.0, 0.7};
    for (int a = 0; a < 3; ++a) {
        p.c[a] = -0.1 * J[a];
        for (int b = 0; b < 3; ++b) p.W[3 * a + b] = J[a] * J[b];
    }
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
    assert_near(p.f[2], 0.1 / 0.7, 1e-15);
    assert_true(p.v[0] == 0.0 && p.v[1] == 0.0 && p.v[2] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_single_node_is_solved_to_rounding),
        cmocka_unit_test(friction_opposes_the_slip_that_remains),
        cmocka_unit_test(the_normal_alone_stops_one_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
