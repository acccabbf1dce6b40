// The block: islands one after the other, each with static friction released one node at a time.
#include "block/block.h"

#include <math.h>

#include "base/finite.h"
#include "block/graph.h"
#include "block/island.h"

static const double nothing_of_c = 1e-14; // of its terms: rounding (COUPLED 2.4)
static const double nothing_of_W = 1e-24;

enum {
    LOCAL = sizeof(BlockLocal) / sizeof(double),
    NODE = sizeof(IslandNode) / sizeof(int),
    NUMBERS_PER_NODE = 5 * 3 + LOCAL, // c, f, v, saved, step
    INTEGERS_PER_NODE = 3 + NODE,     // first, order, position
};

void sti_block_scratch_size(int node_count, int row_count, int pair_count, size_t *number_count,
                            size_t *integer_count)
{
    const size_t nodes = (size_t)node_count, rows = (size_t)row_count;
    const size_t neighbours = (size_t)sti_block_graph_size(node_count, pair_count);
    *number_count = 9 * neighbours + NUMBERS_PER_NODE * nodes + rows * rows + 3 * rows;
    *integer_count = neighbours + INTEGERS_PER_NODE * nodes + 1 + 3 * rows;
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

// Working memory; all islands use theirs one after the other.
typedef struct Work {
    BlockGraph graph;
    Island island;
} Work;

static void lay_out(const StiBlock *block, const StiBlockScratch *scratch, Work *work)
{
    Cursor cursor = {scratch->numbers, scratch->integers};
    const int nodes = block->node_count, rows = block->row_count;
    const int pair_count = block->pairs == NULL ? 0 : block->pair_count;
    const int neighbours = sti_block_graph_size(nodes, pair_count);
    work->graph.first = take_integers(&cursor, nodes + 1);
    work->graph.neighbour = take_integers(&cursor, neighbours);
    work->graph.W = take(&cursor, 9 * neighbours);
    work->graph.order = take_integers(&cursor, nodes);
    work->graph.position = take_integers(&cursor, nodes);
    Island *island = &work->island;
    island->neighbour = work->graph.neighbour;
    island->W = work->graph.W;
    island->nodes = (IslandNode *)take_integers(&cursor, NODE * nodes);
    island->local = (BlockLocal *)take(&cursor, LOCAL * nodes);
    island->c = take(&cursor, 3 * nodes);
    island->f = take(&cursor, 3 * nodes);
    island->v = take(&cursor, 3 * nodes);
    island->saved = take(&cursor, 3 * nodes);
    island->step = take(&cursor, 3 * nodes);
    island->factor = take(&cursor, rows * rows);
    island->solution = take(&cursor, rows);
    island->soft = take(&cursor, rows);
    island->left = take(&cursor, rows);
    island->factor_first = take_integers(&cursor, rows);
    island->factor_start = take_integers(&cursor, rows);
    island->pivot = take_integers(&cursor, rows);
}

static bool is_finite(double x) { return x - x == 0.0; }

// Numbers of W, c and f are looked at when they have met: see `gather`.
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
        if (row > block->row_count || node->limit < 0.0) return STI_BAD_ARGUMENT;
        if (!is_finite(node->limit) || !is_finite(node->limit_static)) return STI_NOT_FINITE;
    }
    return row == block->row_count ? STI_OK : STI_BAD_ARGUMENT;
}

static double largest_W(const BlockGraph *graph, int from, int end)
{
    double most = 0.0;
    for (int k = from; k < end; ++k) {
        const double *own = graph->W + 9 * graph->first[graph->order[k]];
        most = sti_larger(sti_larger(own[0], own[4]), sti_larger(own[8], most));
    }
    return most;
}

static void gather_node(const BlockGraph *graph, const StiBlockNode *from, int index,
                        IslandNode *node)
{
    node->index = index;
    node->contact = from->kind == STI_BLOCK_CONTACT;
    node->tangents = from->dim - node->contact;
    node->first = graph->first[index];
    node->end = graph->first[index + 1];
    node->holds_static = from->stuck_before && from->limit_static > from->limit;
    node->released = false;
}

// c without what is only rounding, and the forces to begin with, of a node with d rows. Returns the
// largest |c|.
static inline double gather_rows(int d, int normal, const double *restrict given,
                                 const double *restrict size, const double *restrict start,
                                 double *restrict c, double *restrict f)
{
    double most = 0.0;
    for (int k = 0; k < d; ++k) {
        const int slot = k == normal ? NORMAL : k;
        const double least = size != NULL ? nothing_of_c * size[k] : 0.0;
        const double size_of_c = fabs(given[k]);
        f[slot] = start[k];
        c[slot] = size_of_c < least ? 0.0 : given[k];
        most = sti_larger(fabs(c[slot]), most);
    }
    return most;
}

static double gather_given(const StiBlock *block, const StiBlockNode *from, const double *start,
                           double *c, double *f)
{
    const double *given = block->c + from->row;
    const double *size = block->c_size != NULL ? block->c_size + from->row : NULL;
    start += from->row;
    if (from->dim == 3) return gather_rows(3, NORMAL, given, size, start, c, f);
    for (int k = 0; k < 3; ++k) c[k] = f[k] = 0.0;
    return gather_rows(from->dim, from->kind == STI_BLOCK_CONTACT ? from->dim - 1 : -1, given, size,
                       start, c, f);
}

// W_most: of the island, where there are no sizes.
static void gather_local(const StiBlock *block, const StiBlockNode *from, const Island *island,
                         int i, double W_most)
{
    IslandNode *node = &island->nodes[i];
    BlockLocal *local = &island->local[i];
    const double *W = island->W + 9 * node->first, *c = island->c + 3 * i, *f = island->f + 3 * i;
    const double *size = block->W_size;
    double W_t = 0.0, W_n = 0.0;
    for (int k = 0; k < node->tangents; ++k) {
        node->still[k] = !(W[4 * k] > 0.0) && W[4 * k] == 0.0 && c[k] == 0.0 && f[k] == 0.0;
        W_t = sti_larger(W[4 * k], W_t);
    }
    if (node->contact) {
        const double terms = size != NULL ? size[from->row + node->tangents] : W_most;
        W_n = W[8] > nothing_of_W * terms ? W[8] : 0.0;
    }
    local->W_n = W_n;
    local->W_t = W_t > 0.0 ? W_t : W_n;
    local->give = 1.0 / local->W_t;
    local->along[2] = 0.0;
    local->limit = node->holds_static ? from->limit_static : from->limit;
}

// Of what nothing moves, forces count as if it were like the others.
static void give_scale(const BlockGraph *graph, Island *island, int from, int end)
{
    const double W_most = largest_W(graph, from, end);
    for (int i = 0; i < island->count; ++i) {
        BlockLocal *local = &island->local[i];
        if (local->W_t > 0.0) continue;
        local->W_t = W_most > 0.0 ? W_most : 1.0;
        local->give = 1.0 / local->W_t;
    }
}

// Nodes from..end of the order become the island.
static void gather(const StiBlock *block, const double *start, Work *work, int from, int end)
{
    const BlockGraph *graph = &work->graph;
    Island *island = &work->island;
    const double W_most = block->W_size == NULL ? largest_W(graph, from, end) : 0.0;
    double c_most = 0.0;
    int holding = 0, movable = true, scaled = true;
    island->count = end - from;
    for (int i = 0; i < island->count; ++i) {
        const int index = graph->order[from + i];
        const StiBlockNode *given = &block->nodes[index];
        const double c = gather_given(block, given, start, island->c + 3 * i, island->f + 3 * i);
        c_most = sti_larger(c, c_most);
        gather_node(graph, given, index, &island->nodes[i]);
        gather_local(block, given, island, i, W_most);
        holding += island->nodes[i].holds_static;
        movable = movable && (!island->nodes[i].contact || island->local[i].W_n > 0.0);
        scaled = scaled && island->local[i].W_t > 0.0;
    }
    if (!scaled) give_scale(graph, island, from, end);
    island->prepared = false;
    island->scale = c_most;
    island->holding = holding;
    island->immovable = !movable;
    sti_island_velocity(island);
}

// A number of W, c or f that is none makes a velocity that is none, whatever it meets (0 times
// infinity, too). Returns -1, or a node of which c or f is, or one of its island.
static int find_not_finite(const Island *island)
{
    if (sti_all_finite(island->v, 3 * island->count)) return -1;
    for (int i = 0; i < island->count; ++i)
        if (!sti_all_finite(island->c + 3 * i, 3) || !sti_all_finite(island->f + 3 * i, 3))
            return island->nodes[i].index;
    return island->nodes[0].index;
}

// Of the nodes that slide under static friction the one that slips most for its limit goes over to
// kinetic friction, for the rest of the step (COUPLED 2.6); false if there is none.
static bool release_worst(const StiBlock *block, Island *island)
{
    double most = 0.0;
    int worst = -1;
    for (int i = 0; island->holding > 0 && i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const BlockLocal *local = &island->local[i];
        const double *v = island->v + 3 * i;
        if (node->mode != STI_BLOCK_SLIDE || !node->holds_static) continue;
        const double load = node->contact ? island->f[3 * i + NORMAL] : 1.0;
        const double normal = node->contact ? 0.0 : v[2] * v[2];
        const double slip = sqrt(v[0] * v[0] + v[1] * v[1] + normal);
        const double measure = slip / (local->W_t * local->limit * load);
        if (worst >= 0 && !(measure > most)) continue;
        most = measure;
        worst = i;
    }
    if (worst < 0) return false;
    island->nodes[worst].holds_static = false;
    island->nodes[worst].released = true;
    island->local[worst].limit = block->nodes[island->nodes[worst].index].limit;
    --island->holding;
    return true;
}

// Returns the power of a node with d rows.
static inline double scatter_rows(int d, int tangents, const double *restrict f,
                                  const double *restrict v, double *restrict f_out,
                                  double *restrict v_out, double power)
{
    for (int k = 0; k < d; ++k) {
        const int slot = k < tangents ? k : NORMAL;
        f_out[k] = f[slot];
        v_out[k] = v[slot];
        power += f[slot] * v[slot];
    }
    return power;
}

static void scatter(const StiBlock *block, const Island *island, StiBlockAnswer *answer)
{
    double power = answer->power;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double *f = island->f + 3 * i, *v = island->v + 3 * i;
        const StiBlockNode *from = &block->nodes[node->index];
        double *f_out = answer->f + from->row, *v_out = answer->v + from->row;
        power = from->dim == 3 ? scatter_rows(3, NORMAL, f, v, f_out, v_out, power)
                               : scatter_rows(from->dim, node->tangents, f, v, f_out, v_out, power);
        answer->mode[node->index] = (StiBlockMode)node->mode;
        if (answer->released != NULL) answer->released[node->index] = node->released;
    }
    answer->power = power;
    answer->sweeps += island->sweeps;
    answer->iterations += island->iterations;
}

// A contact that nothing can move goes where it goes; if that is inwards, it is left over.
static void look_for_immovable(Island *island)
{
    for (int i = 0; island->immovable && i < island->count; ++i) {
        if (!island->nodes[i].contact || island->local[i].W_n > 0.0) continue;
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
    answer->worst = island->nodes[island->worst].index;
}

// What has no friction to give up is solved by the same means.
static StiBlockOutcome give_up_friction(Island *island)
{
    bool rubs = false;
    for (int i = 0; i < island->count; ++i)
        rubs = rubs || (island->nodes[i].contact && island->local[i].limit > 0.0);
    if (!sti_island_solve_frictionless(island)) return STI_BLOCK_UNSOLVED;
    return rubs ? STI_BLOCK_FRICTIONLESS : STI_BLOCK_SOLVED;
}

static void solve_island(const StiBlock *block, Island *island, StiBlockAnswer *answer)
{
    StiBlockOutcome outcome = STI_BLOCK_SOLVED;
    island->sweeps = island->iterations = 0;
    bool solved = sti_island_solve(island);
    while (solved && release_worst(block, island)) {
        ++answer->releases;
        sti_island_velocity(island);
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
    scatter(block, island, answer);
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
    if (!sti_block_graph_build(block, &work.graph)) return STI_BAD_ARGUMENT;
    for (int from = 0, end; from < block->node_count; from = end) {
        end = sti_block_graph_island(&work.graph, from);
        gather(block, answer->f, &work, from, end);
        const int not_finite = find_not_finite(&work.island);
        if (not_finite >= 0) {
            answer->worst = not_finite;
            return STI_NOT_FINITE;
        }
        solve_island(block, &work.island, answer);
        ++answer->islands;
    }
    for (int i = 0; answer->order != NULL && i < block->node_count; ++i)
        answer->order[i] = work.graph.order[i];
    return STI_OK;
}
