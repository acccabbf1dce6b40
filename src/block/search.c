// The search of one island: local solves find modes, Newton's method the forces.
#include <math.h>
#include <string.h>

#include "block/island.h"

enum { SWEEPS_MOST = 243, SWEEPS_WITH_GUESSES = 9, SWEEPS_FRICTIONLESS = 2187 };
static const double accepted_at_last = 1e-9; // of the largest velocity in play

static bool is_warm(const Island *island)
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
    const bool contact = sti_is_contact(island, 0);
    sti_island_velocity(island);
    for (int k = 0; k < sti_tangents(island, 0) && island->mode[0] == STI_BLOCK_STICK; ++k)
        v[k] = 0.0;
    if (contact && island->mode[0] != STI_BLOCK_OPEN) v[NORMAL] = 0.0;
    island->residual = 0.0;
    island->worst = 0;
    return true;
}

bool sti_island_solve(Island *island)
{
    if (island->count == 1) return solve_alone(island);
    if (is_warm(island) && sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    for (int sweeps = 1; sweeps <= SWEEPS_MOST; sweeps *= 3) {
        for (int n = 0; n < sweeps; ++n) sti_island_sweep(island);
        if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
        if (sweeps > SWEEPS_WITH_GUESSES) continue;
        if (sti_island_newton(island, NEWTON_ALL_SLIDE)) return true;
        if (sti_island_newton(island, NEWTON_ALL_STICK)) return true;
    }
    return false;
}

// Without friction at the contacts the forces are those of least f.W f/2 + c.f over a convex set.
// Every local solve brings that down from the 0 of no force, and it bounds the energy that the
// forces add: wherever the sweeps end, they add none.
bool sti_island_solve_frictionless(Island *island)
{
    for (int i = 0; i < island->count; ++i)
        if (sti_is_contact(island, i)) island->local[i].limit = 0.0;
    memset(island->f, 0, (size_t)(3 * island->count) * sizeof *island->f);
    for (int sweeps = 1; sweeps <= SWEEPS_FRICTIONLESS; sweeps *= 3) {
        for (int n = 0; n < sweeps; ++n) sti_island_sweep(island);
        if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    }
    sti_island_velocity(island);
    sti_island_look(island);
    return island->residual <= accepted_at_last * island->scale;
}
