// Private: what a solver is. The instances are in src/solver, each in its own file.
#ifndef STICTION_SRC_NETWORK_SOLVER_H
#define STICTION_SRC_NETWORK_SOLVER_H

#include "network/network.h"
#include "stiction/step.h"

struct StiSolver {
    const char *name, *summary;
    const StiExplanation *explanation;
    bool contacts; // resolves contacts too
    bool rows;     // works on the rows of rows/rows.h
    bool limits;   // solves few rows under constant limits directly (rows/least_norm.h)
    // What of this network it cannot resolve: a text, and the name of the element; NULL: nothing.
    const char *(*refuse)(const StiNetwork *network, const char **element);
    // Numbers of s beyond those of the elements; NULL: none.
    int (*discrete)(const StiNetwork *network);
    // Its own part of a scratch; NULL: none.
    void *(*take)(StiArena *arena, const StiNetwork *network, StiScratch *scratch);
    StiStatus (*step)(const StiNetwork *network, const double *inputs, StiState *state,
                      StiScratch *scratch);
};

// Sets network->solver; false after a finding. wanted NULL: what suits the network.
bool sti_network_choose_solver(StiNetwork *network, const StiSolver *wanted, StiReport *report);

// A reaction on one coordinate of a robot against the ground: friction of a joint.
bool sti_reaction_of_joint(const StiNetwork *network, const Reaction *reaction);

#endif
