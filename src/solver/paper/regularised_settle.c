// What the recorder sees of a step, and what the state remembers of it.
#include <string.h>

#include "solver/paper/regularised.h"

static void read_points(const StiNetwork *network, StiScratch *scratch)
{
    const RegularData *data = regular_data(scratch);
    StiStepFigures *figures = &scratch->figures;
    figures->points = 0;
    figures->points_lost = scratch->contacts->lost;
    for (int i = 0; i < data->node_count; ++i) {
        const RegularNode *node = &data->nodes[i];
        if (!node->point) continue;
        ContactPoint *point = &scratch->contacts->points[node->index];
        const StiVec3 directions[3] = {point->tangent[0], point->tangent[1], point->touch.normal};
        point->velocity = (StiVec3){0.0, 0.0, 0.0};
        for (int d = 0; d < 3; ++d)
            point->velocity =
                sti_vec3_add_scaled(point->velocity,
                                    sti_regular_velocity(network, &data->rows[node->row + d],
                                                         scratch->next),
                                    directions[d]);
        figures->points += point->mode != STI_BLOCK_OPEN;
        figures->reaction_power += sti_vec3_dot(point->force, point->velocity);
    }
}

static void settle_friction(const StiNetwork *network, StiScratch *scratch, int i)
{
    const Reaction *e = &network->reactions[i];
    const StageData *now = &scratch->stages[0];
    const StiReactionAnswer *answer = &scratch->reactions->answers[i];
    FrictionMemory *memory = sti_friction_memory(network, i, next_s(scratch));
    const StiReactionProblem problem = {.dim = e->size.dim,
                                        .T = network->step,
                                        .v = now->velocity + e->wire.v,
                                        .signals = now->ports + e->port};
    if (e->kind->settle != NULL)
        e->kind->settle(e->parameters, &problem, answer, next_s(scratch) + e->s);
    for (int d = 0; d < e->size.dim; ++d) {
        if (memory->known != 1.0 || !answer->stuck)
            memory->anchor[d] = now->position[e->wire.x + d]; // (24)
        scratch->figures.reaction_power -= answer->r[d] * now->velocity[e->wire.v + d];
    }
    memory->known = 1.0;
    memory->torque = regular_data(scratch)->torque[i];
}

void sti_regular_settle(const StiNetwork *network, StiScratch *scratch)
{
    memcpy(next_s(scratch), scratch->reactions->s, (size_t)network->s_count * sizeof(double));
    scratch->figures.reaction_power = 0.0;
    read_points(network, scratch);
    for (int i = 0; i < network->reaction_count; ++i) settle_friction(network, scratch, i);
    sti_contacts_settle(network, network->step, scratch->contacts, next_s(scratch));
    sti_settle_impedances(network, scratch, &scratch->stages[0]);
}
