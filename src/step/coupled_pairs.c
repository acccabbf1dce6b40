// Which nodes of the block feel each other: those on the same body that can move. Looked for body by
// body, and W kept pair by pair, so that a heap costs as much as it has touches, not their square.
#include <limits.h>
#include <string.h>

#include "step/coupled.h"

// Bodies that a node pushes on and that move by themselves; returns how many, 0, 1 or 2.
static int bodies_of(const StiNetwork *network, const CoupledData *data, int node, int bodies[2])
{
    const Row *row = &data->rows[data->block_nodes[node].row];
    int count = 0;
    for (int j = 0; j < 2; ++j) {
        const int body = row->sides[j].admittance;
        if (body < 0 || network->admittances[body].kind->prescribed) continue;
        if (count == 0 || bodies[0] != body) bodies[count++] = body;
    }
    return count;
}

// The nodes on body i stand from first[i] to first[i + 1], ascending.
static void sort_nodes(const StiNetwork *network, CoupledData *data)
{
    int bodies[2];
    int *next = data->node_first + 1; // counts, then moves on while nodes are put in their places
    memset(data->node_first, 0, (size_t)(network->admittance_count + 2) * sizeof *next);
    for (int a = 0; a < data->node_count; ++a)
        for (int j = bodies_of(network, data, a, bodies); j-- > 0;) ++next[bodies[j] + 1];
    for (int i = 0; i < network->admittance_count; ++i) next[i + 1] += next[i];
    for (int a = 0; a < data->node_count; ++a)
        for (int j = bodies_of(network, data, a, bodies); j-- > 0;)
            data->nodes_by_body[next[bodies[j]]++] = a;
}

static void add_pair(CoupledData *data, int a, int b)
{
    const int rows = data->block_nodes[a].dim, columns = data->block_nodes[b].dim;
    data->pairs[data->pair_count++] = (StiBlockPair){a, b, data->W_count, columns};
    data->W_count += rows * columns;
}

// Everybody feels everybody, and W is there already: one square for all.
static void pair_in_place(CoupledData *data, const RobotPart *part)
{
    const int stride = 2 * part->trial.pair_count;
    for (int a = 0; a < data->node_count; ++a) {
        data->pair_first[a] = data->pair_count;
        for (int b = 0; b <= a; ++b)
            data->pairs[data->pair_count++] =
                (StiBlockPair){a, b, data->block_nodes[a].row * stride + data->block_nodes[b].row,
                               stride};
    }
}

// A node with those before it on its bodies, ascending, each once; then with itself.
static void pair_node(const StiNetwork *network, CoupledData *data, int a)
{
    static const int nobody[] = {INT_MAX};
    int bodies[2];
    const int count = bodies_of(network, data, a, bodies);
    const int *on[2] = {nobody, nobody};
    data->pair_first[a] = data->pair_count;
    for (int j = 0; j < count; ++j) on[j] = data->nodes_by_body + data->node_first[bodies[j]];
    while (*on[0] < a || *on[1] < a) {
        const int b = *on[0] < *on[1] ? *on[0] : *on[1];
        add_pair(data, a, b);
        for (int j = 0; j < 2; ++j) on[j] += *on[j] == b;
    }
    add_pair(data, a, a);
}

// The robot that has all the rows, in the order of its pushes, while no other robot has any: a row
// between two robots feels both. NULL: none has.
static const RobotPart *owner_of_all(const CoupledData *data)
{
    const RobotPart *owner = NULL;
    for (const RobotPart *part = data->robots; part < data->robots + data->robot_count; ++part) {
        if (part->row_count == 0) continue;
        if (owner != NULL || part->first_row != 0 || part->row_count != data->row_count)
            return NULL;
        owner = part;
    }
    return owner;
}

void sti_coupled_pairs(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const RobotPart *owner = data->only_robots ? owner_of_all(data) : NULL;
    data->in_place = owner != NULL;
    data->W = owner != NULL ? (double *)owner->W : data->W_by_pairs;
    data->pair_count = data->W_count = 0;
    if (owner != NULL) {
        pair_in_place(data, owner);
    } else {
        sort_nodes(network, data);
        for (int a = 0; a < data->node_count; ++a) pair_node(network, data, a);
    }
    data->pair_first[data->node_count] = data->pair_count;
}

const StiBlockPair *sti_pair_search(const CoupledData *data, int a, int b)
{
    int first = data->pair_first[a], last = data->pair_first[a + 1] - 1;
    while (first < last) {
        const int middle = (first + last) / 2;
        if (data->pairs[middle].b < b)
            first = middle + 1;
        else
            last = middle;
    }
    return &data->pairs[first];
}
