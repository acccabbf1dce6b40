// The chain of case 7, by an integration that shares no code with anyone: angles of the links against
// the horizontal as coordinates, dense matrices, impulses by Gauss-Seidel sweeps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "reference.h"

enum { SPHERES = 2, SWEEPS = 20000 };

// Angles turn the x-axis downwards. Rows: the rates of the joints, then for each sphere the speed
// away from the ground and the speed of its lowest point along x.
typedef struct Chain {
    int n, rows;
    double *angle, *rate, *force; // of the links
    double *L;                    // n x n, M = L L^T
    double *J, *Y;                // rows x n: the rows, and L^-1 applied to them
    double *W, *speed, *impulse;  // of the rows
    double floor[SPHERES];        // speed that brings a sphere to the ground within the step, < 0
} Chain;

static void chain_make(Chain *c, int n)
{
    const size_t size = (size_t)n, rows = size + 2 * SPHERES;
    *c = (Chain){.n = n, .rows = (int)rows};
    c->angle = calloc(size, sizeof(double)), c->rate = calloc(size, sizeof(double));
    c->force = calloc(size, sizeof(double)), c->L = calloc(size * size, sizeof(double));
    c->J = calloc(rows * size, sizeof(double)), c->Y = calloc(rows * size, sizeof(double));
    c->W = calloc(rows * rows, sizeof(double));
    c->speed = calloc(rows, sizeof(double)), c->impulse = calloc(rows, sizeof(double));
}

static void chain_free(Chain *c)
{
    free(c->angle), free(c->rate), free(c->force), free(c->L), free(c->J), free(c->Y);
    free(c->W), free(c->speed), free(c->impulse);
}

// Each link carries those after it at its end.
static void set_dynamics(Chain *c)
{
    const double m = chain_mass, l = chain_length, J = chain_inertia(1);
    const int n = c->n;
    for (int i = 0; i < n; ++i) {
        c->force[i] = m * case_gravity * l * cos(c->angle[i]) * (n - i - 0.5);
        for (int j = 0; j < n; ++j) {
            const double after = n - 1 - (i > j ? i : j), turn = c->angle[i] - c->angle[j],
                         inertia =
                             i == j ? m * l * l * (after + 0.25) + J : m * l * l * (after + 0.5);
            c->L[i * n + j] = inertia * cos(turn);
            c->force[i] -= inertia * sin(turn) * c->rate[j] * c->rate[j];
        }
    }
}

static void set_rows(Chain *c, double h)
{
    const int n = c->n;
    memset(c->J, 0, (size_t)(c->rows * n) * sizeof(double));
    for (int i = 0; i < n; ++i) {
        c->J[i * n + i] = 1.0;
        if (i > 0) c->J[i * n + i - 1] = -1.0;
    }
    for (int k = 0; k < SPHERES; ++k) {
        double *normal = &c->J[(n + 2 * k) * n], *along = normal + n, height = 0.0;
        for (int i = 0; i < n; ++i) {
            const double l = i < n - 1 ? chain_length : chain_spheres[k];
            height -= l * sin(c->angle[i]);
            normal[i] = -l * cos(c->angle[i]);
            along[i] = -l * sin(c->angle[i]);
        }
        along[n - 1] -= chain_radius;
        c->floor[k] = -fmax(height, 0.0) / h;
    }
}

static void factor(double *L, int n)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = L[i * n + j];
            for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
            L[i * n + j] = i == j ? sqrt(sum) : sum / L[j * n + j];
        }
}

static void forward(const double *L, int n, double *b)
{
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) b[i] -= L[i * n + k] * b[k];
        b[i] /= L[i * n + i];
    }
}

static void backward(const double *L, int n, double *b)
{
    for (int i = n - 1; i >= 0; --i) {
        for (int k = i + 1; k < n; ++k) b[i] -= L[k * n + i] * b[k];
        b[i] /= L[i * n + i];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// One impulse after the other to what its law says: friction of joints, contacts, friction of contacts.
static double sweep(Chain *c, double h)
{
    double change = 0.0;
    for (int r = 0; r < c->rows; ++r) {
        const int k = (r - c->n) / 2;
        const double *w = &c->W[r * c->rows];
        const double goal = r >= c->n && (r - c->n) % 2 == 0 ? c->floor[k] : 0.0;
        double most = chain_level * h, least = -most;
        if (r >= c->n && (r - c->n) % 2 == 0) least = 0.0, most = INFINITY;
        if (r >= c->n && (r - c->n) % 2 == 1) most = chain_mu * c->impulse[r - 1], least = -most;
        if (w[r] <= 0.0) continue;
        const double free = c->impulse[r] + (goal - c->speed[r]) / w[r],
                     next = fmin(fmax(free, least), most), step = next - c->impulse[r];
        c->impulse[r] = next;
        for (int s = 0; s < c->rows; ++s) c->speed[s] += w[s] * step;
        change = fmax(change, fabs(step));
    }
    return change;
}

static void solve_impulses(Chain *c, double h)
{
    const int n = c->n, rows = c->rows;
    for (int r = 0; r < rows; ++r) {
        memcpy(&c->Y[r * n], &c->J[r * n], (size_t)n * sizeof(double));
        forward(c->L, n, &c->Y[r * n]);
    }
    for (int r = 0; r < rows; ++r)
        for (int s = 0; s <= r; ++s)
            c->W[r * rows + s] = c->W[s * rows + r] = dot(&c->Y[r * n], &c->Y[s * n], n);
    for (int r = 0; r < rows; ++r)
        c->speed[r] = dot(&c->J[r * n], c->rate, n) + dot(&c->W[r * rows], c->impulse, rows);
    for (int k = 0; k < SWEEPS && sweep(c, h) > 1e-12; ++k) {}
}

// Matrices at the middle of the step, angles by the mean of the rates: of second order between changes.
static void step(Chain *c, double h)
{
    const int n = c->n;
    for (int i = 0; i < n; ++i) c->angle[i] += 0.5 * h * c->rate[i];
    set_dynamics(c);
    set_rows(c, h);
    factor(c->L, n);
    forward(c->L, n, c->force), backward(c->L, n, c->force);
    for (int i = 0; i < n; ++i) c->rate[i] += h * c->force[i];
    solve_impulses(c, h);
    memset(c->force, 0, (size_t)n * sizeof(double));
    for (int r = 0; r < c->rows; ++r)
        for (int i = 0; i < n; ++i) c->force[i] += c->Y[r * n + i] * c->impulse[r];
    backward(c->L, n, c->force);
    for (int i = 0; i < n; ++i) {
        c->rate[i] += c->force[i];
        c->angle[i] += 0.5 * h * c->rate[i];
    }
}

void reference_chain(int links, double t, double h, double *angles)
{
    Chain c;
    chain_make(&c, links);
    for (long k = 0; k < lround(t / h); ++k) step(&c, h);
    for (int i = 0; i < chain_read(links); ++i)
        angles[i] = i > 0 ? c.angle[i] - c.angle[i - 1] : c.angle[i];
    chain_free(&c);
}
