// The block as a caller sees it: closed forms, modes, limits, reports.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/random_block.h"

static BlockCase p;

// A 2 kg point on a plane, T = 1 ms: W = T/m on each row.
static void start_point(double mu, double vx, double vy, double vn)
{
    block_case_start(&p);
    block_case_add(&p, STI_BLOCK_CONTACT, 3, mu);
    memset(p.W, 0, 9 * sizeof *p.W);
    p.W[0] = p.W[4] = p.W[8] = 5e-4;
    p.c[0] = vx;
    p.c[1] = vy;
    p.c[2] = vn;
}

static void a_point_slides_against_its_velocity(void **state)
{
    (void)state;
    start_point(0.5, 3e-3, 4e-3, -1e-3);
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
    assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
    assert_near(p.f[2], 2.0, 1e-15);
    assert_near(p.f[0], -0.6, 1e-15);
    assert_near(p.f[1], -0.8, 1e-15);
    assert_near(p.v[0], 2.7e-3, 1e-18);
    assert_true(p.v[2] == 0.0);
}

static void a_point_sticks_at_exactly_zero(void **state)
{
    (void)state;
    start_point(0.5, 3e-4, 0.0, -1e-3);
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
    assert_near(p.f[0], -0.6, 1e-15);
    assert_true(p.v[0] == 0.0 && p.v[1] == 0.0 && p.v[2] == 0.0);
}

static void a_point_that_leaves_is_free(void **state)
{
    (void)state;
    start_point(0.5, 3e-4, 0.0, 1e-3);
    p.f[2] = 7.0; // a warm start that is no longer true
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_OPEN);
    assert_true(p.f[0] == 0.0 && p.f[1] == 0.0 && p.f[2] == 0.0);
    assert_true(p.v[2] == 1e-3);
}

static void what_is_rounding_is_zero(void **state)
{
    (void)state;
    const double c_size[3] = {1.0, 1.0, 1.0};
    start_point(0.5, 0.0, 0.0, -5e-15);
    p.block.c_size = c_size;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_OPEN);
    p.c[2] = -5e-14;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
}

static void a_contact_that_nothing_moves_is_reported(void **state)
{
    (void)state;
    start_point(0.5, 0.0, 0.0, -0.25);
    p.W[8] = 0.0;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_UNSOLVED);
    assert_int_equal(p.answer.worst, 0);
    assert_near(p.answer.residual, 0.25, 0.0);
    p.c[2] = 0.0;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
}

// One coordinate moves the point along (-1, 0, 1) and a belt below drags it in: the more it is
// held up, the more friction pulls it down. No answer with friction above 1; one without.
static void wedging_gives_up_friction_and_says_so(void **state)
{
    (void)state;
    start_point(1.2, -1.9, 0.0, -0.1);
    p.W[0] = p.W[8] = 1e-3;
    p.W[4] = 0.0;
    p.W[2] = p.W[6] = -1e-3;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_FRICTIONLESS);
    assert_int_equal(p.answer.unsolved_islands, 1);
    assert_true(p.f[0] == 0.0 && p.f[1] == 0.0);
    assert_near(p.f[2], 100.0, 1e-12);
    assert_true(p.answer.left > 0.0);
    assert_true(p.answer.power <= 0.0);
}

// Static above kinetic: what holds under 0.6 slides under 0.5, once it slides.
static void static_friction_holds_or_is_released(void **state)
{
    (void)state;
    start_point(0.5, 5.5e-4, 0.0, -1e-3); // needs 0.55 of the load
    p.nodes[0].limit_static = 0.6;
    p.nodes[0].stuck_before = true;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
    assert_int_equal(p.answer.releases, 0);
    p.nodes[0].stuck_before = false;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
    assert_near(p.f[0], -1.0, 1e-15);
    p.nodes[0].stuck_before = true;
    p.c[0] = 6.5e-4;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
    assert_int_equal(p.answer.releases, 1);
    assert_true(p.released[0]);
    assert_near(p.f[0], -1.0, 1e-15);
}

// Two blocks in a row, pulled apart by 2.2 N in all; each holds 1.2 N static and 1 N kinetic and
// they are tied by a friction row that never slips. All at once would release both.
static void the_worst_goes_first_and_unloads_the_other(void **state)
{
    (void)state;
    block_case_start(&p);
    for (int i = 0; i < 2; ++i) {
        block_case_add(&p, STI_BLOCK_FRICTION, 1, 1.0);
        p.nodes[i].limit_static = i == 0 ? 1.2 : 2.0;
        p.nodes[i].stuck_before = true;
    }
    const double W[4] = {1.0, 0.5, 0.5, 1.0};
    memcpy(p.W, W, sizeof W);
    p.c[0] = 2.0; // sticking: f = -(1.5, 1.5)... the first cannot
    p.c[1] = 2.0;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
    assert_true(p.released[0]);
    assert_false(p.released[1]);
    assert_near(p.f[0], -1.0, 1e-15);
    assert_near(p.f[1], -1.5, 1e-15);
    assert_true(p.v[1] == 0.0);
}

// A plate of 2 kg in a plane slides on two points 0.4 m apart, 0.1 m below its centre. Friction
// follows the loads, of which the front one is the larger: m g (a +- mu h)/2a.
static void start_plate(double mu, double vx)
{
    const double m = 2.0, inertia = 0.05, T = 1e-3, a = 0.2, h = 0.1;
    double J[6][3]; // x, z, turn (forward: front goes down)
    block_case_start(&p);
    for (int i = 0; i < 2; ++i) {
        const double arm = i == 0 ? -a : a;
        block_case_add(&p, STI_BLOCK_CONTACT, 3, mu);
        const double rows[3][3] = {{1.0, 0.0, -h}, {0.0, 0.0, 0.0}, {0.0, 1.0, -arm}};
        memcpy(J[3 * i], rows, sizeof rows);
    }
    for (int r = 0; r < 6; ++r) {
        p.c[r] = vx * J[r][0] - 9.81 * T * J[r][1];
        for (int s = 0; s < 6; ++s)
            p.W[6 * r + s] =
                T * ((J[r][0] * J[s][0] + J[r][1] * J[s][1]) / m + J[r][2] * J[s][2] / inertia);
    }
}

static void friction_along_a_line_follows_the_load(void **state)
{
    (void)state;
    const double mu = 0.4, load = 0.5 * 2.0 * 9.81, more = mu * 0.1 / 0.2;
    start_plate(mu, 1.0);
    assert_int_equal(block_case_solve(&p), STI_OK);
    for (int warm = 0; warm < 2; ++warm) {
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        assert_near(p.f[2], load * (1.0 - more), 1e-12);
        assert_near(p.f[5], load * (1.0 + more), 1e-12);
        assert_near(p.v[0], 1.0 - mu * 9.81e-3, 1e-15);
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(p.mode[i], STI_BLOCK_SLIDE);
            assert_true(p.f[3 * i] == -mu * p.f[3 * i + 2]);
            assert_true(p.f[3 * i + 1] == 0.0 && p.v[3 * i + 1] == 0.0 && p.v[3 * i + 2] == 0.0);
        }
        // From other loads, and from friction that does not belong to them: one solve.
        for (int r = 0; r < 6; ++r) p.f[r] *= r % 3 == 0 ? 0.9 : 0.95;
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.iterations, 1);
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    start_point(0.5, NAN, 0.0, -1e-3);
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
    start_point(0.5, 0.0, 0.0, -1e-3);
    p.W[1] = INFINITY;
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
    start_point(0.5, 0.0, 0.0, -1e-3);
    p.f[1] = NAN;
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
    assert_int_equal(p.answer.worst, 0);
    start_point(0.5, -INFINITY, 0.0, -1e-3);
    const double no_size[3] = {INFINITY, 1.0, 1.0};
    p.block.c_size = no_size; // not rounding, however large its terms
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
    start_point(INFINITY, 0.0, 0.0, -1e-3);
    assert_int_equal(block_case_solve(&p), STI_NOT_FINITE);
    start_point(0.5, 0.0, 0.0, -1e-3);
    p.nodes[0].dim = 4;
    assert_int_equal(block_case_solve(&p), STI_BAD_ARGUMENT);
    start_point(0.5, 0.0, 0.0, -1e-3);
    p.block.row_count = 5;
    assert_int_equal(block_case_solve(&p), STI_BAD_ARGUMENT);
    start_point(0.5, 0.0, 0.0, -1e-3);
    const StiBlockScratch none = {0};
    assert_int_equal(sti_block_solve(&p.block, &none, &p.answer), STI_OUT_OF_MEMORY);
}

static void an_empty_block_is_solved(void **state)
{
    (void)state;
    block_case_start(&p);
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
    assert_int_equal(p.answer.islands, 0);
}

// The same problem as one dense matrix and as pairs, with the nodes' blocks in any place.
static void pairs_and_dense_give_the_same_bits(void **state)
{
    (void)state;
    Random random = {.state = 77};
    const RandomBlock kind = {.contacts = 3, .friction_nodes = 1, .mu_most = 0.8};
    random_block(&random, &kind, &p);
    assert_int_equal(block_case_solve(&p), STI_OK);
    double f[BLOCK_ROWS];
    const int rows = p.block.row_count, nodes = p.block.node_count;
    memcpy(f, p.f, sizeof f);
    memset(p.f, 0, sizeof p.f);
    for (int i = 0; i < nodes; ++i)
        for (int j = 0; j <= i; ++j)
            p.pairs[p.block.pair_count++] = (StiBlockPair){
                .a = i, .b = j, .place = p.nodes[i].row * rows + p.nodes[j].row, .stride = rows};
    p.block.pairs = p.pairs;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_memory_equal(f, p.f, (size_t)rows * sizeof *f);
}

// Two friction rows on one freedom, pushed with 5: the smallest forces that hold it, 2.5 each, are beyond the first
// one's static limit, but 1 and 4 are not. Creep of soft rows must not be taken for slip, which would let both go.
static void static_friction_that_shares_a_freedom_is_not_let_go_by_creep(void **state)
{
    (void)state;
    block_case_start(&p);
    block_case_add(&p, STI_BLOCK_FRICTION, 1, 0.6);
    block_case_add(&p, STI_BLOCK_FRICTION, 1, 3.0);
    p.nodes[0].limit_static = 1.0;
    p.nodes[1].limit_static = 4.5;
    p.nodes[0].stuck_before = p.nodes[1].stuck_before = true;
    for (int i = 0; i < 4; ++i) p.W[i] = 1.0;
    p.c[0] = p.c[1] = 5.0;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
    assert_int_equal(p.mode[0], STI_BLOCK_STICK);
    assert_int_equal(p.mode[1], STI_BLOCK_STICK);
    assert_near(p.f[0], -1.0, 1e-9);
    assert_near(p.f[1], -4.0, 1e-9);
    p.c[0] = p.c[1] = 5.6; // more than both can hold: both slide
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
    assert_int_equal(p.mode[1], STI_BLOCK_SLIDE);
    assert_near(p.v[0], 2.0, 1e-12);
}

// An arm at its furthest reach: its tip can be moved across the arm only, so W has rank 1, and no force changes its
// acceleration along the arm. It cannot stick; with friction either way the normal force is positive.
static void a_tip_of_a_stretched_arm_slides(void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        const double a = 0.05 + 0.035 * i, mu = 0.5 * (a < 1.0 ? 1.0 : tan(1.5707 - a));
        const double n = sin(a), t = cos(a);
        if (!(n - mu * t > 0.1)) continue;
        block_case_start(&p);
        block_case_add(&p, STI_BLOCK_CONTACT, 3, mu);
        const double u[3] = {0.6 * t, 0.8 * t, n};
        for (int r = 0; r < 9; ++r) p.W[r] = u[r / 3] * u[r % 3];
        p.c[0] = -0.6, p.c[1] = -0.8, p.c[2] = -2.0 - n;
        const double push = (2.0 + n) / n, slip = -1.0 + t * push; // v_n = 0
        assert_int_equal(block_case_solve(&p), STI_OK);
        assert_int_equal(p.answer.outcome, STI_BLOCK_SOLVED);
        assert_int_equal(p.mode[0], STI_BLOCK_SLIDE);
        assert_near(p.v[0], 0.6 * slip, 1e-12 * push);
        assert_near(p.v[1], 0.8 * slip, 1e-12 * push);
        assert_near(p.f[2], push / (n - copysign(mu, slip) * t), 1e-12 * push / 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_slides_against_its_velocity),
        cmocka_unit_test(a_point_sticks_at_exactly_zero),
        cmocka_unit_test(a_point_that_leaves_is_free),
        cmocka_unit_test(what_is_rounding_is_zero),
        cmocka_unit_test(a_contact_that_nothing_moves_is_reported),
        cmocka_unit_test(wedging_gives_up_friction_and_says_so),
        cmocka_unit_test(static_friction_holds_or_is_released),
        cmocka_unit_test(the_worst_goes_first_and_unloads_the_other),
        cmocka_unit_test(friction_along_a_line_follows_the_load),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(an_empty_block_is_solved),
        cmocka_unit_test(pairs_and_dense_give_the_same_bits),
        cmocka_unit_test(a_tip_of_a_stretched_arm_slides),
        cmocka_unit_test(static_friction_that_shares_a_freedom_is_not_let_go_by_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
