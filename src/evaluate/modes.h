// Private: the network with its modes fixed. Between two changes of a mode the right-hand side is
// smooth: slipping rows give their level along the kept direction, stuck rows what keeps them stuck.
// METHODS 2 and 4
#ifndef STICTION_SRC_EVALUATE_MODES_H
#define STICTION_SRC_EVALUATE_MODES_H

#include "evaluate/evaluate.h"

// Velocities that stuck friction holds, inside the bodies, or rows that hold them from outside.
typedef struct Holding {
    bool *held;     // laid out like generalized
    bool *any;      // by admittance
    double *taken;  // laid out like generalized: what holding takes away
    double *memory; // of the bodies
    int outside;    // reactions that stick and are not held by a body
    // Their rows, by place among the chosen ones of the reactions.
    double *rate, *lambda; // to be taken away; by these forces
    double *left, *Wx;     // of a solve
    bool singular;         // W over them: the forces are not unique
    bool at_ease; // others than the first choice were needed to stay within the limits, and found
} Holding;
Holding *sti_holding_take(StiArena *arena, const StiNetwork *network);

// One mode of one element.
typedef struct ModePlace {
    bool reaction;
    int element; // index of the impedance or reaction
    int index;   // of the mode within the impedance
    int s;       // where it stands in the network's s
    int dim;
} ModePlace;

// All modes of a network in a fixed order: impedances, then reactions. False past the last.
bool sti_mode_at(const StiNetwork *network, int number, ModePlace *place);
// Along its one axis, or because it has just begun, slip keeps its direction.
bool sti_mode_keeps_direction(const Reaction *e, const double *s);
// A damper slips, whichever way.
static inline void sti_mode_of_damper(double *mode)
{
    mode[0] = STI_SLIP;
    if (mode[1] == 0.0) mode[1] = 1.0;
}
double sti_mode_speed_along(int dim, const double *kept, const double *v);
int sti_mode_count(const StiNetwork *network);

// Everything at one point: now holds x, y, loads and the stage's time (tau: for the elements that
// carry modes; the others see continuous time); s: the modes. Fills motion, forces (u, of reactions
// too), accelerations, rates of memory, and loads that agree with them.
StiStatus sti_modes_evaluate(const StiNetwork *network, const double *inputs, const double *s,
                             StiScratch *scratch, StageData *now);

// The same under the loads that now has, which need not agree.
StiStatus sti_modes_estimate(const StiNetwork *network, const double *inputs, const double *s,
                             StiScratch *scratch, StageData *now);

// Loads and forces do not agree under these modes, and no more is known.
bool sti_modes_unsettled(StiStatus status);
// After that: an estimate under the loads of the start of the step.
StiStatus sti_modes_estimate_again(const StiNetwork *network, const double *inputs, const double *s,
                                   StiScratch *scratch, StageData *now);

// With contacts: motion, and the forces of impedances and of slipping reactions on the bodies.
StiStatus sti_modes_push_smooth(const StiNetwork *network, const double *inputs, const double *s,
                                StiScratch *scratch, StageData *now);

// Its parts: all but the values of time functions, which now has, what bodies hold under s, which is known, and
// the rates of the wires' velocities; then these rates.
StiStatus sti_modes_slopes(const StiNetwork *network, const double *inputs, const double *s,
                           StiScratch *scratch, StageData *now);
void sti_modes_rates(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                     const StageData *now);
// With contacts: where now was evaluated once, accelerations under the resistances u of all that does not stick,
// which may be others now. placed: the last evaluation was there, too.
StiStatus sti_modes_accelerate(const StiNetwork *network, const double *inputs, const double *s,
                               StiScratch *scratch, bool placed, StageData *now);
// And their parts: drifts (of reactions only), then rates of all wires that carry modes.
void sti_modes_reaction_drifts(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                               const StageData *now);
void sti_modes_accelerations(const StiNetwork *network, StiScratch *scratch, const StageData *now);
// Which velocities stuck reactions hold inside their bodies, into scratch->holding->
void sti_modes_hold_coordinates(const StiNetwork *network, const double *s, StiScratch *scratch);

// Margins of all modes where sti_modes_evaluate was (tau = 0). Of stuck reactions the rate is not
// known.
void sti_modes_margins(const StiNetwork *network, const double *s, StiScratch *scratch,
                       const StageData *now, StiMargin *margins);

// Modes of the reactions whose rows are at rest, at the level of accelerations: all stick; while one
// needs more than its limit the one furthest beyond slips along that force; one that would go the
// other way sticks again. forced (by reaction, may be NULL): reactions that slip in any case. Sets s
// and evaluates (known: now is evaluated with s already). Reactions in slip with a velocity are left
// alone.                                                                               METHODS 4
StiStatus sti_modes_at_rest(const StiNetwork *network, const double *inputs, const bool *forced,
                            bool known, double *s, StiScratch *scratch, StageData *now);
// Departures in a plane follow the force that moves them: a body at rest has no other direction.
// Directions in s, in and out, and everything evaluated with them. W must be known.
int sti_modes_departing(const StiNetwork *network, const double *s);
StiStatus sti_modes_turn(const StiNetwork *network, const double *inputs, double *s,
                         StiScratch *scratch, StageData *now);
// Stuck reactions whose rows move slip; slipping ones keep the sign of their velocity. For states
// that come from elsewhere: new, written by hand, or from a method that keeps no modes.
void sti_modes_adopt(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     double *s);

// W of all reactions, at the positions of now; or the block of one of them with itself.
StiStatus sti_modes_inertia(const StiNetwork *network, StiScratch *scratch, const StageData *now);
StiStatus sti_modes_own_inertia(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int reaction);
// A speed as good as none: what friction gets rid of in a small part of the step. Its W must be known.
double sti_modes_no_speed(const StiNetwork *network, const StiScratch *scratch,
                          const StageData *now, int reaction);

// Below it a speed in a plane or in space has no direction that could be trusted: as exactly as the
// integrator knows the velocities of the bodies. 0 where that is not known.
double sti_modes_least_speed(const StiNetwork *network, const StiScratch *scratch,
                             const StageData *now, int reaction);

// The same for bodies as fast as that.
double sti_modes_untrusted(const StiScratch *scratch, double speed);
// Margin of a departure: it ends back at rest, and when it is fast enough.
StiMargin sti_modes_departure(double speed, double rate, double enough);
// A departure is over at this speed.
double sti_modes_enough_to_turn(const StiScratch *scratch, double least);

// Velocities of stuck rows to zero: coordinates by assignment, other rows by the smallest change in
// kinetic energy. x: positions (as in now) and velocities, in and out.
StiStatus sti_modes_hold(const StiNetwork *network, const double *s, StiScratch *scratch,
                         const StageData *now, double *x);
// The same where scratch->holding is up to date.
StiStatus sti_modes_stop_locked(const StiNetwork *network, const double *s, StiScratch *scratch,
                                const StageData *now, double *x);

// The stuck set that no body holds, at the positions of now: chooses its rows and factors W over them; how many, or -1
// after a fault. Then W lambda = rate (in scratch->holding), of the smallest norm where it is not unique.
int sti_modes_factor(const StiNetwork *network, const double *s, StiScratch *scratch,
                     const StageData *now);
void sti_modes_solve_freely(const StiNetwork *network, const StiScratch *scratch, int count);
// The same, but few rows that hold the same freedom take equal shares of their limits.
void sti_modes_solve(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     int count);
// After that, where lambda is not unique and beyond a limit: other forces that hold, within all limits, if
// there are any.
void sti_modes_ease(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                    int count);

// Rate of a wire's velocity while the bodies' velocities stay as they are: turning axes, and the
// acceleration of motion sources. count numbers.
void sti_wire_drift(const StiNetwork *network, const double *inputs, StiScratch *scratch,
                    const StageData *now, const Wire *wire, double *drift);

#endif
