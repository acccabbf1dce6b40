// The friction of a scene: any impedance or any reaction.
#ifndef STICTION_TESTS_SCENES_FRICTION_H
#define STICTION_TESTS_SCENES_FRICTION_H

#include "stiction/stiction.h"

// One of the two kinds is given; parameters outlive the call of the scene's function only.
typedef struct SceneFriction {
    const StiReactionKind *reaction;
    const StiImpedanceKind *impedance;
    const void *parameters;
} SceneFriction;

static inline StiElementId scene_add_friction(StiPlan *plan, const char *name,
                                              SceneFriction friction, StiWire wire)
{
    if (friction.reaction != NULL)
        return sti_plan_add_reaction(plan, name, friction.reaction, friction.parameters, &wire);
    return sti_plan_add_impedance(plan, name, friction.impedance, friction.parameters, &wire);
}

#endif
