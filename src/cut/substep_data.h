// Private: memory of a step in substeps.
#ifndef STICTION_SRC_CUT_SUBSTEP_DATA_H
#define STICTION_SRC_CUT_SUBSTEP_DATA_H

#include "evaluate/modes.h"
#include "robot/trial.h"

// A row of friction that a substep treats implicitly.
typedef struct SubstepRow {
    const Wire *wire;
    int element; // index of the impedance, or of the reaction
    int axis;
    bool reaction;
} SubstepRow;

// Elastic and steep rows that feel only those with which they share a body, where that is all there is (implicit_banded.c).
typedef struct NearRows {
    bool possible; // all elastic rows have one direction
    bool applies;  // to this substep
    int count;
    SubstepRow *rows;   // ordered so that neighbours are close
    int *first, *start; // the envelope
    double *W, *factor; // within it: W, and I + tau sqrt(Z) W sqrt(Z)
    double *root, *phi; // sqrt(Z), and forces
    double *columns;    // of each row: dv of its own bodies, and ...
    int *column_start;  // ... where they begin
} NearRows;

// What a joint does in a trial in which many change (joint_changes.h). Times are shares of the trial, efforts
// and velocities are means over it.
typedef struct JointChange {
    AxisMode mode;  // in the trial, and ...
    AxisMode end;   // ... when it is corrected
    double from;    // where its mode ends; 1: it does not
    double share;   // for how long the correction acts on it
    double side;    // of a stuck joint: which way it goes
    double excess;  // of a stuck joint: effort of the trial beyond its limit, and ...
    double moment;  // ... how long that has acted at the end, times it
    double effort;  // of its friction: what the correction adds to it
    double overrun; // of a slipping joint: way of the trial behind its end
    // On the way from change to change: by how much its velocity is moved, and its rate; how far it went.
    double moved, rate, way;
} JointChange;

// What a step needs that is cut into substeps (METHODS 3 and 4).
typedef struct SubstepData {
    double t, rest;        // where the step has come to, and what is left of it, s
    double t_end;          // of the step
    double *x, *y, *s;     // there, together as in a state
    double *x_end, *y_end; // at the end of a trial
    StageData close;       // evaluated there
    StageData probe;       // evaluated in between, to locate the end of a mode
    bool probed;           // after close: rates of the wires are those of the probe
    bool rested;           // a planar reaction came to rest at a stage of the trial

    SubstepRow *rows; // elastic and steep ones, then reactions that slip as a whole
    int elastic, planar;
    bool columns_known;
    double *columns;  // of each row: dv of a unit resistance, with stuck reactions locked
    double *W;        // rows x rows
    double *W_free;   // its diagonal where nothing is locked; 0 if nothing is
    double *Z, *ZW;   // elastic x elastic; I + tau Z W, factored
    double *W_planar; // planar x planar, with the elastic rows giving way
    int *pivots;
    int *chosen_rows;                  // of a fallback: those that stick
    double *phi, *bar, *column, *vbar; // of one solve
    double *P; // of each stage, laid out like generalized: the implicit part of the rates, or
               // (bodies that add) of the forces
    double *Z_own,
        *k_own;    // by impedance, those on a diagonal: Z, and what its row has without the body
    double *Z_slip; // by reaction, those on a diagonal
    double *slopes; // of steep impedances: what they answer to positions
    double *moved;  // way of the wires since the point, without the last tau
    double *added; // laid out like generalized: tau Z
    double *own_force; // and forces to respond to
    double *prepared;  // H + tau Z of the bodies that add, factored
    NearRows near;
    // Where the joints of robots change together (joint_changes.h): laid out like generalized, ...
    JointChange *changes;
    double *shift;        // of the positions by a correction
    StiWrench *unchanged; // ... and by link: what acts on it
    bool adds;            // there are such bodies, and implicit elements on them

    const struct Listed *listed; // listed.h; NULL: the network is not of that sort
    double *saved; // of a fallback, to return to: phi, bar, modes

    ModePlace *modes;
    int mode_count;
    StiMargin *before, *after, *there;
    bool judged;    // before holds the margins of the point
    double *theta;  // share of the trial at which a mode ends; beyond 1: it does not
    double *likely; // where it may end, while the first is sought
    bool *fresh;    // modes that changed within this step
    bool *forced;   // reactions that slip in any case
    bool *ended;    // margins that ran out at an event, with those of contacts
    const struct LoadZero *zeros; // loads whose passing zero ends a substep (load_zeros.h)
    int zero_count;
    // For recorders: means over the accepted substeps; what was at the start.
    double *mean_u, *mean_loads, *first_u, *first_loads;
    bool entered; // something is in the books (account.h), and ...
    double due;   // ... the last substep, of this length, is not

    // The evaluation that the last step ended with may be the first of the next.
    bool kept;
    double kept_from, kept_to; // smooth stretch of the inputs that it saw
    double *kept_inputs;
    bool kept_usual; // no inputs were given
} SubstepData;

SubstepData *sti_substep_take(StiArena *arena, const StiNetwork *network);

#endif
