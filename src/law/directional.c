// Another level and viscosity for each direction of motion along the element's axis.
#include "law/shape.h"

enum { LEVEL, LEVEL_BACKWARD, VISCOUS, VISCOUS_BACKWARD };

static double level(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p;
    if (slip->direction < 0.0)
        return p[LEVEL_BACKWARD] * slip->load + p[VISCOUS_BACKWARD] * slip->viscosity * slip->speed;
    return p[LEVEL] * slip->load + p[VISCOUS] * slip->viscosity * slip->speed;
}

static double slope(const StiLaw *law, const StiSlip *slip)
{
    return slip->viscosity * law->p[slip->direction < 0.0 ? VISCOUS_BACKWARD : VISCOUS];
}

StiLaw sti_law_directional(double F, double level_backward, double viscous, double viscous_backward)
{
    return (StiLaw){.kind = &sti_law_kind_directional,
                    .p = {[LEVEL] = F,
                          [LEVEL_BACKWARD] = level_backward,
                          [VISCOUS] = viscous,
                          [VISCOUS_BACKWARD] = viscous_backward}};
}

static const StiField fields[] = {
    {.name = "level",
     .unit = "N",
     .meaning = "friction just above zero speed, motion along +",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
    {.name = "level_backward",
     .unit = "N",
     .meaning = "friction just above zero speed, motion along -",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL_BACKWARD,
     .asks = true},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "rise of the level with speed, motion along +",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS},
    {.name = "viscous_backward",
     .unit = "N s/m",
     .meaning = "rise of the level with speed, motion along -",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS_BACKWARD,
     .asks = true},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level + viscous |v|                     for motion along plus\n"
                 "     = level_backward + viscous_backward |v|   for motion along minus\n",
    .use = "Drives and seals that run more easily one way. One dimension only.",
    .source = "common in identified drives; none of the five papers has it.",
};

static const StiLaw example = {.kind = &sti_law_kind_directional, .p = {2.0, 1.5, 0.5, 0.4}};

const StiLawKind sti_law_kind_directional = {
    .table_size = sizeof(StiLawKind),
    .name = "directional",
    .summary = "different levels for motion along plus and minus",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .directional = true,
    .level = level,
    .slope = slope,
    .steepest = sti_law_steepest_at_rest,
    .explanation = &explanation,
    .example = &example,
};
