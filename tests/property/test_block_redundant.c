// Blocks whose forces are not unique: they obey the law, have the least norm of all that do, and
// depend neither on where the search starts, nor on the order of nodes, nor on the directions of
// tangents, nor on a mirror.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/redundant_block.h"
#include "support/short.h"

static BlockCase p, q;

static double largest(const double *x, int count)
{
    double most = 0.0;
    for (int a = 0; a < count; ++a) most = fmax(most, fabs(x[a]));
    return most;
}

// Is it held in every row, well within the limits? Then the forces of least norm lie in the range of
// W.
static bool all_stick(const BlockCase *b)
{
    const double least = 1e-6 * largest(b->f, b->block.row_count);
    for (int i = 0; i < b->block.node_count; ++i) {
        const double *f = b->f + 3 * i;
        if (b->mode[i] != STI_BLOCK_STICK) return false;
        if (!(block_length(f, 2) < b->nodes[i].limit * f[2] - least)) return false;
    }
    return true;
}

// Part of f outside the range of W, by Gram and Schmidt on its columns, twice, with the largest
// column that is left first.
static double outside_range(const BlockCase *b)
{
    static double A[BLOCK_ROWS][BLOCK_ROWS];
    const int rows = b->block.row_count;
    double left[BLOCK_ROWS], whole = 0.0;
    for (int j = 0; j < rows; ++j)
        for (int a = 0; a < rows; ++a) A[j][a] = b->W[a * rows + j];
    memcpy(left, b->f, (size_t)rows * sizeof *left);
    for (int j = 0; j < rows; ++j) whole = fmax(whole, block_length(A[j], rows));
    for (int n = 0; n < rows; ++n) {
        int best = n;
        for (int j = n; j < rows; ++j)
            if (block_length(A[j], rows) > block_length(A[best], rows)) best = j;
        for (int a = 0; a < rows; ++a) {
            const double held = A[n][a];
            A[n][a] = A[best][a];
            A[best][a] = held;
        }
        const double size = block_length(A[n], rows);
        if (size < 1e-9 * whole) break;
        for (int a = 0; a < rows; ++a) A[n][a] /= size;
        for (int twice = 0; twice < 2; ++twice)
            for (int j = n + 1; j <= rows; ++j) {
                double *x = j < rows ? A[j] : left, along = 0.0;
                for (int a = 0; a < rows; ++a) along += A[n][a] * x[a];
                for (int a = 0; a < rows; ++a) x[a] -= along * A[n][a];
            }
    }
    return largest(left, rows) / largest(b->f, rows);
}

static void judge(const BlockCase *b)
{
    const BlockVerdict verdict = block_case_judge(b);
    const double creep = b->answer.outcome == STI_BLOCK_SOFT ? b->answer.residual : 0.0;
    assert_true(b->answer.outcome <= STI_BLOCK_SOFT);
    assert_true(verdict.violation <= 1e-9 * verdict.scale + 2.0 * creep);
    assert_true(verdict.moved <= 1e-9 * verdict.scale + 2.0 * creep);
    assert_true(verdict.power <= 1e-12 * verdict.scale * largest(b->f, b->block.row_count));
}

// The same forces in another order, with other tangents, in a mirror, from elsewhere? Returns the
// largest difference of forces relative to the largest; moved: of velocities, to the largest c.
static double changed(Random *random, bool mirrored, double *moved)
{
    double f[BLOCK_ROWS], v[BLOCK_ROWS], worst = 0.0;
    const int rows = p.block.row_count;
    const Turned turned = turned_block(random, &p, mirrored, &q);
    const double size = largest(p.f, rows);
    for (int a = 0; a < rows; ++a) q.f[a] = size * random_between(random, -1.0, 1.0);
    assert_int_equal(block_case_solve(&q), STI_OK);
    judge(&q);
    turn_back(&turned, &q, q.f, f);
    turn_back(&turned, &q, q.v, v);
    *moved = 0.0;
    for (int a = 0; a < rows; ++a) {
        worst = fmax(worst, fabs(f[a] - p.f[a]));
        *moved = fmax(*moved, fabs(v[a] - p.v[a]));
    }
    *moved /= largest(p.c, rows);
    return worst / size;
}

typedef struct Part {
    const char *name;
    RedundantKind kind;
    int count, count_when_short;
    double forces;  // how much may they differ
    double another; // share of blocks with other forces or another motion: jammed to the limit in
                    // all contacts, the law allows several motions and their modes are hard to find
} Part;

static void run(const Part *part)
{
    Random random = {.state = 5};
    const long count = steps_or(part->count, part->count_when_short);
    long soft = 0, others = 0, stuck = 0;
    double worst = 0.0, outside = 0.0, iterations = 0.0, interior = 0.0;
    for (long n = 0; n < count; ++n) {
        RedundantKind kind = part->kind;
        kind.bodies = 1 + random_below(&random, kind.bodies);
        kind.points = 3 + random_below(&random, kind.points - 2);
        redundant_block(&random, &kind, &p);
        assert_int_equal(block_case_solve(&p), STI_OK);
        judge(&p);
        iterations += p.answer.iterations;
        interior += p.answer.interior_steps;
        soft += p.answer.outcome == STI_BLOCK_SOFT;
        if (p.answer.outcome == STI_BLOCK_SOLVED && all_stick(&p)) {
            ++stuck;
            outside = fmax(outside, outside_range(&p));
        }
        double moved;
        const double difference = changed(&random, n % 2 == 1, &moved);
        if (p.answer.outcome != STI_BLOCK_SOLVED || q.answer.outcome != STI_BLOCK_SOLVED) continue;
        if (moved > 1e-6 || (part->another > 0.0 && difference > part->forces))
            ++others;
        else
            worst = fmax(worst, difference);
    }
    print_message("%s: %ld blocks, %ld all stuck, %ld soft, %ld others; forces differ "
                  "by %.1e, outside the range of W %.1e; %.1f iterations, %.1f interior\n",
                  part->name, count, stuck, soft, others, worst, outside,
                  iterations / (double)count, interior / (double)count);
    assert_true(outside <= part->forces && worst <= part->forces);
    assert_true((double)others <= part->another * (double)count);
    assert_true(10 * soft <= count);
}

static void resting_piles(void **state)
{
    (void)state;
    run(&(Part){.name = "at rest",
                .kind = {.bodies = 4,
                         .points = 8,
                         .mu_least = 0.3,
                         .mu_most = 1.0,
                         .resting = true,
                         .faces = true},
                .count = 1500,
                .count_when_short = 60,
                .forces = 1e-6});
}

static void resting_with_noise(void **state)
{
    (void)state;
    run(&(Part){.name = "at rest, c inconsistent by 1e-12",
                .kind = {.bodies = 4,
                         .points = 8,
                         .mu_least = 0.3,
                         .mu_most = 1.0,
                         .resting = true,
                         .faces = true,
                         .noise = 1e-12},
                .count = 1000,
                .count_when_short = 40,
                .forces = 1e-4});
}

static void sliding_faces(void **state)
{
    (void)state;
    run(&(Part){.name = "sliding faces",
                .kind = {.bodies = 3, .points = 5, .mu_most = 0.5, .faces = true},
                .count = 1000,
                .count_when_short = 40,
                .forces = 1e-5,
                .another = 0.005});
}

static void jammed(void **state)
{
    (void)state;
    run(&(Part){.name = "jammed",
                .kind = {.bodies = 3, .points = 8, .mu_least = 0.2, .mu_most = 0.8},
                .count = 800,
                .count_when_short = 200,
                .forces = 1e-5,
                .another = 0.005});
}

static void without_friction(void **state)
{
    (void)state;
    run(&(Part){.name = "without friction",
                .kind = {.bodies = 4, .points = 8, .faces = true},
                .count = 1000,
                .count_when_short = 40,
                .forces = 1e-5});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resting_piles),    cmocka_unit_test(resting_with_noise),
        cmocka_unit_test(sliding_faces),    cmocka_unit_test(jammed),
        cmocka_unit_test(without_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
