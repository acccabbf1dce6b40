// Private: the number of a run becomes the values of the varied parameters. Pure functions.
#ifndef STICTION_STUDY_DESIGN_H
#define STICTION_STUDY_DESIGN_H

#include "stiction/scene.h"

// What runs and count of a design come to: of grids and lists their own, of Saltelli's points times (parameters + 2).
int64_t study_design_runs(const StiDesign *design);

// The lower factor of the correlations between normal scores, row by row (varied_count squared); false where they
// contradict each other (not positive definite). All ones on the diagonal where there are none.
bool study_design_factor(const StiDesign *design, double *factor);

// run: below study_design_runs. values: one for each varied parameter. factor: as above, NULL: no correlations.
void study_design_values(const StiDesign *design, const double *factor, int64_t run, double *values);

#endif
