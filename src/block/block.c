// The block: islands one after the other, each with static friction released one node at a time.
#include "block/block.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "block/graph.h"
#include "block/island.h"

static const double nothing_of_c = 1e-14; // of its terms: rounding (COUPLED 2.4)
static const double nothing_of_W = 1e-24;

enum {
    NUMBERS_PER_NODE = 5 * 3 + (int)(sizeof(BlockLocal) / sizeof(double)), // c, f, v, saved, step
    INTEGERS_PER_NODE = 6, // order, position, mode, factor_mode, released, base; first: below
};

void sti_block_scratch_size(int node_count, int row_count, int pair_count, size_t *number_count,
                            size_t *integer_count)
{
    const size_t nodes = (size_t)node_count, rows = (size_t)row_count;
    const size_t neighbours = (size_t)sti_block_graph_size(node_count, pair_count);
    *number_count = 9 * neighbours + NUMBERS_PER_NODE * nodes + rows * rows + rows;
    *integer_count = 4 * neighbours + (INTEGERS_PER_NODE + 2) * nodes + 4 + 3 * rows;
}

// Hands out the scratch piece by piece.
typedef struct Cursor {
    double *numbers;
    int *integers;
} Cursor;

static double *take(Cursor *cursor, int count)
{
    double *piece = cursor->numbers;
    cursor->numbers += count;
    return piece;
}

static int *take_integers(Cursor *cursor, int count)
{
    int *piece = cursor->integers;
    cursor->integers += count;
    return piece;
}

// Working memory that all islands use one after the other.
typedef struct Work {
    BlockGraph graph;
    Island island;
    int *first, *neighbour; // of the island
    int *released;          // per node
} Work;

static void lay_out(const StiBlock *block, const StiBlockScratch *scratch, Work *work)
{
    Cursor cursor = {scratch->numbers, scratch->integers};
    const int nodes = block->node_count, rows = block->row_count;
    const int pair_count = block->pairs == NULL ? 0 : block->pair_count;
    const int neighbours = sti_block_graph_size(nodes, pair_count);
    work->released = take_integers(&cursor, nodes);
    work->first = take_integers(&cursor, nodes + 1);
    work->neighbour = take_integers(&cursor, neighbours);
    work->graph = (BlockGraph){.first = take_integers(&cursor, nodes + 1),
                               .neighbour = take_integers(&cursor, neighbours),
                               .place = take_integers(&cursor, neighbours),
                               .stride = take_integers(&cursor, neighbours),
                               .order = take_integers(&cursor, nodes),
                               .position = take_integers(&cursor, nodes)};
    work->island = (Island){.all = block->nodes,
                            .first = work->first,
                            .neighbour = work->neighbour,
                            .W = take(&cursor, 9 * neighbours),
                            .c = take(&cursor, 3 * nodes),
                            .f = take(&cursor, 3 * nodes),
                            .v = take(&cursor, 3 * nodes),
                            .saved = take(&cursor, 3 * nodes),
                            .step = take(&cursor, 3 * nodes),
                            .local = (BlockLocal *)take(&cursor, nodes * (int)(sizeof(BlockLocal) /
                                                                               sizeof(double))),
                            .mode = take_integers(&cursor, nodes),
                            .factor_mode = take_integers(&cursor, nodes),
                            .base = take_integers(&cursor, nodes + 1),
                            .factor = take(&cursor, rows * rows),
                            .solution = take(&cursor, rows),
                            .factor_first = take_integers(&cursor, rows),
                            .factor_start = take_integers(&cursor, rows),
                            .pivot = take_integers(&cursor, rows)};
}

static int first_not_finite(const StiBlock *block, const StiBlockAnswer *answer)
{
    int i = 0;
    while (sti_all_finite(block->c + block->nodes[i].row, block->nodes[i].dim) &&
           sti_all_finite(answer->f + block->nodes[i].row, block->nodes[i].dim))
        ++i;
    return i;
}

static StiStatus check(const StiBlock *block, const StiBlockScratch *scratch,
                       StiBlockAnswer *answer)
{
    size_t numbers, integers;
    int row = 0;
    sti_block_scratch_size(block->node_count, block->row_count,
                           block->pairs == NULL ? 0 : block->pair_count, &numbers, &integers);
    if (scratch->number_count < numbers || scratch->integer_count < integers)
        return STI_OUT_OF_MEMORY;
    for (int i = 0; i < block->node_count; ++i) {
        const StiBlockNode *node = &block->nodes[i];
        answer->worst = i;
        if (node->row != row || node->dim < 1 || node->dim > STI_BLOCK_DIM_MAX)
            return STI_BAD_ARGUMENT;
        row += node->dim;
        const double limits[2] = {node->limit, node->limit_static};
        if (row > block->row_count || node->limit < 0.0) return STI_BAD_ARGUMENT;
        if (!sti_all_finite(limits, 2)) return STI_NOT_FINITE;
    }
    if (row != block->row_count) return STI_BAD_ARGUMENT;
    if (sti_all_finite(block->c, row) && sti_all_finite(answer->f, row)) return STI_OK;
    answer->worst = first_not_finite(block, answer);
    return STI_NOT_FINITE;
}

// Nodes of three rows have them in the order of the slots.
static void gather_square(const double *from, int stride, double *W)
{
    for (int k = 0; stride > 0 && k < 3; ++k)
        for (int l = 0; l < 3; ++l) W[3 * k + l] = from[k * stride + l];
    for (int k = 0; stride < 0 && k < 3; ++k)
        for (int l = 0; l < 3; ++l) W[3 * l + k] = from[-k * stride + l];
}

static void gather_W(const StiBlock *block, const BlockGraph *graph, int i, int edge, double *W)
{
    const StiBlockNode *a = &block->nodes[i], *b = &block->nodes[graph->neighbour[edge]];
    const int stride = graph->stride[edge];
    const double *from = block->W + graph->place[edge];
    if (a->dim == 3 && b->dim == 3) {
        gather_square(from, stride, W);
        return;
    }
    for (int k = 0; k < 9; ++k) W[k] = 0.0;
    for (int k = 0; k < a->dim; ++k)
        for (int l = 0; l < b->dim; ++l)
            W[3 * sti_slot(a, k) + sti_slot(b, l)] =
                stride > 0 ? from[k * stride + l] : from[-l * stride + k];
}

static void gather_rows(const StiBlock *block, const StiBlockAnswer *answer, Island *island, int i)
{
    const StiBlockNode *node = &block->nodes[island->node[i]];
    double *c = island->c + 3 * i, *f = island->f + 3 * i;
    for (int k = 0; k < 3; ++k) c[k] = f[k] = 0.0;
    for (int k = 0; k < node->dim; ++k) {
        const int row = node->row + k, slot = sti_slot(node, k);
        const bool rounding =
            block->c_size != NULL && fabs(block->c[row]) <= nothing_of_c * block->c_size[row];
        c[slot] = rounding ? 0.0 : block->c[row];
        f[slot] = answer->f[row];
    }
}

static void gather_local(const StiBlock *block, Island *island, int i, double W_most)
{
    const StiBlockNode *node = &block->nodes[island->node[i]];
    const double *W = island->W + 9 * island->first[i];
    const int d = sti_tangents(island, i), normal = node->row + node->dim - 1;
    BlockLocal *local = &island->local[i];
    double W_t = 0.0;
    for (int k = 0; k < d; ++k) W_t = sti_larger(W[4 * k], W_t);
    local->W_n = 0.0;
    if (node->kind == STI_BLOCK_CONTACT) {
        const double size = block->W_size != NULL ? block->W_size[normal] : W_most;
        local->W_n = W[8] > nothing_of_W * size ? W[8] : 0.0;
    }
    if (!(W_t > 0.0)) W_t = local->W_n;
    local->W_t = W_t > 0.0 ? W_t : W_most > 0.0 ? W_most : 1.0;
    local->give = 1.0 / local->W_t;
}

// Nodes from..end of the order become the island; false if W has a number that is none.
static bool gather(const StiBlock *block, const StiBlockAnswer *answer, Work *work, int from,
                   int end)
{
    const BlockGraph *graph = &work->graph;
    Island *island = &work->island;
    int at = 0;
    double W_most = 0.0;
    island->count = end - from;
    island->node = graph->order + from;
    island->prepared = false;
    for (int i = 0; i < island->count; ++i) {
        const int node = island->node[i];
        work->first[i] = at;
        for (int e = graph->first[node]; e < graph->first[node + 1]; ++e, ++at) {
            work->neighbour[at] = graph->position[graph->neighbour[e]] - from;
            gather_W(block, graph, node, e, island->W + 9 * at);
        }
        const double *own = island->W + 9 * work->first[i];
        W_most = sti_larger(sti_larger(own[0], own[4]), sti_larger(own[8], W_most));
        gather_rows(block, answer, island, i);
    }
    work->first[island->count] = at;
    for (int i = 0; i < island->count; ++i) gather_local(block, island, i, W_most);
    return sti_all_finite(island->W, 9 * at);
}

static bool holds_static(const StiBlockNode *node, bool released)
{
    return node->stuck_before && !released && node->limit_static > node->limit;
}

static void set_limits(const StiBlock *block, Work *work)
{
    for (int i = 0; i < work->island.count; ++i) {
        const int node = work->island.node[i];
        const StiBlockNode *n = &block->nodes[node];
        work->island.local[i].limit =
            holds_static(n, work->released[node]) ? n->limit_static : n->limit;
    }
}

// Of the nodes that slide under static friction the one that slips most for its limit goes over to
// kinetic friction, for the rest of the step (COUPLED 2.6); false if there is none.
static bool release_worst(const StiBlock *block, Work *work)
{
    const Island *island = &work->island;
    double most = 0.0;
    int worst = -1;
    for (int i = 0; i < island->count; ++i) {
        const BlockLocal *local = &island->local[i];
        const double *v = island->v + 3 * i;
        if (island->mode[i] != STI_BLOCK_SLIDE) continue;
        if (!holds_static(&block->nodes[island->node[i]], work->released[island->node[i]]))
            continue;
        const double load = sti_is_contact(island, i) ? island->f[3 * i + NORMAL] : 1.0;
        const double normal = sti_is_contact(island, i) ? 0.0 : v[2] * v[2];
        const double slip = sqrt(v[0] * v[0] + v[1] * v[1] + normal);
        const double measure = slip / (local->W_t * local->limit * load);
        if (worst >= 0 && !(measure > most)) continue;
        most = measure;
        worst = i;
    }
    if (worst < 0) return false;
    work->released[island->node[worst]] = true;
    return true;
}

static void scatter(const StiBlock *block, const Work *work, StiBlockAnswer *answer)
{
    const Island *island = &work->island;
    for (int i = 0; i < island->count; ++i) {
        const StiBlockNode *node = &block->nodes[island->node[i]];
        for (int k = 0; k < node->dim; ++k) {
            const int at = 3 * i + sti_slot(node, k);
            answer->f[node->row + k] = island->f[at];
            answer->v[node->row + k] = island->v[at];
            answer->power += island->f[at] * island->v[at];
        }
        answer->mode[island->node[i]] = (StiBlockMode)island->mode[i];
        if (answer->released != NULL)
            answer->released[island->node[i]] = work->released[island->node[i]];
    }
    answer->sweeps += island->sweeps;
    answer->iterations += island->iterations;
}

// A contact that nothing can move goes where it goes; if that is inwards, it is left over.
static void look_for_immovable(Island *island)
{
    for (int i = 0; i < island->count; ++i) {
        if (!sti_is_contact(island, i) || island->local[i].W_n > 0.0) continue;
        if (-island->v[3 * i + NORMAL] <= island->residual) continue;
        island->residual = -island->v[3 * i + NORMAL];
        island->worst = i;
    }
}

static void note(StiBlockAnswer *answer, const Island *island, double left, StiBlockOutcome outcome)
{
    if (outcome > answer->outcome) answer->outcome = outcome;
    if (outcome != STI_BLOCK_SOLVED) ++answer->unsolved_islands;
    if (left > answer->left) answer->left = left;
    if (answer->worst >= 0 && !(island->residual > answer->residual)) return;
    answer->residual = island->residual;
    answer->worst = island->node[island->worst];
}

// What has no friction to give up is solved by the same means.
static StiBlockOutcome give_up_friction(Island *island)
{
    bool rubs = false;
    for (int i = 0; i < island->count; ++i)
        rubs = rubs || (sti_is_contact(island, i) && island->local[i].limit > 0.0);
    if (!sti_island_solve_frictionless(island)) return STI_BLOCK_UNSOLVED;
    return rubs ? STI_BLOCK_FRICTIONLESS : STI_BLOCK_SOLVED;
}

static void solve_island(const StiBlock *block, Work *work, StiBlockAnswer *answer)
{
    Island *island = &work->island;
    StiBlockOutcome outcome = STI_BLOCK_SOLVED;
    island->sweeps = island->iterations = 0;
    set_limits(block, work);
    bool solved = sti_island_solve(island);
    while (solved && release_worst(block, work)) {
        ++answer->releases;
        set_limits(block, work);
        solved = sti_island_solve(island);
    }
    double left = island->residual;
    if (!solved) {
        sti_island_velocity(island);
        sti_island_look(island);
        left = island->residual;
        outcome = give_up_friction(island);
    }
    const double before = island->residual;
    look_for_immovable(island);
    if (island->residual > before) outcome = STI_BLOCK_UNSOLVED;
    if (outcome == STI_BLOCK_SOLVED) left = island->residual;
    note(answer, island, fmax(left, island->residual), outcome);
    scatter(block, work, answer);
}

StiStatus sti_block_solve(const StiBlock *block, const StiBlockScratch *scratch,
                          StiBlockAnswer *answer)
{
    answer->outcome = STI_BLOCK_SOLVED;
    answer->residual = answer->left = answer->power = 0.0;
    answer->islands = answer->unsolved_islands = 0;
    answer->sweeps = answer->iterations = answer->releases = 0;
    const StiStatus status = check(block, scratch, answer);
    if (status != STI_OK) return status;
    answer->worst = -1;
    Work work;
    lay_out(block, scratch, &work);
    memset(work.released, 0, (size_t)block->node_count * sizeof *work.released);
    if (!sti_block_graph_build(block, &work.graph)) return STI_BAD_ARGUMENT;
    for (int from = 0, end; from < block->node_count; from = end) {
        end = sti_block_graph_island(&work.graph, from);
        if (!gather(block, answer, &work, from, end)) {
            answer->worst = work.graph.order[from];
            return STI_NOT_FINITE;
        }
        solve_island(block, &work, answer);
        ++answer->islands;
    }
    return STI_OK;
}
