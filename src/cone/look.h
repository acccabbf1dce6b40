// Private: a look at one node, given force and velocity: its mode from where both point together
// (the natural map of Coulomb's law), and by how much it violates that.
#ifndef STICTION_SRC_CONE_LOOK_H
#define STICTION_SRC_CONE_LOOK_H

#include <math.h>

#include "cone/island.h"

static const double STI_ACCEPTED = 1e-13; // residual, of the largest velocity in play
static const double STI_CANCELLING = 1e3; // forces may be that much larger than what they stop
static const double STI_LEFT_BY_ROUNDING = 5e-3; // times STI_ACCEPTED: two units in the last place

static inline double sti_square_of(const double *x, int d)
{
    double square = 0.0;
    for (int k = 0; k < d; ++k) square += x[k] * x[k];
    return square;
}

static inline double sti_length(const double *x, int d) { return sqrt(sti_square_of(x, d)); }

// Friction of a node in slots 0 .. d - 1 under a limit: mode, direction, violation.
static inline double sti_look_at_friction(IslandNode *node, BlockLocal *local, const double *f,
                                          const double *v, int d, double limit)
{
    double *holding = local->along, off[3];
    for (int k = 0; k < d; ++k) holding[k] = f[k] - v[k] * local->give;
    const double square = sti_square_of(holding, d);
    node->mode = STI_BLOCK_STICK;
    local->share = 1.0;
    if (!(square > limit * limit)) return sti_length(v, d);
    const double unit = 1.0 / sqrt(square);
    node->mode = STI_BLOCK_SLIDE;
    local->share = limit * unit;
    for (int k = 0; k < d; ++k) local->along[k] = holding[k] * unit;
    for (int k = 0; k < d; ++k) off[k] = f[k] - limit * local->along[k];
    return local->W_t * sti_length(off, d);
}

static inline double sti_look_at_contact(IslandNode *node, BlockLocal *local, const double *f,
                                         const double *v)
{
    if (!(local->W_n > 0.0) || f[NORMAL] * local->W_n <= v[NORMAL]) {
        node->mode = STI_BLOCK_OPEN;
        return fabs(f[NORMAL]) * local->W_n + sti_length(f, 2) * local->W_t;
    }
    const double limit = local->limit * sti_larger(f[NORMAL], 0.0);
    const double rub = sti_look_at_friction(node, local, f, v, 2, limit);
    return sti_larger(fabs(v[NORMAL]), rub);
}

// Largest velocity that one of its forces alone would make.
static inline double sti_Wf_of(const IslandNode *node, const BlockLocal *local, const double *f)
{
    const double rub = local->W_t * sti_larger(fabs(f[0]), fabs(f[1]));
    return sti_larger((node->contact ? local->W_n : local->W_t) * fabs(f[2]), rub);
}

// STI_ACCEPTED of this velocity is accepted. Forces that cancel count, but not without bound, or any
// residual would do for forces that run away; beyond it, as under a very heavy body on light ones, only
// what rounding leaves of them.
static inline double sti_velocity_in_play(double c_most, double Wf_most)
{
    const double bound = STI_CANCELLING * c_most, most = sti_larger(c_most, Wf_most);
    if (most < bound) return most;
    const double left = STI_LEFT_BY_ROUNDING * (most < 1e4 * bound ? most : 1e4 * bound);
    return sti_larger(bound, left);
}

#endif
