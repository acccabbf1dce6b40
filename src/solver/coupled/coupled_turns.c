// Resistance to rolling and spinning at points of contact: friction nodes of their own, about the two tangents
// and about the normal, whose limits are a length times the normal force of their point. Rates and moments
// are in units of a length of the shapes, so that their rows have the size of the others. The limits follow
// the normal forces until they repeat, as laws of friction do.
#include <math.h>

#include "solver/coupled/coupled.h"

static const double limit_tolerance = 1e-10; // of its own, beside ...
static const double force_tolerance =
    1e-13;              // ... the largest force: redundant ones are not known better
enum { PATIENCE = 12 }; // rounds until limits that swing to and fro move half the way only

// m: the smaller of the sizes of the shapes that touch; of points and planes 1.
static double length_of(const StiNetwork *network, const ContactPoint *point)
{
    const ContactShape *shapes = network->contacts[point->contact].shapes;
    double length = INFINITY;
    for (int side = 0; side < 2; ++side) {
        const double reach = shapes[point->shape[side]].reach;
        if (reach > 0.0) length = fmin(length, reach);
    }
    return length < INFINITY ? length : 1.0;
}

static void add_turn(const StiNetwork *network, StiScratch *scratch, int index, bool rolling)
{
    CoupledData *data = coupled_data(scratch);
    const ContactPoint *point = &scratch->contacts->points[index];
    const double length = length_of(network, point);
    const StiVec3 first = rolling ? point->tangent[0] : point->touch.normal;
    const StiVec3 axes[2] = {sti_vec3_scale(length, first),
                             sti_vec3_scale(length, point->tangent[1])};
    const StiBlockNode node = {.kind = STI_BLOCK_FRICTION, .dim = rolling ? 2 : 1};
    const RowPoint at = sti_coupled_place(point);
    const int row = sti_rows_add_turn(network, data->set, &at, index, node, axes);
    data->start[row] = sti_vec3_dot(point->moment, first) / length;
    if (rolling) data->start[row + 1] = sti_vec3_dot(point->moment, point->tangent[1]) / length;
    data->levels_vary = true;
}

void sti_coupled_add_turns(const StiNetwork *network, StiScratch *scratch)
{
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        const Contact *contact = &network->contacts[point->contact];
        if (sti_contact_turns(contact->parameters).nodes == 0) continue;
        const StiMaterialPair rub = sti_contact_rub(contact, point->shape);
        if (rub.rolling > 0.0) add_turn(network, scratch, i, true);
        if (rub.spinning > 0.0) add_turn(network, scratch, i, false);
    }
}

static bool is_rolling(const StiBlockNode *node) { return node->dim == 2; }

// The axis of a row stands in what it does to side a.
static StiVec3 axis_of(const RowSet *set, int row)
{
    const RowSide *sides = set->rows[row].sides;
    return sides[0].frame >= 0 ? sides[0].wrench.moment
                               : sti_vec3_scale(-1.0, sides[1].wrench.moment);
}

double sti_turn_of_surface(const StiScratch *scratch, int row)
{
    const RowSet *set = coupled_data(scratch)->set;
    const RowNode *node = &set->nodes[set->node_of_row[row]];
    if (node->type != NODE_TURN) return 0.0;
    return sti_vec3_dot(scratch->contacts->points[node->index].surface_spin, axis_of(set, row));
}

bool sti_turn_moved(const StiNetwork *network, StiScratch *scratch, int node)
{
    RowSet *set = coupled_data(scratch)->set;
    StiBlockNode *n = &set->block_nodes[node];
    const int index = set->nodes[node].index;
    const ContactPoint *point = &scratch->contacts->points[index];
    const StiMaterialPair p = sti_contact_rub(&network->contacts[point->contact], point->shape);
    const double fn = fmax(set->f[set->block_nodes[index].row + 2], 0.0), before = n->limit;
    const double limit = (is_rolling(n) ? p.rolling : p.spinning) * fn / length_of(network, point);
    const double share = coupled_data(scratch)->law_round < PATIENCE ? 1.0 : 0.5;
    n->limit = before + share * (limit - before);
    n->limit_static = n->limit;
    return fabs(limit - before) > limit_tolerance * fmax(limit, before) +
                                      force_tolerance * coupled_data(scratch)->largest_force;
}

double sti_coupled_read_turns(StiScratch *scratch)
{
    const RowSet *set = coupled_data(scratch)->set;
    double power = 0.0;
    for (int i = 0; i < set->node_count; ++i) {
        if (set->nodes[i].type != NODE_TURN) continue;
        ContactPoint *point = &scratch->contacts->points[set->nodes[i].index];
        for (int row = set->block_nodes[i].row;
             row < set->block_nodes[i].row + set->block_nodes[i].dim; ++row) {
            const StiVec3 axis = axis_of(set, row);
            const double square = sti_vec3_dot(axis, axis);
            point->moment = sti_vec3_add_scaled(point->moment, set->f[row], axis);
            if (square > 0.0)
                point->spin = sti_vec3_add_scaled(point->spin, set->v[row] / square, axis);
            power += set->f[row] * set->v[row];
        }
    }
    return power;
}
