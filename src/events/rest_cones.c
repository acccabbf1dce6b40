// Who slips and which way of all that is at rest, asked of the cone solver: friction in planes, and
// friction that shares freedoms, cannot be let go one after the other.
#include <math.h>
#include <string.h>

#include "cone/block.h"
#include "events/rest.h"
#include "events/rest_cones.h"
#include "evaluate/evaluate.h"
#include "law/norm.h"
#include "rows/reactions.h"

// Reactions as nodes of the cone solver, at the level of accelerations.
typedef struct RestCones {
    StiBlockNode *nodes;
    int *reaction; // of each node
    int *node;     // of each reaction, -1: it takes no part
    int node_count, row_count;
    double *W, *c; // of the nodes' rows, W one square
    double *f, *v; // f pushes along the rows: the opposite of resistances
    StiBlockMode *modes;
    StiBlockScratch scratch;
} RestCones;

enum { ROWS_MOST = 96 }; // W is one square
// A load that has just reached its limit is let go, although rounding may see it below.
static const double nudge = 1e-9;

RestCones *sti_rest_cones_take(StiArena *arena, const StiNetwork *network)
{
    const size_t nodes = (size_t)network->reaction_count, rows = (size_t)network->row_count;
    if (!network->method->cuts && !network->method->continuous) return NULL;
    if (network->place_count > 0 || network->constrains) return NULL;
    if (!(network->coupled || network->planar) || rows > ROWS_MOST) return NULL;
    for (int i = 0; i < network->reaction_count; ++i)
        if (network->reactions[i].kind->modes == NULL) return NULL;
    RestCones *cones = sti_arena_take(arena, 1, sizeof *cones);
    if (cones == NULL) return NULL;
    cones->nodes = sti_arena_take(arena, nodes, sizeof *cones->nodes);
    cones->reaction = sti_arena_take(arena, nodes, sizeof *cones->reaction);
    cones->node = sti_arena_take(arena, nodes, sizeof *cones->node);
    cones->modes = sti_arena_take(arena, nodes, sizeof *cones->modes);
    cones->W = sti_arena_take(arena, rows * rows, sizeof(double));
    cones->c = sti_arena_take(arena, rows, sizeof(double));
    cones->f = sti_arena_take(arena, rows, sizeof(double));
    cones->v = sti_arena_take(arena, rows, sizeof(double));
    sti_block_scratch_size((int)nodes, (int)rows, 0, &cones->scratch.number_count,
                           &cones->scratch.integer_count);
    cones->scratch.numbers = sti_arena_take(arena, cones->scratch.number_count + 1, sizeof(double));
    cones->scratch.integers = sti_arena_take(arena, cones->scratch.integer_count + 1, sizeof(int));
    return cones;
}

static void clear_nodes(const StiNetwork *network, RestCones *cones)
{
    cones->node_count = cones->row_count = 0;
    for (int i = 0; i < network->reaction_count; ++i) cones->node[i] = -1;
}

static void add_node(const StiNetwork *network, RestCones *cones, const StageData *now,
                     int reaction, bool forced)
{
    const Reaction *e = &network->reactions[reaction];
    const StiReactionModes *modes = e->kind->modes;
    const double *signals = now->ports + e->port;
    const double direction = sti_direction(e->size.dim, now->u + e->wire.v);
    const double level = modes->level(e->parameters, 0.0, direction, signals);
    cones->nodes[cones->node_count] =
        (StiBlockNode){.kind = STI_BLOCK_FRICTION,
                       .row = cones->row_count,
                       .dim = e->size.dim,
                       .limit = forced ? level * (1.0 - nudge) : level,
                       .limit_static = fmax(level, modes->limit(e->parameters, direction, signals)),
                       .stuck_before = !forced};
    cones->reaction[cones->node_count] = reaction;
    cones->node[reaction] = cones->node_count++;
    cones->row_count += e->size.dim;
}

static void copy_block(const RestCones *cones, const StiBlockNode *a, const StiBlockNode *b,
                       const double *block)
{
    for (int d = 0; d < a->dim; ++d)
        for (int k = 0; k < b->dim; ++k) {
            double *W = &cones->W[(a->row + d) * cones->row_count + b->row + k];
            double *mirrored = &cones->W[(b->row + k) * cones->row_count + a->row + d];
            // both blocks of a pair are known, and differ by rounding
            const double mean = 0.5 * block[d * b->dim + k];
            *W += mean;
            *mirrored += mean;
        }
}

static void spread_W(const StiNetwork *network, const StiScratch *scratch, RestCones *cones)
{
    const size_t rows = (size_t)cones->row_count;
    memset(cones->W, 0, rows * rows * sizeof *cones->W);
    for (int n = 0; n < cones->node_count; ++n) {
        const Reaction *e = &network->reactions[cones->reaction[n]];
        for (int i = 0; i < e->neighbour_count; ++i) {
            const int other = cones->node[sti_neighbour(e, i)];
            if (other >= 0)
                copy_block(cones, &cones->nodes[n], &cones->nodes[other],
                           scratch->reactions->W + sti_neighbour_block(e, i));
        }
    }
}

static bool solve(RestCones *cones, const Watch *watch)
{
    const StiBlock block = {.node_count = cones->node_count,
                            .row_count = cones->row_count,
                            .nodes = cones->nodes,
                            .W = cones->W,
                            .c = cones->c,
                            .watch = watch,
                            .keep_friction = true};
    StiBlockAnswer answer = {.f = cones->f, .v = cones->v, .mode = cones->modes};
    if (cones->node_count == 0) return false;
    memset(cones->f, 0, (size_t)cones->row_count * sizeof *cones->f);
    return sti_block_solve(&block, &cones->scratch, &answer) == STI_OK &&
           answer.outcome == STI_BLOCK_SOLVED;
}

static void choose_nodes(const StiNetwork *network, const double *s, const bool *forced,
                         const StageData *now, RestCones *cones)
{
    clear_nodes(network, cones);
    for (int i = 0; i < network->reaction_count; ++i)
        if (s[network->reactions[i].s] == STI_STICK)
            add_node(network, cones, now, i, forced != NULL && forced[i]);
}

// Accelerations of the nodes' rows without their own resistances: those at hand, and what these take away.
static void take_accelerations(const StiNetwork *network, const StiScratch *scratch,
                               const StageData *now, RestCones *cones)
{
    for (int n = 0; n < cones->node_count; ++n) {
        const Reaction *e = &network->reactions[cones->reaction[n]];
        for (int d = 0; d < e->size.dim; ++d)
            cones->c[cones->nodes[n].row + d] = scratch->evaluate->wire_rate[e->wire.v + d];
    }
    for (int row = 0; row < cones->row_count; ++row)
        for (int n = 0; n < cones->node_count; ++n) {
            const Reaction *e = &network->reactions[cones->reaction[n]];
            const double *W = cones->W + row * cones->row_count + cones->nodes[n].row;
            for (int d = 0; d < e->size.dim; ++d) cones->c[row] += W[d] * now->u[e->wire.v + d];
        }
}

void sti_rest_let_slip(int dim, const double *f, const double *a, double *mode)
{
    const double size = sti_norm(dim, f), rate = sti_norm(dim, a);
    mode[0] = dim > 1 ? STI_DEPART : STI_SLIP;
    for (int d = 0; d < dim; ++d)
        mode[1 + d] = size > 0.0 ? -f[d] / size : rate > 0.0 ? a[d] / rate : d == 0;
}

bool sti_rest_ask_cones(const StiNetwork *network, const bool *forced, double *s,
                        StiScratch *scratch, const StageData *now)
{
    RestCones *cones = scratch->rest->cones;
    choose_nodes(network, s, forced, now, cones);
    if (sti_modes_inertia(network, scratch, now) != STI_OK) return false;
    spread_W(network, scratch, cones);
    take_accelerations(network, scratch, now, cones);
    if (!solve(cones, &scratch->watch)) return false;
    for (int n = 0; n < cones->node_count; ++n) {
        const int i = cones->reaction[n];
        if (cones->modes[n] == STI_BLOCK_STICK) continue;
        const int row = cones->nodes[n].row;
        sti_rest_let_slip(cones->nodes[n].dim, cones->f + row, cones->v + row,
                          s + network->reactions[i].s);
        scratch->rest->released[i] = forced != NULL && forced[i] ? FORCED : RELEASED;
    }
    return true;
}
