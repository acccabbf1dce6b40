// Private: contacts at an event: which places open, close, stick or slip, and what an impact does.
#ifndef STICTION_SRC_EVENTS_TOUCH_EVENTS_H
#define STICTION_SRC_EVENTS_TOUCH_EVENTS_H

#include "contact/impact_sequence.h"
#include "evaluate/touches.h"

// What happens to places at an event.
typedef struct ImpactData {
    bool *let_go;                // places that have just come to carry nothing
    double *asked;               // modes before a question
    bool struck;                 // there was one at the last event
    bool *met;                   // open places whose gap has just closed
    bool *strikes;               // places that take part
    bool *dead;                  // places that do not bounce any more
    Sequence sequence;           // room only where a contact asks for it
    double *bounce;              // per row
    double *x_before, *s_before; // to try again
    double *work;                // of each contact in the last impact, J
    double *lost, *gained;       // J by impacts since the last row: of each contact, of each body
} ImpactData;
ImpactData *sti_impacts_take(StiArena *arena, const StiNetwork *network);

// ---- touch_modes.c
void sti_touch_open_place(const StiNetwork *network, const ContactPlace *place, double *s);
StiStatus sti_touch_close_place(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int i, double *s);
// Two margins for each place at the moment that was evaluated last: of open or closed, and of stick or slip.
void sti_touches_margins(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                         StiMargin *margins);
// Modes that are over (two flags for each place); open places that met something strike, below.
StiStatus sti_touches_end(const StiNetwork *network, const bool *ended, double *s,
                          StiScratch *scratch, const StageData *now);
// Modes from positions and velocities alone.
StiStatus sti_touches_adopt(const StiNetwork *network, double *s, StiScratch *scratch,
                            const StageData *now);
// ---- question.c
// Directions of departures, at the moment that was evaluated last: each place goes, a time of at most h
// later, where its slip then points.
void sti_touches_guide(const StiNetwork *network, double *s, StiScratch *scratch,
                       const StageData *now, double h);
// sti_modes_at_rest with contacts: who stays closed, sticks, slips. Departures of the last event are
// let go.
StiStatus sti_touches_at_rest(const StiNetwork *network, const double *inputs, const bool *forced,
                              double *s, StiScratch *scratch, StageData *now);
// ---- impacts.c
// Impact of what meets: Newton's restitution, Coulomb's friction, all places that touch together.
// now->x gets the new velocities.
StiStatus sti_touches_strike(const StiNetwork *network, const double *inputs, double *s,
                             StiScratch *scratch, StageData *now);

#endif
