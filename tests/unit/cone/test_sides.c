// Random heaps given by their bodies have the answer that they have when W is given.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "cone/block.h"
#include "support/random.h"

enum { NODES = 40, ROWS = 3 * NODES, BODIES = 24, SIX = STI_BLOCK_BODY };

typedef struct Heap {
    StiBlockNode nodes[NODES];
    StiBlockSide sides[2 * ROWS];
    double W[ROWS * ROWS], c[ROWS], f[ROWS], v[ROWS];
    StiBlockMode mode[NODES];
    StiBlock block;
    StiBlockAnswer answer;
} Heap;

static Heap given, sided;

// Bodies that touch the one below or the ground, in one point each or in a few.
static void build(Random *random, Heap *heap, int nodes)
{
    const int bodies = 2 + random_below(random, BODIES - 2);
    *heap = (Heap){.block = {.node_count = nodes, .row_count = 3 * nodes, .body_count = bodies}};
    for (int i = 0; i < nodes; ++i) {
        const int a = i < bodies ? i : random_below(random, bodies);
        const int b = a == 0 || random_below(random, 3) == 0 ? -1 : random_below(random, a);
        heap->nodes[i] = (StiBlockNode){.kind = STI_BLOCK_CONTACT,
                                        .row = 3 * i,
                                        .dim = 3,
                                        .limit = random_between(random, 0.0, 0.6)};
        for (int r = 3 * i; r < 3 * i + 3; ++r) {
            heap->sides[2 * r].body = a;
            heap->sides[2 * r + 1].body = b;
            for (int d = 0; d < SIX; ++d) {
                heap->sides[2 * r].J[d] = random_between(random, -0.3, 0.3) + (d == r % 3);
                heap->sides[2 * r + 1].J[d] = random_between(random, -0.3, 0.3) - (d == r % 3);
            }
            heap->c[r] = random_between(random, -1.0, 0.5);
        }
    }
    heap->block.nodes = heap->nodes;
    heap->block.c = heap->c;
}

static void write_W(Heap *heap)
{
    const int n = heap->block.row_count;
    for (int r = 0; r < n; ++r)
        for (int s = 0; s < n; ++s)
            for (int k = 0; k < 4; ++k) {
                const StiBlockSide *x = &heap->sides[2 * r + k / 2], *y = &heap->sides[2 * s + k % 2];
                for (int d = 0; x->body >= 0 && x->body == y->body && d < SIX; ++d)
                    heap->W[r * n + s] += x->J[d] * y->J[d];
            }
}

static void solve(Heap *heap)
{
    StiBlockScratch scratch;
    if (heap->block.sides != NULL)
        sti_block_scratch_size_by_sides(heap->block.node_count, heap->block.body_count,
                                        &scratch.number_count, &scratch.integer_count);
    else
        sti_block_scratch_size(heap->block.node_count, heap->block.row_count, 0,
                               &scratch.number_count, &scratch.integer_count);
    scratch.numbers = calloc(scratch.number_count, sizeof(double));
    scratch.integers = calloc(scratch.integer_count, sizeof(int));
    heap->answer = (StiBlockAnswer){.f = heap->f, .v = heap->v, .mode = heap->mode};
    assert_true(scratch.numbers != NULL && scratch.integers != NULL);
    assert_int_equal(sti_block_solve(&heap->block, &scratch, &heap->answer), STI_OK);
    free(scratch.numbers);
    free(scratch.integers);
}

static void same_velocities(void **unused)
{
    (void)unused;
    int large = 0;
    for (int seed = 0; seed < 80; ++seed) {
        Random random = {.state = (uint64_t)seed};
        build(&random, &given, 2 + random_below(&random, NODES - 2));
        sided = given;
        write_W(&given);
        given.block.W = given.W;
        sided.block.sides = sided.sides;
        given.block.nodes = given.nodes, given.block.c = given.c;
        sided.block.nodes = sided.nodes, sided.block.c = sided.c;
        solve(&given);
        solve(&sided);
        assert_int_equal(given.answer.islands, sided.answer.islands);
        if (given.answer.outcome != STI_BLOCK_SOLVED || sided.answer.outcome != STI_BLOCK_SOLVED)
            continue; // friction this strong need not have one answer
        large += given.block.node_count > 20;
        for (int r = 0; r < given.block.row_count; ++r) {
            double v = sided.c[r];
            for (int s = 0; s < given.block.row_count; ++s)
                v += given.W[r * given.block.row_count + s] * sided.f[s];
            assert_true(fabs(v - sided.v[r]) < 1e-9);
        }
        for (int i = 0; i < given.block.node_count; ++i) {
            const double *f = sided.f + 3 * i, *v = sided.v + 3 * i;
            assert_true(f[2] >= 0.0 && v[2] >= -1e-9 && f[2] * v[2] < 1e-9);
            assert_true(hypot(f[0], f[1]) <= sided.nodes[i].limit * f[2] * (1.0 + 1e-9) + 1e-10);
        }
    }
    assert_true(large > 20);
}

// Rows go where they should, and forces do not depend on whether there are few or many.
static void shifts(void **unused)
{
    (void)unused;
    for (int seed = 0; seed < 40; ++seed) {
        Random random = {.state = (uint64_t)(1000 + seed)};
        double shift[ROWS] = {0.0}, u[BODIES][SIX] = {{0.0}}, moved[BODIES][SIX] = {{0.0}};
        StiBlockScratch scratch;
        build(&random, &sided, 2 + random_below(&random, NODES - 2));
        sided.block.nodes = sided.nodes, sided.block.c = sided.c, sided.block.sides = sided.sides;
        const int rows = sided.block.row_count;
        for (int b = 0; b < BODIES; ++b)
            for (int d = 0; d < SIX; ++d) u[b][d] = random_between(&random, -1e-6, 1e-6);
        for (int r = 0; r < rows; ++r)
            for (int k = 0; k < 2; ++k)
                for (int d = 0; sided.sides[2 * r + k].body >= 0 && d < SIX; ++d)
                    shift[r] += sided.sides[2 * r + k].J[d] * u[sided.sides[2 * r + k].body][d];
        for (int i = 0; i < sided.block.node_count; ++i) sided.mode[i] = STI_BLOCK_STICK;
        sti_block_scratch_size_by_sides(sided.block.node_count, sided.block.body_count,
                                        &scratch.number_count, &scratch.integer_count);
        scratch.numbers = calloc(scratch.number_count, sizeof(double));
        scratch.integers = calloc(scratch.integer_count, sizeof(int));
        assert_true(scratch.numbers != NULL && scratch.integers != NULL);
        assert_true(sti_block_shift(&sided.block, &scratch, sided.mode, shift, 1e-11, sided.f));
        for (int r = 0; r < rows; ++r)
            for (int k = 0; k < 2; ++k)
                for (int d = 0; sided.sides[2 * r + k].body >= 0 && d < SIX; ++d)
                    moved[sided.sides[2 * r + k].body][d] += sided.f[r] * sided.sides[2 * r + k].J[d];
        for (int r = 0; r < rows; ++r) {
            double left = -shift[r];
            for (int k = 0; k < 2; ++k)
                for (int d = 0; sided.sides[2 * r + k].body >= 0 && d < SIX; ++d)
                    left += sided.sides[2 * r + k].J[d] * moved[sided.sides[2 * r + k].body][d];
            assert_true(fabs(left) < 1e-11);
        }
        assert_false(sti_block_shift(&sided.block, &scratch, sided.mode, shift, 1.0, sided.f));
        free(scratch.numbers);
        free(scratch.integers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_velocities), cmocka_unit_test(shifts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
