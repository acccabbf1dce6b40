// Bodies other than robots: W = T J H^-1 J^T body by body, because only rows on one body feel each
// other through it; and what the rows' forces do to them in the end.
#include <string.h>

#include "step/coupled.h"

// ---- who pushes on whom -------------------------------------------------------------------------

// The sides on body i stand from first[i] to first[i + 1], in the order of the rows.
static void sort_sides(const StiNetwork *network, CoupledData *data)
{
    const size_t bodies = (size_t)network->admittance_count;
    int *next = data->body_first + 1; // counts, then moves on while sides are put in their places
    memset(data->body_first, 0, (bodies + 2) * sizeof *next);
    for (const Row *row = data->rows; row < data->rows + data->row_count; ++row)
        for (int j = 0; j < 2; ++j)
            if (row->sides[j].responds) ++next[row->sides[j].admittance + 1];
    for (size_t i = 0; i < bodies; ++i) next[i + 1] += next[i];
    for (int i = 0; i < data->row_count; ++i) {
        double *W = data->W_fixed + (size_t)i * (size_t)data->row_count;
        for (int j = 0; j < 2; ++j) {
            const RowSide *side = &data->rows[i].sides[j];
            if (side->responds) data->body_sides[next[side->admittance]++] = (BodySide){i, side, W};
        }
    }
}

// ---- W ------------------------------------------------------------------------------------------

static bool push_on_link(const BodySide *sides, int count)
{
    for (int i = 0; i < count; ++i)
        if (sides[i].side->frame < 0) return false;
    return true;
}

// Both sides of one row may be on the same body: they feel each other both ways.
static int first_felt(const BodySide *sides, int i)
{
    return i > 0 && sides[i - 1].row == sides[i].row ? i - 1 : i;
}

static void body_of_one_link(const StiNetwork *network, StiScratch *scratch, const Admittance *body,
                             const BodySide *sides, int count)
{
    const double *prepared = scratch->reactions.response.prepared + body->prepared;
    const double T = network->step;
    for (int i = 0; i < count; ++i) {
        StiFrame link;
        const int column = sides[i].row;
        body->kind->yield(body->parameters, prepared, &sides[i].side->wrench, &link);
        const StiTwist twist = {link.w, link.v};
        for (int k = first_felt(sides, i); k < count; ++k)
            sides[k].W[column] += T * sti_wrench_power(sides[k].side->wrench, twist);
    }
}

// The velocities of a body per unit force of a row's side; its links move along where wires or
// shapes are attached to them.
static void respond_to(const StiNetwork *network, StiScratch *scratch, const RowSide *side)
{
    const StageData *now = &scratch->stages[0];
    const Response *response = &scratch->reactions.response;
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

static void any_body(const StiNetwork *network, StiScratch *scratch, const Admittance *body,
                     const BodySide *sides, int count)
{
    for (int i = 0; i < count; ++i) {
        respond_to(network, scratch, sides[i].side);
        for (int k = first_felt(sides, i); k < count; ++k)
            sides[k].W[sides[i].row] +=
                network->step * felt_by(body, &scratch->reactions.response, sides[k].side);
    }
}

void sti_coupled_bodies(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    sort_sides(network, data);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *body = &network->admittances[i];
        const BodySide *sides = data->body_sides + data->body_first[i];
        const int count = data->body_first[i + 1] - data->body_first[i];
        if (count == 0) continue;
        if (body->kind->yield != NULL && push_on_link(sides, count))
            body_of_one_link(network, scratch, body, sides, count);
        else
            any_body(network, scratch, body, sides, count);
    }
}

// ---- what the forces do in the end --------------------------------------------------------------

void sti_coupled_respond(const StiNetwork *network, StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    const Response *response = &scratch->reactions.response;
    if (data->only_robots) return;
    memset(response->force, 0, (size_t)network->generalized_count * sizeof *response->force);
    memset(response->wrenches, 0, (size_t)network->link_count * sizeof *response->wrenches);
    for (int i = 0; i < data->row_count; ++i)
        for (int j = 0; j < 2; ++j) {
            const RowSide *side = &data->rows[i].sides[j];
            if (!side->responds) continue;
            if (side->frame >= 0)
                response->wrenches[side->frame] =
                    sti_wrench_add_scaled(response->wrenches[side->frame], data->f[i],
                                          side->wrench);
            else
                response->force[network->admittances[side->admittance].generalized +
                                side->coordinate] += data->f[i] * side->gain;
        }
    for (int i = 0; i < network->admittance_count; ++i)
        if (data->responds[i]) sti_response_of(network, &scratch->stages[0], response, i);
}
