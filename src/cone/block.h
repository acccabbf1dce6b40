// Private: the contact block (COUPLED 2.3). Nodes are contacts, friction rows and rows that hold
// whatever it takes; their forces f act on each other through v = c + W f. Wanted are forces and
// modes such that
//
//     contact:   0 <= f_n  perp  v_n >= 0;
//                v_t = 0 and |f_t| <= mu f_n,  or  f_t = -mu f_n v_t/|v_t|
//                sliding along a given unit vector d:  f_t = -mu f_n d, v_t free
//     friction:  v = 0 and |f| <= F,  or  f = -F v/|v|
//     bilateral: v = 0, f free
//
// Units are the caller's: with W = T J H^-1 J^T (m/s per N) and velocities for c and v this is a
// step or, per impulse, an impact; with W = J H^-1 J^T and accelerations it says which nodes go on
// sticking, which let go and which way. "Velocity" below means either.
//
// Where forces are not unique (a box on four points) they are the ones of least norm, the limit of
// an equal small compliance in every row: they depend neither on where the search starts nor on the
// order of the nodes nor on the directions of tangents.
//
// A pure function of its arguments: no allocation, sums in a fixed order, same bits every time.
// Signs: f pushes along its row, v is the velocity along it; the power of the forces is f.v <= 0.
#ifndef STICTION_SRC_CONE_BLOCK_H
#define STICTION_SRC_CONE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/watch.h"
#include "stiction/status.h"

enum { STI_BLOCK_DIM_MAX = 3, STI_BLOCK_BODY = 6 };

typedef enum StiBlockKind {
    STI_BLOCK_CONTACT,   // rows: tangents (2, 1 or none), then the normal
    STI_BLOCK_FRICTION,  // 1 to 3 rows, a limit that does not depend on the other forces
    STI_BLOCK_BILATERAL, // 1 to 3 rows, no limit
} StiBlockKind;

typedef enum StiBlockMode { STI_BLOCK_OPEN, STI_BLOCK_STICK, STI_BLOCK_SLIDE } StiBlockMode;

typedef struct StiBlockNode {
    StiBlockKind kind;
    int row, dim;        // first row; the nodes' rows follow each other in the order of the nodes
    double limit;        // mu, or F (N, N m): while sliding
    double limit_static; // mu_static or F_S, at least `limit`: while it holds; used if stuck_before
    bool stuck_before;   // did it stick at the step's start?
    bool sliding;        // a contact that slides with `limit`, along
    double along[2];     // this unit vector of its tangents
} StiBlockNode;

// W of one pair of nodes, dim_a rows and dim_b columns, at W + place, row after row with `stride`
// numbers between their beginnings. Each pair once (either way round), each node with itself; pairs
// that are not listed are 0.
typedef struct StiBlockPair {
    int a, b;
    int place, stride;
} StiBlockPair;

// What a row does to one of at most two bodies, in coordinates in which the inertia of each is 1: then W
// is the sum of J J^T over the bodies that two rows share.
typedef struct StiBlockSide {
    int body; // below body_count; -1: nothing moves
    double J[STI_BLOCK_BODY];
} StiBlockSide;

typedef struct StiBlock {
    int node_count, row_count, pair_count;
    const StiBlockNode *nodes;
    const StiBlockPair *pairs; // NULL: W is one dense matrix, row_count x row_count
    const double *W;           // symmetric, positive semi-definite; NULL: by sides
    const double *c;           // velocities without these forces; normals: + max(gap, 0)/T; per row
    int freedom;               // velocities of all bodies that the rows push on; 0: not known
    const Watch *watch;        // ends it with STI_INTERRUPTED; or NULL
    bool resumed;              // f to start from is an answer, of the last step or the last trial
    bool goes_on;              // a step that others follow: a misfit of rows must not grow from one to the next
    bool keep_friction;        // where there is no answer, say so: never solve with mu = 0 instead
    // Sums of the absolute terms of which c and the diagonal of W were made, per row, or NULL: what
    // is below rounding of them is 0 (COUPLED 2.4).
    const double *c_size, *W_size;
    // Instead of W two per row, the rows of a node on the same bodies. Memory and cost of a heap then grow
    // with its bodies and touches rather than with all that touches feel of each other.
    const StiBlockSide *sides;
    int body_count; // that sides may name
} StiBlock;

// From good to bad.
typedef enum StiBlockOutcome {
    STI_BLOCK_SOLVED,
    STI_BLOCK_SOFT,         // some rows that should hold creep: an answer of slightly soft rows
    STI_BLOCK_FRICTIONLESS, // some islands have no answer, or none was found: their contacts were
                            // solved with mu = 0, which has one and adds no energy
    STI_BLOCK_UNSOLVED,     // even that left `residual`, e.g. a contact that nothing can move away;
                            // the forces still add no energy
} StiBlockOutcome;

typedef struct StiBlockAnswer {
    double *f;          // per row; in: where to start (last step's forces or 0); out: the forces
    double *v;          // per row; exactly 0 where a node sticks, normals of closed contacts too
    StiBlockMode *mode; // per node
    bool *released;     // per node: held at the step's start and slides now with `limit`; or NULL
    int *order;         // nodes island after island, so that neighbours are close; or NULL
    StiBlockOutcome outcome;
    double residual; // largest violation of the conditions above, as a velocity
    double creep;    // SOFT: largest velocity of a row that should hold, of its island's |c|
    int soft_islands;
    double left;          // the same before friction was given up (mu = 0); else as residual
    int worst;            // the node with it
    int islands;          // groups of nodes that feel each other
    int unsolved_islands; // how many of them were solved with mu = 0, or not at all
    int interior_steps;   // over all islands
    int sweeps;           // of exact local solves, over all islands
    int iterations;       // solves with all rows at once
    int releases;         // nodes that went from static to kinetic
    double power;         // sum of f.v at the end, W; <= 0 up to rounding
} StiBlockAnswer;

// Memory to work in; what it contains does not matter.
typedef struct StiBlockScratch {
    size_t number_count, integer_count;
    double *numbers;
    int *integers;
} StiBlockScratch;

// How much that is at most, for any block of that size; pair_count 0: dense.
void sti_block_scratch_size(int node_count, int row_count, int pair_count, size_t *number_count,
                            size_t *integer_count);
// The same for blocks by sides.
void sti_block_scratch_size_by_sides(int node_count, int body_count, size_t *number_count,
                                     size_t *integer_count);

// Solved means: the residual is below 1e-13 of the largest velocity in play, |c| or W f, but of at
// most 1e3 |c|; where forces are not unique rows that hold may creep at 1e-10 |c|. Slip below ten
// times the former counts as 0. STI_OK also if the outcome is not SOLVED:
// the caller decides. STI_NOT_FINITE: W, c, f, a limit or c + W f is NaN or infinite
// (answer->worst: the node, or one of its island); STI_OUT_OF_MEMORY: scratch too small;
// STI_BAD_ARGUMENT: rows, nodes and pairs do not fit together. Then f and v may be half written.
StiStatus sti_block_solve(const StiBlock *block, const StiBlockScratch *scratch,
                          StiBlockAnswer *answer);

// Of a block by sides: forces of least norm that shift its rows by `shift`; the rows of nodes that are
// not closed, and tangents of those that do not stick, are free. Islands in which no row has to move by
// more than `least` stay where they are; false if that is all of them.
bool sti_block_shift(const StiBlock *block, const StiBlockScratch *scratch, const StiBlockMode *mode,
                     const double *shift, double least, double *f);

#endif
