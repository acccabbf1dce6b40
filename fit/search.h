// Private: the search for the least misfit.
#ifndef STICTION_FIT_SEARCH_H
#define STICTION_FIT_SEARCH_H

#include "engine.h"
#include "journal.h"

typedef struct Search {
    Engine *engine;
    double *best;  // values; those of the start before anything was found
    double misfit; // root mean square of the weighted residuals; NaN: nothing yet
    const char *phase;
    double share; // of the work that is done
    Journal journal;
} Search;

bool search_open(Search *search, Engine *engine);
void search_close(Search *search);
// Levenberg and Marquardt from the best values on. moves: of each parameter, whether it may change; NULL: all.
// thorough: by central differences and to the end. Taken from the journal where it has it.
StiStatus search_improve(Search *search, const bool *moves, bool thorough);
// Points of Sobol's sequence, the better ones improved; stages where there are parameters of presliding.
StiStatus search_all(Search *search);
// The misfit at the best values as they stand.
StiStatus search_evaluate(Search *search);
void search_tell(Search *search, double share);

#endif
