// vdot = a + M^(-1/2) D^+ (gamma - Psi a), a = M^-1 Q, D = Psi M^(-1/2).                  [dahl] (33)
// The pseudo-inverse by modified Gram-Schmidt on the rows of D, each orthogonalised twice; a row
// that vanishes depends on the others and is left out.
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

static const double least_remainder = 1e-12; // squared, of the row's own square

static void scaled_row(const Layout *layout, int velocities, const Memory *m, int p, double *D)
{
    memset(D, 0, (size_t)velocities * sizeof *D);
    for (int side = 0; side < 2; ++side) {
        const int body = layout->rows[p].body[side];
        for (int d = 0; body >= 0 && d < 3; ++d)
            D[3 * body + d] += m->J[6 * p + 3 * side + d] * sqrt(m->inverse_mass[3 * body + d]);
    }
}

static double inner(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

// rhs follows the row through all its combinations; so each orthonormal row e has a number g with
// e x = g, and x = sum of e g is the shortest solution of D x = rhs.
static void orthogonalise(int velocities, int p, const Memory *m, double *D, double *rhs)
{
    const double whole = inner(velocities, D + p * velocities, D + p * velocities);
    double *own = D + p * velocities;
    for (int pass = 0; pass < 2; ++pass)
        for (int c = 0; c < p; ++c) {
            if (m->dropped[c] != 0.0) continue;
            const double *e = D + c * velocities;
            const double part = inner(velocities, e, own);
            for (int i = 0; i < velocities; ++i) own[i] -= part * e[i];
            rhs[p] -= part * rhs[c];
        }
    const double left = inner(velocities, own, own);
    m->dropped[p] = left > least_remainder * whole ? 0.0 : 1.0;
    const double scale = m->dropped[p] == 0.0 ? 1.0 / sqrt(left) : 0.0;
    for (int i = 0; i < velocities; ++i) own[i] *= scale;
    rhs[p] *= scale;
}

void sti_linkage_udwadia_kalaba(const Layout *layout, int velocities, const Memory *m, double *vdot)
{
    double *D = m->dense, *rhs = m->dense + layout->count * velocities;
    m->drops[0] = 0.0;
    for (int i = 0; i < velocities; ++i) vdot[i] = m->inverse_mass[i] * m->Q[i]; // (34)
    for (int p = 0; p < layout->count; ++p) {
        scaled_row(layout, velocities, m, p, D + p * velocities); // (36)
        rhs[p] = m->gamma[p] - sti_row_rate(layout, m, p, vdot);
        orthogonalise(velocities, p, m, D, rhs);
        m->drops[0] += m->dropped[p];
    }
    memset(m->spare, 0, (size_t)velocities * sizeof *m->spare);
    for (int p = 0; p < layout->count; ++p)
        for (int i = 0; i < velocities; ++i) m->spare[i] += D[p * velocities + i] * rhs[p];
    for (int i = 0; i < velocities; ++i) vdot[i] += sqrt(m->inverse_mass[i]) * m->spare[i]; // (33)
    // The multipliers are not needed for the motion. For the loads: D^T lambda = -spare.
    for (int p = 0; p < layout->count; ++p) m->lambda[p] = -rhs[p];
    for (int p = layout->count - 1; p >= 0; --p) {
        double *row = rhs + layout->count; // the original row again, against the orthonormal ones
        if (m->dropped[p] != 0.0) continue;
        scaled_row(layout, velocities, m, p, row);
        m->lambda[p] /= inner(velocities, row, D + p * velocities);
        for (int c = 0; c < p; ++c)
            m->lambda[c] -= inner(velocities, row, D + c * velocities) * m->lambda[p];
    }
    for (int p = 0; p < layout->count; ++p)
        if (m->dropped[p] != 0.0) m->lambda[p] = 0.0;
}
