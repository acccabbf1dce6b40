// Without friction at the contacts the forces are those of least f.W f/2 + c.f over a convex set:
// f_n >= 0, |f| <= F. Sweeps of local solves bring it down, and so do Newton steps that are
// projected into the set and shortened until they do: together they cannot go round in circles.
#include <math.h>
#include <string.h>

#include "cone/island.h"

enum { DESCENTS = 400, HALVINGS = 12 };
static const double accepted_at_last = 1e-9; // of the largest velocity in play

// f.W f/2 + c.f; the velocities become those of f.
static double objective(Island *island)
{
    double sum = 0.0;
    sti_island_velocity(island);
    for (int k = 0; k < 3 * island->count; ++k)
        sum += 0.5 * island->f[k] * (island->c[k] + island->v[k]);
    return sum;
}

static void project(Island *island, int i)
{
    double *f = island->f + 3 * i;
    if (island->nodes[i].contact) {
        f[0] = f[1] = 0.0;
        f[NORMAL] = fmax(f[NORMAL], 0.0);
        return;
    }
    const double limit = island->local[i].limit;
    const double size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    for (int k = 0; k < 3 && size > limit; ++k) f[k] *= limit / size;
}

// From f as it is, with velocities and modes of the last look.
static void descend(Island *island)
{
    const int count = 3 * island->count;
    const size_t bytes = (size_t)count * sizeof *island->f;
    const double before = objective(island);
    memcpy(island->saved, island->f, bytes);
    if (sti_island_drop_forces(island)) sti_island_velocity(island);
    if (!sti_island_factor(island)) {
        memcpy(island->f, island->saved, bytes);
        return;
    }
    sti_island_correct(island);
    ++island->iterations;
    for (int k = 0; k < count; ++k) island->step[k] = island->f[k] - island->saved[k];
    double share = 1.0;
    for (int n = 0; n < HALVINGS; ++n, share *= 0.5) {
        for (int k = 0; k < count; ++k) island->f[k] = island->saved[k] + share * island->step[k];
        for (int i = 0; i < island->count; ++i) project(island, i);
        if (objective(island) < before) return;
    }
    memcpy(island->f, island->saved, bytes);
}

// It starts at no force, where the objective is 0, and bounds the energy that the forces add:
// wherever this ends, they add none.
bool sti_island_solve_frictionless(Island *island)
{
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].contact) island->local[i].limit = 0.0;
    memset(island->f, 0, (size_t)(3 * island->count) * sizeof *island->f);
    const int descents = DESCENTS + island->count;
    for (int n = 0, next = 1; n < descents; ++n) {
        sti_island_sweep(island);
        sti_island_velocity(island);
        if (n == next) {
            if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
            next *= 3;
        }
        sti_island_look(island);
        if (island->residual <= island->tolerance)
            return sti_island_newton(island, NEWTON_AS_IT_IS);
        descend(island);
    }
    sti_island_velocity(island);
    sti_island_look(island);
    return island->residual <= accepted_at_last * island->scale;
}
