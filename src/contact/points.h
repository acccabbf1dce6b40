// Private: where the contacts of a network touch in a step, and what the elements remember of it.
#ifndef STICTION_SRC_CONTACT_POINTS_H
#define STICTION_SRC_CONTACT_POINTS_H

#include "cone/block.h"
#include "network/contacts.h"
#include "network/wires.h"
#include "shape/gap.h"

// One point where two shapes touch or may touch before the step ends. Side 0 is a, side 1 is b.
typedef struct ContactPoint {
    int contact;       // element
    int shape[2];      // within the element
    int admittance[2]; // -1: the world
    int frame[2];      // link among those of all bodies; -1: the world
    StiTouch touch;
    StiVec3 arm[2]; // from the links' origins to the point where both forces act
    StiVec3 tangent[2];
    double across;               // mu along the second tangent over that along the first
    StiVec3 place[2], normal[2]; // where it touches and the normal there, in the links' axes
    StiVec3 surface;      // m/s along the surface: how a's runs over its body, less how b's does
    StiVec3 surface_spin; // rad/s, the same of rotation
    bool seen;            // place and normal are known; only what sticks needs them
    double open;          // m: how far it may still move before it closes
    // Faces along which the shapes are or may be apart at the end of the step, if there are several: then
    // the point does not touch as long as one of them is.
    int way_count;
    StiStart ways[STI_WAYS_OUT];
    bool aside;         // it is not asked to hold, unless it turns out that it has to
    int slot;           // of the element's memory; -1: there was none left
    bool sticks;        // it stuck at the step's start, or is new
    bool carried;       // it was closed in the last step
    bool arrested;      // or its slip would have changed its sign in the step
    StiVec3 slipped;    // m: what sticking has let pass so far, along the surface
    bool elastic;       // it has a bristle,
    StiVec3 bent;       // m: which is bent so far at the step's start ...
    StiVec3 bent_after; // ... and at its end; the solver fills it in
    // Filled by the solver.
    bool bounces;   // it strikes in this step, and departs:
    double strikes; // after this share of the step
    double gains;   // m/s: what all but contacts would add to its normal velocity in the whole step
    double lags;    // m/s: what its velocity is behind its position, by half a step (symplectic Euler)
    StiBlockMode mode;
    StiVec3 force;    // N on side a
    StiVec3 moment;   // N m on side a: resistance to rolling and spinning
    StiVec3 velocity; // m/s of surface a relative to surface b at the end of the step
    StiVec3 spin;     // rad/s, the same of rotation; only of points with such resistance
} ContactPoint;

// What an element shows: see contact.h.
typedef struct ContactReading {
    double fn, ft, depth, stick, v[3], points, impulse;
    double place[3], force[3]; // centre of pressure; on side a; world axes
} ContactReading;

// A shape in the world at the start of a step.
typedef struct ContactPose {
    StiPlaced placed;
    const StiFrame *link;
    struct {
        StiVec3 p;
        StiQuat q;
    } at;           // of the link, when the shape was placed
    bool moved;     // since the last step
    double turning; // m/s: how fast the rotation of its link moves any part of it at most
} ContactPose;

// Points of a listed pair in the last step. They still stand where they were if the shapes have not
// moved and the same margin is asked for.
typedef struct ContactFind {
    double margin; // below 0: nothing is known
    int first, count;
} ContactFind;

// The tangents that belong to a normal.
typedef struct ContactDirections {
    StiVec3 normal, tangent[2];
} ContactDirections;

typedef struct ContactData {
    ContactPoint *points; // in the order of their elements
    int point_count;
    int aside_count;               // of the points
    int lost;                      // points that found no room: the capacity was too small
    double *impulses;              // N s, one per element: see contact.h
    ContactDirections *directions; // one per element: the last ones
    double gravity;                // m/s^2
    ContactPose *poses; // of all shapes; those fixed in the world stand there from the start
    StiBounds *bounds;  // of all shapes
    ContactFind *finds; // of all listed pairs
    int *order;         // memory of the sweeps, 2 per shape
    int *table;         // of the slots of one element, by what they remember
    unsigned table_size;
    StiPair *pairs;
    int pair_room;
} ContactData;

ContactData *sti_contacts_take(StiArena *arena, const StiNetwork *network);

// All points at the poses and velocities of a stage, with their memory in s (slots are given to new
// points there).
void sti_contacts_detect(const StiNetwork *network, const StageData *now, double T, double *s,
                         ContactData *data);

// Memory from what the solver filled in. s: as sti_contacts_detect left it.
void sti_contacts_settle(const StiNetwork *network, double T, ContactData *data, double *s);

// m/s: mean normal velocity of an impact, at its moment, less the mean of the step's ends.
static inline double sti_contact_strike_mean(const ContactPoint *point)
{
    return point->bounces ? point->gains * (point->strikes - 0.5) + point->lags : 0.0;
}

// Adds the forces of the points to uhat.
void sti_contacts_push(const ContactData *data, StiWrench *wrenches);

// ---- surface.c: surfaces that run over their bodies
// Velocity of surface a over its body less that of b, along the surface, and of rotation, into the point.
void sti_surfaces_run(const Contact *contact, const ContactPose *const poses[2],
                      ContactPoint *point);
// Velocity over its body of a surface at `arm` from the link's origin, along the surface or not, and of rotation;
// world axes.
StiTwist sti_surface_run(const StiShape *shape, const StiFrame *link, StiVec3 arm);
// The way of a touch over a surface in a step, from one place to another (link axes), with the attitude that the
// surface has in the middle of it.
StiVec3 sti_surface_way(const StiShape *shape, StiVec3 from, StiVec3 to, double T);

// Two unit vectors along the surface, at right angles to each other and to n.
void sti_contact_tangents(StiVec3 n, StiVec3 *tangent);

// d/dt of the relative velocity (a less b, at the middle of the touch) along its two tangents and its
// normal while generalized velocities stay: drift[3], m/s^2. bias: accelerations (w: angular, v: of
// the origin) that the links then have; 0 for rigid bodies that count their velocity at the origin.
void sti_contact_drift(const StiTouch *touch, const StiTouchMotion *motion,
                       const StiFrame *const links[2], const StiTwist bias[2], double *drift);

// What a surface that runs over its body adds to the first two of drift[3]; sense: -1 of side b.
void sti_contact_drift_of_surface(const StiShape *shape, const StiFrame *link,
                                  const StiTouch *touch, const StiTouchMotion *motion, double sense,
                                  double *drift);

// Episodes in s, from what the points hold.
void sti_contacts_count(const StiNetwork *network, double T, ContactData *data, double *s);

// Slip that changes its sign within a step comes to rest in between: it sticks first, under mu_static, if it
// slid at the start. True: there is such a point, and the step has another answer.
bool sti_contacts_arrest_reversals(const StiNetwork *network, ContactData *data);

// One reading per element, from what the points hold.
void sti_contacts_read(const StiNetwork *network, const ContactData *data,
                       ContactReading *readings);

// J that the bristles of an element hold.
double sti_contact_stored(const Contact *contact, const double *s);

// The rotation of a link, turned back by half a step.
typedef struct HalfTurn {
    const StiFrame *link;
    StiQuat back;
} HalfTurn;

// What one element remembers, while its points are recalled one after the other.
typedef struct ContactRecall {
    const Contact *contact;
    ContactSlot *slots;
    int capacity;
    int next;     // slot where the next point is looked for first: their order rarely changes
    int spare;    // all slots before it are taken
    int *table;   // slots by what they remember, once
    bool entered; // some point was not at `next`
    unsigned table_size;
    double T;                  // s
    HalfTurn half[2];          // of the links that sides 0 and 1 last were on
    const ContactPoint *first; // of all points
} ContactRecall;

// Memory of one point at the beginning of a step. poses: of its shapes.
void sti_contact_recall(ContactRecall *recall, const ContactPose *const poses[2],
                        ContactPoint *point);

#endif
