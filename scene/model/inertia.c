#include "model/inertia.h"

#include <math.h>
#include <string.h>

#include "algebra/symmetric3.h"

enum { XX, YY, ZZ, XY, XZ, YZ };

void inertia_turn(StiQuat q, const double inner[6], double outer[6])
{
    const StiVec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    const bool turned = fabs(q.x) + fabs(q.y) + fabs(q.z) > 0.0;
    for (int i = 0; i < 6; ++i) {
        const StiVec3 row = sti_quat_unrotate(q, axes[rows[i]]);
        const StiVec3 column = sti_quat_unrotate(q, axes[columns[i]]);
        const double here = sti_vec3_dot(row, sti_symmetric3_times(inner, column));
        outer[i] = turned ? here : inner[i];
    }
}

Inertia inertia_placed(const Inertia *body, StiFrame placement)
{
    Inertia placed = {.mass = body->mass};
    placed.centre = sti_vec3_add(placement.p, sti_quat_rotate(placement.q, body->centre));
    inertia_turn(placement.q, body->tensor, placed.tensor);
    return placed;
}

// Steiner: m (r.r 1 - r r^T).
static void add_point(double tensor[6], double mass, StiVec3 r)
{
    tensor[XX] += mass * (r.y * r.y + r.z * r.z);
    tensor[YY] += mass * (r.x * r.x + r.z * r.z);
    tensor[ZZ] += mass * (r.x * r.x + r.y * r.y);
    tensor[XY] -= mass * r.x * r.y;
    tensor[XZ] -= mass * r.x * r.z;
    tensor[YZ] -= mass * r.y * r.z;
}

Inertia inertia_joined(const Inertia *a, const Inertia *b)
{
    Inertia all = {.mass = a->mass + b->mass, .centre = a->centre};
    if (all.mass > 0.0)
        all.centre = sti_vec3_scale(1.0 / all.mass, sti_vec3_add(sti_vec3_scale(a->mass, a->centre),
                                                                 sti_vec3_scale(b->mass, b->centre)));
    for (int i = 0; i < 6; ++i) all.tensor[i] = a->tensor[i] + b->tensor[i];
    add_point(all.tensor, a->mass, sti_vec3_sub(a->centre, all.centre));
    add_point(all.tensor, b->mass, sti_vec3_sub(b->centre, all.centre));
    return all;
}

// Drawing programs print about six digits; a robot is judged with the same allowance.
bool inertia_is_physical(const double tensor[6])
{
    static const double ROUNDED = 1e-5;
    double m[3];
    sti_symmetric3_eigenvalues(tensor, m);
    return m[0] >= -ROUNDED * fabs(m[2]) && m[2] <= m[0] + m[1] + ROUNDED * m[2];
}

// ---- the nearest --------------------------------------------------------------------------------

// One turn of Jacobi's method: entry (p, q) becomes 0. axes: columns.
static void turn_away(double A[3][3], double axes[3][3], int p, int q)
{
    if (A[p][q] == 0.0) return;
    const double theta = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double kp = A[k][p], kq = A[k][q];
        A[k][p] = c * kp - s * kq;
        A[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
        const double pk = A[p][k], qk = A[q][k], ap = axes[k][p], aq = axes[k][q];
        A[p][k] = c * pk - s * qk;
        A[q][k] = s * pk + c * qk;
        axes[k][p] = c * ap - s * aq;
        axes[k][q] = s * ap + c * aq;
    }
}

static void principal_axes(const double tensor[6], double axes[3][3], double moments[3])
{
    double A[3][3] = {{tensor[XX], tensor[XY], tensor[XZ]},
                      {tensor[XY], tensor[YY], tensor[YZ]},
                      {tensor[XZ], tensor[YZ], tensor[ZZ]}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) axes[i][j] = i == j;
    for (int sweep = 0; sweep < 12; ++sweep) {
        turn_away(A, axes, 0, 1);
        turn_away(A, axes, 0, 2);
        turn_away(A, axes, 1, 2);
    }
    for (int i = 0; i < 3; ++i) moments[i] = A[i][i];
}

// Second moments s >= 0 make moments m_i = s_j + s_k. The nearest m with the s of `zero` held at 0:
// m is then in the plane, on the ray or at the point where they vanish.
static void nearest_without(const double m[3], unsigned zero, double s[3])
{
    for (int i = 0; i < 3; ++i) s[i] = 0.5 * (m[0] + m[1] + m[2]) - m[i];
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (zero == 1u << i) { // m = (sj + sk, sk, sj): normal equations of two unknowns
            const double bj = m[i] + m[k], bk = m[i] + m[j];
            s[i] = 0.0;
            s[j] = (2.0 * bj - bk) / 3.0;
            s[k] = (2.0 * bk - bj) / 3.0;
        } else if (zero == (7u & ~(1u << i))) { // m = (0, s, s)
            s[i] = 0.5 * (m[j] + m[k]);
            s[j] = s[k] = 0.0;
        }
    }
    if (zero == 7u) s[0] = s[1] = s[2] = 0.0;
}

static void nearest_moments(double m[3])
{
    double best = INFINITY, found[3] = {0.0};
    for (unsigned zero = 0; zero < 8u; ++zero) {
        double s[3], square = 0.0;
        nearest_without(m, zero, s);
        if (!(s[0] >= 0.0 && s[1] >= 0.0 && s[2] >= 0.0)) continue;
        const double tried[3] = {s[1] + s[2], s[0] + s[2], s[0] + s[1]};
        for (int i = 0; i < 3; ++i) square += (tried[i] - m[i]) * (tried[i] - m[i]);
        if (square >= best) continue;
        best = square;
        memcpy(found, tried, sizeof found);
    }
    memcpy(m, found, sizeof found);
}

static double size_of(const double tensor[6])
{
    double square = 0.0;
    for (int i = 0; i < 6; ++i) square += (i < 3 ? 1.0 : 2.0) * tensor[i] * tensor[i];
    return sqrt(square);
}

double inertia_make_physical(double tensor[6])
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    double axes[3][3], m[3], change[6];
    const double size = size_of(tensor);
    if (inertia_is_physical(tensor)) return 0.0;
    principal_axes(tensor, axes, m);
    nearest_moments(m);
    for (int i = 0; i < 6; ++i) {
        double entry = 0.0;
        for (int k = 0; k < 3; ++k) entry += axes[rows[i]][k] * m[k] * axes[columns[i]][k];
        change[i] = entry - tensor[i];
        tensor[i] = entry;
    }
    return size > 0.0 ? size_of(change) / size : 0.0;
}
