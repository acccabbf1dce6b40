// Plans: the description that a user builds. It compiles to an immutable network.
#ifndef STICTION_PLAN_H
#define STICTION_PLAN_H

#include "impedance.h"
#include "method.h"
#include "reaction.h"
#include "solver.h"
#include "wire.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StiPlan StiPlan;
typedef struct StiNetwork StiNetwork;

// An impedance, a reaction or a contact; a time function or an input. Zero is nothing.
typedef struct StiElementId {
    int number;
} StiElementId;
typedef struct StiSourceId {
    int number;
} StiSourceId;

// Values as a function of time. data is constant and outlives the network; a workspace, one per
// scratch and so per thread, is for evaluators that cannot be shared (NULL functions: none needed).
typedef struct StiTimeFunction {
    int count;
    void (*eval)(const void *data, void *workspace, double t, double *values);
    const void *data;
    void *(*open)(const void *data);
    void (*close)(void *workspace);
    const void *shares; // functions with the same one share a workspace; NULL: each has its own
    // Times of jumps and kinks, rising; as long-lived as data. Methods that cut the step read the
    // function on one side of them.
    const double *breaks;
    int break_count;
} StiTimeFunction;

// A value without power, and what it is multiplied by on its way.
typedef enum StiSignalType {
    STI_SIGNAL_SOURCE,
    STI_SIGNAL_LOAD,
    STI_SIGNAL_FORCE,
    STI_SIGNAL_POSITION,
    STI_SIGNAL_VELOCITY,
    STI_SIGNAL_CONSTRAINT // constraint.h
} StiSignalType;
typedef struct StiSignal {
    StiSignalType type;
    int component;
    int index;
    double gain;
} StiSignal;
// Values of a source, loads of a body (N, as its kind numbers them). Ids that are nothing, and numbers
// that do not exist, are reported by compile.
STI_API StiSignal sti_signal_source(StiSourceId source, int index);
STI_API StiSignal sti_signal_load(StiAdmittanceId admittance, int load);
STI_API StiSignal sti_signal_force(StiElementId impedance, int component); // of u, a resistance
// Of the coordinates and velocities that a body has as its state, at the time of the evaluation.
STI_API StiSignal sti_signal_position(StiAdmittanceId admittance, int coordinate);
STI_API StiSignal sti_signal_velocity(StiAdmittanceId admittance, int coordinate);
STI_API StiSignal sti_signal_scaled(StiSignal signal, double gain);

// Parameters are copied (arrays, laws and parts too). Names are unique among all components;
// mistakes are remembered and reported by compile.
STI_API StiPlan *sti_plan_create(void);
STI_API void sti_plan_destroy(StiPlan *plan);
STI_API void sti_plan_set_step(StiPlan *plan, double T);                  // s; default 1e-3
STI_API void sti_plan_set_start(StiPlan *plan, double t0);                // s; default 0
// NULL, the default: compile chooses cut, of order 4 in stick, in slip and across, where all elements
// can run under it; else rule with reactions or contacts, and rk4 without (sti_network_why_method).
STI_API void sti_plan_set_method(StiPlan *plan, const StiMethod *method);
STI_API void sti_plan_set_gravity(StiPlan *plan, StiVec3 gravity); // m/s^2; default none
// How reactions and contacts are resolved; NULL: what suits the plan.
STI_API void sti_plan_set_solver(StiPlan *plan, const StiSolver *solver);
// Where friction and loads have several solutions, none, or do not converge (Painleve): stop with a
// fault (default), or go on with the loads of the step before; StiStepFigures counts that.
STI_API void sti_plan_set_unsettled_policy(StiPlan *plan, bool go_on);
STI_API void sti_plan_set_solver_constants(StiPlan *plan, StiSolverConstants constants);
STI_API void sti_plan_allow_unphysical(StiPlan *plan, bool allow);

// Adds a body: parameters are those of its kind, copied. Without memory the id is nothing, and compile
// says so.
STI_API StiAdmittanceId sti_plan_add_admittance(StiPlan *plan, const char *name,
                                                const StiAdmittanceKind *kind,
                                                const void *parameters);
// wire may be NULL for an element that only listens and gives signals.
STI_API StiElementId sti_plan_add_impedance(StiPlan *plan, const char *name,
                                            const StiImpedanceKind *kind, const void *parameters,
                                            const StiWire *wire);
STI_API StiElementId sti_plan_add_reaction(StiPlan *plan, const char *name,
                                           const StiReactionKind *kind, const void *parameters,
                                           const StiWire *wire);
STI_API StiSourceId sti_plan_add_time_function(StiPlan *plan, const char *name,
                                               StiTimeFunction function);
STI_API StiSourceId sti_plan_add_input(StiPlan *plan, const char *name, int count,
                                       const double *usual);

// The unit under which an input or a time function is recorded, at most 15 characters; default none.
STI_API void sti_plan_set_unit(StiPlan *plan, StiSourceId source, const char *unit);

// What an element, or a body whose motion is prescribed, listens to at its input of this number. Every
// input needs exactly one signal; compile reports the others.
STI_API void sti_plan_connect(StiPlan *plan, StiSignal signal, StiElementId element, int input);
STI_API void sti_plan_connect_admittance(StiPlan *plan, StiSignal signal,
                                         StiAdmittanceId admittance, int input);

// In one call: a motion source driven by a function that gives x[dim], v[dim]; a force on side a of
// a wire, driven by a function that gives as many forces as the wire has velocities.
STI_API StiAdmittanceId sti_plan_add_motion(StiPlan *plan, const char *name, int dim,
                                            StiTimeFunction function);
STI_API StiElementId sti_plan_add_force(StiPlan *plan, const char *name, const StiWire *wire,
                                        int dim, StiTimeFunction function);

// A motion that turns about an axis through its point, too: the function gives x, y, z, angle, vx, vy, vz, rate.
STI_API StiAdmittanceId sti_plan_add_turning_motion(StiPlan *plan, const char *name, StiVec3 axis,
                                                    StiTimeFunction function);

// Addressable parameters: "friction.level", "block.position[1]", "step", "gravity[2]".
STI_API StiStatus sti_plan_set(StiPlan *plan, const char *path, double value);
STI_API StiStatus sti_plan_get(const StiPlan *plan, const char *path, double *value);

typedef struct StiParameter {
    char path[256];
    const char *unit;
    const char *meaning;
    double value;
} StiParameter;
// The parameter of this number, false past the last.
STI_API bool sti_plan_parameter(const StiPlan *plan, int number, StiParameter *parameter);

// On success *network is new and belongs to the caller (sti_network_destroy); the report, which may be
// NULL, gets at most notes and warnings. Else *network is NULL, the status says what kind of failure
// it was, and the report all errors. A network is immutable, can be shared between threads, and does
// not need the plan any more. Components are laid out in the order of their names, so that the order
// of declaration does not matter to the last bit.
STI_API StiStatus sti_plan_compile(StiPlan *plan, StiReport *report, StiNetwork **network);
// What the last compile of this plan found; the plan's own, valid until the next compile. So there is
// a reason to show where no report was passed.
STI_API const StiReport *sti_plan_findings(const StiPlan *plan);

#ifdef __cplusplus
}
#endif
#endif
