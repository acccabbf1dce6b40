// Private: an order in which neighbours are close (Cuthill and McKee): from an item with few neighbours,
// then breadth first. A chain becomes banded, so that factors cost as much as it is long.
#ifndef STICTION_SRC_ALGEBRA_NEIGHBOURS_H
#define STICTION_SRC_ALGEBRA_NEIGHBOURS_H

#include <stdbool.h>

// items are put in order; degrees: count numbers to work in. touch: are two items neighbours? An item
// may count as its own.
void sti_order_neighbours(int count, int *items, int *degrees,
                          bool (*touch)(const void *context, int a, int b), const void *context);

#endif
