#include "network/couplings.h"

#include "network/response.h"

static bool share_body(const StiNetwork *network, int i, int j)
{
    int a[2], b[2];
    const int count_a = sti_wire_bodies(network, &network->reactions[i].wire.wire, a);
    const int count_b = sti_wire_bodies(network, &network->reactions[j].wire.wire, b);
    for (int k = 0; k < count_a; ++k)
        for (int l = 0; l < count_b; ++l)
            if (a[k] == b[l]) return true;
    return false;
}

static void add_neighbour(StiNetwork *n, Reaction *reaction, Neighbour *to, int j)
{
    *to = (Neighbour){.reaction = j, .block = n->W_count};
    n->W_count += reaction->size.dim * n->reactions[j].size.dim;
    ++reaction->neighbour_count;
}

void sti_network_couple(StiNetwork *n)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        Reaction *reaction = &n->reactions[i];
        int count = 1, first = i;
        for (int j = n->reaction_count - 1; j >= 0; --j)
            if (j != i && share_body(n, i, j)) {
                ++count;
                if (j < first) first = j;
            }
        n->coupled = n->coupled || count > 1;
        Neighbour *neighbours = sti_arena_take(&n->arena, (size_t)count, sizeof *neighbours);
        if (neighbours == NULL) return;
        reaction->neighbours = neighbours;
        add_neighbour(n, reaction, neighbours++, i);
        for (int j = 0; j < n->reaction_count; ++j)
            if (j != i && share_body(n, i, j)) add_neighbour(n, reaction, neighbours++, j);
        const int width = reaction->row + reaction->size.dim - n->reactions[first].row;
        n->envelope_count += width * reaction->size.dim;
    }
}
