// W of the reactions: what a unit resistance of one does to the velocities of its neighbours.
#include "rows/reactions.h"

ReactionData *sti_reactions_take(StiArena *arena, const StiNetwork *n)
{
    ReactionData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    const size_t rows = (size_t)n->row_count + 1, reactions = (size_t)n->reaction_count + 1;
    sti_response_take(arena, n, &data->response);
    data->W = sti_arena_numbers(arena, n->W_count);
    data->free_rate = sti_arena_numbers(arena, n->row_count);
    data->rate = sti_arena_numbers(arena, n->row_count);
    data->answers = sti_arena_take(arena, reactions, sizeof *data->answers);
    data->s = sti_arena_numbers(arena, n->s_count);
    data->factor = sti_arena_numbers(arena, n->envelope_count);
    data->factor_first = sti_arena_take(arena, rows, sizeof(int));
    data->factor_start = sti_arena_take(arena, rows, sizeof(int));
    data->arrested = sti_arena_take(arena, reactions, sizeof(bool));
    data->chosen = sti_arena_take(arena, reactions, sizeof(bool));
    data->place = sti_arena_take(arena, reactions, sizeof(int));
    data->rows = sti_arena_take(arena, rows, sizeof(int));
    data->owner = sti_arena_take(arena, rows, sizeof(int));
    data->known = sti_arena_take(arena, (size_t)n->generalized_count + 1, sizeof(bool));
    return data;
}

StiStatus sti_bodies_prepare(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                             const bool *locked)
{
    int culprit = 0;
    const StiStatus status =
        sti_response_prepare(network, now, locked, &scratch->reactions->response, &culprit);
    if (status == STI_OK) return STI_OK;
    return sti_fault(scratch, status, network->admittances[culprit].name, "inertia", &now->stage);
}

// Against those of its first neighbours that are chosen (NULL: all).
static void fill_blocks(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                        const Reaction *e, int neighbours, const bool *chosen)
{
    const Response *response = &scratch->reactions->response;
    for (int d = 0; d < e->size.dim; ++d) {
        double unit[STI_REACTION_DIM_MAX] = {0.0};
        unit[d] = 1.0;
        sti_response_push(network, now, response, &e->wire, unit);
        for (int j = 0; j < neighbours; ++j) {
            const Reaction *other = &network->reactions[sti_neighbour(e, j)];
            if (chosen != NULL && !chosen[sti_neighbour(e, j)]) continue;
            double *row = scratch->reactions->W + sti_neighbour_block(e, j) + d * other->size.dim;
            double *position = scratch->end.position + other->wire.x; // not needed here
            sti_response_sense(network, now, response, &e->wire, &other->wire, position, row);
            for (int k = 0; k < other->size.dim; ++k) row[k] = -row[k];
        }
    }
}

void sti_reaction_blocks(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                         const bool *chosen)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        if (chosen == NULL || chosen[i])
            fill_blocks(network, scratch, now, e, e->neighbour_count, chosen);
    }
}

void sti_reaction_own_block(const StiNetwork *network, StiScratch *scratch, const StageData *now,
                            int reaction)
{
    fill_blocks(network, scratch, now, &network->reactions[reaction], 1, NULL);
}

void sti_reaction_row_of_blocks(const StiNetwork *network, StiScratch *scratch,
                                const StageData *now, int reaction)
{
    const Reaction *e = &network->reactions[reaction];
    fill_blocks(network, scratch, now, e, e->neighbour_count, NULL);
}

StiStatus sti_reaction_inertia(const StiNetwork *network, StiScratch *scratch)
{
    const StageData *now = &scratch->stages[0];
    const StiStatus status = sti_bodies_prepare(network, scratch, now, NULL);
    if (status != STI_OK) return status;
    sti_reaction_blocks(network, scratch, now, NULL);
    return STI_OK;
}
