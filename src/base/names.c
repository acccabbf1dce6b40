#include "base/names.h"

#include <string.h>

#include "base/hash.h"

// Where the name stands, or would.
static StiNamed *place_of(const StiNames *names, const char *name)
{
    const uint64_t mask = (uint64_t)names->size - 1;
    uint64_t i = sti_hash_text(STI_HASH_START, name);
    i ^= i >> 32; // the low bits of FNV-1a know little of the first letters
    while (names->places[i & mask].name != NULL && strcmp(names->places[i & mask].name, name) != 0)
        ++i;
    return &names->places[i & mask];
}

// The old places stay with the arena: together they are smaller than the new ones.
static int grow(StiNames *names, StiArena *arena)
{
    StiNames larger = {.size = names->size > 0 ? 2 * names->size : 16, .count = names->count};
    larger.places = sti_arena_take(arena, (size_t)larger.size, sizeof *larger.places);
    if (larger.places == NULL) return 0;
    for (int i = 0; i < names->size; ++i)
        if (names->places[i].name != NULL)
            *place_of(&larger, names->places[i].name) = names->places[i];
    *names = larger;
    return 1;
}

int sti_names_put(StiNames *names, StiArena *arena, const char *name, int number)
{
    if (name == NULL) return number; // there was no memory for it
    if (2 * (names->count + 1) > names->size && !grow(names, arena)) return number;
    StiNamed *place = place_of(names, name);
    if (place->name != NULL) return place->number;
    *place = (StiNamed){name, number};
    ++names->count;
    return number;
}

int sti_names_find(const StiNames *names, const char *name)
{
    if (names->size == 0) return -1;
    const StiNamed *place = place_of(names, name);
    return place->name != NULL ? place->number : -1;
}
