// The stuck set: its resistances by one direct solve, its velocities to exactly zero.
#include <math.h>
#include <string.h>

#include "step/reactions.h"

static const double singular_pivot = 1e-12; // of the diagonal it came from
static const double proximal_part = 1e-9;   // of the mean diagonal
enum { REFINEMENTS = 2 };

// The rows of all stuck reactions, in the network's order; returns how many.
static int collect_stuck(const StiNetwork *network, const ReactionData *data)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0; data->answers[i].stuck && d < network->reactions[i].size.dim; ++d)
            data->stuck[count++] = network->reactions[i].row + d;
    return count;
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

// Lays out the envelope and fills it with the lower half of W; returns the trace.
static double fill_envelope(const StiNetwork *network, const ReactionData *data, int count)
{
    double trace = 0.0;
    int start = 0;
    for (int p = 0; p < count; ++p) {
        const int row = data->stuck[p];
        const Reaction *e = &network->reactions[reaction_of_row(network, row)];
        int first = p;
        for (int i = 0; i < e->neighbour_count; ++i) {
            const Reaction *other = &network->reactions[e->neighbours[i].reaction];
            const int place = place_in_set(data->stuck, count, other->row);
            if (place >= 0 && place < first) first = place;
        }
        data->factor_first[p] = first;
        data->factor_start[p] = start;
        memset(data->factor + start, 0, (size_t)(p - first + 1) * sizeof *data->factor);
        for (int i = 0; i < e->neighbour_count; ++i) {
            const Reaction *other = &network->reactions[e->neighbours[i].reaction];
            const int place = place_in_set(data->stuck, count, other->row);
            const double *W = data->W + e->neighbours[i].block + (row - e->row) * other->size.dim;
            for (int d = 0; place >= 0 && d < other->size.dim && place + d <= p; ++d)
                data->factor[start + place + d - first] = W[d];
        }
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
static bool prepare_factor(const StiNetwork *network, const ReactionData *data, int count)
{
    const double trace = fill_envelope(network, data, count);
    if (!(trace > 0.0)) return false;
    if (factor_envelope(data, count)) return true;
    fill_envelope(network, data, count);
    for (int p = 0; p < count; ++p)
        data->factor[data->factor_start[p] + p - data->factor_first[p]] += proximal_part * trace / count;
    return factor_envelope(data, count);
}

void sti_solve_stuck(const StiNetwork *network, StiScratch *scratch)
{
    ReactionData *data = &scratch->reactions;
    const int count = collect_stuck(network, data);
    if (count == 0 || !prepare_factor(network, data, count)) return;
    for (int pass = 0; pass < REFINEMENTS; ++pass) {
        for (int p = 0; p < count; ++p)
            data->correction[p] = data->rate[data->stuck[p]] / network->step;
        solve_envelope(data, count, data->correction);
        for (int p = 0; p < count;) {
            const int reaction = reaction_of_row(network, data->stuck[p]);
            const int dim = network->reactions[reaction].size.dim;
            for (int d = 0; d < dim; ++d) data->answers[reaction].r[d] += data->correction[p + d];
            sti_change_resistance(network, scratch, reaction, data->correction + p);
            p += dim;
        }
    }
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
