// What a drawing needs of a row: where links are, and what acts on them.
#include <string.h>

#include "record/recorder.h"

void sti_recorder_links(const StiRecorder *recorder, int body, StiFrame *links)
{
    if (body < 0 || body >= recorder->network->admittance_count) return;
    const Admittance *a = &recorder->network->admittances[body];
    const StageData *row = &recorder->row;
    a->kind->pose(a->parameters, row->x + a->q, row->x + a->v, row->ports + a->port, links);
}

// Through the wire itself, so that every kind of wire can be drawn.
static StiWrench push(StiRecorder *recorder, const Wire *wire, const double *u)
{
    const StiNetwork *n = recorder->network;
    const StiEnd *end = &wire->wire.a;
    StageData *row = &recorder->row;
    if (!wire->wire.kind->links || end->admittance < 0) return (StiWrench){0};
    memset(row->generalized, 0, (size_t)n->generalized_count * sizeof *row->generalized);
    memset(row->wrenches, 0, (size_t)n->link_count * sizeof *row->wrenches);
    sti_wire_push(n, wire, row, u, row->generalized, row->wrenches);
    return row->wrenches[n->admittances[end->admittance].link + end->place];
}

StiWrench sti_recorder_wrench(StiRecorder *recorder, int element)
{
    const StiNetwork *n = recorder->network;
    int i = element - n->admittance_count;
    if (i < 0) return (StiWrench){0};
    if (i < n->impedance_count)
        return n->impedances[i].wired ? push(recorder, &n->impedances[i].wire,
                                             recorder->row.u + n->impedances[i].wire.v)
                                      : (StiWrench){0};
    i -= n->impedance_count;
    if (i >= n->reaction_count) return (StiWrench){0};
    return push(recorder, &n->reactions[i].wire, recorder->resistances + n->reactions[i].row);
}
