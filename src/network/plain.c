#include "network/plain.h"

void sti_wire_look_for_plain(const StiNetwork *n, Wire *wire)
{
    const StiEnd *end = &wire->wire.a;
    if (!wire->wire.kind->coordinates || end->admittance < 0) return;
    const Admittance *a = &n->admittances[end->admittance];
    wire->plain = wire->wire.b.admittance < 0 && !a->kind->prescribed;
    wire->own_q = a->q + end->position;
    wire->own_v = a->v + end->place;
    wire->own_force = a->generalized + end->place;
}

static int list(PlainNumber *numbers, const Wire *wire)
{
    for (int d = 0; d < wire->wire.dim; ++d)
        numbers[d] = (PlainNumber){.x = wire->x + d,
                                   .v = wire->v + d,
                                   .own_q = wire->own_q + d,
                                   .own_v = wire->own_v + d,
                                   .own_force = wire->own_force + d};
    return wire->wire.dim;
}

void sti_network_list_plain(StiNetwork *n)
{
    PlainNumber *numbers =
        sti_arena_take(&n->arena, (size_t)n->xhat_velocities + 1, sizeof *numbers);
    if (numbers == NULL) return;
    n->senses_plainly = n->pushes_plainly = true;
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (!e->wired) continue;
        if (e->wire.plain) n->plain_count += list(numbers + n->plain_count, &e->wire);
        n->senses_plainly = n->senses_plainly && e->wire.plain;
        n->pushes_plainly = n->pushes_plainly && e->wire.plain && !e->kind->only_senses;
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        if (wire->plain) n->plain_count += list(numbers + n->plain_count, wire);
        n->senses_plainly = n->senses_plainly && wire->plain;
        n->pushes_plainly = n->pushes_plainly && wire->plain;
    }
    n->plain = numbers;
}
