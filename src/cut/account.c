// What recorders want to know of a step in pieces: mean forces, and work.
#include "cut/account.h"

#include <string.h>

#include "network/power.h"
#include "events/touch_events.h"
#include "algebra/slices.h"

void sti_account_take(StiArena *arena, const StiNetwork *n, Account *account)
{
    account->mean_u = sti_arena_numbers(arena, n->xhat_velocities);
    account->mean_loads = sti_arena_numbers(arena, n->load_count);
    sti_works_take(arena, n, &account->works);
}

void sti_account_open(const StiNetwork *network, StiScratch *scratch)
{
    const ImpactData *impacts = scratch->impacts;
    const bool touches = scratch->touches->count > 0;
    for (int i = 0; touches && i < sti_contact_books(network->contact_count); ++i)
        impacts->lost[i] = 0.0;
    for (int i = 0; touches && i < network->admittance_count; ++i) impacts->gained[i] = 0.0;
    scratch->works.given = true;
    scratch->substep->entered = false;
    scratch->substep->due = 0.0;
}

void sti_account_first(const StiNetwork *network, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    memcpy(data->first_u, scratch->stages[0].u, (size_t)network->xhat_velocities * sizeof(double));
    memcpy(data->first_loads, scratch->stages[0].loads,
           (size_t)network->load_count * sizeof(double));
}

// The scratch's own books.
static Account books_of(const StiScratch *scratch)
{
    return (Account){scratch->substep->mean_u, scratch->substep->mean_loads, scratch->works};
}

// from NULL: nothing is in them.
static void begin_row(double *row, const double *from, int count)
{
    if (from != NULL)
        memcpy(row, from, (size_t)count * sizeof *row);
    else
        memset(row, 0, (size_t)count * sizeof *row);
}

static void begin_books(const StiNetwork *n, const Account *from, const Account *to)
{
    const Works *has = from != NULL ? &from->works : NULL, *gets = &to->works;
    begin_row(to->mean_u, from ? from->mean_u : NULL, n->xhat_velocities);
    begin_row(to->mean_loads, from ? from->mean_loads : NULL, n->load_count);
    begin_row(gets->absorbed_by_impedance, has ? has->absorbed_by_impedance : NULL,
              n->impedance_count);
    begin_row(gets->absorbed_by_reaction, has ? has->absorbed_by_reaction : NULL,
              n->reaction_count);
    begin_row(gets->absorbed_by_contact, has ? has->absorbed_by_contact : NULL,
              sti_contact_books(n->contact_count));
    begin_row(gets->on_body, has ? has->on_body : NULL, n->admittance_count);
    begin_row(gets->supplied, has ? has->supplied : NULL, n->admittance_count);
}

static void enter_stage(const StiNetwork *network, const Account *to, const StageData *stage,
                        double h)
{
    const Works *works = &to->works;
    const double share = h / network->step;
    for (int i = 0; i < network->xhat_velocities; ++i) to->mean_u[i] += share * stage->u[i];
    for (int i = 0; i < network->load_count; ++i) to->mean_loads[i] += share * stage->loads[i];
    for (int i = 0; i < network->impedance_count; ++i)
        works->absorbed_by_impedance[i] +=
            h * sti_power_of_impedance(&network->impedances[i], stage);
    for (int i = 0; i < network->reaction_count; ++i) {
        const Wire *wire = &network->reactions[i].wire;
        works->absorbed_by_reaction[i] +=
            h * sti_dot(wire->size.velocities, stage->u + wire->v, stage->velocity + wire->v);
    }
    for (int i = 0; network->place_count > 0 && i < sti_contact_books(network->contact_count); ++i)
        works->absorbed_by_contact[i] += h * stage->contact_power[i];
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        works->on_body[i] += h * sti_power_on(a, stage->generalized, stage->wrenches,
                                              sti_velocities_of(a, stage), stage->frames);
        works->supplied[i] += h * sti_power_supplied(a, stage);
    }
}

static void enter_due(const StiNetwork *network, const StiScratch *scratch, const Account *to)
{
    const SubstepData *data = scratch->substep;
    const StiMethod *pair = network->pair;
    for (int r = 0; data->due > 0.0 && r < pair->stages; ++r)
        if (pair->b[r] != 0.0)
            enter_stage(network, to, r == 0 ? &data->close : &scratch->stages[r],
                        data->due * pair->b[r]);
}

void sti_account_substep(StiScratch *scratch, double h) { scratch->substep->due = h; }

void sti_account_enter(const StiNetwork *network, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    const Account books = books_of(scratch);
    if (!(data->due > 0.0)) return;
    if (!data->entered) begin_books(network, NULL, &books);
    enter_due(network, scratch, &books);
    data->entered = true;
    data->due = 0.0;
}

void sti_account_stage(const StiNetwork *network, StiScratch *scratch, const StageData *stage,
                       double h)
{
    const Account books = books_of(scratch);
    sti_account_enter(network, scratch);
    if (!scratch->substep->entered) begin_books(network, NULL, &books);
    enter_stage(network, &books, stage, h);
    scratch->substep->entered = true;
}

// Friction acts with the velocities of the end.
void sti_account_fallback(const StiNetwork *network, StiScratch *scratch, double h)
{
    StageData *now = &scratch->stages[0];
    memcpy(now->x, scratch->substep->x, (size_t)network->x_count * sizeof *now->x);
    sti_psi(network, now);
    sti_phi_all(network, now);
    sti_account_stage(network, scratch, now, h);
}

void sti_account_read(const StiNetwork *network, const StiScratch *scratch, Account *own)
{
    const Account books = books_of(scratch);
    begin_books(network, scratch->substep->entered ? &books : NULL, own);
    enter_due(network, scratch, own);
    const ImpactData *impacts = scratch->impacts;
    const bool touches = scratch->touches->count > 0;
    for (int i = 0; touches && i < sti_contact_books(network->contact_count); ++i)
        own->works.absorbed_by_contact[i] += impacts->lost[i];
    for (int i = 0; touches && i < network->admittance_count; ++i)
        own->works.on_body[i] += impacts->gained[i];
}
