// Bodies: point mass, guided block, rigid body.
#ifndef STICTION_BODY_H
#define STICTION_BODY_H

#include "admittance.h"

#ifdef __cplusplus
extern "C" {
#endif

// A mass in 1, 2 or 3 dimensions: q = position, v = velocity. Its one link is its point (axes x, y,
// z; missing axes read 0). Gravity acts along the axes it has. [modular] (7)
typedef struct StiPointMass {
    int dim;
    double mass;        // kg
    double position[3]; // m, at the start
    double velocity[3]; // m/s, at the start
} StiPointMass;

// A block on a straight frictionless guide: one coordinate along axis. Forces on its link act in
// space; what the guide must take across the axis is its load 0 (N, >= 0).
typedef struct StiGuidedBlock {
    double mass;      // kg
    double axis[3];   // direction of the guide, any length > 0
    double origin[3]; // m, where the coordinate is 0
    double position;  // m, at the start
    double velocity;  // m/s, at the start
} StiGuidedBlock;

// A shaft that turns about z: one angle, rad; forces on it are moments, N m.
typedef struct StiRotor {
    double inertia;  // kg m^2
    double angle;    // rad, at the start
    double velocity; // rad/s, at the start
} StiRotor;

// q = (p, quaternion), v = (velocity in world axes, angular velocity in body axes). The link's
// origin is the centre of mass. Generalized forces: force in world axes, moment in body axes.
// [modular] (26)
typedef struct StiRigidBody {
    double mass;                // kg
    double inertia[6];          // kg m^2, body axes: xx, yy, zz, xy, xz, yz
    double position[3];         // m, at the start
    double attitude[4];         // w, x, y, z, at the start; all zero means no rotation
    double velocity[3];         // m/s, world axes
    double angular_velocity[3]; // rad/s, body axes
} StiRigidBody;

// Motion as a function of its signals (x[dim], v[dim]): no dynamics, W = 0.
// With an axis it turns, too: then dim is 3, and the angle is its fourth coordinate (x[4], v[4]).
typedef struct StiMotionSource {
    int dim;
    double axis[3]; // of rotation, world axes, of any length; 0: it does not turn
} StiMotionSource;

// The usual values where there are such, zeros elsewhere, and one dimension: what is then set by name
// is all that has to be known.
STI_API StiPointMass sti_default_point_mass(void);
STI_API StiGuidedBlock sti_default_guided_block(void);
STI_API StiRotor sti_default_rotor(void);
STI_API StiRigidBody sti_default_rigid_body(void);
STI_API StiMotionSource sti_default_motion_source(void);

// For sti_plan_add_admittance, with the structures above.
STI_API extern const StiAdmittanceKind sti_kind_point_mass, sti_kind_guided_block,
    sti_kind_rotor, sti_kind_rigid_body, sti_kind_motion_source;

#ifdef __cplusplus
}
#endif
#endif
