// A step in the velocities of bodies. In coordinates in which every inertia is 1, bodies answer to
// forces df of all nodes with du = sum of C^T df, and a node feels dv = J du (C is J, but for normals
// that bring friction with them). With A df + B dv = r of every node
//
//     (1 + sum C^T A^-1 B J) du = sum C^T A^-1 r,   df = A^-1 (r - B J du).
//
// A box on a box has 6 velocities for 12 rows, a box in a touching grid 6 for 36: the factor is that
// much smaller. It needs an A that has an inverse: rows that hold are soft, if only a little.
#include "cone/by_bodies.h"

#include <math.h>
#include <string.h>

#include "cone/elimination.h"

enum { FEW_NODES = 16, FREEDOM = STI_BLOCK_BODY };

static int row_of(const StiBlockNode *node, int slot)
{
    return node->row + (node->kind == STI_BLOCK_CONTACT && slot == NORMAL ? node->dim - 1 : slot);
}

static bool has_slot(const StiBlockNode *node, int slot)
{
    if (node->kind != STI_BLOCK_CONTACT) return slot < node->dim;
    return slot == NORMAL || slot < node->dim - 1;
}

// Bodies in the order in which the nodes meet them: neighbours are close.
void sti_bodies_gather(const StiBlock *block, Island *island)
{
    island->block = block;
    island->bodies = 0;
    if (block->sides == NULL || island->count < FEW_NODES) return;
    for (int i = 0; i < island->count; ++i)
        for (int k = 0; k < 2; ++k) {
            const int row = block->nodes[island->nodes[i].index].row;
            const int body = block->sides[2 * row + k].body;
            if (body >= 0) island->body_place[body] = -1;
        }
    int count = 0;
    for (int i = 0; i < island->count; ++i)
        for (int k = 0; k < 2; ++k) {
            const int row = block->nodes[island->nodes[i].index].row;
            const int body = block->sides[2 * row + k].body;
            if (body >= 0 && island->body_place[body] < 0) island->body_place[body] = count++;
        }
    if (FREEDOM * count <= 3 * island->count) island->bodies = count;
}

// ---- rows of nodes ------------------------------------------------------------------------------

// J of one side of a node, slot by slot; 0 where it has none. Returns the body's place, -1: nothing moves.
static int gather_side(const Island *island, int i, int side, const NodeBodies *own, double J[3][6])
{
    const StiBlockNode *node = &island->block->nodes[island->nodes[i].index];
    const int body = island->block->sides[2 * node->row + side].body;
    if (body < 0) return -1;
    for (int slot = 0; slot < 3; ++slot) {
        const bool there = has_slot(node, slot);
        const double *from = island->block->sides[2 * row_of(node, there ? slot : NORMAL) + side].J;
        for (int d = 0; d < FREEDOM; ++d) J[slot][d] = there ? own->by[slot] * from[d] : 0.0;
    }
    return island->body_place[body];
}

// What the unknowns push along: rows, and the friction that a normal brings with it.
static void columns_of(const Island *island, int i, double J[3][6], double C[3][6])
{
    const IslandNode *node = &island->nodes[i];
    const StiBlockNode *given = &island->block->nodes[node->index];
    for (int k = 0; k < node->unknowns; ++k) memcpy(C[k], J[node->slot[k]], sizeof C[k]);
    if (!node->contact || node->unknowns == 0) return;
    double *normal = C[node->unknowns - 1];
    for (int d = 0; d < FREEDOM && node->follower >= 0; ++d)
        normal[d] += island->local[i].slope * J[node->follower][d];
    for (int t = 0; node->slides && t < given->dim - 1; ++t)
        for (int d = 0; d < FREEDOM; ++d) normal[d] -= given->limit * given->along[t] * J[t][d];
}

// ---- the matrix ---------------------------------------------------------------------------------

static Envelope envelope_of(const Island *island)
{
    const int rows = FREEDOM * island->bodies, last = rows - 1;
    const int size = island->factor_start[last] + last - island->factor_first[last];
    return (Envelope){.rows = rows,
                      .first = island->factor_first,
                      .start = island->factor_start,
                      .lower = island->factor,
                      .upper = island->factor + size,
                      .diagonal = island->factor + 2 * size};
}

static int place_of(const Island *island, int i, int side)
{
    const StiBlockNode *node = &island->block->nodes[island->nodes[i].index];
    const int body = island->block->sides[2 * node->row + side].body;
    return body < 0 ? -1 : island->body_place[body];
}

void sti_bodies_clear(Island *island)
{
    const int rows = FREEDOM * island->bodies;
    int *first = island->factor_first;
    for (int p = 0; p < rows; ++p) first[p] = p - p % FREEDOM;
    for (int i = 0; i < island->count; ++i) {
        const int a = place_of(island, i, 0), b = place_of(island, i, 1);
        if (island->nodes[i].unknowns == 0 || a < 0 || b < 0) continue;
        const int low = FREEDOM * (a < b ? a : b), high = FREEDOM * (a < b ? b : a);
        if (low < first[high]) first[high] = low;
    }
    int start = 0;
    for (int p = 0; p < rows; ++p) {
        first[p] = first[p - p % FREEDOM];
        island->factor_start[p] = start;
        start += p - first[p];
    }
    memset(island->factor, 0, (size_t)(2 * start) * sizeof *island->factor);
    for (int p = 0; p < rows; ++p) island->factor[2 * start + p] = 1.0;
}

// The inverse of a matrix of up to three rows, with pivoting; false where there is none.
static bool invert(int n, double A[3][3], double inverse[3][3])
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) inverse[i][j] = i == j;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if (!(fabs(A[best][k]) > 0.0)) return false;
        for (int j = 0; j < n && best != k; ++j) {
            const double a = A[k][j], b = inverse[k][j];
            A[k][j] = A[best][j], A[best][j] = a;
            inverse[k][j] = inverse[best][j], inverse[best][j] = b;
        }
        const double pivot = 1.0 / A[k][k];
        for (int j = 0; j < n; ++j) A[k][j] *= pivot, inverse[k][j] *= pivot;
        for (int i = 0; i < n; ++i) {
            const double ratio = i == k ? 0.0 : A[i][k];
            for (int j = 0; j < n && ratio != 0.0; ++j) {
                A[i][j] -= ratio * A[k][j];
                inverse[i][j] -= ratio * inverse[k][j];
            }
        }
    }
    return true;
}

static double *entry(const Envelope *m, int p, int q)
{
    if (p == q) return &m->diagonal[p];
    if (q < p) return &m->lower[m->start[p] + q - m->first[p]];
    return &m->upper[m->start[q] + p - m->first[q]];
}

// C^T (G J) of two bodies.
static void add_square(const Envelope *m, int unknowns, double C[3][6], int a, double GJ[3][6],
                       int b)
{
    for (int p = 0; p < FREEDOM; ++p)
        for (int q = 0; q < FREEDOM; ++q) {
            double sum = 0.0;
            for (int k = 0; k < unknowns; ++k) sum += C[k][p] * GJ[k][q];
            *entry(m, FREEDOM * a + p, FREEDOM * b + q) += sum;
        }
}

bool sti_bodies_add(Island *island, int i, const NodeEquations *equations)
{
    const int n = island->nodes[i].unknowns;
    NodeBodies *own = &island->node_bodies[i];
    const Envelope m = envelope_of(island);
    double A[3][3], J[2][3][6], C[2][3][6], GJ[2][3][6];
    int place[2];
    memcpy(A, equations->A, sizeof A);
    if (!invert(n, A, own->inverse)) return n == 0;
    memcpy(own->B, equations->B, sizeof own->B);
    for (int k = 0; k < 3; ++k) own->by[k] = equations->gain * equations->by[k];
    for (int side = 0; side < 2; ++side) {
        place[side] = gather_side(island, i, side, own, J[side]);
        if (place[side] < 0) continue;
        columns_of(island, i, J[side], C[side]);
        for (int k = 0; k < n; ++k)
            for (int d = 0; d < FREEDOM; ++d) {
                double sum = 0.0;
                for (int l = 0; l < n; ++l)
                    for (int slot = 0; slot < 3; ++slot)
                        sum += own->inverse[k][l] * own->B[l][slot] * J[side][slot][d];
                GJ[side][k][d] = sum;
            }
    }
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (place[a] >= 0 && place[b] >= 0) add_square(&m, n, C[a], place[a], GJ[b], place[b]);
    return true;
}

bool sti_bodies_factor(Island *island)
{
    const Envelope m = envelope_of(island);
    return sti_factor_envelope(&m, 1e-15);
}

// ---- the solution -------------------------------------------------------------------------------

static void multiply(int n, double M[3][3], double *x)
{
    double y[3] = {0.0};
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) y[k] += M[k][l] * x[l];
    for (int k = 0; k < n; ++k) x[k] = y[k];
}

static void push(const Island *island, int i, const double *x, double *u)
{
    double J[3][6], C[3][6];
    for (int side = 0; side < 2; ++side) {
        const int place = gather_side(island, i, side, &island->node_bodies[i], J);
        if (place < 0) continue;
        columns_of(island, i, J, C);
        for (int k = 0; k < island->nodes[i].unknowns; ++k)
            for (int d = 0; d < FREEDOM; ++d) u[FREEDOM * place + d] += x[k] * C[k][d];
    }
}

// x less A^-1 B J u.
static void feel(const Island *island, int i, const double *u, double *x)
{
    NodeBodies *own = &island->node_bodies[i];
    const int n = island->nodes[i].unknowns;
    double v[3] = {0.0}, y[3] = {0.0}, J[3][6];
    for (int side = 0; side < 2; ++side) {
        const int place = gather_side(island, i, side, own, J);
        for (int slot = 0; slot < 3 && place >= 0; ++slot)
            for (int d = 0; d < FREEDOM; ++d) v[slot] += J[slot][d] * u[FREEDOM * place + d];
    }
    for (int k = 0; k < n; ++k)
        for (int slot = 0; slot < 3; ++slot) y[k] += own->B[k][slot] * v[slot];
    multiply(n, own->inverse, y);
    for (int k = 0; k < n; ++k) x[k] -= y[k];
}

void sti_bodies_solve(const Island *island, double *x)
{
    const Envelope m = envelope_of(island);
    double *u = island->body_velocity;
    memset(u, 0, (size_t)m.rows * sizeof *u);
    for (int i = 0; i < island->count; ++i) {
        double *own = x + island->nodes[i].base;
        multiply(island->nodes[i].unknowns, island->node_bodies[i].inverse, own);
        push(island, i, own, u);
    }
    sti_solve_envelope(&m, u);
    for (int i = 0; i < island->count; ++i) feel(island, i, u, x + island->nodes[i].base);
}
