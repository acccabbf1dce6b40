// f(N) = 0, where N + f(N) are the loads that the forces under loads N give. Slopes by differences;
// a step is halved until f shrinks, for f has kinks where a row begins to stick or a force turns
// round. Each evaluation of f is one turn of the step's own loop, so the search is a machine of
// three phases.
#include "evaluate/load_search.h"

#include <math.h>
#include <string.h>

#include "algebra/lu.h"

enum { LOADS_MOST = 32, STEPS = 30 };
static const double difference = 1e-6;       // of the largest load
static const double least_share = 1.0 / 256; // of a Newton step
static const double good_step = 1e-3; // f shrinks by that much: the slopes are good for another

void sti_load_search_take(StiArena *arena, const StiNetwork *network, LoadSearch *search)
{
    int n = 0;
    search->heard = sti_arena_take(arena, (size_t)network->load_count + 1, sizeof(int));
    for (int i = 0; search->heard != NULL && network->iterates_loads && i < network->load_count;
         ++i)
        if (network->heard[i]) search->heard[n++] = i;
    search->count = n;
    search->N = sti_arena_numbers(arena, n);
    search->f = sti_arena_numbers(arena, n);
    search->past_N = sti_arena_numbers(arena, (LOAD_SECANTS + 1) * n);
    search->past_G = sti_arena_numbers(arena, (LOAD_SECANTS + 1) * n);
    search->mixed_F = sti_arena_numbers(arena, LOAD_SECANTS * n);
    search->mixed_G = sti_arena_numbers(arena, LOAD_SECANTS * n);
    search->resume = sti_arena_numbers(arena, network->load_count);
    if (n > LOADS_MOST) return; // no slopes: the search is not begun
    search->change = sti_arena_numbers(arena, n);
    search->slope = sti_arena_numbers(arena, n * n);
    search->pivots = sti_arena_take(arena, (size_t)n + 1, sizeof(int));
}

void sti_load_search_clear(LoadSearch *search)
{
    search->phase = LOADS_PLAIN;
    search->past = 0;
    search->largest = 0.0;
    search->mixed = false;
    search->possible = search->slope != NULL;
    search->failed = false;
}

// Loads beside the best so far, in one of them.
static void probe(LoadSearch *search, StageData *now, int column)
{
    search->phase = LOADS_PROBED;
    search->column = column;
    for (int k = 0; k < search->count; ++k)
        now->loads[search->heard[k]] = search->N[k] + (k == column ? search->length : 0.0);
}

// Loads are sizes of forces: none is below zero.
static void try_share(LoadSearch *search, StageData *now, double share)
{
    search->phase = LOADS_TRIED;
    search->share = share;
    for (int k = 0; k < search->count; ++k)
        now->loads[search->heard[k]] = fmax(search->N[k] + share * search->change[k], fmin(search->N[k], 0.0));
}

// The best so far is where the forces were just computed.
static void keep(LoadSearch *search, const StiScratch *scratch, const StageData *now,
                 const LoadChange *change)
{
    for (int k = 0; k < search->count; ++k) {
        const int i = search->heard[k];
        search->N[k] = now->loads[i];
        search->f[k] = scratch->evaluate->new_loads[i] - now->loads[i];
    }
    search->length = difference * change->size;
}

void sti_load_search_begin(const StiNetwork *network, StiScratch *scratch, StageData *now,
                           const LoadChange *change)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    memcpy(search->resume, scratch->evaluate->new_loads,
           (size_t)network->load_count * sizeof(double));
    search->steps = 0;
    keep(search, scratch, now, change);
    probe(search, now, 0);
}

static bool fail(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    search->phase = LOADS_PLAIN;
    search->failed = true;
    search->past = 0;
    search->mixed = false;
    scratch->evaluate->load_change = 0.0; // nothing to compare with across the gap
    memcpy(now->loads, search->resume, (size_t)network->load_count * sizeof *now->loads);
    for (int k = 0; search->ratio < 1.0 && k < search->count;
         ++k) // it contracts: the best is a gain
        now->loads[search->heard[k]] = search->N[k] + search->f[k];
    return true;
}

static double largest(int count, const double *x)
{
    double most = 0.0;
    for (int k = 0; k < count; ++k) most = fmax(most, fabs(x[k]));
    return most;
}

static void newton_change(LoadSearch *search)
{
    for (int k = 0; k < search->count; ++k) search->change[k] = -search->f[k];
    sti_lu_solve(search->count, search->slope, search->pivots, search->change);
}

// A column of slopes is known; with the last of them a Newton step can be tried.
static bool take_slope(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    const int n = search->count, column = search->column;
    for (int k = 0; k < n; ++k) {
        const int i = search->heard[k];
        const double f = scratch->evaluate->new_loads[i] - now->loads[i];
        search->slope[k * n + column] = (f - search->f[k]) / search->length;
    }
    if (column + 1 < n) {
        probe(search, now, column + 1);
        return true;
    }
    if (!sti_lu_factor(n, search->slope, search->pivots)) return fail(network, scratch, now);
    newton_change(search);
    if (!isfinite(largest(n, search->change))) return fail(network, scratch, now);
    try_share(search, now, 1.0);
    return true;
}

// Where the plain iteration went away there may be several solutions: what was found counts only if
// the body knows that it is the only one.
static bool is_only_one(const StiNetwork *network, StiScratch *scratch, StageData *now,
                        const LoadChange *change)
{
    return scratch->evaluate->load_search.ratio < 1.0 ||
           sti_loads_unique(network, scratch, now, change->worst);
}

static bool judge_trial(const StiNetwork *network, StiScratch *scratch, StageData *now,
                        const LoadChange *change)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    const double before = largest(search->count, search->f);
    if (change->settled) {
        if (!is_only_one(network, scratch, now, change)) return fail(network, scratch, now);
        memcpy(now->loads, scratch->evaluate->new_loads,
               (size_t)network->load_count * sizeof *now->loads);
        search->phase = LOADS_PLAIN;
        scratch->figures.load_newton += search->steps + 1;
        return false;
    }
    if (!(change->most < (1.0 - 0.1 * search->share) * before)) {
        if (search->share <= least_share) return fail(network, scratch, now);
        try_share(search, now, 0.5 * search->share);
        return true;
    }
    if (++search->steps == STEPS) return fail(network, scratch, now);
    keep(search, scratch, now, change);
    if (change->most < good_step * before) {
        newton_change(search);
        try_share(search, now, 1.0);
    } else {
        probe(search, now, 0);
    }
    return true;
}

bool sti_load_search_continue(const StiNetwork *network, StiScratch *scratch, StageData *now,
                              const LoadChange *change)
{
    return scratch->evaluate->load_search.phase == LOADS_PROBED
               ? take_slope(network, scratch, now)
               : judge_trial(network, scratch, now, change);
}
