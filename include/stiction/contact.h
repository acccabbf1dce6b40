// Hard contact: the shapes of one side cannot pass through those of the other, and rub on them with
// Coulomb's cone. A contact is an element of a plan like friction: it has a name, parameters with
// paths (NAME.mu), memory in the state, and channels. Contacts are resolved by the plan's solver
// (solver.h).
//
// Channels: fn (N, >= 0, sum over the points, pushes apart), ft (N, size of the summed resistance
// along the surface; of shapes against each other: of each pair, added up), depth (m, deepest penetration, 0: none), stick (1: all closed points stick),
// vx vy vz (m/s, slip velocity of side a over side b in world axes, mean over the closed points
// weighted with fn), points (closed points), impulse (N s, of fn over the present or last episode: from the
// first point that closes until all have opened), dissipated (J).
#ifndef STICTION_CONTACT_H
#define STICTION_CONTACT_H

#include "plan.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// A shape on a link of a body, or fixed in the world (STI_GROUND).
typedef struct StiContactShape {
    StiAdmittanceId body;
    int link;       // of the body; a point mass, a guided block and a rigid body have link 0
    StiShape shape; // p and q in the axes of that link
} StiContactShape;

// What two materials do where they touch.
typedef struct StiMaterialPair {
    int a, b; // numbers that shapes have; the order does not matter
    double mu, mu_static, rolling, spinning, restitution; // as below
} StiMaterialPair;

// Friction that yields before it slips, as the elements of the same names do.
typedef enum StiContactBristleModel {
    STI_CONTACT_RIGID, // what sticks does not move
    STI_CONTACT_ELASTIC_COULOMB,
    STI_CONTACT_LUGRE,
    STI_CONTACT_ELASTOPLASTIC,
} StiContactBristleModel;

// Of every point that touches, the same along both directions of the surface.
typedef struct StiContactBristle {
    StiContactBristleModel model;
    double stiffness; // N/m
    double damping;   // N s/m, of the bristle
    double viscous;   // N s/m, added to the bristle's force; lugre and elastoplastic only
    double breakaway; // elastoplastic: share of the level up to which all is elastic
} StiContactBristle;

// Every shape of a against every shape of b. Without b: the shapes of a against each other. Shapes
// of the same link, of a link and its parent, and two that are both fixed never touch.
typedef struct StiContact {
    const StiContactShape *a, *b; // copied by the plan, hulls too
    int a_count, b_count;
    double mu;          // coefficient of friction while sliding, >= 0
    double mu_static;   // while sticking; 0: mu
    double mu_across; // across `along`: limits of friction are an ellipse, mu along it; 0: a circle
    StiVec3
        along; // in the axes of the link of side a; what is at right angles to the surface does not count
    StiLaw law; // coefficient over the speed of slip, in place of mu; kind NULL: mu
    StiContactBristle bristle; // its memory is at each point, and goes when the point opens
    const StiMaterialPair *
        materials; // of pairs of shapes that have materials, in place of mu ... restitution; copied
    int material_count;
    double rolling;     // m: most moment against rolling, over fn
    double spinning;    // m: the same about the normal
    double restitution; // 0 .. 1: speed of departure over speed of approach; a step that would end
                        // with more energy takes less
    bool sequential;    // touching points strike one after the other, the fastest first, and not together
    int capacity;       // most points at once; 0: by the shapes
    const StiPair *excluded; // shapes that never touch, a < b, those of side b counted on from a's
    int excluded_count;      // in any order; copied by the plan
} StiContact;

// The contact is copied, its shapes and pairs too. What is wrong with it is reported by compile.
STI_API StiElementId sti_plan_add_contact(StiPlan *plan, const char *name,
                                          const StiContact *contact);

// How many points the element can hold (its capacity).
STI_API int sti_contact_capacity(const StiContact *contact);

// Without friction, restitution or shapes: what is then set by name is all that has to be known.
STI_API StiContact sti_default_contact(void);

// Name, summary and fields of contacts, as other kinds have them.
STI_API extern const StiInfo sti_info_contact;

#ifdef __cplusplus
}
#endif
#endif
