// Blocks of bodies that touch: the solution is that of the full matrix, and little is filled in.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/sparse_blocks.h"
#include "support/random.h"

enum { BODIES = 24, ROWS = STI_SIX * BODIES, EDGES = 200, ROOM = BODIES * BODIES / 2 };

static double full[ROWS * ROWS], x[ROWS], b[ROWS];
static int edges[EDGES][2];

static void *or_stop(void *memory)
{
    assert_non_null(memory);
    return memory;
}

static StiSparseBlocks create(int rows, int edge_count, int room)
{
    StiSparseBlocks m;
    double *numbers = or_stop(calloc(sti_sparse_numbers(rows, room), sizeof *numbers));
    int *integers = or_stop(calloc(sti_sparse_integers(rows, edge_count, room), sizeof *integers));
    sti_sparse_lay_out(&m, rows, room, numbers, integers);
    return m;
}

static void destroy(StiSparseBlocks *m)
{
    free(m->diagonal);
    free(m->order);
}

// Adds the same numbers to a block and to the full matrix; rows stay dominated by their diagonal.
static void add(Random *random, int rows, int a, int c, double *block)
{
    for (int i = 0; i < STI_SIX; ++i)
        for (int j = 0; j < STI_SIX; ++j) {
            const double value = random_between(random, -1.0, 1.0) + (a == c && i == j ? 60.0 : 0.0);
            block[STI_SIX * i + j] += value;
            full[(STI_SIX * a + i) * STI_SIX * rows + STI_SIX * c + j] += value;
        }
}

static double *block_of(const StiSparseBlocks *m, int a, int c)
{
    if (a == c) return m->diagonal + STI_SQUARE * m->place[a];
    double *to = m->place[a] > m->place[c] ? m->lower : m->upper;
    return to + STI_SQUARE * sti_sparse_find(m, a, c);
}

static void solves_as_the_full_matrix(void **unused)
{
    (void)unused;
    for (int seed = 0; seed < 60; ++seed) {
        Random random = {.state = (uint64_t)seed};
        const int rows = 1 + random_below(&random, BODIES);
        int count = 0;
        for (int k = rows > 1 ? random_below(&random, 3 * rows) : 0; k-- > 0;) {
            const int a = random_below(&random, rows), c = random_below(&random, rows);
            if (a != c) edges[count][0] = a, edges[count++][1] = c;
        }
        StiSparseBlocks m = create(rows, count, ROOM);
        assert_true(sti_sparse_order(&m, rows, (const int(*)[2])edges, count));
        sti_sparse_clear(&m);
        memset(full, 0, sizeof full);
        for (int i = 0; i < STI_SIX * rows; ++i) full[i * STI_SIX * rows + i] = 1.0;
        for (int i = 0; i < rows; ++i) add(&random, rows, i, i, block_of(&m, i, i));
        for (int e = 0; e < count; ++e) {
            add(&random, rows, edges[e][0], edges[e][1], block_of(&m, edges[e][0], edges[e][1]));
            add(&random, rows, edges[e][1], edges[e][0], block_of(&m, edges[e][1], edges[e][0]));
        }
        for (int i = 0; i < STI_SIX * rows; ++i) x[i] = b[i] = random_between(&random, -1.0, 1.0);
        assert_true(sti_sparse_factor(&m, 1e-15));
        sti_sparse_solve(&m, x);
        for (int i = 0; i < STI_SIX * rows; ++i) {
            double left = -b[i];
            for (int j = 0; j < STI_SIX * rows; ++j) left += full[i * STI_SIX * rows + j] * x[j];
            assert_true(fabs(left) < 1e-13);
        }
        destroy(&m);
    }
}

// A chain fills in nothing, whatever its names; without room it says so.
static void fills_in_little(void **unused)
{
    (void)unused;
    enum { LONG = 1000 };
    static int links[LONG][2];
    for (int i = 0; i + 1 < LONG; ++i) links[i][0] = i * 7 % LONG, links[i][1] = (i + 1) * 7 % LONG;
    StiSparseBlocks m = create(LONG, LONG, LONG);
    assert_true(sti_sparse_order(&m, LONG, (const int(*)[2])links, LONG - 1));
    assert_int_equal(m.first[LONG], LONG - 1);
    destroy(&m);
    m = create(LONG, LONG, LONG / 2);
    assert_false(sti_sparse_order(&m, LONG, (const int(*)[2])links, LONG - 1));
    destroy(&m);
}

static void refuses_a_vanished_pivot(void **unused)
{
    (void)unused;
    StiSparseBlocks m = create(2, 1, 1);
    assert_true(sti_sparse_order(&m, 2, (const int[][2]){{0, 1}}, 1));
    sti_sparse_clear(&m);
    m.lower[0] = m.upper[0] = 1.0; // 1 1 / 1 1
    assert_false(sti_sparse_factor(&m, 1e-15));
    destroy(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves_as_the_full_matrix),
                                       cmocka_unit_test(fills_in_little),
                                       cmocka_unit_test(refuses_a_vanished_pivot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
