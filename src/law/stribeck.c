// The Stribeck curve: F + (FS - F) exp(-(speed/VS)^delta) + B speed.           [regularization] (6)
#include <math.h>

#include "law/shape.h"
#include "stiction/elementary.h"

enum { LEVEL, STATIC, SPEED, EXPONENT, VISCOUS };

// Nearly everybody takes 2, and pow is a fifth of a step then.
static double power(double x, double exponent)
{
    if (exponent == 2.0) return x * x;
    return exponent == 1.0 ? x : sti_pow(x, exponent);
}

static double level(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p;
    const double decay = sti_exp(-power(slip->speed / p[SPEED], p[EXPONENT]));
    return (p[LEVEL] + (p[STATIC] - p[LEVEL]) * decay) * slip->load +
           p[VISCOUS] * slip->viscosity * slip->speed;
}

// Below exponent 1 the curve leaves the static level with infinite slope.
static double slope(const StiLaw *law, const StiSlip *slip)
{
    const double *p = law->p;
    const double height = (p[STATIC] - p[LEVEL]) * slip->load;
    const double x = slip->speed / p[SPEED];
    const double decay = sti_exp(-power(x, p[EXPONENT]));
    const double viscous = p[VISCOUS] * slip->viscosity;
    if (height == 0.0 || decay == 0.0) return viscous; // 0 times infinity otherwise
    return viscous - height * p[EXPONENT] / p[SPEED] * power(x, p[EXPONENT] - 1.0) * decay;
}

// x^(delta-1) exp(-x^delta) has its one maximum where x^delta = (delta-1)/delta.
static double steepest(const StiLaw *law)
{
    const double delta = law->p[EXPONENT];
    if (delta == 2.0) return law->p[SPEED] * sqrt(0.5);
    return delta > 1.0 ? law->p[SPEED] * sti_pow((delta - 1.0) / delta, 1.0 / delta) : 0.0;
}

StiLaw sti_law_stribeck(double F, double level_static, double stribeck_speed,
                        double stribeck_exponent, double viscous)
{
    return (StiLaw){.kind = &sti_law_kind_stribeck,
                    .p = {[LEVEL] = F,
                          [STATIC] = level_static,
                          [SPEED] = stribeck_speed,
                          [EXPONENT] = stribeck_exponent,
                          [VISCOUS] = viscous}};
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
    {.name = "stribeck_speed",
     .unit = "m/s",
     .meaning = "speed VS over which static fades",
     .bound = STI_POSITIVE,
     .offset = SPEED,
     .usual = 1e-2,
     .asks = true},
    {.name = "stribeck_exponent",
     .unit = "",
     .meaning = "exponent delta of the fading",
     .bound = STI_POSITIVE,
     .offset = EXPONENT,
     .usual = 2.0},
    {.name = "viscous",
     .unit = "N s/m",
     .meaning = "rise B of the level with speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = VISCOUS},
};

static const StiExplanation explanation = {
    .equations = "F(v) = level + (static - level) exp(-(|v|/stribeck_speed)^stribeck_exponent)\n"
                 "       + viscous |v|\n",
    .use = "Lubricated contacts at low speed: the fall makes them squeak, hunt and stick. "
           "Where it is steeper than M/T, a step has more than one solution and the fastest "
           "slip is taken.",
    .source = "[regularization] (6), with its sign corrected.",
};

static const StiLaw example = {.kind = &sti_law_kind_stribeck, .p = {2.0, 2.6, 0.05, 2.0, 0.5}};

const StiLawKind sti_law_kind_stribeck = {
    .table_size = sizeof(StiLawKind),
    .name = "stribeck",
    .summary = "falls from the static to the kinetic level, then rises with the speed",
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .level = level,
    .slope = slope,
    .steepest = steepest,
    .check = check,
    .explanation = &explanation,
    .example = &example,
};
