#include "step/envelope.h"

#include <math.h>
#include <string.h>

static const double singular_pivot = 1e-12; // of the diagonal it came from
static const double least_part = 1e-9;      // of the diagonal of W, added where it is singular;
static const double least_part_linearised = 1e-6; // beyond the errors of differences

int sti_envelope_choose(const StiNetwork *network, const ReactionData *data)
{
    int count = 0;
    for (int i = 0; i < network->reaction_count; ++i) {
        data->place[i] = data->chosen[i] ? count : -1;
        for (int d = 0; data->chosen[i] && d < network->reactions[i].size.dim; ++d) {
            data->owner[count] = i;
            data->rows[count++] = network->reactions[i].row + d;
        }
    }
    return count;
}

static int first_column(const ReactionData *data, const Reaction *e, int p)
{
    int first = p;
    for (int i = 0; i < e->neighbour_count; ++i) {
        const int place = data->place[e->neighbours[i].reaction];
        if (place >= 0 && place < first) first = place;
    }
    return first;
}

// Lays out the envelope and fills it with the lower half.
static void fill(const StiNetwork *network, const ReactionData *data, int count, const double *own)
{
    int start = 0;
    for (int p = 0; p < count; ++p) {
        const Reaction *e = &network->reactions[data->owner[p]];
        const int d = data->rows[p] - e->row, first = first_column(data, e, p);
        data->factor_first[p] = first;
        data->factor_start[p] = start;
        memset(data->factor + start, 0, (size_t)(p - first + 1) * sizeof *data->factor);
        for (int i = 0; i < e->neighbour_count; ++i) {
            const int other = e->neighbours[i].reaction, dim = network->reactions[other].size.dim;
            const double *W = data->W + e->neighbours[i].block;
            if (i == 0 && own != NULL) W = own + STI_REACTION_DIM_MAX * e->row;
            for (int k = 0; data->place[other] >= 0 && k < dim && data->place[other] + k <= p; ++k)
                data->factor[start + data->place[other] + k - first] = W[d * dim + k];
        }
        start += p - first + 1;
    }
}

// Of W itself, whatever own blocks there are; a row that nothing can move counts as the largest.
static double diagonal_of_W(const StiNetwork *network, const ReactionData *data, int p,
                            double largest)
{
    const Reaction *e = &network->reactions[data->owner[p]];
    const int d = data->rows[p] - e->row;
    const double diagonal = data->W[e->neighbours[0].block + d * e->size.dim + d];
    return diagonal > 0.0 ? diagonal : largest;
}

// L L^T; false at a pivot that says "singular".
static bool factor(const ReactionData *data, int count)
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
            if (j < i)
                row[j - first] = sum / other[j - data->factor_first[j]];
            else if (!(sum > singular_pivot * diagonal))
                return false;
            else
                row[j - first] = sqrt(sum);
        }
    }
    return true;
}

bool sti_envelope_factor_shifted(const StiNetwork *network, const ReactionData *data, int count,
                                 double part)
{
    double largest = 0.0;
    for (int p = 0; p < count; ++p) largest = fmax(largest, diagonal_of_W(network, data, p, 0.0));
    if (!(largest > 0.0)) return false;
    fill(network, data, count, NULL);
    for (int p = 0; part > 0.0 && p < count; ++p)
        data->factor[data->factor_start[p] + p - data->factor_first[p]] +=
            part * diagonal_of_W(network, data, p, largest);
    return factor(data, count);
}

bool sti_envelope_factor(const StiNetwork *network, const ReactionData *data, int count,
                         const double *own)
{
    double largest = 0.0;
    for (int p = 0; p < count; ++p) largest = fmax(largest, diagonal_of_W(network, data, p, 0.0));
    if (!(largest > 0.0)) return false;
    fill(network, data, count, own);
    if (factor(data, count)) return true;
    for (double part = own != NULL ? least_part_linearised : least_part; part < 0.1;
         part *= 100.0) {
        fill(network, data, count, own);
        for (int p = 0; p < count; ++p)
            data->factor[data->factor_start[p] + p - data->factor_first[p]] +=
                part * diagonal_of_W(network, data, p, largest);
        if (factor(data, count)) return true;
    }
    return false;
}

void sti_envelope_solve(const ReactionData *data, int count, double *x)
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
