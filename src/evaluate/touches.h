// Private: hard contacts in continuous time. Every place where two shapes may touch is a point with
// a gap; a point is open, or closed and then sticks, slips or departs (stage.h), until an event.
// Closed points have memory in s (slots, network/contacts.h), open ones have none.
//
// Forces are those on side a; rows of a point: two tangents, then the normal (from b to a).
#ifndef STICTION_SRC_EVALUATE_TOUCHES_H
#define STICTION_SRC_EVALUATE_TOUCHES_H

#include "evaluate/touch_data.h"
#include "rows/rows.h"
#include "scratch/scratch.h"

TouchData *sti_touches_take(StiArena *arena, const StiNetwork *network);

// Memory of a closed place, NULL if it is open. sti_touch_close finds it room (NULL: none left).
const ContactSlot *sti_touch_memory(const StiNetwork *network, const ContactPlace *place,
                                    const double *s);
ContactSlot *sti_touch_slot(const StiNetwork *network, const ContactPlace *place, double *s);
ContactSlot *sti_touch_close(const StiNetwork *network, const ContactPlace *place, double *s);

bool sti_touches_slip(const StiNetwork *network, const double *s); // does a closed place slip?
// Is a place closed or stuck in one and not in the other? (Departures slip.)
bool sti_touches_differ(const StiNetwork *network, const double *before, const double *s);

// ---- touches.c: geometry and motion
// Gaps, rows and velocities at the poses of now.
void sti_touches_place(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// Were they placed last at these positions, robots too?
bool sti_touches_lie_at(const StiNetwork *network, const TouchData *data, const double *x);
// Velocities (or rates) of one place when links move with frames.
void sti_touch_velocity(const ContactPlace *place, const Touch *touch, const StiFrame *frames,
                        double *v);
// Coefficients of a place at the slip at hand: those of its law, its materials or the contact itself.
typedef struct TouchRub {
    double mu, mu_static;
} TouchRub;
TouchRub sti_touch_rub(const StiNetwork *network, const TouchData *data, int i);
// Power that each contact takes up, W.
void sti_touches_powers(const StiNetwork *network, const TouchData *data, double *powers);
void sti_touches_clear(TouchData *data); // no forces
void sti_touches_push(const TouchData *data, StiWrench *wrenches);

// ---- touch_rows.c: rows of places and of reactions that hold, and W; robots are placed
StiStatus sti_touches_build(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            const bool *takes_part, const bool *held);
// Jdot v of one place, into its drift.
void sti_touches_drift(const StiNetwork *network, StiScratch *scratch, const StageData *now, int i);
// c and the rest of W: accelerations without the rows' forces (those of all bodies but robots are in
// xdot, robots are loaded); velocities; or neither.
StiStatus sti_touches_accelerate(const StiNetwork *network, StiScratch *scratch,
                                 const StageData *now);
StiStatus sti_touches_move(const StiNetwork *network, StiScratch *scratch, const StageData *now);
StiStatus sti_touches_still(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// Accelerations or velocities, where x has them, with the forces of the rows.
void sti_touches_apply(const StiNetwork *network, StiScratch *scratch, double *x);

// W and the sizes of c where they were left out, because the forces that hold did not need them.
void sti_touches_complete(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// What a row of a place moves by, per unit of its force.
double sti_touches_mobility(const StiNetwork *network, const StiScratch *scratch, int row);

// ---- touch_matrix.c
// Direction of slip, a over b.
StiVec3 sti_touch_slip(const TouchData *data, int place, const ContactSlot *slot);
// Rows of held reactions, normals of closed places, tangents of those that stick; rubs: normals of those
// that slip drag friction along. Returns how many.
int sti_touches_choose_unknowns(const StiNetwork *network, TouchData *data, bool rubs);
int sti_touches_choose_normals(TouchData *data);
// A of the unknowns, renewed where that of the last evaluation has become another; f of all rows from them.
void sti_touches_write_matrix(const StiNetwork *network, StiScratch *scratch, int count);
void sti_touches_renew_matrix(const StiNetwork *network, StiScratch *scratch, int count);
void sti_touches_take_f(RowSet *set, const TouchData *data, int count);

// ---- touch_forces.c
// Who is closed, who sticks: for all evaluations under these modes.
void sti_touches_note_holders(const StiNetwork *network, const double *s, StiScratch *scratch);
// Rates of the places that are closed or near, at the accelerations of now, evaluated last.
void sti_touches_rates(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// Rows, W and c of the places that take part and of what is held, at the accelerations without them.
StiStatus sti_touches_accelerations(const StiNetwork *network, StiScratch *scratch, StageData *now);
// Accelerations with the forces of closed places and the resistances of what sticks, which keep both
// as they are.
StiStatus sti_touches_forces(const StiNetwork *network, const double *s, StiScratch *scratch,
                             StageData *now);
// ---- touch_return.c
// Velocities of closed normals, sticking tangents and stuck reactions to zero. x in and out.
StiStatus sti_touches_hold(const StiNetwork *network, const double *s, StiScratch *scratch,
                           const StageData *now, double *x);
// At the end of a substep: closed places back to no gap, and the same as above.
StiStatus sti_touches_return(const StiNetwork *network, const double *s, StiScratch *scratch,
                             const StageData *last, double *x);
// ---- touch_solve.c
// rate + A z = 0 over the first count rows; *unique: there is one z, else it is near the smallest. False: there is none.
bool sti_touches_solve(TouchData *data, int count, bool *unique);
// After that, where z is not unique: joints and contacts that hold the same freedom take equal shares of their limits, and so
// reach them together; else each would be let go by itself, while the others hold it.
bool sti_touches_share(const StiNetwork *network, TouchData *data, const StageData *now, int count);

// ---- touch_cones.c
// Limits of the nodes at hand under the modes s, and directions of those that slide. forced: reactions that
// are let go, or NULL.
void sti_touches_set_cones(const StiNetwork *network, const double *s, const bool *forced,
                           StiScratch *scratch, const StageData *now);
// Departures slide along their directions, as in the evaluation; moving: only those that are on their way.
void sti_touches_let_departures_slide(const StiNetwork *network, const double *s,
                                      StiScratch *scratch, const StageData *now, bool moving);
StiStatus sti_touches_solve_cones(const StiNetwork *network, StiScratch *scratch,
                                  const StageData *now);
// Can all go on as s says? Then f are forces within the limits.
bool sti_touches_hold_on(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now);

// ---- least_speeds.c
// Below it the speed of a place is not known to be any.
double sti_touch_least_speed(const StiScratch *scratch, const StageData *now, int i);
// Too fast to be at rest in a moment, whichever way.
bool sti_touch_slides_on(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                         int i);
double sti_touch_nearness(const Touch *touch); // m: a gap that is as good as none
bool sti_touch_is_near(const Touch *touch);    // closed, or as good as

// What the contacts show: see contact.h. T: s since the last look.
void sti_touches_read(const StiNetwork *network, StiScratch *scratch, double T, double *s);

#endif
