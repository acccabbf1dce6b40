// Symmetric 3 x 3 matrices: product, inverse by cofactors, eigenvalues in closed form.
#include <math.h>

#include "algebra/symmetric3.h"

enum { XX, YY, ZZ, XY, XZ, YZ };

static const double PI = 3.14159265358979323846;

static void cofactors(const double A[6], double C[6])
{
    C[XX] = A[YY] * A[ZZ] - A[YZ] * A[YZ];
    C[YY] = A[XX] * A[ZZ] - A[XZ] * A[XZ];
    C[ZZ] = A[XX] * A[YY] - A[XY] * A[XY];
    C[XY] = A[XZ] * A[YZ] - A[XY] * A[ZZ];
    C[XZ] = A[XY] * A[YZ] - A[XZ] * A[YY];
    C[YZ] = A[XY] * A[XZ] - A[YZ] * A[XX];
}

static double determinant(const double A[6], const double C[6])
{
    return A[XX] * C[XX] + A[XY] * C[XY] + A[XZ] * C[XZ];
}

bool sti_symmetric3_invert(const double A[6], double inverse[6])
{
    double C[6];
    cofactors(A, C);
    const double det = determinant(A, C);
    // The leading minors decide (Sylvester); a comparison with NaN is false.
    if (!(A[XX] > 0.0 && C[ZZ] > 0.0 && det > 0.0)) return false;
    for (int i = 0; i < 6; ++i) inverse[i] = C[i] / det;
    return true;
}

// Roots of the characteristic polynomial of (A - mean I)/spread, which are 2 cos of three angles.
void sti_symmetric3_eigenvalues(const double A[6], double values[3])
{
    const double mean = (A[XX] + A[YY] + A[ZZ]) / 3.0;
    const double D[6] = {A[XX] - mean, A[YY] - mean, A[ZZ] - mean, A[XY], A[XZ], A[YZ]};
    const double diagonal = D[XX] * D[XX] + D[YY] * D[YY] + D[ZZ] * D[ZZ];
    const double beside = D[XY] * D[XY] + D[XZ] * D[XZ] + D[YZ] * D[YZ];
    const double spread = sqrt((diagonal + 2.0 * beside) / 6.0);
    if (!(spread > 0.0)) {
        values[0] = values[1] = values[2] = mean;
        return;
    }
    double C[6];
    cofactors(D, C);
    const double cosine = 0.5 * determinant(D, C) / (spread * spread * spread);
    const double angle = sti_acos(fmax(-1.0, fmin(1.0, cosine))) / 3.0;
    values[2] = mean + 2.0 * spread * sti_cos(angle);
    values[0] = mean + 2.0 * spread * sti_cos(angle + 2.0 * PI / 3.0);
    values[1] = 3.0 * mean - values[0] - values[2];
}
