// Coulomb and viscous friction: F + B speed.                                  [regularization] (5)
#include "law/shape.h"

enum { LEVEL, VISCOUS };

static double level(const StiLaw *law, const StiSlip *slip)
{
    return law->p[LEVEL] * slip->load + law->p[VISCOUS] * slip->viscosity * slip->speed;
}

static double slope(const StiLaw *law, const StiSlip *slip)
{
    return law->p[VISCOUS] * slip->viscosity;
}

StiLaw sti_law_viscous(double F, double viscous)
{
    return (StiLaw){.kind = &sti_law_kind_viscous, .p = {[LEVEL] = F, [VISCOUS] = viscous}};
}

static const StiField fields[] = {
    {.name = "level",
     .unit = "N",
     .meaning = "friction F just above zero speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "rise B of the level with speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS,
     .asks = true},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level + viscous |v|\n",
    .use = "Lubricated contacts well above the Stribeck range.",
    .source = "[regularization] (5).",
};

static const StiLaw example = {.kind = &sti_law_kind_viscous, .p = {2.0, 0.5}};

const StiLawKind sti_law_kind_viscous = {
    .table_size = sizeof(StiLawKind),
    .name = "viscous",
    .summary = "a level that rises with the speed",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .level = level,
    .slope = slope,
    .steepest = sti_law_steepest_at_rest,
    .explanation = &explanation,
    .example = &example,
};
