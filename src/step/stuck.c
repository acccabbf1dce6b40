// The stuck set: its resistances by one direct solve, its velocities to exactly zero.
#include <math.h>
#include <string.h>

#include "step/reactions.h"

static const double singular_pivot = 1e-12; // of the diagonal it came from
static const double proximal_part = 1e-6;   // of the diagonal
static const double rigid_length = 1e6;     // a resistance does not change its length along v
enum { REFINEMENTS = 3 };

// Which rows a direct solve takes: those of stuck reactions, and those of slipping ones whose direction
// can turn.
typedef struct Rows {
    const StiNetwork *network;
    const ReactionData *data;
    int count;
} Rows;

static double norm(const double *x, int dim)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

static bool turns(const StiNetwork *network, const ReactionData *data, int i)
{
    const Reaction *e = &network->reactions[i];
    return !data->answers[i].stuck && e->size.dim > 1 && norm(data->answers[i].r, e->size.dim) > 0.0 &&
           norm(data->rate + e->row, e->size.dim) > 0.0;
}

static Rows collect(const StiNetwork *network, const ReactionData *data, bool turning)
{
    Rows rows = {network, data, 0};
    for (int i = 0; i < network->reaction_count; ++i) {
        if (!data->answers[i].stuck && !(turning && turns(network, data, i))) continue;
        for (int d = 0; d < network->reactions[i].size.dim; ++d)
            data->stuck[rows.count++] = network->reactions[i].row + d;
    }
    return rows;
}

static int reaction_of_row(const StiNetwork *network, int row)
{
    int low = 0, high = network->reaction_count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (network->reactions[middle].row <= row) low = middle;
        else high = middle - 1;
    }
    return low;
}

// Position of a row within the stuck set, -1 if it is not in it.
static int place_in_set(const int *stuck, int count, int row)
{
    int low = 0, high = count - 1;
    while (low <= high) {
        const int middle = (low + high) / 2;
        if (stuck[middle] == row) return middle;
        if (stuck[middle] < row) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

// Slip at the velocity v under a resistance of length |r|: velocity per force and time that lets the
// direction turn across v (|v|/|r|) and keeps the length along v. Newton on r = |r| v/|v|.
static double slip_compliance(const Rows *rows, int reaction, int d, int k)
{
    const Reaction *e = &rows->network->reactions[reaction];
    const double *v = rows->data->rate + e->row, *W = rows->data->W + e->neighbours[0].block;
    const int dim = e->size.dim;
    const double speed = norm(v, dim), level = norm(rows->data->answers[reaction].r, dim);
    const double across = speed / (level * rows->network->step);
    const double along = rigid_length * (W[0] + across);
    return (d == k ? across : 0.0) + (along - across) * v[d] * v[k] / (speed * speed);
}

static void fill_row(const Rows *rows, int p, int reaction)
{
    const StiNetwork *n = rows->network;
    const ReactionData *data = rows->data;
    const Reaction *e = &n->reactions[reaction];
    const int d = data->stuck[p] - e->row, first = data->factor_first[p];
    double *row = data->factor + data->factor_start[p];
    memset(row, 0, (size_t)(p - first + 1) * sizeof *row);
    for (int i = 0; i < e->neighbour_count; ++i) {
        const Reaction *other = &n->reactions[e->neighbours[i].reaction];
        const int place = place_in_set(data->stuck, rows->count, other->row);
        const double *W = data->W + e->neighbours[i].block + d * other->size.dim;
        for (int k = 0; place >= 0 && k < other->size.dim && place + k <= p; ++k)
            row[place + k - first] = W[k];
    }
    for (int k = 0; !data->answers[reaction].stuck && k <= d; ++k)
        row[p - d + k - first] += slip_compliance(rows, reaction, d, k);
}

// Lays out the envelope and fills it with the lower half of W; returns the trace.
static double fill_envelope(const Rows *rows)
{
    const ReactionData *data = rows->data;
    double trace = 0.0;
    int start = 0;
    for (int p = 0; p < rows->count; ++p) {
        const int reaction = reaction_of_row(rows->network, data->stuck[p]);
        const Reaction *e = &rows->network->reactions[reaction];
        int first = p;
        for (int i = 0; i < e->neighbour_count; ++i) {
            const int row = rows->network->reactions[e->neighbours[i].reaction].row;
            const int place = place_in_set(data->stuck, rows->count, row);
            if (place >= 0 && place < first) first = place;
        }
        data->factor_first[p] = first;
        data->factor_start[p] = start;
        fill_row(rows, p, reaction);
        trace += data->factor[start + p - first];
        start += p - first + 1;
    }
    return trace;
}

// Cholesky within the envelope, L L^T; false at a pivot that says "singular".
static bool factor_envelope(const ReactionData *data, int count)
{
    for (int i = 0; i < count; ++i) {
        double *row = data->factor + data->factor_start[i];
        const int first = data->factor_first[i];
        const double diagonal = row[i - first];
        for (int j = first; j <= i; ++j) {
            const double *other = data->factor + data->factor_start[j];
            const int from = first > data->factor_first[j] ? first : data->factor_first[j];
            double sum = row[j - first];
            for (int k = from; k < j; ++k) sum -= row[k - first] * other[k - data->factor_first[j]];
            if (j < i) row[j - first] = sum / other[j - data->factor_first[j]];
            else if (!(sum > singular_pivot * diagonal)) return false;
            else row[j - first] = sqrt(sum);
        }
    }
    return true;
}

static void solve_envelope(const ReactionData *data, int count, double *x)
{
    for (int i = 0; i < count; ++i) {
        const double *row = data->factor + data->factor_start[i];
        const int first = data->factor_first[i];
        for (int k = first; k < i; ++k) x[i] -= row[k - first] * x[k];
        x[i] /= row[i - first];
    }
    for (int i = count - 1; i >= 0; --i) {
        const double *row = data->factor + data->factor_start[i];
        const int first = data->factor_first[i];
        x[i] /= row[i - first];
        for (int k = first; k < i; ++k) x[k] -= row[k - first] * x[i];
    }
}

// A redundant set has no unique resistances: a small diagonal keeps the change near its minimum norm.
static bool prepare_factor(const Rows *rows)
{
    const ReactionData *data = rows->data;
    const double trace = fill_envelope(rows);
    if (!(trace > 0.0)) return false;
    if (factor_envelope(data, rows->count)) return true;
    fill_envelope(rows);
    for (int p = 0; p < rows->count; ++p) {
        double *diagonal = &data->factor[data->factor_start[p] + p - data->factor_first[p]];
        *diagonal += proximal_part * *diagonal + proximal_part * trace / rows->count * (*diagonal == 0.0);
    }
    return factor_envelope(data, rows->count);
}

// What the change of the resistances must bring about, as velocity per time.
static void right_hand_side(const Rows *rows)
{
    const ReactionData *data = rows->data;
    for (int p = 0; p < rows->count; ++p) {
        const int reaction = reaction_of_row(rows->network, data->stuck[p]);
        const Reaction *e = &rows->network->reactions[reaction];
        const int d = data->stuck[p] - e->row, dim = e->size.dim;
        const double *v = data->rate + e->row, *r = data->answers[reaction].r;
        data->correction[p] = data->rate[data->stuck[p]] / rows->network->step;
        if (data->answers[reaction].stuck) continue;
        data->correction[p] = 0.0;
        for (int k = 0; k < dim; ++k)
            data->correction[p] +=
                slip_compliance(rows, reaction, d, k) * (norm(r, dim) * v[k] / norm(v, dim) - r[k]);
    }
}

static void add_correction(const Rows *rows, StiScratch *scratch)
{
    ReactionData *data = &scratch->reactions;
    for (int p = 0; p < rows->count;) {
        const int reaction = reaction_of_row(rows->network, data->stuck[p]);
        const int dim = rows->network->reactions[reaction].size.dim;
        for (int d = 0; d < dim; ++d) data->answers[reaction].r[d] += data->correction[p + d];
        sti_change_resistance(rows->network, scratch, reaction, data->correction + p);
        p += dim;
    }
}

static void solve(const Rows *rows, StiScratch *scratch, int passes)
{
    if (rows->count == 0 || !prepare_factor(rows)) return;
    for (int pass = 0; pass < passes; ++pass) {
        right_hand_side(rows);
        solve_envelope(&scratch->reactions, rows->count, scratch->reactions.correction);
        add_correction(rows, scratch);
    }
}

void sti_solve_stuck(const StiNetwork *network, StiScratch *scratch)
{
    const Rows rows = collect(network, &scratch->reactions, false);
    solve(&rows, scratch, REFINEMENTS);
}

void sti_solve_turning(const StiNetwork *network, StiScratch *scratch)
{
    const Rows rows = collect(network, &scratch->reactions, true);
    solve(&rows, scratch, 1);
}

// One end of a stuck coordinate row.
typedef struct Coordinate {
    bool fixed;       // ground or motion source: its velocity is given
    double given;
    const bool *known; // else: is it assigned yet, and
    double *velocity;  //       where
    bool *mark;
} Coordinate;

static Coordinate coordinate_at(const StiNetwork *network, StiScratch *scratch, const StiEnd *end, int d)
{
    if (end->admittance < 0) return (Coordinate){.fixed = true};
    const Admittance *a = &network->admittances[end->admittance];
    if (a->kind->prescribed)
        return (Coordinate){.fixed = true,
                            .given = scratch->stages[0].ports[a->port + a->dim + end->place + d]};
    bool *mark = &scratch->reactions.known[a->generalized + end->place + d];
    return (Coordinate){.known = mark, .mark = mark, .velocity = &scratch->next[a->v + end->place + d]};
}

// Copies a known velocity to the other end; true if something new is known now.
static bool spread(Coordinate *a, Coordinate *b)
{
    const bool a_known = a->fixed || *a->known, b_known = b->fixed || *b->known;
    if (a_known == b_known) return false;
    const Coordinate *from = a_known ? a : b;
    Coordinate *to = a_known ? b : a;
    *to->velocity = from->fixed ? from->given : *from->velocity;
    *to->mark = true;
    return true;
}

static bool spread_all(const StiNetwork *network, StiScratch *scratch, bool seed)
{
    bool changed = false;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (!scratch->reactions.answers[i].stuck || !e->wire.wire.kind->coordinates) continue;
        for (int d = 0; d < e->size.dim; ++d) {
            Coordinate a = coordinate_at(network, scratch, &e->wire.wire.a, d);
            Coordinate b = coordinate_at(network, scratch, &e->wire.wire.b, d);
            const bool none = !a.fixed && !b.fixed && !*a.known && !*b.known;
            if (none && seed && !changed) *b.mark = true; // a group that floats freely: keep one
            changed = spread(&a, &b) || changed;
        }
    }
    return changed;
}

// Known velocities (ground, motion sources) spread along stuck rows; then freely floating groups.
void sti_assign_stuck(const StiNetwork *network, StiScratch *scratch)
{
    memset(scratch->reactions.known, 0,
           (size_t)network->generalized_count * sizeof *scratch->reactions.known);
    do {
        while (spread_all(network, scratch, false)) {
        }
    } while (spread_all(network, scratch, true));
}
