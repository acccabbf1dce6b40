// Principal axes of a small symmetric matrix by Jacobi's rotations.
#include <math.h>

#include "base/finite.h"
#include "law/norm.h"
#include "reaction/inertia.h"

// Rounding of W = J H^-1 J^T leaves eigenvalues and velocities of this relative size where there
// should be none.
static const double NOTHING = 1e-13;

static bool is_isotropic(int dim, const double *W)
{
    for (int i = 0; i < dim * dim; ++i)
        if (W[i] != (i % (dim + 1) == 0 ? W[0] : 0.0)) return false;
    return true;
}

// (p, q) := (c p - s q, s p + c q), written as a correction of both: small angles round less.
static void turn(double s, double c, double *p, double *q)
{
    const double tan_half = s / (1.0 + c), before = *p;
    *p -= s * (*q + tan_half * before);
    *q += s * (before - tan_half * *q);
}

// Turns axes p and q so that A[p][q] vanishes.
static void rotate(double A[3][3], double axis[3][3], int p, int q)
{
    const double cot = (A[q][q] - A[p][p]) / (2.0 * A[p][q]); // of twice the angle
    const double t = copysign(1.0, cot) / (fabs(cot) + sqrt(cot * cot + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0.0;
    const int other = 3 - p - q;
    turn(s, c, &A[other][p], &A[other][q]);
    A[p][other] = A[other][p];
    A[q][other] = A[other][q];
    for (int i = 0; i < 3; ++i) turn(s, c, &axis[p][i], &axis[q][i]);
}

// Quadratic convergence: three or four sweeps; the number is a bound for NaN.
static void diagonalise(double A[3][3], double axis[3][3])
{
    for (int sweep = 0; sweep < 30; ++sweep) {
        bool diagonal = true;
        for (int p = 0; p < 2; ++p) {
            for (int q = p + 1; q < 3; ++q) {
                if (fabs(A[p][q]) <= 1e-18 * (fabs(A[p][p]) + fabs(A[q][q]))) continue;
                rotate(A, axis, p, q);
                diagonal = false;
            }
        }
        if (diagonal) return;
    }
}

// Eigenvalues that are rounding become 0.
static StiStatus use_eigenvalues(double T, double A[3][3], StiInertia *inertia)
{
    double largest = 0.0;
    for (int i = 0; i < inertia->dim; ++i) largest = fmax(largest, fabs(A[i][i]));
    for (int i = 0; i < inertia->dim; ++i) {
        if (A[i][i] < -NOTHING * largest) return STI_BAD_ARGUMENT;
        inertia->g[i] = A[i][i] <= NOTHING * largest ? 0.0 : T * A[i][i];
    }
    inertia->largest = T * largest;
    return STI_OK;
}

StiStatus sti_inertia_prepare(const StiReactionProblem *problem, StiInertia *inertia)
{
    const int dim = problem->dim;
    *inertia = (StiInertia){.dim = dim, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (dim < 1 || dim > STI_REACTION_DIM_MAX || problem->T <= 0.0) return STI_BAD_ARGUMENT;
    if (!isfinite(problem->T) || !sti_all_finite(problem->W, dim * dim)) return STI_NOT_FINITE;
    double A[3][3] = {{0.0}};
    for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k) A[i][k] = problem->W[dim * i + k];
    inertia->isotropic = is_isotropic(dim, problem->W);
    if (!inertia->isotropic) diagonalise(A, inertia->axis);
    return use_eigenvalues(problem->T, A, inertia);
}

void sti_inertia_resolve(const StiInertia *inertia, const double *x, double *along)
{
    for (int k = 0; k < inertia->dim; ++k) {
        along[k] = 0.0;
        for (int i = 0; i < inertia->dim; ++i) along[k] += inertia->axis[k][i] * x[i];
    }
}

void sti_inertia_compose(const StiInertia *inertia, const double *along, double *x)
{
    for (int i = 0; i < inertia->dim; ++i) {
        x[i] = 0.0;
        for (int k = 0; k < inertia->dim; ++k) x[i] += inertia->axis[k][i] * along[k];
    }
}

bool sti_inertia_force(const StiInertia *inertia, const double *change, double *force)
{
    const double rounding = NOTHING * sti_norm(inertia->dim, change);
    double along[3];
    bool possible = true;
    sti_inertia_resolve(inertia, change, along);
    for (int k = 0; k < inertia->dim; ++k) {
        if (inertia->g[k] == 0.0 && fabs(along[k]) > rounding) possible = false;
        along[k] = inertia->g[k] > 0.0 ? along[k] / inertia->g[k] : 0.0;
    }
    sti_inertia_compose(inertia, along, force);
    return possible;
}

StiStatus sti_other_forces(const StiReactionProblem *problem, double *h)
{
    StiInertia inertia;
    double change[3];
    const StiStatus status = sti_inertia_prepare(problem, &inertia);
    if (status != STI_OK) return status;
    for (int i = 0; i < problem->dim; ++i) change[i] = problem->vbar[i] - problem->v[i];
    sti_inertia_force(&inertia, change, h);
    return STI_OK;
}
