// Private: walking over the parameters of a kind. Everything that addresses, checks, lists or
// copies parameters goes through here.
#ifndef STICTION_SRC_BASE_FIELDS_H
#define STICTION_SRC_BASE_FIELDS_H

#include "base/arena.h"
#include "stiction/kind.h"

// Visits every number; a law's level that is a coefficient has the unit "1". A law's parameter that has the name of one of the kind's own is found below
// the law's field: "law.level".
bool sti_fields_visit(const StiInfo *info, void *parameters, StiVisit visit, void *context);

// A copy that owns its arrays, tables, parts and what is inside.
void *sti_fields_copy(const StiInfo *info, const void *parameters, StiArena *arena);

#endif
