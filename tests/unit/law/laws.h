// Random laws of every built-in kind for property tests, and one own. Include after cmocka.h.
#ifndef STICTION_TESTS_UNIT_LAW_LAWS_H
#define STICTION_TESTS_UNIT_LAW_LAWS_H

#include "../../support/random.h"
#include "stiction/law.h"

enum { LAW_TABLE_POINTS = 6 };

static inline StiLaw random_table(Random *random, double table[2 * LAW_TABLE_POINTS])
{
    table[0] = 0.0;
    for (int i = 1; i < LAW_TABLE_POINTS; ++i)
        table[i] = table[i - 1] + random_decades(random, 1e-3, 1.0);
    for (int i = 0; i < LAW_TABLE_POINTS; ++i)
        table[LAW_TABLE_POINTS + i] = random_between(random, 0.0, 20.0);
    return sti_law_table(table, LAW_TABLE_POINTS);
}

// table must live as long as the law.
static inline StiLaw random_law(Random *random, double table[2 * LAW_TABLE_POINTS])
{
    const double F = random_decades(random, 1e-2, 1e2);
    const double FS = F * random_between(random, 1.0, 3.0);
    const double V = random_decades(random, 1e-4, 1.0);
    const double B = random_below(random, 2) ? random_decades(random, 1e-3, 1e2) : 0.0;
    const double delta = random_between(random, 0.5, 3.0);
    switch (random_below(random, 7)) {
    case 0:
        return sti_law_coulomb(F);
    case 1:
        return sti_law_viscous(F, B);
    case 2:
        return sti_law_tanh(F, V);
    case 3:
        return sti_law_gear(F, FS, 1.0 / V, B);
    case 4:
        return sti_law_directional(F, FS, B, 2.0 * B);
    case 5:
        return random_table(random, table);
    default:
        return sti_law_stribeck(F, FS, V, delta, B);
    }
}

// A user's own law: a bump of height p[0] and width p[1] at 3 p[1], on a base of 1; no slope given.
static inline double bump_level(const StiLaw *law, const StiSlip *slip)
{
    const double x = slip->speed / law->p[1] - 3.0;
    return (1.0 + law->p[0] * exp(-x * x)) * slip->load;
}
static const StiLawKind bump_kind = {.table_size = sizeof(StiLawKind), .name = "bump", .summary = "for tests", .level = bump_level};

static inline StiLaw bump_law(double height, double width)
{
    StiLaw law = sti_law_own(&bump_kind, NULL);
    law.p[0] = height;
    law.p[1] = width;
    return law;
}

#endif
