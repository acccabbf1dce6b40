// Springs, dampers, forces, penalty joints and soft contact.
#ifndef STICTION_SPRING_H
#define STICTION_SPRING_H

#include "bearing.h"
#include "impedance.h"

#ifdef __cplusplus
extern "C" {
#endif

// f = K (x - rest) + B v, per axis.                                               [modular] (10)
typedef struct StiSpringDamper {
    int dim;
    double K;       // N/m
    double B;       // N s/m
    double rest[3]; // m
} StiSpringDamper;

// A force on side a (and the opposite on side b) given by dim signals, N: u = -signal.
typedef struct StiForceSource {
    int dim;
} StiForceSource;

// A force on side a (and the opposite on side b), N, or a value that others may listen to, as a function of
// signals: sti_signal_position and the like. eval is pure; data is constant and outlives the network.
typedef struct StiSignalForce {
    int dim;
    int signals;
    void (*eval)(const void *data, const double *signals, double *values);
    const void *data;
} StiSignalForce;

// Holds two frames together except for the rotation about z, for a frame wire (wire.h): a is the
// distal frame B, b the proximal frame E. Force Kp (pE - pB) + Bp (vE - vB) on B; moment
// Kr zB x zE - Br (relative angular velocity without its part along zB) on B.  EQUATIONS 3.3
typedef struct StiPenaltyJoint {
    double Kp, Bp; // N/m, N s/m
    double Kr, Br; // N m, N m s/rad
} StiPenaltyJoint;

// Soft contact of points with a plane, axes (tangent 1, tangent 2, normal): normal force K, B,
// clamped to push only; tangential elastic Coulomb with limit mu times it.      [modular] (23)
// A point that is off the plane forgets its deflection: edot = -e/tau (tau = 0: e is kept).
typedef struct StiSoftContact {
    int points;
    double K;  // N/m
    double B;  // N s/m
    double mu; // 1
} StiSoftContact;
// One point: x m, v m/s, e m (two tangents); u (N) and edot (m/s) are written.
STI_API void sti_soft_contact_point(const StiSoftContact *p, double tau, const double x[3],
                                    const double v[3], const double e[2], double u[3],
                                    double edot[2]);

// The usual values where there are such, zeros elsewhere, and one dimension: what is then set by name
// is all that has to be known.
STI_API StiSpringDamper sti_default_spring_damper(void);
STI_API StiForceSource sti_default_force_source(void);
STI_API StiSignalForce sti_default_signal_force(void);
STI_API StiBearing sti_default_bearing(void); // the size of the force
STI_API StiPenaltyJoint sti_default_penalty_joint(void);
STI_API StiSoftContact sti_default_soft_contact(void);

// For sti_plan_add_impedance, with the structures above.
STI_API extern const StiImpedanceKind sti_kind_spring_damper, sti_kind_force_source,
    sti_kind_signal_force, sti_kind_signal_value,
    sti_kind_penalty_joint, sti_kind_soft_contact;
// Parameters: StiBearing. On the frame wire of a penalty joint, with its six forces as signals; force 0
// is the load.
STI_API extern const StiImpedanceKind sti_kind_bearing_load;
// No parameters. On a frame wire: records where the frame is and how it moves.
STI_API extern const StiImpedanceKind sti_kind_site;

#ifdef __cplusplus
}
#endif
#endif
