// One node, exactly (COUPLED 2.3): a secular equation along the slip.
#include <math.h>

#include "cone/island.h"

enum { SECULAR_STEPS = 80, ROTATIONS = 24 };
static const double no_width = 1e-12; // of the tangents' W: a direction that no force can move
static const double at_rest = 1e-12;  // of c: its velocity, if it is only rounding
static const double settled = 4e-16;
static const double nothing = 1e-14; // of the largest k: no resistance to slip is left to find

// One Jacobi rotation of rows and columns p, q of A; Q collects them.
static void rotate(int d, double A[3][3], double Q[3][3], int p, int q)
{
    if (A[p][q] == 0.0) return;
    const double tau = 0.5 * (A[q][q] - A[p][p]) / A[p][q];
    const double t = copysign(1.0, tau) / (fabs(tau) + sqrt(1.0 + tau * tau));
    const double cosine = 1.0 / sqrt(1.0 + t * t), sine = t * cosine;
    A[p][p] -= t * A[p][q];
    A[q][q] += t * A[p][q];
    A[p][q] = A[q][p] = 0.0;
    for (int i = 0; i < d; ++i) {
        if (i != p && i != q) {
            const double a = A[i][p], b = A[i][q];
            A[i][p] = A[p][i] = cosine * a - sine * b;
            A[i][q] = A[q][i] = sine * a + cosine * b;
        }
        const double a = Q[i][p], b = Q[i][q];
        Q[i][p] = cosine * a - sine * b;
        Q[i][q] = sine * a + cosine * b;
    }
}

static void diagonalise(int d, double A[3][3], double Q[3][3])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) Q[i][j] = i == j;
    if (d == 2) rotate(d, A, Q, 0, 1);
    for (int n = 0; d == 3 && n < ROTATIONS; n += 3) {
        if (A[0][1] == 0.0 && A[0][2] == 0.0 && A[1][2] == 0.0) break;
        rotate(d, A, Q, 0, 1);
        rotate(d, A, Q, 0, 2);
        rotate(d, A, Q, 1, 2);
    }
}

void sti_island_prepare(Island *island)
{
    if (island->prepared) return;
    island->prepared = true;
    for (int i = 0; i < island->count; ++i) {
        BlockLocal *local = &island->local[i];
        const double *W = island->W + 9 * island->nodes[i].first;
        const bool held = island->nodes[i].contact && local->W_n > 0.0;
        const int d = island->nodes[i].tangents;
        double K[3][3] = {{0.0}};
        for (int a = 0; a < d; ++a) local->w[a] = held ? W[3 * a + NORMAL] : 0.0;
        for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b)
                K[a][b] = W[3 * a + b] - (held ? local->w[a] * local->w[b] / local->W_n : 0.0);
        diagonalise(d, K, local->Q);
        for (int a = 0; a < d; ++a) local->k[a] = K[a][a] > no_width * local->W_t ? K[a][a] : 0.0;
    }
}

// In the directions of K: friction f_i = -a_i/(k_i + s), its limit mu (b0 + b.f).
typedef struct Secular {
    int d;
    double mu, b0;
    double a[3], b[3], k[3];
} Secular;

static double limit_at(const Secular *p, const double *f)
{
    double load = p->b0;
    for (int i = 0; i < p->d; ++i) load += p->b[i] * f[i];
    return p->mu * load;
}

// rho = limit/|f| - 1 and its slope.
static double mismatch(const Secular *p, double s, double *f, double *slope)
{
    double square = 0.0, bend = 0.0, load_slope = 0.0;
    for (int i = 0; i < p->d; ++i) {
        const double width = 1.0 / (p->k[i] + s);
        f[i] = -p->a[i] * width;
        square += f[i] * f[i];
        bend += f[i] * f[i] * width;
        load_slope -= p->b[i] * f[i] * width;
    }
    const double size = 1.0 / sqrt(square), limit = limit_at(p, f);
    *slope = p->mu * load_slope * size + limit * bend * size * size * size;
    return limit * size - 1.0;
}

// Newton within a bracket. rho < 0 near s = 0 and > 0 far out; if it is not < 0 anywhere, friction
// wedges: false.
static bool slip(const Secular *p, double *f)
{
    double low = 0.0, high = INFINITY, most = 0.0, square = 0.0;
    for (int i = 0; i < p->d; ++i) {
        most = fmax(most, p->k[i]);
        square += p->a[i] * p->a[i];
    }
    double s = sqrt(square) / (p->mu * p->b0);
    for (int n = 0; n < SECULAR_STEPS; ++n) {
        double slope;
        const double rho = mismatch(p, s, f, &slope);
        if (!(fabs(rho) > settled)) return true;
        if (rho < 0.0)
            low = s;
        else
            high = s;
        if (high <= nothing * most || high < 1e-300) return false;
        double next = slope > 0.0 ? s - rho / slope : -1.0;
        if (!(next > low && next < high))
            next = high == INFINITY ? 4.0 * s : low > 0.0 ? 0.5 * (low + high) : 0.05 * high;
        const double change = fabs(next - s);
        s = next;
        if (change <= settled * s) break;
    }
    double slope;
    return fabs(mismatch(p, s, f, &slope)) < 1e-9;
}

// Sticking force; false if it cannot hold the node or is above the limit.
static bool stick(const Secular *p, double size, double *f)
{
    double square = 0.0;
    for (int i = 0; i < p->d; ++i) {
        if (p->k[i] == 0.0 && fabs(p->a[i]) > at_rest * size && p->mu < INFINITY) return false;
        f[i] = p->k[i] > 0.0 ? -p->a[i] / p->k[i] : 0.0;
        square += f[i] * f[i];
    }
    const double limit = limit_at(p, f);
    return limit >= 0.0 && square <= limit * limit;
}

static void into_directions(const BlockLocal *local, int d, const double *x, double *y)
{
    for (int i = 0; i < d; ++i) {
        y[i] = 0.0;
        for (int j = 0; j < d; ++j) y[i] += local->Q[j][i] * x[j];
    }
}

bool sti_local_solve(const Island *island, int i, const double *c, double *f, int *mode)
{
    const BlockLocal *local = &island->local[i];
    const bool contact = island->nodes[i].contact;
    Secular p = {.d = island->nodes[i].tangents, .mu = local->limit, .b0 = 1.0};
    double g[3] = {c[0], c[1], c[2]}, w[3], t[3] = {0.0}, size = 0.0;
    f[0] = f[1] = f[2] = 0.0;
    *mode = STI_BLOCK_OPEN;
    if (contact) {
        if (!(c[NORMAL] < 0.0) || !(local->W_n > 0.0)) return true;
        p.b0 = -c[NORMAL] / local->W_n;
        for (int k = 0; k < p.d; ++k) g[k] = c[k] + local->w[k] * p.b0;
        into_directions(local, p.d, local->w, w);
        for (int k = 0; k < p.d; ++k) p.b[k] = -w[k] / local->W_n;
        f[NORMAL] = p.b0;
    }
    into_directions(local, p.d, g, p.a);
    for (int k = 0; k < p.d; ++k) p.k[k] = local->k[k];
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs(c[k]));
    *mode = STI_BLOCK_SLIDE;
    bool answered = true;
    if (stick(&p, size, t))
        *mode = STI_BLOCK_STICK;
    else if (!(p.mu > 0.0))
        return true;
    else
        answered = slip(&p, t);
    if (!answered) return false;
    for (int k = 0; k < p.d; ++k) {
        f[k] = 0.0;
        for (int j = 0; j < p.d; ++j) f[k] += local->Q[k][j] * t[j];
    }
    if (contact)
        f[NORMAL] =
            limit_at(&(Secular){.d = p.d, .mu = 1.0, .b0 = p.b0, .b = {p.b[0], p.b[1], p.b[2]}}, t);
    return true;
}
