#include "solver/sweeps/affine.h"

#include <string.h>

#include "base/finite.h"
#include "solver/sweeps/sweeps.h"

enum { NUMBERS_MOST = 1 << 20 };

static bool is_constrained(const StiNetwork *network, int admittance)
{
    return network->admittances[admittance].size.carried > 0;
}

static bool only_constrained(const StiNetwork *network)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const StiWire *wire = &network->reactions[i].wire.wire;
        const int ends[2] = {wire->a.admittance, wire->b.admittance};
        for (int k = 0; k < 2; ++k)
            if (ends[k] >= 0 && !is_constrained(network, ends[k])) return false;
    }
    return network->reaction_count > 0;
}

void sti_affine_take(StiArena *arena, const StiNetwork *network, AffineData *data)
{
    const int rows = network->row_count, all = network->generalized_count;
    const double numbers = (double)rows * (2.0 * all + network->carried_count);
    if (!only_constrained(network) || numbers > NUMBERS_MOST) return;
    data->applies = true;
    data->force = sti_arena_numbers(arena, rows * all);
    data->dv = sti_arena_numbers(arena, rows * all);
    data->carried = sti_arena_numbers(arena, rows * network->carried_count);
    data->free_carried = sti_arena_numbers(arena, network->carried_count);
    data->all_carried = sti_arena_numbers(arena, network->carried_count);
    data->columns = sti_arena_take(arena, (size_t)rows + 1, sizeof *data->columns);
    data->first = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
    data->last = sti_arena_take(arena, (size_t)rows + 1, sizeof(int));
}

static StiStatus prepare(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!is_constrained(network, i)) continue;
        const StiStatus status =
            a->kind->constrained->prepare(a->parameters, now->x + a->q, now->x + a->v,
                                          now->ports + a->port,
                                          scratch->reactions->response.prepared + a->prepared);
        if (status != STI_OK) return sti_fault(scratch, status, a->name, "inertia", &now->stage);
    }
    return STI_OK;
}

// Where the force of a row is not zero.
static void find_span(const AffineData *data, int all, int row)
{
    const double *force = data->force + row * all;
    int first = 0, last = all;
    while (first < last && force[first] == 0.0) ++first;
    while (last > first && force[last - 1] == 0.0) --last;
    data->first[row] = first;
    data->last[row] = last;
}

static StiResponseColumn column_of(const StiNetwork *network, const AffineData *data, int row,
                                   const Admittance *a)
{
    const int all = network->generalized_count;
    return (StiResponseColumn){data->force + row * all + a->generalized,
                               data->dv + row * all + a->generalized,
                               data->carried + row * network->carried_count + a->carried};
}

// The force of a unit resistance in one direction of a wire.
static void collect(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                    const Wire *wire, int d, int row)
{
    const Response *response = &scratch->reactions->response;
    double unit[STI_REACTION_DIM_MAX] = {0.0};
    int bodies[2];
    const int count = sti_wire_bodies(network, &wire->wire, bodies);
    unit[d] = 1.0;
    for (int k = 0; k < count; ++k) {
        const Admittance *a = &network->admittances[bodies[k]];
        memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof(double));
        memset(response->wrenches + a->link, 0, (size_t)a->size.links * sizeof(StiWrench));
    }
    sti_wire_push(network, wire, now, unit, response->force, response->wrenches);
    for (int k = 0; k < count; ++k) {
        const Admittance *a = &network->admittances[bodies[k]];
        const StiForce force = {response->force + a->generalized, response->wrenches + a->link};
        StiResponseColumn column = column_of(network, &sti_sweeps(scratch)->affine, row, a);
        a->kind->constrained->collect(a->parameters, response->prepared + a->prepared, &force,
                                      &column);
    }
    find_span(&sti_sweeps(scratch)->affine, network->generalized_count, row);
}

// Rows that push a body respond together.
static void respond(const StiNetwork *network, StiScratch *scratch, int admittance)
{
    const AffineData *data = &sti_sweeps(scratch)->affine;
    const Admittance *a = &network->admittances[admittance];
    int columns = 0;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        int bodies[2];
        const int count = sti_wire_bodies(network, &e->wire.wire, bodies);
        const bool pushes =
            (count > 0 && bodies[0] == admittance) || (count > 1 && bodies[1] == admittance);
        for (int d = 0; pushes && d < e->size.dim; ++d)
            data->columns[columns++] = column_of(network, data, e->row + d, a);
    }
    a->kind->constrained->respond(a->parameters,
                                  scratch->reactions->response.prepared + a->prepared, columns,
                                  data->columns);
}

static double inner(const double *a, const double *b, int from, int to)
{
    double sum = 0.0;
    for (int i = from; i < to; ++i) sum += a[i] * b[i];
    return sum;
}

// W = J H^-1 J^T, force = -J^T. Neighbours that come later have the same numbers in their own
// block.
static void fill_block(const StiNetwork *network, StiScratch *scratch, int i, int j)
{
    const AffineData *data = &sti_sweeps(scratch)->affine;
    const Reaction *e = &network->reactions[i];
    const Reaction *other = &network->reactions[sti_neighbour(e, j)];
    const int all = network->generalized_count;
    double *block = scratch->reactions->W + sti_neighbour_block(e, j);
    const double *same = NULL;
    for (int k = 0; other->row < e->row && k < other->neighbour_count; ++k)
        if (sti_neighbour(other, k) == i)
            same = scratch->reactions->W + sti_neighbour_block(other, k);
    for (int d = 0; d < e->size.dim; ++d)
        for (int k = 0; k < other->size.dim; ++k)
            block[d * other->size.dim + k] =
                same != NULL
                    ? same[k * e->size.dim + d]
                    : inner(data->force + (e->row + d) * all, data->dv + (other->row + k) * all,
                            data->first[e->row + d], data->last[e->row + d]);
}

StiStatus sti_affine_inertia(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const StiStatus status = prepare(network, scratch, now);
    if (status != STI_OK) return status;
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        for (int d = 0; d < e->size.dim; ++d)
            collect(network, scratch, now, &e->wire, d, e->row + d);
    }
    for (int i = 0; i < network->admittance_count; ++i)
        if (is_constrained(network, i)) respond(network, scratch, i);
    for (int i = 0; i < network->reaction_count; ++i)
        for (int j = 0; j < network->reactions[i].neighbour_count; ++j)
            fill_block(network, scratch, i, j);
    return STI_OK;
}

StiStatus sti_affine_accelerate(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i) {
        const Admittance *a = &network->admittances[i];
        const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
        if (!is_constrained(network, i)) {
            status = sti_admittance(network, scratch, now, i);
            continue;
        }
        status =
            a->kind->constrained->accelerate(a->parameters, &now->stage,
                                             scratch->reactions->response.prepared + a->prepared,
                                             &uhat, now->xdot + a->v,
                                             sti_sweeps(scratch)->affine.free_carried + a->carried);
        if (status != STI_OK)
            return sti_fault(scratch, status, a->name, "acceleration", &now->stage);
    }
    return status;
}

void sti_affine_free_rates(const StiNetwork *network, StiScratch *scratch, const StageData *now)
{
    const AffineData *data = &sti_sweeps(scratch)->affine;
    double *v = scratch->reactions->response.dv; // laid out like generalized
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        double *own = scratch->next + a->v;
        if (!is_constrained(network, i)) continue;
        a->kind->constrained->fit(a->parameters,
                                  scratch->reactions->response.prepared + a->prepared,
                                  now->ports + a->port, own);
        memcpy(v + a->generalized, own, (size_t)a->size.velocities * sizeof *v);
    }
    for (int row = 0; row < network->row_count; ++row)
        scratch->reactions->free_rate[row] = -inner(data->force + row * network->generalized_count,
                                                    v, data->first[row], data->last[row]);
}

static void take_carried(const StiNetwork *network, const StiScratch *scratch)
{
    const AffineData *data = &sti_sweeps(scratch)->affine;
    const int count = network->carried_count;
    memcpy(data->all_carried, data->free_carried, (size_t)count * sizeof *data->all_carried);
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0; d < network->reactions[i].size.dim; ++d) {
            const double r = scratch->reactions->answers[i].r[d];
            const double *column = data->carried + (network->reactions[i].row + d) * count;
            for (int k = 0; k < count; ++k) data->all_carried[k] += r * column[k];
        }
}

StiStatus sti_affine_loads(const StiNetwork *network, StiScratch *scratch, StageData *now)
{
    StiStatus status = STI_OK;
    take_carried(network, scratch);
    for (int i = 0; i < network->admittance_count && status == STI_OK; ++i) {
        const Admittance *a = &network->admittances[i];
        double *loads = scratch->evaluate->new_loads + a->load;
        if (!is_constrained(network, i)) { // no reaction acts on it
            if (a->size.loads > 0) status = sti_admittance(network, scratch, now, i);
            continue;
        }
        a->kind->constrained->loads(a->parameters,
                                    scratch->reactions->response.prepared + a->prepared,
                                    now->x + a->v, now->ports + a->port,
                                    sti_sweeps(scratch)->affine.all_carried + a->carried, loads);
        if (!sti_all_finite(loads, a->size.loads))
            return sti_fault(scratch, STI_NOT_FINITE, a->name, "load", &now->stage);
    }
    return status;
}

void sti_affine_advance(const StiNetwork *network, StiScratch *scratch)
{
    const AffineData *data = &sti_sweeps(scratch)->affine;
    for (int i = 0; i < network->reaction_count; ++i)
        for (int d = 0; d < network->reactions[i].size.dim; ++d) {
            const double change = network->step * scratch->reactions->answers[i].r[d];
            const double *dv =
                data->dv + (network->reactions[i].row + d) * network->generalized_count;
            for (int k = 0; change != 0.0 && k < network->admittance_count; ++k) {
                const Admittance *a = &network->admittances[k];
                for (int j = 0; is_constrained(network, k) && j < a->size.velocities; ++j)
                    scratch->next[a->v + j] += change * dv[a->generalized + j];
            }
        }
}
