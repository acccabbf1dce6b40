#include "scratch/scratch.h"

void sti_works_take(StiArena *arena, const StiNetwork *n, Works *works)
{
    works->absorbed_by_impedance = sti_arena_numbers(arena, n->impedance_count);
    works->absorbed_by_reaction = sti_arena_numbers(arena, n->reaction_count);
    works->absorbed_by_contact = sti_arena_numbers(arena, sti_contact_books(n->contact_count));
    works->on_body = sti_arena_numbers(arena, n->admittance_count);
    works->supplied = sti_arena_numbers(arena, n->admittance_count);
}
