// The gear law: F + (FS - F) exp(-eta speed) + B speed.                         [semi-implicit] (8)
#include <math.h>

#include "law/shape.h"
#include "stiction/elementary.h"

enum { LEVEL, STATIC, ETA, VISCOUS };

static double fading(const StiLaw *law, const StiSlip *slip)
{
    return (law->p[STATIC] - law->p[LEVEL]) * slip->load * sti_exp(-law->p[ETA] * slip->speed);
}

static double level(const StiLaw *law, const StiSlip *slip)
{
    return law->p[LEVEL] * slip->load + fading(law, slip) + law->p[VISCOUS] * slip->viscosity * slip->speed;
}

static double slope(const StiLaw *law, const StiSlip *slip)
{
    return law->p[VISCOUS] * slip->viscosity - law->p[ETA] * fading(law, slip);
}

StiLaw sti_law_gear(double F, double level_static, double eta, double viscous)
{
    return (StiLaw){.kind = &sti_law_kind_gear,
                    .p = {[LEVEL] = F, [STATIC] = level_static, [ETA] = eta, [VISCOUS] = viscous}};
}

static void check(const StiLaw *law, const StiCheck *check)
{
    sti_check_static(check, law->p[STATIC], law->p[LEVEL]);
}

static const StiField fields[] = {
    {.name = "level",
     .unit = "N",
     .meaning = "kinetic friction F",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
    {.name = "static",
     .unit = "N",
     .meaning = "friction FS just above zero speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = STATIC},
    {.name = "eta",
     .unit = "s/m",
     .meaning = "how fast static fades with speed",
     .bound = STI_POSITIVE,
     .offset = ETA,
     .usual = 100.0,
     .asks = true},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "rise B of the level with speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level + (static - level) exp(-eta |v|) + viscous |v|\n",
    .use = "Geared motors; on the joint's side, N m and rad/s.",
    .source = "[semi-implicit] (8).",
};

static const StiLaw example = {.kind = &sti_law_kind_gear, .p = {2.0, 2.6, 20.0, 0.5}};

const StiLawKind sti_law_kind_gear = {
    .table_size = sizeof(StiLawKind),
    .name = "gear",
    .summary = "falls exponentially from static to kinetic, plus viscous: geared motors",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .level = level,
    .slope = slope,
    .steepest = sti_law_steepest_at_rest,
    .check = check,
    .explanation = &explanation,
    .example = &example,
};
