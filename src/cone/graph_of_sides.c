// Islands of a block by sides: nodes on one body feel each other.
#include "cone/graph.h"

static int root_of(int *parent, int body)
{
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
}

static int body_of(const StiBlock *block, int node, int side)
{
    return block->sides[2 * block->nodes[node].row + side].body;
}

static void join_bodies(const StiBlock *block, int *parent)
{
    for (int b = 0; b < block->body_count; ++b) parent[b] = b;
    for (int i = 0; i < block->node_count; ++i) {
        const int a = body_of(block, i, 0), b = body_of(block, i, 1);
        if (a < 0 || b < 0) continue;
        const int x = root_of(parent, a), y = root_of(parent, b);
        parent[x < y ? y : x] = x < y ? x : y;
    }
}

// Islands are numbered by their first nodes; a node that nothing can move is one by itself.
void sti_block_graph_of_sides(const StiBlock *block, BlockGraph *graph)
{
    int *parent = graph->body, *number = parent + block->body_count, *next = graph->first, count = 0;
    graph->count = block->node_count;
    join_bodies(block, parent);
    for (int b = 0; b < block->body_count; ++b) number[b] = -1;
    for (int i = 0; i < graph->count; ++i) {
        const int a = body_of(block, i, 0), body = a >= 0 ? a : body_of(block, i, 1);
        const int root = body >= 0 ? root_of(parent, body) : -1;
        if (root < 0 || number[root] < 0) {
            next[count] = 0;
            if (root >= 0) number[root] = count;
            graph->position[i] = count++;
        } else {
            graph->position[i] = number[root];
        }
        ++next[graph->position[i]];
    }
    for (int k = 0, start = 0; k < count; ++k) {
        const int size = next[k];
        next[k] = start;
        start += size;
    }
    for (int i = 0; i < graph->count; ++i) graph->order[next[graph->position[i]]++] = i;
}

// W of two nodes by slots: what they do to the bodies that both are on.
static bool feel(const StiBlock *block, int a, int b, double *W)
{
    const StiBlockNode *A = &block->nodes[a], *B = &block->nodes[b];
    bool felt = false;
    for (int k = 0; k < 9; ++k) W[k] = 0.0;
    for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t) {
            if (body_of(block, a, s) < 0 || body_of(block, a, s) != body_of(block, b, t)) continue;
            felt = true;
            for (int k = 0; k < A->dim; ++k)
                for (int l = 0; l < B->dim; ++l) {
                    const double *x = block->sides[2 * (A->row + k) + s].J;
                    const double *y = block->sides[2 * (B->row + l) + t].J;
                    double sum = 0.0;
                    for (int d = 0; d < STI_BLOCK_BODY; ++d) sum += x[d] * y[d];
                    W[3 * sti_slot(A, k) + sti_slot(B, l)] += sum;
                }
        }
    return felt;
}

int sti_block_graph_side_island(const StiBlock *block, BlockGraph *graph, int done)
{
    const int island = graph->position[graph->order[done]];
    int end = done + 1, at = 0;
    while (end < graph->count && graph->position[graph->order[end]] == island) ++end;
    const bool few = end - done < STI_FEW_NODES;
    for (int k = done; k < end; ++k) {
        const int node = graph->order[k];
        graph->first[node] = at;
        feel(block, node, node, graph->W + 9 * at);
        graph->neighbour[at++] = k - done;
        for (int l = done; few && l < end; ++l) {
            if (l == k || !feel(block, node, graph->order[l], graph->W + 9 * at)) continue;
            graph->neighbour[at++] = l - done;
        }
        graph->last[node] = at;
    }
    return end;
}
