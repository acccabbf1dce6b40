// Islands whose forces are not unique: a box on four points, a wedge between two walls. Every row
// gets the same small compliance eps w, w the mean of the diagonal of W: then W + eps w is positive
// definite and the forces are unique. Proximal passes take the compliance back: the rows yield not to
// f but to f - g, with g the forces of the last pass. While modes stay, what a pass adds lies in the
// range of W, and so does the first answer: the limit are the forces of least norm.
#include <math.h>
#include <string.h>

#include "cone/look.h"

enum { PASSES = 24, HOLD_TRIES = 3, LADDER = 3, MISFITS = 3 };
static const double soft = 1e-4;         // of w: this problem is solved for its modes,
static const double little = 1e-6;       // and with this little creep is taken back
static const double very_little = 1e-10; // where bodies are very unequal
static const double no_creep = 1e-13;    // of the largest c
static const double creeps = 1e-10;      // of the same: more is not called solved
static const double slowly = 0.3;        // of the creep before
static const double not_at_all = 0.9;    // of the same
static const double inconsistent = 1e-6; // of the largest c: no more than gaps of rounding ask for
static const double repeats = 0.1;       // of what a pass adds: less differs from the pass before
static const double near = 0.05;         // of the largest force: the same forces
static const double stiffer = 0.03;      // softness, from pass to pass
static const double stiffest = 1e-11;    // of w
static const double idle = 1e-9;         // of the largest force
static const double just_unique = 1e-8;  // of the diagonal: least pivot
static const double softer = 10.0;       // on every step of the ladder

static size_t bytes_of(const Island *island)
{
    return (size_t)(3 * island->count) * sizeof *island->f;
}

static double mean_W(const Island *island)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < island->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const double own = island->W[9 * island->nodes[i].first + 4 * k];
            if (!(own > 0.0)) continue;
            sum += own;
            ++count;
        }
    return count > 0 ? sum / count : 0.0;
}

// Rows that nothing can move stay as they are.
static void add_to_diagonal(Island *island, double more)
{
    for (int i = 0; i < island->count; ++i) {
        BlockLocal *local = &island->local[i];
        double *own = island->W + 9 * island->nodes[i].first;
        bool moves = false;
        for (int k = 0; k < 3; ++k) {
            if (!(own[4 * k] > 0.0)) continue;
            own[4 * k] += more;
            moves = true;
        }
        if (!moves) continue;
        if (local->W_n > 0.0) local->W_n += more;
        local->W_t += more;
        local->give = 1.0 / local->W_t;
    }
    island->softness += more;
    island->prepared = false;
}

// Rows that yield by softness (f - centre), and what they do under the forces as they are.
static void relax(Island *island, double softness)
{
    if (softness != island->softness) add_to_diagonal(island, softness - island->softness);
    island->softness = softness; // exactly
    for (int i = 0; i < island->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const bool moves = island->W[9 * island->nodes[i].first + 4 * k] > 0.0;
            const int at = 3 * i + k;
            island->c[at] = island->c_given[at] - (moves ? softness * island->centre[at] : 0.0);
        }
    sti_island_velocity(island);
}

void sti_island_restore(Island *island)
{
    if (island->softness == 0.0) return;
    memset(island->centre, 0, bytes_of(island));
    relax(island, 0.0);
}

static double creep_of(const Island *island)
{
    double most = 0.0;
    for (int k = 0; k < 3 * island->count; ++k)
        most = sti_larger(fabs(island->f[k] - island->centre[k]), most);
    const double left = island->residual > island->tolerance ? island->residual : 0.0;
    return sti_larger(island->softness * most, left);
}

// ---- all that is closed holds -------------------------------------------------------------------

static bool slides(const Island *island)
{
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].mode == STI_BLOCK_SLIDE && island->local[i].limit > 0.0) return true;
    return false;
}

// Nothing slides, and what is open could not carry, or carries nothing anyway.
static bool is_clear(const Island *island)
{
    const double apart = 1e-9 * island->scale;
    for (int i = 0; i < island->count; ++i)
        if (island->nodes[i].mode == STI_BLOCK_OPEN && !island->nodes[i].idle &&
            !(island->v[3 * i + NORMAL] > apart))
            return false;
    return !slides(island);
}

// As far as is known: from forces of the last step, or from none.
static bool may_hold(Island *island)
{
    if (!sti_island_is_warm(island)) return true;
    sti_island_look(island);
    return !slides(island);
}

// What carried only rounding after the first step, as neighbours in a grid, is open: it cannot rub.
static void open_idle(Island *island)
{
    double most = 0.0;
    for (int p = 0; p < island->rows; ++p) most = sti_larger(fabs(island->solution[p]), most);
    for (int i = 0; i < island->count; ++i) {
        IslandNode *node = &island->nodes[i];
        if (!node->contact || node->unknowns == 0) continue;
        node->idle = fabs(island->solution[node->base + node->unknowns - 1]) <= idle * most;
        if (node->idle) node->mode = STI_BLOCK_OPEN;
    }
}

// With one factor, from no forces at all: Newton's steps are passes as long as no mode changes, and
// the forces are those of least norm. Where a contact opens once more, in the modes that showed. Under
// a very heavy body with less softness: it takes away what a light one moves by.
static bool hold_still(Island *island)
{
    if (!may_hold(island)) return false;
    memcpy(island->centre, island->f, bytes_of(island));
    bool held = false;
    for (int n = 0; n < HOLD_TRIES && !held; ++n) {
        if (n == 1) open_idle(island);
        if (n > 0 && slides(island)) break;
        island->hold = (n < 2 ? little : very_little) * island->W_mean;
        for (int i = 0; i < island->count; ++i)
            island->nodes[i].factor_mode = island->nodes[i].mode;
        memset(island->f, 0, bytes_of(island));
        sti_island_velocity(island);
        island->factored = -1.0;
        island->factors = 0;
        island->factors_most = 1;
        held = sti_island_newton(island, n != 1 ? NEWTON_ALL_CLOSED : NEWTON_AS_FACTORED) &&
               is_clear(island);
    }
    island->factors_most = 0;
    island->hold = 0.0;
    island->factored = -1.0;
    if (!held) memcpy(island->f, island->centre, bytes_of(island));
    memset(island->centre, 0, bytes_of(island));
    if (!held) sti_island_velocity(island);
    return held;
}

// ---- soft rows ----------------------------------------------------------------------------------

bool sti_island_solve_soft(Island *island)
{
    if (island->softness < soft * island->W_mean) {
        if (island->softness > 0.0 && sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
        relax(island, soft * island->W_mean);
    }
    return sti_island_solve_by_all_means(island);
}

bool sti_island_soften(Island *island)
{
    island->W_mean = mean_W(island);
    memcpy(island->c_given, island->c, bytes_of(island));
    memset(island->centre, 0, bytes_of(island));
    if (!(island->W_mean > 0.0)) return false;
    if (hold_still(island)) return true;
    relax(island, little * island->W_mean);
    const bool warm = sti_island_is_warm(island);
    if (sti_island_newton(island, warm ? NEWTON_AS_IT_IS : NEWTON_ALL_CLOSED)) return true;
    double eps = soft * island->W_mean;
    for (int n = 0; n < LADDER; ++n, eps *= softer) {
        if (n > 0) memset(island->f, 0, bytes_of(island));
        relax(island, eps);
        if (sti_island_solve_by_all_means(island)) return true;
        if (island->unsymmetric) return false; // there may be no answer at all
    }
    return false;
}

// ---- proximal passes ----------------------------------------------------------------------------

// Of the pass before: forces, rows and velocities.
static void go_back(Island *island, double softness, const double *centre)
{
    memcpy(island->f, island->centre, bytes_of(island));
    memcpy(island->centre, centre, bytes_of(island));
    relax(island, softness);
    if (sti_island_newton(island, NEWTON_AS_IT_IS)) return;
    sti_island_look(island);
    sti_island_settle(island);
}

static double moved_since(const Island *island, const double *f)
{
    double moved = 0.0, most = 0.0;
    for (int k = 0; k < 3 * island->count; ++k) {
        moved = sti_larger(fabs(island->f[k] - f[k]), moved);
        most = sti_larger(fabs(f[k]), most);
    }
    return moved / most;
}

// Rows as they are once more, from forces that nearly do it: with steps as small as they can be, and
// no other forces than these; or with forces that are unique after all, if only just.
static bool end_exactly(Island *island)
{
    const double softness = island->softness;
    memcpy(island->before, island->centre, bytes_of(island));
    memcpy(island->best, island->f, bytes_of(island));
    memset(island->centre, 0, bytes_of(island));
    relax(island, 0.0);
    island->factored = -1.0;
    island->hold = little * island->W_mean;
    bool solved =
        sti_island_newton(island, NEWTON_AS_IT_IS) && moved_since(island, island->best) <= near;
    island->hold = 0.0;
    island->factored = -1.0;
    if (solved) return true;
    memcpy(island->f, island->best, bytes_of(island));
    sti_island_velocity(island);
    island->strict = just_unique;
    solved = sti_island_newton(island, NEWTON_AS_IT_IS);
    island->strict = 0.0;
    if (solved) return true;
    memcpy(island->centre, island->best, bytes_of(island));
    go_back(island, softness, island->before);
    return false;
}

// One more pass, with the centre at the forces as they are. False: as before it.
static bool pass_on(Island *island, double softness)
{
    const double last = island->softness;
    memcpy(island->before, island->centre, bytes_of(island));
    memcpy(island->centre, island->f, bytes_of(island));
    relax(island, softness);
    if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    if (softness < last) {
        relax(island, last);
        if (sti_island_newton(island, NEWTON_AS_IT_IS)) return true;
    }
    if (sti_island_newton(island, NEWTON_WITH_SWEEPS) || sti_island_interior(island)) return true;
    go_back(island, last, island->before);
    return false;
}

// The least t > 0 with |f + t d| = mu (n + t dn), if that has not been passed yet; else infinity.
static double reach_of_limit(const double *f, const double *d, int dim, double mu, double n,
                             double dn)
{
    double a = -mu * mu * dn * dn, b = -mu * mu * n * dn, c = -mu * mu * n * n;
    for (int k = 0; k < dim; ++k) a += d[k] * d[k], b += f[k] * d[k], c += f[k] * f[k];
    const double square = b * b - a * c;
    if (!(c < 0.0) || !(square >= 0.0)) return INFINITY;
    const double q = -(b + copysign(sqrt(square), b)), first = q / a, second = c / q;
    double least = INFINITY;
    if (first > 0.0) least = first;
    if (second > 0.0 && second < least) least = second;
    return least;
}

// How many passes that add d to the forces it takes until a node opens or slips.
static double passes_left(const Island *island, const double *d)
{
    double least = INFINITY;
    for (int i = 0; i < island->count; ++i) {
        const IslandNode *node = &island->nodes[i];
        const double *f = island->f + 3 * i, limit = island->local[i].limit;
        const double dn = d[3 * i + NORMAL];
        if (node->mode == STI_BLOCK_OPEN) continue;
        if (node->contact && dn < 0.0) least = fmin(least, -f[NORMAL] / dn);
        if (node->mode != STI_BLOCK_STICK || !(limit > 0.0) || !(limit < INFINITY)) continue;
        least = fmin(least, node->contact ? reach_of_limit(f, d + 3 * i, 2, limit, f[NORMAL], dn)
                                          : reach_of_limit(f, d + 3 * i, 3, limit, 1.0, 0.0));
    }
    return least;
}

// Where c asks for more than all rows together can hold, every pass adds the same to the forces, until
// one of them has nothing left to hold with: there at once. False: none ever does.
static bool leap(Island *island)
{
    double *d = island->step;
    for (int k = 0; k < 3 * island->count; ++k) d[k] = island->f[k] - island->centre[k];
    const double times = passes_left(island, d);
    if (!(times < INFINITY)) return false;
    for (int k = 0; k < 3 * island->count; ++k) island->f[k] += times * d[k];
    return true;
}

// Passes end where the creep is gone. Where it goes slowly, bodies are very unequal: with less softness
// it goes faster. given: sum of 1/softness of all solves so far, 0 after a leap.
static double pass_until_still(Island *island, double *given)
{
    double creep = creep_of(island), last = INFINITY;
    bool leapt = false;
    *given = 1.0 / island->softness;
    const double least = little * island->W_mean;
    for (int n = 0; n < PASSES && creep > no_creep * island->scale; ++n) {
        double next = fmin(island->softness, least);
        if (creep > slowly * last && creep <= creeps * island->scale) break;
        if (creep > not_at_all * last && creep <= inconsistent * island->scale) {
            if (!leap(island)) break;
            leapt = true;
            next = island->softness;
        } else if (creep > slowly * last && island->softness <= least) {
            next = stiffer * island->softness;
        }
        if (next < stiffest * island->W_mean || !pass_on(island, next)) break;
        *given += 1.0 / island->softness;
        last = creep;
        creep = creep_of(island);
    }
    if (leapt) *given = 0.0;
    return creep;
}

// Of the forces: what the last pass added, and how far that differs from what the one before it added.
static double added_anew(const Island *island, double *added)
{
    double other = 0.0;
    *added = 0.0;
    for (int k = 0; k < 3 * island->count; ++k) {
        const double last = island->f[k] - island->centre[k];
        *added = sti_larger(fabs(last), *added);
        other = sti_larger(fabs(last - (island->centre[k] - island->before[k])), other);
    }
    return other;
}

// Rows that do not quite fit together (geometry and velocities are rounded) ask for the same forces in every
// solve, c/softness large. Where all sticks those do no harm. Where something slides, friction follows them, and
// what was rounding moves bodies and grows from step to step. They are taken off: the misfit stays as creep.
static bool take_off_misfit(Island *island, double given)
{
    double added = 0.0;
    bool alike = false;
    if (given == 0.0 || !slides(island)) return false;
    for (int n = 0; n < MISFITS && !alike; ++n) {
        if (!pass_on(island, island->softness)) return false;
        given += 1.0 / island->softness;
        alike = added_anew(island, &added) <= repeats * added;
    }
    if (!alike) return false;
    const double share = given * island->softness; // so many times this
    memcpy(island->before, island->centre, bytes_of(island));
    memcpy(island->best, island->f, bytes_of(island));
    for (int k = 0; k < 3 * island->count; ++k) {
        const double misfit = island->f[k] - island->before[k];
        island->f[k] -= share * misfit;
        island->centre[k] = island->f[k] - misfit;
    }
    relax(island, island->softness);
    if (sti_island_newton(island, NEWTON_AS_IT_IS) && moved_since(island, island->best) <= near)
        return true;
    memcpy(island->centre, island->best, bytes_of(island));
    go_back(island, island->softness, island->before);
    return false;
}

// Modes may have been found with more softness than there has to be. Passes start from the forces of
// least norm within their cones only as far as softness is little.
static void tighten(Island *island)
{
    const double softness = island->softness, least = little * island->W_mean;
    if (softness <= least) return;
    relax(island, least);
    if (sti_island_newton(island, NEWTON_AS_IT_IS)) return;
    relax(island, softness);
    sti_island_newton(island, NEWTON_AS_IT_IS);
}

void sti_island_harden(Island *island, bool goes_on)
{
    island->creep = 0.0;
    if (island->softness == 0.0) return; // it held still
    tighten(island);
    double given;
    island->creep = pass_until_still(island, &given);
    if (goes_on && island->creep <= creeps * island->scale && take_off_misfit(island, given))
        island->creep = creep_of(island);
    else if (island->creep > no_creep * island->scale && end_exactly(island))
        island->creep = 0.0;
    island->residual = fmax(island->residual, island->creep);
}
