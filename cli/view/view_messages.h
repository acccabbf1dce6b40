// What the page receives: the scene once, then frames, parameters and changed shapes.
#ifndef STICTION_CLI_VIEW_MESSAGES_H
#define STICTION_CLI_VIEW_MESSAGES_H

#include "view/view_clock.h"
#include "view/view_run.h"

typedef struct Text { // to be freed
    char *bytes;
    size_t length;
} Text;

Text message_page(const LiveRun *run); // the HTML page
// Server-sent events. whole: all that was shown so far, in place of what is new.
Text message_frame(const LiveRun *run, const LiveClock *clock, bool whole);
Text message_parameters(const LiveRun *run); // the values, in the order of the page
Text message_parts(const LiveRun *run);      // bodies and elements, as they are drawn

#endif
