#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "stiction/method.h"
#include "support/near.h"

enum { CONDITIONS = 8 };

// Sum of b_r times powers of c and products with A, for the eight trees up to order 4.
static void residuals(const StiMethod *m, double residual[CONDITIONS], int order[CONDITIONS])
{
    static const int orders[CONDITIONS] = {1, 2, 3, 3, 4, 4, 4, 4};
    static const double wanted[CONDITIONS] = {1.0,       1.0 / 2.0, 1.0 / 3.0,  1.0 / 6.0,
                                              1.0 / 4.0, 1.0 / 8.0, 1.0 / 12.0, 1.0 / 24.0};
    double Ac[STI_METHOD_STAGES] = {0.0}, Acc[STI_METHOD_STAGES] = {0.0},
           AAc[STI_METHOD_STAGES] = {0.0}, sum[CONDITIONS] = {0.0};
    for (int r = 0; r < m->stages; ++r)
        for (int j = 0; j < r; ++j) {
            Ac[r] += m->A[r][j] * m->c[j];
            Acc[r] += m->A[r][j] * m->c[j] * m->c[j];
        }
    for (int r = 0; r < m->stages; ++r)
        for (int j = 0; j < r; ++j) AAc[r] += m->A[r][j] * Ac[j];
    for (int r = 0; r < m->stages; ++r) {
        const double b = m->b[r], c = m->c[r];
        const double terms[CONDITIONS] = {b,          b * c,         b * c * c,
                                          b * Ac[r],  b * c * c * c, b * c * Ac[r],
                                          b * Acc[r], b * AAc[r]};
        for (int i = 0; i < CONDITIONS; ++i) sum[i] += terms[i];
    }
    for (int i = 0; i < CONDITIONS; ++i) {
        residual[i] = sum[i] - wanted[i];
        order[i] = orders[i];
    }
}

static void each_method_has_exactly_its_order(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        double residual[CONDITIONS], beyond = 0.0;
        int order[CONDITIONS];
        residuals(sti_methods[i], residual, order);
        for (int j = 0; j < CONDITIONS; ++j) {
            if (order[j] <= sti_methods[i]->order) assert_near(residual[j], 0.0, 4e-16);
            if (order[j] == sti_methods[i]->order + 1) beyond = fmax(beyond, fabs(residual[j]));
        }
        if (sti_methods[i]->order < 4) assert_true(beyond > 0.01);
    }
}

static void the_tables_are_explicit_and_consistent(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *m = sti_methods[i];
        assert_in_range(m->stages, 1, STI_METHOD_STAGES);
        assert_true(m->c[0] == 0.0);
        for (int r = 0; r < m->stages; ++r) {
            double sum = 0.0;
            for (int j = 0; j < STI_METHOD_STAGES; ++j) {
                if (j >= r) assert_true(m->A[r][j] == 0.0);
                sum += m->A[r][j];
            }
            assert_near(sum, m->c[r], 2e-16);
        }
    }
}

// Conditions of order up to 4 with every choice of the two tables: trees that mix them.
static void pairs_have_their_order_together(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *m = sti_methods[i];
        for (int choice = 0; m->cuts && choice < 4; ++choice) {
            const double(*first)[STI_METHOD_STAGES] = choice & 1 ? m->AI : m->A;
            const double(*second)[STI_METHOD_STAGES] = choice & 2 ? m->AI : m->A;
            double bAc = 0.0, bcAc = 0.0, bAcc = 0.0, bAAc = 0.0;
            for (int r = 0; r < m->stages; ++r)
                for (int j = 0; j <= r; ++j) {
                    const double bA = m->b[r] * first[r][j];
                    bAc += bA * m->c[j];
                    bcAc += bA * m->c[r] * m->c[j];
                    bAcc += bA * m->c[j] * m->c[j];
                    for (int k = 0; k <= j; ++k) bAAc += bA * second[j][k] * m->c[k];
                }
            assert_near(bAc, 1.0 / 6.0, 4e-16);
            if (m->order < 4) continue;
            assert_near(bcAc, 1.0 / 8.0, 4e-16);
            assert_near(bAcc, 1.0 / 12.0, 4e-16);
            assert_near(bAAc, 1.0 / 24.0, 4e-16);
        }
    }
}

static void implicit_tables_have_one_diagonal(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *m = sti_methods[i];
        for (int r = 0; m->cuts && r < m->stages; ++r) {
            double sum = 0.0;
            for (int j = 0; j < STI_METHOD_STAGES; ++j) {
                if (j > r) assert_true(m->AI[r][j] == 0.0);
                sum += m->AI[r][j];
            }
            assert_near(sum, m->c[r], 4e-16);
            assert_true(m->AI[r][r] == (r > 0 ? m->gamma : 0.0));
        }
        if (m->cuts && m->gamma > 0.0) // stiffly accurate
            assert_memory_equal(m->AI[m->stages - 1], m->b, sizeof m->b);
        if (m->stiff != NULL) assert_non_null(sti_method_find(m->stiff));
    }
}

// The step that a stage's result is carried over: to the next stage, and to the end from the last.
static void tau_is_the_way_to_the_next_stage(void **state)
{
    (void)state;
    static const double half[4] = {0.5, 0.5, 1.0, 1.0}; // EQUATIONS 2.12
    for (int r = 0; r < 4; ++r) {
        assert_true(sti_method_rk4.tau[r] == half[r]);
        assert_true(sti_method_gill.tau[r] == half[r]);
    }
    assert_true(sti_method_heun.tau[0] == 1.0 && sti_method_heun.tau[1] == 1.0);
    assert_true(sti_method_euler.tau[0] == 1.0 && sti_method_symplectic_euler.tau[0] == 1.0);
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *m = sti_methods[i];
        if (m->cuts) {
            for (int r = 0; r < m->stages; ++r) assert_true(m->tau[r] == (r > 0 ? m->gamma : 0.0));
            continue;
        }
        assert_true(m->tau[m->stages - 1] == 1.0);
        for (int r = 0; r + 1 < m->stages; ++r) assert_true(m->tau[r] == m->c[r + 1]);
    }
}

static void two_methods_move_positions_last(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i)
        assert_int_equal(sti_methods[i]->positions_last,
                         sti_methods[i] == &sti_method_symplectic_euler ||
                             sti_methods[i] == &sti_method_rule);
}

static void methods_are_found_by_name(void **state)
{
    (void)state;
    int count = 0;
    for (; sti_methods[count] != NULL; ++count) {
        assert_ptr_equal(sti_method_find(sti_methods[count]->name), sti_methods[count]);
        assert_true(strlen(sti_methods[count]->summary) > 5);
    }
    assert_int_equal(count, 10);
    assert_ptr_equal(sti_method_find("rk4"), &sti_method_rk4);
    assert_null(sti_method_find("RK4"));
    assert_null(sti_method_find("rk"));
    assert_null(sti_method_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_method_has_exactly_its_order),
        cmocka_unit_test(the_tables_are_explicit_and_consistent),
        cmocka_unit_test(pairs_have_their_order_together),
        cmocka_unit_test(implicit_tables_have_one_diagonal),
        cmocka_unit_test(tau_is_the_way_to_the_next_stage),
        cmocka_unit_test(two_methods_move_positions_last),
        cmocka_unit_test(methods_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
