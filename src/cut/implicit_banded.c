// The implicit part of elastic friction between bodies, row by row: a row moves its own bodies only, so that
// I + tau sqrt(Z) W sqrt(Z) is a matrix within an envelope, and a pile or a chain costs as much as it is long.
#include <math.h>
#include <string.h>

#include "algebra/skyline.h"
#include "cut/slopes.h"
#include "cut/substep.h"
#include "rows/rates.h"

// ---- which rows feel each other, once per scratch ---------------------------------------------------

static bool is_row(const Impedance *e)
{
    return sti_is_implicit(e) && !e->diagonal;
}

static bool touch(const StiNetwork *network, const SubstepRow *a, const SubstepRow *b)
{
    int of_a[2], of_b[2];
    const int count_a = sti_wire_bodies(network, &a->wire->wire, of_a);
    const int count_b = sti_wire_bodies(network, &b->wire->wire, of_b);
    for (int i = 0; i < count_a; ++i)
        for (int j = 0; j < count_b; ++j)
            if (of_a[i] == of_b[j]) return true;
    return false;
}

static int degree(const StiNetwork *network, const NearRows *near, int row)
{
    int sum = 0;
    for (int i = 0; i < near->count; ++i) sum += touch(network, &near->rows[i], &near->rows[row]);
    return sum;
}

static void put_at(NearRows *near, int *degrees, int from, int to)
{
    const SubstepRow row = near->rows[from];
    const int neighbours = degrees[from];
    memmove(&near->rows[to + 1], &near->rows[to], (size_t)(from - to) * sizeof *near->rows);
    memmove(&degrees[to + 1], &degrees[to], (size_t)(from - to) * sizeof *degrees);
    near->rows[to] = row;
    degrees[to] = neighbours;
}

// Cuthill and McKee: from a row with few neighbours, then breadth first.
static void order_rows(const StiNetwork *network, NearRows *near, int *degrees)
{
    for (int i = 0; i < near->count; ++i) degrees[i] = degree(network, near, i);
    for (int done = 0, front = 0; done < near->count; ++front) {
        if (front == done) { // a new island
            int best = done;
            for (int i = done + 1; i < near->count; ++i)
                if (degrees[i] < degrees[best]) best = i;
            put_at(near, degrees, best, done++);
        }
        for (int i = done; i < near->count; ++i)
            if (touch(network, &near->rows[front], &near->rows[i]))
                put_at(near, degrees, i, done++);
    }
}

static int lay_out(const StiNetwork *network, NearRows *near)
{
    int size = 0;
    for (int i = 0; i < near->count; ++i) {
        near->first[i] = i;
        for (int k = i - 1; k >= 0; --k)
            if (touch(network, &near->rows[i], &near->rows[k])) near->first[i] = k;
        near->start[i] = size;
        size += i - near->first[i] + 1;
    }
    return size;
}

void sti_near_take(StiArena *arena, const StiNetwork *network, NearRows *near)
{
    const size_t most = (size_t)(network->impedance_count + network->reaction_count) + 1;
    near->rows = sti_arena_take(arena, most, sizeof *near->rows);
    near->first = sti_arena_take(arena, most, sizeof *near->first);
    near->start = sti_arena_take(arena, most, sizeof *near->start);
    int *degrees = sti_arena_take(arena, most, sizeof *degrees);
    if (arena->failed) return;
    near->possible = true;
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        if (!is_row(e)) continue;
        near->rows[near->count++] = (SubstepRow){&e->wire, i, 0, false};
        near->possible = near->possible && e->wire.size.velocities == 1;
    }
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (e->steep && !e->bends && !e->diagonal)
            near->rows[near->count++] = (SubstepRow){&e->wire, i, 0, true};
    }
    near->possible = near->possible && near->count > 1 && network->contact_count == 0;
    if (!near->possible) return;
    order_rows(network, near, degrees);
    const int size = lay_out(network, near);
    near->W = sti_arena_numbers(arena, size);
    near->factor = sti_arena_numbers(arena, size);
    near->root = sti_arena_numbers(arena, near->count);
    near->phi = sti_arena_numbers(arena, near->count);
    near->column_start = sti_arena_take(arena, most, sizeof *near->column_start);
    if (arena->failed) return;
    int numbers = 0;
    for (int i = 0; i < near->count; ++i) {
        int bodies[2];
        const int count = sti_wire_bodies(network, &near->rows[i].wire->wire, bodies);
        near->column_start[i] = numbers;
        for (int b = 0; b < count; ++b) numbers += network->admittances[bodies[b]].dim;
    }
    near->columns = sti_arena_numbers(arena, numbers);
}

// ---- the columns of one point ---------------------------------------------------------------------

// Friction in a plane, and stuck rows that no body holds, tie rows that do not touch.
static bool applies(const StiNetwork *network, StiScratch *scratch)
{
    const SubstepData *data = scratch->substep;
    if (!data->near.possible) return false;
    sti_modes_hold_coordinates(network, data->s, scratch);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if ((e->size.dim > 1 || e->bends) && data->s[e->s] == STI_SLIP) return false;
    }
    return scratch->holding->outside == 0;
}

// How the bodies of a row respond to it, and what the rows before feel of that.
static void fill_row(const StiNetwork *network, StiScratch *scratch, int i)
{
    NearRows *near = &scratch->substep->near;
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions->response;
    const Wire *wire = near->rows[i].wire;
    const double unit = 1.0;
    double *column = near->columns + near->column_start[i];
    int bodies[2];
    const int count = sti_wire_bodies(network, &wire->wire, bodies);
    sti_response_push(network, now, response, wire, &unit);
    for (int b = 0; b < count; ++b) {
        const Admittance *a = &network->admittances[bodies[b]];
        memcpy(column, response->dv + a->generalized, (size_t)a->dim * sizeof *column);
        column += a->dim;
    }
    for (int k = near->first[i]; k <= i; ++k) {
        const Wire *other = near->rows[k].wire;
        double rate = 0.0;
        if (touch(network, &near->rows[i], &near->rows[k]))
            sti_response_sense(network, now, response, wire, other,
                               scratch->end.position + other->x, &rate);
        near->W[near->start[i] + k - near->first[i]] = -rate;
    }
}

StiStatus sti_near_columns(const StiNetwork *network, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    if (data->columns_known) return STI_OK;
    data->near.applies = applies(network, scratch);
    if (!data->near.applies) return STI_OK;
    const StiStatus status = sti_bodies_prepare(network, scratch, now, scratch->holding->held);
    if (status != STI_OK) return status;
    for (int i = 0; i < data->near.count; ++i) fill_row(network, scratch, i);
    data->columns_known = true;
    data->elastic = data->near.count;
    data->planar = 0;
    return STI_OK;
}

// ---- factors and solutions ------------------------------------------------------------------------

bool sti_near_factor(const StiNetwork *network, StiScratch *scratch, double tau)
{
    NearRows *near = &scratch->substep->near;
    for (int i = 0; i < near->count; ++i) {
        const SubstepRow *row = &near->rows[i];
        double Z;
        if (row->reaction)
            Z = sti_slope_of_reaction(scratch, row->element, tau);
        else
            sti_slope_of_impedance(scratch, &network->impedances[row->element], tau, &Z);
        near->root[i] = sqrt(Z);
    }
    for (int i = 0; i < near->count; ++i)
        for (int k = near->first[i]; k <= i; ++k) {
            const int place = near->start[i] + k - near->first[i];
            near->factor[place] = (i == k) + tau * near->root[i] * near->W[place] * near->root[k];
        }
    return sti_skyline_factor(near->count, near->first, near->start, 0.0, near->factor);
}

static double carried(const StiNetwork *network, const StiScratch *scratch, const double *y, int i)
{
    const SubstepRow *row = &scratch->substep->near.rows[i];
    double k = 0.0;
    if (!row->reaction)
        sti_carried_by_impedance(scratch, &network->impedances[row->element], y, &k);
    return k;
}

// phi := (I + tau Z W)^-1 phi = root (I + tau root W root)^-1 phi/root; where Z = 0 it stays.
static void solve(NearRows *near)
{
    double *phi = near->phi;
    for (int i = 0; i < near->count; ++i)
        if (near->root[i] > 0.0) phi[i] /= near->root[i];
    sti_skyline_solve(near->count, near->first, near->start, near->factor, phi);
    for (int i = 0; i < near->count; ++i)
        if (near->root[i] > 0.0) phi[i] *= near->root[i];
}

// v += share sum of columns phi; v: laid out like generalized.
static void add_columns(const StiNetwork *network, const NearRows *near, double share, double *v)
{
    for (int i = 0; i < near->count; ++i) {
        const double *column = near->columns + near->column_start[i];
        int bodies[2];
        const int count = sti_wire_bodies(network, &near->rows[i].wire->wire, bodies);
        for (int b = 0; b < count; ++b) {
            const Admittance *a = &network->admittances[bodies[b]];
            for (int d = 0; d < a->dim; ++d)
                v[a->generalized + d] += share * near->phi[i] * *column++;
        }
    }
}

// Z times the velocities of the rows when the bodies move with v.
static void sense(const StiNetwork *network, StiScratch *scratch, const double *v,
                  bool sources_move)
{
    NearRows *near = &scratch->substep->near;
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions->response;
    memcpy(response->dv, v, (size_t)network->generalized_count * sizeof *v);
    sti_rates_pose(network, now, sources_move, response);
    for (int i = 0; i < near->count; ++i) {
        sti_rates_sense(network, scratch, now, near->rows[i].wire, &near->phi[i]);
        near->phi[i] *= near->root[i] * near->root[i];
    }
}

void sti_near_start(const StiNetwork *network, StiScratch *scratch, double tau, double *P)
{
    SubstepData *data = scratch->substep;
    NearRows *near = &data->near;
    const StageData *now = &scratch->stages[0];
    double *y = scratch->beside.y;
    for (int i = 0; i < network->y_count; ++i) y[i] = now->y[i] - tau * now->ydot[i];
    for (int i = 0; i < near->count; ++i) {
        const double v = now->velocity[near->rows[i].wire->v];
        near->phi[i] = near->root[i] * near->root[i] * v + carried(network, scratch, y, i);
    }
    memset(P, 0, (size_t)network->generalized_count * sizeof *P);
    add_columns(network, near, 1.0, P);
}

void sti_near_stage(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                    const double *vbar, double *P)
{
    SubstepData *data = scratch->substep;
    NearRows *near = &data->near;
    sense(network, scratch, vbar, true);
    for (int i = 0; i < near->count; ++i) near->phi[i] += carried(network, scratch, now->y, i);
    solve(near);
    memset(P, 0, (size_t)network->generalized_count * sizeof *P);
    add_columns(network, near, 1.0, P);
}

void sti_near_damp(const StiNetwork *network, StiScratch *scratch, double tau, double *v)
{
    NearRows *near = &scratch->substep->near;
    sense(network, scratch, v, false);
    solve(near);
    add_columns(network, near, tau, v);
}
