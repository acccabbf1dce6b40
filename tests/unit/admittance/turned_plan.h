// Plans whose numbers are turned by their paths. Include after cmocka.h.
#ifndef STICTION_TESTS_TURNED_PLAN_H
#define STICTION_TESTS_TURNED_PLAN_H

#include "support/scenes/rig.h"

static inline uint64_t hash_after(StiPlan *plan, int steps)
{
    Rig rig = rig_of(plan);
    rig_run(&rig, steps);
    const uint64_t hash = sti_state_hash(rig.state);
    rig_free(&rig);
    return hash;
}

static inline double value_at(const StiPlan *plan, const char *path)
{
    double value = NAN;
    if (sti_plan_get(plan, path, &value) != STI_OK) fail_msg("there is no %s", path);
    return value;
}

#endif
