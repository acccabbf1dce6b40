// Velocities, and sweeps of exact local solves over them (Gauss-Seidel).
#include "block/island.h"

// y += W_ij f_j.
static inline void add_block(const double *W, const double *f, double *y)
{
    y[0] += W[0] * f[0] + W[1] * f[1] + W[2] * f[2];
    y[1] += W[3] * f[0] + W[4] * f[1] + W[5] * f[2];
    y[2] += W[6] * f[0] + W[7] * f[1] + W[8] * f[2];
}

static inline void add_neighbours(const Island *island, int i, int from, double *v)
{
    for (int e = from; e < island->first[i + 1]; ++e)
        add_block(island->W + 9 * e, island->f + 3 * island->neighbour[e], v);
}

void sti_island_velocity(Island *island)
{
    for (int i = 0; i < island->count; ++i) {
        double v[3] = {island->c[3 * i], island->c[3 * i + 1], island->c[3 * i + 2]};
        add_neighbours(island, i, island->first[i], v);
        for (int k = 0; k < 3; ++k) island->v[3 * i + k] = v[k];
    }
}

void sti_island_sweep(Island *island)
{
    sti_island_prepare(island);
    island->wedged = false;
    for (int i = 0; i < island->count; ++i) {
        double c[3] = {island->c[3 * i], island->c[3 * i + 1], island->c[3 * i + 2]};
        add_neighbours(island, i, island->first[i] + 1, c);
        if (!sti_local_solve(island, i, c, island->f + 3 * i, &island->mode[i]))
            island->wedged = true;
    }
    ++island->sweeps;
}
