// Bodies other than robots: W = T J H^-1 J^T body by body, because only nodes on one body feel each
// other through it; and what the rows' forces do to them in the end.
#include <string.h>

#include "rows/rows.h"

// The nodes on one body, ascending.
typedef struct OnBody {
    const Admittance *body;
    int index;
    const int *nodes;
    int count;
} OnBody;

static inline const Row *rows_of(const RowSet *set, int node)
{
    return set->rows + set->block_nodes[node].row;
}

// W between two nodes, a >= b.
static inline double *block_of(const RowSet *set, int a, int b)
{
    return set->W_fixed + sti_pair_find(set, a, b)->place;
}

static bool push_on_links(const RowSet *set, const OnBody *on)
{
    for (int i = 0; i < on->count; ++i)
        for (int j = 0; j < 2; ++j) {
            const RowSide *side = &rows_of(set, on->nodes[i])->sides[j];
            if (side->admittance == on->index && side->frame < 0) return false;
        }
    return true;
}

// What rows on a link feel of the twists that the rows of a node give it.
static inline void feel_twists(const Row *rows, int j, int dim, const StiTwist *twists, int count,
                               double T, double *W)
{
    for (int r = 0; r < dim; ++r, W += count) {
        const StiWrench wrench = rows[r].sides[j].wrench;
        for (int d = 0; d < count; ++d) W[d] += T * sti_wrench_power(wrench, twists[d]);
    }
}

// What the nodes from i on feel of side j of node i.
static void push_link(const StiNetwork *network, RowSet *set, const Response *response,
                      const OnBody *on, int i, int j)
{
    const Row *rows = rows_of(set, on->nodes[i]);
    const int dim = set->block_nodes[on->nodes[i]].dim;
    StiTwist twists[STI_BLOCK_DIM_MAX];
    for (int d = 0; d < dim; ++d)
        twists[d] = sti_link_twist(network, response, on->index, &rows[d].sides[j].wrench);
    for (int k = i; k < on->count; ++k) {
        const int node = on->nodes[k];
        const Row *feel = rows_of(set, node);
        double *W = block_of(set, node, on->nodes[i]);
        for (int side = 0; side < 2; ++side)
            if (feel->sides[side].admittance == on->index)
                feel_twists(feel, side, set->block_nodes[node].dim, twists, dim, set->T, W);
    }
}

static void body_of_one_link(const StiNetwork *network, RowSet *set, const Response *response,
                             const OnBody *on)
{
    for (int i = 0; i < on->count; ++i)
        for (int j = 0; j < 2; ++j)
            if (rows_of(set, on->nodes[i])->sides[j].admittance == on->index)
                push_link(network, set, response, on, i, j);
}

// The velocities of a body per unit force of a row's side; its links move along where wires or
// shapes are attached to them.
static void respond_to(const StiNetwork *network, const RowSet *set, const Response *response,
                       const RowSide *side)
{
    const StageData *now = set->at;
    const Admittance *a = &network->admittances[side->admittance];
    memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof *response->force);
    memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof *response->wrenches);
    if (side->frame >= 0)
        response->wrenches[side->frame] = side->wrench;
    else
        response->force[a->generalized + side->coordinate] = side->gain;
    sti_response_of(network, now, response, side->admittance);
    if (a->posed)
        a->kind->pose(a->parameters, now->x + a->q, response->dv + a->generalized,
                      now->ports + a->port, response->frames + a->link);
}

static double felt_by(const Admittance *a, const Response *response, const RowSide *side)
{
    if (side->frame < 0) return side->gain * response->dv[a->generalized + side->coordinate];
    const StiFrame *frame = &response->frames[side->frame];
    return sti_wrench_power(side->wrench, (StiTwist){frame->w, frame->v});
}

// What the nodes from i on feel of the last response, which is one to row d of node i.
static void feel_response(RowSet *set, const Response *response, const OnBody *on, int i, int d)
{
    const int stride = set->block_nodes[on->nodes[i]].dim;
    for (int k = i; k < on->count; ++k) {
        const Row *rows = rows_of(set, on->nodes[k]);
        double *W = block_of(set, on->nodes[k], on->nodes[i]) + d;
        for (int side = 0; side < 2; ++side)
            for (int r = 0; rows->sides[side].admittance == on->index &&
                            r < set->block_nodes[on->nodes[k]].dim;
                 ++r)
                W[r * stride] += set->T * felt_by(on->body, response, &rows[r].sides[side]);
    }
}

static void any_body(const StiNetwork *network, RowSet *set, const Response *response,
                     const OnBody *on)
{
    for (int i = 0; i < on->count; ++i) {
        const Row *rows = rows_of(set, on->nodes[i]);
        for (int j = 0; j < 2; ++j)
            for (int d = 0;
                 rows->sides[j].admittance == on->index && d < set->block_nodes[on->nodes[i]].dim;
                 ++d) {
                respond_to(network, set, response, &rows[d].sides[j]);
                feel_response(set, response, on, i, d);
            }
    }
}

// The squares of nodes are symmetric to the last bit.
static void mirror(const RowSet *set)
{
    for (int i = 0; i < set->node_count; ++i) {
        const int dim = set->block_nodes[i].dim;
        double *square = set->W_fixed + sti_pair_own(set, i)->place;
        for (int a = 1; a < dim; ++a)
            for (int b = 0; b < a; ++b) square[b * dim + a] = square[a * dim + b];
    }
}

int sti_rows_prepare(const StiNetwork *network, const RowSet *set, const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!set->responds[i] || set->node_first[i + 1] == set->node_first[i]) continue;
        if (a->kind->prepare(a->parameters, set->at->x + a->q, NULL, NULL,
                             response->prepared + a->prepared) != STI_OK)
            return i;
    }
    return -1;
}

void sti_rows_bodies(const StiNetwork *network, RowSet *set, const Response *response)
{
    if (set->by_sides) {
        sti_rows_sides(network, set, response);
        return;
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const OnBody on = {&network->admittances[i], i, set->nodes_by_body + set->node_first[i],
                           set->node_first[i + 1] - set->node_first[i]};
        if (!set->responds[i] || on.count == 0) continue;
        if (on.body->kind->link_response != NULL && push_on_links(set, &on))
            body_of_one_link(network, set, response, &on);
        else
            any_body(network, set, response, &on);
    }
    mirror(set);
}

// ---- what the forces do in the end --------------------------------------------------------------

void sti_rows_respond(const StiNetwork *network, const RowSet *set, const Response *response)
{
    if (set->only_robots) return;
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    for (int i = 0; i < set->row_count; ++i)
        for (int j = 0; j < 2; ++j) {
            const RowSide *side = &set->rows[i].sides[j];
            if (!side->responds) continue;
            if (side->frame >= 0)
                response->wrenches[side->frame] =
                    sti_wrench_add_scaled(response->wrenches[side->frame], set->f[i], side->wrench);
            else
                response->force[network->admittances[side->admittance].generalized +
                                side->coordinate] += set->f[i] * side->gain;
        }
    for (int i = 0; i < network->admittance_count; ++i)
        if (set->responds[i]) sti_response_of(network, set->at, response, i);
}
