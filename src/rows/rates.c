#include "rows/rates.h"

#include <string.h>

static void pose_source(const Admittance *a, const StageData *now, bool moves,
                        const Response *response)
{
    StiFrame *frames = response->frames + a->link;
    memcpy(response->dv + a->generalized,
           moves ? now->ports + a->port + a->dim : response->still + a->generalized,
           (size_t)a->dim * sizeof(double));
    if (!a->posed) return;
    memcpy(frames, now->frames + a->link, (size_t)a->size.links * sizeof *frames);
    for (int k = 0; k < a->size.links && !moves; ++k)
        frames[k].v = frames[k].w = (StiVec3){0.0, 0.0, 0.0};
}

void sti_rates_pose(const StiNetwork *network, const StageData *now, bool sources_move,
                    const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->kind->prescribed)
            pose_source(a, now, sources_move, response);
        else if (a->posed)
            a->kind->pose(a->parameters, now->x + a->q, response->dv + a->generalized,
                          now->ports + a->port, response->frames + a->link);
    }
}

static double coordinate(const StiNetwork *network, const Response *response, const StiEnd *end,
                         int d)
{
    return end->admittance < 0
               ? 0.0
               : response->dv[network->admittances[end->admittance].generalized + end->place + d];
}

void sti_rates_accelerate(const StiNetwork *network, const StageData *now, const Response *response)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (!a->kind->prescribed)
            memcpy(response->dv + a->generalized, now->xdot + a->v,
                   (size_t)a->dim * sizeof(double));
    }
    sti_rates_pose(network, now, false, response);
}

void sti_rates_sense(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                     const Wire *wire, double *rate)
{
    const Response *response = &scratch->reactions->response;
    if (wire->wire.kind->coordinates) {
        for (int d = 0; d < wire->wire.dim; ++d)
            rate[d] = coordinate(network, response, &wire->wire.a, d) -
                      coordinate(network, response, &wire->wire.b, d);
        return;
    }
    const StiEnd *ends[2] = {&wire->wire.a, &wire->wire.b};
    StiSide sides[2];
    for (int i = 0; i < 2; ++i) {
        sides[i] = sti_side(network, &wire->wire, ends[i], now);
        if (ends[i]->admittance < 0) continue;
        const Admittance *a = &network->admittances[ends[i]->admittance];
        sides[i].v = response->dv + a->generalized;
        if (wire->wire.kind->links) sides[i].link = &response->frames[a->link + ends[i]->place];
    }
    wire->wire.kind->sense(&wire->wire, &sides[0], &sides[1], scratch->end.position + wire->x,
                           rate);
}
