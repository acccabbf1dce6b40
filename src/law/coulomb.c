// Coulomb's law: one level for every speed.
#include "law/shape.h"

enum { LEVEL };

static double level(const StiLaw *law, const StiSlip *slip) { return law->p[LEVEL] * slip->load; }

static double slope(const StiLaw *law, const StiSlip *slip)
{
    (void)law, (void)slip;
    return 0.0;
}

StiLaw sti_law_coulomb(double F)
{
    return (StiLaw){.kind = &sti_law_kind_coulomb, .p = {[LEVEL] = F}};
}

static const StiField fields[] = {
    {.name = "level",
     .unit = "N",
     .meaning = "kinetic friction F",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level\n",
    .use = "Dry friction, and whenever nothing else is known.",
    .source = "[fixed-step] (3).",
};

static const StiLaw example = {.kind = &sti_law_kind_coulomb, .p = {2.0}};

const StiLawKind sti_law_kind_coulomb = {
    .table_size = sizeof(StiLawKind),
    .name = "coulomb",
    .summary = "the same level at any speed",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .constant = true,
    .level = level,
    .slope = slope,
    .steepest = sti_law_steepest_at_rest,
    .explanation = &explanation,
    .example = &example,
};
