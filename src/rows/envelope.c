#include "rows/envelope.h"

#include <math.h>
#include <string.h>

#include "algebra/skyline.h"

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
        const int place = data->place[sti_neighbour(e, i)];
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
            const int other = sti_neighbour(e, i), dim = network->reactions[other].size.dim;
            const double *W = data->W + sti_neighbour_block(e, i);
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
    const double diagonal = data->W[sti_neighbour_block(e, 0) + d * e->size.dim + d];
    return diagonal > 0.0 ? diagonal : largest;
}

static double largest_diagonal(const StiNetwork *network, const ReactionData *data, int count)
{
    double largest = 0.0;
    for (int p = 0; p < count; ++p) largest = fmax(largest, diagonal_of_W(network, data, p, 0.0));
    return largest;
}

// W plus this part of its diagonal.
static bool factor(const StiNetwork *network, const ReactionData *data, int count,
                   const double *own, double part, double largest)
{
    fill(network, data, count, own);
    for (int p = 0; part > 0.0 && p < count; ++p)
        data->factor[data->factor_start[p] + p - data->factor_first[p]] +=
            part * diagonal_of_W(network, data, p, largest);
    return sti_skyline_factor(count, data->factor_first, data->factor_start, singular_pivot,
                              data->factor);
}

bool sti_envelope_factor_shifted(const StiNetwork *network, const ReactionData *data, int count,
                                 double part)
{
    const double largest = largest_diagonal(network, data, count);
    return largest > 0.0 && factor(network, data, count, NULL, part, largest);
}

bool sti_envelope_factor(const StiNetwork *network, const ReactionData *data, int count,
                         const double *own)
{
    const double largest = largest_diagonal(network, data, count);
    if (!(largest > 0.0)) return false;
    if (factor(network, data, count, own, 0.0, largest)) return true;
    for (double part = own != NULL ? least_part_linearised : least_part; part < 0.1; part *= 100.0)
        if (factor(network, data, count, own, part, largest)) return true;
    return false;
}

void sti_envelope_solve(const ReactionData *data, int count, double *x)
{
    sti_skyline_solve(count, data->factor_first, data->factor_start, data->factor, x);
}
