#include "network/power.h"

#include "algebra/slices.h"

double sti_power_on(const Admittance *a, const double *generalized, const StiWrench *wrenches,
                    const double *v, const StiFrame *frames)
{
    double power = sti_dot(a->dim, generalized + a->generalized, v);
    for (int i = a->link; a->posed && i < a->link + a->size.links; ++i)
        power += sti_vec3_dot(wrenches[i].force, frames[i].v) +
                 sti_vec3_dot(wrenches[i].moment, frames[i].w);
    return power;
}

const double *sti_velocities_of(const Admittance *a, const StageData *stage)
{
    return a->kind->prescribed ? stage->ports + a->port + a->dim : stage->x + a->v;
}

double sti_power_supplied(const Admittance *a, const StageData *stage)
{
    return a->size.supplied > 0 ? stage->loads[a->load + a->size.supplied - 1] : 0.0;
}

double sti_power_of_impedance(const Impedance *e, const StageData *stage)
{
    if (!e->wired || e->kind->only_senses) return 0.0;
    return sti_dot(e->wire.size.velocities, stage->u + e->wire.v, stage->velocity + e->wire.v);
}

double sti_power_of_reaction(const Reaction *e, const StageData *stage)
{
    return sti_dot(e->size.dim, stage->u + e->wire.v, stage->velocity + e->wire.v);
}
