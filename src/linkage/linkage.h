// Private: a linkage, its rows of constraints in an order that keeps neighbours close, and the
// memory of one evaluation.
#ifndef STICTION_SRC_LINKAGE_LINKAGE_H
#define STICTION_SRC_LINKAGE_LINKAGE_H

#include "base/arena.h"
#include "linkage/pair.h"
#include "stiction/admittance.h"

// A row of Psi: row index of a pair; or, along the coordinate of a pair, a driver or a lock.
typedef enum RowType { ROW_OF_PAIR, ROW_OF_DRIVER, ROW_OF_LOCK } RowType;

typedef struct Row {
    RowType type;
    int pair;
    int index;   // of the pair's rows; of the driver
    int body[2]; // -1: ground
} Row;

// Two rows that meet at a body: row and column of Psi M^-1 Psi^T.
typedef struct Coupling {
    int row, side, column, column_side;
    int slot; // into the envelope
} Coupling;

// Rows in order, and the envelope of the factor of Psi M^-1 Psi^T: row p has the columns first[p]
// to p, entry (p, c) stands at start[p] + c; below row last[p] no row reaches column p.
typedef struct Layout {
    Row *rows;
    int count;
    int *first, *start, *last;
    int entries;
    Coupling *couplings;
    int coupling_count;
} Layout;

struct StiLinkage {
    StiArena arena;
    StiPlanarBody *bodies; // as assembled
    StiPlanarBody *given;  // as they were before
    StiPlanarPair *pairs;
    StiDriver *drivers;
    double *reference; // of each pair
    int body_count, pair_count, driver_count;
    StiDrift drift;
    double baumgarte_rate;
    StiMultiplierForm form;
    double scale;           // a length of the linkage, m
    int freedoms;           // at the start
    Layout plain, lockable; // without and with a lock for each pair that has a coordinate
    int memory;             // doubles of one evaluation
    double *inverse_mass;   // 3 per body
    double *q, *v;          // at the start
    StiChannelInfo *channels, *load_channels;
    int channel_count, load_count;
    int *first_load; // of each pair, then of each driver
};

// The memory of one evaluation, in a workspace or in prepared. Rows are those of a layout.
typedef struct Memory {
    Posture *postures;    // per body
    double *inverse_mass; // 3 per body
    double *J;            // 6 per row
    double *JM;           // the same times M^-1
    double *C, *gamma;    // per row
    double *coordinate;   // 8 per pair: J, value, gamma of its coordinate
    double *factor;       // entries
    double *dropped;      // per row: 1 where it depends on the rows before it, or is not in force
    double *lambda;       // per row
    double *column;       // per row: of the factor, while it is made
    double *Q;            // 3 per body
    double *spare;        // 3 per body
    double *drops;        // how many rows are dropped that are in force
    double *dense;        // Udwadia-Kalaba: rows x (velocities + 2)
    int size;             // doubles
} Memory;
Memory sti_linkage_memory(const StiLinkage *linkage, double *workspace);

enum { COORDINATE_VALUE = 6, COORDINATE_GAMMA = 7, COORDINATE_SIZE = 8 };

// layout.c
bool sti_linkage_lay_out(StiLinkage *linkage);

// rows.c: J, C, gamma of all rows and coordinates. v NULL: at rest. driven NULL: at the start value.
// held NULL, or per pair; q_held: where locks hold (NULL: here).
void sti_linkage_measure(const StiLinkage *linkage, const Layout *layout, const double *q,
                         const double *v, const StiDriven *driven, const double *q_held, Memory *m);
// The coordinate of one pair that has one (its C is the value), and its rate. v NULL: at rest.
PairRow sti_linkage_coordinate(const StiLinkage *linkage, int pair, const double *q,
                               const double *v, double *rate);
// Psi v of one row.
static inline double sti_row_rate(const Layout *layout, const Memory *m, int row, const double *v)
{
    const Row *r = &layout->rows[row];
    double rate = 0.0;
    for (int side = 0; side < 2; ++side) {
        const double *J = m->J + 6 * row + 3 * side, *own = v + 3 * r->body[side];
        if (r->body[side] >= 0) rate += J[0] * own[0] + J[1] * own[1] + J[2] * own[2];
    }
    return rate;
}
// What the row's Psi v should be.
double sti_row_wanted(const Row *row, const StiDriven *driven);
const char *sti_row_name(const StiLinkage *linkage, const Row *row);
const char *sti_row_label(const StiLinkage *linkage, const Row *row);
const char *sti_row_unit(const StiLinkage *linkage, const Row *row);

// factor.c: Psi M^-1 Psi^T and its factor; rows that are not in force (held) are dropped.
void sti_linkage_factor(const Layout *layout, const bool *held, Memory *m);
// lambda = (Psi M^-1 Psi^T)^-1 lambda, with 0 for dropped rows.
void sti_linkage_solve(const Layout *layout, const Memory *m, double *lambda);
// The same for several at once.
void sti_linkage_solve_each(const Layout *layout, const Memory *m, int count,
                            double *const *lambdas);
// x += sign * M^-1 Psi^T lambda.
void sti_linkage_push(const Layout *layout, const Memory *m, const double *lambda, double sign,
                      double *x);

// multipliers.c
void sti_linkage_gather(const StiLinkage *linkage, const Memory *m, const StiLinkageForce *force,
                        double *Q);
void sti_linkage_correct_drift(const StiLinkage *linkage, const Layout *layout, const double *v,
                               const StiDriven *driven, Memory *m);
// lambda of m and vdot from Q and gamma, by the factor in m.
void sti_linkage_solve_split(const StiLinkage *linkage, const Layout *layout, Memory *m,
                             double *vdot);
void sti_linkage_take_efforts(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                              double *hold, double *efforts);
// What constraints and drivers hold does not move: numbers of rounding size in dv become 0. size: 3 per
// body, to work in.
void sti_linkage_forget_rounding(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                                 double *size, double *dv);
// project.c: v of the factored rows in m, twice. driven NULL: at rest.
bool sti_linkage_fit_velocities(const StiLinkage *linkage, const Layout *layout,
                                const StiDriven *driven, double *v, Memory *m);

// moving.c: one factor for many forces at the same q and v. carried: lambda of all rows, then the
// friction at the surface of each pair, for the loads are made of both.
int sti_linkage_carried(const StiLinkage *linkage); // 0 where the form keeps no factor
void sti_linkage_prepare_moving(const StiLinkage *linkage, const double *q, const double *v,
                                const StiDriven *driven, double *prepared);
StiStatus sti_linkage_accelerate(const StiLinkage *linkage, double *prepared,
                                 const StiLinkageForce *force, double *vdot, double *carried,
                                 double *workspace);
void sti_linkage_collect(const StiLinkage *linkage, double *prepared, const StiLinkageForce *force,
                         double *Q, double *carried);
void sti_linkage_strain(const StiLinkage *linkage, double *prepared, int count,
                        const StiResponseColumn *columns, double *workspace);
void sti_linkage_loads_of(const StiLinkage *linkage, double *prepared, const double *v,
                          const double *carried, StiPairLoad *loads, double *efforts);
void sti_linkage_fit(const StiLinkage *linkage, double *prepared, const StiDriven *driven,
                     double *v, double *workspace);

// udwadia_kalaba.c: vdot and lambda from Q and gamma.
void sti_linkage_udwadia_kalaba(const Layout *layout, int velocities, const Memory *m,
                                double *vdot);
// loads.c
void sti_linkage_loads(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                       const double *v, const double *friction, StiPairLoad *loads);

// The force of a pair on a line, along its normal: with a sign.
double sti_linkage_normal(const StiLinkage *linkage, const Memory *m, int pair,
                          const StiPairLoad *load);

// assemble.c: false after errors in the report.
bool sti_linkage_assemble(StiLinkage *linkage, StiReport *report);
// check.c: false after errors in the report.
bool sti_linkage_check(const StiLinkageDesign *design, StiReport *report);
// channels.c
bool sti_linkage_name_channels(StiLinkage *linkage);

#endif
