// Private: memory of contacts in continuous time (evaluate/touches.h says what they are).
#ifndef STICTION_SRC_EVALUATE_TOUCH_DATA_H
#define STICTION_SRC_EVALUATE_TOUCH_DATA_H

#include "algebra/spatial.h"
#include "contact/points.h"
#include "network/network.h"
#include "shape/placed.h"

enum { TOUCH_ROWS = 3, TOUCH_NORMAL = 2 };

// Modes of closed places, in their slots. STI_BLOCK_STICK and STI_BLOCK_SLIDE for readers.
enum {
    TOUCH_STICK = STI_BLOCK_STICK,
    TOUCH_SLIP = STI_BLOCK_SLIDE,
    TOUCH_DEPART = STI_BLOCK_SLIDE + 1
};

// At the poses and velocities of an evaluation.
typedef struct Touch {
    StiTouch touch;
    StiVec3 arm[2];
    StiVec3 rows[TOUCH_ROWS]; // tangents, normal
    double surface[2]; // m/s along the tangents: how surfaces run over their bodies, a's less b's
    double v[TOUCH_ROWS];     // m/s, a relative to b, with the surfaces
    double drift[TOUCH_ROWS]; // of v, while the bodies keep their velocities
    double rate[TOUCH_ROWS];  // m/s^2
    StiVec3 force;            // N on side a
} Touch;

// An unknown force.
typedef struct TouchRow {
    int reaction; // -1: of a place
    int place;
    int axis;
    int row; // among all rows
    // Forces along the rows from `first` on per unit of it: a normal may drag friction along.
    int first, count;
    double part[TOUCH_ROWS];
} TouchRow;

typedef struct TouchData {
    ContactPlace *places; // the network's, with those that come and go filled in
    int count;
    Touch *touches;
    // m, at most 0: gaps of open places that were below it when the substep began, and were coming apart. They close
    // where they would sink deeper.
    double *sunk;
    StiPlaced
        *floors; // planes fixed in the world that a place is a sphere or a corner on; else no shape
    double least; // m/s: slower slip has no direction of its own
    bool goes_on; // within a substep slip does not turn back: it would end, or begin anew, there
    // Positions at which the touches lie; rows and W are those of the same, as long as the same take part.
    double *lain;
    bool lies, built, built_asking;
    bool noted; // who is closed and who sticks is known: modes do not change within a substep
    bool closed_only, lies_closed_only; // stages of a substep need no gaps of open places
    bool shaped;  // who takes part, which rows push whom: as before, wherever the touches lie
    bool weighed; // W without robots is that of the rows at hand
    bool direct;  // rows push bodies of one link only: forces that hold need no W, ...
    bool lazy;    // ... and W is not there yet
    bool asking;  // all that sticks is a node
    bool *built_part, *built_held;
    const ContactSlot **slot; // memory of each place under the modes at hand; NULL: open
    // Which are nodes, and where their rows begin; -1: no node.
    bool *takes_part, *held;
    int *row_of, *row_of_reaction;
    double *free; // accelerations without them, laid out like generalized
    // rows that must not move
    TouchRow *rows;
    int row_room;
    double *W;      // of all rows
    bool redundant; // the forces of the last evaluation are not unique
    bool at_ease;   // and others than the smallest were needed to stay within the limits, and found
    double *answer; // forces of the last question, by row; from where the next one starts
    bool answered;  // they are of the rows at hand
    double *A, *factor, *rate, *z, *left, *before;
    bool A_known;    // A is that of the rows at hand, none of which rubs
    bool A_direct;   // it was written without W
    bool symmetric;  // nothing rubs
    bool irregular;  // rows of A depend on each other
    double factored; // part of the weights in the factor at hand; NAN: there is no factor of this A
    double *weight;  // of z, where it is not unique
    int *pivots;
} TouchData;

#endif
