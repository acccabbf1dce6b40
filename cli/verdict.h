// Expectations and what was measured, as a table.
#ifndef STICTION_CLI_VERDICT_H
#define STICTION_CLI_VERDICT_H

#include <stiction/scene.h>

typedef struct Verdicts { int held, failed; } Verdicts;

void verdict_header(void);
// One line for each expectation (failed_only: for those that fail), added to the sums.
void verdict_rows(const StiScene *scene, const double *measured, bool failed_only, Verdicts *sums);

#endif
