// Rows of bodies moved by given ways: the position projection of islands. Rows may depend on each other:
// with a little softness the forces have nearly the least norm.
#include <math.h>
#include <string.h>

#include "cone/by_bodies.h"

static const double softness = 1e-9; // of the mean diagonal of W

static bool is_chosen(const StiBlockNode *node, int row, StiBlockMode mode)
{
    if (mode == STI_BLOCK_STICK) return true;
    const bool normal = node->kind == STI_BLOCK_CONTACT && row == node->dim - 1;
    return mode == STI_BLOCK_SLIDE && normal;
}

static bool is_worth_it(const StiBlock *block, const int *nodes, int count, const StiBlockMode *mode,
                        const double *shift, double least)
{
    for (int i = 0; i < count; ++i) {
        const StiBlockNode *node = &block->nodes[nodes[i]];
        for (int k = 0; k < node->dim; ++k)
            if (is_chosen(node, k, mode[nodes[i]]) && fabs(shift[node->row + k]) > least) return true;
    }
    return false;
}

// Unknowns and what they should move by, which is put into the solution. Returns the mean of W.
static double number_rows(const StiBlock *block, const int *nodes, const StiBlockMode *mode,
                          const double *shift, Island *island)
{
    double trace = 0.0;
    island->rows = 0;
    for (int i = 0; i < island->count; ++i) {
        const StiBlockNode *given = &block->nodes[nodes[i]];
        IslandNode *node = &island->nodes[i];
        node->index = nodes[i];
        node->contact = given->kind == STI_BLOCK_CONTACT;
        node->slides = false;
        node->follower = -1;
        node->base = island->rows;
        node->unknowns = 0;
        for (int k = 0; k < given->dim; ++k) {
            if (!is_chosen(given, k, mode[nodes[i]])) continue;
            const int slot = sti_slot(given, k);
            node->slot[node->unknowns++] = slot;
            island->solution[island->rows++] = shift[given->row + k];
            for (int side = 0; side < 2; ++side)
                for (int d = 0; d < STI_BLOCK_BODY; ++d)
                    trace += island->node_bodies[i].J[side][slot][d] *
                             island->node_bodies[i].J[side][slot][d];
        }
    }
    return trace / (island->rows > 0 ? island->rows : 1);
}

static bool factor(Island *island, double soft)
{
    sti_bodies_clear(island);
    for (int i = 0; i < island->count; ++i) {
        NodeEquations e = {.gain = 1.0, .by = {1.0, 1.0, 1.0}};
        for (int k = 0; k < island->nodes[i].unknowns; ++k) {
            e.A[k][k] = soft;
            e.B[k][island->nodes[i].slot[k]] = 1.0;
        }
        if (!sti_bodies_add(island, i, &e)) return false;
    }
    return sti_bodies_factor(island);
}

// left: what the forces in `step` leave of the shifts.
static void take_off_moved(Island *island, double *left)
{
    sti_bodies_push(island, island->step);
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        double v[3] = {0.0};
        sti_bodies_feel(island, i, v);
        for (int k = 0; k < node->unknowns; ++k) left[node->base + k] -= v[node->slot[k]];
    }
}

static void add_forces(Island *island, const double *x)
{
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        for (int k = 0; k < node->unknowns; ++k)
            island->step[3 * i + node->slot[k]] += x[node->base + k];
    }
}

// Once more for what rounding and softness left.
bool sti_bodies_shift(const StiBlock *block, const int *nodes, int count, const StiBlockMode *mode,
                      const double *shift, double least, Island *island, double *f)
{
    if (!is_worth_it(block, nodes, count, mode, shift, least)) return false;
    island->count = count;
    sti_bodies_gather_all(block, nodes, count, island);
    if (!island->fits) return false;
    const double mean = number_rows(block, nodes, mode, shift, island);
    const size_t bytes = (size_t)island->rows * sizeof *island->left;
    if (!(mean > 0.0) || !factor(island, softness * mean)) return false;
    memcpy(island->left, island->solution, bytes);
    memset(island->step, 0, (size_t)(3 * count) * sizeof *island->step);
    sti_bodies_solve(island, island->solution);
    add_forces(island, island->solution);
    take_off_moved(island, island->left);
    sti_bodies_solve(island, island->left);
    add_forces(island, island->left);
    for (int i = 0; i < count; ++i) {
        const StiBlockNode *given = &block->nodes[nodes[i]];
        for (int k = 0; k < given->dim; ++k)
            f[given->row + k] = island->step[3 * i + sti_slot(given, k)];
    }
    return true;
}
