// Where rows outnumber the freedoms (joints of a linkage), W is singular and the forces of stuck rows
// are not unique: each takes the share of its limit that the others take, as far as they can. So they
// reach their limits together, and loads change smoothly where sticking turns into sliding.
#include "rows/least_norm.h"
#include "network/solver.h"
#include "rows/reaction_cones.h"

#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"

static const double dependent = 1e-11; // of a row's own diagonal: what is left of it by the others
static const double least = 1e-6;      // of the largest limit: a row without any takes that little

// Rows are scaled so that the shortest solution is the one of equal shares: y = r sqrt(w/L), w^2 =
// W_ii.
void sti_shares_choose(const LimitData *d, int n, int place, int row, double limit)
{
    d->stuck[place] = row;
    d->unit[place] = sqrt(limit / sqrt(d->W[row * n + row]));
}

static double scaled_W(const LimitData *d, int n, int a, int b)
{
    return d->unit[a] * d->W[d->stuck[a] * n + d->stuck[b]] * d->unit[b];
}

// W = G G^T with as many columns as W has rank, the rows of largest remainder first. Returns the
// rank.
static int take_root(const LimitData *d, int n, int count)
{
    for (int i = 0; i < count; ++i) d->left[i] = 1.0;
    for (int k = 0; k < count; ++k) {
        int p = 0;
        for (int i = 1; i < count; ++i)
            if (d->left[i] > d->left[p]) p = i;
        if (!(d->left[p] > dependent)) return k;
        const double pivot = sqrt(d->left[p] * scaled_W(d, n, p, p));
        d->pivot[k] = p;
        for (int i = 0; i < count; ++i) {
            double sum = scaled_W(d, n, i, p);
            for (int j = 0; j < k; ++j) sum -= d->G[i * count + j] * d->G[p * count + j];
            sum = i == p ? pivot : sum / pivot;
            for (int j = 0; j < k; ++j)
                if (d->pivot[j] == i) sum = 0.0;
            d->G[i * count + k] = sum;
            d->left[i] -= sum * sum / scaled_W(d, n, i, i);
        }
        d->left[p] = -1.0;
    }
    return count;
}

// G^T G, factored.
static bool factor_square(const LimitData *d, int count, int rank)
{
    for (int a = 0; a < rank; ++a)
        for (int b = 0; b <= a; ++b) {
            double sum = 0.0;
            for (int i = 0; i < count; ++i) sum += d->G[i * count + a] * d->G[i * count + b];
            d->square[a * rank + b] = sum;
        }
    return sti_cholesky_factor(rank, d->square);
}

int sti_shares_factor(const LimitData *d, int n, int count)
{
    const int rank = take_root(d, n, count);
    return factor_square(d, count, rank) ? rank : -1;
}

// The shortest y with G G^T y = b: G c = b in the pivots' rows, then G^T y = c.
void sti_shares_add(const LimitData *d, int count, int rank, const double *rate, double scale,
                    double *r)
{
    for (int k = 0; k < rank; ++k) {
        const int p = d->pivot[k];
        double sum = d->unit[p] * rate[d->stuck[p]] * scale;
        for (int j = 0; j < k; ++j) sum -= d->G[p * count + j] * d->c[j];
        d->c[k] = sum / d->G[p * count + k];
    }
    sti_cholesky_solve(rank, d->square, d->c);
    for (int i = 0; i < count; ++i) {
        double y = 0.0;
        for (int k = 0; k < rank; ++k) y += d->G[i * count + k] * d->c[k];
        r[d->stuck[i]] += d->unit[i] * y;
    }
}

// ---- with modes given ---------------------------------------------------------------------------

// Limits of all rows, none of them zero. False where one of the chosen rows cannot be moved at all.
static bool take_limits(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                        int count)
{
    const LimitData *d = scratch->limits;
    const int *chosen = scratch->reactions->rows, n = network->row_count;
    double most = 0.0;
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[chosen[p]];
        const bool silent = e->reads_load && scratch->loads_unknown;
        if (!(d->W[chosen[p] * n + chosen[p]] > 0.0)) return false;
        d->limit[chosen[p]] =
            silent ? 0.0 : e->kind->modes->limit(e->parameters, 0.0, now->ports + e->port);
        if (!isfinite(d->limit[chosen[p]])) return false;
        most = fmax(most, d->limit[chosen[p]]);
    }
    for (int p = 0; p < count; ++p)
        d->limit[chosen[p]] = most > 0.0 ? fmax(d->limit[chosen[p]], least * most) : 1.0;
    return true;
}

// Rates that the resistances leave.
static void take_left(const LimitData *d, int n, int count, const int *chosen, const double *rate,
                      double *left)
{
    for (int p = 0; p < count; ++p) {
        left[chosen[p]] = rate[p];
        for (int q = 0; q < count; ++q)
            left[chosen[p]] -= d->W[chosen[p] * n + chosen[q]] * d->r[chosen[q]];
    }
}

bool sti_shares_hold(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     int count, const double *rate, double *lambda)
{
    const LimitData *d = scratch->limits;
    const int *chosen = scratch->reactions->rows, n = network->row_count;
    if (d->W == NULL) return false;
    sti_least_norm_inertia(network, scratch);
    if (!take_limits(network, scratch, now, count)) return false;
    for (int p = 0; p < count; ++p) sti_shares_choose(d, n, p, chosen[p], d->limit[chosen[p]]);
    const int rank = sti_shares_factor(d, n, count);
    if (rank < 0) return false;
    memset(d->r, 0, (size_t)n * sizeof *d->r);
    for (int pass = 0; pass < 2; ++pass) { // the second takes the rounding of the first
        take_left(d, n, count, chosen, rate, d->from);
        sti_shares_add(d, count, rank, d->from, 1.0, d->r);
    }
    for (int p = 0; p < count; ++p) lambda[p] = d->r[chosen[p]];
    return true;
}

LimitData *sti_least_norm_take(StiArena *arena, const StiNetwork *network)
{
    LimitData *data = sti_arena_take(arena, 1, sizeof *data);
    const int n = network->row_count;
    const bool wanted = network->method->cuts || network->method->continuous ||
                        (network->solver != NULL && network->solver->limits);
    if (data == NULL || !wanted) return data;
    if (!network->coupled || n > STI_CONE_ROWS || n != network->reaction_count) return data;
    for (int i = 0; i < network->reaction_count; ++i)
        if (network->reactions[i].kind->level == NULL) return data;
    data->W = sti_arena_numbers(arena, n * n);
    data->G = sti_arena_numbers(arena, n * n);
    data->square = sti_arena_numbers(arena, n * n);
    data->limit = sti_arena_numbers(arena, n);
    data->r = sti_arena_numbers(arena, n);
    data->from = sti_arena_numbers(arena, n);
    data->unit = sti_arena_numbers(arena, n);
    data->left = sti_arena_numbers(arena, n);
    data->c = sti_arena_numbers(arena, n);
    data->mode = sti_arena_take(arena, (size_t)n, sizeof(int));
    data->stuck = sti_arena_take(arena, (size_t)n, sizeof(int));
    data->pivot = sti_arena_take(arena, (size_t)n, sizeof(int));
    return data;
}

void sti_least_norm_inertia(const StiNetwork *network, StiScratch *scratch)
{
    const LimitData *data = scratch->limits;
    const int n = network->row_count;
    for (int i = 0; data->W != NULL && i < n; ++i) {
        const Reaction *e = &network->reactions[i];
        for (int j = 0; j < e->neighbour_count; ++j)
            data->W[i * n + sti_neighbour(e, j)] =
                scratch->reactions->W[sti_neighbour_block(e, j)];
    }
}
