// Small plots of a run in the terminal: some recorded channels over time, and who stuck when.
#ifndef STICTION_CLI_SKETCH_H
#define STICTION_CLI_SKETCH_H

#include "terminal/session.h"

typedef struct Sketch Sketch;

// NULL where standard output is no terminal that shows such plots.
Sketch *sketch_create(const Session *session);
void sketch_destroy(Sketch *sketch);
void sketch_row(Sketch *sketch, const Session *session); // after each step, and for the start
void sketch_print(const Sketch *sketch, const Session *session);

#endif
