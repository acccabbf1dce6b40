// Private: walking over the parameters of a kind. Everything that addresses, checks, lists or
// copies parameters goes through here.
#ifndef STICTION_SRC_NETWORK_FIELDS_H
#define STICTION_SRC_NETWORK_FIELDS_H

#include "base/arena.h"
#include "stiction/kind.h"

typedef struct StiNumber {
    const char *path; // below the component: "level", "stiffness[3]", "2.level"
    const StiField *field;
    const char *unit; // the field's, or "1" where a law's level is a coefficient
    double *value;
} StiNumber;

// Return false to stop.
typedef bool (*StiVisit)(void *context, const StiNumber *number);

// Visits every number. A law's parameter that has the name of one of the kind's own is found below
// the law's field: "law.level".
bool sti_fields_visit(const StiInfo *info, void *parameters, StiVisit visit, void *context);

// A copy that owns its arrays, tables and parts.
void *sti_fields_copy(const StiInfo *info, const void *parameters, StiArena *arena);

#endif
