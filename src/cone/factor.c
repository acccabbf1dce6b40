// The linear system of a Newton step: (A + B W) df = r over the rows of all closed nodes. Small
// ones are eliminated with pivoting; larger ones within their envelope, which grows with the length
// of a pile and not with its square.
#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "cone/by_bodies.h"
#include "cone/equations.h"

enum { DENSE_ROWS = 30 };
static const double proximal = 1e-9;    // of the diagonal of W: no pivot vanishes
static const double nearly_there = 0.1; // of the largest c
static const double vanished = 1e-15;   // of the diagonal: no pivot

static bool is_dense(const Island *island) { return island->rows <= DENSE_ROWS; }

// Tangents along which something moves or a force is, into the node's slots; returns how many.
static int find_tangents(const Island *island, int i)
{
    IslandNode *node = &island->nodes[i];
    const double *W = island->W + 9 * node->first, *c = island->c + 3 * i, *f = island->f + 3 * i;
    int count = 0;
    for (int k = 0; k < node->tangents; ++k)
        if (W[4 * k] > 0.0 || W[4 * k] != 0.0 || c[k] != 0.0 || f[k] != 0.0)
            node->slot[count++] = k;
    return count;
}

// What slides along a line has friction at its limit, which is known or follows the normal force.
static void number_unknowns(Island *island)
{
    island->rows = island->held = 0;
    island->turns = false;
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        BlockLocal *local = &island->local[i];
        const bool open = node->mode == STI_BLOCK_OPEN, rubs = !open && local->limit > 0.0;
        int count = rubs ? find_tangents(island, i) : 0;
        node->follower = -1;
        if (node->mode == STI_BLOCK_SLIDE && count == 1 && !island->unsymmetric) {
            node->follower = node->slot[--count];
            local->slope = copysign(local->limit, local->along[node->follower]);
        }
        island->turns = island->turns || (node->mode == STI_BLOCK_SLIDE && count > 0);
        node->slot[count] = NORMAL;
        node->factor_mode = node->mode;
        node->base = island->rows;
        node->unknowns = open ? 0 : count + node->contact;
        island->rows += node->unknowns;
        island->held += node->mode == STI_BLOCK_SLIDE ? node->contact : node->unknowns;
    }
}

int sti_island_lay_out(Island *island)
{
    int start = 0;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        int first = node->base;
        for (int e = node->first; e < node->end; ++e) {
            const IslandNode *other = &island->nodes[island->neighbour[e]];
            if (other->unknowns > 0 && other->base < first) first = other->base;
        }
        for (int p = node->base; p < node->base + node->unknowns; ++p) {
            island->factor_first[p] = first;
            island->factor_start[p] = start;
            start += p - first;
        }
    }
    return start;
}

// Soft rows need none, and strict ones are to show their pivots as they are.
static double proximal_part(const Island *island, int i, int slot)
{
    const double own = island->W[9 * island->nodes[i].first + 4 * slot];
    if (!(own > 0.0)) return proximal * fmax(island->local[i].W_t, island->local[i].W_n);
    if (island->softness > 0.0 || island->strict > 0.0) return 0.0;
    return island->hold > 0.0 ? island->hold : proximal * own;
}

// What row p has in the columns of node j, given by slots.
static inline void put(const Island *island, const Envelope *envelope, int p, int j,
                       const double *slots)
{
    const IslandNode *node = &island->nodes[j];
    if (node->follower >= 0) {
        if (node->contact)
            *sti_place(island, envelope, p, node->base) =
                slots[NORMAL] + slots[node->follower] * island->local[j].slope;
        return;
    }
    if (envelope == NULL && node->unknowns == 3) { // all slots, in their order
        double *to = sti_place(island, NULL, p, node->base);
        for (int k = 0; k < 3; ++k) to[k] = slots[k];
        return;
    }
    for (int k = 0; k < node->unknowns; ++k)
        *sti_place(island, envelope, p, node->base + k) = slots[node->slot[k]];
}

// Row of a node that holds along this slot: v = 0.
static inline void write_held(const Island *island, const Envelope *envelope, int i, int p,
                              int slot)
{
    const IslandNode *node = &island->nodes[i];
    for (int e = node->first; e < node->end; ++e)
        put(island, envelope, p, island->neighbour[e], island->W + 9 * e + 3 * slot);
    island->soft[p] = proximal_part(island, i, slot);
    *sti_place(island, envelope, p, p) += island->soft[p];
}

// Row of a tangent that slides: f_t = mu f_n along/|along| with along = f_t - v_t/W_t, which turns
// with both (times W_t, so that it is a velocity like the others).
static inline void write_sliding(const Island *island, const Envelope *envelope, int i, int p,
                                 int slot)
{
    const IslandNode *node = &island->nodes[i];
    const BlockLocal *local = &island->local[i];
    const int tangents = node->unknowns - node->contact;
    double across[3] = {0.0}; // share (1 - along along^T), this row of it
    for (int a = 0; a < node->tangents; ++a)
        across[a] = local->share * ((a == slot) - local->along[slot] * local->along[a]);
    for (int e = node->first; e < node->end; ++e) {
        const double *W = island->W + 9 * e;
        double slots[3];
        for (int b = 0; b < 3; ++b)
            slots[b] = across[0] * W[b] + across[1] * W[3 + b] + across[2] * W[6 + b];
        put(island, envelope, p, island->neighbour[e], slots);
    }
    for (int k = 0; k < tangents; ++k) {
        const int a = node->slot[k];
        *sti_place(island, envelope, p, node->base + k) += local->W_t * ((a == slot) - across[a]);
    }
    island->soft[p] = 0.0;
    if (node->contact)
        *sti_place(island, envelope, p, node->base + tangents) -=
            local->W_t * local->limit * local->along[slot];
}

static inline void write_rows(const Island *island, const Envelope *envelope)
{
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const bool slides = node->mode == STI_BLOCK_SLIDE;
        for (int k = 0; k < node->unknowns; ++k) {
            const int slot = node->slot[k];
            if (slides && !(node->contact && slot == NORMAL))
                write_sliding(island, envelope, i, node->base + k, slot);
            else
                write_held(island, envelope, i, node->base + k, slot);
        }
    }
}

static bool all_held(const Island *island)
{
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].mode == STI_BLOCK_SLIDE && island->local[i].limit > 0.0) return false;
    return true;
}

static bool factor_few(Island *island, int rows, double least)
{
    const size_t bytes = (size_t)(rows * rows) * sizeof *island->factor;
    memset(island->factor, 0, bytes);
    write_rows(island, NULL);
    island->symmetric = !island->unsymmetric && all_held(island);
    if (!island->symmetric)
        return sti_lu_factor_above(rows, island->factor, island->pivot, least, island->left);
    if (sti_factor_symmetric(island->factor, rows, least, island->left)) return true;
    if (island->strict > 0.0) return false;
    island->symmetric = false; // by rounding only: very unequal bodies
    memset(island->factor, 0, bytes);
    write_rows(island, NULL);
    return sti_lu_factor_above(rows, island->factor, island->pivot, least, island->left);
}

static bool factor_many(Island *island, int rows, double least)
{
    const int size = sti_island_lay_out(island);
    memset(island->factor, 0, (size_t)(2 * size + rows) * sizeof *island->factor);
    const Envelope envelope = sti_envelope_of(island);
    write_rows(island, &envelope);
    return sti_factor_envelope(&envelope, fmax(least, vanished));
}

// ---- in the velocities of bodies ----------------------------------------------------------------

// What a row that moves has on the diagonal of W beyond J J^T.
static double softness_of(const Island *island, int i, int slot)
{
    return island->W[9 * island->nodes[i].first + 4 * slot] > 0.0 ? island->softness : 0.0;
}

static void equations_of(const Island *island, int i, NodeEquations *e)
{
    const IslandNode *node = &island->nodes[i];
    const BlockLocal *local = &island->local[i];
    const int turning = node->mode == STI_BLOCK_SLIDE ? node->unknowns - node->contact : 0;
    *e = (NodeEquations){.gain = 1.0, .by = {1.0, 1.0, 1.0}};
    for (int k = 0; k < node->unknowns; ++k) {
        const int slot = node->slot[k], p = node->base + k;
        island->soft[p] = k < turning ? 0.0 : proximal_part(island, i, slot);
        if (k >= turning) {
            e->A[k][k] = softness_of(island, i, slot) + island->soft[p];
            e->B[k][slot] = 1.0;
            continue;
        }
        for (int a = 0; a < node->tangents; ++a)
            e->B[k][a] = local->share * ((a == slot) - local->along[slot] * local->along[a]);
        for (int l = 0; l < turning; ++l) {
            const int a = node->slot[l];
            e->A[k][l] =
                local->W_t * ((a == slot) - e->B[k][a]) + e->B[k][a] * softness_of(island, i, a);
        }
        if (node->contact) e->A[k][turning] = -local->W_t * local->limit * local->along[slot];
    }
}

static bool factor_bodies(Island *island)
{
    if (!island->fits) return false;
    sti_bodies_clear(island);
    for (int i = 0; i < island->count; ++i) {
        NodeEquations equations;
        equations_of(island, i, &equations);
        if (!sti_bodies_add(island, i, &equations)) return false;
    }
    return sti_bodies_factor(island);
}

bool sti_island_factor(Island *island)
{
    number_unknowns(island);
    ++island->factors;
    const int rows = island->rows;
    if (rows == 0) return true;
    // The equations of bodies do not show whether forces are unique.
    const bool refused =
        island->strict > 0.0 && (island->bodies > 0 || island->held > island->freedom);
    const bool made = refused              ? false
                      : island->bodies > 0 ? factor_bodies(island)
                      : is_dense(island)   ? factor_few(island, rows, island->strict)
                                           : factor_many(island, rows, island->strict);
    island->redundant = island->redundant || (island->strict > 0.0 && !made);
    island->factored = made ? island->softness : -1.0;
    return made;
}

// What is left of the equations of node i, with the opposite sign.
static void write_left(const Island *island, int i, double *r)
{
    const IslandNode *node = &island->nodes[i];
    const BlockLocal *local = &island->local[i];
    const double *f = island->f + 3 * i, *v = island->v + 3 * i;
    const double limit = local->limit * (node->contact ? f[NORMAL] : 1.0);
    const bool slides = node->mode == STI_BLOCK_SLIDE;
    for (int k = 0; k < node->unknowns; ++k) {
        const int slot = node->slot[k];
        r[k] = slides ? local->W_t * (limit * local->along[slot] - f[slot]) : -v[slot];
    }
    if (node->contact && node->unknowns > 0) r[node->unknowns - 1] = -v[NORMAL];
}

// What a change of velocities dv of node j takes from what is left.
static void take_from_left(const Island *island, int j, const double *dv, double *r)
{
    const IslandNode *node = &island->nodes[j];
    const BlockLocal *local = &island->local[j];
    const int turning = node->mode == STI_BLOCK_SLIDE ? node->unknowns - node->contact : 0;
    double turn = 0.0;
    for (int k = 0; k < turning; ++k) turn += local->along[node->slot[k]] * dv[node->slot[k]];
    for (int k = 0; k < node->unknowns; ++k) {
        const int slot = node->slot[k];
        r[k] -= k < turning ? local->share * (dv[slot] - local->along[slot] * turn) : dv[slot];
    }
}

static double follow(Island *island, int i)
{
    const IslandNode *node = &island->nodes[i];
    if (node->follower < 0) return 0.0;
    double *f = island->f + 3 * i;
    const double friction = island->local[i].slope * (node->contact ? f[NORMAL] : 1.0);
    const double change = friction - f[node->follower];
    f[node->follower] = friction;
    return change;
}

static void place_followers_of_bodies(Island *island)
{
    bool any = false;
    memset(island->step, 0, (size_t)(3 * island->count) * sizeof *island->step);
    for (int i = 0; i < island->count; ++i) {
        const double change = follow(island, i);
        if (change == 0.0) continue;
        island->step[3 * i + island->nodes[i].follower] = change;
        any = true;
    }
    if (!any) return;
    sti_bodies_push(island, island->step);
    for (int i = 0; i < island->count; ++i) {
        double dv[3] = {0.0};
        sti_bodies_feel(island, i, dv);
        for (int k = 0; k < 3; ++k) dv[k] += softness_of(island, i, k) * island->step[3 * i + k];
        take_from_left(island, i, dv, island->solution + island->nodes[i].base);
    }
}

// Followers go where they belong before the others are asked.
static void place_followers(Island *island)
{
    if (island->bodies > 0) {
        place_followers_of_bodies(island);
        return;
    }
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double change = follow(island, i);
        if (change == 0.0) continue;
        for (int e = node->first; e < node->end; ++e) {
            const double *W = island->W + 9 * e + 3 * node->follower;
            const double dv[3] = {W[0] * change, W[1] * change, W[2] * change};
            const int j = island->neighbour[e];
            take_from_left(island, j, dv, island->solution + island->nodes[j].base);
        }
    }
}

static void substitute(const Island *island, double *x)
{
    if (island->bodies > 0) {
        sti_bodies_solve(island, x);
    } else if (is_dense(island) && island->symmetric) {
        sti_solve_symmetric(island->factor, island->rows, x);
    } else if (is_dense(island)) {
        sti_lu_solve(island->rows, island->factor, island->pivot, x);
    } else {
        const Envelope envelope = sti_envelope_of(island);
        sti_solve_envelope(&envelope, x);
    }
}

// f += times the solution.
static void add_solution(Island *island, double times)
{
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double *x = island->solution + node->base;
        double *f = island->f + 3 * i;
        for (int k = 0; k < node->unknowns; ++k) f[node->slot[k]] += times * x[k];
        if (node->follower >= 0 && node->contact)
            f[node->follower] = island->local[i].slope * f[NORMAL];
    }
}

// The softness of the diagonal leaves soft x of the equations: once more for that. From the forces
// of the last step this often ends the search; while modes change, it would only let the split of
// redundant forces run away, and where friction turns another solve follows anyway.
static void refine(Island *island, double *x)
{
    double *left = island->left;
    if (island->iterations > 0 || island->turns) return;
    if (island->softness > 0.0 || island->strict > 0.0) return;
    if (island->residual > nearly_there * island->scale) return;
    for (int p = 0; p < island->rows; ++p) left[p] = island->soft[p] * x[p];
    substitute(island, left);
    for (int p = 0; p < island->rows; ++p) x[p] += left[p];
}

void sti_island_correct(Island *island)
{
    double *x = island->solution;
    for (int i = 0; i < island->count; ++i) write_left(island, i, x + island->nodes[i].base);
    place_followers(island);
    if (island->rows == 0) return;
    substitute(island, x);
    refine(island, x);
    add_solution(island, 1.0);
}

void sti_island_shorten(Island *island)
{
    double share = 1.0;
    int first = -1;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        if (!node->contact || node->unknowns == 0) continue;
        const double f = island->f[3 * i + NORMAL];
        const double before = f - island->solution[node->base + node->unknowns - 1];
        if (f >= 0.0 || before < 0.0 || !(before / (before - f) < share)) continue;
        share = before / (before - f);
        first = i;
    }
    if (first < 0) return;
    add_solution(island, share - 1.0);
    island->f[3 * first + NORMAL] = 0.0;
}
