// The search of one island: local solves find modes, Newton's method the forces.
#include <string.h>

#include "cone/island.h"

enum { FEW = 4, SWEEPS_MOST = 243, SWEEPS_WITH_GUESSES = 9 };
static const double less = 0.9;        // of a limit
static const double touching = 1e-9;   // of the largest c: an open contact that does not open
static const double not_unique = 1e-6; // of the diagonal: pivots of redundant rows

bool sti_island_is_warm(const Island *island)
{
    for (int k = 0; k < 3 * island->count; ++k)
        if (island->f[k] != 0.0) return true;
    return false;
}

// Alone, the local solve is the answer (COUPLED, pitfall 6).
static bool solve_alone(Island *island)
{
    sti_island_sweep(island);
    if (island->wedged) return false;
    double *v = island->v;
    const IslandNode *node = island->nodes;
    sti_island_velocity(island);
    for (int k = 0; k < node->tangents && node->mode == STI_BLOCK_STICK; ++k) v[k] = 0.0;
    if (node->contact && node->mode != STI_BLOCK_OPEN) v[NORMAL] = 0.0;
    island->residual = 0.0;
    island->worst = 0;
    return true;
}

// Where all sits just at its limit nothing slips, and friction has no direction. With
// less friction it slips; the forces found there point the right way with all of it, too.
static bool solve_by_less_friction(Island *island)
{
    double *limits = island->step;
    for (int i = 0; i < island->count; ++i) {
        limits[i] = island->local[i].limit;
        island->local[i].limit *= less;
    }
    const bool slips = sti_island_newton(island, NEWTON_AS_IT_IS) ||
                       sti_island_newton(island, NEWTON_WITH_SWEEPS) ||
                       sti_island_newton(island, NEWTON_ALL_SLIDE);
    for (int i = 0; i < island->count; ++i) island->local[i].limit = limits[i];
    if (!slips) return false;
    sti_island_velocity(island);
    return sti_island_newton(island, NEWTON_STILL_SLIDES);
}

// From the forces of local solves.
static bool solve_from_sweeps(Island *island, int sweeps)
{
    for (int n = 0; n < sweeps && !sti_watch_ends(island->watch); ++n) sti_island_sweep(island);
    sti_island_velocity(island);
    if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    if (island->redundant) return false;
    if (sti_island_newton(island, NEWTON_WITH_SWEEPS)) return true;
    if (island->redundant || sweeps > SWEEPS_WITH_GUESSES) return false;
    if (sti_island_newton(island, NEWTON_ALL_SLIDE)) return true;
    if (sti_island_newton(island, NEWTON_ALL_STICK)) return true;
    if (sti_island_newton(island, NEWTON_ONE_AT_A_TIME)) return true;
    return !island->redundant && solve_by_less_friction(island);
}

static bool solve_first(Island *island)
{
    const NewtonStart first = sti_island_is_warm(island) ? NEWTON_AS_IT_IS : NEWTON_ALL_CLOSED;
    if ((first == NEWTON_AS_IT_IS || island->count > FEW) && sti_island_newton(island, first))
        return true;
    return !island->redundant && solve_from_sweeps(island, 1);
}

// A contact that touches and carries nothing could carry something, and friction at its limit where
// nothing slips could be less: the rows of the factor alone do not show it.
static bool could_be_another(const Island *island)
{
    const double nothing = touching * island->scale;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double *v = island->v + 3 * i;
        const bool open = node->mode == STI_BLOCK_OPEN;
        if (node->contact && open && !(v[NORMAL] > nothing)) return true;
        if (open != (node->factor_mode == STI_BLOCK_OPEN)) return true;
        if (node->slides || !(island->local[i].limit > 0.0)) continue;
        if (node->mode == STI_BLOCK_STICK && node->factor_mode == STI_BLOCK_SLIDE) return true;
        const double normal = node->contact ? 0.0 : fabs(v[2]);
        if (node->mode == STI_BLOCK_SLIDE && !(fabs(v[0]) + fabs(v[1]) + normal > nothing))
            return true;
    }
    return false;
}

// An answer that was there at the first look may be one of many.
bool sti_island_solve_regular(Island *island)
{
    if (island->count == 1) return solve_alone(island);
    if (!(island->scale > 0.0)) { // nothing moves: no forces
        memset(island->f, 0, (size_t)(3 * island->count) * sizeof *island->f);
        sti_island_velocity(island);
        return sti_island_newton(island, NEWTON_AS_IT_IS);
    }
    island->strict = not_unique;
    bool solved = solve_first(island);
    const bool known = island->factors == 0 && island->resumed;
    if (solved && !known && island->factors == 0) solved = sti_island_factor(island);
    if (solved && !known) solved = !could_be_another(island);
    island->strict = 0.0;
    return solved;
}

bool sti_island_solve_by_all_means(Island *island)
{
    const NewtonStart first = sti_island_is_warm(island) ? NEWTON_AS_IT_IS : NEWTON_ALL_CLOSED;
    island->redundant = false;
    if (sti_island_newton(island, first) || sti_island_interior(island)) return true;
    for (int sweeps = 1; sweeps <= SWEEPS_MOST && !sti_watch_ends(island->watch); sweeps *= 3)
        if (solve_from_sweeps(island, sweeps)) return true;
    return false;
}
