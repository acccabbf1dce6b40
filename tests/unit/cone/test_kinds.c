// Rows that always hold, contacts that slide along a given line, and friction that is kept.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/redundant_block.h"
#include "unit/robot/dense.h"

static BlockCase p;

static void start(int rows, const double *W, const double *c)
{
    block_case_start(&p);
    memcpy(p.W, W, (size_t)(rows * rows) * sizeof *W);
    memcpy(p.c, c, (size_t)rows * sizeof *c);
}

static void near(double a, double b) { assert_true(fabs(a - b) <= 1e-12 * (1.0 + fabs(b))); }

// 2 f = 3, whatever it takes: friction would stop at its limit.
static void bilateral_rows_pull_and_push(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        start(1, (double[]){2.0}, (double[]){3.0 * sign});
        block_case_add(&p, STI_BLOCK_BILATERAL, 1, 0.0);
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        assert_int_equal(p.mode[0], STI_BLOCK_STICK);
        near(p.f[0], -1.5 * sign);
        assert_true(p.v[0] == 0.0);
    }
}

// Random mechanisms: the forces of bilateral rows alone are those of a dense elimination.
static void bilateral_rows_solve_a_linear_system(void **state)
{
    (void)state;
    Random random = {.state = 8};
    for (int n = 0; n < 200; ++n) {
        enum { DOFS = 24 };
        double J[12][DOFS], A[144], x[12];
        block_case_start(&p);
        const int nodes = 1 + random_below(&random, 4);
        for (int i = 0; i < nodes; ++i)
            block_case_add(&p, STI_BLOCK_BILATERAL, 1 + random_below(&random, 3), 0.0);
        const int rows = p.block.row_count;
        for (int a = 0; a < rows; ++a)
            for (int k = 0; k < DOFS; ++k) J[a][k] = random_between(&random, -1.0, 1.0);
        for (int a = 0; a < rows; ++a) {
            p.c[a] = random_between(&random, -1.0, 1.0);
            x[a] = -p.c[a];
            for (int b = 0; b < rows; ++b) {
                double sum = 0.0;
                for (int k = 0; k < DOFS; ++k) sum += J[a][k] * J[b][k];
                p.W[a * rows + b] = A[a * rows + b] = sum;
            }
        }
        dense_solve(rows, A, x);
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        for (int a = 0; a < rows; ++a) {
            assert_true(fabs(p.f[a] - x[a]) < 1e-10);
            assert_true(p.v[a] == 0.0);
        }
    }
}

// A bead on a bar that also touches a wall: the bar takes what the wall does not.
static void bilateral_rows_live_with_contacts(void **state)
{
    (void)state;
    Random random = {.state = 12};
    for (int n = 0; n < 500; ++n) {
        RandomBlock kind = {.contacts = 1 + random_below(&random, 4),
                            .friction_nodes = 2,
                            .mu_most = 0.8};
        random_block(&random, &kind, &p);
        bool bilateral = false;
        for (int i = 0; i < p.block.node_count; ++i)
            if (p.nodes[i].kind == STI_BLOCK_FRICTION && random_below(&random, 2) == 0) {
                p.nodes[i].kind = STI_BLOCK_BILATERAL;
                bilateral = true;
            }
        if (!bilateral) continue;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_true(p.answer.outcome <= STI_BLOCK_SOFT);
        for (int i = 0; i < p.block.node_count; ++i) // as if their limit were high enough
            if (p.nodes[i].kind == STI_BLOCK_BILATERAL) {
                p.nodes[i].kind = STI_BLOCK_FRICTION;
                p.nodes[i].limit = p.nodes[i].limit_static =
                    1.0 + 2.0 * block_length(p.f + p.nodes[i].row, p.nodes[i].dim);
            }
        const BlockVerdict verdict = block_case_judge(&p);
        assert_true(verdict.violation <= 1e-9 * verdict.scale + 2.0 * p.answer.residual);
    }
}

// Alone: (W_nn - mu W_nt d) f_n = -c_n, friction against d, and what that does along the tangents.
static void a_given_slip_decides_its_friction(void **state)
{
    (void)state;
    const double W[9] = {1.0, 0.1, 0.3, 0.1, 2.0, -0.2, 0.3, -0.2, 1.5}, c[3] = {0.7, -0.4, -1.0};
    start(3, W, c);
    block_case_add(&p, STI_BLOCK_CONTACT, 3, 0.5);
    p.nodes[0].sliding = true;
    p.nodes[0].along[0] = 0.6;
    p.nodes[0].along[1] = -0.8;
    p.block.keep_friction = true;
    assert_int_equal(block_case_solve(&p), STI_OK);
    const double give = 1.5 - 0.5 * (0.3 * 0.6 + -0.2 * -0.8), fn = 1.0 / give;
    const double f[3] = {-0.5 * fn * 0.6, 0.5 * fn * 0.8, fn};
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
    assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
    for (int a = 0; a < 3; ++a) {
        near(p.f[a], f[a]);
        near(p.v[a],
             a == 2 ? 0.0 : c[a] + W[3 * a] * f[0] + W[3 * a + 1] * f[1] + W[3 * a + 2] * f[2]);
    }
    p.c[2] = 1.0; // leaves
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_OPEN);
    assert_true(p.f[0] == 0.0 && p.f[2] == 0.0);
    near(p.v[2], 1.0);
}

// Painleve: friction pushes it in more than the normal force keeps it out. There is no answer, and
// none without friction is wanted.
static void no_answer_is_said_so(void **state)
{
    (void)state;
    const double W[9] = {1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0}, c[3] = {0.0, 0.0, -1.0};
    start(3, W, c);
    block_case_add(&p, STI_BLOCK_CONTACT, 3, 1.5);
    p.nodes[0].sliding = true;
    p.nodes[0].along[0] = 1.0;
    p.block.keep_friction = true;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_UNSOLVED);
    assert_int_equal(p.answer.worst, 0);
    assert_true(p.answer.residual >= 1.0 - 1e-12);
}

// Boxes that slide along given lines on several points, with others that may stick: judged from W
// and c alone.
static void given_slips_and_cones_together(void **state)
{
    (void)state;
    Random random = {.state = 4};
    int unsolved = 0, solved = 0;
    for (int n = 0; n < 1000; ++n) {
        const RedundantKind kind = {.bodies = 1 + random_below(&random, 3),
                                    .points = 4,
                                    .mu_most = 0.4,
                                    .faces = true};
        redundant_block(&random, &kind, &p);
        for (int i = 0; i < p.block.node_count; ++i) {
            const double angle = random_between(&random, 0.0, 6.28);
            p.nodes[i].sliding = random_below(&random, 2) == 0;
            p.nodes[i].along[0] = cos(angle);
            p.nodes[i].along[1] = sin(angle);
        }
        p.block.keep_friction = true;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_not_equal(p.answer.outcome, STI_BLOCK_FRICTIONLESS);
        if (p.answer.outcome == STI_BLOCK_UNSOLVED) {
            ++unsolved;
            assert_true(p.answer.worst >= 0 && p.answer.residual > 0.0);
            continue;
        }
        ++solved;
        double v[BLOCK_ROWS], scale = 0.0;
        block_case_multiply(&p, p.f, v);
        for (int a = 0; a < p.block.row_count; ++a) scale = fmax(scale, fabs(p.c[a]));
        const double slack = 1e-9 * scale + 2.0 * p.answer.residual;
        for (int i = 0; i < p.block.node_count; ++i) {
            const double *f = p.f + 3 * i, *u = v + 3 * i, mu = p.nodes[i].limit;
            assert_true(f[2] >= 0.0 && u[2] >= -slack && (f[2] == 0.0 || u[2] <= slack));
            for (int k = 0; p.nodes[i].sliding && k < 2; ++k)
                assert_true(f[k] == -mu * p.nodes[i].along[k] * f[2]);
            if (p.nodes[i].sliding) continue;
            const double slip = block_length(u, 2), rub = block_length(f, 2);
            assert_true(rub <= mu * f[2] * (1.0 + 1e-9) + 1e-12);
            if (slip > 1e3 * slack) assert_true(rub >= mu * f[2] * (1.0 - 1e-6));
        }
    }
    print_message("%d solved, %d without an answer\n", solved, unsolved);
    assert_true(solved > 900);
}

// Friction of several contacts that leaves no answer is dropped only where that is wanted.
static void friction_is_kept_if_asked_for(void **state)
{
    (void)state;
    Random random = {.state = 99};
    int kept = 0;
    for (int n = 0; n < 3000; ++n) {
        const RandomBlock kind = {.contacts = 4, .mu_most = 50.0};
        random_block(&random, &kind, &p);
        p.block.keep_friction = true;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_not_equal(p.answer.outcome, STI_BLOCK_FRICTIONLESS);
        kept += p.answer.outcome == STI_BLOCK_UNSOLVED;
    }
    print_message("%d without an answer\n", kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bilateral_rows_pull_and_push),
        cmocka_unit_test(bilateral_rows_solve_a_linear_system),
        cmocka_unit_test(bilateral_rows_live_with_contacts),
        cmocka_unit_test(a_given_slip_decides_its_friction),
        cmocka_unit_test(no_answer_is_said_so),
        cmocka_unit_test(given_slips_and_cones_together),
        cmocka_unit_test(friction_is_kept_if_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
