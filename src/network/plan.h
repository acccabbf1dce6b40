// Private: what a plan remembers. Compile reads it; nothing else does.
#ifndef STICTION_SRC_NETWORK_PLAN_H
#define STICTION_SRC_NETWORK_PLAN_H

#include "base/arena.h"
#include "base/names.h"
#include "stiction/constraint.h"
#include "stiction/contact.h"

typedef struct PlanAdmittance {
    const char *name;
    const StiAdmittanceKind *kind;
    void *parameters;
    const int *parents; // of the links of an assembly, -1: none; NULL: its kind knows
} PlanAdmittance;

// An impedance or a reaction: one of the two kinds is NULL (both: validation says so); or a contact.
typedef struct PlanElement {
    const char *name;
    const StiImpedanceKind *impedance;
    const StiReactionKind *reaction;
    bool contact;
    void *parameters; // of a contact: StiContact
    StiWire wire;     // kind NULL: not wired
} PlanElement;

// A time function (eval given) or an input (usual values given).
typedef struct PlanSource {
    const char *name;
    int count;
    StiTimeFunction function;
    const double *usual;
    const char *unit;
} PlanSource;

// A coupling, or a loop where it is one.
typedef struct PlanConstraint {
    const char *name;
    bool is_loop;
    StiCoupling coupling;
    StiLoop loop;
} PlanConstraint;

typedef struct PlanConnection {
    StiSignal signal;
    bool to_admittance, to_constraint; // neither: to an element
    int component;
    int input;
} PlanConnection;

// A growing array; items are reached through the typed functions of plan.c.
typedef struct PlanList {
    void *items;
    int count, capacity;
} PlanList;

struct StiPlan {
    StiArena arena;
    double step, start;
    const StiMethod *method; // NULL: compile chooses
    bool method_named;       // by the user: not one that compile tries
    const StiSolver *solver; // NULL: what suits the plan
    StiSolverConstants solver_constants;
    StiVec3 gravity;
    bool allow_unphysical;
    bool goes_on;
    PlanList admittances, elements, sources, connections, constraints;
    PlanList parameters; // PlanParameter
    StiNames paths;      // of the parameters
    const char *twin;    // a path that two components share; NULL: none
    StiReport *findings; // of the last compile
};

// The network under the plan's method, which is given. The report is required.
StiStatus sti_plan_compile_under(const StiPlan *plan, StiReport *report, StiNetwork **network);

// The index of the new item, -1 without memory (compile then says so).
int sti_plan_append(StiPlan *plan, PlanList *list, const void *item, size_t size);

const PlanAdmittance *sti_plan_admittance(const StiPlan *plan, int index);
const PlanElement *sti_plan_element(const StiPlan *plan, int index);
const PlanSource *sti_plan_source(const StiPlan *plan, int index);
const PlanConnection *sti_plan_connection(const StiPlan *plan, int index);
const PlanConstraint *sti_plan_constraint(const StiPlan *plan, int index);

// NULL where there is no kind, or one whose table cannot be read.
static inline const StiInfo *plan_admittance_info(const StiAdmittanceKind *kind)
{
    return kind != NULL && kind->table_size == sizeof *kind ? &kind->info : NULL;
}

static inline const StiInfo *plan_element_info(const PlanElement *element)
{
    if (element->contact) return &sti_info_contact;
    if (element->impedance != NULL)
        return element->impedance->table_size == sizeof(StiImpedanceKind) ? &element->impedance->info
                                                                          : NULL;
    return element->reaction != NULL && element->reaction->table_size == sizeof(StiReactionKind)
               ? &element->reaction->info
               : NULL;
}

#endif
