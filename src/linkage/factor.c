// Psi M^-1 Psi^T = H^T H and its Cholesky factor L1^T, row by row within the envelope.
// [dahl] (28)-(30), corrected: M is diagonal about the centres of mass, so L = M^(1/2) is at hand.
// A row that depends on those before it has a pivot of rounding size and is dropped: the factor
// reveals the rank, at assembly and wherever a configuration becomes singular. That, columns before
// rows and inverse pivots for speed are what algebra/skyline.c does not have.
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

static const double least_pivot = 1e-12; // of the row's own diagonal entry

static void take_products(const Layout *layout, const Memory *m)
{
    memset(m->factor, 0, (size_t)layout->entries * sizeof *m->factor);
    for (int i = 0; i < layout->coupling_count; ++i) {
        const Coupling *c = &layout->couplings[i];
        const double *a = m->J + 6 * c->row + 3 * c->side;
        const double *b = m->JM + 6 * c->column + 3 * c->column_side;
        m->factor[c->slot] += a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}

static double inner(const double *a, const double *b, int from, int to)
{
    double sum = 0.0;
    for (int k = from; k < to; ++k) sum += a[k] * b[k];
    return sum;
}

static bool reaches(const Layout *layout, int row, int column)
{
    return layout->first[row] <= column;
}

// Column p of the factor is 0: the row takes no part.
static void drop(const Layout *layout, const Memory *m, int p)
{
    double *row = m->factor + layout->start[p];
    for (int c = layout->first[p]; c < p; ++c) row[c] = 0.0;
    row[p] = 1.0;
    m->dropped[p] = 1.0;
    for (int i = p + 1; i <= layout->last[p]; ++i)
        if (reaches(layout, i, p)) m->factor[layout->start[i] + p] = 0.0;
}

// Column p of the factor, and what it takes from the rows below: no number waits for its neighbour,
// which is what costs time in small factors.
static void eliminate(const Layout *layout, const Memory *m, int p, double pivot)
{
    const double inverse = 1.0 / sqrt(pivot); // divisions cost more than all the rest
    double *column = m->column;
    m->factor[layout->start[p] + p] = inverse;
    m->dropped[p] = 0.0;
    for (int i = p + 1; i <= layout->last[p]; ++i) {
        double *row = m->factor + layout->start[i];
        column[i] = 0.0;
        if (!reaches(layout, i, p)) continue;
        const double own = column[i] = row[p] *= inverse;
        for (int c = p + 1; c <= i; ++c) row[c] -= own * column[c];
    }
}

void sti_linkage_factor(const Layout *layout, const bool *held, Memory *m)
{
    take_products(layout, m);
    m->drops[0] = 0.0;
    for (int p = 0; p < layout->count; ++p) // the whole, until it is known what is left of it
        m->dropped[p] = m->factor[layout->start[p] + p];
    for (int p = 0; p < layout->count; ++p) {
        const Row *which = &layout->rows[p];
        const bool in_force = which->type != ROW_OF_LOCK || (held != NULL && held[which->pair]);
        const double pivot = m->factor[layout->start[p] + p];
        if (in_force && pivot > least_pivot * m->dropped[p]) {
            eliminate(layout, m, p, pivot);
            continue;
        }
        drop(layout, m, p);
        m->drops[0] += in_force ? 1.0 : 0.0;
    }
}

// (31): lambda_1 = L1^-T (...), then lambda = L1^-1 lambda_1.
void sti_linkage_solve_each(const Layout *layout, const Memory *m, int count,
                            double *const *lambdas)
{
    for (int p = 0; p < layout->count; ++p) {
        const double *row = m->factor + layout->start[p];
        const double pivot = m->dropped[p] != 0.0 ? 0.0 : row[p];
        for (int j = 0; j < count; ++j)
            lambdas[j][p] = (lambdas[j][p] - inner(row, lambdas[j], layout->first[p], p)) * pivot;
    }
    for (int p = layout->count - 1; p >= 0; --p) {
        const double *row = m->factor + layout->start[p];
        const double pivot = m->dropped[p] != 0.0 ? 0.0 : row[p];
        for (int j = 0; j < count; ++j) {
            double *lambda = lambdas[j];
            const double own = lambda[p] *= pivot;
            for (int c = layout->first[p]; c < p; ++c) lambda[c] -= row[c] * own;
        }
    }
}

void sti_linkage_solve(const Layout *layout, const Memory *m, double *lambda)
{
    sti_linkage_solve_each(layout, m, 1, &lambda);
}

void sti_linkage_push(const Layout *layout, const Memory *m, const double *lambda, double sign,
                      double *x)
{
    for (int p = 0; p < layout->count; ++p) {
        const double f = sign * lambda[p];
        for (int side = 0; side < 2; ++side) {
            const int body = layout->rows[p].body[side];
            const double *JM = m->JM + 6 * p + 3 * side;
            if (body < 0) continue;
            x[3 * body] += JM[0] * f;
            x[3 * body + 1] += JM[1] * f;
            x[3 * body + 2] += JM[2] * f;
        }
    }
}
