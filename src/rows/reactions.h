// Private: W of the reactions, and what of it sticks.
#ifndef STICTION_SRC_ROWS_REACTIONS_H
#define STICTION_SRC_ROWS_REACTIONS_H

#include "network/response.h"
#include "scratch/scratch.h"

// What the reactions of a step need. Rows are the directions of all reactions, one after the other.
typedef struct ReactionData {
    Response response;
    double *W;         // blocks, see Neighbour
    double *free_rate; // vbar of the rows without any reaction
    double *rate;      // velocity of the rows under the present resistances
    StiReactionAnswer *answers;
    double *s;         // modes during the search
    bool *arrested;    // by reaction: in this step its slip came to rest in between
    bool *chosen;      // reactions that take part in a direct solve
    int *place;        // of each reaction among the chosen rows, -1 if it takes no part
    int *rows, *owner; // the chosen rows, and the reaction of each
    double *factor;    // envelope of the chosen rows
    int *factor_first; // first column of each factored row
    int *factor_start; // where a factored row begins
    bool *known;       // velocities that are assigned already, laid out like generalized
} ReactionData;

ReactionData *sti_reactions_take(StiArena *arena, const StiNetwork *network);

// Factors the inertias of all bodies for the response, locked as in sti_response_prepare; the fault
// names the body whose inertia has no factor.
StiStatus sti_bodies_prepare(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                             const bool *locked);

// Factors the inertias and fills the blocks of W. Row d of a block belongs to direction d of the
// reaction, column e to direction e of the neighbour.
StiStatus sti_reaction_inertia(const StiNetwork *network, StiScratch *scratch);
// The blocks alone, where the inertias are factored; chosen: of these reactions only (NULL: all).
void sti_reaction_blocks(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                         const bool *chosen);
// Those of one reaction: against itself, or against all its neighbours.
void sti_reaction_own_block(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            int reaction);
void sti_reaction_row_of_blocks(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int reaction);

// Of a step that answers once: no reaction has been arrested; then, where a reaction would slip the other way than at
// the start: once in a step it sticks first, under its static level. True: modes have changed.
void sti_arrests_clear(const StiNetwork *network, StiScratch *scratch);
bool sti_arrest_reversals(const StiNetwork *network, StiScratch *scratch);

// Stuck rows that are differences of coordinates get a velocity of exactly zero, in x; ports: the
// signals of motion sources.
void sti_assign_stuck(const StiNetwork *network, StiScratch *scratch, const double *ports,
                      double *x);

#endif
