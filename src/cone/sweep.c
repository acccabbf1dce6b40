// Velocities, and sweeps of exact local solves over them (Gauss-Seidel).
#include "cone/by_bodies.h"

// v += W f over the neighbours of node i, from a given one on.
static inline void add_neighbours(const Island *island, int i, int from, double *restrict v)
{
    const int *neighbour = island->neighbour, end = island->nodes[i].end;
    const double *W = island->W + 9 * from;
    for (int e = from; e < end; ++e, W += 9) {
        const double *f = island->f + 3 * neighbour[e];
        v[0] += W[0] * f[0] + W[1] * f[1] + W[2] * f[2];
        v[1] += W[3] * f[0] + W[4] * f[1] + W[5] * f[2];
        v[2] += W[6] * f[0] + W[7] * f[1] + W[8] * f[2];
    }
}

void sti_island_velocity(Island *island)
{
    if (island->bodies > 0) {
        sti_bodies_velocity(island);
        return;
    }
    for (int i = 0; i < island->count; ++i) {
        const double *c = island->c + 3 * i;
        double *v = island->v + 3 * i, sum[3] = {c[0], c[1], c[2]};
        add_neighbours(island, i, island->nodes[i].first, sum);
        for (int k = 0; k < 3; ++k) v[k] = sum[k];
    }
}

// What node i does without its own force, while bodies move under the forces of all.
static void feel_others(const Island *island, int i, double *c)
{
    const double *W = island->W + 9 * island->nodes[i].first, *f = island->f + 3 * i;
    sti_bodies_feel(island, i, c);
    for (int k = 0; k < 3; ++k) {
        const double soft = W[4 * k] > 0.0 ? island->softness * f[k] : 0.0;
        c[k] += soft - (W[3 * k] * f[0] + W[3 * k + 1] * f[1] + W[3 * k + 2] * f[2]);
    }
}

void sti_island_sweep(Island *island)
{
    const bool of_bodies = island->bodies > 0;
    sti_island_prepare(island);
    island->wedged = false;
    if (of_bodies) sti_bodies_push(island, island->f);
    for (int i = 0; i < island->count; ++i) {
        double *f = island->f + 3 * i, df[3] = {f[0], f[1], f[2]};
        double c[3] = {island->c[3 * i], island->c[3 * i + 1], island->c[3 * i + 2]};
        if (of_bodies)
            feel_others(island, i, c);
        else
            add_neighbours(island, i, island->nodes[i].first + 1, c);
        if (!sti_local_solve(island, i, c, f, &island->nodes[i].mode)) island->wedged = true;
        for (int k = 0; k < 3; ++k) df[k] = f[k] - df[k];
        if (of_bodies) sti_bodies_push_one(island, i, df);
    }
    ++island->sweeps;
}
