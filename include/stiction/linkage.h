// Planar linkages: rigid bodies in absolute coordinates, joined by pairs, with closed loops of any
// kind. Pure functions of (linkage, q, v, ...) with a caller's workspace; no network is needed.
// q = (x, y, angle) of the centre of mass of each body, v = its rate: 3 numbers per body.  [dahl]
#ifndef STICTION_LINKAGE_H
#define STICTION_LINKAGE_H

#include "admittance.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiVec2 {
    double x, y;
} StiVec2;

typedef struct StiPlanarBody {
    const char *name;
    double mass;      // kg
    double inertia;   // about the centre of mass, kg m^2
    StiVec2 position; // of the centre of mass at the start, m: a guess, see sti_linkage_create
    double angle;     // rad
    StiVec2 velocity; // m/s
    double rate;      // rad/s
} StiPlanarBody;

// What a pair leaves free is its coordinate: friction, springs and drivers act along it.
typedef enum StiPlanarPairType {
    STI_PAIR_REVOLUTE,  // points of both stay together; coordinate: angle of body against other
    STI_PAIR_PRISMATIC, // the point of body stays on a line of other, no turning; along the line
    STI_PAIR_FIXED,     // points stay together, no turning; none
    STI_PAIR_SLOT,      // the point of body stays on a line of other; along the line
    STI_PAIR_DISC,      // a disc of body touches a line of other; slip at the contact
    STI_PAIR_ROLLING,   // the same without slip; none
    STI_PAIR_ROD,       // points stay at a distance: a rod without mass; none
    STI_PAIR_GEAR,      // angle of body plus ratio times angle of other stays; none
    STI_PAIR_TYPES
} StiPlanarPairType;

typedef struct StiPlanarPair {
    const char *name;
    StiPlanarPairType type;
    int body;         // index
    int other;        // index, or -1 for the ground
    StiVec2 at;       // point of body (pin, slider, centre of the disc), from its centre of mass
    StiVec2 at_other; // point of other (pin, origin of the line); on the ground: world axes
    double direction; // of the line, in axes of other, rad
    double radius;    // of the pin (where it rubs) or of the disc, m
    double front;     // prismatic: the slider's corners are at +front ...
    double rear;      // ... and -rear along the line from its point, m
    double length;    // rod: m
    double ratio;     // gear: radius of other / radius of body where they turn against each other
    bool torque_only; // revolute: only the friction torque acts, N = R ("Haug")
} StiPlanarPair;

// A coordinate of a pair as a function of time (rheonomic).
typedef struct StiDriver {
    const char *name;
    int pair;
    double value, rate; // at the start: rad or m, and per s
} StiDriver;
// What drivers prescribe at some time: one per driver.
typedef struct StiDriven {
    double value, rate, acceleration;
} StiDriven;

typedef enum StiDrift {
    STI_DRIFT_PROJECTION, // q and v return to the constraints after each step
    STI_DRIFT_BAUMGARTE,  // the errors decay like a damped oscillator
    STI_DRIFT_NONE        // as in [dahl]
} StiDrift;

typedef enum StiMultiplierForm {
    STI_FORM_CHOLESKY,      // (27)-(32); block-sparse
    STI_FORM_UDWADIA_KALABA // (33); dense, for comparison
} StiMultiplierForm;

typedef struct StiLinkageDesign {
    const StiPlanarBody *bodies;
    int body_count;
    const StiPlanarPair *pairs;
    int pair_count;
    const StiDriver *drivers;
    int driver_count;
    StiDrift drift;
    double baumgarte_rate; // 1/s; 0: 1/(5 step) is what the scene takes
    StiMultiplierForm form;
} StiLinkageDesign;

typedef struct StiLinkage StiLinkage; // validated, assembled, immutable, shared

// Assembles by Newton's method from the guess in the design; velocities are made consistent. NULL
// after errors in the report: names, masses, and the constraint that fails and by how much.
// Redundant constraints are kept and noted: motion is unique, their share of the load is not.
STI_API StiLinkage *sti_linkage_create(const StiLinkageDesign *design, StiReport *report);
STI_API void sti_linkage_destroy(StiLinkage *linkage);
STI_API int sti_linkage_velocities(const StiLinkage *linkage); // 3 per body
STI_API int sti_linkage_bodies(const StiLinkage *linkage);
STI_API int sti_linkage_pairs(const StiLinkage *linkage);
STI_API int sti_linkage_drivers(const StiLinkage *linkage);
STI_API const StiPlanarPair *sti_linkage_pair(const StiLinkage *linkage, int pair);
STI_API const StiPlanarBody *sti_linkage_body(const StiLinkage *linkage, int body); // as assembled
STI_API int sti_linkage_find_pair(const StiLinkage *linkage, const char *name);     // -1: none
STI_API int sti_linkage_find_body(const StiLinkage *linkage, const char *name);     // -1: none
STI_API int sti_linkage_find_driver(const StiLinkage *linkage, const char *name);   // -1: none
STI_API int sti_linkage_freedoms(const StiLinkage *linkage);                        // at the start
STI_API void sti_linkage_start(const StiLinkage *linkage, double *q, double *v);
STI_API int sti_linkage_workspace(const StiLinkage *linkage); // doubles for the functions below

// Forces on a linkage. NULL members: none.
typedef struct StiLinkageForce {
    const double *bodies;   // 3 per body: N, N, N m about the centre of mass, world axes
    const double *pairs;    // along the coordinate of each pair, on body: N or N m
    const double *friction; // the same at the surface (N at the pin's radius): enters the loads
    StiVec3 gravity;        // m/s^2
} StiLinkageForce;

// What a pair carries. Forces act on body.
typedef struct StiPairLoad {
    double normal;   // what friction listens to: sqrt(R^2 - F^2) of a pin, |N1| + |N2| of a slider
    double reaction; // size of the constraint force, N (gear: N m)
    StiVec2 force;   // the constraint force, world axes, N
    double moment;   // constraint moment about the pair's point, N m
    double N1, N2;   // prismatic: forces on the corners at front and rear, N
    int mode;        // prismatic: contact mode 1 ... 5                       [dahl] (20)-(23)
    double power;    // that the pair hands to body, W
    double loss;     // that friction takes in the pair, W; below 0 friction would drive
} StiPairLoad;

// Accelerations and loads. held: pairs whose coordinate is locked (NULL: none), (25)(26); hold: the
// force along the coordinate of each held pair, on body (natural unit). loads, hold, efforts (of the
// drivers, on body) may be NULL. driven may be NULL where there are no drivers.
STI_API StiStatus sti_linkage_forward(const StiLinkage *linkage, const double *q, const double *v,
                                      const StiDriven *driven, const StiLinkageForce *force,
                                      const bool *held, double *vdot, StiPairLoad *loads,
                                      double *hold, double *efforts, double *workspace);
// How many constraint rows were found dependent in the last call with this workspace, and the pair
// or driver of each: names[i] for i < most.
STI_API int sti_linkage_dependent(const StiLinkage *linkage, const double *workspace,
                                  const char **names, int most);

// Largest errors of the constraints: of q (m or rad) and of v.
typedef struct StiLinkageError {
    double position, velocity;
    const char *name; // of the pair or driver with the largest position error
} StiLinkageError;
// q in m and rad, v in m/s and rad/s, 3 per body; driven: NULL without drivers.
STI_API StiLinkageError sti_linkage_error(const StiLinkage *linkage, const double *q,
                                          const double *v, const StiDriven *driven,
                                          double *workspace);
// Puts q, then v back on the constraints, in the metric of the masses. held: pairs whose coordinate
// has the value it has at q_held and whose rate is 0 (NULL: none).
STI_API StiStatus sti_linkage_project(const StiLinkage *linkage, const StiDriven *driven,
                                      const bool *held, const double *q_held, double *q, double *v,
                                      double *workspace);

// The same for v alone, at q as it is.
STI_API void sti_linkage_project_velocities(const StiLinkage *linkage, const double *q,
                                            const StiDriven *driven, double *v, double *workspace);

// Coordinates of the pairs (rad or m), and their rates.
STI_API void sti_linkage_coordinates(const StiLinkage *linkage, const double *q, const double *v,
                                     double *coordinate, double *rate, double *workspace);
STI_API double sti_linkage_energy(const StiLinkage *linkage, StiVec3 gravity, const double *q,
                                  const double *v);
// dv = H^-1 times a force, constraint forces included; locked: velocities that stay zero, added: on
// the diagonal of the mass matrix (NULL: none).
STI_API int sti_linkage_prepared(const StiLinkage *linkage); // doubles
STI_API StiStatus sti_linkage_prepare(const StiLinkage *linkage, const double *q,
                                      const bool *locked, const double *added, double *prepared);
STI_API void sti_linkage_respond(const StiLinkage *linkage, const double *prepared,
                                 const StiLinkageForce *force, double *dv, double *workspace);

// Coulomb friction at a state of sliding, every pair with its own coefficient.
typedef enum StiCoulombOutcome {
    STI_COULOMB_ONE, // the fixed point on the multipliers converged, or Newton's method found the only solution
    STI_COULOMB_SEVERAL, // more than one: Painleve
    STI_COULOMB_NONE,    // none: Painleve
    STI_COULOMB_UNKNOWN  // not converged, and too many pairs rub to look at all cases
} StiCoulombOutcome;

typedef struct StiCoulombAnswer {
    StiCoulombOutcome outcome;
    int solutions;      // found; those with the smallest loads come first
    int iterations;     // of the fixed point
    bool settled;       // the fixed point converged
    double contraction; // ratio of its last two changes
    int pair;           // with the largest change in the last iteration
} StiCoulombAnswer;
// mu: one per pair, 0: no friction; below 0: it points along the motion. friction: as in StiLinkageForce, one per pair for each solution
// (room for most of them). Pairs with a rate of zero carry no friction here. force->friction acts beside:
// what does not follow the loads.
STI_API StiStatus sti_linkage_coulomb(const StiLinkage *linkage, const double *q, const double *v,
                                      const StiDriven *driven, const StiLinkageForce *force,
                                      const double *mu, int most, double *friction,
                                      StiCoulombAnswer *answer, double *workspace);

// Two corner forces from the normal force N0 and the moment M0 about the slider's point: N_front at
// +front, N_rear at -rear, both along the normal.                      [dahl] (20)-(23), Fig. 10
typedef struct StiSliderContact {
    int mode; // 1, 2: one face (N0 > 0, N0 < 0); 3, 4: two opposite corners; 5: no contact, excluded
    double N_front, N_rear;
    double e; // line of action of the resultant; modes 1 and 2
} StiSliderContact;
// N0 in N, M0 in N m, front and rear in m, both above 0.
STI_API StiSliderContact sti_slider_contact(double N0, double M0, double front, double rear);

// A linkage as a body of a network. Links: first the bodies, then per pair its coordinate (link
// sti_linkage_pair_link) and the same at the pin's radius (sti_linkage_surface_link), each along x
// of a frame of its own, for sti_wire_point with one axis. Signals: value, rate and acceleration of
// each driver. Plans and networks assemble linkages of their own from this one's numbers, which are
// parameters of the plan: "engine.crank.mass", "engine.crank.inertia", "engine.crank.position[0]" (a
// guess), "engine.crank_pin.at[0]", "engine.crank_pin.at_other[0]" (on the ground: "anchor[0]"),
// "engine.crank_pin.radius", "engine.guide.direction", "engine.guide.front", "engine.bar.length".
typedef struct StiLinkageBody {
    const StiLinkage *linkage;
} StiLinkageBody;
// For sti_plan_add_admittance; the links that stand for the coordinate of a pair, and for the same at
// the radius of its pin.
STI_API extern const StiAdmittanceKind sti_kind_linkage;
STI_API StiLinkageBody sti_default_linkage_body(void); // no linkage yet; as it is assembled
STI_API int sti_linkage_pair_link(const StiLinkage *linkage, int pair);
STI_API int sti_linkage_surface_link(const StiLinkage *linkage, int pair);
// Number of the load that friction in this pair listens to.
STI_API int sti_linkage_pair_load(const StiLinkage *linkage, int pair);

#ifdef __cplusplus
}
#endif
#endif
