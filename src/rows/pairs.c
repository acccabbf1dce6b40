// Which nodes of the block feel each other: those on the same body that can move. Looked for body by
// body, and W kept pair by pair, so that a heap costs as much as it has touches, not their square.
#include <limits.h>
#include <string.h>

#include "rows/rows.h"

// Bodies that a node pushes on and that move by themselves; returns how many, 0, 1 or 2.
static int bodies_of(const StiNetwork *network, const RowSet *set, int node, int bodies[2])
{
    const Row *row = &set->rows[set->block_nodes[node].row];
    int count = 0;
    for (int j = 0; j < 2; ++j) {
        const int body = row->sides[j].admittance;
        if (body < 0 || network->admittances[body].kind->prescribed) continue;
        if (count == 0 || bodies[0] != body) bodies[count++] = body;
    }
    return count;
}

// The nodes on body i stand from first[i] to first[i + 1], ascending.
static void sort_nodes(const StiNetwork *network, RowSet *set)
{
    int bodies[2];
    int *next = set->node_first + 1; // counts, then moves on while nodes are put in their places
    memset(set->node_first, 0, (size_t)(network->admittance_count + 2) * sizeof *next);
    for (int a = 0; a < set->node_count; ++a)
        for (int j = bodies_of(network, set, a, bodies); j-- > 0;) ++next[bodies[j] + 1];
    for (int i = 0; i < network->admittance_count; ++i) next[i + 1] += next[i];
    for (int a = 0; a < set->node_count; ++a)
        for (int j = bodies_of(network, set, a, bodies); j-- > 0;)
            set->nodes_by_body[next[bodies[j]]++] = a;
}

static void add_pair(RowSet *set, int a, int b)
{
    const int rows = set->block_nodes[a].dim, columns = set->block_nodes[b].dim;
    set->pairs[set->pair_count++] = (StiBlockPair){a, b, set->W_count, columns};
    set->W_count += rows * columns;
}

// Everybody feels everybody, and W is there already: one square for all.
static void pair_in_place(RowSet *set, const RobotPart *part)
{
    const int stride = 2 * part->trial.pair_count;
    for (int a = 0; a < set->node_count; ++a) {
        set->pair_first[a] = set->pair_count;
        for (int b = 0; b <= a; ++b)
            set->pairs[set->pair_count++] =
                (StiBlockPair){a, b, set->block_nodes[a].row * stride + set->block_nodes[b].row,
                               stride};
    }
}

// A node with those before it on its bodies, ascending, each once; then with itself.
static void pair_node(const StiNetwork *network, RowSet *set, int a)
{
    static const int nobody[] = {INT_MAX};
    int bodies[2];
    const int count = bodies_of(network, set, a, bodies);
    const int *on[2] = {nobody, nobody};
    set->pair_first[a] = set->pair_count;
    for (int j = 0; j < count; ++j) on[j] = set->nodes_by_body + set->node_first[bodies[j]];
    while (*on[0] < a || *on[1] < a) {
        const int b = *on[0] < *on[1] ? *on[0] : *on[1];
        add_pair(set, a, b);
        for (int j = 0; j < 2; ++j) on[j] += *on[j] == b;
    }
    add_pair(set, a, a);
}

// The robot that has all the rows, in the order of its pushes, while no other robot has any: a row
// between two robots feels both. NULL: none has.
static const RobotPart *owner_of_all(const RowSet *set)
{
    const RobotPart *owner = NULL;
    for (const RobotPart *part = set->robots; part < set->robots + set->robot_count; ++part) {
        if (part->row_count == 0) continue;
        if (owner != NULL || part->first_row != 0 || part->row_count != set->row_count)
            return NULL;
        owner = part;
    }
    return owner;
}

void sti_rows_pair(const StiNetwork *network, RowSet *set)
{
    const RobotPart *owner = set->only_robots ? owner_of_all(set) : NULL;
    set->in_place = owner != NULL;
    set->pair_count = set->W_count = 0;
    if (set->by_sides) {
        sort_nodes(network, set);
        return;
    }
    set->W = owner != NULL ? (double *)owner->W : set->W_by_pairs;
    if (owner != NULL) {
        pair_in_place(set, owner);
    } else {
        sort_nodes(network, set);
        for (int a = 0; a < set->node_count; ++a) pair_node(network, set, a);
    }
    set->pair_first[set->node_count] = set->pair_count;
}

const StiBlockPair *sti_pair_search(const RowSet *set, int a, int b)
{
    int first = set->pair_first[a], last = set->pair_first[a + 1] - 1;
    while (first < last) {
        const int middle = (first + last) / 2;
        if (set->pairs[middle].b < b)
            first = middle + 1;
        else
            last = middle;
    }
    return &set->pairs[first];
}

double sti_rows_felt(const RowSet *set, int a, int i, int b, int j)
{
    if (a < b) return sti_rows_felt(set, b, j, a, i);
    const StiBlockPair *pair = sti_pair_search(set, a, b);
    return pair->a == a && pair->b == b ? set->W[pair->place + i * pair->stride + j] : 0.0;
}
