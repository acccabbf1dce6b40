#include "evaluate/departure_guide.h"

#include "law/norm.h"

DepartureGuide *sti_departure_guide_take(StiArena *arena, const StiNetwork *network)
{
    if (!network->method->cuts || !network->planar || network->place_count > 0) return NULL;
    DepartureGuide *guide = sti_arena_take(arena, 1, sizeof *guide);
    if (guide == NULL) return NULL;
    guide->middle = sti_arena_numbers(arena, network->row_count);
    guide->end = sti_arena_numbers(arena, network->row_count);
    return guide;
}

void sti_departure_direction(const DepartureGuide *guide, const Reaction *e, const double *kept,
                             double t, double *direction)
{
    const double x = (t - guide->from) / guide->length;
    const double first = (1.0 - x) * (1.0 - 2.0 * x), middle = 4.0 * x * (1.0 - x);
    const double last = x * (2.0 * x - 1.0);
    for (int d = 0; d < e->size.dim; ++d)
        direction[d] =
            first * kept[d] + middle * guide->middle[e->row + d] + last * guide->end[e->row + d];
    const double size = sti_norm(e->size.dim, direction);
    for (int d = 0; d < e->size.dim; ++d) direction[d] = size > 0.0 ? direction[d] / size : kept[d];
}
