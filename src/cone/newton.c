// All rows at once. Each look takes the mode of a node from where force and velocity point together
// (the natural map of Coulomb's law), each step solves the rows linearised in these modes.
#include <math.h>
#include <string.h>

#include "cone/look.h"

enum {
    NEWTON_STEPS = 12,
    NODES_PER_STEP = 4, // a change of modes runs through a pile level by level
    FRUITLESS = 8,      // steps that do not come nearer than one before them
    PATIENCE = 4, // times as many while they come nearer: just at a limit each halves the rest
};
static const double nearing = 0.75;
static const double at_rest = 1e-12;    // of the velocity in play: slower slip is rounding (2.4)
static const double touching = 1e-3;    // of the same: may carry something
static const double runs_away = 1e3;    // of the largest c
static const double firmly = 1e-2;      // of the tolerance
static const double near_enough = 1e-5; // of the same: the last factor serves once more

void sti_island_look(Island *island)
{
    double Wf_most = 0.0, residual = 0.0;
    bool all_rub = true;
    island->worst = 0;
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        BlockLocal *local = &island->local[i];
        const double *f = island->f + 3 * i, *v = island->v + 3 * i;
        const double left = node->contact
                                ? sti_look_at_contact(node, local, f, v)
                                : sti_look_at_friction(node, local, f, v, 3, local->limit);
        all_rub = all_rub && node->mode != STI_BLOCK_OPEN && local->limit > 0.0;
        Wf_most = sti_larger(sti_Wf_of(node, local, f), Wf_most);
        if (left <= residual || isnan(residual)) continue;
        residual = left; // NaN stays
        island->worst = i;
    }
    const double in_play = sti_velocity_in_play(island->scale, Wf_most);
    island->all_rub = all_rub;
    island->residual = residual;
    island->tolerance = STI_ACCEPTED * in_play;
    island->rest = at_rest * in_play;
}

static bool starts_closed(const Island *island, int i)
{
    return island->nodes[i].contact && island->local[i].W_n > 0.0 &&
           island->v[3 * i + NORMAL] <= touching * island->scale;
}

static void choose_start(Island *island, NewtonStart start)
{
    const bool given =
        start == NEWTON_AS_IT_IS || start == NEWTON_WITH_SWEEPS || start == NEWTON_ONE_AT_A_TIME;
    for (int i = 0; i < island->count && !given; ++i) {
        IslandNode *node = &island->nodes[i];
        if (start == NEWTON_AS_FACTORED) node->mode = node->factor_mode;
        if (start == NEWTON_ALL_CLOSED && starts_closed(island, i)) node->mode = STI_BLOCK_STICK;
        if (node->mode == STI_BLOCK_OPEN || start == NEWTON_AS_FACTORED) continue;
        double *along = island->local[i].along;
        const double size = sti_length(along, 3);
        if (start == NEWTON_ALL_STICK || start == NEWTON_ALL_CLOSED) {
            node->mode = STI_BLOCK_STICK;
        } else if (size > 0.0) {
            node->mode = STI_BLOCK_SLIDE;
            for (int k = 0; k < 3; ++k) along[k] /= size;
        }
    }
}

bool sti_island_drop_forces(Island *island)
{
    bool changed = false;
    for (int i = 0; i < island->count && !island->all_rub; ++i) {
        const IslandNode *node = &island->nodes[i];
        const bool open = node->mode == STI_BLOCK_OPEN;
        if (!open && island->local[i].limit > 0.0) continue;
        const int count = !open && node->contact ? NORMAL : 3;
        double *f = island->f + 3 * i;
        for (int k = 0; k < count; ++k) {
            if (f[k] == 0.0) continue;
            f[k] = 0.0;
            changed = true;
        }
    }
    return changed;
}

// Friction exactly at its limit and against the slip, where that is a matter of rounding.
static void point_against_slip(Island *island, int i, int d, double slip)
{
    const BlockLocal *local = &island->local[i];
    double *f = island->f + 3 * i, *v = island->v + 3 * i;
    const double limit = local->limit * (island->nodes[i].contact ? f[NORMAL] : 1.0);
    double exact[3], change[3];
    for (int k = 0; k < d; ++k) exact[k] = -limit * v[k] / slip;
    for (int k = 0; k < d; ++k) change[k] = exact[k] - f[k];
    if (local->W_t * sti_length(change, d) > island->tolerance) return;
    for (int k = 0; k < d; ++k) f[k] = exact[k];
}

void sti_island_settle(Island *island)
{
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        double *v = island->v + 3 * i;
        if (node->mode == STI_BLOCK_OPEN) continue;
        if (node->slides) {
            v[NORMAL] = 0.0;
            continue;
        }
        const int d = node->contact ? NORMAL : 3;
        if (node->mode == STI_BLOCK_SLIDE) {
            const double slip = sti_length(v, d);
            if (slip <= island->rest)
                node->mode = STI_BLOCK_STICK;
            else
                point_against_slip(island, i, d, slip);
        }
        if (node->mode == STI_BLOCK_STICK)
            v[0] = v[1] = v[2] = 0.0;
        else if (node->contact)
            v[NORMAL] = 0.0;
    }
}

// Also that of the pass before. In the same modes rows only change where friction turns.
static bool factor_serves(const Island *island, double last)
{
    if (island->factored != island->softness) return false;
    const bool constant = !island->turns && (island->softness > 0.0 || island->hold > 0.0);
    const double most = fmin(near_enough * island->scale, 0.1 * last);
    if (!constant && !(island->residual <= most)) return false;
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].factor_mode != island->nodes[i].mode) return false;
    return true;
}

// What holds still goes on to rounding while that is cheap: what is left moves it from step to step.
static bool is_solved(const Island *island, double last)
{
    if (!(island->residual <= island->tolerance)) return false;
    if (island->hold == 0.0 || island->residual <= firmly * island->tolerance) return true;
    return island->residual > 0.5 * last || !factor_serves(island, last);
}

// What was found to carry nothing and stays where it is, is open whatever rounding says.
static void keep_open(Island *island)
{
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        if (!node->idle || node->factor_mode != STI_BLOCK_OPEN) continue;
        if (island->v[3 * i + NORMAL] > -near_enough * island->scale) node->mode = STI_BLOCK_OPEN;
    }
}

bool sti_island_newton(Island *island, NewtonStart start)
{
    const size_t bytes = (size_t)(3 * island->count) * sizeof *island->f;
    const int most = NEWTON_STEPS + island->count / NODES_PER_STEP;
    double last = INFINITY, best = INFINITY;
    int best_at = 0;
    for (int n = 0; n <= PATIENCE * most; ++n) {
        sti_island_look(island);
        if (start == NEWTON_AS_FACTORED && n > 0) keep_open(island);
        const bool solved = is_solved(island, last);
        const bool nears = island->residual < nearing * last;
        if (!solved && n == 0) memcpy(island->saved, island->f, bytes);
        if (!solved && (isnan(island->residual) || (n >= most && !nears))) break;
        if (sti_watch_ends(island->watch)) break;
        if (island->residual < best) best = island->residual, best_at = n;
        if (!solved && n > best_at + FRUITLESS) break;
        if (!solved && n > 2 && island->residual > runs_away * island->scale) break;
        if (!solved && island->hold > 0.0 && n > 1 && island->residual > 0.9 * last) break;
        if (!solved && n <= (start == NEWTON_STILL_SLIDES)) choose_start(island, start);
        if (sti_island_drop_forces(island)) sti_island_velocity(island);
        if (solved) {
            sti_island_settle(island);
            return true;
        }
        const bool again = factor_serves(island, last);
        if (!again && island->factors_most > 0 && island->factors == island->factors_most) break;
        if (!again && !sti_island_factor(island)) break;
        last = island->residual;
        sti_island_correct(island);
        if (start == NEWTON_ONE_AT_A_TIME) sti_island_shorten(island);
        ++island->iterations;
        if (start == NEWTON_WITH_SWEEPS && island->residual > near_enough * island->scale)
            sti_island_sweep(island);
        sti_island_velocity(island);
    }
    memcpy(island->f, island->saved, bytes);
    sti_island_velocity(island);
    return false;
}
