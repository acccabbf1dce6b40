// Private: bodies joined by equations (couplings of coordinates, closed loops), as one body. Its
// coordinates are those of its members, one after the other. The forces of the equations are found
// with the motion: f = -W^+ (J a + Jdot v - driven), W = J H^-1 J^T over the equations' rows.
#ifndef STICTION_SRC_ASSEMBLY_ASSEMBLY_H
#define STICTION_SRC_ASSEMBLY_ASSEMBLY_H

#include "algebra/spatial.h"
#include "base/arena.h"
#include "stiction/admittance.h"
#include "stiction/constraint.h"

// A body among the others: its kind and parameters, and where its numbers begin among those of all.
typedef struct Member {
    const char *name;
    const StiAdmittanceKind *kind;
    const void *parameters; // the assembly's own
    StiAdmittanceSize size;
    int q, v, link, load, signal, prepared;
    bool looped;                   // an equation is about one of its links
    const struct StiRobot *robot;  // NULL: not a tree
} Member;

// One term of a coupling.
typedef struct MemberTerm {
    int member, position, velocity; // the latter among those of all
    double factor;
} MemberTerm;

// One end of a loop: a frame in a link of a member.
typedef struct MemberEnd {
    int member; // -1: the world
    int link;   // among those of all
    StiFrame frame;
} MemberEnd;

// Factors of a coupling: sum of factor x coordinate = offset + driven. Or a loop between two frames.
typedef struct Equation {
    const char *name;
    bool loop;
    const MemberTerm *terms;
    int term_count;
    double offset;
    bool from_start; // the offset is that of the start
    int signal; // value, rate and acceleration among the signals of all; -1: not driven
    StiLoopType type;
    MemberEnd a, b;
    double length; // of a rod, m
    int row, rows;
    int load; // its first load: forces of its rows, then their size
} Equation;

typedef struct Assembly {
    StiArena arena; // its own memory, and itself
    int owners;
    Member *members;
    int member_count;
    Equation *equations;
    int equation_count, row_count;
    // How many rows do not repeat others, on the equations: beside them, where stages of a step look,
    // rounding and curvature would let all seem independent.
    int rank;
    double misfit; // of rows that repeat others: an error that no position can take away
    int positions, velocities, links, loads, signals, supplied;
    int prepared;       // of the members
    int workspace;      // of the member that needs most
    double *q, *v;      // at the start, on the equations
    StiChannelInfo *channels, *load_channels;
    int channel_count;
    bool looped;
} Assembly;

typedef struct StiAssemblyBody {
    Assembly *assembly;
} StiAssemblyBody;
extern const StiAdmittanceKind sti_kind_assembly;

// What one row does: a wrench on a link of each side, about its origin; couplings have their terms.
typedef struct EquationRow {
    StiWrench wrench[2];
    int link[2]; // among those of all; -1: none
} EquationRow;

// Memory of one solve, cut from the caller's.
typedef struct AssemblyMemory {
    double *prepared;    // of the members
    double *J;           // one row per equation's row, as long as all velocities
    double *columns;     // H^-1 J^T: one per row, as long as all velocities
    double *factor;      // row x rank, see solve.c
    double *gram;        // rank x rank
    double *scale;       // by row: 1/sqrt(W_ii)
    double *order;       // the rank, then rows in the order of their pivots
    double *W;           // row x row
    double *C, *rate, *force, *work; // by row
    EquationRow *rows;
    double *generalized, *dv; // by velocity
    bool *locked;
    StiWrench *wrenches;      // by link
    StiFrame *frames, *moved; // by link: at v; at other velocities
    StiTwist *bias;           // by link
    double *rest;             // for the members
    int size;                 // of all before
} AssemblyMemory;
// memory NULL: only the size.
AssemblyMemory sti_assembly_memory(const Assembly *assembly, double *memory);

// ---- equations.c
int sti_loop_force_rows(StiLoopType type); // the first rows of a loop, which are forces
double sti_loop_distance(const Equation *e, const AssemblyMemory *m); // of its ends, at m->frames
// Attitudes that should agree, and differ by half a turn: their axes are perpendicular there, too.
bool sti_loop_turned_over(const Equation *e, const AssemblyMemory *m);
// Frames of the links that loops are about (all: of all links).
void sti_equations_pose(const Assembly *a, const double *q, const double *v, const double *signals,
                        StiFrame *frames, bool all);
// Rows of all equations, and their errors C (signals NULL: rows only), at m->frames.
void sti_equations_set(const Assembly *a, const double *q, const double *signals, AssemblyMemory *m);
// Accelerations of the rows while generalized velocities stay, less the driven ones.
void sti_equations_drift(const Assembly *a, const double *q, const double *v, const double *signals,
                         AssemblyMemory *m, double *drift);
// J v, links moving as in frames; less the driven rates where signals are given.
void sti_equations_rates(const Assembly *a, const double *v, const StiFrame *frames,
                         const double *signals, const AssemblyMemory *m, double *rates);
// What a force along one row does to the members, added.
void sti_equation_push(const Equation *e, int row, double force, const AssemblyMemory *m,
                       double *generalized, StiWrench *wrenches);

// ---- solve.c
// At q with its rows: H of the members, J, H^-1 J^T and W, factored.
StiStatus sti_assembly_prepare(const Assembly *a, const double *q, const bool *locked,
                               const double *added, AssemblyMemory *m);
// force = -W^+ rates: of least norm where it is not unique.
void sti_assembly_solve(const Assembly *a, AssemblyMemory *m, const double *rates, double *force);
int sti_assembly_rank(const Assembly *a, const AssemblyMemory *m);
// J v, after prepare.
void sti_assembly_rates(const Assembly *a, const AssemblyMemory *m, const double *v, double *rates);
// v += H^-1 J^T force.
void sti_assembly_accelerate(const Assembly *a, const AssemblyMemory *m, const double *force,
                             double *v);
// H^-1 times a force, with the equations; prepared before.
void sti_assembly_respond(const Assembly *a, const double *q, const StiForce *force, double *dv,
                          AssemblyMemory *m);

// ---- project.c
// q and v back on the equations; q_start NULL: only v, at q as it is. Coordinates that stand still where
// they were at q_start stay there, as far as the equations allow it. STI_NO_SOLUTION: no q was found.
StiStatus sti_assembly_project(const Assembly *a, const double *signals, const double *q_start,
                               double *q, double *v, AssemblyMemory *m);

// From anywhere: to the nearest q that fits, then v.
StiStatus sti_assembly_place(const Assembly *a, const double *signals, double *q, double *v,
                             AssemblyMemory *m);

// ---- create.c
// Sizes, offsets, names of channels; members and equations are there. False: no memory.
bool sti_assembly_lay_out(Assembly *a);
void sti_assembly_release(Assembly *a);

#endif
