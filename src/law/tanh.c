// A level that is smooth through zero: F tanh(speed/speed_scale). It cannot stick.      [dahl] (8)
#include <math.h>

#include "law/shape.h"
#include "stiction/elementary.h"

enum { LEVEL, SPEED };

static double level(const StiLaw *law, const StiSlip *slip)
{
    return law->p[LEVEL] * slip->load * sti_tanh(slip->speed / law->p[SPEED]);
}

static double slope(const StiLaw *law, const StiSlip *slip)
{
    const double cosine = sti_cosh(slip->speed / law->p[SPEED]);
    return law->p[LEVEL] * slip->load / law->p[SPEED] / (cosine * cosine);
}

StiLaw sti_law_tanh(double F, double speed_scale)
{
    return (StiLaw){.kind = &sti_law_kind_tanh, .p = {[LEVEL] = F, [SPEED] = speed_scale}};
}

static const StiField fields[] = {
    {.name = "level",
     .unit = "N",
     .meaning = "friction F at high speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = LEVEL},
    {.name = "stribeck_speed",
     .unit = "m/s",
     .meaning = "speed at which 76 percent of the level is reached",
     .bound = STI_POSITIVE,
     .offset = SPEED,
     .usual = 1e-2},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level tanh(|v|/stribeck_speed)\n",
    .use = "Integrators that cannot take a jump. It has no level at rest, so nothing ever "
           "sticks.",
    .source = "[dahl] (8).",
};

static const StiLaw example = {.kind = &sti_law_kind_tanh, .p = {2.0, 0.05}};

const StiLawKind sti_law_kind_tanh = {
    .table_size = sizeof(StiLawKind),
    .name = "tanh",
    .summary = "smooth through zero speed: does not hold",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .level = level,
    .slope = slope,
    .steepest = sti_law_steepest_at_rest, // its slope keeps falling, but never below zero
    .explanation = &explanation,
    .example = &example,
};
