// Masses in one, two or three dimensions that rub on the ground and on each other. After cmocka.h.
#ifndef STICTION_TESTS_RUBBING_H
#define STICTION_TESTS_RUBBING_H

#include <stdio.h>

#include "solver/sweeps/sweeps.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

enum { RUBBING_MASSES = 12, RUBBING_ROWS = 3 * 40 };

typedef struct Rubbing {
    int dim, masses, reactions;
    double level_low, level_high; // N
    double level_static;          // of the level; 0: none
    int laws;                     // 1: Coulomb; 2: also viscous
} Rubbing;

static inline StiLaw rubbing_law(Random *random, const Rubbing *p, double level)
{
    return random_below(random, p->laws) == 0
               ? sti_law_coulomb(level)
               : sti_law_viscous(level, random_decades(random, 0.1, 100.0));
}

static inline StiPlan *rubbing_plan(Random *random, const Rubbing *p, StiAdmittanceId *mass)
{
    StiPlan *plan = plan_in_stages();
    char name[24];
    for (int i = 0; i < p->masses; ++i) {
        StiPointMass body = {.dim = p->dim, .mass = random_decades(random, 0.1, 10.0)};
        for (int d = 0; d < p->dim; ++d) body.velocity[d] = random_between(random, -1.0, 1.0);
        snprintf(name, sizeof name, "m%02d", i);
        mass[i] = sti_plan_add_admittance(plan, name, &sti_kind_point_mass, &body);
    }
    for (int i = 0; i < p->reactions; ++i) {
        const int a = random_below(random, p->masses), b = random_below(random, p->masses + 1) - 1;
        const StiAdmittanceId other = b < 0 || b == a ? (StiAdmittanceId){-1} : mass[b];
        const double level = random_decades(random, p->level_low, p->level_high);
        snprintf(name, sizeof name, "f%02d", i);
        add_rule(plan, name, sti_wire_coordinate_pair(mass[a], 0, other, 0, p->dim),
                 rubbing_law(random, p, level), p->level_static * level);
    }
    sti_plan_set_step(plan, 1e-2);
    return plan;
}

// W of all rows, from the blocks of the scratch.
static inline void dense_W(const Built *built, double W[RUBBING_ROWS][RUBBING_ROWS])
{
    const StiNetwork *n = built->network;
    for (int i = 0; i < n->row_count; ++i)
        for (int j = 0; j < n->row_count; ++j) W[i][j] = 0.0;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        for (int j = 0; j < e->neighbour_count; ++j) {
            const Reaction *other = &n->reactions[sti_neighbour(e, j)];
            const double *block = built->scratch->reactions->W + sti_neighbour_block(e, j);
            for (int d = 0; d < e->size.dim; ++d)
                for (int k = 0; k < other->size.dim; ++k)
                    W[e->row + d][other->row + k] = block[d * other->size.dim + k];
        }
    }
}

#endif
