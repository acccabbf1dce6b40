#include "cone/graph.h"

int sti_block_graph_size(int node_count, int pair_count)
{
    return pair_count > 0 ? 2 * pair_count : node_count * node_count;
}

static bool touch(const StiBlock *block, const StiBlockNode *a, const StiBlockNode *b)
{
    const double *W = block->W + a->row * block->row_count + b->row;
    for (int i = 0; i < a->dim; ++i)
        for (int j = 0; j < b->dim; ++j)
            if (W[i * block->row_count + j] != 0.0) return true;
    return false;
}

static void write_by_slots(const StiBlockNode *a, const StiBlockNode *b, const double *from,
                           int stride, double *W)
{
    for (int k = 0; k < 9; ++k) W[k] = 0.0;
    for (int k = 0; k < a->dim; ++k)
        for (int l = 0; l < b->dim; ++l)
            W[3 * sti_slot(a, k) + sti_slot(b, l)] = from[k * stride + l];
}

// W of two nodes. Those with three rows have them in the order of the slots.
static inline void write_W(const StiBlockNode *a, const StiBlockNode *b,
                           const double *restrict from, int stride, double *restrict W)
{
    if (a->dim + b->dim < 6) {
        write_by_slots(a, b, from, stride, W);
        return;
    }
    for (int k = 0; k < 3; ++k, from += stride)
        for (int l = 0; l < 3; ++l) W[3 * k + l] = from[l];
}

static inline void write_transposed(const double *restrict W, double *restrict transposed)
{
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) transposed[3 * l + k] = W[3 * k + l];
}

static void add_dense(const StiBlock *block, BlockGraph *graph, int at, int i, int j)
{
    const StiBlockNode *a = &block->nodes[i], *b = &block->nodes[j];
    graph->neighbour[at] = j;
    write_W(a, b, block->W + a->row * block->row_count + b->row, block->row_count,
            graph->W + 9 * at);
}

static void build_dense(const StiBlock *block, BlockGraph *graph)
{
    int at = 0;
    for (int i = 0; i < block->node_count; ++i) {
        graph->first[i] = at;
        add_dense(block, graph, at++, i, i);
        for (int j = 0; j < block->node_count; ++j)
            if (j != i && touch(block, &block->nodes[i], &block->nodes[j]))
                add_dense(block, graph, at++, i, j);
    }
    graph->first[block->node_count] = at;
}

// Every pair, in the order (0, 0) (1, 0) (1, 1) (2, 0) ..: then it is known what goes where. False
// if it is not so.
static bool build_triangle(const StiBlock *block, BlockGraph *graph)
{
    const int count = block->node_count;
    const StiBlockNode *nodes = block->nodes;
    const StiBlockPair *pair = block->pairs;
    if (block->pair_count != count * (count + 1) / 2) return false;
    for (int a = 0, first = 0; a < count; ++a, first += count, ++pair) {
        graph->first[a] = first;
        for (int b = 0; b < a; ++b, ++pair) {
            const int there = first + 1 + b, back = b * count + a;
            double *W = graph->W + 9 * there;
            if (pair->a != a || pair->b != b) return false;
            write_W(&nodes[a], &nodes[b], block->W + pair->place, pair->stride, W);
            write_transposed(W, graph->W + 9 * back);
            graph->neighbour[there] = b;
            graph->neighbour[back] = a;
        }
        if (pair->a != a || pair->b != a) return false;
        write_W(&nodes[a], &nodes[a], block->W + pair->place, pair->stride, graph->W + 9 * first);
        graph->neighbour[first] = a;
    }
    graph->first[count] = count * count;
    return true;
}

// first[i + 1] counts the neighbours of i, then becomes where they end.
static bool count_neighbours(const StiBlock *block, BlockGraph *graph)
{
    for (int i = 0; i <= block->node_count; ++i) graph->first[i] = i > 0;
    for (int p = 0; p < block->pair_count; ++p) {
        const int a = block->pairs[p].a, b = block->pairs[p].b;
        if (a < 0 || b < 0 || a >= block->node_count || b >= block->node_count) return false;
        if (a == b) continue;
        ++graph->first[a + 1];
        ++graph->first[b + 1];
    }
    for (int i = 0; i < block->node_count; ++i) graph->first[i + 1] += graph->first[i];
    return true;
}

static bool build_sparse(const StiBlock *block, BlockGraph *graph)
{
    if (!count_neighbours(block, graph)) return false;
    if (graph->first[block->node_count] > 2 * block->pair_count) return false;
    int *next = graph->position;
    for (int i = 0; i < block->node_count; ++i) {
        next[i] = graph->first[i] + 1;
        graph->neighbour[graph->first[i]] = -1;
    }
    for (int p = 0; p < block->pair_count; ++p) {
        const int a = block->pairs[p].a, b = block->pairs[p].b;
        const int there = a == b ? graph->first[a] : next[a]++;
        double *W = graph->W + 9 * there;
        graph->neighbour[there] = b;
        write_W(&block->nodes[a], &block->nodes[b], block->W + block->pairs[p].place,
                block->pairs[p].stride, W);
        if (a == b) continue;
        graph->neighbour[next[b]] = a;
        write_transposed(W, graph->W + 9 * next[b]++);
    }
    for (int i = 0; i < block->node_count; ++i)
        if (graph->neighbour[graph->first[i]] < 0) return false;
    return true;
}

static bool is_complete(const BlockGraph *graph)
{
    return graph->first[graph->count] == graph->count * graph->count;
}

bool sti_block_graph_build(const StiBlock *block, BlockGraph *graph)
{
    graph->count = block->node_count;
    graph->unseen = 0;
    if (block->pairs == NULL)
        build_dense(block, graph);
    else if (!build_triangle(block, graph) && !build_sparse(block, graph))
        return false;
    for (int i = 0; i < graph->count; ++i) graph->last[i] = graph->first[i + 1];
    for (int i = 0; i < graph->count && !is_complete(graph); ++i) graph->position[i] = -1;
    return true;
}

static int degree(const BlockGraph *graph, int node)
{
    return graph->first[node + 1] - graph->first[node];
}

// Breadth first from a node, of the same generation those with few neighbours first (Cuthill and
// McKee). Returns the end of the order.
static int spread(const BlockGraph *graph, int start, int done)
{
    int end = done;
    graph->order[end] = start;
    graph->position[start] = end++;
    for (int front = done; front < end; ++front) {
        const int node = graph->order[front], fresh = end;
        for (int e = graph->first[node] + 1; e < graph->first[node + 1]; ++e) {
            const int other = graph->neighbour[e];
            if (graph->position[other] >= 0) continue;
            int at = end++;
            for (; at > fresh && degree(graph, graph->order[at - 1]) > degree(graph, other); --at)
                graph->order[at] = graph->order[at - 1];
            graph->order[at] = other;
            graph->position[other] = at; // provisional: only "visited" matters while spreading
        }
    }
    return end;
}

// From nodes to their places in the island that begins at `from`.
static void renumber(BlockGraph *graph, int from, int end)
{
    for (int k = from; k < end; ++k) {
        const int node = graph->order[k];
        for (int e = graph->first[node]; e < graph->first[node + 1]; ++e)
            graph->neighbour[e] = graph->position[graph->neighbour[e]] - from;
    }
}

static int order_complete(BlockGraph *graph)
{
    const int count = graph->count;
    for (int k = 0; k < count; ++k) {
        graph->order[k] = sti_complete_order(count, k);
        graph->position[graph->order[k]] = k;
    }
    if (count > 2) renumber(graph, 0, count);
    return count;
}

int sti_block_graph_island(BlockGraph *graph, int done)
{
    if (is_complete(graph)) return order_complete(graph);
    while (graph->position[graph->unseen] >= 0) ++graph->unseen;
    int start = graph->unseen;
    int end = spread(graph, start, done);
    if (end - done > 2) { // once more from the far end
        start = graph->order[end - 1];
        for (int k = done; k < end; ++k) graph->position[graph->order[k]] = -1;
        end = spread(graph, start, done);
    }
    for (int k = done; k < end; ++k) graph->position[graph->order[k]] = k;
    renumber(graph, done, end);
    return end;
}
