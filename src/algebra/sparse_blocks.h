// Private: systems of equations whose matrix consists of 6 x 6 blocks, few of which are not 0, and with
// block (a, b) also (b, a): bodies that touch. Eliminated without pivoting, in an order that fills in few
// further blocks (least degree first), so that a heap costs about as much as it has touches.
#ifndef STICTION_SRC_ALGEBRA_SPARSE_BLOCKS_H
#define STICTION_SRC_ALGEBRA_SPARSE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

enum { STI_SIX = 6, STI_SQUARE = 36 };

typedef struct StiSparseBlocks {
    int count; // rows of blocks
    int room;  // blocks below the diagonal, at most
    int *order;       // which row is eliminated k-th
    int *place;       // of each row in that order
    int *first, *row; // column k has its blocks below the diagonal at first[k], in rows row[..], ascending
    double *diagonal, *lower, *upper; // lower: by columns; upper: by rows, at the same places
    double *size;                     // of the diagonal, before
    int *work;
} StiSparseBlocks;

// How much memory `rows` of blocks need with `edges` pairs of them, where elimination fills in as many
// blocks as fit into `room`.
size_t sti_sparse_numbers(int rows, int room);
size_t sti_sparse_integers(int rows, int edges, int room);
void sti_sparse_lay_out(StiSparseBlocks *m, int rows, int room, double *numbers, int *integers);

// Order and places for these rows; edges: pairs of different rows, each any number of times. False: no
// room for what fills in.
bool sti_sparse_order(StiSparseBlocks *m, int rows, const int (*edges)[2], int edge_count);
// Of two different rows that are an edge: where their blocks are in `lower` and `upper`, by 36 numbers.
int sti_sparse_find(const StiSparseBlocks *m, int a, int b);
// All 0 but the diagonal, which is 1.
void sti_sparse_clear(const StiSparseBlocks *m);

// In place; false at a pivot that is not above `least` of the diagonal before.
bool sti_sparse_factor(const StiSparseBlocks *m, double least);
// x: 6 numbers per row, in the order of the rows as they were given.
void sti_sparse_solve(const StiSparseBlocks *m, double *x);

#endif
