#include "network/network.h"

#include <string.h>

double sti_network_step(const StiNetwork *network) { return network->step; }

double sti_network_time(const StiNetwork *network, int64_t k)
{
    return network->start + (double)k * network->step;
}

const StiMethod *sti_network_method(const StiNetwork *network) { return network->method; }

const char *sti_network_why_method(const StiNetwork *network) { return network->why_method; }

bool sti_network_has_reactions(const StiNetwork *network) { return network->resolves; }

const StiSolver *sti_network_solver(const StiNetwork *network) { return network->solver; }

uint64_t sti_network_layout(const StiNetwork *network) { return network->layout; }

int sti_network_input_count(const StiNetwork *network) { return network->input_count; }

int sti_network_input(const StiNetwork *network, const char *name)
{
    for (int i = 0; i < network->source_count; ++i)
        if (network->sources[i].input >= 0 && strcmp(network->sources[i].name, name) == 0)
            return network->sources[i].input;
    return -1;
}

void sti_network_usual_inputs(const StiNetwork *network, double *values)
{
    for (int i = 0; i < network->source_count; ++i) {
        const Source *source = &network->sources[i];
        for (int j = 0; source->input >= 0 && j < source->count; ++j)
            values[source->input + j] = source->usual != NULL ? source->usual[j] : 0.0;
    }
}
