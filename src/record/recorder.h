// Private: what a recorder knows of the present row.
#ifndef STICTION_SRC_RECORD_RECORDER_H
#define STICTION_SRC_RECORD_RECORDER_H

#include "network/channels.h"
#include "contact/points.h"
#include "cut/account.h"

// The energy ledger. Everything is a sum since the beginning, J.
typedef struct Ledger {
    double *absorbed_by_impedance; // T b u.v over wires
    double *absorbed_by_reaction;  // T r.v with the mean velocity of the step
    double *absorbed_by_contact;   // T f.v, see follow_point
    double *stored_in_impedance, *stored_in_impedance_start;
    double *stored_in_contact, *stored_in_contact_start; // by bristles
    double work_of_motions; // by motion sources
    double work_on_bodies;  // through the wires, counted at the bodies
    double stored_in_bodies, stored_in_bodies_start;
} Ledger;

// Is energy made that no input gave? All J.
typedef struct Runaway {
    double given;           // in motion and springs at the start, and by inputs either way
    double work;            // of the inputs, up to the row before
    double highest, lowest; // of the potential energy
    double moving_most;     // of motion and springs
    int rows;               // one after the other in which it is
    StiFault fault;         // STI_OK: no
    StiFault suspect;       // the same for what the bodies gained by the method alone
} Runaway;

// What it sees at a row, J.
typedef struct RunawaySight {
    double made;        // that no input gave
    double moving, all; // in motion and springs; and all that ever was there to move
    double moving_most;
    double numerical; // gained by the bodies through the method alone
} RunawaySight;

struct StiRecorder {
    StiArena arena;
    const StiNetwork *network;
    StiState *trial;     // for the forces of row 0
    double *start;       // its numbers, in continuous time
    StageData row;       // the motion at t_k; u: the forces of the step that ended there
    double *resistances; // rows of all reactions
    ContactReading *readings;
    double *s;
    double *values;    // of one component's observe
    double *workspace; // for the bodies' energies
    StageData
        ends[2]; // the step's start and end, at the pose of its start, each with its part of the
                 // forces (follow_ends)
    double *ports_before; // signals of the row before
    Ledger ledger;
    Account account; // of a step that was cut
    Runaway runaway;
    StiIntegratorFigures integrator;
};

// Adds one step to the ledger; the row must be up to date.
void sti_ledger_follow(StiRecorder *recorder, const StiScratch *scratch);
// After the loads have been read: what drivers inside bodies gave, in steps of one evaluation.
void sti_ledger_follow_drivers(StiRecorder *recorder, const StiScratch *scratch);
// After weighing: at the start, and at the row of step k (runaway.c).
void sti_runaway_begin(StiRecorder *recorder);
void sti_runaway_look(StiRecorder *recorder, int64_t k);
// Would a look with this sight change more than its sums?
bool sti_runaway_minds(const Runaway *watch, const RunawaySight *sight);
// Of one impedance or reaction, by the network's own index.
double sti_recorder_dissipated_at(const StiRecorder *recorder, StiRole role, int index);
// Energy stored at the present row; start: also as the reference.
void sti_ledger_weigh(StiRecorder *recorder, bool start);

#endif
