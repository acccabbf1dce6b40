// What still holds gets the answer that a solve would give, bit by bit.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random_block.h"
#include "support/short.h"

static BlockCase p;
static double c_size[BLOCK_ROWS], W_size[BLOCK_ROWS];
static int order[BLOCK_NODES];

// Points of contact with three rows and pairs in the order of a triangle, as robots have them.
static void start(Random *random, int contacts, bool planar)
{
    const RandomBlock kind = {.contacts = contacts, .planar = planar, .mu_most = 2.0};
    do random_block(random, &kind, &p);
    while (p.block.row_count < 3 * contacts);
    const int rows = p.block.row_count;
    for (int a = 0; a < rows; ++a) {
        c_size[a] = fabs(p.c[a]);
        W_size[a] = p.W[a * rows + a];
    }
    for (int a = 0; a < contacts; ++a)
        for (int b = 0; b <= a; ++b)
            p.pairs[p.block.pair_count++] = (StiBlockPair){a, b, 3 * (a * rows + b), rows};
    p.block.pairs = p.pairs;
    p.block.c_size = c_size;
    p.block.W_size = W_size;
    p.answer.order = order;
}

typedef struct Copy {
    double f[BLOCK_ROWS], v[BLOCK_ROWS];
    StiBlockMode mode[BLOCK_NODES];
    bool released[BLOCK_NODES];
    int order[BLOCK_NODES];
    StiBlockAnswer answer;
} Copy;

static void solve_from(const double *f, bool stuck_before, Copy *copy)
{
    for (int i = 0; i < p.block.node_count; ++i) p.nodes[i].stuck_before = stuck_before;
    memcpy(p.f, f, sizeof p.f);
    memset(order, 0, sizeof order);
    assert_int_equal(block_case_solve(&p), STI_OK);
    memcpy(copy->f, p.f, sizeof p.f);
    memcpy(copy->v, p.v, sizeof p.v);
    memcpy(copy->mode, p.mode, sizeof p.mode);
    memcpy(copy->released, p.released, sizeof p.released);
    memcpy(copy->order, order, sizeof order);
    copy->answer = p.answer;
}

static void assert_same(const Copy *a, const Copy *b)
{
    const size_t rows = (size_t)p.block.row_count, nodes = (size_t)p.block.node_count;
    for (size_t k = 0; k < rows; ++k) assert_true(a->f[k] == b->f[k] && a->v[k] == b->v[k]);
    assert_memory_equal(a->mode, b->mode, nodes * sizeof *a->mode);
    assert_memory_equal(a->order, b->order, nodes * sizeof *a->order);
    assert_memory_equal(a->released, b->released, nodes * sizeof *a->released);
    assert_int_equal(a->answer.outcome, b->answer.outcome);
    assert_int_equal(a->answer.worst, b->answer.worst);
    assert_int_equal(a->answer.islands, b->answer.islands);
    assert_int_equal(a->answer.iterations, b->answer.iterations);
    assert_int_equal(a->answer.unsolved_islands, b->answer.unsolved_islands);
    assert_true(a->answer.residual == b->answer.residual && a->answer.left == b->answer.left);
    assert_true(a->answer.power == b->answer.power);
}

static bool all_stick(const Copy *copy)
{
    for (int i = 0; i < p.block.node_count; ++i)
        if (copy->mode[i] != STI_BLOCK_STICK) return false;
    return true;
}

static void holding_is_the_answer_of_a_solve(void **state)
{
    (void)state;
    static Copy first, held, solved;
    static double none[BLOCK_ROWS];
    Random random = {.state = 31};
    long sticking = 0;
    for (long n = 0; n < steps_or(20000, 2000); ++n) {
        start(&random, 2 + (int)(n % 4), n % 2 == 0);
        solve_from(none, false, &first);
        for (int change = 0; change < 3; ++change) {
            solve_from(first.f, false, &solved);
            solve_from(first.f, true, &held);
            assert_same(&held, &solved);
            sticking += all_stick(&held) && held.answer.iterations == 0;
            // Other loads; then a force that is no longer within its cone.
            for (int a = 0; a < p.block.row_count; ++a) p.c[a] *= change == 0 ? 1.0 : 1.001;
            if (change == 1) first.f[0] *= 1.5;
        }
    }
    assert_true(sticking > steps_or(100, 10)); // enough of them to say something
}

// At rest under their static limit, above the other one: they hold, and stay unreleased.
static void static_friction_holds(void **state)
{
    (void)state;
    block_case_start(&p);
    memset(p.W, 0, 36 * sizeof *p.W);
    for (int i = 0; i < 2; ++i) {
        block_case_add(&p, STI_BLOCK_CONTACT, 3, 0.5);
        p.nodes[i].limit_static = 0.6;
        p.nodes[i].stuck_before = true;
        for (int b = 0; b <= i; ++b)
            p.pairs[p.block.pair_count++] = (StiBlockPair){i, b, 3 * (6 * i + b), 6};
        for (int k = 3 * i; k < 3 * i + 3; ++k) p.W[7 * k] = W_size[k] = 5e-4;
        p.c[3 * i] = 5.5e-4; // needs 0.55 of the load
        p.c[3 * i + 1] = 0.0;
        p.c[3 * i + 2] = -1e-3;
        p.f[3 * i] = -1.1;
        p.f[3 * i + 2] = 2.0;
    }
    p.block.pairs = p.pairs;
    p.block.W_size = W_size;
    assert_int_equal(block_case_solve(&p), STI_OK);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(p.mode[i], STI_BLOCK_STICK);
        assert_true(p.f[3 * i] == -1.1 && p.f[3 * i + 2] == 2.0);
        assert_true(p.v[3 * i] == 0.0 && p.v[3 * i + 1] == 0.0 && p.v[3 * i + 2] == 0.0);
        assert_false(p.released[i]);
    }
    p.c[3] = 6.5e-4; // more than even that
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
    assert_int_equal(p.mode[1], STI_BLOCK_SLIDE);
    assert_true(p.released[1] && !p.released[0]);
    p.f[2] = NAN;
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holding_is_the_answer_of_a_solve),
        cmocka_unit_test(static_friction_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
