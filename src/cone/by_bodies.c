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

enum { FREEDOM = STI_BLOCK_BODY };

// ---- bodies and rows ----------------------------------------------------------------------------

static void gather_rows(const StiBlock *block, int index, NodeBodies *own)
{
    const StiBlockNode *node = &block->nodes[index];
    memset(own->J, 0, sizeof own->J);
    for (int k = 0; k < node->dim; ++k)
        for (int side = 0; side < 2; ++side) {
            const StiBlockSide *from = &block->sides[2 * (node->row + k) + side];
            if (from->body >= 0) memcpy(own->J[side][sti_slot(node, k)], from->J, sizeof from->J);
        }
}

// The caller's bodies of these nodes, numbered as the nodes meet them.
static void number_bodies(const StiBlock *block, const int *nodes, int count, Island *island)
{
    for (int i = 0; i < count; ++i)
        for (int side = 0; side < 2; ++side) {
            const int body = block->sides[2 * block->nodes[nodes[i]].row + side].body;
            if (body >= 0) island->body_place[body] = -1;
        }
    island->bodies = 0;
    for (int i = 0; i < count; ++i)
        for (int side = 0; side < 2; ++side) {
            const int body = block->sides[2 * block->nodes[nodes[i]].row + side].body;
            if (body >= 0 && island->body_place[body] < 0)
                island->body_place[body] = island->bodies++;
            island->places[i].body[side] = body < 0 ? -1 : island->body_place[body];
        }
}

static void find_blocks(int count, Island *island)
{
    int edges = 0;
    for (int i = 0; i < count; ++i) {
        const int a = island->places[i].body[0], b = island->places[i].body[1];
        if (a < 0 || b < 0 || a == b) continue;
        island->edges[edges][0] = a;
        island->edges[edges++][1] = b;
    }
    island->fits = sti_sparse_order(&island->system, island->bodies,
                                    (const int(*)[2])island->edges, edges);
    for (int i = 0; i < count && island->fits; ++i) {
        NodePlaces *at = &island->places[i];
        const bool edge = at->body[0] >= 0 && at->body[1] >= 0 && at->body[0] != at->body[1];
        at->block = edge ? sti_sparse_find(&island->system, at->body[0], at->body[1]) : -1;
    }
}

void sti_bodies_gather_all(const StiBlock *block, const int *nodes, int count, Island *island)
{
    island->block = block;
    number_bodies(block, nodes, count, island);
    for (int i = 0; i < count; ++i) gather_rows(block, nodes[i], &island->node_bodies[i]);
    island->fits = island->bodies > 0;
    if (island->fits) find_blocks(count, island);
}

void sti_bodies_gather(const StiBlock *block, const int *nodes, int count, Island *island)
{
    island->bodies = 0;
    if (block->sides != NULL && count >= STI_FEW_NODES)
        sti_bodies_gather_all(block, nodes, count, island);
}

// ---- velocities ---------------------------------------------------------------------------------

static inline double dot(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

// The friction that the normal of a node that slides along a line brings with it, per unit of it.
static void add_friction(const Island *island, int i, double J[3][6], double *column)
{
    const StiBlockNode *given = &island->block->nodes[island->nodes[i].index];
    for (int t = 0; t < given->dim - 1; ++t)
        for (int d = 0; d < FREEDOM; ++d) column[d] -= given->limit * given->along[t] * J[t][d];
}

void sti_bodies_push_one(Island *island, int i, const double *f)
{
    NodeBodies *own = &island->node_bodies[i];
    for (int side = 0; side < 2; ++side) {
        const int body = island->places[i].body[side];
        if (body < 0) continue;
        double *u = island->body_velocity + FREEDOM * body, normal[FREEDOM] = {0.0};
        if (island->nodes[i].slides) add_friction(island, i, own->J[side], normal);
        for (int d = 0; d < FREEDOM; ++d)
            u[d] += f[0] * own->J[side][0][d] + f[1] * own->J[side][1][d] +
                    f[2] * (own->J[side][2][d] + normal[d]);
    }
}

void sti_bodies_push(Island *island, const double *f)
{
    memset(island->body_velocity, 0, (size_t)(FREEDOM * island->bodies) * sizeof(double));
    for (int i = 0; i < island->count; ++i) sti_bodies_push_one(island, i, f + 3 * i);
}

void sti_bodies_feel(const Island *island, int i, double *v)
{
    const NodeBodies *own = &island->node_bodies[i];
    for (int side = 0; side < 2; ++side) {
        const int body = island->places[i].body[side];
        for (int k = 0; k < 3 && body >= 0; ++k)
            v[k] += dot(own->J[side][k], island->body_velocity + FREEDOM * body);
    }
}

void sti_bodies_velocity(Island *island)
{
    sti_bodies_push(island, island->f);
    for (int i = 0; i < island->count; ++i) {
        const double *W = island->W + 9 * island->nodes[i].first, *f = island->f + 3 * i;
        double v[3] = {0.0};
        sti_bodies_feel(island, i, v);
        for (int k = 0; k < 3; ++k)
            island->v[3 * i + k] =
                island->c[3 * i + k] + (v[k] + (W[4 * k] > 0.0 ? island->softness * f[k] : 0.0));
    }
}

// ---- the matrix ---------------------------------------------------------------------------------

void sti_bodies_clear(Island *island) { sti_sparse_clear(&island->system); }

// J of one side of a node in the units of its equations; false: nothing moves there.
static bool scaled_rows(const Island *island, int i, int side, double J[3][6])
{
    NodeBodies *own = &island->node_bodies[i];
    if (island->places[i].body[side] < 0) return false;
    for (int slot = 0; slot < 3; ++slot)
        for (int d = 0; d < FREEDOM; ++d) J[slot][d] = own->by[slot] * own->J[side][slot][d];
    return true;
}

// What the unknowns push along: rows, and the friction that a normal brings with it.
static void columns_of(const Island *island, int i, double J[3][6], double C[3][6])
{
    const IslandNode *node = &island->nodes[i];
    for (int k = 0; k < node->unknowns; ++k) memcpy(C[k], J[node->slot[k]], sizeof C[k]);
    if (!node->contact || node->unknowns == 0) return;
    double *normal = C[node->unknowns - 1];
    for (int d = 0; d < FREEDOM && node->follower >= 0; ++d)
        normal[d] += island->local[i].slope * J[node->follower][d];
    if (node->slides) add_friction(island, i, J, normal);
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

// The block of the bodies on two sides of node i.
static double *block_between(const Island *island, int i, int a, int b)
{
    const StiSparseBlocks *m = &island->system;
    const int *body = island->places[i].body;
    const size_t at = STI_SQUARE * (size_t)island->places[i].block;
    if (body[a] == body[b]) return m->diagonal + STI_SQUARE * (size_t)m->place[body[a]];
    return m->place[body[a]] > m->place[body[b]] ? m->lower + at : m->upper + at;
}

// C^T (G J) of two bodies.
static void add_square(int unknowns, double C[3][6], double GJ[3][6], double *to)
{
    for (int k = 0; k < unknowns; ++k)
        for (int p = 0; p < FREEDOM; ++p)
            for (int q = 0; q < FREEDOM; ++q) to[FREEDOM * p + q] += C[k][p] * GJ[k][q];
}

bool sti_bodies_add(Island *island, int i, const NodeEquations *equations)
{
    const int n = island->nodes[i].unknowns;
    NodeBodies *own = &island->node_bodies[i];
    double A[3][3], G[3][3], J[3][6], C[2][3][6], GJ[2][3][6];
    memcpy(A, equations->A, sizeof A);
    if (!invert(n, A, own->inverse)) return n == 0;
    memcpy(own->B, equations->B, sizeof own->B);
    for (int k = 0; k < 3; ++k) own->by[k] = equations->gain * equations->by[k];
    for (int k = 0; k < n; ++k)
        for (int slot = 0; slot < 3; ++slot) {
            G[k][slot] = 0.0;
            for (int l = 0; l < n; ++l) G[k][slot] += own->inverse[k][l] * own->B[l][slot];
        }
    for (int side = 0; side < 2; ++side) {
        if (!scaled_rows(island, i, side, J)) continue;
        columns_of(island, i, J, C[side]);
        for (int k = 0; k < n; ++k)
            for (int d = 0; d < FREEDOM; ++d)
                GJ[side][k][d] = G[k][0] * J[0][d] + G[k][1] * J[1][d] + G[k][2] * J[2][d];
    }
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (island->places[i].body[a] >= 0 && island->places[i].body[b] >= 0)
                add_square(n, C[a], GJ[b], block_between(island, i, a, b));
    return true;
}

bool sti_bodies_factor(Island *island) { return sti_sparse_factor(&island->system, 1e-15); }

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
        if (!scaled_rows(island, i, side, J)) continue;
        double *to = u + FREEDOM * island->places[i].body[side];
        columns_of(island, i, J, C);
        for (int k = 0; k < island->nodes[i].unknowns; ++k)
            for (int d = 0; d < FREEDOM; ++d) to[d] += x[k] * C[k][d];
    }
}

// x less A^-1 B J u.
static void feel(const Island *island, int i, const double *u, double *x)
{
    NodeBodies *own = &island->node_bodies[i];
    const int n = island->nodes[i].unknowns;
    double v[3] = {0.0}, y[3] = {0.0}, J[3][6];
    for (int side = 0; side < 2; ++side) {
        if (!scaled_rows(island, i, side, J)) continue;
        for (int slot = 0; slot < 3; ++slot)
            v[slot] += dot(J[slot], u + FREEDOM * island->places[i].body[side]);
    }
    for (int k = 0; k < n; ++k)
        for (int slot = 0; slot < 3; ++slot) y[k] += own->B[k][slot] * v[slot];
    multiply(n, own->inverse, y);
    for (int k = 0; k < n; ++k) x[k] -= y[k];
}

void sti_bodies_solve(const Island *island, double *x)
{
    double *u = island->body_velocity;
    memset(u, 0, (size_t)(FREEDOM * island->bodies) * sizeof *u);
    for (int i = 0; i < island->count; ++i) {
        double *own = x + island->nodes[i].base;
        multiply(island->nodes[i].unknowns, island->node_bodies[i].inverse, own);
        push(island, i, own, u);
    }
    sti_sparse_solve(&island->system, u);
    for (int i = 0; i < island->count; ++i) feel(island, i, u, x + island->nodes[i].base);
}
