// SIGINT and SIGTERM. Where there is something to finish (rows that are written, a word about how far it
// came) a flag is raised, and who computes looks at it; else the program ends at once.
#ifndef STICTION_CLI_INTERRUPT_H
#define STICTION_CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_listen(void);  // once, at the start
void interrupt_watch(void);   // from here on the flag is polled ...
void interrupt_unwatch(void); // ... up to here; pairs may stand within each other
bool interrupt_came(void);

#endif
