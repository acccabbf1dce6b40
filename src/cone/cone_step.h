// Private: the algebra of second-order cones K = {x: x_0 >= |x_1..|}, of 1 (a half line) to 4
// numbers. x o y = (x.y, x_0 y_1 + y_0 x_1) is their product, e = (1, 0) its one, and
// det x = x_0^2 - |x_1|^2.
#ifndef STICTION_SRC_CONE_CONE_STEP_H
#define STICTION_SRC_CONE_CONE_STEP_H

#include <math.h>
#include <stdbool.h>

enum { CONE_MOST = 4 };

// A pair x, z inside the cone, with the scaling of Nesterov and Todd: S z = S^-1 x = lambda.
typedef struct Cone {
    double x[CONE_MOST], z[CONE_MOST]; // force and velocity, scaled
    double dx[CONE_MOST], dz[CONE_MOST];
    double omega[CONE_MOST], eta; // S = eta (matrix of omega), det omega = 1
    double lambda[CONE_MOST];
    double theta[CONE_MOST][CONE_MOST]; // S^-2
    double q[CONE_MOST];                // what is wanted of x o z, then dz without dx
    double r[CONE_MOST];                // what is left of z's equation
    double d[2];                        // direction of slip
    double inverse;                     // 1/mu: f_n = x_0/mu
} Cone;

static inline double sti_cone_dot(const double *x, const double *y, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += x[k] * y[k];
    return sum;
}

// The length of all but the first.
static inline double sti_cone_tail(const double *x, int n)
{
    double square = 0.0;
    for (int k = 1; k < n; ++k) square += x[k] * x[k];
    return sqrt(square);
}

// Not as a difference of squares: it is wanted near the surface.
static inline double sti_cone_det(const double *x, int n)
{
    const double tail = sti_cone_tail(x, n);
    return (x[0] - tail) * (x[0] + tail);
}

static inline void sti_cone_product(const double *x, const double *y, int n, double *product)
{
    product[0] = sti_cone_dot(x, y, n);
    for (int k = 1; k < n; ++k) product[k] = x[0] * y[k] + y[0] * x[k];
}

// The y with x o y = r.
static inline void sti_cone_divide(const double *x, const double *r, int n, double *y)
{
    double along = 0.0;
    for (int k = 1; k < n; ++k) along += x[k] * r[k];
    y[0] = (x[0] * r[0] - along) / sti_cone_det(x, n);
    for (int k = 1; k < n; ++k) y[k] = (r[k] - x[k] * y[0]) / x[0];
}

// S y, or S^-1 y where sense is -1.
static inline void sti_cone_scale(const Cone *cone, const double *y, int n, double sense,
                                  double *scaled)
{
    const double *w = cone->omega, by = sense > 0.0 ? cone->eta : 1.0 / cone->eta;
    double along = 0.0;
    for (int k = 1; k < n; ++k) along += w[k] * y[k];
    const double tail = sense * y[0] + along / (1.0 + w[0]);
    scaled[0] = by * (w[0] * y[0] + sense * along);
    for (int k = 1; k < n; ++k) scaled[k] = by * (y[k] + w[k] * tail);
}

// omega, eta, lambda and theta from x and z; false if one of them is not inside.
static inline bool sti_cone_prepare(Cone *cone, int n)
{
    const double det_x = sti_cone_det(cone->x, n), det_z = sti_cone_det(cone->z, n);
    if (!(det_x > 0.0) || !(det_z > 0.0)) return false;
    const double x = 1.0 / sqrt(det_x), z = 1.0 / sqrt(det_z);
    const double both = sqrt(0.5 * (1.0 + x * z * sti_cone_dot(cone->x, cone->z, n)));
    for (int k = 0; k < n; ++k)
        cone->omega[k] = (x * cone->x[k] + (k == 0 ? z : -z) * cone->z[k]) / (2.0 * both);
    const double square = z / x; // eta^2
    cone->eta = sqrt(square);
    sti_cone_scale(cone, cone->z, n, 1.0, cone->lambda);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const double sign = (i == 0) == (j == 0) ? 2.0 : -2.0;
            const double J = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
            cone->theta[i][j] = (sign * cone->omega[i] * cone->omega[j] - J) / square;
        }
    return isfinite(cone->eta);
}

// The largest a for which x + a d is inside; 1e9 where there is none.
static inline double sti_cone_reach(const double *x, const double *d, int n)
{
    const double none = 1e9;
    if (n == 1) return d[0] < 0.0 ? -x[0] / d[0] : none;
    const double tail = sti_cone_tail(d, n), a = (d[0] - tail) * (d[0] + tail);
    const double c = sti_cone_det(x, n);
    const double b = 2.0 * x[0] * d[0] - sti_cone_dot(x, d, n);
    const double square = b * b - a * c;
    if (!(square >= 0.0)) return none;
    const double sum = -(b + copysign(sqrt(square), b)), first = sum / a, second = c / sum;
    double reach = none;
    if (first > 0.0 && first < reach) reach = first;
    if (second > 0.0 && second < reach) reach = second;
    return reach;
}

// The smaller eigenvalue of the pair x + a dx, z + a dz, squared: how central it is.
static inline double sti_cone_least(const Cone *cone, double a, int n, double *power)
{
    double x[CONE_MOST], z[CONE_MOST];
    for (int k = 0; k < n; ++k) x[k] = cone->x[k] + a * cone->dx[k];
    for (int k = 0; k < n; ++k) z[k] = cone->z[k] + a * cone->dz[k];
    const double q = sti_cone_dot(x, z, n);
    const double p = fmax(sti_cone_det(x, n) * sti_cone_det(z, n), 0.0);
    *power += q;
    return p / (q + sqrt(fmax(q * q - p, 0.0)));
}

#endif
