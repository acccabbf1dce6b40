// Private: a group of nodes that feel each other, in memory made for speed. Every node has three
// slots (contacts: the normal is always slot 2; what a node does not have is 0), W is kept as
// blocks of 3 x 3 per node and neighbour.
#ifndef STICTION_SRC_CONE_ISLAND_H
#define STICTION_SRC_CONE_ISLAND_H

#include "algebra/sparse_blocks.h"
#include "cone/cone_step.h"
#include "cone/graph.h"

// One node by itself: what a local solve and a Newton step need of it.
typedef struct BlockLocal {
    double limit;         // mu or F that holds now
    double W_t, W_n;      // largest W of its tangents, W of its normal: forces to velocities
    double w[3];          // W between tangents and normal
    double k[3], Q[3][3]; // K = Q diag(k) Q^T, the tangents with the normal held (COUPLED 2.3)
    double give;          // 1/W_t
    double along[3];      // at the last look: where friction would point if it slid (unit where it
                          // does), and
    double share;         // limit/|force that would hold it|, 1 where it is less
    double slope;         // of a follower: its friction is that much of the load
} BlockLocal;

// What it is, and its place in the equations. Rows that hold whatever it takes (bilateral ones) are
// friction without a limit. A contact that slides along a given line has no tangents here: the
// columns of its normal force contain its friction.
typedef struct IslandNode {
    int index;        // among the caller's nodes
    int contact;      // or friction
    int slides;       // along a given line
    int tangents;     // slots 0 .. tangents - 1
    int first, end;   // neighbours; the first one is itself
    int mode;         // StiBlockMode
    int factor_mode;  // that the factor was made for
    int base;         // its first unknown in the solve of all rows, and
    int unknowns;     // how many, of these
    int slot[4];      // slots; none where nothing moves and no force is
    int follower;     // a tangent that slides along a line: no unknown, see `slope`; -1: none
    int holds_static; // its static limit holds now
    int released;     // held at the step's start and slides now
    int idle;         // closed, but all that it would carry is rounding
    int cone;         // numbers of its cone in the interior point; 0: it has none
} IslandNode;

// A node in the equations of bodies (by_bodies.h): its rows by slots on either side, and those equations.
typedef struct NodeBodies {
    double J[2][3][STI_BLOCK_BODY];
    double inverse[3][3], B[3][3], by[3];
} NodeBodies;

// The island's bodies on its two sides, -1: nothing moves; where the blocks between them are.
typedef struct NodePlaces {
    int body[2], block;
} NodePlaces;

typedef struct Island {
    const StiBlock *block; // the caller's
    const Watch *watch;
    int count;         // nodes
    IslandNode *nodes; // ordered so that neighbours are close
    BlockLocal *local;
    const int *neighbour; // index within the island
    double *W;            // 9 numbers per neighbour
    double *c, *f, *v;    // three slots per node
    double *saved, *step;
    double *c_given;  // c of the rows as they are: those of soft rows have another one
    double *centre;   // forces that soft rows pull towards
    double *before;   // the centre of the pass before
    double *best;     // forces nearest to an answer so far
    Cone *cones;      // one per node
    double W_mean;    // of the positive numbers on the diagonal of W
    double softness;  // what was added to each of them
    double hold;      // what a factor adds to the rows that hold; 0: the usual
    double creep;     // largest velocity of rows that should hold, left by softness
    bool resumed;     // the forces to start from are an earlier answer
    double strict;    // a factor with a pivot below this part of its diagonal is refused, and
    bool redundant;   // says so: forces are not unique
    int factors;      // made since the search began
    int factors_most; // 0: any number
    double factored;  // softness that the factor was made with; below 0: it serves no more
    bool unsymmetric; // some contact slides along a given line
    bool prepared;    // are k and Q there?
    int rows;         // unknowns in all
    int held;         // rows that hold
    int freedom;      // more of them than this are redundant
    double *factor, *solution;
    double *soft; // per row: what was added to the diagonal
    double *left; // per row: what that leaves
    int *factor_first, *factor_start, *pivot;
    int bodies;      // that the nodes push on; 0: W is there, and equations are those of rows
    bool fits;       // is there room to factor theirs?
    int *body_place; // of the caller's bodies
    NodeBodies *node_bodies;
    NodePlaces *places;
    int (*edges)[2]; // bodies that touch
    StiSparseBlocks system;
    double *body_velocity;
    bool symmetric;   // is that how the factor was made?
    bool turns;       // does something slide that can turn?
    bool immovable;   // is there a contact that nothing can move?
    int holding;      // nodes under their static limit
    double scale;     // largest c
    double tolerance; // of the residual
    double rest;      // slip below this is rounding
    double residual;  // at the last look
    bool all_rub;     // at the last look: all closed, all with friction
    int worst;        // index within the island
    int sweeps, iterations, interior_steps;
    bool wedged; // a local problem had no answer
} Island;

// Of NaN, b is taken, where fmax would take the other.
static inline double sti_larger(double a, double b) { return a > b ? a : b; }

// True if all stick with the forces that they start from: then the answer is complete.
bool sti_block_still_holds(const StiBlock *block, StiBlockAnswer *answer);

// Nodes from..end of the graph's order become the island, with forces to start from and their
// velocities.
void sti_island_gather(const StiBlock *block, const BlockGraph *graph, int from, int end,
                       const double *start, Island *island);
// A NaN in W, c or f makes a velocity NaN, whatever it meets (0 times
// infinity, too). Returns -1, or a node of which c or f is, or one of the island.
int sti_island_not_finite(const Island *island);
void sti_island_scatter(const StiBlock *block, const Island *island, StiBlockAnswer *answer);

// Eigenvalues and directions of K of every node.
void sti_island_prepare(Island *island);

// v = c + W f.
void sti_island_velocity(Island *island);

// Exact local solve: force and mode of node i for the velocity c that it has without its own force.
// False if there is none (wedging): then the force has no friction.
bool sti_local_solve(const Island *island, int i, const double *c, double *f, int *mode);

// Every node once, in order.
void sti_island_sweep(Island *island);

// What opens or may not rub has no force of that kind; true if that changed one.
bool sti_island_drop_forces(Island *island);

// Looks at f, v: modes, residual, worst node.
void sti_island_look(Island *island);

typedef enum NewtonStart {
    NEWTON_AS_IT_IS,
    NEWTON_ALL_STICK,     // what is closed
    NEWTON_ALL_SLIDE,     // what is closed, against the force that holds it
    NEWTON_STILL_SLIDES,  // as ALL_SLIDE, and once more so: the second step takes away rounding
    NEWTON_ALL_CLOSED,    // and sticking: a pile at rest, seen for the first time
    NEWTON_WITH_SWEEPS,   // local solves after each step bring forces back into their cones
    NEWTON_AS_FACTORED,   // the modes of the last factor
    NEWTON_ONE_AT_A_TIME, // as it is, but a step ends where the first contact opens: of four that
                          // share a load and do not fit together one has to, not two
} NewtonStart;

// All rows at once, from f and its v. True: solved, f, v, mode are the answer, and v is 0 where
// something holds. False: f and v as before.
bool sti_island_newton(Island *island, NewtonStart start);

// The linear equations of a Newton step over the rows of all closed nodes; false at a vanishing
// pivot, if strict at one that is small, too. Then f += the step.
bool sti_island_factor(Island *island);
void sti_island_correct(Island *island);
// Takes back the part of the last step after which a contact would pull.
void sti_island_shorten(Island *island);

// Is there any force to start from?
bool sti_island_is_warm(const Island *island);

// Where the numbers of a factor lie; returns how many are below the diagonal.
int sti_island_lay_out(Island *island);

// Rows as they are, from f and its v: local solves find modes, Newton's method the forces. False if
// nothing was found, or at the first sign that forces are not unique.
bool sti_island_solve_regular(Island *island);
// The same without that sign, and by all means there are.
bool sti_island_solve_by_all_means(Island *island);

// The answer that was looked at last: what holds has velocity 0, by assignment.
void sti_island_settle(Island *island);

// All rows at once, from the inside of the cones. False: f as before. Where Newton's method does not end
// it, what is left is the residual of the last look.
bool sti_island_interior(Island *island);

// ---- redundant.c: rows with an equal small compliance, which is then taken back
// An answer of soft rows, from f; false if there is none with any softness that is tried.
bool sti_island_soften(Island *island);
// Once more with the same softness, after a limit has changed.
bool sti_island_solve_soft(Island *island);
// Forces of least norm among those that hold: what is left of the softness is island->creep.
void sti_island_harden(Island *island, bool goes_on);
// Rows as they were given; the forces stay.
void sti_island_restore(Island *island);

// mu = 0 at the contacts (it stays so); false if that left a residual, too.
bool sti_island_solve_frictionless(Island *island);

#endif
