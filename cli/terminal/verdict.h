// Expectations and what was measured, as a table.
#ifndef STICTION_CLI_VERDICT_H
#define STICTION_CLI_VERDICT_H

#include <stiction/scene.h>

typedef struct Verdicts {
    int held, failed;
} Verdicts;

// SHOW_UNJUDGED: of a scene that was changed, where what does not hold is no failure.
typedef enum Show { SHOW_ALL, SHOW_FAILED, SHOW_UNJUDGED } Show;

void verdict_header(void);
// One line for each expectation, or for those that fail; all are added to the sums.
void verdict_rows(const StiScene *scene, const double *measured, Show show, Verdicts *sums);

#endif
