// Private: what a state says of places, against where they are and how they move.
#ifndef STICTION_SRC_CUT_TOUCH_STATE_H
#define STICTION_SRC_CUT_TOUCH_STATE_H

#include "cut/progress.h"

// Do modes agree with positions and velocities? Margins of the point are in data->before.
bool sti_touch_state_fits(const Progress *c);
// Places that have come while faces slide on each other are closed and slip like the others; the question
// is for those at rest.
StiStatus sti_touch_state_close_slipping(Progress *c, bool *any);
// Places that have come to the border of their face, or to the end of their edge, are open.
void sti_touch_state_leave_borders(Progress *c, const bool *ended);

#endif
