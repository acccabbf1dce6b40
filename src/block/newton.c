// All rows at once. Each look takes the mode of a node from where force and velocity point together
// (the natural map of Coulomb's law), each step solves the rows linearised in these modes.
#include <math.h>
#include <string.h>

#include "block/island.h"

enum {
    NEWTON_STEPS = 12,
    NODES_PER_STEP = 4, // a change of modes runs through a pile level by level
    PATIENCE = 4, // times as many while they come nearer: just at a limit each halves the rest
};
static const double nearing = 0.75;
static const double accepted = 1e-13;   // of the largest velocity in play
static const double at_rest = 1e-12;    // of the same: slower slip is rounding (COUPLED 2.4)
static const double cancelling = 1e3;   // forces may be that much larger than what they stop
static const double touching = 1e-3;    // of the same: may carry something
static const double near_enough = 1e-5; // of the same: the last factor serves once more

static double square_of(const double *x, int d)
{
    double square = 0.0;
    for (int k = 0; k < d; ++k) square += x[k] * x[k];
    return square;
}

static double length(const double *x, int d) { return sqrt(square_of(x, d)); }

// Friction of node i under a limit: mode, direction, violation.
static double look_at_friction(Island *island, int i, double limit)
{
    BlockLocal *local = &island->local[i];
    const double *f = island->f + 3 * i, *v = island->v + 3 * i;
    const int d = sti_tangents(island, i);
    double holding[3] = {0.0}, off[3] = {0.0};
    for (int k = 0; k < d; ++k) holding[k] = f[k] - v[k] * local->give;
    const double square = square_of(holding, 3);
    const bool slides = square > limit * limit;
    const double unit = slides ? 1.0 / sqrt(square) : 1.0;
    island->mode[i] = slides ? STI_BLOCK_SLIDE : STI_BLOCK_STICK;
    local->share = slides ? limit * unit : 1.0;
    for (int k = 0; k < 3; ++k) local->along[k] = holding[k] * unit;
    if (!slides) return length(v, d);
    for (int k = 0; k < d; ++k) off[k] = f[k] - limit * local->along[k];
    return local->W_t * length(off, d);
}

static double look_at_contact(Island *island, int i)
{
    const BlockLocal *local = &island->local[i];
    const double *f = island->f + 3 * i, *v = island->v + 3 * i;
    const int d = sti_tangents(island, i);
    if (!(local->W_n > 0.0) || f[NORMAL] * local->W_n <= v[NORMAL]) {
        island->mode[i] = STI_BLOCK_OPEN;
        return fabs(f[NORMAL]) * local->W_n + length(f, d) * local->W_t;
    }
    const double rub = look_at_friction(island, i, local->limit * sti_larger(f[NORMAL], 0.0));
    return sti_larger(fabs(v[NORMAL]), rub);
}

// Its rounding is accepted. Forces that cancel count, but not without bound, or any residual would
// do for forces that run away.
static double velocity_in_play(double c_most, double Wf_most)
{
    const double bound = cancelling * c_most, most = sti_larger(c_most, Wf_most);
    return most < bound ? most : bound;
}

void sti_island_look(Island *island)
{
    double c_most = 0.0, Wf_most = 0.0;
    island->residual = 0.0;
    island->worst = 0;
    for (int i = 0; i < island->count; ++i) {
        const BlockLocal *local = &island->local[i];
        const bool contact = sti_is_contact(island, i);
        const double *c = island->c + 3 * i, *f = island->f + 3 * i;
        const double left =
            contact ? look_at_contact(island, i) : look_at_friction(island, i, local->limit);
        for (int k = 0; k < 3; ++k) {
            const double W = contact && k == NORMAL ? local->W_n : local->W_t;
            c_most = sti_larger(fabs(c[k]), c_most);
            Wf_most = sti_larger(W * fabs(f[k]), Wf_most);
        }
        if (left <= island->residual || isnan(island->residual)) continue;
        island->residual = left; // NaN stays
        island->worst = i;
    }
    const double in_play = velocity_in_play(c_most, Wf_most);
    island->scale = c_most;
    island->tolerance = accepted * in_play;
    island->rest = at_rest * in_play;
}

static void choose_start(Island *island, NewtonStart start)
{
    const bool given =
        start == NEWTON_AS_IT_IS || start == NEWTON_WITH_SWEEPS || start == NEWTON_ONE_AT_A_TIME;
    for (int i = 0; i < island->count && !given; ++i) {
        if (start == NEWTON_ALL_CLOSED && sti_is_contact(island, i) && island->local[i].W_n > 0.0 &&
            island->v[3 * i + NORMAL] <= touching * island->scale)
            island->mode[i] = STI_BLOCK_STICK;
        if (island->mode[i] == STI_BLOCK_OPEN) continue;
        double *along = island->local[i].along;
        const double size = length(along, 3);
        if (start == NEWTON_ALL_STICK || start == NEWTON_ALL_CLOSED) {
            island->mode[i] = STI_BLOCK_STICK;
        } else if (size > 0.0) {
            island->mode[i] = STI_BLOCK_SLIDE;
            for (int k = 0; k < 3; ++k) along[k] /= size;
        }
    }
}

bool sti_island_drop_forces(Island *island)
{
    bool changed = false;
    for (int i = 0; i < island->count; ++i) {
        double *f = island->f + 3 * i;
        const bool open = island->mode[i] == STI_BLOCK_OPEN,
                   smooth = !(island->local[i].limit > 0.0);
        for (int k = 0; k < 3; ++k) {
            const bool normal = k == NORMAL && sti_is_contact(island, i);
            if (f[k] == 0.0 || !(open || (smooth && !normal))) continue;
            f[k] = 0.0;
            changed = true;
        }
    }
    return changed;
}

// Friction exactly at its limit and against the slip, where that is a matter of rounding.
static void point_against_slip(Island *island, int i, double slip)
{
    const BlockLocal *local = &island->local[i];
    double *f = island->f + 3 * i, *v = island->v + 3 * i;
    const double limit = local->limit * (sti_is_contact(island, i) ? f[NORMAL] : 1.0);
    const int d = sti_tangents(island, i);
    double exact[3] = {0.0}, change[3] = {0.0};
    for (int k = 0; k < d; ++k) exact[k] = -limit * v[k] / slip;
    for (int k = 0; k < d; ++k) change[k] = exact[k] - f[k];
    if (local->W_t * length(change, d) > island->tolerance) return;
    for (int k = 0; k < d; ++k) f[k] = exact[k];
}

// The answer: what holds has velocity 0, by assignment.
static void settle(Island *island)
{
    for (int i = 0; i < island->count; ++i) {
        double *v = island->v + 3 * i;
        const int d = sti_tangents(island, i);
        const double slip = length(v, d);
        if (island->mode[i] == STI_BLOCK_SLIDE && slip <= island->rest)
            island->mode[i] = STI_BLOCK_STICK;
        if (island->mode[i] == STI_BLOCK_SLIDE) point_against_slip(island, i, slip);
        for (int k = 0; k < d && island->mode[i] == STI_BLOCK_STICK; ++k) v[k] = 0.0;
        if (sti_is_contact(island, i) && island->mode[i] != STI_BLOCK_OPEN) v[NORMAL] = 0.0;
    }
}

static bool factor_serves(const Island *island)
{
    return island->residual <= near_enough * island->scale &&
           memcmp(island->factor_mode, island->mode,
                  (size_t)island->count * sizeof *island->mode) == 0;
}

bool sti_island_newton(Island *island, NewtonStart start)
{
    const size_t bytes = (size_t)(3 * island->count) * sizeof *island->f;
    const int most = NEWTON_STEPS + island->count / NODES_PER_STEP;
    double last = INFINITY;
    bool factored = false;
    memcpy(island->saved, island->f, bytes);
    for (int n = 0; n <= PATIENCE * most; ++n) {
        sti_island_velocity(island);
        sti_island_look(island);
        const bool solved = island->residual <= island->tolerance;
        const bool nears = island->residual < nearing * last;
        if (!solved && (isnan(island->residual) || (n >= most && !nears))) break;
        if (!solved && n <= (start == NEWTON_STILL_SLIDES)) choose_start(island, start);
        if (sti_island_drop_forces(island)) sti_island_velocity(island);
        if (solved) {
            settle(island);
            return true;
        }
        const bool again = factored && island->residual < 0.1 * last && factor_serves(island);
        if (!again && !sti_island_factor(island)) break;
        factored = true;
        last = island->residual;
        sti_island_correct(island);
        if (start == NEWTON_ONE_AT_A_TIME) sti_island_shorten(island);
        ++island->iterations;
        if (start == NEWTON_WITH_SWEEPS && island->residual > near_enough * island->scale)
            sti_island_sweep(island);
    }
    memcpy(island->f, island->saved, bytes);
    return false;
}
