// Random contact blocks, and the memory and the judge for them: W = J H^-1 J^T T of a random
// mechanism, or of stacked boxes.
#ifndef STICTION_TESTS_RANDOM_BLOCK_H
#define STICTION_TESTS_RANDOM_BLOCK_H

#include <math.h>
#include <string.h>

#include "cone/block.h"
#include "support/random.h"

enum { BLOCK_NODES = 128, BLOCK_ROWS = 3 * BLOCK_NODES, BLOCK_PAIRS = 24 * BLOCK_NODES };

typedef struct BlockCase {
    StiBlockNode nodes[BLOCK_NODES];
    StiBlockPair pairs[BLOCK_PAIRS];
    double W[BLOCK_ROWS * BLOCK_ROWS], c[BLOCK_ROWS];
    StiBlock block;
    double f[BLOCK_ROWS], v[BLOCK_ROWS];
    StiBlockMode mode[BLOCK_NODES];
    bool released[BLOCK_NODES];
    double numbers[BLOCK_ROWS * BLOCK_ROWS + 9 * BLOCK_NODES * BLOCK_NODES + 64 * BLOCK_ROWS];
    int integers[4 * BLOCK_NODES * BLOCK_NODES + 16 * BLOCK_ROWS + 8];
    StiBlockAnswer answer;
} BlockCase;

static inline void block_case_start(BlockCase *p)
{
    p->block = (StiBlock){.nodes = p->nodes, .W = p->W, .c = p->c};
    p->answer = (StiBlockAnswer){.f = p->f, .v = p->v, .mode = p->mode, .released = p->released};
    memset(p->f, 0, sizeof p->f);
}

static inline void block_case_add(BlockCase *p, StiBlockKind kind, int dim, double limit)
{
    p->nodes[p->block.node_count++] = (StiBlockNode){
        .kind = kind, .row = p->block.row_count, .dim = dim, .limit = limit, .limit_static = limit};
    p->block.row_count += dim;
}

static inline StiStatus block_case_solve(BlockCase *p)
{
    const StiBlockScratch scratch = {.number_count = sizeof p->numbers / sizeof *p->numbers,
                                     .integer_count = sizeof p->integers / sizeof *p->integers,
                                     .numbers = p->numbers,
                                     .integers = p->integers};
    return sti_block_solve(&p->block, &scratch, &p->answer);
}

typedef struct RandomBlock {
    int contacts, friction_nodes; // at most; planar: motion in one plane only
    bool planar, gaps;
    bool distinct; // no rows that repeat those of another node
    double mu_most;
} RandomBlock;

// J as rows of `dofs` numbers. Each row sees only some of the coordinates, as joints of a tree do.
static inline void random_block_row(Random *random, double *J, int dofs)
{
    const double dense = random_between(random, 0.3, 1.0);
    for (int k = 0; k < dofs; ++k)
        J[k] = random_between(random, 0.0, 1.0) < dense ? random_between(random, -1.0, 1.0) : 0.0;
}

// W = T J J^T after J was scaled by a random inertia; c = J v (+ gap/T at normals).
static inline void random_block(Random *random, const RandomBlock *kind, BlockCase *p)
{
    static double J[BLOCK_ROWS][BLOCK_ROWS];
    block_case_start(p);
    const int contacts = kind->contacts;
    for (int i = 0; i < contacts; ++i) {
        const int dim = random_below(random, 12) == 0 ? 1 + random_below(random, 2) : 3;
        const double mu =
            random_below(random, 8) == 0 ? 0.0 : random_between(random, 0.0, kind->mu_most);
        block_case_add(p, STI_BLOCK_CONTACT, dim, mu);
    }
    for (int i = 0; i < kind->friction_nodes; ++i)
        block_case_add(p, STI_BLOCK_FRICTION, 1 + random_below(random, 3),
                       random_decades(random, 1e-2, 1e2));
    const int dofs = 1 + random_below(random, 3 * contacts + 6);
    const double T = 1e-3;
    double speed[BLOCK_ROWS], root[BLOCK_ROWS];
    for (int k = 0; k < dofs; ++k) {
        root[k] = sqrt(random_decades(random, 0.1, 10.0));
        speed[k] = random_below(random, 4) == 0 ? 0.0 : random_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < p->block.node_count; ++i) {
        const StiBlockNode *node = &p->nodes[i];
        for (int d = 0; d < node->dim; ++d) {
            double *row = J[node->row + d];
            random_block_row(random, row, dofs);
            const bool out_of_plane = kind->planar && d == 1 && node->dim == 3;
            for (int k = 0; k < dofs; ++k) row[k] = out_of_plane ? 0.0 : row[k] * root[k];
            // Some rows repeat the one of another node: two contacts of one link.
            if (!kind->distinct && i > 0 && node->dim == p->nodes[i - 1].dim &&
                random_below(random, 5) == 0)
                memcpy(row, J[p->nodes[i - 1].row + d], (size_t)dofs * sizeof *row);
        }
    }
    const int rows = p->block.row_count;
    for (int a = 0; a < rows; ++a) {
        p->c[a] = 0.0;
        for (int k = 0; k < dofs; ++k) p->c[a] += J[a][k] * speed[k];
        for (int b = 0; b < rows; ++b) {
            double sum = 0.0;
            for (int k = 0; k < dofs; ++k) sum += J[a][k] * J[b][k];
            p->W[a * rows + b] = T * sum;
        }
    }
    for (int i = 0; kind->gaps && i < contacts; ++i)
        if (random_below(random, 3) == 0)
            p->c[p->nodes[i].row + p->nodes[i].dim - 1] += random_between(random, 0.0, 1.0);
}

// Row of a contact point at (x, y, z) from a body's centre, along an axis: three of the velocity,
// three of the rotation; divided by the roots of a cube's mass (1 kg) and inertia.
static inline void block_body_row(const double *r, int axis, double side, double *J)
{
    const double turn = sqrt(6.0) / side;
    for (int k = 0; k < 6; ++k) J[k] = 0.0;
    J[axis] = 1.0;
    J[3 + (axis + 1) % 3] = turn * r[(axis + 2) % 3];
    J[3 + (axis + 2) % 3] = -turn * r[(axis + 1) % 3];
}

// A pile of cubes (1 kg, 0.2 m, four contacts each) under gravity, T = 1 ms; push: accelerations
// of the cubes along x (m/s^2). Sparse: a contact feels those of its own level and the next ones.
static inline void stacked_block(int cubes, double mu, const double *push, BlockCase *p)
{
    const double side = 0.2, T = 1e-3, h = 0.5 * side;
    block_case_start(p);
    p->block.pairs = p->pairs;
    for (int i = 0; i < 4 * cubes; ++i) block_case_add(p, STI_BLOCK_CONTACT, 3, mu);
    for (int a = 0, place = 0; a < 4 * cubes; ++a) {
        for (int b = a; b < 4 * (a / 4 + 2) && b < 4 * cubes; ++b, place += 9) {
            p->pairs[p->block.pair_count++] =
                (StiBlockPair){.a = a, .b = b, .place = place, .stride = 3};
            for (int k = 0; k < 9; ++k) {
                double sum = 0.0;
                for (int body = a / 4 - 1; body <= a / 4; ++body) {
                    const int over_b = body == b / 4, under_b = body == b / 4 - 1;
                    const int over_a = body == a / 4;
                    if (body < 0 || !(over_b || under_b)) continue;
                    double Ja[6], Jb[6];
                    const double ra[3] = {a % 2 ? h : -h, a / 2 % 2 ? h : -h, over_a ? -h : h};
                    const double rb[3] = {b % 2 ? h : -h, b / 2 % 2 ? h : -h, over_b ? -h : h};
                    block_body_row(ra, k / 3, side, Ja);
                    block_body_row(rb, k % 3, side, Jb);
                    for (int d = 0; d < 6; ++d)
                        sum += (over_a ? 1.0 : -1.0) * (over_b ? 1.0 : -1.0) * Ja[d] * Jb[d];
                }
                p->W[place + k] = T * sum;
            }
        }
    }
    for (int a = 0; a < 4 * cubes; ++a) {
        const int cube = a / 4;
        const double below = push != NULL && cube > 0 ? push[cube - 1] : 0.0;
        p->c[3 * a] = push != NULL ? T * (push[cube] - below) : 0.0;
        p->c[3 * a + 1] = 0.0;
        p->c[3 * a + 2] = cube == 0 ? -9.81 * T : 0.0;
    }
}

static inline double block_length(const double *x, int d)
{
    double square = 0.0;
    for (int k = 0; k < d; ++k) square += x[k] * x[k];
    return sqrt(square);
}

// W of a pair in a dense case or in a sparse one.
static inline void block_case_multiply(const BlockCase *p, const double *f, double *v)
{
    const int rows = p->block.row_count;
    for (int a = 0; a < rows; ++a) v[a] = p->c[a];
    if (p->block.pairs == NULL)
        for (int a = 0; a < rows; ++a)
            for (int b = 0; b < rows; ++b) v[a] += p->W[a * rows + b] * f[b];
    for (int e = 0; p->block.pairs != NULL && e < p->block.pair_count; ++e) {
        const StiBlockPair *pair = &p->pairs[e];
        const StiBlockNode *a = &p->nodes[pair->a], *b = &p->nodes[pair->b];
        for (int i = 0; i < a->dim; ++i)
            for (int j = 0; j < b->dim; ++j) {
                const double W = p->W[pair->place + i * pair->stride + j];
                v[a->row + i] += W * f[b->row + j];
                if (pair->a != pair->b) v[b->row + j] += W * f[a->row + i];
            }
    }
}

typedef struct BlockVerdict {
    double scale;     // largest velocity in play
    double violation; // of Coulomb's law and complementarity, as a velocity
    double power;     // of the forces
    double moved;     // largest difference between the answer's v and c + W f
} BlockVerdict;

// The conditions at the head of block.h, one by one and by mode, from W, c and f alone.
static inline BlockVerdict block_case_judge(const BlockCase *p)
{
    double v[BLOCK_ROWS];
    BlockVerdict verdict = {.scale = 0.0};
    block_case_multiply(p, p->f, v);
    for (int a = 0; a < p->block.row_count; ++a) {
        verdict.scale = fmax(verdict.scale, fmax(fabs(p->c[a]), fabs(v[a] - p->c[a])));
        verdict.power += p->f[a] * p->v[a];
        verdict.moved = fmax(verdict.moved, fabs(v[a] - p->v[a]));
    }
    for (int i = 0; i < p->block.node_count; ++i) {
        const StiBlockNode *node = &p->nodes[i];
        const bool contact = node->kind == STI_BLOCK_CONTACT;
        const int t = contact ? node->dim - 1 : node->dim;
        const double *f = p->f + node->row, *u = p->v + node->row;
        const bool holds_static = node->stuck_before && !p->released[i];
        const double coefficient = holds_static ? node->limit_static : node->limit;
        const double limit = contact ? coefficient * f[t] : coefficient;
        const int diagonal = node->row * (p->block.row_count + 1);
        const double W = p->block.pairs == NULL ? fmax(p->W[diagonal], 1e-3) : 1e-2;
        double worst = 0.0;
        if (contact) worst = fmax(worst, fmax(-f[t] * W, -u[t]));
        if (contact) worst = fmax(worst, fmin(fabs(f[t]) * W, fabs(u[t])));
        const double slip = block_length(u, t), rub = block_length(f, t);
        worst = fmax(worst, (rub - limit) * W);
        // Slip: opposite to friction, an angle counted as the smaller of what would mend it, and
        // friction at its limit.
        double angle[3] = {0.0};
        for (int k = 0; k < t && rub > 0.0 && slip > 0.0; ++k) angle[k] = u[k] / slip + f[k] / rub;
        worst = fmax(worst, block_length(angle, t) * fmin(slip, rub * W));
        worst = fmax(worst, fmin(slip, fabs(rub - limit) * W));
        verdict.violation = fmax(verdict.violation, worst);
    }
    return verdict;
}

#endif
