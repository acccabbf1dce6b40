// Everything of the library that has a name: what a scene, a program or a language binding can list,
// explain, create and fill by name, without knowing any of it beforehand.
//
//     StiEntry entry;
//     for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) puts(entry.name);
//
// A new kind is its own file and one line in the list of its role (docs/writing-a-component.md).
#ifndef STICTION_REGISTRY_H
#define STICTION_REGISTRY_H

#include "admittance.h"
#include "impedance.h"
#include "law.h"
#include "method.h"
#include "reaction.h"
#include "robot.h"
#include "shape.h"
#include "solver.h"
#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum StiKindRole {
    STI_ROLE_FRICTION, // friction models: impedance or reaction
    STI_ROLE_LAW,      // level as a function of speed and load
    STI_ROLE_ELEMENT,  // other impedances: springs, motors, controllers, stops; and contact
    STI_ROLE_BODY,
    STI_ROLE_JOINT, // of robots
    STI_ROLE_SHAPE,
    STI_ROLE_WIRE,
    STI_ROLE_METHOD, // with a fixed step; those with error control: sti_adaptive_method
    STI_ROLE_SOLVER,
    STI_ROLES
} StiKindRole;

// All texts and tables are constant and live as long as the program.
typedef struct StiEntry {
    StiKindRole role;
    const char *name;                  // as scenes have it
    const char *summary;               // one line
    const StiExplanation *explanation; // NULL: none beside the fields
    // Parameters: name, unit, meaning, default (usual), bound. Of a law offsets count numbers of
    // StiLaw.p, elsewhere bytes of the parameter structure.
    const StiField *fields;
    int field_count;
    const StiInfo
        *info;  // size, check and example of the parameters; NULL for laws, methods, solvers
    bool holds; // friction that claims not to drift
    // What a plan takes; the one that suits the role, NULL elsewhere.
    const StiImpedanceKind *impedance;
    const StiReactionKind *reaction;
    const StiLawKind *law;
    const StiAdmittanceKind *body;
    const StiShapeKind *shape;
    const StiWireKind *wire;
    const StiMethod *method;
    const StiSolver *solver;
    StiJointType joint;
} StiEntry;

// By number from 0 on, in the order of lists; false past the last.
STI_API bool sti_registry_at(StiKindRole role, int number, StiEntry *entry);
// By name; false if no kind has it.
STI_API bool sti_registry_find(StiKindRole role, const char *name, StiEntry *entry);
// "friction model", "law", ...; and in the plural as `stiction list` has it: "models", "laws".
STI_API const char *sti_role_name(StiKindRole role);
STI_API const char *sti_role_list(StiKindRole role);

// The law among the parameters of a kind, NULL if it has none; the field of a name, or NULL.
STI_API StiLaw *sti_kind_law(const StiInfo *info, void *parameters);
STI_API const StiField *sti_kind_field(const StiInfo *info, const char *name);

#ifdef __cplusplus
}
#endif
#endif
