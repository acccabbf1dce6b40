// The block: islands one after the other, each with static friction released one node at a time.
#include "cone/block.h"

#include <limits.h>
#include <math.h>

#include "cone/by_bodies.h"
#include "cone/graph.h"
#include "cone/island.h"

enum {
    LOCAL = sizeof(BlockLocal) / sizeof(double),
    CONE = sizeof(Cone) / sizeof(double),
    NODE = sizeof(IslandNode) / sizeof(int),
    BODIES = sizeof(NodeBodies) / sizeof(double),
    PLACES = sizeof(NodePlaces) / sizeof(int),
    // c, f, v, saved, step, c_given, centre, before, best
    NUMBERS_PER_NODE = 9 * 3 + LOCAL + CONE,
    INTEGERS_PER_NODE = 4 + NODE, // first, last, order, position
    FEW = STI_FEW_NODES,
    FEW_ROWS = 3 * FEW,
    FILL = 48, // blocks below the diagonal per body, where they are many
};

// Blocks below the diagonal of the equations of bodies: all there can be, or what heaps and grids of
// thousands fill in.
static int fill_of(int bodies)
{
    const long all = (long)bodies * (bodies - 1) / 2 + 1, many = (long)FILL * bodies;
    return (int)(all < many ? all : many);
}

void sti_block_scratch_size_by_sides(int node_count, int body_count, size_t *number_count,
                                     size_t *integer_count)
{
    const size_t nodes = (size_t)node_count, bodies = (size_t)body_count;
    *number_count = 9 * (nodes + FEW * FEW) + (NUMBERS_PER_NODE + BODIES) * nodes +
                    FEW_ROWS * FEW_ROWS + 9 * nodes + 6 * bodies +
                    sti_sparse_numbers(body_count, fill_of(body_count));
    *integer_count = nodes + FEW * FEW + (INTEGERS_PER_NODE + PLACES) * nodes + 1 + 9 * nodes +
                     4 * bodies + 2 * nodes +
                     sti_sparse_integers(body_count, node_count, fill_of(body_count));
}

void sti_block_scratch_size(int node_count, int row_count, int pair_count, size_t *number_count,
                            size_t *integer_count)
{
    const size_t nodes = (size_t)node_count, rows = (size_t)row_count;
    const size_t neighbours = (size_t)sti_block_graph_size(node_count, pair_count);
    *number_count = 9 * neighbours + NUMBERS_PER_NODE * nodes + rows * rows + 3 * rows;
    *integer_count = neighbours + INTEGERS_PER_NODE * nodes + 1 + 3 * rows;
}

static const double creeps = 1e-10; // of the largest c: more is not called solved

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

static void lay_out_bodies(const StiBlock *block, Cursor *cursor, Work *work)
{
    Island *island = &work->island;
    const int nodes = block->node_count, bodies = block->body_count, fill = fill_of(bodies);
    island->node_bodies = (NodeBodies *)take(cursor, BODIES * nodes);
    island->body_velocity = take(cursor, 6 * bodies);
    island->places = (NodePlaces *)take_integers(cursor, PLACES * nodes);
    island->edges = (int(*)[2])take_integers(cursor, 2 * nodes);
    island->body_place = take_integers(cursor, bodies);
    work->graph.body = take_integers(cursor, 2 * bodies);
    sti_sparse_lay_out(&island->system, bodies, fill, cursor->numbers, cursor->integers);
}

static void lay_out(const StiBlock *block, const StiBlockScratch *scratch, Work *work)
{
    Cursor cursor = {scratch->numbers, scratch->integers};
    const bool sided = block->sides != NULL;
    const int nodes = block->node_count, rows = sided ? 3 * nodes : block->row_count;
    const int pair_count = block->pairs == NULL ? 0 : block->pair_count;
    const int neighbours = sided ? nodes + FEW * FEW : sti_block_graph_size(nodes, pair_count);
    work->graph.first = take_integers(&cursor, nodes + 1);
    work->graph.last = take_integers(&cursor, nodes);
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
    island->c_given = take(&cursor, 3 * nodes);
    island->centre = take(&cursor, 3 * nodes);
    island->before = take(&cursor, 3 * nodes);
    island->best = take(&cursor, 3 * nodes);
    island->cones = (Cone *)take(&cursor, CONE * nodes);
    island->factor = take(&cursor, sided ? FEW_ROWS * FEW_ROWS : rows * rows);
    island->solution = take(&cursor, rows);
    island->soft = take(&cursor, rows);
    island->left = take(&cursor, rows);
    island->factor_first = take_integers(&cursor, rows);
    island->factor_start = take_integers(&cursor, rows);
    island->pivot = take_integers(&cursor, rows);
    if (sided) lay_out_bodies(block, &cursor, work);
}

static bool is_finite(double x) { return x - x == 0.0; }

// Numbers of W, c and f are looked at when they have met: see `sti_island_not_finite`.
static StiStatus check(const StiBlock *block, const StiBlockScratch *scratch,
                       StiBlockAnswer *answer)
{
    size_t numbers, integers;
    int row = 0;
    if (block->sides != NULL)
        sti_block_scratch_size_by_sides(block->node_count, block->body_count, &numbers, &integers);
    else
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
        if (row > block->row_count) return STI_BAD_ARGUMENT;
        if (node->kind == STI_BLOCK_BILATERAL) continue;
        if (node->limit < 0.0) return STI_BAD_ARGUMENT;
        if (!is_finite(node->limit) || !is_finite(node->limit_static)) return STI_NOT_FINITE;
    }
    return row == block->row_count ? STI_OK : STI_BAD_ARGUMENT;
}

typedef enum Releasable { CONTACTS = 1, FRICTION = 2, BOTH = CONTACTS | FRICTION } Releasable;

// Of the nodes that slide under static friction the one that slips most for its limit goes over to
// kinetic friction, for the rest of the step (COUPLED 2.6); false if there is none. What creeps no more than
// soft rows do is held at its limit.
static bool release_worst(const StiBlock *block, Island *island, Releasable which, double creep)
{
    double most = 0.0;
    int worst = -1;
    for (int i = 0; island->holding > 0 && i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const BlockLocal *local = &island->local[i];
        const double *v = island->v + 3 * i;
        if (node->mode != STI_BLOCK_SLIDE || !node->holds_static) continue;
        if ((which & (node->contact ? CONTACTS : FRICTION)) == 0) continue;
        const double load = node->contact ? island->f[3 * i + NORMAL] : 1.0;
        const double normal = node->contact ? 0.0 : v[2] * v[2];
        const double slip = sqrt(v[0] * v[0] + v[1] * v[1] + normal);
        if (!(slip > creep)) continue;
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
    answer->unsolved_islands += outcome > STI_BLOCK_SOFT;
    answer->soft_islands += outcome == STI_BLOCK_SOFT;
    if (outcome == STI_BLOCK_SOFT)
        answer->creep = fmax(answer->creep, island->creep / island->scale);
    if (left > answer->left) answer->left = left;
    if (answer->worst >= 0 && !(island->residual > answer->residual)) return;
    answer->residual = island->residual;
    answer->worst = island->nodes[island->worst].index;
}

static bool rubs(const Island *island)
{
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].contact && island->local[i].limit > 0.0) return true;
    return false;
}

// What has no friction to give up is solved by the same means.
static StiBlockOutcome give_up_friction(const StiBlock *block, Island *island)
{
    const bool gives_up = rubs(island);
    if (island->unsymmetric || (gives_up && block->keep_friction)) return STI_BLOCK_UNSOLVED;
    if (!sti_island_solve_frictionless(island)) return STI_BLOCK_UNSOLVED;
    return gives_up ? STI_BLOCK_FRICTIONLESS : STI_BLOCK_SOLVED;
}

// Limits are fixed while the forces are sought; then static friction is released node by node.
static bool release_firmly(const StiBlock *block, Island *island, StiBlockAnswer *answer)
{
    bool solved = sti_island_solve_regular(island);
    while (solved && release_worst(block, island, BOTH, 0.0)) {
        ++answer->releases;
        sti_island_velocity(island);
        solved = sti_island_solve_regular(island);
    }
    return solved;
}

// The same among soft rows, which creep. Contacts slip where they creep: a place at its limit could go on sticking
// without a load as long as others carry it. Of other friction it is seen when creep has been taken back.
static bool release_softly(const StiBlock *block, Island *island, StiBlockAnswer *answer)
{
    bool solved = sti_island_soften(island);
    while (solved) {
        bool released = release_worst(block, island, CONTACTS, 0.0);
        if (!released) {
            sti_island_harden(island, block->goes_on);
            released = release_worst(block, island, FRICTION, island->creep);
        }
        if (!released) break;
        ++answer->releases;
        sti_island_velocity(island);
        solved = sti_island_solve_soft(island);
    }
    return solved;
}

static StiBlockOutcome solve_softly(const StiBlock *block, Island *island, StiBlockAnswer *answer)
{
    const bool solved = release_softly(block, island, answer);
    const bool firm = island->creep <= creeps * island->scale;
    if (solved && (firm || rubs(island) || island->unsymmetric))
        return firm ? STI_BLOCK_SOLVED : STI_BLOCK_SOFT;
    sti_island_restore(island);
    return STI_BLOCK_UNSOLVED;
}

static void solve_island(const StiBlock *block, Island *island, StiBlockAnswer *answer)
{
    StiBlockOutcome outcome = STI_BLOCK_SOLVED;
    island->sweeps = island->iterations = island->interior_steps = 0;
    if (!release_firmly(block, island, answer))
        outcome = island->count > 1 ? solve_softly(block, island, answer) : STI_BLOCK_UNSOLVED;
    double left = island->residual;
    if (outcome == STI_BLOCK_UNSOLVED) {
        sti_island_velocity(island);
        sti_island_look(island);
        left = island->residual;
        outcome = give_up_friction(block, island);
    }
    const double before = island->residual;
    look_for_immovable(island);
    if (island->residual > before) outcome = STI_BLOCK_UNSOLVED;
    if (outcome == STI_BLOCK_SOLVED) left = island->residual;
    note(answer, island, fmax(left, island->residual), outcome);
    sti_island_scatter(block, island, answer);
}

static bool find_islands(const StiBlock *block, BlockGraph *graph)
{
    if (block->sides == NULL) return sti_block_graph_build(block, graph);
    sti_block_graph_of_sides(block, graph);
    return true;
}

static int next_island(const StiBlock *block, BlockGraph *graph, int from)
{
    return block->sides == NULL ? sti_block_graph_island(graph, from)
                                : sti_block_graph_side_island(block, graph, from);
}

StiStatus sti_block_solve(const StiBlock *block, const StiBlockScratch *scratch,
                          StiBlockAnswer *answer)
{
    answer->outcome = STI_BLOCK_SOLVED;
    answer->residual = answer->left = answer->power = 0.0;
    answer->islands = answer->unsolved_islands = answer->soft_islands = 0;
    answer->sweeps = answer->iterations = answer->interior_steps = answer->releases = 0;
    answer->creep = 0.0;
    const StiStatus status = check(block, scratch, answer);
    if (status != STI_OK) return status;
    if (sti_block_still_holds(block, answer)) return STI_OK;
    answer->worst = -1;
    Work work;
    lay_out(block, scratch, &work);
    if (!find_islands(block, &work.graph)) return STI_BAD_ARGUMENT;
    for (int from = 0, end; from < block->node_count; from = end) {
        end = next_island(block, &work.graph, from);
        work.island.freedom = block->freedom > 0 ? block->freedom : INT_MAX;
        sti_bodies_gather(block, work.graph.order + from, end - from, &work.island);
        sti_island_gather(block, &work.graph, from, end, answer->f, &work.island);
        const int not_finite = sti_island_not_finite(&work.island);
        if (not_finite >= 0) {
            answer->worst = not_finite;
            return STI_NOT_FINITE;
        }
        work.island.watch = block->watch;
        solve_island(block, &work.island, answer);
        ++answer->islands;
        if (sti_watch_ends(block->watch)) return STI_INTERRUPTED;
    }
    for (int i = 0; answer->order != NULL && i < block->node_count; ++i)
        answer->order[i] = work.graph.order[i];
    return STI_OK;
}

bool sti_block_shift(const StiBlock *block, const StiBlockScratch *scratch, const StiBlockMode *mode,
                     const double *shift, double least, double *f)
{
    Work work;
    bool any = false;
    lay_out(block, scratch, &work);
    sti_block_graph_of_sides(block, &work.graph);
    for (int k = 0; k < block->row_count; ++k) f[k] = 0.0;
    for (int from = 0, end; from < block->node_count; from = end) {
        end = sti_block_graph_side_island(block, &work.graph, from);
        any = sti_bodies_shift(block, work.graph.order + from, end - from, mode, shift, least,
                               &work.island, f) ||
              any;
    }
    return any;
}
