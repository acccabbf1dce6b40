// When friction and loads do not settle: the body that has the loads is asked why. EQUATIONS 4.4
#include <math.h>
#include <string.h>

#include "evaluate/load_search.h"

static const Admittance *owner_of(const StiNetwork *network, int load)
{
    for (int i = network->admittance_count - 1; i >= 0; --i)
        if (load >= network->admittances[i].load && network->admittances[i].size.loads > 0)
            return &network->admittances[i];
    return NULL;
}

static double sign(double v) { return v < 0.0 ? -1.0 : 1.0; }

// The load of this body that an element listens to, where it listens to nothing else; else -1.
static int load_of(const Connections *connections, const Admittance *a)
{
    if (connections->count != 1 || connections->items[0].from != FROM_LOAD) return -1;
    const int load = connections->items[0].index - a->load;
    return load >= 0 && load < a->size.loads ? load : -1;
}

enum { MOST_SIGNALS = 32 };

// The signals of an element with another load, which is the first of them. False: there are too many.
static bool with_load(const double *ports, int count, double load, double *signals)
{
    if (count > MOST_SIGNALS) return false;
    for (int i = 1; i < count; ++i) signals[i] = ports[i];
    signals[0] = load;
    return true;
}

// Coulomb friction per unit of load, of the reactions that listen to each load of a body. Below zero
// where a trial has gone beyond the end of a mode: then it points along the motion.
static void add_reactions(const StiNetwork *network, const StiScratch *scratch,
                          const StageData *now, const Admittance *a, double *mu)
{
    for (int i = 0; i < network->reaction_count; ++i) {
        const Reaction *e = &network->reactions[i];
        const double v = now->velocity[e->wire.v];
        const int load = load_of(&e->connections, a);
        if (!e->reads_load || e->kind->modes == NULL || load < 0) continue;
        const double side =
            scratch->evaluate->modes != NULL ? scratch->evaluate->modes[e->s + 1] : sign(v);
        const bool against =
            scratch->evaluate->modes == NULL || side * scratch->beside.velocity[e->wire.v] > 0.0;
        double signals[MOST_SIGNALS];
        if (!with_load(now->ports + e->port, e->size.signals, 1.0, signals)) continue;
        mu[load] += (against ? 1.0 : -1.0) * e->connections.items[0].gain *
                    e->kind->modes->level(e->parameters, fabs(v), side, signals);
    }
}

// The force of an impedance at another value of its signal.
static StiStatus force_at(const StiNetwork *network, const StiScratch *scratch, const double *s,
                          const StageData *now, int i, double signal, double *u)
{
    const Impedance *e = &network->impedances[i];
    double signals[MOST_SIGNALS];
    if (!with_load(now->ports + e->port, e->size.signals, signal, signals)) return STI_BAD_ARGUMENT;
    const StiMotion xhat = {.x = now->position + e->wire.x,
                            .v = now->velocity + e->wire.v,
                            .signals = signals};
    return e->kind->eval(e->parameters, &now->stage, &xhat, now->y + e->y, s + e->s, u,
                         scratch->evaluate->kept_ydot + e->y);
}

// An impedance of one axis, linear in its load where it is: the part that follows the load into mu, the
// rest stays in u. False where its friction is of another sort.
static bool split_impedance(const StiNetwork *network, const StiScratch *scratch, const double *s,
                            StageData *now, int i, double *mu)
{
    const Impedance *e = &network->impedances[i];
    const double signal = now->ports[e->port], beside = signal * (1.0 + 1e-6);
    double u, u_beside;
    if (e->wire.size.velocities != 1 || e->kind->eval == NULL || signal == 0.0) return false;
    if (force_at(network, scratch, s, now, i, signal, &u) != STI_OK ||
        force_at(network, scratch, s, now, i, beside, &u_beside) != STI_OK)
        return false;
    const double slope = (u_beside - u) / (beside - signal), rest = u - slope * signal;
    const double along = slope * sign(now->velocity[e->wire.v]);
    if (along < 0.0) return false;
    *mu += along * e->connections.items[0].gain;
    now->u[e->wire.v] = fabs(rest) <= 1e-9 * fabs(u) ? 0.0 : rest;
    return true;
}

static bool add_impedances(const StiNetwork *network, const StiScratch *scratch, const double *s,
                           StageData *now, const Admittance *a, double *mu)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        const int load = load_of(&e->connections, a);
        if (!e->reads_load) continue;
        if (load < 0 || !(now->stage.tau > 0.0) ||
            !split_impedance(network, scratch, s, now, i, &mu[load]))
            return false;
    }
    return true;
}

// What acts on the bodies, with or without reactions in it, is set aside or put back.
static void move_forces(const StiNetwork *network, double *generalized, StiWrench *wrenches,
                        const double *from_generalized, const StiWrench *from_wrenches)
{
    memcpy(generalized, from_generalized, (size_t)network->generalized_count * sizeof *generalized);
    memcpy(wrenches, from_wrenches, (size_t)network->link_count * sizeof *wrenches);
}

// STI_OK: there is one solution. Leaves all forces as they were.
static StiStatus ask(const StiNetwork *network, StiScratch *scratch, StageData *now,
                     const Admittance *a, int *load)
{
    if (sti_load_all_stick(network, scratch, a)) return STI_OK;
    const double *v =
        a->kind->classify_solutions != NULL ? sti_load_directions(network, scratch, now, a) : NULL;
    if (v == NULL) return STI_LOADS_UNSETTLED;
    double *mu = scratch->evaluate->load_friction + a->load, *u = scratch->evaluate->kept_u;
    const size_t forces = (size_t)network->xhat_velocities * sizeof *u;
    memset(mu, 0, (size_t)a->size.loads * sizeof *mu);
    EvaluateData *data = scratch->evaluate;
    memcpy(u, now->u, forces);
    move_forces(network, data->kept_generalized, data->kept_wrenches, now->generalized,
                now->wrenches);
    add_reactions(network, scratch, now, a, mu);
    StiStatus why = STI_LOADS_UNSETTLED;
    if (add_impedances(network, scratch, scratch->evaluate->start_s, now, a, mu)) {
        sti_phi(network, now); // the forces that do not follow the loads
        const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
        why = a->kind->classify_solutions(a->parameters, &now->stage, now->x + a->q, v,
                                          now->ports + a->port, &uhat, mu, load);
    }
    memcpy(now->u, u, forces);
    move_forces(network, now->generalized, now->wrenches, data->kept_generalized,
                data->kept_wrenches);
    return why;
}

static StiStatus fault_at(StiScratch *scratch, StiStatus why, const Admittance *a, int load,
                          const StageData *now)
{
    const StiChannelInfo *names =
        a != NULL && a->kind->load_channels != NULL ? a->kind->load_channels(a->parameters) : NULL;
    return sti_fault(scratch, why, a != NULL ? a->name : "",
                     names != NULL ? names[load].name : "load", &now->stage);
}

bool sti_loads_unique(const StiNetwork *network, StiScratch *scratch, StageData *now, int worst)
{
    const Admittance *a = owner_of(network, worst);
    int load = a != NULL ? worst - a->load : 0;
    return a != NULL && ask(network, scratch, now, a, &load) == STI_OK;
}

StiStatus sti_loads_suspect(const StiNetwork *network, StiScratch *scratch, StageData *now,
                            int worst)
{
    const Admittance *a = owner_of(network, worst);
    int load = a != NULL ? worst - a->load : 0;
    if (a == NULL || a->kind->classify_solutions == NULL) return STI_OK;
    const StiStatus why = ask(network, scratch, now, a, &load);
    if (why != STI_NO_SOLUTION && why != STI_SEVERAL_SOLUTIONS) return STI_OK;
    scratch->figures.loads_gave_up = why;
    return network->goes_on ? STI_OK : fault_at(scratch, why, a, load, now);
}

bool sti_loads_given_up(const StiNetwork *network, StiScratch *scratch, StageData *now, int worst,
                        StiStatus *status)
{
    if (sti_load_all_stick(network, scratch, NULL)) { // the division of what holds them is ours
        scratch->evaluate->loads_chosen = true;
        memcpy(now->loads, scratch->evaluate->start_loads,
               (size_t)network->load_count * sizeof *now->loads);
        return true;
    }
    const Admittance *a = owner_of(network, worst);
    int load = a != NULL ? worst - a->load : 0;
    StiStatus why = a != NULL ? ask(network, scratch, now, a, &load) : STI_LOADS_UNSETTLED;
    if (why == STI_OK) why = STI_LOADS_UNSETTLED; // one, but it was not found
    if (network->goes_on) {
        scratch->figures.loads_gave_up = why;
        scratch->evaluate->gave_up = true;
        memcpy(now->loads, scratch->evaluate->start_loads,
               (size_t)network->load_count * sizeof *now->loads);
        return true;
    }
    *status = fault_at(scratch, why, a, load, now);
    return false;
}
