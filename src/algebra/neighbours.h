// Private: items that share a group are neighbours, as friction elements on the same body are. Found group by
// group, at a cost that grows with the members, not with pairs of items.
#ifndef STICTION_SRC_ALGEBRA_NEIGHBOURS_H
#define STICTION_SRC_ALGEBRA_NEIGHBOURS_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct Memberships {
    int count, group_count;
    int (*of)[2];         // the groups of each item, which differ; -1: none
    int *first, *members; // of group g: members[first[g]] to members[first[g + 1] - 1], ascending
} Memberships;

// Room for so many items; `of` is then filled by the caller. False: out of memory.
bool sti_memberships_take(StiArena *arena, int count, int group_count, Memberships *m);
// Lists the members of every group.
void sti_memberships_list(Memberships *m);

// The members of these groups, ascending, each once; returns how many. shared: NULL, or room for them.
int sti_members_of(const Memberships *m, const int groups[2], int *shared);

// An order in which neighbours are close (Cuthill and McKee): from an item with few neighbours, then breadth
// first; equals as they are numbered. A chain becomes banded, so that factors cost as much as it is long.
// False: out of memory.
bool sti_order_neighbours(StiArena *arena, const Memberships *m, int *order);

#endif
