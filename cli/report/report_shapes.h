// Shapes of contacts, for the replay.
#ifndef STICTION_CLI_REPORT_SHAPES_H
#define STICTION_CLI_REPORT_SHAPES_H

#include <stdio.h>

#include <stiction/network.h>

// [{body, link, kind, p, q, ...}, ...]: each shape once, however many contacts have it.
void report_shapes(const StiNetwork *network, FILE *file);

#endif
