// Private: where the contacts of a network touch in a step, and what the elements remember of it.
#ifndef STICTION_SRC_CONTACT_POINTS_H
#define STICTION_SRC_CONTACT_POINTS_H

#include "block/block.h"
#include "network/contacts.h"
#include "network/wires.h"

// One point where two shapes touch or may touch before the step ends. Side 0 is a, side 1 is b.
typedef struct ContactPoint {
    int contact;       // element
    int shape[2];      // within the element
    int admittance[2]; // -1: the world
    int frame[2];      // link among those of all bodies; -1: the world
    StiTouch touch;
    StiVec3 arm[2]; // from the links' origins to the point where both forces act
    StiVec3 tangent[2];
    int slot;        // of the element's memory; -1: there was none left
    bool sticks;     // it stuck at the step's start, or is new
    StiVec3 slipped; // m: what sticking has let pass so far, along the surface
    // Filled by the solver.
    StiBlockMode mode;
    StiVec3 force;    // N on side a
    StiVec3 velocity; // m/s of side a relative to side b at the end of the step
} ContactPoint;

// How far a point may still move before it closes, m. A billionth of the body's own size is none:
// where more points hold a body than are needed, the rounding of their gaps would otherwise ask for
// velocities that do not fit together.
static inline double sti_open_gap(const ContactPoint *point)
{
    const double a = sti_vec3_norm(point->arm[0]), b = sti_vec3_norm(point->arm[1]);
    const double size = point->frame[0] < 0 ? b : point->frame[1] < 0 ? a : fmin(a, b);
    const double nothing = 1e-9 * size + 1e-15 * sti_vec3_norm(point->touch.point_a);
    return point->touch.gap > nothing ? point->touch.gap : 0.0;
}

// What an element shows: see contact.h.
typedef struct ContactReading {
    double fn, ft, depth, stick, v[3], points, impulse;
} ContactReading;

typedef struct ContactData {
    ContactPoint *points;
    int point_count;
    int lost;                 // points that found no room in this step: the capacity was too small
    ContactReading *readings; // one per element
    StiBounds *bounds;        // of all shapes
    int *order;               // memory of the sweeps, 2 per shape
    StiPair *pairs;
    int pair_room;
} ContactData;

void sti_contacts_take(StiArena *arena, const StiNetwork *network, ContactData *data);

// All points at the poses and velocities of a stage, with their memory in s (slots are given to new
// points there).
void sti_contacts_detect(const StiNetwork *network, const StageData *now, double T, double *s,
                         ContactData *data);

// Memory and readings from what the solver filled in. s: as sti_contacts_detect left it.
void sti_contacts_settle(const StiNetwork *network, const StageData *now, double T,
                         ContactData *data, double *s);

// Adds the forces of the points to uhat.
void sti_contacts_push(const ContactData *data, StiWrench *wrenches);

// Memory of one point, at the beginning of a step; true if it was remembered.
void sti_contact_recall(const StiNetwork *network, const StageData *now, double T,
                        ContactPoint *point, double *s);

#endif
