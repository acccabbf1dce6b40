// Private: what the papers' own solvers share, `semi-implicit` and `implicit` of [semi-implicit]: rows
// of contacts and friction, the regularised problem (19)(28), the rules (20)-(24) that bring its
// answer within the cones, and the Runge-Kutta-Gill stages with all these forces held.
//
// A node is a point of contact (rows: two tangents, then the normal) or an element of friction (as
// many rows as it has directions). A row's force pushes side a along it and side b against it.
#ifndef STICTION_SRC_SOLVER_PAPER_REGULARISED_H
#define STICTION_SRC_SOLVER_PAPER_REGULARISED_H

#include "algebra/spatial.h"
#include "network/solver.h"
#include "solver/sweeps/sweeps.h"
#include "contact/points.h"

// What the state remembers of an element of friction (slots of s).
typedef struct FrictionMemory {
    double known;  // 1: the numbers below are
    double torque; // N m, tau[k-1] of the first stage: what the gear hands to the link
    double anchor[STI_REACTION_DIM_MAX]; // q_r, where it began to stick              (24)
} FrictionMemory;

typedef enum NodeMode {
    MODE_OPEN,  // a point that is not touched, no force
    MODE_STICK, // all rows are to stand still
    MODE_SLIDE, // force on the cone, against the motion; only the normal is to stand still
    MODE_SMOOTH // slides, but no force with friction stops its normal: it goes without
} NodeMode;

typedef struct RegularNode {
    bool point;
    int index; // point of contact, or reaction
    int row, dim;
    NodeMode mode;
    double limit;      // mu_s, or the effort that sticking may carry
    double slide;      // mu_k, or the effort of sliding at the start's speed
    bool holds_static; // friction above that of sliding has not been let go yet
    double kinetic;    // then slide will be this
    double direction[STI_REACTION_DIM_MAX]; // of sliding: the force is against it
} RegularNode;

// One of the two bodies that a row acts on.
typedef struct RowEnd {
    int admittance;   // -1: nothing that forces move
    double *J;        // its velocities' part in the velocity of the row
    double *response; // H^-1 J^T
} RowEnd;

typedef struct RegularRow {
    RowEnd ends[2];
    double carried; // velocity that comes from motion sources, m/s
} RegularRow;

// min |B f + g|^2 + sum lambda f^2 over f, of which some are not negative.      (19), (28)
typedef struct LeastSquares {
    int rows, unknowns;
    double *B;      // rows x unknowns
    double *g;      // rows
    double *lambda; // unknowns
    const bool *not_negative;
    double *f; // the answer
    // Memory for the solve.
    double *M, *factor, *rhs, *dual; // unknowns^2, unknowns^2, unknowns, unknowns
    int *free;                       // unknowns
    bool *fixed;                     // at 0
    int iterations;
} LeastSquares;

typedef struct RegularData {
    int node_room, row_room, width; // width: velocities of the largest body
    RegularNode *nodes;
    int node_count;
    RegularRow *rows;
    int row_count;
    double *J, *response; // of all rows, 2 x width each
    double *A;            // row_count x row_count: J H^-1 J^T h, velocity per force
    double *c;            // velocity at the end of the step without the forces
    double *d;            // displacement to be taken back, over the time that it may take
    double *start;        // velocity at the start of the step
    double *f;            // forces of the rows
    double *unit;         // velocities of one body
    StiFrame *frames;     // links that move with them
    LeastSquares problem;
    bool *not_negative;
    int *column_row;                        // row of each unknown
    double *gear_ratio;                     // of the motor behind each reaction; 1
    double *held;                           // generalized, and ...
    StiWrench *held_wrenches;               // ... wrenches of all that is held over the stages
    StageData later[STI_METHOD_STAGES - 1]; // the stages after the first
    double *torque;                         // tau[k], per reaction
} RegularData;

static inline RegularData *regular_data(const StiScratch *scratch) { return scratch->solver; }

// Strength of the regularisation.
typedef struct Compliance {
    double k;      // 1/s: share of a displacement that is taken back per second
    double lambda; // (velocity/force)^2; below 0: in proportion to A
} Compliance;

// ---- regularised_memory.c: sizes and what lies where
int sti_regular_discrete(const StiNetwork *network);
void *sti_regular_take(StiArena *arena, const StiNetwork *network, bool friction_rows);
FrictionMemory *sti_friction_memory(const StiNetwork *network, int reaction, double *s);
// What both solvers refuse; NULL: nothing.
const char *sti_regular_refuse(const StiNetwork *network, const char **element);
// Constants below 0 stand for the usual ones.
Compliance sti_compliance(const StiNetwork *network, double k, double lambda);

// ---- regularised_rows.c: J, A, c and d
// friction: elements of friction are nodes, too.
void sti_regular_rows(const StiNetwork *network, StiScratch *scratch, bool friction);
// c from the accelerations of the first stage; points that do not touch become open; then A.
void sti_regular_inertia(const StiNetwork *network, StiScratch *scratch, double k);
// Velocity of a row at velocities x (laid out like a state's).
double sti_regular_velocity(const StiNetwork *network, const RegularRow *row, const double *x);

// ---- regularised_solve.c: the quadratic programme
void sti_least_squares(LeastSquares *problem);

// ---- regularised_cones.c: (20)-(22), and the sliding contacts solved again
void sti_regular_solve(const StiNetwork *network, StiScratch *scratch, Compliance compliance);

// ---- regularised_stages.c: Runge-Kutta-Gill with forces held
// The first stage up to the smooth forces.
StiStatus sti_regular_begin(const StiNetwork *network, const double *inputs, const StiState *state,
                            StiScratch *scratch);
// Accelerations of the first stage under smooth forces, friction, and (rows) the rows' forces.
StiStatus sti_regular_accelerate(const StiNetwork *network, StiScratch *scratch, bool rows);
StiStatus sti_regular_finish(const StiNetwork *network, const StiState *state, StiScratch *scratch);

// ---- regularised_settle.c: what comes out, and what is remembered
void sti_regular_settle(const StiNetwork *network, StiScratch *scratch);

#endif
