// Psi M^-1 Psi^T = H^T H and its Cholesky factor L1^T, row by row within the envelope.
// [dahl] (28)-(30), corrected: M is diagonal about the centres of mass, so L = M^(1/2) is at hand.
// A row that depends on those before it has a pivot of rounding size and is dropped: the factor
// reveals the rank, at assembly and wherever a configuration becomes singular.
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

static void drop(const Layout *layout, const Memory *m, int p)
{
    double *row = m->factor + layout->start[p];
    for (int c = layout->first[p]; c < p; ++c) row[c] = 0.0;
    row[p] = 1.0;
    m->dropped[p] = 1.0;
}

void sti_linkage_factor(const Layout *layout, const bool *held, Memory *m)
{
    take_products(layout, m);
    m->drops[0] = 0.0;
    for (int p = 0; p < layout->count; ++p) {
        double *row = m->factor + layout->start[p];
        const Row *which = &layout->rows[p];
        m->dropped[p] = 0.0;
        if (which->type == ROW_OF_LOCK && (held == NULL || !held[which->pair])) {
            drop(layout, m, p);
            continue;
        }
        const double whole = row[p];
        for (int c = layout->first[p]; c < p; ++c) {
            const double *other = m->factor + layout->start[c];
            const int from =
                layout->first[p] > layout->first[c] ? layout->first[p] : layout->first[c];
            row[c] = m->dropped[c] != 0.0 ? 0.0 : (row[c] - inner(row, other, from, c)) * other[c];
        }
        const double pivot = whole - inner(row, row, layout->first[p], p);
        if (pivot > least_pivot * whole) {
            row[p] = 1.0 / sqrt(pivot); // divisions cost more than all the rest
            continue;
        }
        drop(layout, m, p);
        m->drops[0] += 1.0;
    }
}

// (31): lambda_1 = L1^-T (...), then lambda = L1^-1 lambda_1.
void sti_linkage_solve(const Layout *layout, const Memory *m, double *lambda)
{
    for (int p = 0; p < layout->count; ++p) {
        const double *row = m->factor + layout->start[p];
        lambda[p] = m->dropped[p] != 0.0
                        ? 0.0
                        : (lambda[p] - inner(row, lambda, layout->first[p], p)) * row[p];
    }
    for (int p = layout->count - 1; p >= 0; --p) {
        const double *row = m->factor + layout->start[p];
        lambda[p] *= row[p];
        for (int c = layout->first[p]; c < p; ++c) lambda[c] -= row[c] * lambda[p];
    }
    for (int p = 0; p < layout->count; ++p)
        if (m->dropped[p] != 0.0) lambda[p] = 0.0;
}

void sti_linkage_push(const Layout *layout, const Memory *m, const double *lambda, double sign,
                      double *x)
{
    for (int p = 0; p < layout->count; ++p)
        for (int side = 0; side < 2; ++side) {
            const int body = layout->rows[p].body[side];
            for (int d = 0; body >= 0 && d < 3; ++d)
                x[3 * body + d] += sign * m->JM[6 * p + 3 * side + d] * lambda[p];
        }
}
