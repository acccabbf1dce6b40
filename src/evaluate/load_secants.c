// The next loads from the last iterations: the loads at which the residuals seen so far would
// combine to the least one (Anderson's mixing). Near a solution this is the secant method in as
// many directions as there are pairs of iterations, and a contraction by a tenth per iteration ends
// in half as many.
#include <math.h>
#include <string.h>

#include "evaluate/load_search.h"

static const double dependent = 1e-6; // of a difference: what is left of it by the later ones

static double inner(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

static double largest_difference(int n, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

double sti_load_secants_note(StiScratch *scratch, const StageData *now)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    const int n = search->count;
    double *N = search->past_N, *G = search->past_G;
    memmove(N + n, N, (size_t)(LOAD_SECANTS * n) * sizeof *N);
    memmove(G + n, G, (size_t)(LOAD_SECANTS * n) * sizeof *G);
    for (int k = 0; k < n; ++k) {
        N[k] = now->loads[search->heard[k]];
        G[k] = scratch->evaluate->new_loads[search->heard[k]];
    }
    if (search->past < LOAD_SECANTS + 1) ++search->past;
    if (search->past < 2) return 0.0;
    const double way = largest_difference(n, N, N + n);
    return way > 0.0 ? largest_difference(n, G, G + n) / way : 0.0;
}

// One difference between neighbouring iterations: F of residuals, D of what they gave, with the
// parts along the later ones taken out. False where nothing is left.
static bool take_difference(const LoadSearch *search, int j)
{
    const int n = search->count;
    const double *N = search->past_N + j * n, *G = search->past_G + j * n;
    double *F = search->mixed_F + j * n, *D = search->mixed_G + j * n;
    for (int k = 0; k < n; ++k) {
        D[k] = G[k] - G[n + k];
        F[k] = D[k] - (N[k] - N[n + k]);
    }
    const double whole = inner(n, F, F);
    for (int i = 0; i < j; ++i) {
        const double *E = search->mixed_F + i * n, *C = search->mixed_G + i * n;
        const double own = inner(n, E, E), part = own > 0.0 ? inner(n, E, F) / own : 0.0;
        for (int k = 0; k < n; ++k) {
            F[k] -= part * E[k];
            D[k] -= part * C[k];
        }
    }
    if (inner(n, F, F) > dependent * dependent * whole) return true;
    memset(F, 0, (size_t)n * sizeof *F);
    return false;
}

void sti_load_secants_mix(const StiScratch *scratch, StageData *now)
{
    const LoadSearch *search = &scratch->evaluate->load_search;
    const int n = search->count;
    double *left = search->f, *next = search->N;
    for (int k = 0; k < n; ++k) left[k] = search->past_G[k] - search->past_N[k];
    memcpy(next, search->past_G, (size_t)n * sizeof *next);
    for (int j = 0; j < LOAD_SECANTS && j + 1 < search->past; ++j) {
        if (!take_difference(search, j)) continue;
        const double *F = search->mixed_F + j * n, *D = search->mixed_G + j * n;
        const double part = inner(n, F, left) / inner(n, F, F);
        for (int k = 0; k < n; ++k) {
            left[k] -= part * F[k];
            next[k] -= part * D[k];
        }
    }
    for (int k = 0; k < n; ++k) // sizes stay 0 or more; forces of couplings may have any sign
        now->loads[search->heard[k]] = fmax(next[k], fmin(search->past_G[k], 0.0));
}
