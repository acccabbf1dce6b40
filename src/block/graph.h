// Private: who feels whom in a block, and the islands that follow from it.
#ifndef STICTION_SRC_BLOCK_GRAPH_H
#define STICTION_SRC_BLOCK_GRAPH_H

#include "block/block.h"

// Neighbours of node i: first[i] .. first[i+1] - 1, itself first. W of the pair is at `place`, with
// `stride` between rows; a negative stride says that it is stored the other way round.
typedef struct BlockGraph {
    int count;
    int unseen; // all nodes before this one are in the order
    int *first, *neighbour, *place, *stride;
    int *order;    // nodes, island after island, each so that neighbours are close
    int *position; // of a node in that order
} BlockGraph;

// Neighbours at most.
int sti_block_graph_size(int node_count, int pair_count);

// False if a pair names a node that is not there or a node has no pair with itself.
bool sti_block_graph_build(const StiBlock *block, BlockGraph *graph);

// Appends the next island to the order, from `done` on; returns where it ends.
int sti_block_graph_island(BlockGraph *graph, int done);

#endif
