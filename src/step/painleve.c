// When friction and loads do not settle: the body that has the loads is asked why. EQUATIONS 4.4
#include <string.h>

#include "step/evaluate.h"

static const Admittance *owner_of(const StiNetwork *network, int load)
{
    for (int i = network->admittance_count - 1; i >= 0; --i)
        if (load >= network->admittances[i].load && network->admittances[i].size.loads > 0)
            return &network->admittances[i];
    return NULL;
}

// Coulomb friction per unit of load, of the reactions that listen to each load of a body; 0 elsewhere.
static void coefficients(const StiNetwork *network, const StageData *now, const Admittance *a,
                         double *mu)
{
    memset(mu, 0, (size_t)a->size.loads * sizeof *mu);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double unit = 1.0, v = now->velocity[e->wire.v];
        if (!e->reads_load || e->kind->modes == NULL || e->connections.count != 1) continue;
        const Connection *c = &e->connections.items[0];
        const int load = c->index - a->load;
        if (c->from == FROM_LOAD && load >= 0 && load < a->size.loads)
            mu[load] += c->gain * e->kind->modes->level(e->parameters, v < 0.0 ? -v : v,
                                                        v < 0.0 ? -1.0 : 1.0, &unit);
    }
}

static StiStatus ask(const StiNetwork *network, StiScratch *scratch, StageData *now,
                     const Admittance *a, int *load)
{
    if (a->kind->judge == NULL || network->reaction_count == 0) return STI_LOADS_UNSETTLED;
    double *mu = scratch->new_loads + a->load; // not needed any more
    coefficients(network, now, a, mu);
    sti_phi(network, now); // the smooth forces alone
    const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
    return a->kind->judge(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                          now->ports + a->port, &uhat, mu, load);
}

static StiStatus fault_at(StiScratch *scratch, StiStatus why, const Admittance *a, int load,
                          const StageData *now)
{
    const StiChannelInfo *names =
        a != NULL && a->kind->load_channels != NULL ? a->kind->load_channels(a->parameters) : NULL;
    return sti_fault(scratch, why, a != NULL ? a->name : "",
                     names != NULL ? names[load].name : "load", &now->stage);
}

StiStatus sti_loads_suspect(const StiNetwork *network, StiScratch *scratch, StageData *now,
                            int worst)
{
    const Admittance *a = owner_of(network, worst);
    int load = a != NULL ? worst - a->load : 0;
    if (a == NULL || a->kind->judge == NULL) return STI_OK;
    const StiStatus why = ask(network, scratch, now, a, &load);
    if (why != STI_NO_SOLUTION && why != STI_SEVERAL_SOLUTIONS) return STI_OK;
    scratch->figures.loads_gave_up = why;
    return network->goes_on ? STI_OK : fault_at(scratch, why, a, load, now);
}

bool sti_loads_given_up(const StiNetwork *network, StiScratch *scratch, StageData *now, int worst,
                        StiStatus *status)
{
    const Admittance *a = owner_of(network, worst);
    int load = a != NULL ? worst - a->load : 0;
    const StiStatus why = a != NULL ? ask(network, scratch, now, a, &load) : STI_LOADS_UNSETTLED;
    if (network->goes_on) {
        scratch->figures.loads_gave_up = why;
        scratch->gave_up = true;
        memcpy(now->loads, scratch->start_loads, (size_t)network->load_count * sizeof *now->loads);
        return true;
    }
    *status = fault_at(scratch, why, a, load, now);
    return false;
}
