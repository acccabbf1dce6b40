// Several runs side by side: networks of one plan that differ in the values of parameters only, step by step together.
// What they share (functions of time, who is wired to whom) is done once, and the arithmetic of wires, Runge-Kutta sums
// and energies is one operation for all. A run in which stick or slip changes takes that step by itself. Each run has
// the bits that it would have alone.
#ifndef STICTION_LANES_H
#define STICTION_LANES_H

#include "record.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STI_LANES = 8 };

typedef struct StiLanes StiLanes;
// Do runs of this network go side by side? Under `cut`, with wires that are coordinates of bodies, friction along single
// axes against the world, without contacts, inputs, loads, sampling, and nothing that is implicit.
STI_API bool sti_lanes_apply(const StiNetwork *network);
// At most STI_LANES of them, which must outlive the lanes. NULL without memory, or where one of them does not go with the first.
STI_API StiLanes *sti_lanes_create(const StiNetwork *const *networks, int count);
STI_API void sti_lanes_destroy(StiLanes *lanes);
// Asked in steps that runs take by themselves; true ends them with STI_INTERRUPTED.
STI_API void sti_lanes_watch(StiLanes *lanes, bool (*interrupted)(void *context), void *context);

// Row 0 of all; then the next row, of all that have not failed.
STI_API void sti_lanes_begin(StiLanes *lanes);
STI_API void sti_lanes_step(StiLanes *lanes);

// Of one run: STI_OK, or why it ended; its present row; state, and where it failed.
STI_API StiStatus sti_lanes_status(const StiLanes *lanes, int lane);
STI_API const StiRecorder *sti_lanes_recorder(StiLanes *lanes, int lane);
STI_API const StiState *sti_lanes_state(StiLanes *lanes, int lane);
STI_API const StiFault *sti_lanes_fault(const StiLanes *lanes, int lane);
// Steps in which no solution was found (StiStepFigures), and the component of the first of them.
STI_API int64_t sti_lanes_unsolved(const StiLanes *lanes, int lane, const char **where);

#ifdef __cplusplus
}
#endif
#endif
