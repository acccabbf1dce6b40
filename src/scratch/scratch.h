// Private: the memory of a step. Each room owns its part: the structure is in a header of that room, a
// function of that room takes it from the arena, and others see a pointer.
#ifndef STICTION_SRC_SCRATCH_SCRATCH_H
#define STICTION_SRC_SCRATCH_SCRATCH_H

#include "base/watch.h"
#include "network/wires.h"
#include "stiction/step.h"

// Work in the last step, J, where the method integrated it: the ledger then takes it from here and
// not from the stages.
typedef struct Works {
    bool given;
    double *absorbed_by_impedance, *absorbed_by_reaction, *absorbed_by_contact;
    double *on_body;  // by all wires, of each admittance
    double *supplied; // by drivers inside each admittance
} Works;
void sti_works_take(StiArena *arena, const StiNetwork *network, Works *works);

struct StiScratch {
    StiArena arena;
    const StiNetwork *network;
    Watch watch;
    void **workspaces; // of the time functions
    StageData stages[STI_METHOD_STAGES];
    StageData end;             // motion at the end of the step, for settle
    StageData beside;          // motion beside a stage: a little later, or with other velocities
    double *next;              // the state's numbers at the end of the step
    double *workspace;         // of one component at a time
    double *observed;          // by one component, for a rollout
    double relative, absolute; // tolerances of the integrator; 0: not known
    double moment;             // s: what lasts less is over at once
    double smooth_from, smooth_to; // time functions are read within, on the inner side of breaks
    bool loads_unknown;            // so far: elements that listen to a load give no force
    Works works;

    struct ContactData *contacts;   // contact/points.h: points, and what they remember
    struct RowSet *rows;            // rows/rows.h: of contacts, reactions and joints; may be NULL
    struct ReactionData *reactions; // rows/reactions.h: W, rates and answers of reactions
    struct ReactionCones *cones;       // rows/reaction_cones.h: who of them holds
    struct LimitData *limits;       // rows/least_norm.h: few rows under constant limits
    struct EvaluateData *evaluate;  // evaluate/evaluate.h: loads, rates of wires
    struct Holding *holding;        // evaluate/modes.h: what sticks
    struct DepartureGuide *guide;   // evaluate/departure_guide.h: slip from rest; may be NULL
    struct TouchData *touches;      // evaluate/touch_data.h: contacts in continuous time
    struct RestData *rest;          // events/rest.h: modes at rest
    struct ImpactData *impacts;     // events/touch_events.h: impacts, and the question
    struct JointData *joints;       // events/joint_modes.h: modes of many joints
    struct ContinuousData *continuous; // continuous/continuous.h: margins
    struct SubstepData *substep;       // cut/substep_data.h: a step in substeps
    struct FlightData *flight;         // solver/flight.h: bodies in free flight
    void *solver;                      // of the network's solver

    StiFault fault;
    StiStepFigures figures;
};

// Parts of next.
static inline double *next_y(const StiScratch *scratch)
{
    return scratch->next + scratch->network->x_count;
}
static inline double *next_s(const StiScratch *scratch)
{
    return next_y(scratch) + scratch->network->y_count;
}
static inline double *next_loads(const StiScratch *scratch)
{
    return next_s(scratch) + scratch->network->s_count;
}

// Sets the fault and returns its status.
StiStatus sti_fault(StiScratch *scratch, StiStatus status, const char *component, const char *what,
                    const StiStage *stage);

#endif
