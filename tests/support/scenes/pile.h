// Masses on top of each other, sliding along one line. Interface 0 is between the ground and mass
// 0, interface i between the masses i - 1 and i.
#ifndef STICTION_TESTS_SCENES_PILE_H
#define STICTION_TESTS_SCENES_PILE_H

#include <stdio.h>

#include "stiction/stiction.h"
#include "support/plan.h"

enum { PILE_MASSES = 100 };

typedef struct Pile {
    StiPlan *plan;
    int count;
    StiAdmittanceId masses[PILE_MASSES];
    StiElementId interfaces[PILE_MASSES];
} Pile;

// A level of 0 leaves its interface out.
static inline Pile scene_pile(double T, int count, const double *masses, const double *velocities,
                              const double *levels)
{
    Pile pile = {.plan = plan_in_stages(), .count = count};
    sti_plan_set_step(pile.plan, T);
    for (int i = 0; i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "mass%02d", i);
        pile.masses[i] = sti_plan_add_admittance(pile.plan, name, &sti_kind_point_mass,
                                                 &(StiPointMass){.dim = 1,
                                                                 .mass = masses[i],
                                                                 .velocity = {velocities[i]}});
        if (levels[i] == 0.0) continue;
        const StiWire wire =
            i == 0 ? sti_wire_coordinate(pile.masses[0], 0, 1)
                   : sti_wire_coordinate_pair(pile.masses[i], 0, pile.masses[i - 1], 0, 1);
        snprintf(name, sizeof name, "interface%02d", i);
        pile.interfaces[i] =
            sti_plan_add_reaction(pile.plan, name, &sti_kind_finite_time,
                                  &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(levels[i])},
                                  &wire);
    }
    return pile;
}

// The ten masses of EQUATIONS 4.5.
static inline Pile scene_ten_mass_pile(double T)
{
    static const double velocities[10] = {2, -1, 3, 0, 1, -2, 4, 1, 0, -3};
    double masses[10], levels[10];
    for (int i = 0; i < 10; ++i) {
        masses[i] = 1.0;
        levels[i] = (0.1 + 0.03 * i) * (10 - i) * 9.81;
    }
    return scene_pile(T, 10, masses, velocities, levels);
}

#endif
