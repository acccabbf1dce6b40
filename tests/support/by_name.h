// Parameters of a friction model that is known by its name alone. Include after cmocka.h.
#ifndef STICTION_TESTS_BY_NAME_H
#define STICTION_TESTS_BY_NAME_H

#include <stdlib.h>

#include "stiction/stiction.h"

typedef struct ByName {
    StiEntry entry;
    void *parameters; // of its usual values; to be freed
} ByName;

static inline ByName friction_by_name(const char *name, StiLaw law)
{
    ByName e;
    assert_true(sti_registry_find(STI_ROLE_FRICTION, name, &e.entry));
    e.parameters = calloc(1, e.entry.info->size);
    assert_non_null(e.parameters);
    sti_kind_default(e.entry.info, e.parameters);
    if (sti_kind_law(e.entry.info, e.parameters) != NULL)
        *sti_kind_law(e.entry.info, e.parameters) = law;
    return e;
}

static inline void set_by_name(const ByName *e, const char *name, double value)
{
    double *number = sti_kind_find(e->entry.info, e->parameters, name);
    assert_non_null(number);
    *number = value;
}

static inline int errors_by_name(const ByName *e)
{
    StiReport *report = sti_report_create();
    const StiCheck check = {.report = report, .component = e->entry.name, .step = 1e-3};
    sti_kind_check(e->entry.info, e->parameters, &check);
    const int count = sti_report_error_count(report);
    sti_report_destroy(report);
    return count;
}

#endif
