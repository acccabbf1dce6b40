#include "block/graph.h"

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

static void write_neighbour(BlockGraph *graph, int at, int neighbour, int place, int stride)
{
    graph->neighbour[at] = neighbour;
    graph->place[at] = place;
    graph->stride[at] = stride;
}

static void build_dense(const StiBlock *block, BlockGraph *graph)
{
    int at = 0;
    for (int i = 0; i < block->node_count; ++i) {
        const StiBlockNode *a = &block->nodes[i];
        const int line = a->row * block->row_count;
        graph->first[i] = at;
        write_neighbour(graph, at++, i, line + a->row, block->row_count);
        for (int j = 0; j < block->node_count; ++j)
            if (j != i && touch(block, a, &block->nodes[j]))
                write_neighbour(graph, at++, j, line + block->nodes[j].row, block->row_count);
    }
    graph->first[block->node_count] = at;
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
        const StiBlockPair *pair = &block->pairs[p];
        if (pair->a == pair->b) {
            write_neighbour(graph, graph->first[pair->a], pair->a, pair->place, pair->stride);
            continue;
        }
        write_neighbour(graph, next[pair->a]++, pair->b, pair->place, pair->stride);
        write_neighbour(graph, next[pair->b]++, pair->a, pair->place, -pair->stride);
    }
    for (int i = 0; i < block->node_count; ++i)
        if (graph->neighbour[graph->first[i]] < 0) return false;
    return true;
}

bool sti_block_graph_build(const StiBlock *block, BlockGraph *graph)
{
    graph->count = block->node_count;
    graph->unseen = 0;
    if (block->pairs == NULL)
        build_dense(block, graph);
    else if (!build_sparse(block, graph))
        return false;
    for (int i = 0; i < graph->count; ++i) graph->position[i] = -1;
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

// Everybody feels everybody: then spreading from both ends only brings the last to the front.
static bool is_complete(const BlockGraph *graph)
{
    return graph->first[graph->count] == graph->count * graph->count;
}

static int last_first(const BlockGraph *graph)
{
    const int count = graph->count, turn = count > 2 ? 1 : 0;
    for (int k = 0; k < count; ++k) {
        graph->order[k] = (k + count - turn) % count;
        graph->position[graph->order[k]] = k;
    }
    return count;
}

int sti_block_graph_island(BlockGraph *graph, int done)
{
    if (done == 0 && is_complete(graph)) return last_first(graph);
    while (graph->position[graph->unseen] >= 0) ++graph->unseen;
    int start = graph->unseen;
    int end = spread(graph, start, done);
    if (end - done > 2) { // once more from the far end
        start = graph->order[end - 1];
        for (int k = done; k < end; ++k) graph->position[graph->order[k]] = -1;
        end = spread(graph, start, done);
    }
    for (int k = done; k < end; ++k) graph->position[graph->order[k]] = k;
    return end;
}
