// Velocities, and sweeps of exact local solves over them (Gauss-Seidel).
#include "cone/island.h"

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
    for (int i = 0; i < island->count; ++i) {
        const double *c = island->c + 3 * i;
        double *v = island->v + 3 * i, sum[3] = {c[0], c[1], c[2]};
        add_neighbours(island, i, island->nodes[i].first, sum);
        for (int k = 0; k < 3; ++k) v[k] = sum[k];
    }
}

void sti_island_sweep(Island *island)
{
    sti_island_prepare(island);
    island->wedged = false;
    for (int i = 0; i < island->count; ++i) {
        double c[3] = {island->c[3 * i], island->c[3 * i + 1], island->c[3 * i + 2]};
        add_neighbours(island, i, island->nodes[i].first + 1, c);
        if (!sti_local_solve(island, i, c, island->f + 3 * i, &island->nodes[i].mode))
            island->wedged = true;
    }
    ++island->sweeps;
}
