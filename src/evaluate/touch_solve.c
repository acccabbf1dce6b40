// Forces of rows that must not move, rate + A z = 0, also where they are not unique.
#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"
#include "algebra/lu.h"
#include "evaluate/touches.h"

enum { REFINEMENTS = 3, SHIFTED_REFINEMENTS = 40, SHARINGS = 30 };
// Pivots below this part of the mean of the diagonal. Pivoting by rows may hide a zero behind one of
// size p and one of rounding / p: the smaller of them is at most the root of rounding.
static const double singular = 1e-6;
static const double rounding = 1e-15, refined = 1e-13; // residuals, of the accelerations
// The same where rows that depend on each other do not quite fit together: stages of a substep lie
// beside the constraints by the square of its length.
static const double met = 1e-2;
static const double shared = 1e-10;           // smaller changes of weights do not count
static const double least_limit = 1e-6;       // of the largest
static const double weight_of_normals = 1e-4; // beside that of friction

// A, with part of the weights added where rows depend on each other; false where it is no number.
static bool factor(TouchData *data, int count, double part)
{
    if (data->factored == part) return true;
    data->factored = NAN;
    memcpy(data->factor, data->A, (size_t)(count * count) * sizeof *data->factor);
    for (int i = 0; i < count; ++i) data->factor[i * count + i] += part * data->weight[i];
    const bool done = data->symmetric ? sti_cholesky_factor(count, data->factor)
                                      : sti_lu_factor(count, data->factor, data->pivots);
    if (done) data->factored = part;
    return done;
}

static void solve_factored(const TouchData *data, int count, double *x)
{
    if (data->symmetric)
        sti_cholesky_solve(count, data->factor, x);
    else
        sti_lu_solve(count, data->factor, data->pivots, x);
}

static void set_weight(TouchData *data, int i, double weight)
{
    if (data->weight[i] == weight) return;
    data->weight[i] = weight;
    data->factored = NAN;
}

static bool is_regular(const TouchData *data, int count, double mean)
{
    for (int i = 0; i < count; ++i) {
        const double root = data->factor[i * (count + 1)];
        const double pivot = data->symmetric ? root * root : sti_lu_pivot(count, data->factor, i);
        if (!(fabs(pivot) > singular * mean)) return false;
    }
    return true;
}

static double residual(TouchData *data, int count)
{
    double most = 0.0;
    for (int r = 0; r < count; ++r) {
        const double *A = data->A + r * count;
        double left = -data->rate[r];
        for (int c = 0; c < count; ++c) left -= A[c] * data->z[c];
        data->left[r] = left;
        most = fabs(left) > most || isnan(left) ? fabs(left) : most;
    }
    return most;
}

// A correction that does not take `share` of the residual away is taken back: where rows that depend
// on each other do not quite fit together, more of it would be forces without end.
static double refine(TouchData *data, int count, int most_often, double enough, double share)
{
    double last = residual(data, count);
    for (int n = 0; n < most_often && last > enough; ++n) {
        memcpy(data->before, data->z, (size_t)count * sizeof *data->z);
        solve_factored(data, count, data->left);
        for (int r = 0; r < count; ++r) data->z[r] += data->left[r];
        const double left = residual(data, count);
        if (!isfinite(left)) return left;
        if (left >= (1.0 - share) * last) {
            memcpy(data->z, data->before, (size_t)count * sizeof *data->z);
            break;
        }
        last = left;
    }
    return last;
}

static double mean_diagonal(const TouchData *data, int count)
{
    double mean = 0.0;
    for (int i = 0; i < count; ++i) mean += fabs(data->A[i * count + i]) / count;
    return mean;
}

static double largest_rate(const TouchData *data, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i) size = fmax(size, fabs(data->rate[i]));
    return size;
}

// Where z is not unique: what is added to the diagonal is taken back by refinement, which leads near
// the smallest z, by its weights. It is no smaller than it must be: rounding would grow into forces.
static bool solve_weighted(TouchData *data, int count)
{
    const double size = largest_rate(data, count);
    double left = INFINITY;
    memset(data->z, 0, (size_t)count * sizeof *data->z);
    for (double shift = 1e-5; shift > 1e-10 && left > met * size; shift *= 1e-2)
        if (factor(data, count, shift))
            left = refine(data, count, SHIFTED_REFINEMENTS, refined * size, 0.5);
    return left <= met * size;
}

bool sti_touches_solve(TouchData *data, int count, bool *unique)
{
    if (count == 1 && data->A[0] > 0.0) {
        *unique = true;
        data->z[0] = -data->rate[0] / data->A[0];
        return isfinite(data->z[0]);
    }
    const double mean = mean_diagonal(data, count);
    memset(data->z, 0, (size_t)count * sizeof *data->z);
    *unique = true;
    if (!(mean > 0.0)) return largest_rate(data, count) == 0.0;
    if (!data->irregular && factor(data, count, 0.0) && is_regular(data, count, mean))
        return isfinite(
            refine(data, count, REFINEMENTS, rounding * largest_rate(data, count), 0.0));
    *unique = false;
    data->irregular = true;
    for (int i = 0; i < count; ++i) set_weight(data, i, mean);
    return solve_weighted(data, count);
}

// ---- equal shares ---------------------------------------------------------------------------------

static double normal_of(const TouchData *data, int count, int place)
{
    for (int r = 0; r < count; ++r)
        if (data->rows[r].place == place && data->rows[r].axis == TOUCH_NORMAL) return data->z[r];
    return 0.0;
}

// The force at which a row would slip; infinite for normals.
static double limit_of(const StiNetwork *network, const TouchData *data, const StageData *now,
                       int count, const TouchRow *row)
{
    if (row->reaction >= 0) {
        const Reaction *e = &network->reactions[row->reaction];
        return e->kind->modes->limit(e->parameters, 0.0, now->ports + e->port);
    }
    if (row->axis == TOUCH_NORMAL) return INFINITY;
    return sti_touch_rub(network, data, row->place).mu_static *
           fmax(normal_of(data, count, row->place), 0.0);
}

// Weights that make shares of limits equal (shares.c); normals count little beside them. Returns the
// largest relative change.
static double weigh(const StiNetwork *network, TouchData *data, const StageData *now, int count)
{
    double *limit = data->left, largest = 0.0, most = 0.0, change = 0.0;
    const double mean = mean_diagonal(data, count);
    for (int r = 0; r < count; ++r) {
        limit[r] = limit_of(network, data, now, count, &data->rows[r]);
        if (isfinite(limit[r])) largest = fmax(largest, limit[r]);
    }
    double *wanted = limit;
    for (int r = 0; r < count; ++r) {
        wanted[r] = sqrt(fabs(data->A[r * count + r])) / fmax(limit[r], least_limit * largest);
        most = fmax(most, wanted[r]);
    }
    for (int r = 0; r < count; ++r) {
        const double weight = mean * (wanted[r] > 0.0 ? wanted[r] / most : weight_of_normals);
        change = fmax(change, fabs(weight - data->weight[r]) / weight);
        set_weight(data, r, weight);
    }
    return change;
}

static bool holds_reactions(const TouchData *data, int count)
{
    for (int r = 0; r < count; ++r)
        if (data->rows[r].reaction >= 0) return true;
    return false;
}

bool sti_touches_share(const StiNetwork *network, TouchData *data, const StageData *now, int count)
{
    if (!holds_reactions(data, count)) return true;
    for (int n = 0; n < SHARINGS && weigh(network, data, now, count) > shared; ++n)
        if (!solve_weighted(data, count)) return false;
    return true;
}
