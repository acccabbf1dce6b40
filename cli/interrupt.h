// Ctrl-C and SIGTERM: runs end in order, with what they have so far.
#ifndef STICTION_CLI_INTERRUPT_H
#define STICTION_CLI_INTERRUPT_H

#include <stdbool.h>

// From now on a first signal is only remembered; a second one ends the program at once.
void interrupt_watch(void);
bool interrupt_came(void);

#endif
