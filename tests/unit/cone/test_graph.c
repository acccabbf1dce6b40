// Islands and the order within them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cone/graph.h"
#include "support/random_block.h"

enum { NODES = 6, PLACES = NODES * NODES };

static int first[NODES + 1], ends[NODES], neighbour[PLACES], order[NODES], position[NODES];
static double W[9 * PLACES], given[9 * PLACES];
static StiBlockNode nodes[NODES];
static StiBlockPair pairs[16];
static StiBlock block;
static BlockGraph graph;

static void start(const int (*links)[2], int count)
{
    block = (StiBlock){
        .node_count = NODES, .row_count = NODES, .nodes = nodes, .pairs = pairs, .W = given};
    for (int i = 0; i < NODES; ++i) {
        nodes[i] = (StiBlockNode){.kind = STI_BLOCK_FRICTION, .row = i, .dim = 1, .limit = 1.0};
        pairs[block.pair_count++] = (StiBlockPair){.a = i, .b = i, .place = i, .stride = 1};
    }
    for (int i = 0; i < count; ++i)
        pairs[block.pair_count++] =
            (StiBlockPair){.a = links[i][0], .b = links[i][1], .place = NODES + i, .stride = 1};
    graph = (BlockGraph){
        .first = first, .last = ends, .neighbour = neighbour, .W = W, .order = order, .position = position};
}

static void islands_are_what_hangs_together(void **state)
{
    (void)state;
    const int links[][2] = {{0, 4}, {4, 2}, {1, 3}};
    start(links, 3);
    assert_true(sti_block_graph_build(&block, &graph));
    assert_int_equal(sti_block_graph_island(&graph, 0), 3); // 0, 2, 4
    assert_int_equal(sti_block_graph_island(&graph, 3), 5); // 1, 3
    assert_int_equal(sti_block_graph_island(&graph, 5), 6); // 5
    assert_true(position[0] < 3 && position[2] < 3 && position[4] < 3);
    assert_int_equal(order[5], 5);
    for (int k = 0; k < NODES; ++k) assert_int_equal(position[order[k]], k);
}

// However a chain is numbered, neighbours end side by side.
static void a_chain_becomes_a_band(void **state)
{
    (void)state;
    const int links[][2] = {{3, 0}, {5, 3}, {0, 2}, {1, 5}, {2, 4}}; // 1 5 3 0 2 4
    start(links, 5);
    assert_true(sti_block_graph_build(&block, &graph));
    assert_int_equal(sti_block_graph_island(&graph, 0), NODES);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(abs(position[links[i][0]] - position[links[i][1]]), 1);
}

// A node of two rows and a contact of three: rows go to their slots, both ways round.
static void the_other_way_round_W_is_transposed(void **state)
{
    (void)state;
    const double numbers[6] = {11.0, 12.0, 13.0, 21.0, 22.0, 23.0};
    start(NULL, 0);
    block.node_count = 2;
    block.pair_count = 0;
    block.row_count = 5;
    nodes[0] = (StiBlockNode){.kind = STI_BLOCK_FRICTION, .row = 0, .dim = 2};
    nodes[1] = (StiBlockNode){.kind = STI_BLOCK_CONTACT, .row = 2, .dim = 3};
    memcpy(given, numbers, sizeof numbers);
    const StiBlockPair listed[3] = {{0, 1, 0, 3}, {1, 1, 9, 3}, {0, 0, 18, 2}};
    memcpy(pairs, listed, sizeof listed);
    block.pair_count = 3;
    assert_true(sti_block_graph_build(&block, &graph));
    assert_int_equal(neighbour[first[0]], 0);
    assert_int_equal(neighbour[first[0] + 1], 1);
    assert_int_equal(neighbour[first[1] + 1], 0);
    const double *there = W + 9 * (first[0] + 1), *back = W + 9 * (first[1] + 1);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            const double expected = k < 2 ? numbers[3 * k + l] : 0.0;
            assert_true(there[3 * k + l] == expected && back[3 * l + k] == expected);
        }
}

// All pairs, in the order of a triangle or in another: the same neighbours with the same W.
static void a_full_triangle_is_the_same_in_any_order(void **state)
{
    (void)state;
    int neighbours[NODES * NODES];
    double blocks[9 * NODES * NODES];
    start(NULL, 0);
    block.node_count = block.row_count = 4;
    block.pair_count = 0;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b <= a; ++b) {
            pairs[block.pair_count] = (StiBlockPair){a, b, block.pair_count, 1};
            given[block.pair_count++] = 10.0 * a + b + 1.0;
        }
    assert_true(sti_block_graph_build(&block, &graph));
    memcpy(neighbours, neighbour, 16 * sizeof *neighbours);
    memcpy(blocks, W, 9 * 16 * sizeof *blocks);
    const StiBlockPair last = pairs[9];
    pairs[9] = pairs[0]; // itself always comes first: the places stay
    pairs[0] = last;
    memset(W, 0, sizeof W);
    memset(neighbour, 0, sizeof neighbour);
    assert_true(sti_block_graph_build(&block, &graph));
    assert_memory_equal(neighbours, neighbour, 16 * sizeof *neighbours);
    assert_memory_equal(blocks, W, 9 * 16 * sizeof *blocks);
    assert_int_equal(sti_block_graph_island(&graph, 0), 4);
    for (int k = 0; k < 4; ++k) assert_int_equal(neighbour[first[order[k]]], k);
}

static void bad_pairs_are_refused(void **state)
{
    (void)state;
    const int beyond[][2] = {{0, NODES}};
    start(beyond, 1);
    assert_false(sti_block_graph_build(&block, &graph));
    start(beyond, 0);
    pairs[2].a = pairs[2].b = 1; // node 2 has no W of its own
    assert_false(sti_block_graph_build(&block, &graph));
}

static BlockCase p;

static void nodes_that_do_not_touch_are_solved_alone(void **state)
{
    (void)state;
    block_case_start(&p);
    for (int i = 0; i < 3; ++i) block_case_add(&p, STI_BLOCK_FRICTION, 1, 1.0);
    memset(p.W, 0, 9 * sizeof *p.W);
    for (int i = 0; i < 3; ++i) {
        p.W[4 * i] = 1.0;
        p.c[i] = 0.8;
    }
    p.W[2] = p.W[6] = 0.5;
    assert_int_equal(block_case_solve(&p), STI_OK);
    assert_int_equal(p.answer.islands, 2);
    assert_true(p.v[0] == 0.0 && p.v[1] == 0.0 && p.v[2] == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_what_hangs_together),
        cmocka_unit_test(a_chain_becomes_a_band),
        cmocka_unit_test(the_other_way_round_W_is_transposed),
        cmocka_unit_test(a_full_triangle_is_the_same_in_any_order),
        cmocka_unit_test(bad_pairs_are_refused),
        cmocka_unit_test(nodes_that_do_not_touch_are_solved_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
