// Private: what wires sense of velocities that are not those of a stage: responses, accelerations,
// stages that are not evaluated yet. They stand in response->dv, laid out like generalized.
#ifndef STICTION_SRC_ROWS_RATES_H
#define STICTION_SRC_ROWS_RATES_H

#include "rows/reactions.h"

// Links at the positions of now, moving with response->dv. Motion sources move as they do in now, or
// stand still.
void sti_rates_pose(const StiNetwork *network, const StageData *now, bool sources_move,
                    const Response *response);
// The same with the accelerations of now in response->dv; motion sources stand still.
void sti_rates_accelerate(const StiNetwork *network, const StageData *now,
                          const Response *response);
// Velocity of one wire, after sti_rates_pose.
void sti_rates_sense(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     const Wire *wire, double *rate);

#endif
