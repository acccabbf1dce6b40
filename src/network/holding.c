#include "network/holding.h"

// One or more coordinates of a against what no force moves.
static bool on_coordinates(const StiNetwork *n, const StiWire *wire, bool sources)
{
    if (!wire->kind->coordinates || wire->a.admittance < 0) return false;
    if (n->admittances[wire->a.admittance].kind->prescribed) return false;
    return wire->b.admittance < 0 ||
           (sources && n->admittances[wire->b.admittance].kind->prescribed);
}

static void unmark(StiNetwork *n, const StiWire *wire, bool holds)
{
    const int ends[2] = {wire->a.admittance, wire->b.admittance};
    for (int i = 0; i < 2; ++i) {
        if (ends[i] < 0) continue;
        n->admittances[ends[i]].adds = false;
        if (holds) n->admittances[ends[i]].holds = false;
    }
}

// How many reactions there are on every coordinate.
static int *count_riders(StiNetwork *n)
{
    int *riders = sti_arena_take(&n->arena, (size_t)n->generalized_count + 1, sizeof *riders);
    for (int i = 0; riders != NULL && i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        for (int d = 0; on_coordinates(n, &wire->wire, false) && d < wire->size.velocities; ++d)
            ++riders[wire->own_force + d];
    }
    return riders;
}

// Two reactions on one coordinate share its load in many ways: then the smallest is sought from outside.
static bool is_alone(const Wire *wire, const int *riders)
{
    for (int d = 0; d < wire->size.velocities; ++d)
        if (riders[wire->own_force + d] > 1) return false;
    return true;
}

static bool is_on_adding_body(const StiNetwork *n, const StiWire *wire)
{
    return wire->a.admittance >= 0 && n->admittances[wire->a.admittance].adds;
}

// Bodies without such elements have nothing to add.
static void mark_diagonals(StiNetwork *n)
{
    for (int i = 0; i < n->impedance_count; ++i) {
        Impedance *e = &n->impedances[i];
        e->diagonal = sti_is_implicit(e) && is_on_adding_body(n, &e->wire.wire);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        Reaction *e = &n->reactions[i];
        e->diagonal = e->steep && is_on_adding_body(n, &e->wire.wire);
    }
    for (int i = 0; i < n->admittance_count; ++i) n->admittances[i].adds = false;
    for (int i = 0; i < n->impedance_count; ++i)
        if (n->impedances[i].diagonal)
            n->admittances[n->impedances[i].wire.wire.a.admittance].adds = true;
    for (int i = 0; i < n->reaction_count; ++i)
        if (n->reactions[i].diagonal)
            n->admittances[n->reactions[i].wire.wire.a.admittance].adds = true;
}

// May the body take this impedance onto the diagonal of its H?
static bool fits_diagonal(const StiNetwork *n, const Wire *wire)
{
    return on_coordinates(n, &wire->wire, true) && wire->size.velocities == 1;
}

void sti_network_mark_holding(StiNetwork *n)
{
    const int *riders = count_riders(n);
    if (riders == NULL) return;
    for (int i = 0; i < n->admittance_count; ++i) {
        Admittance *a = &n->admittances[i];
        a->holds = a->kind->hold != NULL;
        a->adds = a->holds && n->contact_count == 0; // contacts tie what no diagonal does
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        if (!on_coordinates(n, &wire->wire, false) || !is_alone(wire, riders))
            unmark(n, &wire->wire, true);
        else if (wire->size.velocities > 1 || n->reactions[i].bends)
            unmark(n, &wire->wire, false); // implicit as a whole, and not on the diagonal
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        n->settles = n->settles || e->kind->settle != NULL;
        if (sti_is_implicit(e) && !fits_diagonal(n, &e->wire)) unmark(n, &e->wire.wire, false);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        Reaction *e = &n->reactions[i];
        e->held = e->wire.wire.a.admittance >= 0 && n->admittances[e->wire.wire.a.admittance].holds;
    }
    mark_diagonals(n);
}
