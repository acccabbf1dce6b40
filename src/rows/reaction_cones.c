#include "rows/reaction_cones.h"

#include <math.h>
#include <string.h>

ReactionCones *sti_reaction_cones_take(StiArena *arena, const StiNetwork *network)
{
    const int n = network->row_count;
    ReactionCones *cones = sti_arena_take(arena, 1, sizeof *cones);
    if (cones == NULL || !network->coupled || n > STI_CONE_ROWS) return cones;
    cones->room = n;
    double **vectors[] = {&cones->limit, &cones->unit, &cones->c, &cones->f, &cones->v, &cones->r};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        *vectors[i] = sti_arena_numbers(arena, n);
    cones->W = sti_arena_numbers(arena, n * n);
    cones->nodes = sti_arena_take(arena, (size_t)n, sizeof *cones->nodes);
    cones->modes = sti_arena_take(arena, (size_t)n, sizeof *cones->modes);
    StiBlockScratch *memory = &cones->memory;
    sti_block_scratch_size(n, n, 0, &memory->number_count, &memory->integer_count);
    memory->numbers = sti_arena_take(arena, memory->number_count + 1, sizeof(double));
    memory->integers = sti_arena_take(arena, memory->integer_count + 1, sizeof(int));
    return cones;
}

// Nodes, and the units in which the shortest solution is that of equal shares: u^2 = L/w, w^2 the
// largest W_ii of the node. Returns how many there are.
static int set_nodes(const StiNetwork *network, const ReactionData *data, int count,
                     ReactionCones *cones)
{
    int nodes = 0;
    for (int p = 0; p < count; ++nodes) {
        const Reaction *e = &network->reactions[data->owner[p]];
        const int dim = e->size.dim;
        double w = 0.0;
        for (int d = 0; d < dim; ++d) w = fmax(w, data->W[sti_neighbour_block(e, 0) + d * dim + d]);
        const double limit = cones->limit[nodes];
        const double unit = w > 0.0 && limit > 0.0 ? sqrt(limit / sqrt(w)) : 1.0;
        cones->unit[nodes] = unit;
        cones->nodes[nodes] =
            (StiBlockNode){.kind = STI_BLOCK_FRICTION, .row = p, .dim = dim, .limit = limit / unit};
        p += dim;
    }
    return nodes;
}

// Rows of W of one node, in its units; T W is velocities per force.
static void fill_rows(const StiNetwork *network, const ReactionData *data, int count, double T,
                      const int *node_of, int node, const ReactionCones *cones)
{
    const int first = cones->nodes[node].row, dim = cones->nodes[node].dim;
    const Reaction *e = &network->reactions[data->owner[first]];
    for (int j = 0; j < e->neighbour_count; ++j) {
        const int to = data->place[sti_neighbour(e, j)];
        if (to < 0) continue;
        const int width = network->reactions[sti_neighbour(e, j)].size.dim;
        const double scale = T * cones->unit[node] * cones->unit[node_of[to]];
        const double *W = data->W + sti_neighbour_block(e, j);
        for (int d = 0; d < dim; ++d)
            for (int k = 0; k < width; ++k)
                cones->W[(first + d) * count + to + k] = scale * W[d * width + k];
    }
}

bool sti_reaction_cones_ask(const StiNetwork *network, StiScratch *scratch, int count, double T,
                            const double *rate)
{
    ReactionCones *cones = scratch->cones;
    const ReactionData *data = scratch->reactions;
    int node_of[STI_CONE_ROWS];
    if (count == 0 || count > cones->room) return false;
    const int nodes = set_nodes(network, data, count, cones);
    for (int n = 0; n < nodes; ++n)
        for (int d = 0; d < cones->nodes[n].dim; ++d) {
            const int p = cones->nodes[n].row + d;
            node_of[p] = n;
            cones->c[p] = cones->unit[n] * rate[p];
            cones->f[p] = 0.0;
        }
    memset(cones->W, 0, (size_t)(count * count) * sizeof *cones->W);
    for (int n = 0; n < nodes; ++n) fill_rows(network, data, count, T, node_of, n, cones);
    const StiBlock block = {.node_count = nodes,
                            .row_count = count,
                            .nodes = cones->nodes,
                            .W = cones->W,
                            .c = cones->c,
                            .watch = &scratch->watch};
    StiBlockAnswer answer = {.f = cones->f, .v = cones->v, .mode = cones->modes};
    const StiStatus status = sti_block_solve(&block, &cones->memory, &answer);
    if (status != STI_OK || answer.outcome > STI_BLOCK_SOFT) return false;
    for (int p = 0; p < count; ++p) cones->r[p] = -cones->unit[node_of[p]] * cones->f[p];
    return true;
}
