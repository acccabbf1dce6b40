// Random contact blocks: what is solved obeys Coulomb's law and complementarity and makes no energy;
// what is not is rare, says so, and makes none either. A plain projected Gauss-Seidel, written
// without a look at the solver, is the second opinion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_block.h"
#include "support/short.h"

static BlockCase p, second;

static RandomBlock any_kind(Random *random, int contacts)
{
    return (RandomBlock){.contacts = contacts,
                         .friction_nodes = random_below(random, 2) ? random_below(random, 4) : 0,
                         .planar = random_below(random, 2) == 1,
                         .gaps = random_below(random, 2) == 1,
                         .mu_most = 1.5};
}

// Energy that the forces add, over T: f.c + f.W f/2. Gaps in c only make it larger.
static double energy_bound(const BlockCase *q)
{
    double v[BLOCK_ROWS], sum = 0.0;
    block_case_multiply(q, q->f, v);
    for (int a = 0; a < q->block.row_count; ++a) sum += 0.5 * q->f[a] * (q->c[a] + v[a]);
    return sum;
}

static void judge(const BlockCase *q)
{
    const BlockVerdict verdict = block_case_judge(q);
    double force = 0.0;
    for (int a = 0; a < q->block.row_count; ++a) force = fmax(force, fabs(q->f[a]));
    assert_true(energy_bound(q) <= 1e-12 * verdict.scale * force);
    if (q->answer.outcome != STI_BLOCK_SOLVED) return;
    assert_true(verdict.violation <= 1e-10 * verdict.scale);
    assert_true(verdict.moved <= 2e-9 * verdict.scale);
    assert_true(verdict.power <= 0.0);
    assert_true(q->answer.residual <= 1e-10 * verdict.scale);
}

static void solved_blocks_obey_the_law(void **state)
{
    (void)state;
    static const struct {
        int contacts;
        long count, count_when_short;
        double unsolved_most; // share
    } part[] = {{1, 60000, 3000, 3e-4},
                {2, 40000, 2000, 6e-4},
                {4, 12000, 400, 3e-3},
                {8, 1500, 40, 1e-2}};
    Random random = {.state = 2024};
    for (size_t i = 0; i < sizeof part / sizeof *part; ++i) {
        const long count = steps_or(part[i].count, part[i].count_when_short);
        long unsolved = 0;
        for (long n = 0; n < count; ++n) {
            const RandomBlock kind = any_kind(&random, part[i].contacts);
            random_block(&random, &kind, &p);
            assert_int_equal(block_case_solve(&p), STI_OK);
            assert_int_not_equal(p.answer.outcome, STI_BLOCK_UNSOLVED);
            judge(&p);
            unsolved += p.answer.outcome != STI_BLOCK_SOLVED;
        }
        assert_true((double)unsolved <= 2.0 + part[i].unsolved_most * (double)count);
    }
}

static double trace(const BlockCase *q, int row, int dim)
{
    double sum = 0.0;
    for (int k = 0; k < dim; ++k) sum += q->W[(row + k) * (q->block.row_count + 1)];
    return sum;
}

static void project_once(BlockCase *q)
{
    const int rows = q->block.row_count;
    for (int i = 0; i < q->block.node_count; ++i) {
        const StiBlockNode *node = &q->nodes[i];
        const bool contact = node->kind == STI_BLOCK_CONTACT;
        const int t = contact ? node->dim - 1 : node->dim;
        double *f = q->f + node->row, v[3];
        for (int part = 0; part < 2; ++part) { // the normal, then the tangents
            for (int k = 0; k < node->dim; ++k) {
                v[k] = q->c[node->row + k];
                for (int b = 0; b < rows; ++b) v[k] += q->W[(node->row + k) * rows + b] * q->f[b];
            }
            const double W = part == 0 ? trace(q, node->row + t, contact) : trace(q, node->row, t);
            if (!(W > 0.0)) continue;
            if (part == 0) {
                f[t] = fmax(0.0, f[t] - v[t] / W);
                continue;
            }
            for (int k = 0; k < t; ++k) f[k] -= v[k] / W;
            const double limit = node->limit * (contact ? f[t] : 1.0), size = block_length(f, t);
            for (int k = 0; k < t && size > limit; ++k) f[k] *= limit / size;
        }
    }
}

// True if it converged; f, v are then its answer.
static bool solve_plainly(BlockCase *q, int sweeps)
{
    memset(q->f, 0, sizeof q->f);
    for (int n = 0; n < sweeps; ++n) project_once(q);
    block_case_multiply(q, q->f, q->v);
    const BlockVerdict verdict = block_case_judge(q);
    return verdict.violation <= 1e-9 * verdict.scale;
}

static void a_second_opinion_agrees(void **state)
{
    (void)state;
    const long count = steps_or(3000, 60);
    long compared = 0, different = 0, missed = 0;
    Random random = {.state = 31};
    for (long n = 0; n < count; ++n) {
        RandomBlock kind = any_kind(&random, 1 + random_below(&random, 3));
        kind.distinct = true; // contacts with the same normal may share their load in many ways
        kind.mu_most = 0.8;
        random_block(&random, &kind, &p);
        memcpy(&second, &p, sizeof p);
        second.block.W = second.W;
        second.block.c = second.c;
        second.block.nodes = second.nodes;
        assert_int_equal(block_case_solve(&p), STI_OK);
        memset(second.released, 0, sizeof second.released);
        if (!solve_plainly(&second, 3000)) continue;
        ++compared;
        missed += p.answer.outcome != STI_BLOCK_SOLVED;
        double apart = 0.0, size = 0.0;
        for (int a = 0; a < p.block.row_count; ++a) {
            apart = fmax(apart, fabs(p.v[a] - second.v[a]));
            size = fmax(size, fabs(p.c[a]));
        }
        different += p.answer.outcome == STI_BLOCK_SOLVED && apart > 1e-4 * size;
    }
    print_message("plain sweeps solve %ld of %ld; of these %ld unsolved here, %ld another motion\n",
                  compared, count, missed, different);
    assert_true(2 * compared > count);
    assert_true((double)missed <= 1.0 + 1e-3 * (double)compared);
    assert_true((double)different <= 1.0 + 1e-2 * (double)compared); // two valid motions exist
}

// Unsolvable or not: the way to mu = 0 ends, and its forces obey the law without friction.
static void giving_up_friction_always_ends(void **state)
{
    (void)state;
    const long count = steps_or(10000, 300);
    Random random = {.state = 7};
    for (long n = 0; n < count; ++n) {
        RandomBlock kind = any_kind(&random, 1 + random_below(&random, 6));
        random_block(&random, &kind, &p);
        for (int i = 0; i < p.block.node_count; ++i)
            if (p.nodes[i].kind == STI_BLOCK_CONTACT) p.nodes[i].limit = 0.0;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        judge(&p);
    }
}

// Friction far beyond reason (Painleve): an answer or a report, never NaN.
static void absurd_friction_ends_in_a_report(void **state)
{
    (void)state;
    const long count = steps_or(3000, 100);
    long unsolved = 0;
    Random random = {.state = 99};
    for (long n = 0; n < count; ++n) {
        RandomBlock kind = any_kind(&random, 1 + random_below(&random, 4));
        kind.mu_most = 50.0;
        random_block(&random, &kind, &p);
        assert_int_equal(block_case_solve(&p), STI_OK);
        judge(&p);
        unsolved += p.answer.outcome != STI_BLOCK_SOLVED;
        for (int a = 0; a < p.block.row_count; ++a) assert_true(isfinite(p.f[a]));
        if (p.answer.outcome != STI_BLOCK_SOLVED) assert_true(p.answer.left > 0.0);
    }
    assert_true(unsolved < count / 5);
}

static void a_pile_stands_slides_and_stays_solved(void **state)
{
    (void)state;
    Random random = {.state = 3};
    for (long n = 0; n < steps_or(200, 10); ++n) {
        const int cubes = 1 + random_below(&random, 10);
        double push[10];
        for (int k = 0; k < cubes; ++k) push[k] = random_between(&random, -4.0, 4.0);
        stacked_block(cubes, random_between(&random, 0.2, 1.0), n % 4 == 0 ? NULL : push, &p);
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        judge(&p);
        if (n % 4 == 0)
            for (int a = 0; a < p.block.row_count; ++a) assert_true(p.v[a] == 0.0);
        const int iterations = p.answer.iterations;
        p.block.resumed = true;
        assert_int_equal(block_case_solve(&p), STI_OK); // warm: at once
        assert_true(p.answer.iterations <= 2 && iterations >= p.answer.iterations);
    }
}

static void memory_content_does_not_matter(void **state)
{
    (void)state;
    Random random = {.state = 11};
    for (int n = 0; n < 50; ++n) {
        const RandomBlock kind = any_kind(&random, 3);
        random_block(&random, &kind, &p);
        memcpy(&second, &p, sizeof p);
        memset(second.numbers, 0xff, sizeof second.numbers);
        memset(second.integers, 0x55, sizeof second.integers);
        second.answer.f = second.f;
        second.answer.v = second.v;
        second.answer.mode = second.mode;
        second.answer.released = second.released;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(block_case_solve(&second), STI_OK);
        assert_memory_equal(p.f, second.f, sizeof p.f);
        assert_memory_equal(p.v, second.v, (size_t)p.block.row_count * sizeof *p.v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solved_blocks_obey_the_law),
        cmocka_unit_test(a_second_opinion_agrees),
        cmocka_unit_test(giving_up_friction_always_ends),
        cmocka_unit_test(absurd_friction_ends_in_a_report),
        cmocka_unit_test(a_pile_stands_slides_and_stays_solved),
        cmocka_unit_test(memory_content_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
