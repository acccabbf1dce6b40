// Elimination block by block. Column k of L and row k of U have blocks at the same places.
#include "algebra/sparse_blocks.h"

#include <math.h>
#include <string.h>

size_t sti_sparse_numbers(int rows, int room)
{
    return STI_SQUARE * ((size_t)rows + 2 * (size_t)room) + STI_SIX * (size_t)rows;
}

void sti_sparse_lay_out(StiSparseBlocks *m, int rows, int room, double *numbers, int *integers)
{
    m->count = 0;
    m->room = room;
    m->order = integers;
    m->place = m->order + rows;
    m->first = m->place + rows;
    m->row = m->first + rows + 1;
    m->work = m->row + room;
    m->diagonal = numbers;
    m->lower = m->diagonal + STI_SQUARE * (size_t)rows;
    m->upper = m->lower + STI_SQUARE * (size_t)room;
    m->size = m->upper + STI_SQUARE * (size_t)room;
}

// Where place `row` stands in a column; it is there.
static int find(const StiSparseBlocks *m, int column, int row)
{
    int low = m->first[column], high = m->first[column + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (m->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int sti_sparse_find(const StiSparseBlocks *m, int a, int b)
{
    const int p = m->place[a], q = m->place[b];
    return p < q ? find(m, p, q) : find(m, q, p);
}

void sti_sparse_clear(const StiSparseBlocks *m)
{
    const size_t blocks = (size_t)m->first[m->count];
    memset(m->diagonal, 0, STI_SQUARE * (size_t)m->count * sizeof *m->diagonal);
    memset(m->lower, 0, STI_SQUARE * blocks * sizeof *m->lower);
    memset(m->upper, 0, STI_SQUARE * blocks * sizeof *m->upper);
    for (int k = 0; k < m->count; ++k)
        for (int i = 0; i < STI_SIX; ++i) m->diagonal[STI_SQUARE * k + 7 * i] = 1.0;
}

// L U of one block, 1/diagonal of U in place.
static bool factor_block(double *D, const double *size, double least)
{
    for (int k = 0; k < STI_SIX; ++k) {
        if (!(fabs(D[7 * k]) > least * size[k])) return false;
        D[7 * k] = 1.0 / D[7 * k];
        for (int i = k + 1; i < STI_SIX; ++i) {
            const double ratio = D[STI_SIX * i + k] *= D[7 * k];
            for (int j = k + 1; j < STI_SIX; ++j) D[STI_SIX * i + j] -= ratio * D[STI_SIX * k + j];
        }
    }
    return true;
}

// A U^-1.
static void divide_lower(const double *D, double *A)
{
    for (int i = 0; i < STI_SIX; ++i, A += STI_SIX)
        for (int k = 0; k < STI_SIX; ++k) {
            A[k] *= D[7 * k];
            for (int j = k + 1; j < STI_SIX; ++j) A[j] -= A[k] * D[STI_SIX * k + j];
        }
}

// L^-1 A.
static void divide_upper(const double *D, double *A)
{
    for (int k = 0; k < STI_SIX; ++k)
        for (int i = k + 1; i < STI_SIX; ++i) {
            const double ratio = D[STI_SIX * i + k];
            for (int j = 0; j < STI_SIX; ++j) A[STI_SIX * i + j] -= ratio * A[STI_SIX * k + j];
        }
}

static inline void take_off_product(const double *restrict A, const double *restrict B,
                                    double *restrict C)
{
    for (int i = 0; i < STI_SIX; ++i, A += STI_SIX, C += STI_SIX)
        for (int k = 0; k < STI_SIX; ++k)
            for (int j = 0; j < STI_SIX; ++j) C[j] -= A[k] * B[STI_SIX * k + j];
}

static inline double *block(double *blocks, int at) { return blocks + STI_SQUARE * (size_t)at; }

// What pivot k takes from the blocks between the rows below it: pairs (i, j), j before i. Lists are
// ascending, and those of j contain what comes after j here.
static void take_off_pivot(const StiSparseBlocks *m, int k)
{
    for (int p = m->first[k]; p < m->first[k + 1]; ++p) {
        const int j = m->row[p];
        const double *L = block(m->lower, p), *U = block(m->upper, p);
        take_off_product(L, U, block(m->diagonal, j));
        int at = m->first[j];
        for (int q = p + 1; q < m->first[k + 1]; ++q, ++at) {
            while (m->row[at] != m->row[q]) ++at;
            take_off_product(block(m->lower, q), U, block(m->lower, at));
            take_off_product(L, block(m->upper, q), block(m->upper, at));
        }
    }
}

bool sti_sparse_factor(const StiSparseBlocks *m, double least)
{
    for (int k = 0; k < m->count; ++k)
        for (int i = 0; i < STI_SIX; ++i) m->size[STI_SIX * k + i] = fabs(block(m->diagonal, k)[7 * i]);
    for (int k = 0; k < m->count; ++k) {
        double *D = block(m->diagonal, k);
        if (!factor_block(D, m->size + STI_SIX * k, least)) return false;
        for (int p = m->first[k]; p < m->first[k + 1]; ++p) {
            divide_lower(D, block(m->lower, p));
            divide_upper(D, block(m->upper, p));
        }
        take_off_pivot(m, k);
    }
    return true;
}

static inline void take_off(const double *A, const double *x, double *y)
{
    for (int i = 0; i < STI_SIX; ++i, A += STI_SIX)
        for (int k = 0; k < STI_SIX; ++k) y[i] -= A[k] * x[k];
}

void sti_sparse_solve(const StiSparseBlocks *m, double *x)
{
    for (int k = 0; k < m->count; ++k) {
        const double *D = block(m->diagonal, k);
        double *y = x + STI_SIX * (size_t)m->order[k];
        for (int i = 1; i < STI_SIX; ++i)
            for (int j = 0; j < i; ++j) y[i] -= D[STI_SIX * i + j] * y[j];
        for (int p = m->first[k]; p < m->first[k + 1]; ++p)
            take_off(block(m->lower, p), y, x + STI_SIX * (size_t)m->order[m->row[p]]);
    }
    for (int k = m->count - 1; k >= 0; --k) {
        const double *D = block(m->diagonal, k);
        double *y = x + STI_SIX * (size_t)m->order[k];
        for (int p = m->first[k]; p < m->first[k + 1]; ++p)
            take_off(block(m->upper, p), x + STI_SIX * (size_t)m->order[m->row[p]], y);
        for (int i = STI_SIX - 1; i >= 0; --i) {
            for (int j = i + 1; j < STI_SIX; ++j) y[i] -= D[STI_SIX * i + j] * y[j];
            y[i] *= D[7 * i];
        }
    }
}
