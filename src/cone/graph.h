// Private: which nodes of a block feel each other, and the islands that follow from it.
#ifndef STICTION_SRC_CONE_GRAPH_H
#define STICTION_SRC_CONE_GRAPH_H

#include "cone/block.h"

enum { NORMAL = 2 };

// Every node has three slots (contacts: the normal is always slot 2); where row k of a node goes.
static inline int sti_slot(const StiBlockNode *node, int k)
{
    return node->kind == STI_BLOCK_CONTACT && k == node->dim - 1 ? NORMAL : k;
}

// Neighbours of node i: first[i] .. last[i] - 1, itself first, each with its W by slots: 3 x 3
// numbers, 0 where a node has no row. Of blocks by sides this holds for one island at a time, and a
// large one has no neighbours listed but the node itself.
typedef struct BlockGraph {
    int count;
    int unseen; // all nodes before this one are in the order
    int *first, *last, *neighbour;
    double *W;
    int *order;    // nodes, island after island, each so that neighbours are close
    int *position; // of a node in that order; by sides: the number of its island
    int *body;     // by sides: four per node and two per body, to work with
} BlockGraph;

// Neighbours at most.
int sti_block_graph_size(int node_count, int pair_count);

// False if a pair names a node that is not there or a node has no pair with itself.
bool sti_block_graph_build(const StiBlock *block, BlockGraph *graph);

// Where everybody feels everybody the last is brought to the front, as for others by spreading from
// both ends: the k-th node of the island.
static inline int sti_complete_order(int count, int k)
{
    if (count <= 2) return k;
    return k > 0 ? k - 1 : count - 1;
}

enum { STI_FEW_NODES = 16 }; // an island of a block by sides has W from there on only by its bodies

// The same by sides: islands and the order of all nodes.
void sti_block_graph_of_sides(const StiBlock *block, BlockGraph *graph);
// The next island of it; returns where it ends.
int sti_block_graph_side_island(const StiBlock *block, BlockGraph *graph, int done);

// Appends the next island to the order, from `done` on; returns where it ends. Neighbours of its
// nodes are numbers within the island from then on: 0 is its first.
int sti_block_graph_island(BlockGraph *graph, int done);

#endif
