// Private: memory of contacts in continuous time (step/touches.h says what they are).
#ifndef STICTION_SRC_STEP_TOUCH_DATA_H
#define STICTION_SRC_STEP_TOUCH_DATA_H

#include "algebra/spatial.h"
#include "contact/points.h"
#include "step/sequence.h"

enum { TOUCH_ROWS = 3, TOUCH_NORMAL = 2 };

// Modes of closed places, in their slots. STI_BLOCK_STICK and STI_BLOCK_SLIDE for who reads them.
enum {
    TOUCH_STICK = STI_BLOCK_STICK,
    TOUCH_SLIP = STI_BLOCK_SLIDE,
    TOUCH_DEPART = STI_BLOCK_SLIDE + 1
};

// Fixed for a network.
typedef struct TouchPlace {
    int contact;
    int shape[2];
    uint32_t feature;            // corner of a box on a plane; else 0
    StiShape shapes[2];          // a corner is a point
    int admittance[2], frame[2]; // -1: the world
} TouchPlace;

// At the poses and velocities of an evaluation.
typedef struct Touch {
    StiTouch touch;
    StiVec3 arm[2];
    StiVec3 rows[TOUCH_ROWS]; // tangents, normal
    double v[TOUCH_ROWS];     // m/s, a relative to b
    double drift[TOUCH_ROWS]; // of v, while the bodies keep their velocities
    double rate[TOUCH_ROWS];  // m/s^2
    StiVec3 force;            // N on side a
} Touch;

typedef struct TouchRow {
    int reaction; // -1: of a place
    int place;
    int axis;
} TouchRow;

typedef struct TouchData {
    TouchPlace *places;
    int count;
    Touch *touches;
    // rows that must not move
    TouchRow *rows;
    int row_room;
    double *A, *factor, *rate, *z, *left;
    double *weight; // of z, where it is not unique
    int *pivots;
    // impacts
    bool struck;   // there was one at the last event
    bool *met;     // open places whose gap has just closed
    bool *strikes; // places that take part
    bool *dead;    // places that do not bounce any more
    int node_count;
    StiBlockNode *nodes;
    StiBlockMode *modes;
    StiBlockScratch block_scratch;
    Sequence sequence;           // room only where a contact asks for it
    double *bounce;              // per row
    double *x_before, *s_before; // to try again
    double *work;                // of each contact in the last impact, J
    double *lost, *gained;       // J by impacts since the last row: of each contact, of each body
} TouchData;

#endif
