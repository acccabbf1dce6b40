// Random blocks whose forces are not unique: bodies with several contacts each, on the ground and on
// each other, W = T J M^-1 J^T, c = J v. The same block in another order of nodes and with other
// tangents.
#ifndef STICTION_TESTS_REDUNDANT_BLOCK_H
#define STICTION_TESTS_REDUNDANT_BLOCK_H

#include "support/random_block.h"

enum { REDUNDANT_DOFS = 6 * 8 };

typedef struct RedundantKind {
    int bodies; // at most 8
    int points; // between a body and the one below
    double mu_least, mu_most;
    bool resting; // gravity only; else bodies move anyhow
    bool faces;   // the points of a pair have one normal; else any
    double noise; // added to c, of its largest: c does not fit W any more
} RedundantKind;

// Row of a contact at r (from the body's centre) along d.
static inline void redundant_row(const double r[3], const double d[3], double *J)
{
    for (int k = 0; k < 3; ++k) {
        J[k] = d[k];
        J[3 + k] = r[(k + 1) % 3] * d[(k + 2) % 3] - r[(k + 2) % 3] * d[(k + 1) % 3];
    }
}

static inline void redundant_normal(Random *random, bool upright, double n[3])
{
    const double lean = upright ? 0.0 : 0.7;
    n[0] = random_between(random, -lean, lean);
    n[1] = random_between(random, -lean, lean);
    n[2] = 1.0;
    const double size = block_length(n, 3);
    for (int k = 0; k < 3; ++k) n[k] /= size;
}

// Two directions across n.
static inline void redundant_tangents(const double n[3], double t[2][3])
{
    const double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0.0};
    for (int k = 0; k < 3; ++k)
        t[0][k] = axis[(k + 1) % 3] * n[(k + 2) % 3] - axis[(k + 2) % 3] * n[(k + 1) % 3];
    const double size = block_length(t[0], 3);
    for (int k = 0; k < 3; ++k) t[0][k] /= size;
    for (int k = 0; k < 3; ++k)
        t[1][k] = n[(k + 1) % 3] * t[0][(k + 2) % 3] - n[(k + 2) % 3] * t[0][(k + 1) % 3];
}

// Body i stands on body i - 1, the first on the ground; some lean on one further down, too.
static inline void redundant_block(Random *random, const RedundantKind *kind, BlockCase *p)
{
    static double J[BLOCK_ROWS][REDUNDANT_DOFS];
    const double T = 1e-3;
    double root[REDUNDANT_DOFS], speed[REDUNDANT_DOFS];
    block_case_start(p);
    memset(J, 0, sizeof J);
    for (int b = 0; b < kind->bodies; ++b) {
        const double mass = random_decades(random, 0.3, 3.0);
        for (int k = 0; k < 6; ++k) {
            const double inertia = k < 3 ? mass : mass * random_between(random, 0.003, 0.01);
            root[6 * b + k] = 1.0 / sqrt(inertia);
            speed[6 * b + k] =
                kind->resting ? (k == 2 ? -9.81 * T : 0.0) : random_between(random, -0.05, 0.05);
        }
        const int below = b > 0 && random_below(random, 4) == 0 ? random_below(random, b) : b - 1;
        double n[3], t[2][3];
        redundant_normal(random, kind->resting, n);
        for (int i = 0; i < kind->points; ++i) {
            const double mu = random_between(random, kind->mu_least, kind->mu_most);
            const int row = p->block.row_count;
            if (!kind->faces) redundant_normal(random, kind->resting, n);
            redundant_tangents(n, t);
            const double x = random_between(random, 0.05, 0.1) * (i % 2 ? 1.0 : -1.0);
            const double y = random_between(random, 0.05, 0.1) * (i / 2 % 2 ? 1.0 : -1.0);
            const double r[3] = {x, y, -0.05}, under[3] = {x, y, 0.05};
            block_case_add(p, STI_BLOCK_CONTACT, 3, mu);
            for (int d = 0; d < 3; ++d) {
                const double *along = d < 2 ? t[d] : n;
                redundant_row(r, along, &J[row + d][6 * b]);
                if (below < 0) continue;
                redundant_row(under, along, &J[row + d][6 * below]);
                for (int k = 0; k < 6; ++k) J[row + d][6 * below + k] *= -1.0;
            }
        }
    }
    const int rows = p->block.row_count, dofs = 6 * kind->bodies;
    double most = 0.0;
    for (int a = 0; a < rows; ++a) {
        p->c[a] = 0.0;
        for (int k = 0; k < dofs; ++k) p->c[a] += J[a][k] * speed[k];
        most = fmax(most, fabs(p->c[a]));
        for (int b = 0; b < rows; ++b) {
            double sum = 0.0;
            for (int k = 0; k < dofs; ++k) sum += J[a][k] * root[k] * root[k] * J[b][k];
            p->W[a * rows + b] = T * sum;
        }
    }
    for (int a = 0; a < rows && kind->noise > 0.0; ++a)
        p->c[a] += kind->noise * most * random_between(random, -1.0, 1.0);
}

// Node i of q is node place[i] of p, its tangents turned by an angle and, if mirrored, one reversed.
typedef struct Turned {
    int place[BLOCK_NODES];
    double tangents[BLOCK_NODES][2][2];
} Turned;

static inline Turned turned_block(Random *random, const BlockCase *p, bool mirrored, BlockCase *q)
{
    static double turn[BLOCK_ROWS][3]; // row of q by the three rows of its node in p
    Turned turned;
    const int nodes = p->block.node_count, rows = p->block.row_count;
    block_case_start(q);
    for (int i = 0; i < nodes; ++i) turned.place[i] = i;
    for (int i = nodes - 1; i > 0; --i) {
        const int j = random_below(random, i + 1), held = turned.place[i];
        turned.place[i] = turned.place[j];
        turned.place[j] = held;
    }
    for (int i = 0; i < nodes; ++i) {
        const StiBlockNode *node = &p->nodes[turned.place[i]];
        const double angle = random_between(random, 0.0, 6.28), flip = mirrored ? -1.0 : 1.0;
        const double c = cos(angle), s = sin(angle);
        const double R[2][2] = {{c, s}, {-s * flip, c * flip}};
        memcpy(turned.tangents[i], R, sizeof R);
        for (int d = 0; d < 3; ++d) {
            double *row = turn[3 * i + d];
            row[0] = d < 2 ? R[d][0] : 0.0;
            row[1] = d < 2 ? R[d][1] : 0.0;
            row[2] = d == 2;
        }
        block_case_add(q, node->kind, node->dim, node->limit);
    }
    for (int a = 0; a < rows; ++a) {
        const int from = 3 * turned.place[a / 3];
        q->c[a] = 0.0;
        for (int k = 0; k < 3; ++k) q->c[a] += turn[a][k] * p->c[from + k];
        for (int b = 0; b < rows; ++b) {
            const int to = 3 * turned.place[b / 3];
            double sum = 0.0;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    sum += turn[a][k] * p->W[(from + k) * rows + to + l] * turn[b][l];
            q->W[a * rows + b] = sum;
        }
    }
    return turned;
}

// Numbers x of q, per row, as p has them.
static inline void turn_back(const Turned *turned, const BlockCase *q, const double *x,
                             double *back)
{
    for (int i = 0; i < q->block.node_count; ++i) {
        const double *from = x + 3 * i;
        double *to = back + 3 * turned->place[i];
        for (int k = 0; k < 2; ++k)
            to[k] = turned->tangents[i][0][k] * from[0] + turned->tangents[i][1][k] * from[1];
        to[2] = from[2];
    }
}

#endif
