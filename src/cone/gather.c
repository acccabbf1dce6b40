// From the caller's rows to an island's slots, and back.
#include <math.h>

#include "base/finite.h"
#include "cone/rows.h"

static double smaller(double a, double b) { return a < b ? a : b; }

static double largest_W(const BlockGraph *graph, int from, int end)
{
    double most = 0.0;
    for (int k = from; k < end; ++k) {
        const double *own = graph->W + 9 * graph->first[graph->order[k]];
        most = sti_larger(sti_larger(own[0], own[4]), sti_larger(own[8], most));
    }
    return most;
}

// Three rows are in the order of the slots.
static double gather_rows(const StiBlock *block, const StiBlockNode *from, const double *start,
                          double *c, double *f)
{
    const double *given = block->c + from->row;
    const double *size = block->c_size != NULL ? block->c_size + from->row : NULL;
    start += from->row;
    if (from->dim == 3) {
        for (int k = 0; k < 3; ++k) f[k] = start[k];
        return sti_gather_c(3, NORMAL, given, size, c);
    }
    for (int k = 0; k < 3; ++k) c[k] = f[k] = 0.0;
    for (int k = 0; k < from->dim; ++k) f[sti_slot(from, k)] = start[k];
    return sti_gather_c(from->dim, sti_slot(from, from->dim - 1) == NORMAL ? from->dim - 1 : -1,
                        given, size, c);
}

static void gather_node(const BlockGraph *graph, const StiBlockNode *from, int index,
                        IslandNode *node)
{
    node->index = index;
    node->contact = from->kind == STI_BLOCK_CONTACT;
    node->slides = node->contact && from->sliding;
    node->tangents = node->slides ? 0 : from->dim - node->contact;
    node->first = graph->first[index];
    node->end = graph->last[index];
    node->holds_static = from->stuck_before && from->limit_static > from->limit && !node->slides &&
                         from->kind != STI_BLOCK_BILATERAL;
    node->released = node->idle = false;
    node->mode = STI_BLOCK_OPEN;
}

static double limit_of(const StiBlockNode *from, const IslandNode *node)
{
    if (from->kind == STI_BLOCK_BILATERAL) return INFINITY;
    if (node->slides) return 0.0; // it is in the columns
    return node->holds_static ? from->limit_static : from->limit;
}

// The normal force of a contact that slides along a given line brings its friction with it, in all
// that feel it.
static void join_columns(const StiBlock *block, const BlockGraph *graph, int from, int end)
{
    for (int k = from; k < end; ++k) {
        const int index = graph->order[k];
        for (int e = graph->first[index]; e < graph->last[index]; ++e) {
            const StiBlockNode *other = &block->nodes[graph->order[from + graph->neighbour[e]]];
            if (other->kind != STI_BLOCK_CONTACT || !other->sliding) continue;
            for (double *row = graph->W + 9 * e; row < graph->W + 9 * e + 9; row += 3)
                for (int d = 0; d < NORMAL; ++d) {
                    if (d < other->dim - 1) row[NORMAL] -= other->limit * other->along[d] * row[d];
                    row[d] = 0.0;
                }
        }
    }
}

static bool slides_along(const StiBlock *block, const BlockGraph *graph, int from, int end)
{
    for (int k = from; k < end; ++k) {
        const StiBlockNode *node = &block->nodes[graph->order[k]];
        if (node->kind == STI_BLOCK_CONTACT && node->sliding) return true;
    }
    return false;
}

// Of what nothing moves, forces count as if it were like the others.
static void give_scale(Island *island, double W_most)
{
    for (int i = 0; i < island->count; ++i) {
        BlockLocal *local = &island->local[i];
        if (local->W_t > 0.0) continue;
        local->W_t = W_most > 0.0 ? W_most : 1.0;
        local->give = 1.0 / local->W_t;
    }
}

void sti_island_gather(const StiBlock *block, const BlockGraph *graph, int from, int end,
                       const double *start, Island *island)
{
    const double W_most = block->W_size == NULL ? largest_W(graph, from, end) : 0.0;
    double c_most = 0.0, W_n_least = INFINITY, W_t_least = INFINITY;
    int holding = 0;
    island->count = end - from;
    island->unsymmetric = slides_along(block, graph, from, end);
    if (island->unsymmetric) join_columns(block, graph, from, end);
    for (int i = 0; i < island->count; ++i) {
        const int index = graph->order[from + i];
        const StiBlockNode *given = &block->nodes[index];
        IslandNode *node = &island->nodes[i];
        BlockLocal *local = &island->local[i];
        double *c = island->c + 3 * i, *f = island->f + 3 * i;
        c_most = sti_larger(gather_rows(block, given, start, c, f), c_most);
        gather_node(graph, given, index, node);
        if (node->slides) f[0] = f[1] = 0.0;
        const double *W = island->W + 9 * node->first;
        const double *size = block->W_size;
        sti_gather_W(node, W, 3, size != NULL ? size[given->row + given->dim - 1] : W_most, local);
        local->along[2] = 0.0;
        local->limit = limit_of(given, node);
        holding += node->holds_static;
        W_t_least = smaller(local->W_t, W_t_least);
        if (node->contact) W_n_least = smaller(local->W_n, W_n_least);
    }
    if (!(W_t_least > 0.0)) give_scale(island, largest_W(graph, from, end));
    island->prepared = island->redundant = false;
    island->strict = 0.0;
    island->resumed = block->resumed;
    island->softness = island->hold = island->creep = 0.0;
    island->factors = island->factors_most = 0;
    island->factored = -1.0;
    island->scale = c_most;
    island->holding = holding;
    island->tolerance = 0.0;
    island->immovable = !(W_n_least > 0.0);
    sti_island_velocity(island);
}

int sti_island_not_finite(const Island *island)
{
    double sums[3] = {0.0};
    for (int i = 0; i < island->count; ++i)
        for (int k = 0; k < 3; ++k) sums[k] += island->v[3 * i + k];
    if (sti_all_finite(sums, 3)) return -1;
    for (int i = 0; i < island->count; ++i)
        if (!sti_all_finite(island->c + 3 * i, 3) || !sti_all_finite(island->f + 3 * i, 3))
            return island->nodes[i].index;
    return island->nodes[0].index;
}

static inline void scatter_rows(int d, int normal, const double *restrict slots,
                                double *restrict rows)
{
    for (int k = 0; k < d; ++k) rows[k] = slots[k == normal ? NORMAL : k];
}

// Of a contact that slides along a given line; returns its power.
static double scatter_friction(const StiBlockNode *to, double load, StiBlockAnswer *answer,
                               int index)
{
    double power = 0.0;
    for (int k = 0; k < to->dim - 1; ++k) {
        answer->f[to->row + k] = -to->limit * to->along[k] * load;
        power += answer->f[to->row + k] * answer->v[to->row + k];
    }
    if (answer->mode[index] != STI_BLOCK_OPEN) answer->mode[index] = STI_BLOCK_SLIDE;
    return power;
}

void sti_island_scatter(const StiBlock *block, const Island *island, StiBlockAnswer *answer)
{
    double power = answer->power;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double *f = island->f + 3 * i, *v = island->v + 3 * i;
        const StiBlockNode *to = &block->nodes[node->index];
        const int normal = node->contact ? to->dim - 1 : -1;
        if (to->dim == 3) {
            scatter_rows(3, NORMAL, f, answer->f + to->row);
            scatter_rows(3, NORMAL, v, answer->v + to->row);
        } else {
            scatter_rows(to->dim, normal, f, answer->f + to->row);
            scatter_rows(to->dim, normal, v, answer->v + to->row);
        }
        for (int k = 0; k < 3; ++k) power += f[k] * v[k];
        answer->mode[node->index] = (StiBlockMode)node->mode;
        if (node->slides) power += scatter_friction(to, f[NORMAL], answer, node->index);
        if (answer->released != NULL) answer->released[node->index] = node->released;
    }
    answer->power = power;
    answer->sweeps += island->sweeps;
    answer->iterations += island->iterations;
    answer->interior_steps += island->interior_steps;
}
